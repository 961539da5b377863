"""`apx config`: look at config.json, and change it without breaking it."""

import json
from typing import Annotated, Final

import typer

from apx.domain.errors import ConfigError
from apx.home import home, place

app = typer.Typer(
    name="config",
    help="Look at config.json, and change it without breaking it.",
    no_args_is_help=True,
)

_FILE: Final = "config.json"

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
KeyName = Annotated[
    str, typer.Argument(metavar="KEY", help="A key such as memory.enabled.")
]


@app.command("check")
def check_command(as_json: Json = False) -> None:
    """Say what is wrong with config.json; the exit code is 2 if anything is."""
    from apx.config import check  # noqa: PLC0415 -- a third of what `apx --help` costs

    try:
        verdict = check(place() / _FILE)
        faults, warnings = [*map(str, verdict.faults)], verdict.warnings
    except ConfigError as error:
        faults, warnings = [str(error)], ()
    if as_json:
        found = {"ok": not faults, "errors": faults, "warnings": warnings}
        _print(found)
        raise typer.Exit(2 if faults else 0)
    for warning in warnings:
        typer.echo(warning)
    if faults:
        raise ConfigError("\n".join(faults))
    typer.echo(f"{_FILE}: ok" if (place() / _FILE).exists() else f"{_FILE}: ok, none")


@app.command()
def show(as_json: Json = False) -> None:
    """Print every key with the value that holds; `*` marks those you changed."""
    from apx.config import leaves, load, masked  # noqa: PLC0415 -- a third of what `apx --help` costs

    path = place() / _FILE
    loaded = load(path)
    rows = [(".".join(k.path), k, value) for k, value in leaves(loaded.config)]
    if as_json:
        values = masked(loaded.config.model_dump(mode="json"))
        changed = [name for name, key, value in rows if value != key.default]
        _print({"path": str(path), "values": values, "changed": changed})
        return
    for warning in loaded.warnings:
        typer.echo(warning, err=True)
    for name, key, value in rows:
        line = f"{name} = {_line(masked(value, key.path[-1]))}"
        default = f"    (default {_line(key.default)})"
        typer.echo(f"* {line}{default}" if value != key.default else f"  {line}")


@app.command()
def get(
    key: KeyName,
    as_json: Json = False,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Print credentials as they are.")
    ] = False,
) -> None:
    """Print the value of a key, or of all keys of a section, as JSON."""
    from apx.config import asked, load, masked, value_at  # noqa: PLC0415 -- a third of what `apx --help` costs

    wanted = asked(key)
    value = value_at(load(place() / _FILE).config.model_dump(mode="json"), wanted.path)
    shown = value if reveal else masked(value, wanted.path[-1])
    changed = value != wanted.default
    known = {"key": key, "value": shown, "default": wanted.default, "changed": changed}
    _print(known if as_json else shown)


# A value such as -1m is a value, not an option.
@app.command("set", context_settings={"ignore_unknown_options": True})
def set_command(
    key: KeyName,
    value: Annotated[
        str, typer.Argument(metavar="VALUE", help="JSON, or a text as it is.")
    ],
) -> None:
    """Write a key into config.json, unless that would break it."""
    from apx.config import load, masked, put  # noqa: PLC0415 -- a third of what `apx --help` costs
    from apx.desk import lock  # noqa: PLC0415 -- as above

    path = home() / _FILE
    written = put(path, key, value)
    typer.echo(f"{key} = {_line(masked(written, key.rpartition('.')[2]))}")
    for warning in load(path).warnings:
        if key in warning:
            typer.echo(warning, err=True)
    if lock.is_held(home()):
        held = f"{lock.holder(home())} goes on with what it read: restart it"
        typer.echo(f"apx: {held}", err=True)


@app.command()
def schema() -> None:
    """Print the JSON schema of config.json, for editors and for reading."""
    from apx.config import Config  # noqa: PLC0415 -- a third of what `apx --help` costs

    _print(Config.model_json_schema())


@app.command()
def path() -> None:
    """Print where config.json is, or would be."""
    typer.echo(place() / _FILE)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _print(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
