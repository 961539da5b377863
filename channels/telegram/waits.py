"""How long a bot of Telegram waits for what."""

from __future__ import annotations

from dataclasses import dataclass

from channels.shared import waiting


@dataclass(frozen=True, slots=True)
class Waits(waiting.Waits):
    """Seconds, as they are for people; tests have shorter ones.

    `poll` is how long a question for updates stays open, `silence` how long it may
    take, `look` how often a webhook is looked after.
    """

    poll: int = 50
    silence: float = 90.0
    conflict: float = 5.0
    look: float = 60.0
