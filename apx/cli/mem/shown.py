"""The text of an answer: TOON for programs, JSON for others, Markdown for people."""

from __future__ import annotations

from apx.mem import toon

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from apx.mem.deeds import Done
    from apx.mem.faults import MemFault
    from apx.mem.toon import Json

FORMATS: Final = ("toon", "json", "md")


class Told:
    """What a command has to say, and how the process ends.

    `lines` names the one list of texts that the answer is, a line each. `page` is for
    people instead of what would be made of the data. What is `quiet` says nothing.
    """

    __slots__ = ("code", "data", "is_quiet", "lines", "page")

    def __init__(
        self,
        data: Mapping[str, Json],
        *,
        code: int = 0,
        lines: str = "",
        page: str = "",
        is_quiet: bool = False,
    ) -> None:
        self.data = data
        self.code = code
        self.lines = lines
        self.page = page
        self.is_quiet = is_quiet


def failure(fault: MemFault) -> Told:
    """Tell what went wrong, as data like any other."""
    data: dict[str, Json] = {"error": str(fault), "code": fault.code}
    if fault.hints:
        data["help"] = list(fault.hints)
    return Told(data, code=fault.status)


def done(deed: Done, *hints: str) -> Told:
    """Tell what a write did."""
    data: dict[str, Json] = {
        "outcome": deed.outcome,
        "id": deed.id,
        "version": deed.version,
        "said": deed.said,
    }
    if hints:
        data["help"] = list(hints)
    return Told(data)


def every(deeds: Sequence[Done], *hints: str) -> Told:
    """Tell of several; of one, as if it had been asked for alone."""
    if len(deeds) == 1:
        return done(deeds[0], *hints)
    table: list[Json] = [{"id": each.id, "outcome": each.outcome} for each in deeds]
    return Told({"count": f"{len(deeds)} done", "mem": table, "help": list(hints)})


def text(told: Told, form: str) -> str:
    """Write an answer in one of `FORMATS`."""
    if told.is_quiet:
        return ""
    if form == "json":
        from json import dumps  # noqa: PLC0415 -- the other forms do without

        return f"{_whole(dumps(told.data, ensure_ascii=False, indent=2))}\n"
    if form == "md":
        return f"{_whole(told.page or _page(told.data, told.lines))}\n"
    if told.lines:
        said = told.data[told.lines]
        texts = said if isinstance(said, list) else []
        return f"{toon.listed(told.lines, texts)}\n"
    return f"{toon.encode(told.data)}\n"


def _whole(text: str) -> str:
    """Leave no half of a character, as no stream takes it."""
    return text.encode("utf-8", "replace").decode()


def _page(data: Mapping[str, Json], lines: str = "") -> str:
    """Make a page for people: facts, tables, the body, what to do next."""
    parts: list[str] = []
    facts: list[str] = []
    for key, value in data.items():
        if key in ("body", "help"):
            continue
        if key == lines and isinstance(value, list | tuple):
            parts.append("\n".join(f"- {_cell(each)}" for each in value) or "none")
        elif rows := _rows(value):
            parts += [_table(rows)] if "body" not in rows[0] else map(_page, rows)
        elif isinstance(value, dict):
            parts.append(_table([{key: k, "": v} for k, v in value.items()]))
        else:
            facts.append(f"- **{key}**: {_cell(value)}")
    body = data.get("body")
    if isinstance(body, str) and body:
        parts.append(_printable(body).rstrip())
    hints = data.get("help")
    if isinstance(hints, list | tuple) and hints:
        parts.append("\n".join(["Next:", *(f"- {_cell(hint)}" for hint in hints)]))
    return "\n\n".join(["\n".join(facts), *parts]).strip()


def _rows(value: Json) -> list[Mapping[str, Json]]:
    many = value if isinstance(value, list | tuple) else []
    return [each for each in many if isinstance(each, dict)]


def _table(rows: Sequence[Mapping[str, Json]]) -> str:
    names = list({name: None for row in rows for name in row})
    lines = [names, ["---"] * len(names)]
    lines += [[_cell(row.get(name)) for name in names] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Json) -> str:
    """Put a value on one line, so that a table stays one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_cell(each)}" for key, each in value.items())
    flat = " ".join(_printable(str(value)).split())
    return flat.replace("\\", "\\\\").replace("|", "\\|")


def _printable(text: str) -> str:
    from apx.domain.text import clean  # noqa: PLC0415 -- the other forms do without

    return clean(text)
