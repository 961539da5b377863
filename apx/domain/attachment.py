"""What came with a message beside its words: named by the platform, kept by us."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from apx.domain.quoted import Quoted


class Medium(StrEnum):
    """What an attachment is, as far as it is treated differently."""

    PHOTO = "photo"
    DOCUMENT = "document"
    VOICE = "voice"
    AUDIO = "audio"
    VIDEO = "video"


# What may be heard; the words in it are read where somebody can.
SPOKEN: Final = frozenset({Medium.VOICE, Medium.AUDIO})


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file of a message.

    `ref` is what its channel fetches it by, `title` its name for people, `size` bytes
    as the platform says, `seconds` how long it sounds. `sha` names its bytes once they
    are kept. `note` says in words for people what of it is not there, and why.
    `is_others` says that somebody else made it: it was forwarded.
    """

    medium: Medium
    ref: str
    title: str = ""
    media_type: str = ""
    size: int = 0
    seconds: int = 0
    sha: str = ""
    note: str = ""
    is_others: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether it was fetched, or it is known why not."""
        return bool(self.sha or self.note)


@dataclass(frozen=True, slots=True)
class Gathered:
    """A request whose attachments were fetched: its words with theirs, and the files.

    `added` are words that its person spoke, in `quoted` is what others wrote.
    """

    key: str
    files: tuple[Attachment, ...]
    added: str = ""
    quoted: tuple[Quoted, ...] = ()
