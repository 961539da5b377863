"""Which type of memory a sentence is, by rule; never a constraint by a guess."""

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# How people begin or phrase what they like, what broke, how something is done.
_PREFERENCE: Final = (
    r"\bprefer|\bfavou?rite\b|\b(?:likes|loves|hates|dislikes)\b"
    r"|\b(?:i|we|they) (?:really |don't |do not )?(?:like|love|hate|dislike)\b"
    r"|\b(?:doesn't|does not) (?:like|love)\b"
    r"|\bprefier[eo]|\b(?:me|le|nos) (?:gusta|encanta)n?\b|\bprefir[ao]\b|\bgosto de\b"
    r"|\bpréf[éè]r|\b(?:j'|il |elle |nous )aim(?:e|ons)\b|\bbevorzug|\blieber\b"
    r"|\b(?:ich|wir|er|sie) (?:mag|mögen)\b|\bpreferisc|\b(?:mi|gli|le|ci) piac"
    r"|喜欢|喜歡|偏好|讨厌|好き|嫌い|좋아|싫어|선호|предпочита|люблю|любит|нрав[ия]тся"
)
_FAILURE: Final = (
    r"\b(?:failed|broke|crashed|root cause|went wrong|outage)\b|\bpost-?mortem\b"
    r"|\bfall(?:ó|aba)\b|\bse rompió\b|\bfalhou\b|\béchoué|\btombée? en panne\b"
    r"|\bfehlgeschlagen\b|\babgestürzt\b|\bschuld war\b|\bfallito\b"
    r"|失败|失敗|故障|실패|고장|сломал|упал[аио]?\b"
)
_HOWTO: Final = (
    r"^\s*(?:how to|steps to|to \w+[^,.]{0,60}, (?:run|use|call|open|press|type))\b"
    r"|^\s*(?:cómo|para \w+r, )|^\s*como (?:fazer|\w+r\b)|^\s*comment \w+er\b"
    r"|^\s*pour \w+[eir]r?, |^\s*so (?:geht|macht)\b|^\s*anleitung\b|^\s*come \w+re\b"
    r"|怎么|如何|手順|やり方|방법|^\s*как \w+ть\b"
)
_STEPS: Final = (("1.", "2."), ("1)", "2)"))


def guessed(text: str) -> str:
    """Name the type that a fact most likely is; a decision if nothing tells.

    What sounds like a rule is a preference: only a person makes constraints.
    """
    import re  # noqa: PLC0415 -- only who guesses

    from apx.domain.standing import Standing, statements  # noqa: PLC0415 -- as above

    text = text.replace("\u2019", "'")

    def has(pattern: str) -> bool:
        return re.search(pattern, text, re.IGNORECASE) is not None

    if has(_HOWTO) or _is_stepwise(text):
        return "howto"
    if has(_PREFERENCE):
        return "preference"
    kinds = {told.kind for told in statements(text)}
    if Standing.CONSTRAINT not in kinds and has(_FAILURE):
        return "failure"
    lasting = kinds & {Standing.CONSTRAINT, Standing.INSTRUCTION}
    return "preference" if lasting else "decision"


def is_rule(text: str) -> bool:
    """Say whether a fact that no person gave a type may be meant as a constraint."""
    from apx.domain.standing import Standing, statements  # noqa: PLC0415 -- as above

    lasting = {Standing.CONSTRAINT, Standing.INSTRUCTION}
    is_lasting = any(told.kind in lasting for told in statements(text))
    return is_lasting and guessed(text) == "preference"


def _is_stepwise(text: str) -> bool:
    """Whether its lines are numbered."""
    begun = {line.split(maxsplit=1)[0] for line in text.splitlines() if line.strip()}
    return any(begun.issuperset(steps) for steps in _STEPS)
