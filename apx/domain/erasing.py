"""What shall be forgotten for good, and what is left of records that said it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from apx.domain.event import EventKind
from apx.domain.passage import MARK, Names, Needle
from apx.domain.person import Audience

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

Json = Any

# Names, ids and closed sets: others are found by them, and they say nothing.
_STRUCTURE: Final = frozenset(
    {
        *("key", "keys", "id", "call", "name", "kind", "ref", "retry_of"),
        *("state", "effect", "provenance", "untrusted", "missed", "condenser"),
        *("model", "usage", "role", "origin", "channel", "audience", "thread"),
        *("person", "home", "bot", "user", "message_id", "at", "until", "seqs"),
        *("sha", "ref", "medium", "media_type", "album", "corrected", "account"),
        "prev_compact_ts",
    }
)
_NAMED: Final = frozenset({EventKind.PERSON, EventKind.ACCOUNT})
_TOLD: Final = ("sections", "opening", "standing", "refused")
_ARGUMENTS: Final = "arguments"
_DIGITS: Final = 16
_CURATED: Final = "mem"


@dataclass(frozen=True, slots=True)
class ErasePassage:
    """Whatever says this, in the audiences where the asker may erase.

    With a person, only what is theirs goes where others are heard, too.
    """

    text: str
    audiences: tuple[str, ...]
    person: str = ""

    def may_take(self, audience: str, person: str) -> bool:
        """Whether what a person said to an audience is the asker's to erase."""
        if audience not in self.audiences:
            return False
        return self.person in {"", person} or Audience(audience).is_private

    def needle(self) -> Needle:
        """Give what finds it, and cuts it out."""
        return Needle(self.text)


@dataclass(frozen=True, slots=True)
class EraseNames(ErasePassage):
    """The ids of what is no more, one a line: whole ones, whoever they were told.

    What people wrote into notes stays, as does all else around an id.
    """

    def may_take(self, audience: str, person: str) -> bool:  # noqa: ARG002 -- ids are nobody's words
        """Whether it was told to one of the audiences."""
        return audience in self.audiences

    def needle(self) -> Needle:
        """Give what finds whole ids."""
        return Names(self.text.split("\n"))


@dataclass(frozen=True, slots=True)
class EraseThread:
    """A whole conversation, with the notes that were made in it unless these stay."""

    name: str
    audiences: tuple[str, ...]
    keep_notes: bool = False


@dataclass(frozen=True, slots=True)
class ErasePerson:
    """A person, and all that they said, wherever they said it."""

    key: str


Erasure = ErasePassage | EraseThread | ErasePerson


@dataclass(frozen=True, slots=True)
class Removed:
    """How much was removed where; `left` says to people what could not be.

    `messages` were said by either side, `records` are what turns looked up, called
    and delivered. `lines` are those of memory.md and its like, `files` were removed.
    `memories` are curated ones.
    """

    notes: int = 0
    messages: int = 0
    records: int = 0
    summaries: int = 0
    facts: int = 0
    threads: int = 0
    chunks: int = 0
    vectors: int = 0
    lines: int = 0
    log_lines: int = 0
    history: int = 0
    memories: int = 0
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether there was nothing to remove."""
        counted = (getattr(self, f.name) for f in fields(self) if f.name != "left")
        return not any(counted)


def blank(text: str) -> str:
    """Forget a whole text."""
    return MARK if text.strip() else text


def redacted(
    kind: EventKind, body: Mapping[str, Any], cut: Callable[[str], str]
) -> dict[str, Any] | None:
    """Give an event's body without what `cut` takes out; nothing if that is nothing.

    It is marked as `erased`, so that the same message is known when it comes again.
    """
    kept = _STRUCTURE - {"name"} if kind in _NAMED else _STRUCTURE
    found = {
        name: value if name in kept else _walk(value, cut, kept, name)
        for name, value in body.items()
    }
    if kind is EventKind.RECALL:
        found = _unnamed(found, body, cut)
    key = str(body.get("key", "")) if kind is EventKind.CANDIDATE else ""
    if found == dict(body) and cut(key) == key:
        return None
    if key and not key.startswith(MARK):
        # Equal facts stay equal, and others stay different.
        digest = hashlib.sha256(key.encode()).hexdigest()[:_DIGITS]
        found["key"] = f"{MARK} {digest}"
    if found.get("files"):
        # Nobody knows which of them says it.
        found["files"] = [{**file, "sha": "", "ref": ""} for file in found["files"]]
    if kind is EventKind.STEP:
        # A vendor's own record of what its model thought of the words.
        found["calls"] = [{**call, "signature": ""} for call in found["calls"]]
    return found | {"erased": True}


def _is_curated(memory: Mapping[str, Any]) -> bool:
    return str(memory.get("ref", "")).startswith(f"{_CURATED} ")


def _unnamed(found: Json, was: Json, cut: Callable[[str], str]) -> Json:
    """Leave out the ids of curated memories, which are made of their titles.

    One memory may come by itself.
    """
    if "memories" in found:
        pairs = zip(found["memories"], was["memories"], strict=True)
        return {**found, "memories": [_unnamed(*pair, cut) for pair in pairs]}
    is_cut = found != dict(was) or cut(found.get("ref", "")) != found.get("ref", "")
    return {**found, "ref": _CURATED} if is_cut and _is_curated(found) else found


def emptied(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give the body of a condensation that tells nothing; nothing if it does not."""
    if body.get("erased") and not any(body.get(name) for name in _TOLD):
        return None
    found = {name: type(body[name])() for name in _TOLD if name in body}
    return {**body, **found, "erased": True}


def _walk(
    value: Json, cut: Callable[[str], str], kept: Collection[str], name: str = ""
) -> Json:
    if isinstance(value, str):
        return _without(value, cut, name)
    if isinstance(value, dict):
        return {
            key: one if key in kept else _walk(one, cut, kept, key)
            for key, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_walk(one, cut, kept, name) for one in value]
    return value


def _without(text: str, cut: Callable[[str], str], name: str) -> str:
    """Cut a text; one that is JSON stays JSON."""
    found = _json(text)
    if found is not None:
        less = _deep(found, cut)
        text = text if less == found else json.dumps(less, ensure_ascii=False)
        if cut(text) == text or cut is blank:
            return text
    whole = cut(text)
    return "{}" if whole != text and name == _ARGUMENTS else whole


def _json(text: str) -> Json:
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _deep(value: Json, cut: Callable[[str], str]) -> Json:
    """Cut what is nobody's but a tool's: its names and numbers too."""
    if isinstance(value, str):
        return _without(value, cut, "")
    if isinstance(value, dict):
        return {cut(key): _deep(one, cut) for key, one in value.items()}
    if isinstance(value, list):
        return [_deep(one, cut) for one in value]
    written = json.dumps(value)
    return value if cut(written) == written else MARK
