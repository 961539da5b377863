"""What a credential looks like, and how to make it unreadable."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

HIDDEN: Final = "[secret]"

_SECRET_NAMES: Final = ("api_key", "token", "secret", "password")


@dataclass(frozen=True, slots=True)
class _Shape:
    """A vendor's credential. `marks`: a text with none of them cannot hold one.

    Looking for the marks first is what makes a usual message cheap. Every pattern
    either has bounded repeats or starts at the edge of a word, so that a hostile
    text costs linear time.
    """

    name: str
    marks: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(name: str, marks: str, pattern: str) -> _Shape:
    # ASCII: a key that stands right behind a Chinese word is still a key.
    return _Shape(name, tuple(marks.split()), re.compile(pattern, re.ASCII))


_BEGIN: Final = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----"
_END: Final = r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----"

_SHAPES: Final = (
    # Up to its end; a key that was cut off ends with its last line of base64.
    _shape(
        "private key",
        "-----BEGIN",
        rf"{_BEGIN}(?:(?:(?!-----BEGIN)[\s\S])*?{_END}|(?:\s*[\w+/=\\-]{{16,}})*)",
    ),
    _shape("url password", "://", r"(?<=://)[^\s:/@]{0,200}:(?!\[)[^\s/]{1,200}(?=@)"),
    _shape(
        "webhook",
        "webhooks/ hooks.slack.com",
        r"https://[\w.-]{0,60}discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/[\w-]{40,}"
        r"|https://hooks\.slack\.com/[\w/]{20,}",
    ),
    _shape(
        "telegram",
        ":AA %3AAA %3aAA",
        r"(?<!\d)\d{6,12}(?::|%3[Aa])AA[\w-]{32,64}",
    ),
    # Three parts joined by dots; the first is the bot's number in base64.
    _shape(
        "discord",
        ".",
        r"[MNO](?<![\w-][MNO])[\w-]{22,27}\.[\w-]{6}\.[\w-]{27,64}",
    ),
    _shape(
        "anthropic",
        "sk-ant-",
        r"(?<![A-Za-z0-9])sk-ant-[\w-]{30,}",
    ),
    # Other vendors write theirs like this too: openrouter, deepseek. Words, such as
    # `sk-learn-for-beginners`, have neither the unbroken length nor the digit.
    _shape(
        "openai",
        "sk-",
        r"(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|or-v1)-[\w-]{20,}"
        r"|(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{20,})",
    ),
    _shape("google", "AIza AQ.", r"AIza[\w-]{35}|(?<![\w.-])AQ\.[\w-]{40,}"),
    _shape(
        "github",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{40,255}",
    ),
    _shape("gitlab", "glpat-", r"glpat-[\w-]{20,255}(?:\.[\w-]{2,60}){0,2}"),
    _shape(
        "aws", "AKIA ASIA", r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    ),
    _shape("slack", "xox xapp-", r"(?:xox[abeoprs]|xapp)-[\w-]{20,255}"),
    _shape(
        "stripe",
        "k_live_ k_test_ whsec_",
        r"(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}",
    ),
    _shape("huggingface", "hf_", r"(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}"),
    _shape("npm", "npm_", r"npm_[A-Za-z0-9]{36,255}"),
    _shape("pypi", "pypi-", r"pypi-[\w-]{60,1000}"),
    _shape("jwt", "eyJ", r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*"),
    _shape(
        "bearer",
        "earer EARER",
        r"(?<=\b[Bb]earer )(?=[a-z-]*[A-Z0-9_])[\w.~+/=-]{20,}"
        r"|(?<=\bBEARER )[\w.~+/=-]{20,}",
    ),
)


def mask(text: str) -> str:
    """Put `[secret: vendor]` in place of whatever has the shape of a credential."""
    for shape in _SHAPES:
        if any(mark in text for mark in shape.marks):
            text = shape.pattern.sub(f"[secret: {shape.name}]", text)
    return text


def names_a_secret(key: str) -> bool:
    """Tell whether a setting of this name holds a credential."""
    return key.lower().endswith(_SECRET_NAMES)
