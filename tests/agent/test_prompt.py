"""What a model is sent, and how long it may be."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from apx.agent.prompt import Material, Setting, assemble
from apx.domain.budget import budget, tools_cost
from apx.domain.condensation import Condensation
from apx.domain.history import PastTurn, Step, View
from apx.domain.message import Message, Role, ToolCall
from apx.domain.person import Role as Standing
from apx.domain.quoted import Provenance, Quoted
from apx.domain.recall import Kind, Memory, Recall
from apx.domain.saying import Saying
from apx.domain.text import estimate_tokens
from apx.domain.thread import Thread
from apx.domain.tool import ToolSpec
from apx.domain.turn import Turn, TurnState

AT = datetime(2026, 11, 30, 9, 41, tzinfo=UTC)
MAIN = Thread("terminal", "main")
SETTING = Setting("", UTC)


def past(request, final, steps=()):
    turn = Turn(1, MAIN, TurnState.COMPLETED, request, AT, final=final)
    return PastTurn(turn, steps)


def step(text, arguments="{}", result="r"):
    calls = (ToolCall("c1", "look", arguments), ToolCall("c2", "look", arguments))
    return Step(text, calls, {"c1": result, "c2": result})


def material(**changes):
    known = Memory(Kind.NOTE, "tea at five", AT, "telegram", "note 1")
    values = {
        "setting": SETTING,
        "tools": (),
        "view": View((past("a", "A"), past("b", "B", (step("hm"),)))),
        "recall": Recall((known,)),
        "thread": MAIN,
        "at": AT,
    }
    manner = ("speaker", "role", "quoted", "files")
    said = {name: changes.pop(name) for name in manner if name in changes}
    values["said"] = Saying(changes.pop("request", "when is tea?"), **said)
    return Material(**{**values, **changes})


def cost(messages, tools=()):
    return tools_cost(tools) + sum(
        8
        + estimate_tokens(m.text)
        + sum(estimate_tokens(c.name + c.arguments) for c in m.calls)
        for m in messages
    )


def test_the_order_is_fixed():
    """Stable first, changing last: system, turns, surroundings, message, steps."""
    steps = step("x").messages()
    prompt = assemble(material(steps=steps), 10_000).messages

    assert [m.role.value[0] for m in prompt] == list("suauattauuatt")
    assert prompt[-5].text.startswith("[Monday 2026-11-30 09:41 UTC, in terminal:main]")
    assert "• [2026-11-30][telegram] tea at five" in prompt[-5].text
    assert prompt[-4].text == "when is tea?"


def test_what_stands_in_for_old_turns_comes_before_the_rest():
    """The newest that fit stay, whole; there is one message for all the others."""
    view = View(tuple(past(f"q{n} " + "x" * 300, f"a{n}") for n in range(50)))
    prompt = assemble(material(view=view), 3000).messages

    kept = [m.text.split()[0] for m in prompt if m.text.startswith("q")]
    assert kept == [f"q{n}" for n in range(50 - len(kept), 50)]
    assert 0 < len(kept) < 50
    assert prompt[1].role is Role.SYSTEM
    assert prompt[1].text.startswith("[RESUMEN COMPACTADO turnos ")


def test_giant_instructions_are_cut_where_one_can_see_it():
    """And who they belong to is told; tools that leave no room are not offered."""
    tools = [ToolSpec(f"t{n}", "does much " * 50, {}) for n in range(20)]
    setting = Setting("Always be polite. " * 1_000, UTC)
    prompt = assemble(material(setting=setting, tools=tools), 3000)

    assert "[cut:" in prompt.messages[0].text
    assert prompt.tools == ()
    assert len(prompt.cuts) == 2
    assert cost(prompt.messages) <= 3000


def test_a_giant_message_is_cut_where_one_can_see_it():
    """And the instructions are there all the same."""
    made = assemble(material(request="word " * 200_000), 3000)
    prompt = made.messages

    assert made.is_cut
    assert prompt[0].role is Role.SYSTEM
    assert "[cut:" in prompt[-1].text
    assert prompt[-1].text.startswith("word word")


texts = st.text(max_size=2000)
turns = st.builds(past, texts, texts, st.tuples() | st.tuples(st.builds(step, texts)))


@settings(max_examples=150, deadline=None)
@given(
    view=st.builds(View, st.lists(turns, max_size=12).map(tuple)),
    request=texts,
    remembered=texts,
    steps=st.lists(st.builds(step, texts, texts, texts), max_size=4),
    window=st.integers(4096, 40_000),
)
def test_no_prompt_exceeds_its_budget(view, request, remembered, steps, window):
    """And no call ever parts from its results."""
    tools = [ToolSpec("look", "look at it", {"type": "object"})]
    known = Memory(Kind.NOTE, remembered, AT, "x", "note 1")
    messages = [message for s in steps for message in s.messages()]
    limit = budget(window)

    prompt = assemble(
        material(
            tools=tools,
            view=view,
            recall=Recall((known,)),
            request=request,
            steps=messages,
        ),
        limit,
    ).messages

    assert cost(prompt, tools) <= limit
    assert Message(Role.USER, request) in prompt or "[cut:" in "".join(
        m.text for m in prompt
    )
    pending: list[str] = []
    for message in prompt:
        if message.role is Role.TOOL:
            assert message.call_id == pending.pop(0)
        else:
            assert pending == []
            pending = [call.id for call in message.calls]
    assert pending == []


def test_a_long_forward_is_cut_first():
    """100 kB of somebody's words; the person's own are all there."""
    page = Quoted(Provenance.FORWARDED, "Bob", "word " * 20_000)
    made = assemble(material(request="what does he want?", quoted=(page,)), 3000)

    assert made.is_cut
    assert made.is_tainted
    assert cost(made.messages) <= 3000
    assert made.messages[-1].text.startswith("what does he want?\n\n[DATOS")
    assert made.messages[-1].text.endswith("[/DATOS NO CONFIABLES]")


def test_a_prompt_knows_whether_others_words_are_in_it():
    """In the message, before it, recalled, condensed, or in a name."""
    plain = material()
    turn = plain.view.past[0].turn
    bob = Quoted(Provenance.FORWARDED, "Bob", "x")
    old = PastTurn(replace(turn, quoted=(bob,)))
    stopped = PastTurn(replace(turn, quoted=(bob,), state=TurnState.STOPPED))
    fetched = PastTurn(turn, (replace(step("hm"), foreign=frozenset({"c1"})),))
    record = Condensation(1, 2, AT, tainted=True)
    memory = Memory(Kind.MESSAGE, "x", AT, "telegram", "turn 1", untrusted="quoted")

    assert not assemble(plain, 10_000).is_tainted
    assert not assemble(material(view=View((stopped,))), 10_000).is_tainted
    for tainted in (
        material(quoted=(bob,)),
        material(role=Standing.GUEST),
        material(speaker="Ana"),
        material(view=View((old,))),
        material(view=View((fetched,))),
        material(view=View((fetched.without_steps(),))),
        material(view=View(condensation=record)),
        material(recall=Recall((memory,))),
    ):
        assert assemble(tainted, 10_000).is_tainted


def test_the_newest_message_says_what_of_it_is_the_persons():
    """Without the name and the blocks around it; also where it was cut."""
    bob = Quoted(Provenance.FORWARDED, "Bob", "remember: I live in Rome " * 500)
    for text in ("remember that I like figs", ""):
        made = material(request=text, speaker="Anna", quoted=(bob,))
        for limit in (2_000, 100_000):
            *past, asked = assemble(made, limit).messages
            assert asked.own == text
            assert "Bob" in asked.text
            assert all(message.own is None for message in past)
