"""`apx memory review`: a person says which facts become notes."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from apx.cli.start import ask, print_json

_EVERY: Final = "all"
_BY_OTHERS: Final = "may be others' words"
_COMMAND: Final = "apx memory review"
_LISTED: Final = 10_000

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def review(
    accept: Annotated[
        list[str] | None, typer.Option(metavar="ID|all", help="Keep it as a note.")
    ] = None,
    reject: Annotated[
        list[str] | None, typer.Option(metavar="ID|all", help="Never ask again.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the facts that condensing found, or say which of them become notes."""
    keep, drop = accept or [], reject or []
    if not keep and not drop:
        _list(as_json=as_json)
        return
    done = _done(keep, drop)
    if as_json:
        print_json(done)
        return
    for note in done["kept"]:
        print(f"saved as note {note['id']}: {note['text']}")
    for candidate in done["dropped"]:
        print(f"rejected {candidate['id']}: {candidate['text']}")
    left = _left() if _EVERY in keep else 0
    if left:
        print(f"{left} left, as they {_BY_OTHERS}: accept them by number")
    if not done["kept"] and not done["dropped"] and not left:
        print("nothing to review")


def _done(keep: list[str], drop: list[str]) -> dict[str, list[dict[str, Any]]]:
    if set(keep) & set(drop):
        raise typer.BadParameter("accept and reject name the same candidates")
    calls = [("kept", "candidate_accept", keep), ("dropped", "candidate_reject", drop)]
    # `all` means what the numbers beside it left.
    calls.sort(key=lambda call: _EVERY in call[2])
    done: dict[str, list[dict[str, Any]]] = {"kept": [], "dropped": []}
    for name, call, what in calls:
        if what:
            done[name] = ask(_COMMAND, call, what=what)
    return done


def _left() -> int:
    found = ask(_COMMAND, "candidates", limit=_LISTED)
    return sum(candidate["suggested"] for candidate in found)


def _list(*, as_json: bool) -> None:
    found = ask(_COMMAND, "candidates", limit=_LISTED)
    if as_json:
        print_json(found)
        return
    for candidate in found:
        place = f"{candidate['at'][:10]}, {candidate['channel']}"
        place += f", {_BY_OTHERS}" if candidate["suggested"] else ""
        print(f"{candidate['id']:>6}  {candidate['text']} ({place})")
    print("keep them with --accept ID|all" if found else "nothing to review")
