"""What config.json says of recordings."""

import pytest
from pydantic import ValidationError

from apx.config.assistant import OpenAI
from apx.config.hearing import Server, Transcription

ENGINE = OpenAI(base_url="http://home:1/v1", api_key="engine-key")


@pytest.mark.parametrize(
    ("written", "server"),
    [
        ({}, Server("http://home:1/v1", "engine-key", "engines.openai")),
        ({"api_key": "k"}, Server("", "k", "transcription")),
        ({"base_url": "http://a:2"}, Server("http://a:2", "", "transcription")),
    ],
)
def test_a_key_is_sent_to_the_address_that_it_is_written_with(written, server):
    """The key of one vendor is none of another's business."""
    assert Transcription(**written).server(ENGINE) == server


@pytest.mark.parametrize(
    "written",
    [
        {"provider": "whisper"},
        {"model": "a\nb"},
        {"language": "Spanish"},
        {"max_seconds": 0},
        {"base_url": "home"},
        {"api_key": "two words"},
    ],
)
def test_a_slip_is_refused(written):
    """Before it costs a recording."""
    with pytest.raises(ValidationError):
        Transcription(**written)


def test_nobody_listens_unless_it_is_written():
    """A home without the key sends no recording anywhere."""
    assert Transcription().provider == ""
    assert "key" not in repr(Transcription(api_key="a-key"))
