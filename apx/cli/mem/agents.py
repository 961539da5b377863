"""What the hooks of coding agents look like in their own files."""

from __future__ import annotations

from apx.mem.faults import wrong

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

# What holds always; what fits a prompt; what others wrote and what was written here.
HOOKS: Final = (
    "list --hook --type constraint --limit 10",
    "search --hook --limit 5",
    "sync --hook --timeout 20",
)
_SECONDS: Final = 10
_STDIN: Final = 'the hook of each prompt reads {"prompt": "..."} from stdin'


class Agent:
    """An agent: the file that holds its hooks, and what else there is to do."""

    __slots__ = ("content", "hints", "language", "path")

    def __init__(
        self,
        path: str,
        language: str,
        content: Callable[[str], str],
        hints: tuple[str, ...],
    ) -> None:
        self.path = path
        self.language = language
        self.content = content
        self.hints = hints


def agent(name: str) -> Agent:
    """Give an agent by its name."""
    if name not in _AGENTS:
        from apx.cli.mem.words import nearest  # noqa: PLC0415 -- only a mistake needs it

        meant = nearest(name, list(_AGENTS))
        hints = [f"apx mem hooks {meant}"] if meant else []
        raise wrong(
            f"no agent is called {name!r}", *hints, f"one of {', '.join(_AGENTS)}"
        )
    return _AGENTS[name]


def _json(command: str, end: str) -> str:
    """Give the hooks as Claude Code and Codex read them."""
    from json import dumps  # noqa: PLC0415 -- only this command prints it

    start, prompt, sync = (f"{command} {hook}" for hook in HOOKS)
    # The network may take longer than an agent that ends waits.
    aside = f"nohup {sync} </dev/null >/dev/null 2>&1 &"
    events = {"SessionStart": start, "UserPromptSubmit": prompt, end: aside}
    hooks = {
        event: [{"hooks": [{"type": "command", "command": what, "timeout": _SECONDS}]}]
        for event, what in events.items()
    }
    return f"{dumps({'hooks': hooks}, ensure_ascii=False, indent=2)}\n"


def _claude(command: str) -> str:
    return _json(command, "SessionEnd")


def _codex(command: str) -> str:
    # It has no end of a session; a turn's end comes often, and is aside as well.
    return _json(command, "Stop")


def _opencode(command: str) -> str:
    from json import dumps  # noqa: PLC0415 -- only this command prints it

    start, prompt, sync = (dumps(f"{command} {hook}") for hook in HOOKS)
    return (
        _PLUGIN.replace("START", start).replace("PROMPT", prompt).replace("SYNC", sync)
    )


_PLUGIN: Final = """\
import { spawn } from "node:child_process"

const run = (command, given = "") =>
  new Promise((done) => {
    const child = spawn("sh", ["-c", command], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: 10000,
    })
    let said = ""
    child.stdout.on("data", (piece) => (said += piece))
    child.stdin.on("error", () => {})
    child.on("error", () => done(""))
    child.on("close", () => done(said.trim()))
    child.stdin.end(given)
  })

const aside = (command) => {
  const child = spawn("sh", ["-c", command], { stdio: "ignore", detached: true })
  child.on("error", () => {})
  child.unref()
}

export const ApxMem = async () => {
  const rules = new Map()
  const fitting = new Map()
  let synced = 0
  return {
    "chat.message": async ({ sessionID }, { parts }) => {
      const texts = parts.map((part) => (part.type === "text" ? part.text : ""))
      const prompt = JSON.stringify({ prompt: texts.join("\\n") })
      if (!rules.has(sessionID)) rules.set(sessionID, await run(START))
      fitting.set(sessionID, await run(PROMPT, prompt))
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const texts = [rules.get(sessionID), fitting.get(sessionID)]
      system.push(...texts.filter(Boolean))
    },
    event: async ({ event }) => {
      if (event.type !== "session.idle" || Date.now() - synced < 300000) return
      synced = Date.now()
      aside(SYNC)
    },
  }
}
"""

_AGENTS: Final = {
    "claude": Agent(
        "~/.claude/settings.json",
        "json",
        _claude,
        ("add the events to the hooks that are there",),
    ),
    "codex": Agent(
        "~/.codex/hooks.json",
        "json",
        _codex,
        (
            "add the events to the hooks that are there",
            "Codex asks once whether it may run them: /hooks",
        ),
    ),
    "opencode": Agent(
        "~/.config/opencode/plugins/apx-mem.js",
        "js",
        _opencode,
        ("start opencode anew",),
    ),
    "generic": Agent("", "sh", lambda _: "", (_STDIN, "none of them fails or asks")),
}
