"""Two hundred labelled questions: what the floor keeps, and what it lets through."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from apx.memory.recall.showing import Showing
from scripts.benchmarks.recall_data import Item
from scripts.benchmarks.recall_facts import NOW
from scripts.benchmarks.recall_metrics import percent, recall
from scripts.benchmarks.recall_shown import Turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.recall import Memory
    from scripts.benchmarks.recall_engine import Embedded
    from scripts.benchmarks.recall_facts import Facts

PRECISION = Path(__file__).with_name("precision.json")
FIRST = 5
# Kinds for which nothing should come back.
IN_VAIN = ("small talk", "unrelated")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question of the precision set; `right` are all chunks that answer it."""

    item: Item
    kind: str
    language: str
    right: frozenset[int]


def labelled(facts: Facts) -> list[Labelled]:
    """Read the precision set, as far as the facts that it asks for are there."""
    found: list[Labelled] = []
    written = json.loads(PRECISION.read_text("utf-8"))
    for kind, by_language in written.items():
        for language, some in by_language.items():
            for one in some:
                text = one["text"] if isinstance(one, dict) else one
                ids = () if isinstance(one, str) else _ids(facts, language, one["fact"])
                if kind == "answerable" and not ids:
                    continue
                item = Item(len(found), text, 0, ids[:1], 0, NOW)
                found.append(Labelled(item, kind, language, frozenset(ids)))
    return found


def _ids(facts: Facts, language: str, fact: str) -> tuple[int, ...]:
    """Give the id of a fact, then those of the same fact in other languages."""
    kind, place = fact.split()
    own = facts.rows.get(f"{kind} {language}")
    if own is None:
        return ()
    others = (
        [rows for name, rows in facts.rows.items() if name.startswith("facts ")]
        if kind == "facts"
        else []
    )
    return tuple(rows[int(place)].id for rows in [own, *others])


def precision(
    facts: Facts, some: Sequence[Labelled], embedded: Embedded | None
) -> dict[str, Any]:
    """Give what comes back: for questions, small talk, and what nobody told."""
    corpus = replace(facts.corpus, items=[one.item for one in some])
    turns = Turns.of(corpus, embedded)
    pairs = [(one, _ids_given(turns.given(one.item, FIRST, Showing()))) for one in some]
    languages = dict.fromkeys(one.language for one in some)
    by_language = {
        language or "all": _shares(
            [p for p in pairs if language in ("", p[0].language)]
        )
        for language in ("", *languages)
    }
    brought = [one.item.text for one, ids in pairs if ids and one.kind in IN_VAIN]
    return {"by language": by_language, "in vain": brought}


def printed(figures: dict[str, Any], name: str) -> None:
    """Print the figures, and which phrases bring something in vain."""
    print(
        f"\nafter the floor, {name}, precision set (facts in 21 languages in one store)"
    )
    heads = ("asked", "kept", "recall@5", "precision@5", *IN_VAIN)
    print(" " * 6 + "".join(f"{head:>13}" for head in heads))
    for language, row in figures["by language"].items():
        shares = "".join(percent(row[head], 13) for head in heads[2:4])
        vain = "".join("{:>10}/{:2}".format(*row[head]) for head in IN_VAIN)
        print(f"  {language:4}{row['asked']:13}{row['kept']:13}{shares}{vain}")
    print(f"  in vain: {' | '.join(figures['in vain'])}")


def _ids_given(given: Sequence[Memory]) -> list[int]:
    return [int(memory.ref.split()[1]) for memory in given]


def _shares(pairs: Sequence[tuple[Labelled, Sequence[int]]]) -> dict[str, Any]:
    asked = [(one, ids) for one, ids in pairs if one.kind == "answerable"]
    found = [recall(ids, one.item.evidence, FIRST) for one, ids in asked]
    right = [len(one.right.intersection(ids)) / len(ids) for one, ids in asked if ids]
    figures: dict[str, Any] = {
        "asked": len(asked),
        "kept": len(right),
        "recall@5": float(np.mean(found)),
        "precision@5": float(np.mean(right or [np.nan])),
    }
    for kind in IN_VAIN:
        brought = [bool(ids) for one, ids in pairs if one.kind == kind]
        figures[kind] = sum(brought), len(brought)
    return figures
