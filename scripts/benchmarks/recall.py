"""How much of the evidence recall finds, beside others, in one run.

recall@k is the share of a question's evidence among the first k hits, MRR counts over
the first 40, nDCG over the first 10; means over questions. CPU ms are of a question in
the store of all conversations, its embedding apart.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts.benchmarks import recall_facts, recall_fit, recall_precision, recall_shown
from scripts.benchmarks import recall_rivals as rivals
from scripts.benchmarks import recall_table as table
from scripts.benchmarks.recall_data import PROJECT, corpus, data_directory
from scripts.benchmarks.recall_embed import MODELS, embedded, installed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.benchmarks.recall_data import Corpus
    from scripts.benchmarks.recall_engine import Embedded
    from scripts.benchmarks.recall_facts import Facts

FACTS = PROJECT.parent / "shared" / "parts" / "facts.json"
DATA = "locomo-0-4.json"
# What this data cannot tell, or not for other data: these weights stay as they are.
HELD = "speaker,length,names,person,note,turn,around"


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, action="append", default=[])
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--limit", type=int, default=0, help="about so many questions")
    parser.add_argument("--rivals", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--hold", default=HELD, help="weights that --fit leaves")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    one_thread()
    options = arguments()
    files = options.data or [data_directory() / DATA]
    for file in files:
        if not file.is_file():
            print(f"{file}: not there; name it by --data or APX_DATA", file=sys.stderr)
            sys.exit(2)
    measured = corpus(files, options.limit)
    models = usable(options.models.split(","))
    if options.fit:
        fit(measured, models, options.hold.split(","))
        return
    facts = recall_facts.read(options.facts)
    rows = main_table(measured, models, options)
    each = [of_one(measured, facts, model, options) for model in ("", *models)]
    if options.json:
        print(json.dumps({"methods": rows, "apx": each}, indent=1))


def one_thread() -> None:
    """Begin again with one thread for numpy: two are slower on a busy machine."""
    if "OMP_NUM_THREADS" not in os.environ:
        os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606 -- ourselves


def usable(names: Sequence[str]) -> list[str]:
    """Keep the models that are installed; says which are not."""
    found = []
    for name in filter(None, names):
        if name not in MODELS:
            sys.exit(f"--models: {name} is none of {', '.join(MODELS)}")
        if installed(name) is None:
            how = MODELS[name]
            print(f"{name}: not installed, left out ({how})", file=sys.stderr)
        else:
            found.append(name)
    return found


def main_table(
    measured: Corpus, models: Sequence[str], options: argparse.Namespace
) -> list[Any]:
    """Print the tables of all ways to find; gives them for machines."""
    methods = list(table.our_methods(measured, models))
    if options.rivals:
        methods += table.rival_methods(measured)
        for line in rivals.missing():
            print(line, file=sys.stderr)
    rows = table.measured(measured, methods)
    if not options.json:
        print(f"{len(measured.items)} questions, {len(measured.rows)} turns\n")
        table.printed(rows, measured.items)
    return [row.as_json(measured.items) for row in rows]


def of_one(
    measured: Corpus, facts: Facts, model: str, options: argparse.Namespace
) -> dict[str, Any]:
    """Print what turns are given, with one model or none; gives it for machines."""
    vectors = installed(model) if model else None

    def known(some: Corpus) -> Embedded | None:
        return None if vectors is None else embedded(vectors, some)

    name = f"apx, {model or 'no model'}"
    some = recall_precision.labelled(facts)
    asked = replace(facts.corpus, items=[one.item for one in some])
    held = recall_shown.evidence_held(measured, known(measured))
    paraphrases = recall_facts.paraphrases(facts, known(facts.corpus))
    languages = recall_facts.in_languages(facts, known(facts.corpus))
    precision = recall_precision.precision(facts, some, known(asked))
    if not options.json:
        recall_shown.printed(held, name)
        recall_facts.printed(paraphrases, languages, name)
        recall_precision.printed(precision, name)
    return {
        "method": name,
        "evidence held": held,
        "paraphrases": paraphrases,
        "languages": languages,
        "precision": precision,
    }


def fit(measured: Corpus, models: Sequence[str], held: Sequence[str]) -> None:
    """Print weights without a model, and with each of these."""
    for model in ("", *models):
        vectors = installed(model) if model else None
        known = None if vectors is None else embedded(vectors, measured)
        recall_fit.printed(measured, known, held, model or "no model")


if __name__ == "__main__":
    main()
