"""The hooks through which a coding agent has these memories with each prompt."""

from __future__ import annotations

import os
import sys

from apx.cli.mem import agents
from apx.cli.mem.shown import Told

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from apx.cli.mem.words import Words
    from apx.mem.toon import Json

_PATIENCE: Final = 2.0  # seconds; an agent that says nothing by then says nothing
_MOST: Final = 1_000_000
_PIECE: Final = 65_536
_WORDS: Final = 32  # of a prompt; more only find more of the same
_SHORT: Final = 2


def hooks(words: Words) -> Told:
    """Print the hooks for an agent, ready to be copied."""
    name = words.places[0] if words.places else "generic"
    agent = agents.agent(name)
    command = f"{_elsewhere()}{_command()}"
    start, prompt_, end = (f"{command} {hook}" for hook in agents.HOOKS)
    data: dict[str, Json] = {
        "agent": name,
        "start": start,
        "prompt": prompt_,
        "end": end,
    }
    page = [f"# Memories for {name}"]
    if agent.path:
        content = agent.content(command)
        data |= {"file": agent.path, "content": content}
        fence = f"```{agent.language}\n{content}```"
        page += [f"In `{agent.path}`, beside what is there:", fence]
    else:
        said = ("At the start of a session:", "With each prompt:", "At the end:")
        for when, what in zip(said, (start, prompt_, end), strict=True):
            page += [when, f"```sh\n{what}\n```"]
    page += [f"- {hint}" for hint in agent.hints]
    data["help"] = list(agent.hints)
    return Told(data, page="\n\n".join(page))


def prompt() -> str:
    """Give the words that matter of the prompt in the JSON on stdin.

    What is no such JSON, or does not come in time, has none.
    """
    from json import loads  # noqa: PLC0415 -- only hooks pipe a prompt in

    from apx.domain.text import content_terms  # noqa: PLC0415 -- as above

    try:
        given = loads(_piped())
    except ValueError:
        return ""
    text = given.get("prompt") if isinstance(given, dict) else None
    if not isinstance(text, str):
        return ""
    # Hints at words are no words; two Latin letters are in nearly everything.
    terms = dict.fromkeys(
        term
        for term in content_terms(text.replace('"', " "))
        if term[0] != "~" and (len(term) > _SHORT or not term.isascii())
    )
    return " ".join(list(terms)[:_WORDS])


def _piped() -> bytes:
    """Read stdin to its end, but not for long."""
    from select import select  # noqa: PLC0415 -- only hooks pipe a prompt in
    from time import monotonic  # noqa: PLC0415 -- as above

    if sys.stdin.isatty():
        return b""
    found, until = b"", monotonic() + _PATIENCE
    handle = sys.stdin.fileno()
    while len(found) < _MOST:
        if not select([handle], [], [], max(0.0, until - monotonic()))[0]:
            break
        piece = os.read(handle, _PIECE)
        if not piece:
            break
        found += piece
    return found


def _elsewhere() -> str:
    """Say where the store is, if it is not where it would be looked for."""
    from shlex import quote  # noqa: PLC0415 -- only this command prints it

    place = os.environ.get("MEM_DIR")
    return f"env MEM_DIR={quote(os.path.abspath(place))} " if place else ""  # noqa: PTH100 -- as below


def _command() -> str:
    """Give the words that start this very program in a shell."""
    from shlex import quote  # noqa: PLC0415 -- only this command prints them
    from shutil import which  # noqa: PLC0415 -- as above

    if which("apx"):
        return "apx mem"
    script = os.path.abspath(sys.argv[0])  # noqa: PTH100 -- pathlib takes long to load
    if os.path.basename(script) == "apx" and os.access(script, os.X_OK):  # noqa: PTH119 -- as above
        return f"{quote(script)} mem"
    return f"{quote(sys.executable)} -m apx mem"
