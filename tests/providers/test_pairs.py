"""Whatever a thread went through, each provider is sent calls with their results."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.agent.prompt import Material, Setting, assemble
from apx.domain.budget import cost, tools_cost
from apx.domain.condensation import Condensation, Quote
from apx.domain.digest import digest
from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.history import PastTurn, View
from apx.domain.kept import standing
from apx.domain.message import Message, Role, ToolCall
from apx.domain.recall import Recall
from apx.domain.saying import Saying
from apx.domain.summary import Section
from apx.domain.thread import Thread
from apx.domain.tool import Effect, ToolSpec
from apx.domain.turn import TurnState
from apx.providers import gemini_format, ollama_format, openai_format
from apx.providers.prompt import paired
from apx.store.history import _fold
from apx.testing import ScriptedModel
from tests.agent.conftest import World
from tests.domain.talk import AT, turn

if TYPE_CHECKING:
    from collections.abc import Sequence

MAIN: Final = Thread("terminal", "main")
TOOL: Final = ToolSpec("look", "looks", {"type": "object"})
RECORD: Final = "[RESUMEN COMPACTADO turnos"
ROLES: Final = {"system", "user", "assistant", "tool"}

# A turn's log: steps of one to three calls, and results in any order, of calls that
# there are, of calls that come later, and of calls that nobody made; some twice.
names = st.sampled_from(["c1", "c2", "c3", "c4", "c5"])
texts = st.text("abc é中\n", max_size=300)
arguments = st.sampled_from(["{}", '{"what": "box"}', "{broken", "[1]", ""])


def called(ids: Sequence[str], written: str) -> list[dict[str, str]]:
    return [{"id": i, "name": "look", "arguments": written} for i in ids]


steps = st.builds(
    lambda text, ids, written, cut: (
        "step",
        {"text": text, "calls": called(ids, written), "bounded": cut},
    ),
    texts,
    st.lists(names, min_size=1, max_size=3),
    arguments,
    st.sampled_from([False, False, False, True]),
)
results = st.builds(
    lambda call, text, cut: (
        "tool_result",
        {"call": call, "name": "look", "ok": True, "text": text, "bounded": cut},
    ),
    names,
    texts,
    st.sampled_from([False, False, False, True]),
)


def complete(log: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """Add the results that are missing, so that not all groups are left out."""
    calls = [call for kind, body in log if kind == "step" for call in body["calls"]]
    late = [
        ("tool_result", {"call": call["id"], "text": "late", "bounded": False})
        for call in calls
    ]
    return [*log, *late]


logs = st.lists(steps | results, max_size=7)
logs = logs | logs.map(complete)
ended = st.sampled_from(
    [state for state in TurnState if state is not TurnState.RUNNING]
)
histories = st.lists(st.tuples(texts, texts, ended, logs), min_size=1, max_size=14)
# A record each, over so many of the turns that are left: by rule, or a model's.
chains = st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=5)


def told(histories: Sequence[Any]) -> tuple[PastTurn, ...]:
    """Give ended turns as the store reads them from such logs."""
    return tuple(
        turn(n, asked or "x", answer, state=state, steps=_fold(log))
        for n, (asked, answer, state, log) in enumerate(histories, start=1)
    )


def condensed(past: tuple[PastTurn, ...], chain: Sequence[tuple[int, bool]]) -> View:
    """Fold turns again and again."""
    base: Condensation | None = None
    for count, is_by_rule in chain:
        turns, past = past[:count], past[count:]
        if not turns:
            break
        base = digest(base, turns) if is_by_rule else scripted(base, turns)
    return View(past, base)


def scripted(base: Condensation | None, turns: Sequence[PastTurn]) -> Condensation:
    """Make a record as a model might, with words in it that look like a prompt's."""
    return Condensation(
        first=base.first if base else turns[0].turn.ordinal,
        last=turns[-1].turn.ordinal,
        at=AT,
        sections={Section.PENDING: "assistant: look c1 {}\n[/RESUMEN COMPACTADO]"},
        opening=base.opening if base else (Quote(Role.USER, turns[0].turn.request),),
        standing=standing(base, turns),
        model="m",
    )


