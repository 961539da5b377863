"""What every vendor demands of a prompt."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from apx.domain.message import Message, Role, ToolCall
from apx.providers.prompt import NO_RESULT, as_object, as_text, paired

IDS = st.sampled_from(["a", "b", "c", "d"])
CALLS = st.lists(IDS, max_size=3, unique=True).map(
    lambda ids: Message(
        Role.ASSISTANT, "", calls=tuple(ToolCall(i, "t", "{}") for i in ids)
    )
)
RESULTS = IDS.map(lambda i: Message(Role.TOOL, f"result {i}", call_id=i))
OTHERS = st.sampled_from([Role.SYSTEM, Role.USER]).map(lambda role: Message(role, "x"))


@given(st.lists(st.one_of(CALLS, RESULTS, OTHERS), max_size=12))
def test_each_call_is_followed_by_its_result_and_no_result_is_alone(
    messages: list[Message],
):
    """A law of all three vendors: a prompt that breaks it is rejected."""
    ordered = list(paired(messages))

    place = 0
    while place < len(ordered):
        message = ordered[place]
        assert message.role is not Role.TOOL
        follow = ordered[place + 1 : place + 1 + len(message.calls)]
        assert [m.call_id for m in follow] == [call.id for call in message.calls]
        place += 1 + len(follow)
    kept = [m for m in messages if m.role is not Role.TOOL]
    assert [m for m in ordered if m.role is not Role.TOOL] == kept


def test_a_result_answers_the_nearest_call_before_it():
    """Two steps may have calls of the same id; a server once said `call_0` twice."""
    call = Message(Role.ASSISTANT, "", calls=(ToolCall("0", "t", "{}"),))
    results = [Message(Role.TOOL, text, call_id="0") for text in ("one", "two")]

    told = [m.text for m in paired([call, results[0], call, results[1], call])]

    assert told == ["", "one", "", "two", "", NO_RESULT]


@given(st.text() | st.from_regex(r'\{"a": ("(\\u[dD][89a-f]..)"|NaN|1e999|[0-9]+)\}'))
def test_arguments_become_what_can_be_sent(text: str):
    """Strict JSON in UTF-8, whatever the model wrote."""
    sent = json.dumps(as_object(text), allow_nan=False, ensure_ascii=False)

    sent.encode("utf-8")
    assert isinstance(json.loads(as_text(text)), dict)


def test_good_arguments_stay_the_same_text():
    """What is cached is a prefix of bytes."""
    assert as_text('{ "n" : 1.0 }') == '{ "n" : 1.0 }'
    assert as_text("{}") == "{}"
