"""What the forms of one word have in common, without knowing the language.

Texts carry no language, and a query may be one word. So one rule for each script
takes off what many of its languages put at the end: plural, gender, case, endings
of verbs. Documents and queries share it, so a strange stem does no harm.
"""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

from __future__ import annotations

import re
from typing import Final

# Before a gram, which is worth less than a stem: other words have it too.
WEAK: Final = "~"

_LONG: Final = 40  # letters: what has more is no word, and costs its square
_SHORT: Final = 4  # letters of a word that has hardly an ending to spare
_GRAM: Final = 5  # letters of the beginning that a long word is known by
_BONES: Final = 3  # consonants that tell a Semitic word

_Pattern = re.Pattern[str]


def _endings(*groups: tuple[int, str]) -> _Pattern:
    """Match what stays of a word: at least so many letters before these endings."""
    return re.compile(
        "|".join(
            rf".{{{kept},}}?(?=(?:{'|'.join(endings.split())})$)"
            for kept, endings in groups
        )
    )


_VERBAL: Final = re.compile(r"(.*[aeiouy].*?)(?:ing|ed)(?:ly)?")
_ONE_SYLLABLE: Final = re.compile(r"[^aeiouy]+[aeiouy][^aeiouywx]")
# English word formation; Romance, Germanic, Polish, Turkish endings. An `e` after
# four letters stays, as in `plane` and `theme`.
_LATIN: Final = _endings(
    (
        5,
        """
        y ie ing ness ment able ible ably ibly ance ence ful fully ive ant ent ism ist
        ity ous ously ion ation ional ic ical ly ally al
        e en em er et es n t te de den ten ande ende ung keit heit lich ar
        ato ata ito ita uto uta are ere ire ante amos emos imos iamo arono irono
        aient ait ais ez ons ee aram mente idad idade dad arna orna erna erin orn arn
        ami ach ow om ego emu ie iem ych ymi ej owi ala ali alo alem alam ila ili ac ic
        lar ler lari leri larin lerin lara lere larda lerde lardan lerden nin
        """,
    ),
    (4, "a o i u ado ada ido ida ando endo iendo aron ieron"),
)
# In the normal form: without the dots of ё and ї and the bow of й.
_REFLEXIVE: Final = re.compile("(?<=.{4})(?:ся|сь)$")
_CYRILLIC: Final = _endings(
    (
        3,
        """
        ами ями иями ах ях иях ов ев ів ом ем ам ям иям ои еи ии ыи ью ою ею ому ему
        его ого ими ыми им ым их ых іх ая яя ое ее ые ие ую юю ія ія ію ії ии ию ия
        а я о е є у ю ы и і ь ові еві
        ть ти ать ять ить еть ати яти ити іти ла ло ли ал ял ил ел ала яла ила али яли
        или ало ило ав яв ив ав или ишь ешь ет ит ут ют ат ят уть ють ать ять емо имо
        аете ите ете ает яет ают яют ав ила ость ости істю
        """,
    ),
)
_GREEK: Final = _endings(
    (
        3,
        """
        οσ ου ο ον οι ουσ ων α ασ εσ η ησ ι ια ιου ιων εισ εωσ εων ματοσ ματα ματων
        ω ει ουμε ετε ουν ουνε ομαι εται ονται ησα ησε ησαν αμε ατε αν ε
        """,
    ),
)
_HINDI: Final = _endings((2, "ियों ियाँ ियां ाओं ाएँ ाएं ों ें ो े ी ि ा ु ू ं ँ"))
_ARABIC: Final = re.compile(
    "(?:[وف]?(?:[بك]?ال|لل)(?=...)|و(?!ال)(?=....)|[بل](?=....))?"
    "(.{2,}?)(?:يه|ها|هم|نا|كم|ات|ان|ون|ين|ه|ي|ا)?"
)
_HEBREW: Final = re.compile("ו?(?:[בלכמש]?ה|[בל])?(?=...)(.{2,}?)(?:ים|ות|ה|ת|י)?|(.+)")
_SEMITIC_VOWELS: Final = re.compile("(?<=.)[اويוי]")
_FINAL_LETTERS: Final = str.maketrans("ךםןףץ", "כמנפצ")
_KOREAN: Final = _endings(
    (
        2,
        """
        은 는 이 가 을 를 에 의 로 으로 와 과 도 만 에서 에게 에게서 한테 한테서 께 께서
        부터 까지 처럼 보다 마다 조차 밖에 이나 나 랑 이랑 하고 들 들은 들이 들을 들의
        들에게 에는 에서는 에도 으로는 로는 와의 과의 이야 야 이에요 예요 입니다 이다 다
        """,
    )
)


def stem(word: str) -> str:
    """Take the endings, and where they are clitics the beginnings, off a word.

    The word is in its `normal` form; one with digits is a name and stays.
    """
    if word.isascii():
        return _latin(word) if word.isalpha() and _SHORT <= len(word) <= _LONG else word
    if len(word) > _LONG or not word[0].isalpha() or any(map(str.isdecimal, word)):
        return word
    first = word[0]
    if "\u0400" <= first <= "\u052f":
        return _shortened(_CYRILLIC, _REFLEXIVE.sub("", word))
    if "\u0370" <= first <= "\u03ff":
        return _shortened(_GREEK, word)
    return _eastern(word, first)


def gram(word: str, base: str) -> str:
    """Give what a family of words mostly shares, or "": marked, a weaker term."""
    first = word[0]
    if not word.isalpha():
        return ""
    if "\u0590" <= first <= "\u074f":
        bones = _SEMITIC_VOWELS.sub("", base)
        return WEAK + bones if len(bones) >= _BONES else ""
    if first > "\u074f" or len(word) < _GRAM:
        return ""
    return WEAK + word[: min(len(word) - 1, _GRAM)]


def _shortened(endings: _Pattern, word: str) -> str:
    found = endings.match(word)
    return found[0] if found else word


def _eastern(word: str, first: str) -> str:
    """Treat the scripts of the Near and the Far East and of India."""
    if "\u0600" <= first <= "\u06ff":
        found = _ARABIC.fullmatch(word)
        return found[1] if found else word
    if "\u0590" <= first <= "\u05ff":
        found = _HEBREW.fullmatch(word)
        bare = (found[1] or found[2]) if found else word
        return bare.translate(_FINAL_LETTERS)
    if "\u0900" <= first <= "\u097f":
        return _shortened(_HINDI, word)
    if "\uac00" <= first <= "\ud7a3":
        return _shortened(_KOREAN, word)
    return word


def _latin(word: str) -> str:
    word = _singular(word)
    verb = _VERBAL.fullmatch(word)
    if word.endswith(("ie", "ied")) and len(word) > _SHORT:
        word = word.removesuffix("d")[:-2] + "y"
    elif verb and len(verb[1]) > 1:
        word = _verb(verb[1])
    shorter = _shortened(_LATIN, word)
    while shorter != word:
        word, shorter = shorter, _shortened(_LATIN, shorter)
    return word


def _singular(word: str) -> str:
    """Take off the `s` of a plural, which English and the Romance languages share."""
    if word[-1] != "s" or word[-2] in "siu" or len(word) < _SHORT:
        return word
    hisses = word.endswith(("sses", "shes", "ches", "xes", "zzes"))
    return word[: -2 if hisses else -1]


def _verb(bare: str) -> str:
    """Write `runn` as `run` and `mak` as `make`."""
    if bare[-1] == bare[-2] and bare[-1] not in "aeiouylsz":
        return bare[:-1]
    return bare + "e" if _ONE_SYLLABLE.fullmatch(bare) else bare
