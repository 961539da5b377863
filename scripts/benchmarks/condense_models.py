"""Summarisers that read what they are shown: a decent one, an unhelpful, a broken.

The decent one knows the words with which people lay something down, as a model does,
and not what is true of a thread. It understands two kinds of prompt: apx's, and that
of a bare rolling summary.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.errors import ProviderUnavailable
from apx.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from apx.domain.message import Message
    from apx.testing import Say

GOOD: Final = "good"
UNHELPFUL: Final = "unhelpful"
FAILING: Final = "failing"
KINDS: Final = (GOOD, UNHELPFUL, FAILING)

_NOTHING: Final = (
    "USER_CONTEXT:\n- The user and the assistant talked about several interesting"
    " things, and the conversation was pleasant and went well all the time.\n\n"
    "CURRENT_STATE:\n- Everything is going well. The assistant answered all that it was"
    " asked, in a friendly and helpful manner, and is ready for whatever comes next."
    " There is nothing else that anybody would have to know before they go on, and"
    " both of them are looking forward to it very much indeed.\n"
)
_EVENT: Final = re.compile(
    r'<EVENT id="[^"]*" role="(\w+)">\n(.*?)\n</EVENT>', re.DOTALL
)
_CARRY: Final = re.compile(r"exactly as they stand here: (.*)")
_WORDS: Final = re.compile(r"(\d+) words")
_ROLLING: Final = re.compile(r"Summary so far:\n(.*?)\n\nNew lines:\n(.*)", re.DOTALL)
_LABEL: Final = re.compile(r"([A-Z_]{5,30}):")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s*|\n")  # noqa: RUF001 -- Chinese
_EXACT: Final = re.compile(r"\d|://|\w/\w")
_DONE: Final = re.compile(
    r"\b(?:done|finished|completed|sorted|wrapped up|settled|fertig|erledigt|geschafft"
    r"|abgeschlossen|durch|hecho|terminado|acabado|lista?|ya está|fini|terminé|fait"
    r"|bouclé|réglé)\b|完|搞定|结束|解决|弄好|끝|완료|마무리|해결|다 했",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    r"\b(?:next|now|start|begin|als nächstes|jetzt|nun|siguiente|ahora|vamos|empezar"
    r"|prochaine|maintenant|suite|commencer|this week|esta semana|diese woche"
    r"|cette semaine)\b|接下来|现在|开始|继续|这周|다음|이제|시작|이번 주",
    re.IGNORECASE,
)
_WISH: Final = re.compile(
    r"\b(?:never|always|must|only|don't|want|goal|need|plan\w*|should|can't|avoid|keep"
    r"|please|remember|important|nunca|siempre|quiero|objetivo|debe\w*|puede|nada|evita"
    r"|solo|necesito|nie|immer|darf\w*|will|ziel|muss|nicht|keine?|nur|bitte|soll"
    r"|jamais|toujours|veux|but|objectif|doit|faut|pas|évite|important)\b"
    r"|不|要|必须|务必|一律|最多|目标|想|别|마세요|하세요|야 해|주세요|안 [돼됩]|반드시"
    r"|목표|싶|려고",
    re.IGNORECASE,
)
_TOKEN_BYTES: Final = 3
_TOKENS_OF_WORD: Final = 1.5
_LEAST: Final = 700  # characters


@dataclass(frozen=True, slots=True)
class Shown:
    """What a summariser is given to read."""

    before: str
    said: tuple[str, ...]
    answered: tuple[str, ...]
    carry: str
    bytes: int


def model(kind: str, window: int) -> ScriptedModel:
    """Make a summariser of this kind."""
    name = f"scripted:{kind}"
    if kind == GOOD:
        return ScriptedModel(good, name=name, window=window)
    if kind == UNHELPFUL:
        return ScriptedModel([_NOTHING], name=name, window=window)
    error = ProviderUnavailable(f"{name} does not answer", provider=name)
    return ScriptedModel([error], name=name, window=window)


def good(prompt: Sequence[Message]) -> list[Say]:
    """Write down what was laid down, exact or finished, and where things stand."""
    shown = read(prompt)
    sentences = [s for text in shown.said for s in _sentences(text)]
    told = {s for s in sentences if _is_telling(s)}
    before = _by_label(shown.before)
    done = [s for s in sentences if s in told and _DONE.search(s)]
    exact = [s for s in sentences if s in told - set(done) and _EXACT.search(s)]
    ahead = [s for s in sentences if _NEXT.search(s)]
    rest = [s for s in sentences if s in told - set(done) - set(exact) - set(ahead)]
    budget = shown.bytes
    carried = [shown.carry] if shown.carry else []
    budget -= len(shown.carry.encode())
    opening = _oldest(_unique([*before.get("USER_CONTEXT", ()), *rest]), budget // 3)
    parts = {
        "USER_CONTEXT": opening,
        "TASK_TRACKING": [
            *carried,
            *_newest([*before.get("TASK_TRACKING", ()), *exact], budget // 4),
        ],
        "COMPLETED": _newest([*before.get("COMPLETED", ()), *done], budget // 8),
        "PENDING": _newest(ahead, budget // 10),
        "CURRENT_STATE": _newest([*shown.answered[-2:], *shown.said[-6:]], budget // 8),
    }
    return [_written(parts, shown)]


def read(prompt: Sequence[Message]) -> Shown:
    """Read either kind of prompt."""
    system, told = prompt[0].text, prompt[-1].text
    words = _WORDS.search(system)
    room = int(words[1]) if words else 500
    size = int(room * _TOKENS_OF_WORD * _TOKEN_BYTES)
    if rolling := _ROLLING.search(told):
        lines = rolling[2].split("\n")
        return Shown(
            before=rolling[1],
            said=tuple(x.removeprefix("Human: ") for x in lines if x[:3] == "Hum"),
            answered=tuple(x.removeprefix("AI: ") for x in lines if x[:3] == "AI:"),
            carry="",
            bytes=size,
        )
    events = _EVENT.findall(told)
    carry = _CARRY.search(system)
    return Shown(
        before="\n".join(text for role, text in events if role == "record"),
        said=tuple(text for role, text in events if role == "person"),
        answered=tuple(text for role, text in events if role == "assistant"),
        carry=carry[1] if carry else "",
        bytes=size,
    )


def _written(parts: dict[str, list[str]], shown: Shown) -> str:
    text = "\n\n".join(
        f"{label}:\n" + "\n".join(f"- {line}" for line in lines)
        for label, lines in parts.items()
        if lines
    )
    more = iter(_unique(reversed(shown.answered + shown.said)))
    while len(text) < _LEAST and (line := next(more, "")):
        text += f"\n- {line}"
    return text


def _is_telling(sentence: str) -> bool:
    is_question = sentence.endswith(("?", "？"))  # noqa: RUF001 -- Chinese
    about = (_EXACT, _DONE, _NEXT, _WISH)
    return not is_question and any(one.search(sentence) for one in about)


def _sentences(text: str) -> Iterator[str]:
    for piece in _SENTENCE.split(text):
        if plain := piece.strip().removeprefix("- ").strip():
            yield plain


def _by_label(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if label := _LABEL.fullmatch(line.strip()):
            lines = found.setdefault(label[1], [])
        elif line.strip():
            lines.append(line.strip().removeprefix("- "))
    return found


def _unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(line.replace("\n", " ") for line in lines))


def _oldest(lines: Iterable[str], size: int) -> list[str]:
    kept = []
    for line in lines:
        size -= len(line.encode()) + 3
        if size < 0:
            break
        kept.append(line)
    return kept


def _newest(lines: Sequence[str], size: int) -> list[str]:
    return _oldest(_unique(reversed(lines)), size)[::-1]
