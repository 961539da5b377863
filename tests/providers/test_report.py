"""What a vendor's error means, from its status, code and text alone."""

from __future__ import annotations

import pytest

from apx.domain.errors import ContextOverflow, ProviderMisconfigured, ProviderRefused
from apx.providers.failure import Asked
from apx.providers.report import Report, reported, retry_after

ASKED = Asked("openai", "m", "https://me:pw@proxy.example:8443/v1")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-1"}, 0.0),
        (
            {
                "retry-after": "Mon, 30 Nov 2026 10:00:30 GMT",
                "date": "Mon, 30 Nov 2026 10:00:00 GMT",
            },
            30.0,
        ),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:30 GMT"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_a_wait_is_read_in_each_of_its_forms(
    headers: dict[str, str], seconds: float | None
):
    """A date counts from the server's own clock, and nonsense is no wait."""
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    "report",
    [
        Report(413),
        Report(400, "context_length_exceeded"),
        Report(400, "exceed_context_size_error"),
        Report(500, text="Context size has been exceeded."),
        Report(0, text="tokens to keep is greater than the context length"),
    ],
)
def test_every_engines_full_window_is_known(report: Report):
    """The caller shortens the prompt; with any other error it would not."""
    assert isinstance(reported(ASKED, report), ContextOverflow)


def test_a_busy_server_is_no_overflow_whatever_it_quotes():
    """The words may be a part of the prompt that it repeats."""
    error = reported(ASKED, Report(429, text="maximum context length"))

    assert not isinstance(error, ContextOverflow)


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_azures_filter_is_a_refusal(code: str):
    """It comes as a bad request."""
    assert isinstance(reported(ASKED, Report(400, code)), ProviderRefused)


@pytest.mark.parametrize(
    ("report", "key"),
    [
        (Report(402), "engines.openai.api_key"),
        (Report(403), "engines.openai.api_key"),
        (Report(404, "model_not_found"), "super_agent.model"),
        (Report(404, text="404 page not found"), "engines.openai.base_url"),
        (Report(400, "invalid_request_error"), "super_agent.model"),
        (Report(422), "super_agent.model"),
    ],
)
def test_a_lasting_error_names_the_key_to_change(report: Report, key: str):
    """`apx doctor` and the person need nothing else."""
    error = reported(ASKED, report)

    assert isinstance(error, ProviderMisconfigured)
    assert error.key == key
    assert key in str(error)


def test_a_login_in_an_address_is_not_shown():
    """Some people keep one there."""
    error = reported(ASKED, Report(404, text="nothing here"))

    assert "proxy.example:8443" in str(error)
    assert "pw" not in str(error)


@pytest.mark.parametrize("code", ["sk-abc123", "my secret", "a" * 50, "Ada"])
def test_a_code_is_shown_only_if_it_can_be_nothing_else(code: str):
    """A proxy may put anything there."""
    assert code not in str(reported(ASKED, Report(400, code)))
