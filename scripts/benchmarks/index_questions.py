"""Owns the questions that the benchmark of the index asks: words out of its chunks."""

from __future__ import annotations

from typing import Final

import index_corpus as corpus
import numpy as np

from apx.domain.text import content_terms

_ASKED_BLOCKS: Final = 20  # blocks that questions are made of


def questions(blocks: int, many: int) -> list[tuple[str, int]]:
    """Make questions of 3 to 12 words out of chunks; gives also their places."""
    chance = np.random.default_rng(11)
    homes = [
        block for block in range(blocks) if corpus.audience_of(block) == corpus.HOME
    ]
    chosen = chance.choice(homes, min(len(homes), _ASKED_BLOCKS), replace=False)
    said = {block: list(corpus.messages(block)) for block in chosen.tolist()}
    found: list[tuple[str, int]] = []
    while len(found) < many:
        block, row = int(chance.choice(chosen)), int(chance.integers(corpus.BLOCK))
        text = _question(chance, said[block][row].text)
        if content_terms(text):
            found.append((text, block * corpus.BLOCK + row))
    return found


def _question(chance: np.random.Generator, text: str) -> str:
    wanted = int(chance.integers(3, 13))
    if " " not in text:
        start = int(chance.integers(max(1, len(text) - wanted)))
        return text[start : start + wanted]
    words = text.split()
    wanted = min(wanted, len(words))
    chosen = chance.choice(len(words), wanted, replace=False)
    return " ".join(words[place] for place in sorted(chosen))
