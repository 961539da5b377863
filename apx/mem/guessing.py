"""Which type of memory a sentence is, by rule."""

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# How people begin or phrase what they like, what broke, how something is done.
_PREFERENCE: Final = (
    r"\bprefer|\bfavou?rite\b|\b(?:i|we) (?:really )?(?:like|love|hate|dislike)\b"
    r"|\bprefier[oe]|\bme gustan?\b|\bprefir[oa]\b|\bgosto de\b|\bpréfér|\bj'aime\b"
    r"|\bbevorzug|\b(?:ich|wir) mag\b|\blieber\b|\bpreferisc|\bmi piace\b"
    r"|喜欢|喜歡|偏好|好き|предпочита"
)
_FAILURE: Final = (
    r"\b(?:failed|broke|crashed|root cause|went wrong|outage)\b|\bpost-?mortem\b"
    r"|\bfall(?:ó|aba)\b|\bse rompió\b|\bfalhou\b|\béchoué|\btombée? en panne\b"
    r"|\bfehlgeschlagen\b|\babgestürzt\b|\bschuld war\b|\bfallito\b"
    r"|失败|失敗|故障|сломал|упал[аио]?\b"
)
_HOWTO: Final = (
    r"^\s*(?:how to|steps to|to \w+[^,.]{0,60}, (?:run|use|call|open|press|type))\b"
    r"|^\s*(?:cómo|para \w+r, )|^\s*como (?:fazer|\w+r\b)|^\s*comment \w+er\b"
    r"|^\s*pour \w+[eir]r?, |^\s*so (?:geht|macht)\b|^\s*anleitung\b|^\s*come \w+re\b"
    r"|怎么|如何|手順|やり方|^\s*как \w+ть\b"
)


def guessed(text: str) -> str:
    """Name the type that a fact most likely is; a decision if nothing tells."""
    import re  # noqa: PLC0415 -- only who guesses

    from apx.domain.standing import Standing, statements  # noqa: PLC0415 -- as above

    for name, pattern in (
        ("howto", _HOWTO),
        ("failure", _FAILURE),
        ("preference", _PREFERENCE),
    ):
        if re.search(pattern, text, re.IGNORECASE):
            return name
    lasting = {Standing.CONSTRAINT, Standing.INSTRUCTION}
    if any(told.kind in lasting for told in statements(text)):
        return "constraint"
    return "decision"
