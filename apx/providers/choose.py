"""Owns the choice of a model when the person made none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# Made for something else than words in, words out.
_NO_CHAT: Final = re.compile(
    r"embed|bge-|minilm|rerank|\bclip\b|whisper|tts|speech|audio|transcri|realtime"
    r"|-live|image|dall-e|\bveo|sora|moderation|guard|aqa|robotics|computer-use",
    re.IGNORECASE,
)
# A vendor's that answer in another way, or to another API, than we ask. From a server
# at home, `instruct` in a name is a good sign.
_OTHERWISE: Final = re.compile(
    r"codex|deep-research|search|instruct|davinci|babbage|vision-preview"
    r"|^(gpt|o\d).*-pro",
    re.IGNORECASE,
)
# Families by price and sense for a daily assistant, best first; in a family the
# newest number wins.
_OPENAI: Final = (
    r"gpt-\d+(\.\d+)?-(mini|terra)",
    r"gpt-\d+(\.\d+)?(-sol)?",
    r"gpt-4o-mini",
    r"gpt-4o",
    r"gpt-[\w.-]+",
    r"o\d[\w.-]*",
)
_GEMINI: Final = (
    r"gemini-\d+(\.\d+)?-flash",
    r"gemini-flash-latest",
    r"gemini-\d+(\.\d+)?-flash[\w.-]*",
    r"gemini-\d+(\.\d+)?-pro[\w.-]*",
    r"gemini-[\w.-]+",
)
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


def choose_ollama(names: Sequence[str]) -> str | None:
    """Give the first model that chats: Ollama lists the newest first."""
    return _preferred(names, ())


def choose_openai(names: Sequence[str]) -> str | None:
    """Give a vendor's model by preference; another server's first that chats."""
    return _preferred(names, _OPENAI)


def choose_gemini(names: Sequence[str]) -> str | None:
    """Give the newest fast model that chats."""
    return _preferred(names, _GEMINI)


def _preferred(names: Sequence[str], families: Sequence[str]) -> str | None:
    chatting = [name for name in names if not _NO_CHAT.search(name)]
    usual = [name for name in chatting if not _OTHERWISE.search(name)]
    for family in families:
        members = [name for name in usual if re.fullmatch(family, name)]
        if members:
            return max(members, key=_age)
    return next(iter(chatting), None)


def _age(name: str) -> float:
    number = _NUMBER.search(name)
    return float(number[0]) if number else 0.0
