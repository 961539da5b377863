"""Whether a model's summary may stand in for the history that it sums up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.anchors.reading import carries
from apx.domain.anchors.still_open import open_anchors
from apx.domain.cut_off import is_cut_off
from apx.domain.language import language_name, language_of
from apx.domain.summary import sections_of
from apx.domain.text import content_terms, flatten, normal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Candidate", "Demand", "open_anchors", "refusal"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a model answered; `is_whole` is false where its length limit stopped it."""

    text: str
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Demand:
    """What a summary is measured by.

    `messages` are those of the range; `previous` is the summary that it subsumes, of
    at `most` so many characters; `said` are the person's messages, oldest first;
    `kept` is what stays beside the summary word for word; of `prompts` it must
    repeat nothing.
    """

    messages: int
    previous: str = ""
    said: tuple[str, ...] = ()
    kept: str = ""
    prompts: tuple[str, ...] = ()
    most: int = 0


_LONG_RANGE: Final = 20  # messages
_LEAST: Final = 400  # characters for a long range
_SECTIONS: Final = 2
_HALF: Final = 2
_LINE: Final = 40  # characters of a prompt's line that nobody writes by chance
_SHORT_LINE: Final = 8
_REPEATED: Final = 4
_TELLING: Final = 20  # characters of a line that has no reason to come again
_SHORT_REPEATED: Final = 12  # "- none" stands below several labels
_WINDOW: Final = 32
_MANY_WINDOWS: Final = 600
_DISTINCT: Final = 0.4  # share of windows in text that goes round in circles
_ALL_BELOW: Final = 10  # open anchors of which none may be lost
_LOST: Final = 10  # of more, one in so many
_TALKED: Final = 40  # words that a conversation has before it is about something
_NAMED: Final = 4  # of them, so many are in any record of it; by chance two or three
_SPOKEN: Final = 6_000  # characters that settle the language of a conversation
_USED: Final = 0.2  # share of a second language that is used, too


def refusal(candidate: Candidate, demand: Demand) -> str:
    """Say why a summary may not replace its history; "" lets it pass.

    The reason names counts and kinds, never what somebody wrote.
    """
    for check in _CHECKS:
        if reason := check(candidate, demand):
            return reason
    return ""


def _too_short(candidate: Candidate, demand: Demand) -> str:
    size = len(candidate.text.strip())
    if not size:
        return "it is empty"
    if size < _LEAST and demand.messages > _LONG_RANGE:
        return f"it has {size} characters for {demand.messages} messages"
    return ""


def _cut_off(candidate: Candidate, _: Demand) -> str:
    if not candidate.is_whole:
        return "it was cut off at the length limit of the model"
    return "it ends in the middle" if is_cut_off(candidate.text) else ""


def _unlabelled(candidate: Candidate, _: Demand) -> str:
    count = len(sections_of(candidate.text))
    if count >= _SECTIONS:
        return ""
    return f"it has {count} of the labelled sections, at least {_SECTIONS} are needed"


def _shrunk(candidate: Candidate, demand: Demand) -> str:
    before = len(demand.previous.strip())
    if demand.most:
        before = min(before, demand.most)
    size = len(candidate.text.strip())
    if size * _HALF >= before:
        return ""
    return f"it has {size} characters, less than half of the {before} that it replaces"


def _foreign(candidate: Candidate, demand: Demand) -> str:
    written = language_of("\n".join(sections_of(candidate.text).values()))
    spoken = _spoken(demand.said)
    if not written or not spoken or written in spoken:
        return ""
    if any(
        language_name(written).casefold() in said.casefold() for said in demand.said
    ):
        return ""  # "please answer in Spanish"
    expected = " or ".join(language_name(code) for code in sorted(spoken))
    return f"it is in {language_name(written)}, the conversation in {expected}"


def _is_translated(candidate: Candidate, demand: Demand) -> bool:
    """Whether a record may be in another language than most of what was said."""
    written = language_of("\n".join(sections_of(candidate.text).values()))
    spoken = _spoken(demand.said)
    return bool(written and spoken) and spoken != {written}


def _spoken(said: Iterable[str]) -> frozenset[str]:
    """Give the languages that a person uses; none if most messages do not tell."""
    newest: list[str] = []
    size = 0
    for message in reversed(tuple(said)):
        newest.append(message[: _SPOKEN // 4])
        size += len(newest[-1])
        if size > _SPOKEN:
            break
    whole = language_of("\n".join(newest))
    if not whole:
        return frozenset()
    weights: Counter[str] = Counter()
    for message in newest:
        weights[language_of(message)] += len(message)
    used = {code for code, weight in weights.items() if weight > _USED * size}
    return frozenset({whole, *used} - {""})


def _parroted(candidate: Candidate, demand: Demand) -> str:
    """Tell a summary that gives back its instructions.

    What the person said, or is quoted in the instructions on purpose, is no such line.
    """
    text = normal(candidate.text)
    quoted = normal("\n".join((demand.previous, demand.kept, *demand.said)))
    lines = {
        plain
        for prompt in demand.prompts
        for line in prompt.splitlines()
        if len(plain := normal(line)) >= _SHORT_LINE and plain not in quoted
    }
    if any(len(line) >= _LINE and line in text for line in lines):
        return "it repeats its instructions"
    own = _lines_of(candidate.text)
    if sum(line in lines for line in own) * _HALF > len(own):
        return "most of its lines are from its instructions"
    return ""


def _unrelated(candidate: Candidate, demand: Demand) -> str:
    """Tell a record that fits any conversation: it names nothing of this one.

    Of a long talk any text names a few words; there, what is kept word for word has to
    do. A good record must never be refused for this.
    """
    if demand.previous and normal(candidate.text) == normal(demand.previous):
        return "it is the one before, word for word"
    talked = {term for said in demand.said for term in _telling(said)}
    if len(talked) < _TALKED or _is_translated(candidate, demand):
        return ""
    named = len(talked & _telling(candidate.text))
    return "" if named >= _NAMED else "it says nothing of what was talked about"


def _telling(text: str) -> set[str]:
    return {term for term in content_terms(text) if not term.startswith("~")}


def _looping(candidate: Candidate, _: Demand) -> str:
    for line, count in Counter(_lines_of(candidate.text)).items():
        most = _REPEATED if len(line) >= _TELLING else _SHORT_REPEATED
        if count >= most:
            return f"it has the same line {count} times"
    text = flatten(candidate.text)
    windows = len(text) - _WINDOW
    if windows < _MANY_WINDOWS:
        return ""
    distinct = len({text[start : start + _WINDOW] for start in range(windows)})
    return "it repeats itself" if distinct < _DISTINCT * windows else ""


def _lines_of(text: str) -> list[str]:
    bodies = "\n".join(sections_of(text).values()) or text
    return [plain for line in bodies.splitlines() if (plain := normal(line))]


def _forgetful(candidate: Candidate, demand: Demand) -> str:
    wanted = open_anchors(demand.said, demand.kept)
    lost = [anchor for anchor in wanted if not carries(candidate.text, anchor)]
    allowed = len(wanted) // _LOST if len(wanted) > _ALL_BELOW else 0
    if len(lost) <= allowed:
        return ""
    counts = Counter(anchor.kind.value for anchor in lost)
    parts = [f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in counts.items()]
    return f"it lost {', '.join(parts)} of {len(wanted)} that are still open"


_CHECKS: Final[tuple[Callable[[Candidate, Demand], str], ...]] = (
    _too_short,
    _cut_off,
    _unlabelled,
    _shrunk,
    _looping,
    _parroted,
    _foreign,
    _unrelated,
    _forgetful,
)
