"""What is alike is another thing for each embedder, and is measured for each."""

import numpy as np
import pytest

from apx.memory.calibration import calibrated
from apx.providers.hashing import HashingEmbedder
from apx.testing import WordEmbedder


class Crowded(WordEmbedder):
    """All its vectors point nearly the same way, as E5's do."""

    async def documents(self, texts):
        return _crowded(await super().documents(texts))

    async def query(self, text):
        return _crowded((await super().query(text))[None])[0]


def _crowded(vectors):
    moved = vectors + 0.25
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return (moved / lengths).astype(np.float32)


async def test_floors_differ_with_the_embedder():
    """One floor for all would let everything pass here, or nothing there."""
    apart, crowded = await calibrated(WordEmbedder()), await calibrated(Crowded())

    assert crowded.mean > apart.mean + 0.3
    assert crowded.floor(1_000) > apart.floor(1_000) + 0.1


@pytest.mark.parametrize("embedder", [WordEmbedder(), Crowded(), HashingEmbedder()])
async def test_what_is_unrelated_lies_below_and_what_is_related_above(embedder):
    """Texts that nobody calibrated with."""
    floor = (await calibrated(embedder)).floor(20)
    told = await embedder.documents(
        ["the staging server moved to 10.0.1.5", "my dentist is called Brandt"]
    )

    assert (await embedder.query("staging server moved")) @ told[0] > floor
    assert (await embedder.query("staging server moved")) @ told[1] < floor
    assert (await embedder.query("dentist called Brandt")) @ told[1] > floor


async def test_the_floor_rises_with_the_store():
    """Among more unrelated texts the most alike one is more alike."""
    usual = await calibrated(WordEmbedder())

    floors = [usual.floor(size) for size in (0, 1, 20, 1_000, 1_000_000)]
    assert floors == sorted(floors)
    assert floors[0] == floors[2] < floors[3] < floors[4] < 1


async def test_calibration_costs_a_few_calls():
    """It is asked once for each space."""
    embedder = WordEmbedder()
    await calibrated(embedder)

    assert len(embedder.calls) == 21
    assert sum(map(len, embedder.calls)) == 40
