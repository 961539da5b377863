"""What servers say of their windows, from their words and numbers alone."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.errors import ContextOverflow
from apx.providers.failure import Asked
from apx.providers.report import Report, reported
from apx.providers.windows import in_error, in_list, in_props, in_show, plausible

ASKED = Asked("openai", "m", "http://127.0.0.1:9/v1")

# As the servers write it: OpenAI, vLLM, llama.cpp, SGLang, Gemini, Anthropic behind a
# proxy, Mistral, LM Studio, text-generation-inference, xAI, llama-cpp-python.
SAID = {
    "This model's maximum context length is 4096 tokens. However, your messages "
    "resulted in 5000 tokens.": 4096,
    "This model's maximum context length is 4,096 tokens. However, you requested "
    "14,500 tokens (14,000 in the messages, 500 in the completion).": 4096,
    "'max_tokens' is too large: 4096. This model's maximum context length is 8192 "
    "tokens and your request has 5000 input tokens (4096 > 8192-5000).": 8192,
    "You passed 9000 input tokens and requested 1 output tokens. However, the model's "
    "context length is only 8192 tokens.": 8192,
    "However, the model's context length is only 8192 tokens, resulting in a maximum "
    "input length of 7192 tokens.": 7192,
    "The prompt (length 9000) is longer than the maximum model length of 8192.": 8192,
    "request (5000 tokens) exceeds the available context size (4096 tokens), "
    "try increasing it": 4096,
    '{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":5000,'
    '"n_ctx":4096}': 4096,
    '{\\"type\\":\\"exceed_context_size_error\\",\\"n_ctx_train\\":32768,'
    '\\"n_ctx\\":4096}': 4096,
    "The input (5000 tokens) is longer than the model's context length (4096 "
    "tokens).": 4096,
    "The input token count (1200000) exceeds the maximum number of tokens allowed "
    "(1048576).": 1_048_576,
    "prompt is too long: 200001 tokens > 200000 maximum": 200_000,
    "input length and `max_tokens` exceed context limit: 198000 + 21333 > 200000, "
    "decrease input length or `max_tokens`": 200_000,
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 "
    "maximum context length": 32_768,
    "Trying to keep the first 5000 tokens when context the overflows. However, the "
    "model is loaded with context length of only 4096 tokens.": 4096,
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens "
    "and 20 `max_new_tokens`": 4096,
    "This model's maximum prompt length is 131072 but the request contains 537812 "
    "tokens.": 131_072,
    "Requested tokens (5000) exceed context window of 2048": 2048,
}

# Overflows that name what was sent, what is too much, or nothing that can be true.
UNSAID = (
    "prompt too long; exceeded max context length by 1700 tokens",
    "your prompt is too long: a context length of 9000 tokens exceeds the limit",
    "tokens to keep is greater than the context length",
    "context_length_exceeded after 5000 tokens",
    "maximum context length is 12 tokens",
    "maximum context length is 99999999999 tokens",
    "maximum context length is 20000001 tokens",
)


@pytest.mark.parametrize("text", SAID)
def test_an_overflow_tells_the_window_that_it_names(text: str):
    """The limit, whatever other numbers stand around it."""
    error = reported(ASKED, Report(400, text=text))

    assert isinstance(error, ContextOverflow)
    assert error.window == SAID[text]


@pytest.mark.parametrize("text", UNSAID)
def test_a_number_that_is_no_window_is_not_taken_for_one(text: str):
    """Nothing is better than a wrong one: the caller halves the prompt then."""
    error = reported(ASKED, Report(400, text=text))

    assert isinstance(error, ContextOverflow)
    assert error.window == 0


def test_a_number_beside_the_text_is_the_surest():
    """llama.cpp has it in a field of its own."""
    body = {"n_prompt_tokens": 5000, "n_ctx": 4096}
    report = Report(0, "exceed_context_size_error", "context size 8192", body=body)

    error = reported(ASKED, report)

    assert isinstance(error, ContextOverflow)
    assert error.window == 4096


@given(st.integers(256, 20_000_000), st.integers(1, 10_000_000))
def test_the_limit_is_told_from_what_was_sent(limit: int, more: int):
    """In whichever order the two stand, with and without commas."""
    sent = limit + more
    first = f"maximum context length is {limit:,} tokens, you sent {sent:,} tokens"
    last = (
        f"request ({sent} tokens) exceeds the available context size ({limit} tokens)"
    )

    assert [in_error(first), in_error(last)] == [limit, limit]


@given(st.text(), st.recursive(st.none() | st.integers(), st.lists, max_leaves=3))
def test_any_error_is_read_without_an_error(text: str, body: Any):
    """A server may write what it likes; what comes out can be a window, or is 0."""
    told = in_error(f"context length {text}", {"n_ctx": body})

    assert told == 0 or 256 <= told <= 20_000_000


@pytest.mark.parametrize(
    "piece",
    [
        "context length ",
        "maximum context length is ",
        "exceed",
        "exceed ",
        "1,111",
        "> ",
        "1",
        "n_ctx ",
        "model's context ",
        "input token count",
        "maximum         ",
    ],
)
def test_an_endless_error_is_read_at_once(piece: str):
    """It may repeat all of a prompt; nothing else happens meanwhile."""
    began = time.process_time()

    for text in (piece * (100_000 // len(piece)), piece + " " * 100_000):
        reported(ASKED, Report(400, text=text))

    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("entry", "window"),
    [
        ({"meta": {"n_ctx": 4096, "n_ctx_train": 32768}}, 4096),
        ({"meta": {"n_ctx_train": 32768}}, 0),
        ({"meta": None, "max_model_len": 8192}, 8192),
        ({"context_length": 131072, "max_context_length": 262144}, 131072),
        ({"loaded_context_length": 4096, "max_context_length": 32768}, 4096),
        ({"n_ctx": 0, "context_length": "4096", "max_context_length": 32768}, 32768),
        ({"context_window": 16384}, 16384),
        ({"id": "tiny"}, 0),
    ],
)
def test_a_list_of_models_tells_what_is_loaded_first(
    entry: dict[str, Any], window: int
):
    """What a model was trained for is of no use where less of it is loaded."""
    assert in_list(entry) == window


@pytest.mark.parametrize(
    ("props", "window"),
    [
        ({"default_generation_settings": {"n_ctx": 2048}}, 2048),
        ({"default_generation_settings": [2048]}, 0),
        ({"n_ctx": 2048}, 0),
        ([], 0),
        ("<html>", 0),
        ("<html><title>413 Request Entity Too Large</title><h1>413 Request</h1>", 0),
        ("request too large: size 5242880 > 4194304 bytes", 0),
    ],
)
def test_llama_cpp_tells_the_window_of_a_request(props: Any, window: int):
    """Whatever else answers at that address tells nothing."""
    assert in_props(props) == window


def test_ollama_tells_what_the_family_reads():
    """Not what was before it was stretched."""
    info = {
        "general.architecture": "gemma3",
        "gemma3.context_length": 32768,
        "gemma3.rope.scaling.original_context_length": 8192,
        "gemma3.vision.context_length": 65536,
    }

    assert in_show(info) == 32768
    assert in_show({"general.architecture": "gemma3"}) == 0


@pytest.mark.parametrize(
    "told", [0, 255, 20_000_001, -4096, True, 4096.0, "4096", None, [4096]]
)
def test_what_cannot_be_a_window_is_none(told: Any):
    """A server that says 0 means that it does not know."""
    assert plausible(told) == 0
