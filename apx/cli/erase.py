"""What the commands that erase have in common."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from apx.cli.start import ask, print_json
from apx.domain.errors import InputError

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only say what it would erase.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask whether it is meant.")]


def erased(command: str, call: str, *, as_json: bool, **args: Any) -> None:  # noqa: ANN401 -- JSON
    """Have the owner of the home erase something, and print what was removed."""
    found = ask(command, call, **args)
    said = found.pop("told")
    if as_json:
        print_json(found)
    else:
        print(said)


def sure(what: str, *, yes: bool, dry_run: bool) -> None:
    """Ask whether a large thing is meant; without a person there it has to be said."""
    if yes or dry_run:
        return
    if not sys.stdin.isatty():
        raise InputError(f"say --yes to erase {what}, or --dry-run to see what it is")
    typer.confirm(f"Erase {what}? It cannot be taken back.", abort=True)
