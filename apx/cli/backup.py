"""`apx backup` and `apx restore`: a home in one file, and back."""

from __future__ import annotations

import getpass
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from apx.domain.errors import ApxError, HomeError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apx.backup.form import About
    from apx.store.backup import Contents

# Another command may hold the home for its short life.
_TRIES: Final = 10
_PAUSE: Final = 0.05

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PassphraseFile = Annotated[
    Path | None,
    typer.Option(help="Take the passphrase from the first line of this file."),
]


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it.")],
    encrypt: Annotated[
        bool, typer.Option("--encrypt", help="Lock it with a passphrase (age).")
    ] = False,
    passphrase_file: PassphraseFile = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a file that is there.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the home into one file, also while it is in use."""
    from apx.backup import making  # noqa: PLC0415 -- `apx --help` needs none of it
    from apx.home import home  # noqa: PLC0415 -- the same

    where, target = home(), file.absolute()
    making.check_target(target, where, force=force)
    is_locked = encrypt or passphrase_file is not None
    word = _new_passphrase(passphrase_file) if is_locked else None
    _finish(where)
    made = making.make(where, target, datetime.now(UTC), word)
    for name in made.left_out:
        print(f"apx: {name} is no file and was left out", file=sys.stderr)
    _tell_of_store(where)
    if as_json:
        told = {"files": made.files, "bytes": made.size, "encrypted": is_locked}
        _print_json(made.about, {"file": str(target), **told})
        return
    files = _many(made.files, "file")
    print(f"{file}: {_facts(made.about)}; {files}, {made.size:,} bytes")
    if is_locked:
        print("Without its passphrase nobody can read it, and that includes you.")
    else:
        print("Whoever gets this file can read all of it; --encrypt locks it.")


def _tell_of_store(where: Path) -> None:
    """Say that a store of curated memories outside of the home is not in a backup."""
    from apx.mem.store import Store, place  # noqa: PLC0415 -- as above

    root = Path(place()).resolve()
    if Store(str(root)).is_there() and not root.is_relative_to(where.resolve()):
        print(
            f"apx: the curated memories are outside of the home, in {root} (MEM_DIR),"
            " and were left out; `apx mem sync` copies them to a remote",
            file=sys.stderr,
        )


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `apx backup` wrote.")],
    passphrase_file: PassphraseFile = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Replace what is in the home, unasked.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put a backup into the home; what was there is kept in its `backups` directory.

    All of the backup is checked before anything is changed.
    """
    from apx.backup import restoring  # noqa: PLC0415 -- as above
    from apx.home import home  # noqa: PLC0415 -- the same

    where = home()
    with (
        _held(where),
        restoring.proven(where, file, lambda: _passphrase(passphrase_file)) as ready,
    ):
        _agree(where, ready.about, yes=yes)
        old = restoring.exchange(where, ready, datetime.now(UTC))
    kept = str(old) if old.exists() else ""
    if as_json:
        _print_json(ready.about, {"home": str(where), "before": kept})
        return
    print(f"{where} is as it was on {_day(ready.about)}: {_facts(ready.about)}")
    if kept:
        print(f"What was there before is in {kept}")


@contextmanager
def _held(where: Path) -> Iterator[None]:
    """Hold the home, and have a restore finished that was interrupted there."""
    from apx.backup import swap  # noqa: PLC0415 -- as above
    from apx.desk import lock  # noqa: PLC0415 -- the same

    for _ in range(_TRIES):
        with lock.held(where, "apx restore") as mine:
            if mine:
                if swap.is_due(where):
                    swap.finish(where)
                yield
                return
        time.sleep(_PAUSE)
    raise HomeError(
        f"{where} is in use by {lock.holder(where)}: end that first, then try again"
    )


def _finish(where: Path) -> None:
    """Finish a restore that was interrupted: half of each is nothing to keep."""
    from apx.backup import swap  # noqa: PLC0415 -- as above

    if swap.is_due(where):
        with _held(where):
            print("apx: an interrupted restore was finished", file=sys.stderr)


def _agree(where: Path, about: About, *, yes: bool) -> None:
    """Ask, unless the home is empty or it was said before."""
    from apx.home import DIRECTORIES, FILES  # noqa: PLC0415 -- as above

    if yes or not any((where / name).exists() for name in (*FILES, *DIRECTORIES)):
        return
    if not sys.stdin.isatty():
        raise InputError(f"{where} is not empty: say --yes to replace what is there")
    print(f"The backup is of {_day(about)}: {_facts(about)}.", file=sys.stderr)
    print(f"The home {where} has {_present(where)}.", file=sys.stderr)
    question = "Replace what is there? It is kept aside. [y/N] "
    print(question, end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise HomeError("nothing was changed")


def _present(where: Path) -> str:
    from apx.store.backup import contents  # noqa: PLC0415 -- as above

    try:
        found = contents(where / "ledger.db")
    except ApxError:
        return "no ledger that can be read"
    return _facts(found)


def _new_passphrase(path: Path | None) -> str:
    word = _passphrase(path)
    if path is None and word != getpass.getpass("The same again: "):
        raise InputError("these were two different passphrases")
    return word


def _passphrase(path: Path | None) -> str:
    """Take a passphrase from a file, or have it typed unseen."""
    if path is None:
        if not sys.stdin.isatty():
            raise InputError(
                "there is no terminal to ask for the passphrase: give --passphrase-file"
            )
        try:
            word = getpass.getpass("Passphrase: ")
        except EOFError:
            word = ""
    else:
        word = _first_line(path)
    if not word.strip():
        raise InputError(f"the passphrase{f' in {path}' if path else ''} is empty")
    return word


def _first_line(path: Path) -> str:
    try:
        with path.open("r", encoding="utf-8-sig", newline="") as file:
            return file.readline().rstrip("\r\n")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: its first line is no UTF-8 text") from error


def _facts(about: About | Contents) -> str:
    return f"{_many(about.turns, 'turn')} and {_many(about.notes, 'note')}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _day(about: About) -> str:
    return f"{about.made_at.astimezone():%Y-%m-%d %H:%M}"


def _print_json(about: About, told: dict[str, object]) -> None:
    from apx.cli.start import print_json  # noqa: PLC0415 -- as above

    counts = {"turns": about.turns, "notes": about.notes}
    print_json({**told, "made_at": about.made_at.isoformat(), **counts})
