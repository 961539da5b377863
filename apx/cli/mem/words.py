"""The words behind `apx mem`: what a command takes, what was given to it."""

from __future__ import annotations

import os

from apx.mem.faults import wrong

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from apx.mem.faults import MemFault

END: Final = "--"  # what stands behind it is no flag, whatever it looks like
_PATHS: Final = ("PATH", "PATH...")  # names of files are whatever bytes they are


class Flag:
    """A flag: what it takes, which is nothing if it is a switch, and what it does."""

    __slots__ = ("about", "is_many", "name", "value")

    def __init__(
        self, name: str, value: str, about: str, *, is_many: bool = False
    ) -> None:
        self.name = name
        self.value = value
        self.about = about
        self.is_many = is_many

    @property
    def choices(self) -> list[str]:
        """Give the words that it takes; none if any will do."""
        return self.value.split("|") if "|" in self.value else []


class Command:
    """A command: its places and flags, who serves it, and what one types."""

    __slots__ = (
        "about",
        "examples",
        "flags",
        "least",
        "most",
        "name",
        "places",
        "room",
    )

    def __init__(
        self,
        name: str,
        room: str,
        about: str,
        places: str = "",
        flags: Sequence[Flag] = (),
        examples: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.room = room
        self.about = about
        self.places = places
        self.flags = (*flags, *EVERYWHERE)
        self.examples = examples
        words = places.split()
        self.least = sum(not word.startswith("[") for word in words)
        # No end to them if the last may be repeated.
        self.most = None if places.rstrip("]").endswith("...") else len(words)

    @property
    def usage(self) -> str:
        """Give what one types, in short."""
        words = ("apx mem", self.name, self.places, "[flags]")
        return " ".join(filter(None, words))

    def flag(self, name: str) -> Flag | None:
        """Give a flag by its name."""
        return next((flag for flag in self.flags if flag.name == name), None)


EVERYWHERE: Final = (
    Flag("--format", "toon|json|md", "how the answer is written; toon"),
    Flag("--json", "", "the same as --format json"),
    Flag("--help", "", "what the command does and takes"),
)


class Words:
    """What was given to a command."""

    __slots__ = ("command", "given", "places")

    def __init__(
        self, command: Command, places: list[str], given: dict[str, list[str]]
    ) -> None:
        self.command = command
        self.places = places
        self.given = given

    def has(self, name: str) -> bool:
        """Whether a flag was given."""
        return name in self.given

    def text(self, name: str) -> str | None:
        """Give what a flag was given; None if it was not."""
        return self.given[name][-1] if name in self.given else None

    def many(self, name: str) -> list[str]:
        """Give all that a flag was given."""
        return self.given.get(name, [])

    def whole(self, name: str, default: int, least: int = 1) -> int:
        """Give a flag's whole number."""
        text = self.text(name)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit()) or int(text[:9]) < least:
            raise wrong(f"{name}: {text!r} is no whole number from {least} on")
        return int(text[:9])

    def number(self, name: str, default: float) -> float:
        """Give a flag's number, 0 to 1."""
        text = self.text(name)
        if text is None:
            return default
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise wrong(f"{name}: {text!r} is no number from 0 to 1")
        return value


def parsed(command: Command, words: Sequence[str]) -> Words:
    """Tell flags from places; what the command does not know is refused."""
    places: list[str] = []
    given: dict[str, list[str]] = {}
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word == END:
            places += waiting
            break
        if not word.startswith("-") or word == "-":
            places.append(word)
            continue
        flag, value = _flag(command, word, waiting)
        if flag.name in given and not flag.is_many:
            raise wrong(f"{flag.name} was given twice", _help(command))
        given.setdefault(flag.name, []).append(value)
    if command.places not in _PATHS:
        places = [_typed(place) for place in places]
    found = Words(command, places, given)
    if not found.has("--help"):
        _check_places(found)
    return found


def nearest(word: str, known: Sequence[str]) -> str:
    """Give the known word that was probably meant; empty if none looks like it."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only a mistake needs it

    # Of a long word, its beginning tells what was meant.
    return next(iter(get_close_matches(word[:40], known, 1, 0.5)), "")


def _flag(command: Command, word: str, waiting: list[str]) -> tuple[Flag, str]:
    name, equals, value = word.partition("=")
    name = "--help" if name == "-h" else name
    flag = command.flag(name)
    if flag is None:
        raise _unknown(command, name)
    if not flag.value:
        if equals:
            raise wrong(f"{name} takes no value", _help(command))
        return flag, ""
    if not equals:
        if not waiting or waiting[0].startswith("--"):
            hints = [f"{name}=VALUE, if it begins with --"] if waiting else []
            raise wrong(f"{name}: a value is missing", *hints, _help(command))
        value = waiting.pop(0)
    if flag.choices and value not in flag.choices:
        meant = nearest(value, flag.choices)
        hints = [f"{name} {meant}"] if meant else []
        raise wrong(f"{name}: {value!r} is none of {flag.value}", *hints)
    return flag, value if flag.value in _PATHS else _typed(value)


def _typed(word: str) -> str:
    """Give a word as it was typed, also where the locale has no such letters."""
    try:
        word.encode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(word).decode()
        except UnicodeError:
            # No text in any locale: nothing is found by it, and nothing saved.
            return word
    return word


def _unknown(command: Command, name: str) -> MemFault:
    meant = nearest(name, [flag.name for flag in command.flags])
    hints = [f"apx mem {command.name} {meant} ..."] if meant else []
    called = f"apx mem {command.name}".strip()
    return wrong(
        f"{name} is no flag of `{called}`",
        *hints,
        f"{called} -- {name} ..., if it is no flag",
        _help(command),
    )


def _check_places(words: Words) -> None:
    command = words.command
    if len(words.places) < command.least:
        raise wrong(f"{command.name}: {command.places} is missing", command.usage)
    if command.most is not None and len(words.places) > command.most:
        extra = words.places[command.most]
        raise wrong(f"{command.name}: {extra!r} is one word too many", command.usage)


def _help(command: Command) -> str:
    return f"apx mem help {command.name}".strip()
