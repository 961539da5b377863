"""One turn: tools, limits, honesty, failures."""

import asyncio
import json
from dataclasses import replace

import pytest

from apx.domain.errors import (
    ContextOverflow,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.domain.event import EventKind
from apx.domain.message import Role, ToolCall
from apx.domain.recall import Kind, Memory
from apx.domain.turn import TurnState
from apx.testing import FixedSource, FunctionTool, ScriptedModel, until


def remember(text, call="c1"):
    return ToolCall(call, "remember", json.dumps({"text": text}))


def results(prompt):
    return [m.text for m in prompt if m.role is Role.TOOL]


async def test_a_tool_is_run_and_its_result_goes_back(world, hear):
    """Call and result stand next to each other in the next request."""
    model = ScriptedModel(["Let me note it.", remember("tea at five")], ["Noted: tea."])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("remember tea at five"))

    prompt = model.prompts[1]
    place = next(i for i, m in enumerate(prompt) if m.calls)
    assert prompt[place].text == "Let me note it."
    assert prompt[place + 1].call_id == prompt[place].calls[0].id
    assert "saved as note" in prompt[place + 1].text
    assert turn.final == "Noted: tea."
    assert [note.text for note in await world.book.sync()] == ["tea at five"]


async def test_the_tools_result_is_in_the_next_turns_context(world, hear):
    """A whole group of calls is part of the history."""
    model = ScriptedModel([remember("tea")], ["ok"], ["next"])
    async with world.open(model) as gateway:
        await world.ask(gateway, hear("a"))
        await world.ask(gateway, hear("b"))

    assert len(results(model.prompts[2])) == 1


@pytest.mark.parametrize(
    "arguments", ["", "{", "[]", "null", '{"text": 5}', '{"text": ""}', '"x"', "\x00"]
)
async def test_wrong_arguments_are_answered_to_the_model(world, hear, arguments):
    """The model can mend them; nothing is saved and nothing crashes."""
    model = ScriptedModel([ToolCall("c", "remember", arguments)], ["sorry"])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("x"))

    [result] = results(model.prompts[1])
    assert "argument" in result
    assert turn.final == "sorry"
    assert await world.book.sync() == []


async def test_an_unknown_tool_is_answered_to_the_model(world, hear):
    """With the names of those that there are."""
    model = ScriptedModel([ToolCall("c", "fly", "{}")], ["ok"])
    async with world.open(model) as gateway:
        await world.ask(gateway, hear("x"))

    assert "remember" in results(model.prompts[1])[0]


async def test_parallel_calls_run_side_by_side(world, hear):
    """Two calls that wait for each other would hang if they ran in a row."""
    barrier = asyncio.Barrier(2)

    async def meet(_):
        await barrier.wait()
        return "met"

    world.tools.append(FunctionTool("meet", meet))
    calls = [ToolCall("same", "meet", "{}"), ToolCall("same", "meet", '{"b": 1}')]
    model = ScriptedModel(calls, ["ok"])
    async with world.open(model) as gateway:
        await world.ask(gateway, hear("x"))

    assert results(model.prompts[1]) == ["met", "met"]
    ids = [call.id for m in model.prompts[1] for call in m.calls]
    assert len(set(ids)) == 2


async def test_iterations_are_limited(world, hear):
    """Then the model is asked once more, without tools."""
    count = iter(range(1000))
    world.policy = replace(world.policy, max_iterations=3)

    def script(_):
        if len(model.prompts) <= 3:
            return [ToolCall("c", "remember", f'{{"text": "n{next(count)}"}}')]
        return ["enough"]

    model = ScriptedModel(script)
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("x"))

    assert turn.final == "enough"
    assert [bool(tools) for tools in model.tools] == [True, True, True, False]


async def test_the_same_call_with_the_same_result_is_stuck(world, hear):
    """After four times it is not asked with tools again."""

    async def same(_):
        return "same"

    world.tools.append(FunctionTool("look", same))
    model = ScriptedModel(
        lambda _: ["done"] if not model.tools[-1] else [ToolCall("c", "look", "{}")]
    )
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("x"))

    assert turn.final == "done"
    assert len(model.prompts) == 5


async def test_too_many_calls_are_refused_before_any_runs(world, hear):
    """129 at once is not a plan."""
    calls = [ToolCall(f"c{n}", "remember", f'{{"text": "{n}"}}') for n in range(129)]
    async with world.open(ScriptedModel(calls)) as gateway:
        turn = await world.ask(gateway, hear("x"))

    assert turn.state is TurnState.FAILED
    assert "129" in world.channel.sent[0].text
    assert await world.book.sync() == []


async def test_a_long_result_is_bounded_between_characters(world, hear):
    """16 KiB is kept whole; of more, a preview of 8 KiB that says so."""

    async def long(arguments):
        return "ñ" * json.loads(arguments)["n"]

    world.tools.append(FunctionTool("long", long))
    fits = ToolCall("c1", "long", '{"n": 8192}')
    over = ToolCall("c2", "long", '{"n": 8193}')
    model = ScriptedModel([fits, over], ["ok"], ["next"])
    async with world.open(model) as gateway:
        await world.ask(gateway, hear("x"))
        await world.ask(gateway, hear("y"))

    whole, cut = results(model.prompts[1])
    assert whole == "ñ" * 8192
    assert len(cut.encode()) <= 8192
    assert "cut" in cut
    assert results(model.prompts[2]) == []


