"""What the bodies of events are masked in."""

import json

import pytest

from apx.domain.masking import masked, masked_lines
from tests.domain.test_secrets import made_up

# As a model escapes what is not ASCII.
PASSWORD = "\\u043f\\u0430\\u0440\\u043e\\u043b\\u044c"  # noqa: S105 -- the word
KEY = made_up(5)["openai"]


@pytest.mark.parametrize("name", ["key", "keys", "id", "call", "signature", "x"])
@pytest.mark.parametrize("said", ["tea", f"{PASSWORD}: Zima2026!x"])
def test_an_argument_may_have_any_name(name, said):
    """Of a body's own ids none is touched, wherever they stand."""
    arguments = f'{{"{name}": "{KEY}", "inner": [{{"{name}": "{KEY}"}}]'
    arguments += f', "{KEY}": 1, "text": "{said}"}}'
    call = {"id": KEY, "name": "x", "arguments": arguments, "signature": KEY}

    safe = masked({"call": KEY, "calls": [call]})

    assert safe["call"] == safe["calls"][0]["id"] == KEY
    assert KEY not in safe["calls"][0]["arguments"]
    json.loads(safe["calls"][0]["arguments"])


def test_a_value_is_known_by_its_name_too():
    """Also where another value was masked for itself."""
    given = f'{{"note": "{KEY} \\u00e9", "password": "Brot7$Wurst"}}'

    safe = masked({"arguments": given})["arguments"]

    assert KEY not in safe
    assert "Brot7" not in safe


def test_lines_stay_lines():
    """A file is compared by them."""
    text = f"# Notes\r\n\n- {KEY}\n- tea\n"
    assert masked_lines(text) == text.replace(KEY, "[secret: openai]")
