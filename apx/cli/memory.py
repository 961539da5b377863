"""`apx memory`: what is known, and why it was used."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final
from uuid import uuid4

import typer

from apx.cli import review
from apx.cli.erase import DryRun, Yes, erased, sure
from apx.cli.reindex import estimated, reindexed, told
from apx.cli.start import ask, print_json, waited
from apx.domain.text import excerpt

app = typer.Typer(help="What apx remembers.", no_args_is_help=True)
app.command()(review.review)

_TURNS: Final = 2**62


class Provider(StrEnum):
    """Who can embed."""

    OLLAMA = "ollama"
    LOCAL = "local"
    GEMINI = "gemini"
    OPENAI = "openai"
    TF = "tf"


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[int, typer.Option(min=1, help="How many at most.")]


@app.command()
def status(as_json: AsJson = False) -> None:
    """Say how much is remembered, and how well it can be found."""
    found = ask("apx memory status", "memory_status")
    if as_json:
        print_json(found)
        return
    behind = found["events"] - found["indexed"]
    print(f"{found['notes']} notes, {found['chunks']} chunks, {behind} events to index")
    for space in found["spaces"]:
        is_done = space["done"] + space["refused"] >= space["total"]
        aside = "is kept for a switch back" if is_done else "is not complete"
        use = "serves" if space["is_serving"] else aside
        refused = f", {space['refused']} refused" if space["refused"] else ""
        print(
            f"vectors: {space['identity']} {use},"
            f" {space['done']} of {space['total']}{refused}"
        )
    if not found["spaces"]:
        print("vectors: none yet; `apx run`, `apx chat` or `apx memory reindex` embed")
    may = ", ".join(found["providers"]) or "nobody; recall goes by words alone"
    print(f"may embed, first choice first: {may}")
    if found["last_pass"]:
        print(f"last pass of the indexer: {found['last_pass']}")
    sizes = [f"{name} {_megabytes(size)}" for name, size in found["files"].items()]
    print(f"on disk: {', '.join(sizes)}")
    for name, trouble in found["trouble"].items():
        print(f"⚠ {name}: {trouble}")


@app.command()
def reindex(
    full: Annotated[bool, typer.Option("--full", help="Embed all anew.")] = False,
    provider: Annotated[
        Provider | None, typer.Option(help="Embed with this one.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it would do.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Embed what has no vector yet; a second run does nothing."""
    name = provider.value if provider else ""
    done = waited((estimated if dry_run else reindexed)(full, name))
    if as_json:
        print_json(done)
    else:
        print(told(done, dry=dry_run))
    if done.get("trouble") or not done["identity"]:
        raise typer.Exit(1)


@app.command()
def search(
    words: str,
    limit: Annotated[
        int, typer.Option(min=0, help="How many at most; 0 is memory.rag_top_k.")
    ] = 0,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what speaks for each hit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Search as a turn does: notes and everything that was said."""
    found = ask("apx memory search", "recall", text=words, limit=limit)
    _print(found, as_json=as_json, explain=explain)


@app.command()
def history(
    words: Annotated[str, typer.Argument(metavar="[WORDS]")] = "",
    limit: Limit = 10,
    as_json: AsJson = False,
) -> None:
    """Show old facts beside those that replaced them, the oldest first."""
    found = ask("apx memory history", "recall_history", text=words, limit=limit)
    _print(found, as_json=as_json)


def _print(
    found: list[dict[str, Any]], *, as_json: bool, explain: bool = False
) -> None:
    if as_json:
        print_json(found)
        return
    for hit in found:
        text = excerpt(hit["shown"], 160)
        print(f"• [{hit['at'][:10]}][{hit['channel'] or 'memory.md'}] {text}")
        why = f", score {hit['score']} ({hit['why']})" if explain else ""
        print(f"  {hit['ref']}{why}")
    if not found:
        print("nothing found")


@app.command()
def notes(limit: Limit = 50, as_json: AsJson = False) -> None:
    """List the notes, the newest last."""
    found = ask("apx memory notes", "notes", limit=limit)
    if as_json:
        print_json(found)
        return
    for note in found:
        place = note["channel"] or "memory.md"
        print(f"{note['id']:>6}  [{note['at'][:16]}][{place}] {note['text']}")
    if not found:
        print("no notes yet")


@app.command()
def remember(text: str) -> None:
    """Save a note."""
    note = ask("apx memory remember", "remember", text=text, id=uuid4().hex)
    print(f"saved as note {note['id']}: {note['text']}")


@app.command()
def forget(
    what: Annotated[str, typer.Argument(metavar="ID|TEXT")],
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="A word that may stand anywhere, too.")
    ] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Erase a note and what says the same, or a text, from every file."""
    if everywhere:
        sure(f"{what!r} wherever it stands", yes=yes, dry_run=dry_run)
    erased(
        "apx memory forget",
        "forget",
        what=what,
        everywhere=everywhere,
        dry_run=dry_run,
        as_json=as_json,
    )


@app.command()
def share(what: Annotated[str, typer.Argument(metavar="ID|WORDS")]) -> None:
    """Let everybody who may talk to apx know a note of yours."""
    note = ask("apx memory share", "share", what=what)
    print(f"everybody may know note {note['id']} now: {note['text']}")


@app.command()
def why(
    turn: Annotated[int, typer.Argument(metavar="[TURN]", min=0, max=_TURNS)] = 0,
    thread: Annotated[str, typer.Option(help="The newest of this one.")] = "",
    as_json: AsJson = False,
) -> None:
    """Explain what memory brought to an answer; without a number, to the newest."""
    found = ask("apx memory why", "why", turn=turn, thread=thread)
    if as_json:
        found.pop("told")
        print_json(found)
        return
    print(found["told"])


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
