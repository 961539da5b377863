"""Owns what is known of how many tokens a model reads."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from apx.domain.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from apx.providers.client import LazyClient

# Seconds for an answer; whoever has none by then goes on with the assumption.
DEADLINE: Final = 2.0
_PLAUSIBLE: Final = range(256, 20_000_001)

# How servers that speak OpenAI's protocol say it in their list of models, what is
# loaded before what could be: llama.cpp, vLLM, LM Studio, OpenRouter, Groq, Mistral.
_IN_A_LIST: Final = (
    "n_ctx",
    "max_model_len",
    "loaded_context_length",
    "context_length",
    "context_window",
    "max_context_length",
)

# Every repeat is bounded: an error may repeat all of a prompt, with its blanks.
_NUMBER: Final = r"([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{3,8})(?![0-9])"
_IS: Final = r"[\s\"'`\\:=(]{0,6}(?:(?:is|of|only|to)\b[\s:=(]{0,4}){0,3}"
_SUM: Final = r"(?!\s{0,4}\+)"  # what was asked for, as Anthropic adds it up
_SPAN: Final = r"(?:length|size|window|limit)"
_AT_MOST: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Words that can only mean the limit, and the number behind them.
        r"(?:max(?:imum)?\s{1,4}(?:allowed\s{1,4})?"
        rf"(?:context|prompt|input|model|sequence)\s{{1,4}}{_SPAN}"
        rf"|available\s{{1,4}}context\s{{1,4}}{_SPAN}"
        rf"|model(?:['\u2019]?s)\s{{1,4}}context\s{{1,4}}{_SPAN}"
        rf"|loaded\s{{1,4}}with\s{{1,4}}(?:a\s{{1,4}})?context\s{{1,4}}{_SPAN}"
        r"|maximum\s{1,4}number\s{1,4}of\s{1,4}tokens\s{1,4}allowed"
        r"|(?:configured|context|input)\s{1,4}(?:token\s{1,4})?limit"
        rf"|\b(?:n_ctx|max_model_len|max_seq_len)\b){_IS}{_NUMBER}{_SUM}",
        # The number before them: Mistral, Anthropic.
        rf"(?<![0-9,]){_NUMBER}\s{{1,4}}(?:tokens?\s{{1,4}})?max(?:imum)?\b",
        # What it is compared with: Anthropic, text-generation-inference.
        r"(?:(?:tokens?|[0-9])\s{0,4}>|must\s{1,4}be\s{1,4}<=)\s{0,4}"
        rf"{_NUMBER}(?!\s{{0,4}}bytes)",
        # Words that may mean what was sent as well, if nothing better is there.
        rf"context\s{{1,4}}{_SPAN}{_IS}{_NUMBER}{_SUM}"
        r"(?!\s{0,4}(?:tokens\W{0,4})?(?:which\s{1,4})?(?:exceed|is\s|greater|longer))",
    )
)


@runtime_checkable
class Measurable(Protocol):
    """A model that can be asked how much it reads."""

    async def measure(self) -> None:
        """Ask once; whatever happens, `window` has a value, and nothing is raised."""
        ...


class Window:
    """The size of a model's window: assumed, until the model was asked."""

    def __init__(self, assumed: int) -> None:
        self.size = assumed
        self._was_asked = False

    async def measure(
        self,
        client: LazyClient[Any],
        ask: Callable[[], Awaitable[object]],
        deadline: float,
    ) -> None:
        """Take what `ask` tells, the first time; a failure leaves the assumption."""
        if self._was_asked:
            return
        self._was_asked = True
        # The import is not the server's fault, and a turn needs it in any case.
        await client.load()
        with suppress(ProviderError, TimeoutError):
            async with asyncio.timeout(deadline):
                self.size = plausible(await ask()) or self.size


def plausible(told: object) -> int:
    """Give a number of tokens that can be a window, or 0."""
    if isinstance(told, int) and not isinstance(told, bool) and told in _PLAUSIBLE:
        return told
    return 0


def in_list(entry: Mapping[str, object]) -> int:
    """Give the window that a model's entry in a list of models tells, or 0."""
    told = {**_mapping(entry.get("meta")), **entry}
    sizes = (plausible(told.get(key)) for key in _IN_A_LIST)
    return next(filter(None, sizes), 0)


def in_props(props: object) -> int:
    """Give the window of a request that llama.cpp's `/props` tells, or 0."""
    settings = _mapping(_mapping(props).get("default_generation_settings"))
    return plausible(settings.get("n_ctx"))


def in_show(info: Mapping[str, object]) -> int:
    """Give what a model was made to read, from Ollama's `<family>.context_length`."""
    sizes = [
        plausible(value)
        for key, value in info.items()
        if key.partition(".")[2] == "context_length"
    ]
    return max(sizes, default=0)


def in_error(text: str, body: object = None) -> int:
    """Give the window that the report of an overflow names, or 0.

    Of several numbers it is the limit, not what was sent; of several limits the least.
    """
    if told := plausible(_mapping(body).get("n_ctx")):
        return told
    for pattern in _AT_MOST:
        numbers = (int(found.replace(",", "")) for found in pattern.findall(text))
        if sizes := [size for number in numbers if (size := plausible(number))]:
            return min(sizes)
    return 0


def _mapping(told: object) -> Mapping[str, object]:
    return told if isinstance(told, Mapping) else {}
