"""Long threads behind the conversation and by hand."""

import asyncio
from dataclasses import replace

import pytest

from apx.domain.compaction import Compaction
from apx.domain.errors import ContextOverflow
from apx.domain.message import Role, ToolCall
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.testing import FixedSource, FunctionTool, ScriptedModel, until
from tests.memory.records import UNHELPFUL, faithful, good, saying

MAIN = Thread("terminal", "main")
GOAL = (
    "I want to redo our kitchen before Christmas. It must cost at most 9000 EUR."
    " Never order from Altona Steel."
)
DONE = "task A is done, now B: order the lamps"


def text_of(prompt):
    return "\n".join(message.text for message in prompt)


async def talk(world, gateway, hear, count, **said):
    """Say so much; `n5="..."` is the fifth message."""
    for number in range(1, count + 1):
        await world.ask(gateway, hear(said.get(f"n{number}", f"and box {number}?")))


async def condensed(world):
    """Give the condensation that serves now."""
    return (await world.history.view(MAIN)).condensation


async def quiet(world, gateway):
    """Wait until nothing is answered or condensed any more."""
    await until(lambda: not gateway._workers and not world.shortening._tasks)


async def test_a_thread_is_condensed_behind_the_reply(world, hear):
    """The 31st turn is more than 60 messages; its reply does not wait."""
    gate = asyncio.Event()
    world.summarisers = [ScriptedModel(lambda prompt: [gate, *faithful(prompt)])]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 30, n1=GOAL)
        await quiet(world, gateway)
        assert world.summarisers[0].prompts == []
        await talk(world, gateway, hear, 1)
        await until(lambda: world.summarisers[0].prompts)
        await talk(world, gateway, hear, 1)
        assert await condensed(world) is None
        gate.set()
        await quiet(world, gateway)
        made = await condensed(world)

    assert (made.first, made.last) == (1, 11)
    assert len(world.summarisers[0].prompts) == 1


async def test_nothing_is_condensed_below_the_threshold(world, hear):
    """Nobody pays for a record that nobody needs."""
    world.summarisers = [good()]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 30)
        await quiet(world, gateway)

    assert world.summarisers[0].prompts == []
    assert world.condensing.trouble == {}


@pytest.mark.parametrize("bad", [UNHELPFUL, "OK", ContextOverflow("x", provider="x")])
async def test_goal_limits_and_tasks_survive_unhelpful_models(world, hear, bad):
    """200 turns, folded three times by rule: word for word, and the newest is last."""
    world.summarisers = [saying(bad)]
    model = ScriptedModel(["fine"])
    async with world.open(model) as gateway:
        await talk(world, gateway, hear, 200, n1=GOAL, n120=DONE)
        await quiet(world, gateway)
        await world.ask(gateway, hear("where are we?"))
    chain = await world.condensing._condenser._condensations.chain(MAIN, 99)
    shown = text_of(model.prompts[-1])

    assert len(chain) >= 3
    for sentence in [*GOAL.split(". "), DONE]:
        assert sentence in shown
    done = next(line for line in shown.splitlines() if DONE in line)
    assert "done" in done.split(")")[0]
    last_user = [m for m in model.prompts[-1] if m.role is Role.USER][-1]
    assert last_user.text == "where are we?"
    assert "scripted:bad" in world.condensing.trouble["terminal:main"]


async def test_a_long_prompt_is_condensed_at_once_and_asked_again(world, hear):
    """The model's window turned out smaller; the person gets one answer."""
    world.summarisers = [good()]

    def script(prompt):
        if sum(len(m.text) for m in prompt) > 30_000:
            return [ContextOverflow("too long", provider="x", window=8192)]
        return ["fine"]

    model = ScriptedModel(script, window=128_000)
    async with world.open(model) as gateway:
        await talk(world, gateway, hear, 12, n1=GOAL)
        for _ in range(4):
            await world.ask(gateway, hear("word " * 2_000))
        turn = await world.ask(gateway, hear("and now?"))
        await quiet(world, gateway)

    assert turn.final == "fine"
    assert world.summarisers[0].prompts
    assert "at most 9000 EUR" in text_of(model.prompts[-1])
    notices = [n for live in world.channel.lives for n in live.notices]
    assert any("condensing" in notice for notice in notices)


