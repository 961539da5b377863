"""How what is remembered changed over time: old facts beside those that hold now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.domain.facts import claims_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.recall import Memory, Query
    from apx.ports import Source

# What people say of themselves; one question each, as an answer to many at once
# would seem to answer none.
_ABOUT_ME: Final = (
    "Where do I live?",
    "What is my address?",
    "Where do I work?",
    "What is my job?",
    "What is my name?",
    "How old am I?",
    "What is my birthday?",
    "What is my phone number?",
    "What is my e-mail?",
    "Who is my wife or husband?",
    "What car do I drive?",
)


async def over_time(source: Source, query: Query) -> Sequence[Memory]:
    """Give what was found with what it replaced, the oldest first.

    A query without words asks for all that the person says of themselves.
    """
    texts = [query.text] if query.text.strip() else _ABOUT_ME
    found: dict[tuple[str, str], Memory] = {}
    for text in texts:
        asked = replace(query, text=text, history=True)
        for memory in (await source.fetch(asked)).memories:
            found[memory.ref, memory.text] = memory
    if len(texts) > 1:
        found = {key: one for key, one in found.items() if claims_of(one.text)}
    return sorted(found.values(), key=lambda memory: memory.at)[-query.limit :]
