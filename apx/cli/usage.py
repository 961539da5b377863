"""`apx usage`: what models and embedders were asked, for whom, and what that cost."""

from __future__ import annotations

from typing import Annotated

import typer

from apx.cli.start import ask, print_json


def usage(
    days: Annotated[int, typer.Option(min=1, max=3650, help="Of so many days.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what was spent: by purpose, model and person, with the cached share."""
    found = ask("apx usage", "usage", days=days)
    if as_json:
        print_json(found["rows"])
    else:
        print(found["told"])
