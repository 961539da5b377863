"""What a message of a platform is called by us."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageId:
    """A message, by numbers that another bot or a chat that moved cannot have."""

    bot_id: int
    chat_id: int
    message_id: int

    def __str__(self) -> str:
        return f"{self.bot_id}.{self.chat_id}.{self.message_id}"

    @classmethod
    def parse(cls, text: str) -> MessageId | None:
        """Read one; none if it is something else, such as an id of ours."""
        try:
            bot_id, chat_id, message_id = text.split(".")
            return cls(int(bot_id), int(chat_id), int(message_id))
        except ValueError:
            return None
