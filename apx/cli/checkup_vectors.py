"""What `apx doctor` says of embeddings: who embeds, and where the text goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from apx.store.index import file
from apx.wiring.embedders import Embedders

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from apx.config import Config

_HERE: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_VENDORS: Final = {
    "openai": "api.openai.com",
    "gemini": "generativelanguage.googleapis.com",
}


async def vectors(
    config: Config, where: Path
) -> AsyncIterator[tuple[bool | None, str]]:
    """Give lines with whether all is well, after asking the embedder for one word.

    What `auto` passed over is no more than a note, which is None.
    """
    embedders = Embedders(config, loads_models=True)
    try:
        embedder = await embedders.choose(await file.serving(where / "memory.db"))
        passed_over = None if embedder else False
        for name, why in embedders.failures.items():
            yield passed_over, f"{name}: {why}"
        if embedder is None:
            yield False, "embeddings: nobody embeds; recall goes by words alone"
            return
        name = embedder.identity
        yield True, f"embeddings: {name}; {_way_of_text(config, name)}"
    finally:
        await embedders.aclose()


def _way_of_text(config: Config, identity: str) -> str:
    """Say where the text of messages goes to be embedded."""
    provider = identity.partition(":")[0]
    if provider in {"local", "tf"}:
        return "no text leaves this machine for it"
    engine = getattr(config.engines, provider)
    host = urlsplit(engine.base_url).hostname or _VENDORS.get(provider, "")
    if host in _HERE:
        return "the text of every message goes to a server on this machine"
    return (
        f"the text of every message and note goes to {host};"
        " memory.embeddings.provider says whether"
    )
