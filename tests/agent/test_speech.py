"""What is shown while a model speaks, and what of it is kept."""

import pytest

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


async def test_a_repeated_block_is_neither_shown_nor_kept(speech):
    """It comes in pieces; what stands around it does not wait for its end."""
    block = "[MEMORIA RELEVANTE]\n• [2026-11-30][x] tea\n[/MEMORIA RELEVANTE]\n\n"
    pieces = [TextDelta(letter) for letter in f"Well. {block}At five [mem"]

    reply = await speech.hear(
        Saying(*pieces, Finish(FinishReason.STOP)), [], [], Options()
    )

    assert reply.text == "Well. At five [mem"
    assert "".join(speech.live.shown) == reply.text
    assert speech._output(whole=True).body["text"] == reply.text


async def test_half_a_password_is_not_written(speech, ledger):
    """It grows a letter at a time; whatever is written meanwhile has none of it."""
    said = "the token is " + "sk" + "-proj-Ab1" * 9 + " and tea is at five"
    written = []
    for letter in said:
        await speech.hear(Saying(TextDelta(letter)), [], [], Options())
        if event := speech._output(whole=False):
            written.append(event.body["text"])
            await ledger.record(event)
    await speech.flush()

    [turn] = await ledger.running()
    assert len(written) > 3
    assert turn.partial == "the token is [secret: openai] and tea is at five"
