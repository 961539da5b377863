"""The `apx` command."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from apx import __version__
from apx.cli import (
    backup,
    chat,
    compact,
    config,
    mem,
    memory,
    people,
    run,
    status,
    threads,
    usage,
)
from apx.domain.errors import ApxError, ConfigError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


def _mem() -> None:
    """Curated memories, as Markdown files in git."""


app = typer.Typer(
    help="A chat assistant with one memory behind Telegram, Discord and the terminal.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("chat")(chat.chat)
app.command("exec")(chat.execute)
app.command("run")(run.run)
app.command("status")(status.status)
app.command("doctor")(status.doctor)
app.command("usage")(usage.usage)
app.command("compact")(compact.compact)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
# Only so that `apx --help` names it: `main` hands its words over as they are.
app.command("mem")(_mem)
app.add_typer(config.app, name="config")
app.add_typer(threads.app, name="threads")
app.add_typer(memory.app, name="memory")
app.add_typer(people.app, name="people")


@app.callback(invoke_without_command=True)
def _apx(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.")
    ] = False,
) -> None:
    if version:
        typer.echo(f"apx {__version__}")
        raise typer.Exit


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 0 is well, 1 is a failure, 2 is a mistake in the input."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] == ["mem"]:
        return mem.main(words[1:])
    # Whatever the person's umask is: what is said to apx is nobody else's business.
    os.umask(0o077)
    try:
        app(words, prog_name="apx")
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 1
    except ApxError as error:
        print(f"apx: {error}", file=sys.stderr)
        return 2 if isinstance(error, ConfigError | InputError) else 1
    except KeyboardInterrupt:
        return 130
    return 0