async def test_an_overflow_without_end_is_not_asked_without_end(world, hear):
    """Two attempts to condense at most, then a clear failure; the thread goes on."""
    world.summarisers = [saying(ContextOverflow("too long", provider="x"))]
    model = ScriptedModel([ContextOverflow("it is too long", provider="x")])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("a" * 150_000))
        await quiet(world, gateway)

    assert turn.state is TurnState.FAILED
    assert len(model.prompts) <= 4
    assert len(world.summarisers[0].prompts) == 0
    assert len(world.channel.sent) == 1


async def test_a_giant_message_is_cut_and_said_to_be(world, hear):
    """50,000 tokens into a window of 4,096."""
    model = ScriptedModel(["fine"], window=4096)
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("word " * 30_000))

    assert len(model.prompts) == 1
    assert "[cut:" in model.prompts[0][-1].text
    assert turn.final.count("longer than this model reads") == 1


async def test_giant_instructions_are_cut_and_said_to_be_once(world, hear):
    """A system prompt of more tokens than the window has."""
    setting = replace(world.policy.setting, instructions="Be polite. " * 1_500)
    world.policy = replace(world.policy, setting=setting)
    model = ScriptedModel(["fine"], window=4096)
    async with world.open(model) as gateway:
        turns = [await world.ask(gateway, hear("hello")) for _ in range(3)]

    assert {turn.final for turn in turns} == {"fine"}
    assert "[cut:" in model.prompts[0][0].text
    notices = [n for live in world.channel.lives for n in live.notices]
    assert sum("instructions" in notice for notice in notices) == 1


async def test_a_tool_at_work_is_not_cut_through(world, hear):
    """What is condensed are ended turns; the tool runs once, its result is used."""
    gate, runs = asyncio.Event(), []

    async def slow(_):
        runs.append(1)
        await gate.wait()
        return "the lamp costs 40 EUR"

    world.tools.append(FunctionTool("look", slow))
    world.summarisers = [good()]
    world.rules = Compaction(threshold=6, keep_recent=2, keep_first=2)

    def script(prompt):
        if prompt[-1].text == "look it up":
            return [ToolCall("c", "look", "{}")]
        return [f"re {prompt[-1].text}"]

    model = ScriptedModel(script)
    async with world.open(model) as gateway:
        await talk(world, gateway, hear, 4)
        heard = hear("look it up")
        await gateway.hear(heard)
        await until(lambda: runs)
        made = await world.condensing.now(MAIN)
        refused = await gateway.hear(hear("/compact"))
        gate.set()
        turn = await gateway.settled(MAIN, heard.key)
        await quiet(world, gateway)

    assert runs == [1]
    assert turn.final == "re the lamp costs 40 EUR"
    assert made.made is None or made.made.last <= 4
    assert "is being written" in refused


async def test_compact_says_what_it_did_and_undo_takes_it_back(world, hear):
    """Sizes before and after; the prompt of before, byte for byte."""
    world.summarisers = [good()]
    world.rules = Compaction(threshold=200, keep_recent=40)
    model = ScriptedModel(["fine"])
    async with world.open(model) as gateway:
        await talk(world, gateway, hear, 71, n1=GOAL)
        before = await world.condensing.seen(MAIN)
        told = await gateway.hear(hear("/compact the colour of the doors"))
        after = await world.condensing.seen(MAIN)
        undone = await gateway.hear(hear("/compact undo"))
        again = await world.condensing.seen(MAIN)
        nothing = await gateway.hear(hear("/compact undo"))

    assert told.startswith("142 -> 41 messages, ")
    assert "tokens" in told.splitlines()[0]
    assert told.endswith("/compact undo takes it back.")
    assert "the colour of the doors" in world.summarisers[0].prompts[0][0].text
    assert len(after) == 1 + 1 + 40
    assert "Undone" in undone
    assert again == before
    assert "nothing to undo" in nothing


async def test_compact_without_a_model_goes_by_rule_and_says_so(world, hear):
    """Whoever asks for it gets it."""
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 25)
        told = await gateway.hear(hear("/compact"))
        nothing = await gateway.hear(hear("/compact"))

    assert told.startswith("50 -> 41 messages")
    assert "By rule, without a model" in told
    assert nothing.startswith("Nothing to condense")


