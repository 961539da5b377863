"""A home in which nobody writes spends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apx.config import Config
from apx.wiring import opened
from tests.servers import OllamaServer, OpenAIServer

if TYPE_CHECKING:
    from pathlib import Path

    from apx.wiring import House

# Everything that works by itself, as often as it can be told to.
EAGER: dict[str, Any] = {
    "index_interval_s": 1,
    "auto_promote": True,
    "compact_threshold": 2,
    "keep_recent": 1,
    "keep_first": 0,
}
CONSOLIDATING = {"enabled": True, "idle_threshold_secs": 10, "interval_secs": 60}


def configured(server: OpenAIServer | OllamaServer, memory: dict[str, Any]) -> Config:
    """Give the config of a home that may ask a server for everything."""
    kind = "ollama" if isinstance(server, OllamaServer) else "openai"
    key = {} if kind == "ollama" else {"api_key": "k"}
    embeddings = {"provider": kind, kind: {"model": "tiny"}}
    return Config.model_validate(
        {
            "super_agent": {"model": f"{kind}:tiny"},
            "engines": {kind: {"base_url": server.base_url, **key}},
            "memory": {**memory, "embeddings": embeddings},
            "consolidation": CONSOLIDATING,
        }
    )


async def passes(house: House, many: int = 5) -> None:
    """Do so often what the home does in the background."""
    for _ in range(many):
        await house.memory.books.sync()
        await house.delivery.deliver_all()
        await house.who.worries.look()
        await house.memory.keep_up()


@pytest.mark.parametrize("kind", [OllamaServer, OpenAIServer])
@pytest.mark.parametrize("memory", [{}, EAGER])
async def test_an_idle_home_spends_no_token(
    tmp_path: Path, kind: type[OllamaServer | OpenAIServer], memory: dict[str, Any]
):
    """Neither while it is empty, nor once all that was said is embedded."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    async with kind() as server:
        config = configured(server, memory)
        async with (
            opened(config, home, "apx run") as house,
            house.shortening.open(),
            house.gateway.open(lambda: 0.0),
        ):
            await passes(house)
            assert (server.embeds, len(server.requests)) == (0, 0)

            (home / "memory.md").write_text("- the boat is blue\n")
            await passes(house, 2)
            spent = server.embeds, len(server.requests)
            assert spent[0] > 0
            await passes(house)
            assert (server.embeds, len(server.requests)) == spent
