"""`apx status` and `apx doctor`: what runs, and what to mend."""

from __future__ import annotations

from typing import Annotated

import typer

from apx.cli.start import ask, print_json, waited


def status(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what runs, and what is degraded and why."""
    found = ask("apx status", "status")
    told = found.pop("told")
    if as_json:
        print_json(found)
    else:
        print(told)


def doctor() -> None:
    """Check the home, config.json and each model; say which key to mend."""
    from apx.cli.checkup import checkup  # noqa: PLC0415 -- `apx --help` needs none of it

    if not waited(checkup()):
        raise typer.Exit(1)
