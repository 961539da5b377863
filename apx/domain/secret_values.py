"""Whether one written token could be the value of a credential."""
# ruff: noqa: RUF001 -- punctuation of other scripts looks like that of Latin

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise

from apx.domain.secret_links import STATES
from apx.domain.secret_pattern import pattern
from apx.domain.secret_words import Named

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


class Link(IntEnum):
    """How firmly a value is tied to the name before it."""

    NONE = 0  # it only follows
    IS = 1  # `is`, `es`, a dash
    EQUALS = 2  # `:`, `=`


# What is often written near the word, and gives nobody access.
_HARMLESS: Final = r"""(?xi)
    \w{2,20}://|www\.|//                                    # an address
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+$
    | (?:[~.]{0,2}/|[a-z]:\\)[\w.\\/-]+\.\w{1,5}$           # a path
    | (?:[~.]{0,2}/)?(?:[a-z_.-]+/)+[\w.-]*$
    | \w+(?:[.-]\w+)*\.(?:com|org|net|io|de|py|js|md|txt|json|ya?ml|env|toml|pdf)$
    | \d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:t\d.*)?$            # a day, a time, a version
    | \d{1,2}[:.h]\d\d(?::\d\d)?(?:am|pm)?$
    | v?\d+(?:\.\d+)+$
    | \d{1,6}[-–]\d{1,6}$
    | [-+.,]*\d{1,3}(?:[.,]\d+)?\s?\W{0,2}$                 # an amount
    | [$€£¥%]+\d[\d.,]*$ | \d[\d.,]*[$€£¥%]+$
    | (?:sha|md|base|aes|rsa|utf|iso|bcrypt|argon|wpa|wep|hs|rs|es|ed|http|oauth
        |html|ipv|mp|usb|gpt|totp)-?v?\d{0,5}(?:[-_]\w+)*$
    | \$\w+$ | \$?\{.*\}+$ | \$\(.* | %\w+%$ | <.*>$ | \[.*\]$  # a reference
    | .*\w[(\[].*                                           # code
    | [a-z_]+(?:\.[a-z_]+)+$
    | [*•.:x_?#-]+$                                         # hidden already
    """
# "3rd", "90days", "1password": a number with its word, also with a letter before.
_COUNTED: Final = r"\d{1,4}[^\W\d_]{1,10}$|[^\W\d_]{1,2}\d{1,2}$"
_SYMBOL_INSIDE: Final = r"\w[@#$%^&*+=!?~|]+\w"
_NAME: Final = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[A-Z]+$"
_WORDS: Final = r"[^\W\d_]{3,}(?:[-.][^\W\d_]{3,}){3,}$"
_IDENTIFIER: Final = r"[A-Za-z_][A-Za-z_.]*$"
_AGAIN: Final = (
    "pass(?:word|wd|phrase)?|pwd?|token|secret|key|pin|otp|code|credentials?"
)
_TYPE: Final = r".*[a-z](?:Pass(?:word)?|Token|Secret|Key|Code)(?:Types?)?$"
_NAMED_AGAIN: Final = rf"(?:.*[_.])?(?i:{_AGAIN})(?:[_.].*)?$|{_TYPE}"
_UUID: Final = r"(?i)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$"
_WORDY: Final = r"(?:[A-Za-z]*(?:\d{1,4}[a-z]{0,2})?(?:[-_.+/]|$))+$"
_SHORTEST_TOKEN: Final = {Link.NONE: 16, Link.IS: 12, Link.EQUALS: 8}
# How long a value is: at least a word, a password in prose, one that only follows.
_WORD, _SAID, _SURE, _CODE = 4, 5, 6, 4
_LONGEST_WORD, _LONGEST_NUMBER, _LONGEST_CODE = 40, 10, 12
_VERSION: Final = r"[^\W\d_]+[-_]?\d{1,2}$"
_FEW: Final = 2
_LONG: Final = 20  # a run of letters and digits that no name has
_AWS: Final = 40
_MIXED, _MIXED_LONG, _LONG_RUN = 0.45, 0.42, 32
_ALNUM: Final = r"[A-Za-z0-9]+"


def is_value(token: str, kind: Named, link: Link) -> bool:
    """Tell whether a token is what a name of this kind announces."""
    if kind is Named.CODE:
        return _is_code(token, link)
    if _is_harmless(token, kind):
        return False
    if kind is Named.TOKEN:
        return _is_token(token, link)
    return kind is Named.PASSWORD and _is_password(token, link)


