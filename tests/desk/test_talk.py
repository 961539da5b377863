"""A conversation through whoever owns the home."""

import asyncio

import pytest

from apx.desk.local import LocalDesk
from apx.desk.open import open_desk
from apx.desk.talk import Talker, Words
from apx.domain.errors import InputError
from apx.testing import until
from channels.terminal.signs import Arrived, Noticed, Shown, Sign
from tests.desk.conftest import MAIN, owner


def arrived(signs):
    return [(sign.text, sign.is_repeat) for sign in signs if isinstance(sign, Arrived)]


async def test_the_first_owns_the_home_and_the_second_asks_it(tmp_path, config):
    """Both with the same calls."""
    async with open_desk(tmp_path, config, "a") as first:
        assert isinstance(first, LocalDesk)
        async with open_desk(tmp_path, config, "b") as second:
            assert not second.is_owner
            assert (await second.call("status"))["owner"] == "a"


@pytest.mark.parametrize("beside", [False, True])
async def test_words_are_answered_and_shown_once(tmp_path, config, beside):
    """Whether this process owns the home or another one does."""
    signs: list[object] = []
    async with Talker(tmp_path, config, MAIN, "first") as first:
        if beside:
            async with Talker(tmp_path, config, MAIN, "second") as second:
                answer = await second.say(Words.new("hello"), signs.append)
        else:
            answer = await first.say(Words.new("hello"), signs.append)

    assert (answer.text, answer.state) == ("answer to hello", "completed")
    assert arrived(signs) == [("answer to hello", False)]
    streamed = "".join(sign.text for sign in signs if isinstance(sign, Shown))
    assert streamed == "answer to hello"
    async with owner(tmp_path, config) as house:
        assert await house.memory.outbox.counts() == {"sent": 1}


async def test_a_command_is_answered_without_a_turn(tmp_path, config):
    """Nothing arrives later."""
    signs: list[object] = []
    async with Talker(tmp_path, config, MAIN, "test") as talk:
        answer = await talk.say(Words.new("/help"), signs.append)

    assert (answer.turn, answer.state, signs) == (0, "completed", [])
    assert "/retry" in answer.text


async def test_a_refused_message_ends_nothing(tmp_path, config):
    """The next one is answered."""
    async with Talker(tmp_path, config, MAIN, "test") as talk:
        with pytest.raises(InputError):
            await talk.say(Words.new(" "), print)
        answer = await talk.say(Words.new("hello"), lambda _: None)
    assert answer.text == "answer to hello"


async def test_stop_ends_the_answer_that_is_written(tmp_path, config, server):
    """And the conversation goes on."""
    async with Talker(tmp_path, config, MAIN, "test") as talk:
        async with asyncio.TaskGroup() as group:
            saying = group.create_task(
                talk.say(Words.new("slow one"), lambda _: None),
            )
            await server.until_busy()
            talk.stop()
        after = await talk.say(Words.new("hello"), lambda _: None)

    assert saying.result().state == "stopped"
    assert after.state == "completed"


async def test_words_are_taken_along_when_the_owner_leaves(
    tmp_path, config, server, gate
):
    """The same words, under the same id: asked once more, answered and shown once."""
    signs: list[object] = []
    async with asyncio.TaskGroup() as group:
        async with owner(tmp_path, config, drain=0.0) as house:
            talk = await Talker(tmp_path, config, MAIN, "test").__aenter__()
            words = Words.new("slow one")
            saying = group.create_task(talk.say(words, signs.append))
            await server.until_busy()
            await until(lambda: house.gateway.runs.get(MAIN))
        # This very process is the next owner.
        await server.until_idle()
        await server.until_busy()
        gate.opened.set()
        answer = await saying
        await talk.__aexit__(None, None, None)

    assert answer.text == "answer to slow one"
    assert arrived(signs) == [("answer to slow one", False)]
    asked = [request.last.text for request in server.requests]
    assert asked == ["slow one", "slow one"]


async def test_what_arrives_meanwhile_is_overheard(tmp_path, config):
    """Another terminal asked in the same thread; its answer is shown here too."""
    signs: list[object] = []
    async with (
        Talker(tmp_path, config, MAIN, "first") as first,
        Talker(tmp_path, config, MAIN, "second") as second,
        asyncio.TaskGroup() as group,
    ):
        listening = group.create_task(second.overhear(signs.append))
        await first.say(Words.new("hello"), lambda _: None)
        await until(lambda: arrived(signs))
        listening.cancel()

    assert arrived(signs) == [("answer to hello", False)]


async def test_another_messages_answer_is_not_shown_as_ones_own(
    tmp_path, config, gate, server
):
    """It is named as what it is, and ours comes after it."""
    signs: list[Sign] = []
    ours = Words.new("mine", model="openai:tiny")  # another model: it cannot join
    async with (
        Talker(tmp_path, config, MAIN, "first") as first,
        Talker(tmp_path, config, MAIN, "second") as second,
        asyncio.TaskGroup() as group,
    ):
        group.create_task(first.say(Words.new("slow one"), lambda _: None))
        await server.until_busy(1)
        answer = group.create_task(second.say(ours, signs.append))
        await until(lambda: signs)
        gate.opened.set()

    assert (await answer).text == "answer to mine"
    assert isinstance(signs[0], Noticed)
    late = [(s.text, s.is_late) for s in signs if isinstance(s, Arrived)]
    assert late == [("answer to slow one", True), ("answer to mine", False)]
    shown = "".join(sign.text for sign in signs if isinstance(sign, Shown))
    assert shown == "answer to mine"


async def test_leaving_the_only_chat_waits_for_nothing(tmp_path, config, gate, server):
    """The answer is made when the person comes back, and says what it answers."""
    leaving = Talker(tmp_path, config, MAIN, "apx chat")
    async with asyncio.timeout(20), leaving:
        await leaving.offer(Words.new("slow one"))
        await server.until_busy(1)

    gate.opened.set()
    signs: list[Sign] = []
    async with Talker(tmp_path, config, MAIN, "apx chat") as back:
        await back.say(Words.new("and now?"), signs.append)
    texts = [(s.text, s.request) for s in signs if isinstance(s, Arrived)]
    assert texts == [
        ("answer to slow one", "slow one"),
        ("answer to and now?", "and now?"),
    ]
