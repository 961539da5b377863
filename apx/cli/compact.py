"""`apx compact`: a long conversation, condensed by hand."""

from __future__ import annotations

import shutil
import sys
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from apx.cli.start import ask, print_json
from apx.domain.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_NARROWEST: Final = 20
_GAP: Final = " | "


def compact(
    thread: Annotated[str, typer.Argument(help="Such as terminal:main, or main.")],
    keep: Annotated[str, typer.Option(help="What to keep above all.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the record, write nothing.")
    ] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take the newest condensation back.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Condense a conversation: a record takes the place of its older messages."""
    if undo and (dry_run or keep):
        raise InputError("--undo takes neither --dry-run nor --keep")
    found = _asked(thread, keep, dry_run=dry_run, undo=undo)
    if as_json:
        print_json({key: value for key, value in found.items() if key != "told"})
        _judge(found)
        return
    if dry_run and found["summary"]:
        print("\n".join(side_by_side(_replaced(found), found["summary"], _width())))
        print()
    print(found["told"])
    _judge(found)


def _judge(found: dict[str, Any]) -> None:
    """Fail where models were asked and none condensed."""
    if found.get("refused") and (found["degraded"] or not found["summary"]):
        raise typer.Exit(1)


def _asked(thread: str, keep: str, *, dry_run: bool, undo: bool) -> dict[str, Any]:
    if undo:
        undone: dict[str, Any] = ask("apx compact", "compact_undo", thread=thread)
        return undone
    call = "compact_draft" if dry_run else "compact"
    print("apx: a model may be asked for a record; Ctrl-C stops that", file=sys.stderr)
    found: dict[str, Any] = ask("apx compact", call, thread=thread, keep=keep)
    return found


def _replaced(found: dict[str, Any]) -> str:
    return "\n\n".join(f"{m['role']}: {m['text']}" for m in found["replaces"])


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def side_by_side(left: str, right: str, width: int) -> Iterator[str]:
    """Print two texts beside each other, what is replaced on the left."""
    column = max((width - len(_GAP)) // 2, _NARROWEST)
    for one, other in zip_longest(_lines(left, column), _lines(right, column)):
        yield f"{one or '':<{column}}{_GAP}{other or ''}".rstrip()


def _lines(text: str, width: int) -> list[str]:
    return [part for line in text.splitlines() for part in wrap(line, width) or [""]]