def is_lone_word(token: str) -> bool:
    """Tell whether a word that stands alone behind `password:` is a password."""
    return (
        _WORD <= len(token) <= _LONGEST_WORD
        and token.replace("-", "").replace("_", "").isalpha()
        and token.lower() not in STATES
        and not pattern(_NAME).match(token)
        and not (
            pattern(_IDENTIFIER).match(token) and pattern(_NAMED_AGAIN).match(token)
        )
    )


def is_quoted_value(words: str, kind: Named) -> bool:
    """Tell whether what stands in quotes behind the name is its value."""
    if kind is Named.CODE:
        return _is_code(words, Link.EQUALS)
    if (
        words.lower() in STATES
        or _is_harmless(words, kind)
        or pattern(_NAME).match(words)
    ):
        return False
    if kind is Named.TOKEN:
        return " " not in words and _is_token(words, Link.EQUALS)
    return len(words) >= _WORD and not pattern(_NAMED_AGAIN).fullmatch(words)


def is_random(run: str) -> bool:
    """Tell whether an unbroken run mixes its classes as only chance does.

    Of two neighbours in a random text of 62 characters, 62 in 100 are of different
    classes; in names such as `getUserAccountV2`, 35.
    """
    small = sum(c.islower() for c in run)
    digits = sum(c.isdigit() for c in run)
    if min(small, digits, len(run) - small - digits) < _FEW:
        return False
    changes = sum(_class(one) != _class(other) for one, other in pairwise(run))
    return changes >= (_MIXED if len(run) < _LONG_RUN else _MIXED_LONG) * (len(run) - 1)


def _class(c: str) -> int:
    return 0 if c.isdigit() else 1 if c.islower() else 2 if c.isupper() else 3


def _is_harmless(token: str, kind: Named) -> bool:
    if not pattern(_HARMLESS).match(token):
        return False
    # Secrets of AWS are base64, whose slashes look like a path's.
    return not (kind is Named.TOKEN and len(token) == _AWS and is_random(token))


def _is_code(token: str, link: Link) -> bool:
    bare = token.replace("-", "").replace(" ", "")
    digits = sum(c.isdigit() for c in bare)
    if bare.isdigit():
        return (
            (_CODE - 1 if link is Link.EQUALS else _CODE)
            <= len(bare)
            <= _LONGEST_NUMBER
        )
    return (
        link > Link.NONE
        and _CODE <= len(bare) <= _LONGEST_CODE
        and bare.isalnum()
        and bare.isascii()
        and digits >= _FEW
        and not pattern(_COUNTED).match(bare)
    )


def _is_token(token: str, link: Link) -> bool:
    if pattern(_UUID).match(token):
        return True
    if len(token) < _SHORTEST_TOKEN[link] or not token.isascii():
        return False
    if pattern(_TYPE).match(token):
        return False
    letters = any(c.isalpha() for c in token)
    if not letters or not any(c.isdigit() for c in token):
        # Letters only, as chance would have them: a name has longer words.
        return letters and len(token) >= _LONG and _is_scrambled(token)
    return not pattern(_WORDY).match(token) or any(
        len(part) >= _LONG for part in pattern(_ALNUM).findall(token)
    )


def _is_scrambled(token: str) -> bool:
    changes = sum(one.islower() and other.isupper() for one, other in pairwise(token))
    return changes * 6 >= len(token)


def _is_password(token: str, link: Link) -> bool:
    digits = sum(c.isdigit() for c in token)
    if digits == len(token):
        return len(token) >= _WORD
    letters = any(c.isalpha() for c in token)
    symbol = bool(pattern(_SYMBOL_INSIDE).search(token))
    if link is Link.EQUALS:
        return len(token) >= _WORD and (
            (letters and digits > 0)
            or symbol
            or (digits > 0 and len(token) >= _SURE)
            or bool(pattern(_WORDS).match(token))
        )
    if not letters or len(token) < _SAID or pattern(_COUNTED).match(token):
        return False
    if link is Link.NONE:
        return digits > 0 and len(token) >= _SURE and not _is_version(token)
    return (
        digits > 0
        or (symbol and len(token) >= _SURE)
        or bool(pattern(_WORDS).match(token))
    )


def _is_version(token: str) -> bool:
    """`iPhone15`, `server-2`: a capitalised or plain name and a short number."""
    return bool(pattern(_VERSION).match(token))
