"""What of a chunk is embedded: the indexer's own words for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.space import Wanted
from apx.memory.filling import _text as written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.chunk import Stored


def prepared_texts(rows: Sequence[Stored], name: str) -> list[str]:
    """Give the text that an embedder is given for each chunk."""
    del name
    return [
        written(
            Wanted(
                chunk=row.id,
                audience=row.chunk.audience,
                speaker=row.chunk.speaker,
                text=row.chunk.text,
                is_lacking=True,
            )
        )
        for row in rows
    ]
