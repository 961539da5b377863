"""The embedder that is always there."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.providers.hashing import HashingEmbedder, hashed, hashed_query

TINY = ["yes", "hi", "ok", "thanks!", "lol", "haha yes", "ok thanks", "wow"]
TALK = [
    "Ana is allergic to peanuts, so no satay sauce on her birthday, please",
    "yes, we moved the staging server to the new rack last Tuesday evening",
    "El coche rojo está aparcado en la tercera planta del garaje de la estación",
    "我们把备份服务器搬到了新的机房\uff0c每天晚上两点运行",
]


@given(st.text(max_size=300), st.sampled_from([16, 256, 1024]))
def test_every_text_has_a_vector_of_length_one(text: str, dims: int):
    """Whatever the script, and for a blank too: nothing is left out of the index."""
    document, query = hashed([text], dims)[0], hashed_query(text, dims)

    assert np.linalg.norm(document) == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-5)


@given(st.lists(st.text(max_size=80), max_size=8))
def test_neighbours_in_a_batch_change_nothing(texts: list[str]):
    """A batch is computed as one; texts must not run into each other."""
    alone = [hashed([text], 64) for text in texts]

    assert np.allclose(
        hashed(texts, 64), np.concatenate([*alone, np.empty((0, 64))]), atol=1e-6
    )


def test_vectors_are_the_same_in_every_process():
    """They are stored, and Python's own hashes change with each start."""
    code = (
        "from apx.providers.hashing import hashed;"
        "print(hashed(['Ana likes 茶', '?'], 32).tobytes().hex())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]

    assert (
        told[0] == told[1] == hashed(["Ana likes 茶", "?"], 32).tobytes().hex() + "\n"
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("what is Ana allergic to?", 0),
        ("where is the staging server now?", 1),
        ("¿dónde aparqué el coche?", 2),
        ("备份", 3),
    ],
)
def test_shared_words_are_found_among_tiny_messages(query: str, found: int):
    """By their angle alone short messages win, as they hold little else."""
    likeness = hashed([*TALK, *TINY], 256) @ hashed_query(query, 256)

    assert likeness.argmax() == found


def test_a_word_of_small_talk_finds_no_small_talk():
    """`yes` has a vector, but hardly any weight."""
    likeness = hashed(TINY, 256) @ hashed_query("yes or no, did the server move?", 256)

    assert likeness.max() < 0.15


def test_a_rare_word_counts_more_where_the_store_knows_it_is_rare():
    """Each query may weigh; documents never, or their vectors would go stale."""
    texts = ["the green parrot sat there", "the green wall stood there"]

    def idf(term: str) -> float:
        return 3.0 if "parro" in term else 0.1

    query = "green wall stood, parrot"
    plain = hashed(texts, 256) @ hashed_query(query, 256)
    weighed = hashed(texts, 256) @ hashed_query(query, 256, idf)

    assert plain.argmax() == 1
    assert weighed.argmax() == 0


def test_a_query_of_worthless_words_is_a_query_still():
    """An IDF of zero for everything leaves the plain weights."""
    vector = hashed_query("green wall", 256, lambda _term: 0.0)

    assert np.allclose(vector, hashed_query("green wall", 256))


async def test_many_texts_are_embedded_beside_the_loop():
    """A thread does it, in slices, and the order stays."""
    texts = [f"message number {number} of many" for number in range(600)]

    vectors = await HashingEmbedder(64).documents(texts)

    assert np.allclose(vectors, hashed(texts, 64), atol=1e-6)


def test_it_is_quick():
    """Reindexing a hundred thousand messages is seconds; the bound is generous."""
    texts = [f"{TALK[number % 2]} number {number}"[:100] for number in range(2000)]
    hashed(texts, 256)

    began = time.process_time()
    for start in range(0, len(texts), 256):
        hashed(texts[start : start + 256], 256)
    assert time.process_time() - began < 0.4


def test_too_few_dimensions_are_an_error():
    """Everything would be alike."""
    with pytest.raises(ValueError, match="too few"):
        HashingEmbedder(8)
