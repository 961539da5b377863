"""The tables of what is left of a thread, by window, summariser and method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scripts.benchmarks.condense_measure import DONE, Tally
from scripts.benchmarks.condense_models import GOOD, KINDS
from scripts.benchmarks.condense_run import APX, LAST, LOOKED, ROLLING
from scripts.benchmarks.condense_truth import Truth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scripts.benchmarks.condense_run import Findings

COLUMNS: Final = {
    Truth.GOAL: "goals",
    Truth.LIMIT: "limits",
    Truth.TASK: "open tasks",
    DONE: "marked done",
    Truth.ANCHOR: "anchors",
}
_NAME: Final = 30
_WIDTH: Final = 13
_NAMED: Final = 5  # threads of a miss


def printed(found: Mapping[tuple[str, int], Findings], title: str) -> None:
    """Print a table a window and number of condensations, then how records came."""
    for window in sorted({window for _, window in found}):
        for after in LOOKED:
            _after(found, window, after, title)
        for kind in KINDS:
            _records(found[kind, window], kind)


def _after(
    found: Mapping[tuple[str, int], Findings], window: int, after: int, title: str
) -> None:
    whole = found[GOOD, window].whole.get(after, [])
    if not whole:
        return
    times = f"{after} condensation{'s' if after > 1 else ''}"
    print(
        f"\n{title}, window of {window // 1024}k, after {times}: {len(whole)} threads"
    )
    heads = "".join(f"{name:>{_WIDTH}}" for name in (*COLUMNS.values(), "tokens"))
    print(f"{'%':{_NAME}}{heads}")
    print(
        f"{'the whole thread':{_NAME}}{_tokens(whole):>{(len(COLUMNS) + 1) * _WIDTH}}"
    )
    for method in (APX, ROLLING):
        for kind in KINDS:
            tally = found[kind, window].tallies.get((method, after), Tally())
            _row(f"{method}, {kind}", tally)
    _row(LAST, found[GOOD, window].tallies.get((LAST, after), Tally()))


def _row(name: str, tally: Tally) -> None:
    shares = "".join(f"{_percent(tally.share(what)):>{_WIDTH}}" for what in COLUMNS)
    print(f"{name:{_NAME}}{shares}{_tokens(tally.tokens):>{_WIDTH}}")


def _percent(share: float | None) -> str:
    """Write a share so that only all of it is 100."""
    if share is None:
        return "-"
    return "100" if share == 1 else f"{min(share * 100, 99.9):.1f}"


def _tokens(sizes: Sequence[int]) -> str:
    return f"{sum(sizes) // len(sizes):,}" if sizes else "-"


def _records(findings: Findings, kind: str) -> None:
    made = ", ".join(f"{count} {how}" for how, count in findings.made.items())
    before = _tokens([before for before, _ in findings.sizes])
    after = _tokens([after for _, after in findings.sizes])
    print(f"{kind}: {made or 'no records'}; a thread took {before} -> {after} tokens")
    for reason, count in findings.reasons.most_common(6):
        print(f"    {count:5} {reason}")


def misses(found: Mapping[tuple[str, int], Findings], title: str) -> None:
    """Print what apx lost, each sentence once: how often, where, with whom."""
    lost: dict[tuple[str, str, str], list[tuple[int, str]]] = {}
    for (kind, _), findings in found.items():
        for after in LOOKED:
            for miss in findings.tallies.get((APX, after), Tally()).misses:
                key = (miss.what, miss.language, miss.text)
                lost.setdefault(key, []).append((miss.talk, kind))
    print(f"\nMissed by apx in {title}: times, what, language, sentence, where")
    for (what, language, text), where in sorted(lost.items()):
        threads = " ".join(sorted({str(talk) for talk, _ in where}, key=int)[:_NAMED])
        kinds = " ".join(sorted({kind for _, kind in where}))
        place = f"{kinds}; threads {threads}"
        print(f"{len(where):4} {what:7}{language:3} {text}   [{place}]")
