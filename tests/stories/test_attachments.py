"""What people attach, in a whole home: found later, and gone when it is forgotten."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from apx.config import Config
from apx.domain.access import Rules
from apx.domain.attachment import Attachment, Medium
from apx.domain.erasing import ErasePassage, EraseThread
from apx.domain.heard import Caller, Heard, What
from apx.domain.person import Account, Role
from apx.domain.thread import Thread
from apx.store.verify import verify
from apx.testing import MemoryChannel
from apx.wiring import opened

ANA = Account("telegram", "main", "5")
CHAT = Thread("telegram", "main:5")
NOTES = Attachment(Medium.DOCUMENT, "notes", title="plan.txt", media_type="text/plain")
SECRET = b"the zeppelin leaves from hangar seventeen"


@asynccontextmanager
async def home(path):
    """A home whose Telegram is a list."""
    channel = MemoryChannel("telegram")
    channel.files["notes"] = SECRET
    async with (
        opened(Config(), path, "apx exec", others={"telegram": channel}) as house,
        house.gateway.open(),
        house.gathering.open(),
    ):
        if await house.who.people.known(ANA) is None:
            now = datetime.now(UTC)
            await house.who.people.add(ANA, Role.MEMBER, "Ana", now, paired=True)
        yield house


async def say(house, text, *files, name="1", what=What.MESSAGE, revision=""):
    heard = Heard(
        Caller(ANA, CHAT, "Ana"),
        text,
        datetime.now(UTC),
        name,
        what,
        files=files,
        revision=revision,
    )
    door = house.doors.of("telegram", {"main": Rules()})
    answer = await door.hear(heard)
    if what is What.MESSAGE and answer is None:
        return await house.gateway.settled(CHAT, f"{CHAT}/{name}")
    return answer


def holding(path, passage):
    """Name the files of a home that hold something."""
    return [
        str(one.relative_to(path))
        for one in path.rglob("*")
        if one.is_file() and passage in one.read_bytes()
    ]


@pytest.mark.parametrize(
    "wish",
    [
        ErasePassage("zeppelin leaves from hangar", ("private:owner", "private:ana")),
        EraseThread(str(CHAT), ("private:owner", "private:ana")),
    ],
    ids=["passage", "thread"],
)
async def test_a_forgotten_document_leaves_no_byte(tmp_path, wish):
    """Neither its text in any database, nor the file itself; others stay."""
    async with home(tmp_path) as house:
        turn = await say(house, "keep this plan", NOTES)
        audiences = (turn.audience,)
        await house.memory.recall.keep_up()
        before = holding(tmp_path, b"hangar seventeen")
        wish = type(wish)(
            wish.text if isinstance(wish, ErasePassage) else wish.name, audiences
        )
        removed = await house.memory.forgetting.erase(wish)

    assert any(name.startswith("files/") for name in before)
    assert holding(tmp_path, b"hangar seventeen") == []
    assert any("attached" in one for one in removed.files)
    assert await verify(tmp_path / "ledger.db") == []


async def test_what_was_corrected_is_found_from_elsewhere(tmp_path):
    """Although nothing was said there since: the edit itself is remembered."""
    async with home(tmp_path) as house:
        await say(house, "the ferry leaves at nine", name="1")
        await say(
            house,
            "the ferry leaves at eleven",
            name="1",
            what=What.EDIT,
            revision="2",
        )
        await house.memory.recall.keep_up()
        found = await say(house, "/memory search ferry leaves", name="3")

    assert found is not None
    assert "eleven" in str(found)
