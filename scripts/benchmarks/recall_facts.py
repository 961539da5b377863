"""Single facts in many languages, and questions in the same words or in others."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import product
from typing import TYPE_CHECKING

from scripts.benchmarks.recall_data import PROJECT, Corpus, Item, told
from scripts.benchmarks.recall_engine import Ours
from scripts.benchmarks.recall_metrics import recall

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from apx.domain.chunk import Stored
    from scripts.benchmarks.recall_engine import Embedded

LANGUAGES = PROJECT / "tests" / "memory" / "languages.json"
TARGETS = (
    "targets: languages, R@3, same stems .60 without a model, .95 with the local one"
)
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts as one corpus; each question is named by its set, language and kind.

    `rows` and `items` give what belongs to a name such as `languages en`.
    """

    corpus: Corpus
    rows: dict[str, list[Stored]] = field(default_factory=dict)
    items: dict[str, list[Item]] = field(default_factory=dict)

    def everything(self, kind: str) -> list[Stored]:
        """Give all rows of a set, in all languages."""
        found = [rows for name, rows in self.rows.items() if name.startswith(kind)]
        return [row for rows in found for row in rows]


def read(facts: Path) -> Facts:
    """Read the set of the project, and the given one where it is there."""
    texts: dict[str, list[str]] = {}
    asked: dict[str, list[str]] = {}
    for language, told_in in json.loads(LANGUAGES.read_text("utf-8")).items():
        texts[f"languages {language}"] = [one["fact"] for one in told_in]
        for kind in ("asked", "reworded"):
            asked[f"languages {language} {kind}"] = [one[kind] for one in told_in]
    if facts.is_file():
        given = json.loads(facts.read_text("utf-8"))
        for name in given:
            if name.endswith("_fact"):
                language = name.removesuffix("_fact")
                texts[f"facts {language}"] = given[name]
                asked[f"facts {language} reworded"] = given[f"{language}_q"]
    return _facts(texts, asked)


def _facts(texts: dict[str, list[str]], asked: dict[str, list[str]]) -> Facts:
    every = told([text for some in texts.values() for text in some])
    rows: dict[str, list[Stored]] = {}
    at = 0
    for name, some in texts.items():
        rows[name] = every[at : at + len(some)]
        at += len(some)
    items: dict[str, list[Item]] = {}
    number = 0
    for name, questions in asked.items():
        right = rows[name.rsplit(" ", 1)[0]]
        items[name] = [
            Item(number + place, text, 0, (row.id,), 0, NOW)
            for place, (text, row) in enumerate(zip(questions, right, strict=True))
        ]
        number += len(questions)
    flat = [item for some in items.values() for item in some]
    return Facts(Corpus(every, flat), rows, items)


def shares(
    rows: Sequence[Stored], items: Sequence[Item], embedded: Embedded | None
) -> tuple[float, float]:
    """Give R@1 and R@3 of questions in a store."""
    store = Ours.of(rows, embedded)
    found = [(store.find(item), item.evidence) for item in items]
    first, three = (
        sum(recall(hits, right, first) for hits, right in found) / len(found)
        for first in (1, 3)
    )
    return first, three


def paraphrases(facts: Facts, embedded: Embedded | None) -> dict[str, list[float]]:
    """Give R@1 and R@3 of the given facts, alone, then among those of the project.

    By languages: that of the questions, that of the facts.
    """
    others = facts.everything("languages")
    names = [name for name in facts.rows if name.startswith("facts")]
    figures = {}
    for asked, told_in in product(names, names):
        rows = facts.rows[told_in]
        items = [
            replace(item, evidence=(row.id,))
            for item, row in zip(facts.items[f"{asked} reworded"], rows, strict=True)
        ]
        pair = f"{asked.split()[1]} > {told_in.split()[1]}"
        among = shares([*rows, *others], items, embedded)
        figures[pair] = [*shares(rows, items, embedded), *among]
    return figures


def in_languages(
    facts: Facts, embedded: Embedded | None
) -> dict[str, dict[str, float]]:
    """Give R@3 by language: each language alone, then all in one store.

    There, the same things are told in other languages too, and compete.
    """
    languages = [name for name in facts.rows if name.startswith("languages")]
    everything = facts.everything("languages")
    return {
        f"{title}, {store}": {
            name.split()[1]: shares(
                rows or facts.rows[name], facts.items[f"{name} {kind}"], embedded
            )[1]
            for name in languages
        }
        for kind, title in (("asked", "same stems"), ("reworded", "other words"))
        for store, rows in (("alone", None), ("together", everything))
    }


def printed(
    given: dict[str, list[float]], languages: dict[str, dict[str, float]], name: str
) -> None:
    """Print how many questions find their fact, by language and across languages."""
    if given:
        print(f"\nparaphrases, {name}: R@1/R@3 alone, among facts in 21 languages")
    for pair, figures in given.items():
        print(f"  {pair:10}" + "{:.2f}/{:.2f}  {:.2f}/{:.2f}".format(*figures))
    print(f"\nlanguages, {name}: R@3")
    for title, found in languages.items():
        mean = sum(found.values()) / len(found)
        each = " ".join(f"{key} {share:.2f}" for key, share in found.items())
        print(f"  {title:22}{mean:.3f}  ({each})")
    print(TARGETS)
