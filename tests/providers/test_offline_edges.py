"""What the model that needs nothing does off the beaten track."""

from apx.domain.message import (
    Finish,
    FinishReason,
    Message,
    Options,
    Role,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.domain.tool import ToolSpec
from apx.providers.offline import OfflineModel
from apx.providers.phrases import phrases

TOOLS = [
    ToolSpec(name, name, {"type": "object"})
    for name in ("remember", "recall_search", "list_notes", "forget_note")
]


async def say(*messages, tools=TOOLS, language=""):
    """Give all that the model streams."""
    stream = OfflineModel(language).stream(messages, tools, Options())
    return [delta async for delta in stream]


async def answer_to(asked, result):
    """Tell what is said after a tool's result."""
    call = ToolCall("offline-1", "recall_search", "{}")
    return text_of(
        await say(
            Message(Role.USER, asked),
            Message(Role.ASSISTANT, "", calls=(call,)),
            Message(Role.TOOL, result, call_id=call.id),
        )
    )


def text_of(deltas):
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


def small_talk(language):
    words = phrases(language)
    return f"{words.small_talk}\n{words.real_model}"


async def test_small_talk_gets_the_short_answer():
    """A thank-you needs no lecture, but to learn how to get a model that chats."""
    assert text_of(await say(Message(Role.USER, "ok thanks"))) == small_talk("")


async def test_what_it_can_do_is_told_when_asked():
    """Memory cannot answer that, and nothing else would help."""
    answer = await answer_to("what can you do?", "nothing found")

    words = phrases("en")
    assert answer.endswith(f"{words.abilities}\n{words.real_model}")


async def test_the_configured_language_answers_where_none_shows():
    """A message of emoji has no language of its own."""
    deltas = await say(Message(Role.USER, "👍"), language="de-AT")

    assert text_of(deltas) == small_talk("de")


async def test_a_missing_tool_is_named_instead_of_called():
    """A turn without tools must not end in a call that nobody runs."""
    deltas = await say(Message(Role.USER, "remember that I live in Rome"), tools=[])

    assert text_of(deltas) == phrases("en").no_tool.format(tool="remember")


async def test_a_failed_search_is_not_told_as_an_empty_one():
    """Nothing found and not able to look are two answers."""
    answer = await answer_to("where is the server?", "error: the index is locked")

    assert answer == "I could not search the memory: error: the index is locked"


async def test_a_reply_comes_in_pieces_and_ends_whole():
    """Streaming is visible, and the end says that nothing was cut off."""
    deltas = await say(Message(Role.USER, "write a poem"))

    *pieces, usage, end = deltas
    assert len(pieces) > 5
    assert all(isinstance(piece, TextDelta) and piece.text for piece in pieces)
    assert usage == Usage(known=True)
    assert end == Finish(FinishReason.STOP)


async def test_a_later_call_has_another_id():
    """A call's id is its place among all calls of the prompt."""
    first = ToolCall("offline-1", "list_notes", "{}")

    [call, usage, end] = await say(
        Message(Role.USER, "my notes"),
        Message(Role.ASSISTANT, "", calls=(first,)),
        Message(Role.TOOL, "no notes", call_id="offline-1"),
        Message(Role.ASSISTANT, "There are no notes yet."),
        Message(Role.USER, "remember that I live in Rome"),
    )

    assert call == ToolCall("offline-2", "remember", '{"text": "I live in Rome"}')
    assert (usage, end) == (Usage(), Finish(FinishReason.TOOLS))


async def test_a_prompt_without_a_person_is_answered_too():
    """A summary may be asked of any model; this one says what it is."""
    deltas = await say(Message(Role.SYSTEM, "Summarise."))

    assert text_of(deltas) == small_talk("en")
