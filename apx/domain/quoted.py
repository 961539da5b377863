"""Other people's words that came with a message, and where they are from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Provenance(StrEnum):
    """How words got here that the person did not write themselves."""

    FORWARDED = "forwarded"
    QUOTED = "quoted"
    FETCHED = "fetched"
    ATTACHED = "attached"
    GUEST = "guest"
    OVERHEARD = "overheard"


@dataclass(frozen=True, slots=True)
class Quoted:
    """Untrusted words: data to a model, never orders.

    `by` names their writer, page or file; it is untrusted too. `account` is the
    writer's, where that is known.
    """

    provenance: Provenance
    by: str
    text: str
    account: str = ""
