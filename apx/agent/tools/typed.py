"""A tool whose arguments are checked before it runs."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from apx.domain.text import clean
from apx.domain.tool import Effect, Scene, ToolOutcome, ToolSpec

if TYPE_CHECKING:
    from collections.abc import Mapping


class Arguments(BaseModel):
    """What a model may pass to a tool; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True)


class Nothing(Arguments):
    """No arguments."""


A = TypeVar("A", bound=Arguments)


class TypedTool(ABC, Generic[A]):
    """Reads the model's JSON, and answers wrong arguments as text for the model."""

    name: ClassVar[str]
    description: ClassVar[str]
    effect: ClassVar[Effect] = Effect.NONE
    arguments: type[A]

    @cached_property
    def spec(self) -> ToolSpec:
        """What the model is told of the tool."""
        return ToolSpec(
            self.name, self.description, _schema(self.arguments), self.effect
        )

    async def run(self, arguments: str, scene: Scene) -> ToolOutcome:
        """Check the arguments, then act."""
        try:
            given = self.arguments.model_validate(_parsed(arguments))
        except ValidationError as error:
            return ToolOutcome(_explained(error), ok=False)
        except ValueError:
            return ToolOutcome("the arguments are not a JSON object", ok=False)
        return await self.act(given, scene)

    @abstractmethod
    async def act(self, given: A, scene: Scene) -> ToolOutcome:
        """Do it."""


def _parsed(arguments: str) -> object:
    parsed = json.loads(clean(arguments) or "{}")
    return {} if parsed is None else parsed


def _schema(arguments: type[Arguments]) -> Mapping[str, object]:
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    schema.pop("description", None)
    for field in schema.get("properties", {}).values():
        field.pop("title", None)
    return schema


def _explained(error: ValidationError) -> str:
    wrong = [
        f"{'.'.join(map(str, e['loc'])) or 'arguments'}: {e['msg']}"
        for e in error.errors(include_url=False, include_input=False)
    ]
    return "wrong arguments: " + "; ".join(wrong)
