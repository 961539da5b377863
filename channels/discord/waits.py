"""How long a bot of Discord waits for what."""

from __future__ import annotations

from dataclasses import dataclass

from channels.shared import waiting


@dataclass(frozen=True, slots=True)
class Waits(waiting.Waits):
    """Seconds, as they are for people; tests have shorter ones.

    `connecting` is how long a gateway may take to greet us, `silence` how long it may
    say nothing. After `resumes` sessions that could not be taken up again, a fresh one
    is asked for. `spaced` is the least time between two fresh ones.
    """

    connecting: float = 60.0
    silence: float = 60.0
    resumes: int = 3
    spaced: float = 5.5
