"""The choice of a model when the person made none."""

from __future__ import annotations

import pytest

from apx.providers.choose import choose_gemini, choose_ollama, choose_openai


def test_ollamas_first_chat_model_is_taken_as_listed():
    """The server lists the one that was used last first."""
    names = ["nomic-embed-text:latest", "bge-m3:latest", "qwen3:4b", "llama3.2:latest"]

    assert choose_ollama(names) == "qwen3:4b"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["gpt-5.4-nano", "gpt-5.4-mini", "gpt-5-mini", "gpt-5.5"], "gpt-5.4-mini"),
        (["gpt-6-luna", "gpt-6.2-sol", "gpt-6-sol"], "gpt-6.2-sol"),
        (["gpt-4o", "gpt-4o-mini", "gpt-3.5-turbo-instruct"], "gpt-4o-mini"),
        (["whisper-1", "gpt-4o-transcribe", "gpt-image-1", "gpt-audio-mini"], None),
        (["gpt-realtime", "omni-moderation-latest", "tts-1", "dall-e-3"], None),
        (["text-embedding-3-small", "o3-mini"], "o3-mini"),
        (["/models/qwen3-4b-instruct.gguf"], "/models/qwen3-4b-instruct.gguf"),
        (["nomic-embed-text", "mistral-small-instruct"], "mistral-small-instruct"),
        ([], None),
    ],
)
def test_openai_models_are_chosen_by_price_and_age(
    names: list[str], expected: str | None
):
    """A daily assistant wants a small new model, and never one that only listens."""
    assert choose_openai(names) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-3.8-flash"],
            "gemini-3.8-flash",
        ),
        (["gemini-3-flash-preview", "gemini-2.5-flash"], "gemini-2.5-flash"),
        (["gemini-2.5-flash-image", "gemini-2.5-flash-preview-tts"], None),
        (["gemini-embedding-001", "imagen-4", "gemini-3-pro"], "gemini-3-pro"),
        (["gemini-2.0-flash-live-001", "gemma-3-27b-it"], "gemma-3-27b-it"),
    ],
)
def test_gemini_models_are_chosen_by_speed_and_age(
    names: list[str], expected: str | None
):
    """A released model goes before a preview."""
    assert choose_gemini(names) == expected