async def test_a_claim_without_a_save_is_made_true(world, hear):
    """The person asked for it, so it is saved, and the number proves it."""
    model = ScriptedModel(["I'll remember that."])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("remember that the cat is called Tom"))

    [note] = await world.book.sync()
    assert note.text == "the cat is called Tom"
    assert f"note {note.id}" in turn.final


async def test_a_claim_that_nobody_asked_for_is_corrected(world, hear):
    """Nothing was saved, and the reply says so."""
    async with world.open(ScriptedModel(["I've saved that for later."])) as gateway:
        turn = await world.ask(gateway, hear("I had soup today"))

    assert await world.book.sync() == []
    assert "nothing was saved" in turn.final


async def test_a_true_claim_stays_as_it_is(world, hear):
    """After a save that worked there is nothing to add."""
    model = ScriptedModel([remember("soup")], ["I've saved it."])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("remember soup"))

    assert turn.final == "I've saved it."


@pytest.mark.parametrize(
    "error",
    [
        ProviderUnavailable("x:y is away", provider="x"),
        ProviderMisconfigured("bad key: set engines.x.api_key", provider="x", key="k"),
        ProviderRefused("refused by its rules", provider="x"),
        ContextOverflow("too long", provider="x"),
    ],
)
async def test_a_failure_is_told_and_kept(world, hear, error):
    """What was shown stays in the log, the reason is the reply, the thread goes on."""

    def script(messages):
        return ["half", error] if messages[-1].text == "a" else ["fine"]

    async with world.open(ScriptedModel(script)) as gateway:
        failed = await world.ask(gateway, hear("a"))
        fine = await world.ask(gateway, hear("b"))

    assert failed.state is TurnState.FAILED
    assert failed.partial.startswith("half")
    assert failed.error == str(error)
    assert str(error) in world.channel.sent[0].text
    assert fine.final == "fine"


async def test_an_overflow_is_asked_again_with_less(world, hear):
    """Once; the model's window was smaller than it said."""
    overflow = ContextOverflow("too long", provider="x")
    model = ScriptedModel([overflow], ["fits"])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("long " * 20_000))

    sizes = [sum(len(m.text) for m in prompt) for prompt in model.prompts]
    assert turn.final.startswith(
        "fits\n\n(Your message is longer than this model reads"
    )
    assert sizes[1] < sizes[0] * 0.6


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_an_empty_answer_is_a_failure(world, hear, text):
    """Never an empty message."""
    async with world.open(ScriptedModel([text] if text else [])) as gateway:
        turn = await world.ask(gateway, hear("a"))

    assert turn.state is TurnState.FAILED
    assert world.channel.sent[0].text.strip()


async def test_what_memory_brings_is_in_the_prompt_once(world, hear, clock):
    """Just before the message, and its record is kept with the turn."""
    memory = Memory(
        Kind.NOTE, "the key is under the mat", clock(), "telegram", "note 1"
    )
    world.sources = [FixedSource("notes", [memory])]
    model = ScriptedModel(["ok"])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("where is the key?"))

    *_, block, message = model.prompts[0]
    assert message.text == "where is the key?"
    assert block.text.count("• [2030-01-01][telegram] the key is under the mat") == 1
    whole = "\n".join(m.text for m in model.prompts[0])
    assert whole.count("under the mat") == 1
    [record] = await world.history.events_of(turn.id, EventKind.RECALL)
    assert record.body["memories"][0]["ref"] == "note 1"


async def test_prompts_begin_alike(world, hear):
    """A provider can reuse what it computed: all of the last prompt but its end."""
    model = ScriptedModel(lambda m: [f"re {m[-1].text}"])
    async with world.open(model) as gateway:
        for number in range(12):
            await world.ask(gateway, hear(f"message {number}"))

    for before, after in zip(model.prompts, model.prompts[1:], strict=False):
        shared = before[:-2]
        assert after[: len(shared)] == shared


async def test_a_model_that_is_being_loaded_is_said_to_be(world, hear):
    """The wait is explained, and nothing is given up."""
    gate = asyncio.Event()
    world.policy = replace(world.policy, patience=0.001)
    async with world.open(ScriptedModel([gate, "here I am"])) as gateway:
        heard = hear("hello")
        await gateway.hear(heard)
        await until(lambda: world.channel.lives and world.channel.lives[0].notices)
        gate.set()
        turn = await gateway.settled(heard.thread, heard.key)

    assert "loading" in world.channel.lives[0].notices[0]
    assert turn.final == "here I am"


async def test_a_model_that_answers_at_once_is_not(world, hear):
    """No notice for nothing."""
    async with world.open(ScriptedModel(["hi"])) as gateway:
        await world.ask(gateway, hear("hello"))

    assert world.channel.lives[0].notices == []
