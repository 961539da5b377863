"""The help of `apx mem`: made of the table that reads the words."""

from __future__ import annotations

from apx.cli.mem.rows import KNOWN
from apx.cli.mem.shown import Told
from apx.cli.mem.table import COMMANDS, HOME
from apx.cli.mem.words import nearest
from apx.mem.faults import wrong

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from apx.cli.mem.words import Command, Words
    from apx.mem.toon import Json


def guide(words: Words) -> Told:
    """Explain a command, or name all of them."""
    if not words.places:
        return explained(HOME)
    name = words.places[0]
    if name == "fields":
        return Told({"fields": list(KNOWN)})
    if name not in COMMANDS:
        meant = nearest(name, list(COMMANDS))
        hints = [f"apx mem help {meant}"] if meant else []
        raise wrong(f"no command is called {name!r}", *hints, "apx mem help")
    return explained(COMMANDS[name])


def explained(command: Command) -> Told:
    """Explain a command; the home view stands for all."""
    if command is HOME:
        return _overview()
    data: dict[str, Json] = {
        "command": command.name,
        "about": command.about,
        "usage": command.usage,
        "flags": [_flag(flag.name, flag.value, flag.about) for flag in command.flags],
    }
    if command.examples:
        data["examples"] = list(command.examples)
    return Told(data)


def _overview() -> Told:
    return Told(
        {
            "about": "typed memories as Markdown files in a git repository",
            "usage": "apx mem [COMMAND] [flags]",
            "commands": [
                {"command": each.name, "about": each.about}
                for each in COMMANDS.values()
            ],
            "help": ["apx mem help COMMAND", "apx mem, for what there is"],
        }
    )


def _flag(name: str, value: str, about: str) -> Json:
    return {"flag": f"{name} {value}".strip(), "about": about}
