"""What reads the attachments of a home, and who writes recordings down."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from apx.agent.gathering import Gathering
from apx.agent.listening import Listening
from apx.agent.reading import Reading
from apx.domain.person import Role
from apx.providers.documents import extracted

if TYPE_CHECKING:
    from apx.config import Config
    from apx.ports import Transcriber
    from apx.wiring.answering import Base


def gathering(base: Base) -> Gathering:
    """Build what fetches attachments."""
    memory = base.memory
    return Gathering(
        ledger=memory.ledger,
        files=memory.files,
        reading=Reading(extracted, _listening(base)),
        channels=base.channels,
        clock=memory.clock,
    )


def _listening(base: Base) -> Listening | None:
    heard, ear = base.rooms.config.transcription, transcriber(base.rooms.config)
    if ear is None:
        return None
    may, count = partial(_may_spend, base), base.budgets.count
    return Listening(ear, heard.language, heard.max_seconds, may, count)


async def _may_spend(base: Base, person: str) -> bool:
    """Whether a person may; what is written down on this machine costs nobody."""
    if base.rooms.config.transcription.provider == "local":
        return True
    found = await base.who.people.person(person)
    role = found.role if found else Role.GUEST
    return await base.budgets.may_spend(person, role)


def transcriber(config: Config) -> Transcriber | None:
    """Give who writes recordings down; nobody unless config.json names one."""
    heard, vendor = config.transcription, config.engines.openai
    if heard.provider == "local":
        from apx.providers.transcribe_local import (  # noqa: PLC0415 -- few want it
            LocalTranscriber,
        )

        return LocalTranscriber(heard.model, most=heard.max_seconds)
    if heard.provider == "openai":
        from apx.providers.transcribe_openai import (  # noqa: PLC0415 -- as above
            OpenAITranscriber,
        )

        server = heard.server(vendor)
        return OpenAITranscriber(
            heard.model,
            api_key=server.api_key,
            base_url=server.base_url,
            section=server.section,
        )
    return None
