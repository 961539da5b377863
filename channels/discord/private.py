"""What of a guild is one person's alone: which answers, and the other way to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.heard import Notice
from channels.discord.raw import snowflake
from channels.shared.answering import FAILURES

if TYPE_CHECKING:
    from apx.domain.heard import Caller
    from channels.discord.interactions_reply import Hands

log = structlog.get_logger(__name__)

# What these do is done to the conversation of all.
_EVERYBODYS: Final = frozenset({"new", "stop", "retry", "compact"})


def is_private(command: str, group: str) -> bool:
    """Whether the answer of a command is for whoever gave it alone."""
    return bool(group) and command not in _EVERYBODYS


async def told_late(hands: Hands, caller: Caller, command: str, notice: Notice) -> None:
    """Say an answer that came too late for its command, in the right place.

    A private one of a guild goes to a private chat, or is not said: then the channel
    is told to ask again.
    """
    if not is_private(command, caller.group):
        hands.answers.say(caller.thread, notice)
        return
    try:
        user = caller.account.user
        raw = await hands.client.call(
            "POST", "/users/@me/channels", json={"recipient_id": user}
        )
        place = snowflake(raw, "id")
        await hands.places.keep_dm(place, int(user))
        await hands.tell(hands.places.thread(place), notice)
    except FAILURES as error:
        log.info("discord_no_private_chat", error=type(error).__name__)
        lost = f"Your answer to /{command} came too late; please ask again."
        hands.answers.say(caller.thread, Notice(lost))
