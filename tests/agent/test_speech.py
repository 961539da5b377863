"""What is shown while a model speaks, and what of it is kept."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.agent.resting import rested, settled
from apx.agent.run import Run
from apx.agent.speech import Speech
from apx.domain.event import EventKind
from apx.domain.message import (
    Finish,
    FinishReason,
    Options,
    Served,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.testing import RecordingLive

CALL = ToolCall("c1", "look", "{}")


class Saying:
    """A model that says exactly these deltas."""

    name = "saying:one"
    window = 8000

    def __init__(self, *deltas):
        self._deltas = deltas

    async def stream(self, messages, tools, options):
        del messages, tools, options
        for delta in self._deltas:
            yield delta


@pytest.fixture
async def speech(ledger, clock, hear):
    heard = hear("hello")
    await ledger.accept(heard)
    turn = await ledger.begin(heard.thread, clock())
    assert turn is not None
    return Speech(Run(turn), RecordingLive(), ledger, clock)


async def test_a_reply_is_put_together(speech):
    """Texts and calls in order, usage summed, the reason of its end."""
    model = Saying(
        TextDelta("a"),
        Usage(10, 1),
        CALL,
        TextDelta("b"),
        Usage(0, 4, 2),
        Finish(FinishReason.LENGTH),
    )

    reply = await speech.hear(model, [], [], Options())

    assert (reply.text, reply.calls) == ("ab", (CALL,))
    assert reply.usage == Usage(10, 5, 2)
    assert reply.reason is FinishReason.LENGTH


async def test_usage_may_come_after_the_end(speech):
    """Some vendors send it last."""
    model = Saying(TextDelta("a"), Finish(FinishReason.LENGTH), Usage(10, 1))

    reply = await speech.hear(model, [], [], Options())

    assert (reply.usage, reply.reason) == (Usage(10, 1), FinishReason.LENGTH)


async def test_the_model_that_really_answers_is_named(speech):
    """Of a chain, also in the rounds after."""
    finish = Finish(FinishReason.STOP)
    await speech.hear(Saying(Served("second:one"), finish), [], [], Options())
    assert speech.model == "second:one"


async def test_what_is_flushed_is_there_once(speech, history, ledger):
    """Piece after piece, each an event of its own."""
    for text in ("one ", "two ", "two "):
        await speech.hear(Saying(TextDelta(text)), [], [], Options())
        await speech.flush()
        await speech.flush()

    [turn] = await ledger.running()
    events = await history.events_of(turn.id, EventKind.OUTPUT)
    assert turn.partial == "one two two "
    assert [event.body["text"] for event in events] == ["one ", "two ", "two "]


async def test_a_repeated_block_is_neither_shown_nor_kept(speech, ledger):
    """It comes in pieces; what stands around it does not wait for its end."""
    block = "[MEMORIA RELEVANTE]\n• [2026-11-30][x] tea\n[/MEMORIA RELEVANTE]\n\n"
    pieces = [TextDelta(letter) for letter in f"Well. {block}At five [mem"]

    reply = await speech.hear(
        Saying(*pieces, Finish(FinishReason.STOP)), [], [], Options()
    )

    assert reply.text == "Well. At five [mem"
    assert "".join(speech.live.shown) == reply.text
    await speech.flush()
    [turn] = await ledger.running()
    assert turn.partial == reply.text


async def shown(speech, ledger, pieces, windows):
    """Show pieces with so many windows after each; give what was written each time."""
    written = []
    for piece in pieces:
        await speech.hear(Saying(TextDelta(piece)), [], [], Options())
        for _ in range(windows):
            speech._flush_soon()
            await ledger.withdraw(
                speech._run.turn.thread, "none", speech._clock()
            )  # a write behind the one before
            [turn] = await ledger.running()
            written.append(turn.partial)
    speech.close()
    return list(dict.fromkeys(written))


KEY = "sk" + "-proj-Ab1" * 9


@pytest.mark.parametrize("windows", [1, 4])
async def test_half_a_password_is_not_written(speech, ledger, windows):
    """It grows a letter at a time, fast or slowly; what is written has none of it."""
    said = f"Here it is. The token is {KEY} and more. Tea is at five. So"

    written = await shown(speech, ledger, said, windows)
    await speech.flush()

    [turn] = await ledger.running()
    assert len(written) > 3
    assert not any("sk-" in text for text in written)
    assert turn.partial == said.replace(KEY, "[secret: openai]")


async def test_a_pause_within_a_key_shows_nothing_of_it(speech, ledger):
    """A model on a slow line stops anywhere; words that announce none are written."""
    pieces = ("thinking", f"... your key: {KEY[:20]}", KEY[20:], " there")

    written = await shown(speech, ledger, pieces, 4)

    assert written[:2] == ["", "thinking"]
    assert not any("Ab1" in text for text in written)


async def test_what_turns_out_to_be_a_part_of_a_password_is_taken_back(
    speech, ledger, history
):
    """Nothing is garbled either; replaying the log gives the same."""
    written = await shown(speech, ledger, ("It is 41", "11 1111", " 1111 1111."), 4)
    await speech.flush()

    [turn] = await ledger.running()
    events = await history.events_of(turn.id, EventKind.OUTPUT)
    assert written == ["", "It is 41"]
    assert turn.partial == "It is [secret: card]."
    assert "".join(event.body["text"] for event in events) == turn.partial


def test_a_sentence_is_whole_at_its_end():
    """In scripts without spaces too; a list without sentences is written bit by bit."""
    assert settled("It is so. And t", 0) == len("It is so. ")
    assert settled("It is v1.2 of", 0) == 0
    assert settled("one\ntwo", 0) == len("one\n")
    assert settled("猫。犬", 0) == 2
    assert settled("word " * 100, 0) == 300
    assert settled("猫" * 500, 0) == 300


@given(st.text(alphabet="aB1 .\n。", max_size=900), st.integers(0, 50))
def test_it_goes_only_forward(text, since):
    """And never beyond the end."""
    since = min(since, len(text))
    assert since <= settled(text, since) <= rested(text, since) <= len(text)


@pytest.mark.parametrize("piece", ["aA", "a", "A-", ". ", "sk-", "1", "]"])
def test_long_replies_are_looked_at_in_time(piece):
    """A hundred thousand characters, many times a minute."""
    began = time.process_time()
    rested(piece * (100_000 // len(piece)), 0)
    assert time.process_time() - began < 0.5
