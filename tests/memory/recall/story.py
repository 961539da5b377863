"""A story to ask about, and how to ask the arrays about it."""

from dataclasses import replace

import numpy as np
import pytest

from apx.memory.recall.asking import question
from tests.memory.rooms import NOW, OWNERS, said

WORDS = [
    *("anna", "boat", "coal", "deer", "elm", "fish", "goat"),
    *("hill", "iron", "jade", "kelp", "lamp", "moss", "nest"),
]
QUESTIONS = ["boat and iron", "where is the kelp?", "anna deer goat", "moss"]
# So many that there is a large part to save, in whatever passes they came.
MANY = 2_800


def story(many=MANY, audience=OWNERS):
    """Make messages of three threads with words that meet in many ways."""
    chance = np.random.default_rng(3)
    return [
        said(
            f"number{n} {' '.join(chance.choice(WORDS, 4))}",
            minute=n * 7,
            thread=f"terminal:t{n % 3}",
            audience=audience,
        )
        for n in range(many)
    ]


def asked_of(text, engine):
    asking = question(text, NOW, engine.keys)
    assert asking is not None
    return asking.asked


async def answers(memory, audiences=(OWNERS,), questions=QUESTIONS):
    """Ask the arrays; gives chunks and scores, best first."""
    await memory.engine.ready.wait()
    found = []
    for text in questions:
        asked = asked_of(text, memory.engine)
        meaning = await memory.spaces.meaning(text)
        asked = replace(asked, meaning=meaning)
        hits = (await memory.engine.find(asked, audiences)).hits
        found += [(text, hit.chunk, pytest.approx(hit.score, rel=1e-4)) for hit in hits]
    return found


def assert_alike(found, others):
    """Allow for what is usual among vectors: that is estimated from a sample."""
    assert len(found) == len(others)
    for (_, _, score), (_, _, other) in zip(found, others, strict=True):
        assert score.expected == pytest.approx(other.expected, rel=0.05)
    same = {(text, n) for text, n, _ in found} & {(text, n) for text, n, _ in others}
    assert len(same) >= 0.8 * len(found)
