"""The prompts that Gemini gets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from apx.domain.message import Message, Role, ToolCall
from apx.providers.gemini import GeminiModel
from tests.servers import Call, GeminiServer, stepping
from tests.servers.asking import REMEMBER, ask, text_of, user
from tests.servers.gemini import signature

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def server() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        yield server


@pytest.fixture
async def model(server: GeminiServer) -> AsyncIterator[GeminiModel]:
    model = GeminiModel("gemini-3-flash", api_key="k", base_url=server.base_url)
    yield model
    await model.aclose()


def step(*calls: ToolCall) -> list[Message]:
    results = [Message(Role.TOOL, f"did {c.name}", call_id=c.id) for c in calls]
    return [Message(Role.ASSISTANT, "", calls=calls), *results]


def parts_of(server: GeminiServer, role: str) -> list[dict[str, Any]]:
    contents = server.requests[-1].body["contents"]
    return [part for c in contents if c["role"] == role for part in c["parts"]]


async def test_marks_travel_back_over_three_steps(
    server: GeminiServer, model: GeminiModel
):
    """Gemini 3 refuses a call whose mark it does not get back, unchanged."""
    server.brain = stepping(*[(Call("a"), Call("b"))] * 3, ("Done.",))
    messages = [user("go")]
    for _ in range(3):
        calls = [d for d in await ask(model, messages) if isinstance(d, ToolCall)]
        messages += step(*calls)

    assert text_of(await ask(model, messages)) == "Done."
    marks = [part.get("thoughtSignature", "") for part in parts_of(server, "model")]
    # The SDK writes the other alphabet of base64; Google reads both.
    plain = [mark.replace("-", "+").replace("_", "/") for mark in marks]
    assert plain == [signature(1), "", signature(2), "", signature(3), ""]


@pytest.mark.parametrize("lost", ["", "not base64!"])
async def test_a_call_of_another_model_gets_the_documented_mark(
    server: GeminiServer, model: GeminiModel, lost: str
):
    """A thread that began with Ollama can go on with Gemini 3."""
    prompt = [
        user("x"),
        *step(ToolCall("i", "a", "{}", lost), ToolCall("j", "b", "{}")),
    ]

    await ask(model, prompt)

    marked = ["thoughtSignature" in part for part in parts_of(server, "model")]
    assert marked == [True, False]


async def test_older_models_get_no_made_up_mark(server: GeminiServer):
    """They check what they are given, and want none."""
    model = GeminiModel("gemini-2.5-flash", api_key="k", base_url=server.base_url)
    await ask(model, [user("x"), *step(ToolCall("i", "a", "{}"))])
    await model.aclose()

    assert "thoughtSignature" not in json.dumps(server.requests[0].body)


async def test_results_of_one_step_stand_together_under_their_names(
    server: GeminiServer, model: GeminiModel
):
    """Gemini counts them against the calls, and knows them by name."""
    calls = (ToolCall("i", "a", '{"n": 1}'), ToolCall("j", "b", ""))
    await ask(model, [user("x"), *step(*calls), user("and?")])

    contents = server.requests[0].body["contents"]
    assert [c["role"] for c in contents] == ["user", "model", "user", "user"]
    assert [p["functionResponse"] for p in contents[2]["parts"]] == [
        {"id": "i", "name": "a", "response": {"result": "did a"}},
        {"id": "j", "name": "b", "response": {"result": "did b"}},
    ]
    assert [p["functionCall"]["args"] for p in contents[1]["parts"]] == [{"n": 1}, {}]


async def test_instructions_stand_apart_and_a_later_summary_in_its_place(
    server: GeminiServer, model: GeminiModel
):
    """What is cached is a prefix: a new summary must not change the beginning."""
    prompt = [
        Message(Role.SYSTEM, "Be kind."),
        Message(Role.SYSTEM, "Summary 1."),
        Message(Role.ASSISTANT, "Hello."),
        user("Hi."),
        Message(Role.SYSTEM, "Memories."),
        user("Who?"),
    ]

    await ask(model, prompt)

    body = server.requests[0].body
    assert body["systemInstruction"]["parts"][0]["text"] == "Be kind.\n\nSummary 1."
    assert [c["role"] for c in body["contents"]] == ["user", "model", "user"]
    texts = [part["text"] for part in body["contents"][2]["parts"]]
    assert texts == ["Hi.", "Memories.", "Who?"]


async def test_a_prompt_of_instructions_alone_is_still_a_prompt(
    server: GeminiServer, model: GeminiModel
):
    """Gemini wants a user in every prompt."""
    await ask(model, [Message(Role.SYSTEM, "Write a haiku.")])

    assert server.requests[0].body["contents"][0]["role"] == "user"


async def test_a_schema_arrives_as_it_is(server: GeminiServer, model: GeminiModel):
    """Gemini's own schema language lacks half of JSON schema."""
    await ask(model)

    [declared] = server.requests[0].body["tools"][0]["functionDeclarations"]
    # So the SDK spells it, and Google reads either spelling.
    schema = declared["parameters_json_schema"]
    assert schema == dict(REMEMBER.parameters)
