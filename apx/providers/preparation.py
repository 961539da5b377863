"""Owns how texts are dressed for a model that was trained on dressed ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from apx.domain.text import clean, cut_bytes

# As `estimate_tokens` counts, rather too many than too few.
_BYTES_A_TOKEN: Final = 3


@dataclass(frozen=True, slots=True)
class Preparation:
    """What stands before a document and before a query, and how long both may be.

    Vectors of differently prepared texts are never compared, so the name is a part of
    an embedder's identity.
    """

    name: str = ""
    document: str = ""
    query: str = ""
    tokens: int = 2048

    @property
    def suffix(self) -> str:
        """The end of the identity: `+search`, or nothing."""
        return f"+{self.name}" if self.name else ""

    def as_document(self, text: str) -> str:
        """Dress a text that is to be found."""
        return self.document + self._cut(text, self.document)

    def as_query(self, text: str) -> str:
        """Dress a text that looks for others."""
        return self.query + self._cut(text, self.query)

    def _cut(self, text: str, before: str) -> str:
        room = self.tokens * _BYTES_A_TOKEN - len(before.encode())
        # A lone surrogate is an error to every library that sends it.
        return cut_bytes(clean(text), room)


_REPRESENT: Final = "Represent this sentence for searching relevant passages: "
_REPRESENT_ZH: Final = "为这个句子生成表示以用于检索相关文章\uff1a"
_INSTRUCT: Final = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the "
    "query\nQuery:"
)
TITLED: Final = Preparation(
    "titled", "title: none | text: ", "task: search result | query: "
)

# As the makers of each model document it, the more special name first.
_KNOWN: Final = (
    (r"nomic-embed-text-v2", ("search", "search_document: ", "search_query: ", 512)),
    (r"nomic-embed-text", ("search", "search_document: ", "search_query: ", 2048)),
    (r"e5-.*instruct", ("instruct", "", f"{_INSTRUCT} ", 512)),
    (r"\be5-", ("e5", "passage: ", "query: ", 512)),
    (r"mxbai-embed", ("represent", "", _REPRESENT, 512)),
    (r"bge-(small|base|large)-zh", ("represent", "", _REPRESENT_ZH, 512)),
    (r"bge-(small|base|large)", ("represent", "", _REPRESENT, 512)),
    (r"arctic-embed(2|-[ml]-v2)", ("query", "", "query: ", 8192)),
    (r"arctic-embed", ("represent", "", _REPRESENT, 512)),
    (r"qwen3-embedding", ("instruct", "", _INSTRUCT, 8192)),
    (r"all-minilm", ("", "", "", 256)),
    (r"bge-m3|text-embedding-(3|ada)", ("", "", "", 8000)),
)


def preparation_of(model: str) -> Preparation:
    """Give the preparation that a model's name asks for."""
    name = model.lower()
    if "embeddinggemma" in name or "gemini-embedding-2" in name:
        return TITLED
    for pattern, wanted in _KNOWN:
        if re.search(pattern, name):
            return Preparation(*wanted)
    return Preparation()
