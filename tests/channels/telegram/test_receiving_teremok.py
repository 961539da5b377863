"""What somebody else's library takes for Telegram's updates, through our handlers."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiogram.methods import AnswerCallbackQuery, SendMessage
from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup
from teremok import (
    MockCallbackQuery,
    MockChat,
    MockMessageDocument,
    MockMessagePhoto,
    MockMessageText,
    MockMessageVoice,
    MockUpdate,
    MockUser,
)
from teremok.session import MockedSession

from apx.domain.attachment import Medium
from apx.domain.heard import Button, What
from channels.shared.answering import Answers
from channels.shared.journal import Journal
from channels.shared.troubles import Troubles
from channels.telegram.groups import Me
from channels.telegram.hearing import Ears
from channels.telegram.insisting import Line
from channels.telegram.pressing import Hands
from channels.telegram.receiving import Receiver
from channels.telegram.rooms import Rooms
from channels.telegram.settings import BotSettings
from tests.channels.telegram.hearers import SWIFT, RecordingDoor, clock
from tests.channels.telegram.parts import outfit
from tests.servers.telegram import TOKEN

ANA = MockUser(7, "Ana", "ana")
ROOM = MockChat(-100500, "supergroup", title="Home")


class Bench:
    """A receiver on a connection that is teremok's."""

    def __init__(self, receiver, door, session):
        self.receiver = receiver
        self.door = door
        self.session = session

    async def take(self, **update: Any):
        """Take an update as it would come over the wire."""
        made: Any = MockUpdate(**update)
        raw = made.model_dump(mode="json", by_alias=True, exclude_none=True)
        for name in ("message", "edited_message"):
            if name in raw:  # seconds, as the API has them
                raw[name]["date"] = int(made.event.date.timestamp())
        if "callback_query" in raw:
            raw["callback_query"]["message"]["date"] = 1_900_000_000
        await self.receiver.take(raw)
        return raw

    def made(self, kind):
        return [one for one in self.session.requests if isinstance(one, kind)]


@asynccontextmanager
async def opened(**settings):
    session, door = MockedSession(), RecordingDoor()
    given = BotSettings(name="main", token=TOKEN, **settings)
    async with outfit("http://127.0.0.1:9", session=lambda: session) as bot:
        bot.time.flows = True
        journal = Journal(bot.client.bot_id, bot.drawer, clock)
        async with asyncio.TaskGroup() as group:
            answers = Answers(door, bot.sender.tell, journal, group, SWIFT)
            ears = Ears(Me(bot.client.bot_id, "loop_bot"), given, bot.places.thread)
            hands = Hands(door, bot.client, answers, ears, clock, SWIFT)
            line = Line(bot.client, Troubles(clock), SWIFT, "bots[0].token")
            rooms = Rooms(line, given, bot.places, bot.drawer)
            receiver = Receiver(hands, journal, line.troubles, rooms, group)
            yield Bench(receiver, door, session)


async def test_a_text_is_heard_and_a_command_answered():
    async with opened() as bench:
        bench.door.answers["/help"] = "this is what I can do"
        await bench.take(message=MockMessageText("hello", ANA))
        raw = await bench.take(message=MockMessageText("/help", ANA))
        await bench.receiver.take(raw)  # once more, as after a crash

    assert bench.door.texts == ["hello", "/help"]
    assert [one.text for one in bench.made(SendMessage)] == ["this is what I can do"]


@pytest.mark.parametrize(
    ("message", "medium", "ref"),
    [
        (MockMessagePhoto("p1", "look", ANA), Medium.PHOTO, "p1"),
        (MockMessageDocument("d1", "a.pdf", "read", ANA), Medium.DOCUMENT, "d1"),
        (MockMessageVoice("v1", 3, ANA), Medium.VOICE, "v1"),
    ],
)
async def test_attachments_are_named(message, medium, ref):
    async with opened() as bench:
        await bench.take(message=message)

    [heard] = bench.door.heard
    assert (heard.files[0].medium, heard.files[0].ref) == (medium, ref)
    assert heard.text == (message.caption or "")


async def test_a_press_is_done_and_answered():
    row = [[InlineKeyboardButton(text="Keep", callback_data="accept:3")]]
    message = MockMessageText(
        "facts", ANA, reply_markup=InlineKeyboardMarkup(inline_keyboard=row)
    )
    async with opened() as bench:
        bench.door.outcome = "Kept."
        query = MockCallbackQuery("accept:3", ANA, message)
        await bench.take(callback_query=query)

    assert [press.data for press in bench.door.pressed] == ["accept:3"]
    assert [one.text for one in bench.made(AnswerCallbackQuery)] == ["Kept."]


async def test_answers_have_buttons_that_the_api_takes():
    async with opened() as bench:
        bench.door.answers["/model"] = "which one?"
        bench.door.under = tuple(Button(f"model {n}", f"model:{n}") for n in range(5))
        await bench.take(message=MockMessageText("/model", ANA))

    [sent] = bench.made(SendMessage)
    rows = sent.reply_markup.inline_keyboard
    assert [b.callback_data for row in rows for b in row] == [
        f"model:{n}" for n in range(5)
    ]


async def test_an_edit_and_a_rooms_words_are_what_they_are():
    async with opened(group_context=True) as bench:
        await bench.take(edited_message=MockMessageText("new", ANA, edit_date=9))
        await bench.take(message=MockMessageText("chatter", ANA, ROOM))

    assert [one.what for one in bench.door.heard] == [What.EDIT, What.CONTEXT]