async def test_compact_can_be_stopped(world, hear):
    """By the same that stops an answer; nothing is written, and the thread goes on."""
    never = asyncio.Event()
    world.summarisers = [ScriptedModel([never])]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 25)
        heard = hear("/compact")
        async with asyncio.TaskGroup() as group:
            told = group.create_task(gateway.hear(heard))
            await until(lambda: world.summarisers[0].prompts)
            await gateway.stop(MAIN, heard.key)
        turn = await world.ask(gateway, hear("and now?"))

    assert told.result() == "Stopped: nothing was condensed."
    assert await condensed(world) is None
    assert turn.final == "fine"


async def test_two_compacts_and_two_stops_at_once(world, hear):
    """One waits for the other; a stop too many does nothing."""
    never = asyncio.Event()
    world.summarisers = [ScriptedModel([never])]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 25)
        async with asyncio.TaskGroup() as group:
            both = [group.create_task(gateway.hear(hear("/compact"))) for _ in "ab"]
            prompts: list[object] = world.summarisers[0].prompts
            for _ in both:
                await until(prompts.copy)
                prompts.clear()
                assert world.condensing.stop(MAIN)
                assert not world.condensing.stop(MAIN)

    assert {task.result() for task in both} == {"Stopped: nothing was condensed."}


async def test_an_undo_of_nothing_keeps_no_model_from_being_asked(world, hear):
    """It changed nothing."""
    world.summarisers = [good()]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 30)
        await gateway.hear(hear("/compact undo"))
        await talk(world, gateway, hear, 1)
        await quiet(world, gateway)
        made = await condensed(world)

    assert made is not None


async def test_a_fresh_start_forgets_what_failed_before_it(world, hear):
    """Its trouble is not that of the new conversation."""
    world.summarisers = [saying("OK")]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 31)
        await quiet(world, gateway)
        assert world.condensing.trouble
        await gateway.hear(hear("/new"))

    assert world.condensing.trouble == {}
    assert world.condensing.in_vain == {}


async def test_compact_leaves_all_as_it_is_where_models_fail(world, hear):
    """It is said why; a rule steps in only where the thread has to be shorter."""
    world.summarisers = [saying("OK")]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 25)
        told = await gateway.hear(hear("/compact"))

    assert told.startswith("Nothing was condensed, the older messages stay")
    assert "scripted:bad" in told
    assert await condensed(world) is None


async def test_new_sees_to_what_lasts_first(world, hear):
    """Whatever path takes turns out of the prompt."""
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 3)
        await gateway.hear(hear("/new"))

    [(thread, turns)] = world.flushed
    assert (thread, len(turns)) == (MAIN, 3)


async def test_a_short_command_folds_by_rule_only_what_must_be(world, hear):
    """No model is asked by a process that ends at once."""
    world.summarisers = [good()]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        world.shortening._asks = False
        await talk(world, gateway, hear, 60)
        await quiet(world, gateway)
        assert await condensed(world) is None
        await talk(world, gateway, hear, 1)
        await quiet(world, gateway)
        made = await condensed(world)

    assert made.degraded
    assert made.last == 41
    assert world.summarisers[0].prompts == []


async def test_a_failure_is_tried_again_and_mended(world, hear):
    """With pauses; then the record of a model serves."""
    world.summarisers = [saying("OK")]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        gate = asyncio.Event()

        def script(prompt):
            if not gate.is_set():
                gate.set()
                return ["OK"]
            return faithful(prompt)

        world.summarisers = [ScriptedModel(script)]
        world.shortening._pauses = (0.0,)
        await talk(world, gateway, hear, 31, n1=GOAL)
        await quiet(world, gateway)
        made = await condensed(world)

    assert made.model == "scripted:one"
    assert world.condensing.trouble == {}


async def test_models_that_fail_are_not_asked_with_every_message(world, hear):
    """Twenty messages later once more: a weak model must not run without end."""
    world.summarisers = [saying("OK")]
    asked = world.summarisers[0].prompts
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 31)
        await quiet(world, gateway)
        assert len(asked) == 1
        await talk(world, gateway, hear, 9)
        await quiet(world, gateway)
        assert len(asked) == 1
        await talk(world, gateway, hear, 1)
        await quiet(world, gateway)

    assert len(asked) == 2


