"""What the offline model can say; `phrases.json` has it in eight languages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

# The keys that give a real model, the same in every language.
_KEYS: Final = (
    "`super_agent.model` (ollama:llama3.2, openai:…, gemini:…), "
    "`engines.ollama.base_url`, `engines.openai.api_key`, `engines.gemini.api_key`"
)
_COMMAND: Final = "`apx config set super_agent.model ollama:llama3.2`"


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of one language.

    `{text}`, `{number}`, `{reason}` and `{tool}` are to be filled in. `note`, `turn`
    and `terminal` name where a memory comes from.
    """

    saved: str
    not_saved: str
    found: str
    nothing_found: str
    search_failed: str
    notes: str
    no_notes: str
    notes_failed: str
    forgotten: str
    not_forgotten: str
    several: str
    forget_failed: str
    no_tool: str
    small_talk: str
    abilities: str
    real_model: str
    note: str
    turn: str
    terminal: str


@cache
def phrases(language: str) -> Phrases:
    """Give the sentences of a language such as `de` or `de-AT`, else the English."""
    table = resources.files("apx.providers").joinpath("phrases.json")
    spoken = json.loads(table.read_text(encoding="utf-8"))
    chosen = spoken.get(language[:2].lower(), spoken["en"])
    real_model = chosen.pop("real_model").format(keys=_KEYS, command=_COMMAND)
    return Phrases(**chosen, real_model=real_model)