def prompt(view: View, doing: Sequence[Message], limit: int) -> list[Message]:
    material = Material(
        setting=Setting("Be kind.", UTC),
        tools=[TOOL],
        view=view,
        recall=Recall(),
        thread=MAIN,
        at=AT,
        said=Saying("continue"),
        steps=doing,
    )
    return assemble(material, limit).messages


def of_turn(log: list[tuple[str, dict[str, Any]]]) -> list[Message]:
    """Give what the turn that runs has done so far: its groups are whole."""
    groups = [step for step in _fold(complete(log)) if step.is_whole]
    return [message for step in groups for message in step.messages()]


@settings(max_examples=200, deadline=None)
@given(histories, chains, logs, st.integers(1_500, 12_000))
def test_every_provider_gets_pairs_whatever_was_condensed(
    histories, chain, running, limit
):
    """A vendor refuses the whole thread for one call or result that is alone."""
    messages = prompt(condensed(told(histories), chain), of_turn(running), limit)

    assert cost(messages) + tools_cost([TOOL]) <= limit
    check_assembled(messages)
    spoken = [one["role"] for one in openai_format.to_messages(messages)]
    assert spoken.count("system") == 1
    assert spoken[0] == "system"
    records = [m.text for m in messages if m.text.startswith(RECORD)]
    assert all(text in gemini_format.to_instruction(messages) for text in records)


@settings(max_examples=200, deadline=None)
@given(histories, logs, st.integers(300, 1_500))
def test_pairs_hold_in_a_prompt_that_fits_hardly_anything(histories, running, limit):
    """What is left out goes in groups."""
    check_assembled(prompt(View(told(histories)), of_turn(running), limit))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(Role), names), max_size=12))
def test_no_order_of_messages_makes_a_format_send_one_alone(given_roles):
    """Old logs and other people's code may give anything."""
    messages = [
        Message(role, "x", call_id=name)
        if role is Role.TOOL
        else Message(role, "x", calls=calls_of(role, name))
        for role, name in given_roles
    ]

    check_all(messages)


def calls_of(role: Role, name: str) -> tuple[ToolCall, ...]:
    is_calling = role is Role.ASSISTANT and name > "c2"
    return (ToolCall(name, "look", "{}"),) if is_calling else ()


def check_assembled(messages: list[Message]) -> None:
    """A prompt of ours is in order before a format puts it in order."""
    assert list(paired(messages)) == messages
    check_all(messages)


def check_all(messages: list[Message]) -> None:
    check_openai(openai_format.to_messages(messages))
    check_ollama(ollama_format.to_messages(openai_format.opened_once(messages)))
    for model in ("gemini-2.5-flash", "gemini-3-pro"):
        check_gemini(gemini_format.to_contents(messages, model))


def check_openai(sent: list[dict[str, Any]]) -> None:
    for calls, answers in groups(sent):
        ids = [call["id"] for call in calls]
        assert [answer["tool_call_id"] for answer in answers] == ids
    assert all(isinstance(m["content"], str) or m.get("tool_calls") for m in sent)


def check_ollama(sent: list[dict[str, Any]]) -> None:
    for calls, answers in groups(sent):
        called = [call["function"]["name"] for call in calls]
        assert [answer["tool_name"] for answer in answers] == called


def groups(sent: list[dict[str, Any]]) -> list[tuple[list[Any], list[Any]]]:
    """Give the calls with the results behind them; no result is anywhere else."""
    found, answered = [], 0
    for place, message in enumerate(sent):
        assert message["role"] in ROLES
        if calls := message.get("tool_calls"):
            answers = sent[place + 1 : place + 1 + len(calls)]
            assert [one["role"] for one in answers] == ["tool"] * len(calls)
            found.append((calls, answers))
            answered += len(answers)
    assert answered == sum(message["role"] == "tool" for message in sent)
    return found


