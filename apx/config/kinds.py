"""The kinds of values in config.json, each with the words that say what is allowed."""

import json
import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

PROVIDERS: Final = ("ollama", "openai", "gemini")

_PLAIN: Final = re.compile(r"[!-~]*")
_LATER: Final = " (comes later)"


class Section(BaseModel):
    """An object of config.json. Unknown keys are found elsewhere, as warnings."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


@dataclass(frozen=True, slots=True)
class Expect:
    """How an error names what is allowed."""

    words: str


def refused(said: str) -> PydanticCustomError:
    """Say in our own words what is wrong with a value."""
    # Not as pydantic's template: the words may hold braces.
    return PydanticCustomError("refused", "{said}", {"said": said})


def later(description: str) -> str:
    """Mark a key that is accepted now and does something in a later version."""
    return f"{description}{_LATER}"


def comes_later(description: str | None) -> bool:
    """Tell whether a key was marked so."""
    return (description or "").endswith(_LATER)


def _quoted(value: str) -> str:
    return json.dumps(value[:80], ensure_ascii=False)


def _model(name: str) -> str:
    if name in {"auto", "offline"}:
        return name
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS:
        *first, last = [f"{known}:{name[:80]}" for known in PROVIDERS]
        choice = f"{', '.join(first)} or {last}"
        raise refused(f"{_quoted(name)} names no provider; write {choice}")
    if not model or not _PLAIN.fullmatch(model):
        raise refused(
            f"{_quoted(name)} names no model; write {provider}:MODEL, no spaces"
        )
    return name


def _fallback(name: str) -> str:
    if name == "auto":
        raise refused('"auto" cannot be a fallback; name a model')
    return _model(name)


def _optional(name: str) -> str:
    return name and _model(name)


def _zone(name: str) -> str:
    try:
        if name:
            ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        zones = available_timezones()
        if not zones:
            raise refused(
                "this machine has no list of time zones; pip install tzdata"
            ) from None
        said = f"{_quoted(name)} is no time zone that is known here"
        near = get_close_matches(name, zones, 1, 0)
        raise refused(f"{said}; did you mean {near[0]}?") from None
    return name


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and parts.hostname
        _ = parts.port  # raises when it is no port
    except ValueError:
        good = None
    if not good or not _PLAIN.fullmatch(url):
        raise refused(f"got {_quoted(url)}, expected {_ADDRESS}")
    return url


def _optional_address(url: str) -> str:
    return url and _address(url)


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int) else value


def _platform_id(text: str) -> str:
    if not _NUMBER.fullmatch(text):
        raise refused(
            f"{_quoted(text)} is no numeric id; names can be taken by anybody. To find"
            " an id, let them write to the bot: `apx people list` shows it"
        )
    return text


def _snowflake(text: str) -> str:
    if not _SNOWFLAKE.fullmatch(text):
        raise refused(
            f"{_quoted(text)} is no id of Discord's, which is a long number; names can"
            " be taken by anybody. `apx doctor` lists the servers that a bot is in; for"
            " channels, switch on Developer Mode in Discord's settings (Advanced), then"
            " right-click one: Copy Channel ID"
        )
    return text


_NUMBER: Final = re.compile(r"-?[0-9]{1,20}")
_SNOWFLAKE: Final = re.compile(r"[1-9][0-9]{14,19}")
_ADDRESS: Final = "an address such as http://127.0.0.1:11434"
_MODEL: Final = '"auto", "offline" or provider:model such as ollama:llama3.2'

ModelName = Annotated[str, Expect(_MODEL), AfterValidator(_model)]
FallbackModel = Annotated[
    str,
    Expect('"offline" or provider:model such as ollama:llama3.2'),
    AfterValidator(_fallback),
]
OptionalModel = Annotated[str, Expect(f'{_MODEL}, or ""'), AfterValidator(_optional)]
Address = Annotated[str, Expect(_ADDRESS), AfterValidator(_address)]
OptionalAddress = Annotated[
    str, Expect(f'{_ADDRESS}, or ""'), AfterValidator(_optional_address)
]
Zone = Annotated[
    str, Expect('a time zone such as Europe/Madrid, or ""'), AfterValidator(_zone)
]
# A key travels in an HTTP header, where a space or a line break is an error.
Credential = Annotated[
    str,
    Expect("a key as text without spaces"),
    Field(pattern=r"^[!-~]*$", max_length=4000, repr=False),
]
Duration = Annotated[
    str,
    Expect('a duration such as "30m" or "1h30m"; "0" is at once, "-1m" is never'),
    Field(pattern=r"^(0|-?([0-9]+(\.[0-9]+)?(ms|s|m|h))+)$", max_length=40),
]
EmbeddingModel = Annotated[
    str,
    Expect("the name of an embedding model"),
    Field(pattern=r"^[!-~]+$", max_length=200),
]
# Of a person or a group; as a number or as text.
PlatformId = Annotated[
    str,
    Expect("a numeric id such as 123456789"),
    BeforeValidator(_as_text),
    AfterValidator(_platform_id),
]
# Of a server or a channel of Discord.
Snowflake = Annotated[
    str,
    Expect("an id such as 123456789012345678"),
    BeforeValidator(_as_text),
    AfterValidator(_snowflake),
]
Name = Annotated[
    str,
    Expect("a name of small letters, digits, _ and -, such as main"),
    Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$"),
]
