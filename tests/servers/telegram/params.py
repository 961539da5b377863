"""What a request asked for, whichever of the three encodings it came in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.telegram.refused import Refused, bad

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRUE = {"true", "1", "yes", "t", "y"}


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request."""

    name: str
    content: bytes


class Params:
    """The parameters of a request, read as what the method takes them for."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = {name: value for name, value in given.items() if value is not None}

    def __contains__(self, name: str) -> bool:
        return name in self.given

    def text(self, name: str) -> str:
        """Give text, empty where there is none."""
        value = self.given.get(name, "")
        if isinstance(value, bool | int | float | str):
            return str(value)
        raise bad(f"can't parse {name}: Field must be of type String")

    def number(self, name: str) -> int | None:
        """Give a number, or None where there is none."""
        if name not in self.given or self.given[name] == "":
            return None
        try:
            return int(self.given[name])
        except (TypeError, ValueError):
            raise bad(f"can't parse {name}: Field must be of type Number") from None

    def flag(self, name: str) -> bool:
        """Whether something is wanted."""
        return str(self.given.get(name, "")).lower() in _TRUE

    def json(self, name: str) -> Any:
        """Give an object or a list, or None where there is none."""
        value = self.given.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            return json.loads(value)
        except ValueError:
            raise bad(f"can't parse {name} JSON object") from None

    def file(self, value: Any) -> Upload | None:
        """Give the upload that a value names: itself, or `attach://` another part."""
        if isinstance(value, str) and value.startswith("attach://"):
            value = self.given.get(value.removeprefix("attach://"))
        return value if isinstance(value, Upload) else None


async def read(http: web.Request) -> Params:
    """Read the query and the body; later ones win."""
    given: dict[str, Any] = dict(http.query)
    if http.content_type == "application/json":
        given |= await _object(http)
    elif http.method == "POST":
        for name, value in (await http.post()).items():
            if isinstance(value, web.FileField):
                given[name] = Upload(value.filename, value.file.read())
            else:
                given[name] = value
    return Params(given)


async def _object(http: web.Request) -> dict[str, Any]:
    try:
        body = json.loads(await http.read())
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Refused(400, "Bad Request: can't parse request body JSON object")
    return body
