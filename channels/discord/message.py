"""A message as it goes to Discord: new, or in place of an older one."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.http import MultipartParameters
from discord.utils import _to_json as to_json

if TYPE_CHECKING:
    from channels.shared.code_files import CodeFile

# Discord would fetch every address of a reply: a page that a reply was talked into
# naming would hear of it without anybody pressing the link.
_NO_PREVIEW: Final = 1 << 2


@dataclass(frozen=True, slots=True)
class Message:
    """A message to be sent, or to be put in place of the one that it `edits`.

    `reply_to` is a message of the same channel; its writer is the only one whom this
    may ping, unless it `is_quiet`. A `nonce` of at most 25 letters makes Discord
    swallow a repeat.
    `components` are Discord's own, as `buttons.rows` makes them.
    """

    content: str
    file: CodeFile | None = None
    reply_to: int | None = None
    components: tuple[dict[str, Any], ...] = ()
    edits: int | None = None
    nonce: str = ""
    is_quiet: bool = False


def payload(message: Message) -> dict[str, Any]:
    """Write a message as Discord takes it; nobody but who is answered is pinged."""
    is_reply = message.reply_to is not None
    written: dict[str, Any] = {
        "content": message.content,
        "components": list(message.components),
        "flags": _NO_PREVIEW,
        "allowed_mentions": {
            "parse": [],
            "replied_user": is_reply and not message.is_quiet,
        },
    }
    if message.edits is not None:
        return written
    if message.nonce:
        written |= {"nonce": message.nonce, "enforce_nonce": True}
    if is_reply:
        written["message_reference"] = {
            "message_id": str(message.reply_to),
            "fail_if_not_exists": False,
        }
    return written


def parts(message: Message) -> MultipartParameters | None:
    """Write a message that brings a file; none for one that does not."""
    if message.file is None:
        return None
    file = discord.File(io.BytesIO(message.file.data), message.file.name)
    said = payload(message) | {"attachments": [file.to_dict(0)]}
    form: list[dict[str, Any]] = [
        {"name": "payload_json", "value": to_json(said)},
        {
            "name": "files[0]",
            "value": file.fp,
            "filename": file.filename,
            "content_type": "application/octet-stream",
        },
    ]
    return MultipartParameters(payload=None, multipart=form, files=[file])
