"""The labelled sections of a summary, as they are written and as models write them."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from apx.domain.fences import fences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Section(StrEnum):
    """What a summary tells apart, in the order in which it is told."""

    USER_CONTEXT = "USER_CONTEXT"
    TASK_TRACKING = "TASK_TRACKING"
    COMPLETED = "COMPLETED"
    PENDING = "PENDING"
    CURRENT_STATE = "CURRENT_STATE"
    CODE_STATE = "CODE_STATE"
    TESTS = "TESTS"
    CHANGES = "CHANGES"
    DEPS = "DEPS"
    VERSION_CONTROL_STATUS = "VERSION_CONTROL_STATUS"


_NAMES: Final = "|".join(section.replace("_", r"(?:[ _-]|\\_)?") for section in Section)
_BY_NAME: Final = {section.lower().replace("_", ""): section for section in Section}
# Such as "## USER_CONTEXT", "**User context:** text", "[USER_CONTEXT]",
# "1. USER CONTEXT -", "<USER_CONTEXT>". A star with a space behind it is a bullet, and
# a bullet is no label.
_LABEL: Final = re.compile(
    r" {0,3}(?P<opening>(?:#{1,6} {0,3}|\d{1,2}[.)] {1,3}|\*{2,3}|__|[\[<\u3010]){0,4})"
    rf"(?P<name>(?ai:{_NAMES}))(?!_{{0,2}}[^\W_]|-\w)"
    r"(?P<closing>[\]>*_\u3011 \t]{0,8})"
    r"(?P<sign>[:\uff1a]|[-\u2013\u2014](?=\s|$))?"
    r"(?P<after>[*_]{0,3})(?P<rest>.*)"
)
_END_TAG: Final = re.compile(rf"</ ?(?ai:{_NAMES}) ?>")
_FENCE: Final = re.compile(r" {0,3}(?:`{3,}+(?!.*`)|~{3,})")
_MARKS: Final = frozenset("#*_[<\u3010")


def sections_of(text: str) -> dict[Section, str]:
    """Read the sections of a summary, however a model has marked their labels.

    What stands before the first label is dropped; an unknown label is text of the
    section before it; a label that comes again adds to its section.
    """
    lines = _unwrapped(text.replace("\r\n", "\n").split("\n"))
    coded = _coded(lines)
    found: dict[Section, list[str]] = {}
    body: list[str] = []  # of no section, until there is a label
    for number, line in enumerate(lines):
        label = None if number in coded else _label(line)
        if label is None:
            body.append(line if number in coded else _END_TAG.sub("", line))
        else:
            body = found.setdefault(label[0], [])
            body += filter(None, [label[1]])
    read = {section: "\n".join(found.get(section, ())).strip() for section in Section}
    return {section: body for section, body in read.items() if body}


def written(sections: Mapping[Section, str]) -> str:
    """Write sections in their order, each below its label; empty ones are left out."""
    return "\n\n".join(
        f"{section}:\n{sections[section].strip()}"
        for section in Section
        if sections.get(section, "").strip()
    )


def names_section(line: str) -> bool:
    """Whether a line is the label of a section."""
    return _label(line) is not None


def _label(line: str) -> tuple[Section, str] | None:
    """Give the section that a line begins, and what it says behind the label."""
    match = _LABEL.fullmatch(line)
    if match is None:
        return None
    name, rest = match["name"], match["rest"].strip()
    marks = _MARKS.intersection(match["opening"])
    is_tag = "<" in marks and ">" in match["closing"]
    if rest and not (match["sign"] or is_tag):
        return None  # "TESTS pass", "[PENDING] call Ana"
    if not marks and name != name.upper() and (rest or not match["sign"]):
        return None  # "Pending: the thing" is a sentence of somebody
    section = _BY_NAME[re.sub(r"[ _\\-]", "", name).lower()]
    return section, _END_TAG.sub("", rest).strip()


def _unwrapped(lines: Sequence[str]) -> Sequence[str]:
    """Take off a fence that was put around everything."""
    first = next((n for n, line in enumerate(lines) if _label(line)), 0)
    marks = [n for n, line in enumerate(lines) if _FENCE.match(line)]
    before = [n for n in marks if n < first]
    if len(before) % 2 == 0:
        return lines
    # An odd mark too many: the model stopped before it closed the outer one.
    is_closed = len(marks) % 2 == 0
    return lines[before[-1] + 1 : marks[-1] if is_closed else None]


def _coded(lines: Sequence[str]) -> set[int]:
    """Give the numbers of the lines inside fences, where nothing is a label."""
    return {
        number
        for first, behind in fences(lines).items()
        for number in range(first, behind)
    }
