"""Buttons that were pressed: what the door says of it, shown where it belongs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog
from aiogram.methods import AnswerCallbackQuery, EditMessageReplyMarkup

from apx.domain.errors import ApxError
from apx.domain.heard import Notice, Press
from apx.domain.text import excerpt
from channels.shared.pressing import Outcome, decided
from channels.shared.raw import Raw, maybe_number, part, said, section, text
from channels.telegram import hearing, keyboard
from channels.telegram.updates import topic

if TYPE_CHECKING:
    from aiogram.methods import TelegramMethod

    from apx.ports import Clock, Door
    from channels.shared.answering import Answers
    from channels.telegram.client import Client
    from channels.telegram.hearing import Ears
    from channels.telegram.waits import Waits

log = structlog.get_logger(__name__)

EXPIRED: Final = "This button has expired."
_TOAST: Final = 200


@dataclass(frozen=True, slots=True)
class Hands:
    """What a press needs: the door, and the ways to show what came of it."""

    door: Door
    client: Client
    answers: Answers
    ears: Ears
    clock: Clock
    waits: Waits


class Presses:
    """Takes presses one by one; each is answered, for a client waits for that."""

    def __init__(self, hands: Hands, group: asyncio.TaskGroup) -> None:
        self._hands = hands
        self._group = group

    async def take(self, query: Raw) -> None:
        """Have a button do what it says; showing that goes on by itself."""
        press = self._read(query)
        number = text(query, "id")
        if press is None:
            expired = Outcome(EXPIRED, is_refused=True)
            self._group.create_task(self._toast(number, expired))
            return
        deed = self._group.create_task(decided(self._hands.door, press))
        self._group.create_task(self._shown(query, press, deed))
        await self._done(deed)

    async def stop(self, stopped: Raw) -> None:
        """Have the button under a growing reply do what it says."""
        press = hearing.stopped(stopped, self._hands.ears, self._hands.clock())
        if press is not None:
            await self._done(self._group.create_task(decided(self._hands.door, press)))

    async def _done(self, deed: asyncio.Task[Outcome]) -> None:
        await asyncio.wait({deed}, timeout=self._hands.waits.hold)
        if deed.done() and (error := deed.result().error):
            raise error

    def _read(self, query: Raw) -> Press | None:
        """Read a press; nothing if its message cannot be seen any more."""
        message = part(query, "message")
        data = said(query, "data")
        if not data or not maybe_number(message, "date"):
            return None
        chat = section(message, "chat")
        who = hearing.caller(
            section(query, "from"), chat, topic(message), self._hands.ears
        )
        return Press(who, data, self._hands.clock())

    async def _shown(
        self, query: Raw, press: Press, deed: asyncio.Task[Outcome]
    ) -> None:
        number = text(query, "id")
        await asyncio.wait({deed}, timeout=self._hands.waits.toast)
        is_late = not deed.done()
        if is_late:
            await self._toast(number, Outcome())
        outcome = await deed
        if outcome.error:
            return  # it is tried again, or set aside
        fits = len(outcome.text) <= _TOAST and not is_late
        shown = not is_late and await self._toast(
            number, outcome if fits or outcome.is_refused else Outcome()
        )
        if outcome.is_refused:
            # A client whose press was answered takes no alert any more; nothing of a
            # refusal is for a whole group.
            if is_late and not press.caller.group:
                self._hands.answers.say(press.caller.thread, Notice(outcome.text))
            if outcome.is_over:
                await self._tidied(part(query, "message"), press.data)
            return
        if outcome.text and not (fits and shown):
            self._hands.answers.say(press.caller.thread, Notice(outcome.text))
        await self._tidied(part(query, "message"), press.data)

    async def _toast(self, number: str, outcome: Outcome) -> bool:
        """Answer a press; false if it was too late to show anything."""
        shown = AnswerCallbackQuery(
            callback_query_id=number,
            text=excerpt(outcome.text, _TOAST) or None,
            show_alert=outcome.is_refused or None,
        )
        return await self._called(shown)

    async def _tidied(self, message: Raw, data: str) -> None:
        """Take the row away that was pressed: it has done what it could."""
        rows = part(message, "reply_markup").get("inline_keyboard")
        if not isinstance(rows, list):
            return
        others = [row for row in rows if not _holds(row, data)]
        kept = keyboard.without({"inline_keyboard": others}, data)
        edit = EditMessageReplyMarkup(
            chat_id=maybe_number(part(message, "chat"), "id"),
            message_id=maybe_number(message, "message_id"),
            reply_markup=kept,
        )
        await self._called(edit)

    async def _called(self, method: TelegramMethod[Any]) -> bool:
        try:
            await self._hands.client.call(method)
        except (ApxError, TimeoutError) as error:
            log.info("telegram_press_not_shown", error=type(error).__name__)
            return False
        return True


def _holds(row: object, data: str) -> bool:
    buttons = row if isinstance(row, list) else []
    return any(
        isinstance(button, dict) and button.get("callback_data") == data
        for button in buttons
    )
