"""What people send besides text: pictures, files, voices, places."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

from tests.servers.telegram.people import People
from tests.servers.telegram.sending import picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.telegram.chats import Json

JPEG = b"\xff\xd8\xff\xe0 a picture \xff\xd9"


class Things(People):
    """Files and the like; `size` may claim more than is there."""

    def photo(
        self,
        content: bytes = JPEG,
        caption: str = "",
        *,
        size: int | None = None,
        **where: Any,
    ) -> Json:
        """Send a picture."""
        file = self.files.keep(content, "photo.jpg", "photos", size)
        return self.post(picture(file) | _captioned(caption), **where)

    def document(
        self,
        content: bytes,
        name: str | None = "notes.txt",
        caption: str = "",
        *,
        mime: str | None = "text/plain",
        size: int | None = None,
        **where: Any,
    ) -> Json:
        """Send a file; name and type are what the sender claims, or missing."""
        file = self.files.keep(content, name or "file", "documents", size)
        told = file.brief | ({"file_name": name} if name else {})
        told |= {"mime_type": mime} if mime else {}
        return self.post({"document": told} | _captioned(caption), **where)

    def voice(
        self,
        content: bytes = b"OggS a voice",
        seconds: int = 3,
        *,
        size: int | None = None,
        **where: Any,
    ) -> Json:
        """Send a voice note."""
        file = self.files.keep(content, "voice.oga", "voice", size)
        told = file.brief | {"duration": seconds, "mime_type": "audio/ogg"}
        return self.post({"voice": told}, **where)

    def audio(
        self, content: bytes = b"ID3 a song", name: str = "song.mp3", **where: Any
    ) -> Json:
        """Send music."""
        file = self.files.keep(content, name, "music")
        told = file.brief | {"duration": 180, "mime_type": "audio/mpeg"}
        return self.post({"audio": told | {"file_name": name}}, **where)

    def album(
        self,
        contents: Sequence[bytes],
        caption: str = "",
        *,
        kind: str = "photo",
        shuffled: bool = False,
        chat: int | None = None,
        user: int | None = None,
        **where: Any,
    ) -> list[Json]:
        """Send several pictures, or files, as one; updates may come out of order."""
        group = {"media_group_id": str(next(self.numbers))}
        messages = []
        for number, content in enumerate(contents):
            name = "photo.jpg" if kind == "photo" else f"file{number + 1}.txt"
            file = self.files.keep(content, name, f"{kind}s")
            told = file.brief | {"file_name": name}
            item = picture(file) if kind == "photo" else {"document": told}
            item |= group | (_captioned(caption) if number == 0 else {})
            messages.append(self._put(item, chat, user, **where))
        order = list(messages)
        if shuffled:
            Random(len(order)).shuffle(order)  # noqa: S311 -- to be the same again
        for message in order:
            self._spread(message, where.get("to"))
        return deepcopy(messages)

    def sticker(self, emoji: str = "👍", **where: Any) -> Json:
        """Send a sticker."""
        file = self.files.keep(b"RIFF a sticker", "sticker.webp", "stickers")
        told = file.brief | {"type": "regular", "width": 512, "height": 512}
        told |= {"is_animated": False, "is_video": False, "emoji": emoji}
        return self.post({"sticker": told}, **where)

    def location(self, latitude: float, longitude: float, **where: Any) -> Json:
        """Send a place."""
        place = {"latitude": latitude, "longitude": longitude}
        return self.post({"location": place}, **where)

    def contact(self, phone: str, name: str, **where: Any) -> Json:
        """Send somebody's number."""
        contact = {"phone_number": phone, "first_name": name}
        return self.post({"contact": contact}, **where)

    def poll(self, question: str, options: Sequence[str], **where: Any) -> Json:
        """Ask many people something."""
        told = [
            {"persistent_id": str(number), "text": option, "voter_count": 0}
            for number, option in enumerate(options)
        ]
        poll: Json = {"id": str(next(self.numbers)), "question": question}
        poll |= {"options": told, "total_voter_count": 0, "type": "regular"}
        poll |= dict.fromkeys(("is_closed", "allows_multiple_answers"), False)
        poll |= {"is_anonymous": True, "allows_revoting": True, "members_only": False}
        return self.post({"poll": poll}, **where)


def _captioned(caption: str) -> Json:
    return {"caption": caption} if caption else {}
