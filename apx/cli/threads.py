"""`apx threads`: what was said, where."""

from __future__ import annotations

from typing import Annotated

import typer

from apx.cli.erase import DryRun, Yes, erased, sure
from apx.cli.start import ask, print_json
from apx.domain.errors import StoreError
from apx.domain.text import excerpt

app = typer.Typer(help="The conversations in the ledger.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[int, typer.Option(min=1, help="How many at most.")]


@app.command("list")
def list_threads(limit: Limit = 50, as_json: AsJson = False) -> None:
    """List the conversations, the newest first."""
    found = ask("apx threads list", "threads", limit=limit)
    if as_json:
        print_json(found)
        return
    for thread in found:
        said = excerpt(thread["request"], 60)
        print(f"{thread['last']}  {thread['thread']}  {thread['turns']} turns  {said}")


@app.command()
def show(
    thread: str,
    limit: Limit = 20,
    view: Annotated[
        bool, typer.Option("--view", help="Show what the model sees of it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the newest turns of a conversation."""
    if view:
        _show_view(thread, as_json=as_json)
        return
    found = ask("apx threads show", "transcript", thread=thread, limit=limit)
    if as_json:
        print_json(found)
        return
    for turn in found:
        print(f"[{turn['at']}] turn {turn['turn']} ({turn['state']})")
        print(f"  > {turn['request']}")
        if answer := turn["final"] or turn["partial"] or turn["error"]:
            print(f"  {answer}")


def _show_view(thread: str, *, as_json: bool) -> None:
    seen = ask("apx threads show", "view", thread=thread)
    if as_json:
        print_json(seen)
        return
    for message in seen:
        calls = f" calls {', '.join(message['calls'])}" if message["calls"] else ""
        print(f"[{message['role']}]{calls}\n{message['text']}\n")


@app.command()
def search(
    words: str,
    thread: Annotated[str, typer.Option(help="In this conversation only.")] = "",
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Find messages that contain exactly these words, whatever case and accents."""
    found = ask(
        "apx threads search", "search_threads", text=words, thread=thread, limit=limit
    )
    if as_json:
        print_json(found)
        return
    for said in found:
        text = excerpt(said["text"], 100)
        where = f"{said['at']}  {said['thread']}  turn {said['turn']}"
        print(f"{where}  {said['field']}: {text}")
    if not found:
        print("nothing found")


@app.command()
def erase(
    thread: str,
    keep_notes: Annotated[
        bool, typer.Option("--keep-notes", help="Keep the notes that were made in it.")
    ] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Erase a conversation for good: from every file, with its notes."""
    sure(thread, yes=yes, dry_run=dry_run)
    erased(
        "apx threads erase",
        "erase_thread",
        thread=thread,
        keep_notes=keep_notes,
        dry_run=dry_run,
        as_json=as_json,
    )


@app.command()
def verify() -> None:
    """Prove that the ledger is whole: the tables say what the log says."""
    wrong = ask("apx threads verify", "check_ledger")
    if wrong:
        raise StoreError("ledger.db: " + "; ".join(wrong) + "; restore a backup")
    print("ledger.db: ok")
