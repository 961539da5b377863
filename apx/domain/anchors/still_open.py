"""Which exact things of a person's messages are still open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from apx.domain.anchors.closing import AHEAD, BEHIND, BETWEEN, CHANGED, CHANGES
from apx.domain.anchors.quantities import quantities
from apx.domain.anchors.reading import Anchor, AnchorKind, anchors, carries, names
from apx.domain.anchors.words import meaning
from apx.domain.fences import fences
from apx.domain.small_words import STOP_WORDS
from apx.domain.standing import Standing, statements
from apx.domain.text import content_terms, normal, sentences, terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST: Final = 40
_HELD: Final = 3 * MOST  # some of the newest may close yet
_LONGEST: Final = 2_000  # characters; more are a paste
_ANYWHERE: Final = frozenset({AnchorKind.ID, AnchorKind.URL, AnchorKind.PATH})
_EXACT: Final = frozenset({AnchorKind.NUMBER, AnchorKind.DATE})
_CLAUSE: Final = re.compile(
    r"[,;\n\u3001\u3002\uff0c\uff1b\u060c]|\.\s"
    r"| (?=(?:and now|y ahora|e agora|et maintenant|und jetzt|e adesso|e ora|en nu"
    r"|i teraz"
    r"|[\u0430\u0438] \u0442\u0435\u043f\u0435\u0440\u044c|\uc774\uc81c) )"
)


_MEASURES: Final = (
    "most least max maximum minimum limit more less máximo mínimo más menos mais "
    "plus moins"
    " höchstens mindestens maximal mehr weniger massimo minimo più meno maximaal minder"
    " больше меньше максимум не более 最多 至少 不超过 以内 以下 最大 최대 이하 이내"
)
# No anchor is without one of these, no name without a capital behind a small letter
# or a comma. Python has no class of capital letters.
_MAY_HOLD: Final = re.compile(
    r"[\d`/\\@_]|\.[A-Za-z]"
    "|[^\\W\\d_][,;]? "
    "[A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f\u0100-\u017f][^\\W\\d_]"
)


@dataclass(frozen=True, slots=True)
class _Saying:
    """A sentence: what it opens, which pieces of it are over, whether it changes."""

    text: str
    opens: tuple[Anchor, ...]
    exact: tuple[Anchor, ...]  # amounts and dates of a sentence that sets nothing
    over: tuple[str, ...]
    changes: bool


@dataclass(frozen=True, slots=True)
class _Open:
    anchor: Anchor
    said_in: str


def open_anchors(said: Sequence[str], kept: str) -> tuple[Anchor, ...]:
    """Give what a summary of a person's messages has to carry, the newest at the end.

    Ids and addresses stay open until a later message says that they are done or wrong;
    amounts and dates count where they set something, names in a goal. What is kept
    beside the summary is safe.
    """
    standing: dict[tuple[AnchorKind, str], _Open] = {}
    for message in said:
        for saying in _sayings(message):
            replaced = _close(standing, saying)
            for anchor in (*saying.opens, *(saying.exact if replaced else ())):
                key = anchor.kind, normal(anchor.text)
                standing.pop(key, None)
                standing[key] = _Open(anchor, saying.text)
        for key in list(standing)[:-_HELD]:
            del standing[key]
    found = [one.anchor for one in standing.values()]
    return tuple(anchor for anchor in found if not carries(kept, anchor))[-MOST:]


def _close(standing: dict[tuple[AnchorKind, str], _Open], saying: _Saying) -> bool:
    """Take out what a sentence ends or replaces; tell whether it did so."""
    if not (saying.over or saying.changes):
        return False
    ended = [
        key
        for key, one in standing.items()
        if any(carries(piece, one.anchor) for piece in saying.over)
        or (saying.changes and _is_replaced(one, saying))
    ]
    for key in ended:
        del standing[key]
    return bool(ended)


def _is_replaced(one: _Open, saying: _Saying) -> bool:
    """Whether a sentence gives another amount or day for the same thing."""
    kind = one.anchor.kind
    if kind not in _EXACT or carries(saying.text, one.anchor):
        return False
    rivals = [a for a in (*saying.opens, *saying.exact) if a.kind is kind]
    if kind is AnchorKind.NUMBER:
        rivals = [a for a in rivals if _same_unit(a.text, one.anchor.text)]
    return bool(rivals) and bool(_subject(saying.text) & _subject(one.said_in))


def _same_unit(one: str, other: str) -> bool:
    return {q.unit for q in quantities(one)} == {q.unit for q in quantities(other)}


def _subject(sentence: str) -> frozenset[str]:
    """Give the words that say what a sentence is about."""
    said = content_terms(sentence)
    return frozenset(
        term
        for term in said
        if not (term[0] == "~" or re.search(r"\d", term) or term in _measures())
        and meaning(term) is None
    )


@cache
def _measures() -> frozenset[str]:
    """Give the words of limits, which are the same whatever is limited."""
    return frozenset(terms(_MEASURES))


@lru_cache(maxsize=2_048)
def _sayings(message: str) -> tuple[_Saying, ...]:
    """Read a message sentence by sentence; one that pastes a log says nothing."""
    own = _without_code(message)
    if len(own) > _LONGEST or not _MAY_HOLD.search(own):
        return ()
    kinds: dict[str, set[Standing]] = {}
    for statement in statements(own):
        kinds.setdefault(statement.text, set()).add(statement.kind)
    said = list(dict.fromkeys([*sentences(own), *kinds]))
    return tuple(_saying(text, _kinds_of(text, kinds)) for text in said)


def _without_code(message: str) -> str:
    if "```" not in message and "~~~" not in message:
        return message
    lines = message.split("\n")
    coded = {n for first, end in fences(lines).items() for n in range(first, end)}
    return "\n".join(line for n, line in enumerate(lines) if n not in coded)


def _kinds_of(text: str, kinds: dict[str, set[Standing]]) -> frozenset[Standing]:
    """Give how a sentence holds; sentences are not cut alike everywhere."""
    return frozenset(
        kind for other, found in kinds.items() if text in other for kind in found
    )


def _saying(text: str, kinds: frozenset[Standing]) -> _Saying:
    found = anchors(text)
    over = tuple(_over(text, kinds)) if found or kinds else ()
    sets = bool(kinds - {Standing.DONE})
    opens = [a for a in found if a.kind in _ANYWHERE or (sets and a.kind in _EXACT)]
    if Standing.GOAL in kinds:
        opens += [*names(text)]
    exact = [a for a in found if a.kind in _EXACT]
    return _Saying(
        text,
        tuple(a for a in opens if not _is_in(over, a)),
        tuple(a for a in exact if not _is_in(over, a)),
        over,
        bool(exact) and CHANGES.search(text) is not None,
    )


def _is_in(pieces: Sequence[str], anchor: Anchor) -> bool:
    return any(carries(piece, anchor) for piece in pieces)


def _over(text: str, kinds: frozenset[Standing]) -> Iterator[str]:
    """Give the pieces of a sentence that speak of what is done, wrong or changed."""
    if Standing.DONE in kinds:
        yield from _done(text, kinds)
    for found in BETWEEN.finditer(text):
        if _is_bare(found["old"]):
            yield found["old"]
    for found in CHANGED.finditer(text):
        yield next(group for group in found.groups() if group is not None)
    for found in BEHIND.finditer(text):
        end = _CLAUSE.search(text, found.end())
        yield text[found.end() : end.start() if end else len(text)]
    for found in AHEAD.finditer(text):
        begins = [end.end() for end in _CLAUSE.finditer(text, 0, found.start())]
        yield text[begins[-1] if begins else 0 : found.start()]


def _done(text: str, kinds: frozenset[Standing]) -> Iterator[str]:
    """Give the clauses that say so themselves: "PROJ-1 is done, now PROJ-2".

    "PROJ-1, PROJ-2 and PROJ-3 are done" and "done: PROJ-1, PROJ-2" speak of all.
    """
    clauses = [clause for clause in _CLAUSE.split(text) if clause]
    done = [_is_done(clause) for clause in clauses]
    if not any(done):
        if kinds == {Standing.DONE}:
            yield text
        return
    bare: list[str] = []
    is_list = False
    for clause, is_done in zip(clauses, done, strict=True):
        if is_done:
            yield from (*bare, clause)
            is_list = ":" in clause or "\uff1a" in clause
            bare = []
        elif _is_bare(clause) and is_list:
            yield clause
        else:
            bare = [*bare, clause] if _is_bare(clause) else []
            is_list = False


def _is_done(clause: str) -> bool:
    return {statement.kind for statement in statements(clause)} == {Standing.DONE}


def _is_bare(piece: str) -> bool:
    """Whether a piece is hardly more than what it names: no "not touch PROJ-1 but"."""
    rest = normal(piece)
    for anchor in anchors(piece):
        rest = rest.replace(normal(anchor.text), " ")
    return all(word in STOP_WORDS for word in rest.split())
