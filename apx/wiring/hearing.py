"""What reads the attachments of a home, and who writes recordings down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.agent.gathering import Gathering
from apx.agent.reading import Reading
from apx.providers.documents import extracted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.config import Config
    from apx.ports import Channel, Transcriber
    from apx.wiring.remembering import Remembering


def gathering(
    config: Config, memory: Remembering, channels: Mapping[str, Channel]
) -> Gathering:
    """Build what fetches attachments."""
    heard = config.transcription
    return Gathering(
        ledger=memory.ledger,
        files=memory.files,
        reading=Reading(
            extracted, transcriber(config), heard.language, heard.max_seconds
        ),
        channels=channels,
        clock=memory.clock,
    )


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