async def test_a_model_at_home_is_not_kept_busy_while_somebody_waits(world, hear):
    """Its record is broken off by the next message, and begun again after it."""
    gate = asyncio.Event()
    writer = ScriptedModel(
        lambda prompt: [gate, *faithful(prompt)], name="ollama:small"
    )
    world.summarisers = [writer]
    seen = []

    def script(_):
        seen.append(len(world.shortening._tasks))
        return ["fine"]

    async with world.open(ScriptedModel(script)) as gateway:
        world.shortening._gives_way = lambda name: name.startswith("ollama:")
        await talk(world, gateway, hear, 31)
        await until(lambda: writer.prompts)
        await talk(world, gateway, hear, 1)
        await until(lambda: len(writer.prompts) > 1)
        gate.set()
        await quiet(world, gateway)
        made = await condensed(world)

    assert seen[-1] == 0
    assert made.model == "ollama:small"


class Reluctant(ScriptedModel):
    """A model that is slow to let go of whoever asked it."""

    def __init__(self, *script, lets_go, **told):
        super().__init__(*script, **told)
        self.lets_go = lets_go

    async def stream(self, messages, tools, options):
        try:
            async for delta in super().stream(messages, tools, options):
                yield delta
        finally:
            await self.lets_go.wait()


async def test_who_gives_way_slowly_begins_again_all_the_same(world, hear):
    """The turn that it gave way to was over before it had left."""
    gate, lets_go = asyncio.Event(), asyncio.Event()
    writer = Reluctant(
        lambda prompt: [gate, *faithful(prompt)], lets_go=lets_go, name="ollama:small"
    )
    world.summarisers = [writer]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        world.shortening._gives_way = lambda name: name.startswith("ollama:")
        await talk(world, gateway, hear, 31)
        await until(lambda: writer.prompts)
        await talk(world, gateway, hear, 1)
        await until(lambda: not gateway._workers)
        assert MAIN in world.shortening._tasks
        assert len(writer.prompts) == 1
        gate.set()
        lets_go.set()
        await quiet(world, gateway)
        made = await condensed(world)

    assert made is not None
    assert made.model == "ollama:small"


async def test_who_always_gives_way_is_folded_by_rule(world, hear):
    """Somebody writes faster than the model at home can sum up."""
    never = asyncio.Event()
    writer = ScriptedModel(lambda _: [never], name="ollama:small")
    world.summarisers = [writer]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        world.shortening._gives_way = lambda name: name.startswith("ollama:")
        for count in range(70):
            await talk(world, gateway, hear, 1)
            # Each time it is being asked when the next message comes.
            await until(lambda: not gateway._workers)
            if count > 29:
                await until(lambda: world.shortening._at_home)
        made = await condensed(world)

    assert made is not None
    assert made.degraded


async def test_what_was_undone_does_not_come_back_with_the_next_message(world, hear):
    """Neither it nor what a model would make of the digest below it."""
    world.rules = Compaction(threshold=10_000, keep_recent=40)
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 45)
        await gateway.hear(hear("/compact"))
        world.summarisers = [good()]
        await talk(world, gateway, hear, 1)
        await quiet(world, gateway)
        assert not (await condensed(world)).degraded
        await gateway.hear(hear("/compact undo"))
        await talk(world, gateway, hear, 1)
        await quiet(world, gateway)
        made = await condensed(world)

    assert made.degraded


async def test_a_switch_to_a_small_model_and_back(world, hear):
    """The prompt fits the one, and the other sees no less than before."""
    small = ScriptedModel(["fine"], name="scripted:small", window=8192)
    large = ScriptedModel(["fine"], name="scripted:large", window=128_000)
    world.rules = Compaction(threshold=10_000, keep_recent=40)
    async with world.open(large) as gateway:
        await world.ask(gateway, hear(GOAL))
        for number in range(30):
            await world.ask(gateway, hear(f"{number} " + "long story " * 300))
        await quiet(world, gateway)
    async with world.open(small) as gateway:
        await world.ask(gateway, hear("and now?"))

    shown = text_of(small.prompts[-1])
    assert len(shown.encode()) / 3 < 6_144
    assert "at most 9000 EUR" in shown
    assert "[RESUMEN COMPACTADO turnos 1-" in shown


async def test_what_a_condensed_turn_said_may_be_recalled(world, hear):
    """Recall leaves out only the turns that the prompt holds word for word."""
    source = FixedSource("hits", [])
    world.sources = [source]
    world.summarisers = [good()]
    async with world.open(ScriptedModel(["fine"])) as gateway:
        await talk(world, gateway, hear, 31)
        await quiet(world, gateway)
        await talk(world, gateway, hear, 1)

    # The twenty that were kept, and the turn itself.
    assert len(source.asked[-1].known_turns) == 21