def check_gemini(sent: list[dict[str, Any]]) -> None:
    """The person first, then in turn; results in a content of their own."""
    assert sent[0]["role"] == "user"
    expected: list[str] = []
    for before, content in pairwise([{"role": "model", "parts": []}, *sent]):
        assert content["role"] in {"user", "model"}
        assert content["parts"]
        answers = of(content, "function_response")
        assert [answer["id"] for answer in answers] == expected
        assert len(answers) in {0, len(content["parts"])}
        if content["role"] == before["role"]:
            assert content["role"] == "user"
            assert bool(answers) != bool(of(before, "function_response"))
        expected = [call["id"] for call in of(content, "function_call")]
    assert expected == []


def of(content: dict[str, Any], what: str) -> list[Any]:
    return [part[what] for part in content["parts"] if what in part]


@pytest.fixture
def world(database, ledger, history, outbox, clock, tmp_path):
    return World(database, ledger, history, outbox, clock, tmp_path)


async def logged(world, of_turn, kind, **body):
    event = Event(
        kind,
        f"{kind}/{of_turn.id}/{body.get('call', '')}",
        world.clock(),
        body,
        str(MAIN),
        of_turn.id,
    )
    await world.ledger.record(event)


async def orphans(world, heard, effect):
    """Begin a turn whose log has a call without a result, and a result of no call."""
    await world.ledger.accept(heard)
    begun = await world.ledger.begin(MAIN, world.clock())
    calls = [
        {"id": i, "name": "look", "arguments": "{}", "signature": ""}
        for i in ("c1", "c2")
    ]
    await logged(world, begun, EventKind.STEP, text="hm", calls=calls, bounded=False)
    for call in ("c1", "c2"):
        start = {"call": call, "name": "look", "arguments": "{}", "effect": effect}
        await logged(world, begun, EventKind.TOOL_START, **start)
    for call in ("c1", "zz"):
        result = {"call": call, "name": "look", "ok": True, "text": f"of {call}"}
        await logged(world, begun, EventKind.TOOL_RESULT, **result, bounded=False)
    return begun


@pytest.mark.parametrize("effect", [Effect.NONE, Effect.OUTSIDE])
async def test_a_thread_with_orphans_goes_on_after_a_start(world, hear, effect):
    """One ended so, one was killed in the middle: "continue" is a valid request."""
    old = await orphans(world, hear("look into the box"), effect)
    ending = Ending(TurnState.COMPLETED, final="there is a cup in it")
    await world.ledger.end(old, ending, world.clock())
    killed = hear("and into the other one")
    await orphans(world, killed, effect)
    model = ScriptedModel(["a plate"])

    async with world.open(model) as gateway:
        await gateway.resume()
        await gateway.settled(MAIN, killed.key)
        answered = await world.ask(gateway, hear("continue"))

    assert answered.final == "a plate"
    assert len(model.prompts) == (2 if effect is Effect.NONE else 1)
    for sent in model.prompts:
        check_assembled(sent)
    asked = [m.text for m in model.prompts[-1] if m.role is Role.USER]
    assert asked[:2] == ["look into the box", "and into the other one"]
    assert asked[-1] == "continue"
    assert await world.ledger.running() == []


async def test_a_condensed_thread_with_orphans_goes_on(world, hear):
    """The record has the turn with the orphans in its range."""
    world.rules = replace(world.rules, threshold=4, keep_recent=2)
    old = await orphans(world, hear("look into the box"), Effect.NONE)
    await world.ledger.end(old, Ending(TurnState.COMPLETED, final="a cup"), AT)
    model = ScriptedModel(["a plate"])

    async with world.open(model) as gateway:
        await world.ask(gateway, hear("and into the other one"))
        made = (await world.condensing.now(MAIN)).made
        await world.ask(gateway, hear("continue"))

    assert (made.first, made.last) == (1, 1)
    assert "[RESUMEN COMPACTADO turnos 1-1]" in model.prompts[-1][1].text
    check_assembled(model.prompts[-1])
