"""Owns the meaning of an error that a vendor reports.

No text of it is ever shown: it may repeat a part of the prompt or of the key. It is
searched for what is known, and the message is in our own words.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from apx.domain.errors import (
    ProviderError,
    ProviderMisconfigured,
    ProviderUnavailable,
)
from apx.providers.failure import (
    PLAIN_CODE,
    blocked,
    misaddressed,
    overflow,
)
from apx.providers.windows import in_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.providers.failure import Asked

# Each engine says it in its own words: OpenAI, Azure, vLLM (two ages of it), llama.cpp
# (two as well), LM Studio, Ollama, Anthropic behind a proxy, Gemini, SGLang, xAI,
# text-generation-inference. Every repeat is bounded, as it may quote a long prompt.
_OVERFLOW: Final = re.compile(
    r"context_length_exceeded|exceed_context_size"
    r"|exceed(s|ed|ing)?\s{1,4}(the\s{1,4})?((available|maximum|max|model'?s?)\s{1,4})?"
    r"context\s{1,4}(size|length|window|limit)"
    r"|maximum\s{1,4}(context|prompt|model)\s{1,4}length"
    r"|context\s{1,4}(size|length|window)\s{1,4}(has\s{1,4}been\s{1,4})?exceed"
    r"|(prompt|input)\s{1,4}(is\s{1,4})?too\s{1,4}long"
    r"|(greater|longer)\s{1,4}than\s{1,4}the\s{1,4}(model's\s{1,4})?context\s{1,4}length"
    r"|model's\s{1,4}context\s{1,4}length\s{1,4}is"
    r"|loaded\s{1,4}with\s{1,4}(a\s{1,4})?context\s{1,4}length"
    r"|max_new_tokens`?\s{1,4}must\s{1,4}be\s{1,4}<="
    r"|input\s{1,4}token\s{1,4}count.{0,60}exceeds",
    re.IGNORECASE | re.DOTALL,
)
_OVERFLOW_STATUSES: Final = frozenset({0, 400, 422, 500})
_FILTERED: Final = re.compile(r"^(content_filter|content_policy_violation)$")
_PASSING: Final = frozenset({0, 408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class _Mistake:
    """A report that asking again never helps against, and what to tell the person."""

    pattern: re.Pattern[str]
    cure: str
    statuses: frozenset[int] = frozenset()
    is_models: bool = False


_MISTAKES: Final = (
    _Mistake(
        re.compile(r"insufficient_quota|billing_hard_limit", re.IGNORECASE),
        "has no credit left on the account{label}: top it up, or change {key}",
        frozenset({HTTPStatus.PAYMENT_REQUIRED}),
    ),
    _Mistake(
        re.compile(
            r"api[ _]key[ _](not[ _]valid|invalid|expired)|invalid_api_key",
            re.IGNORECASE,
        ),
        "does not let us in{label}: check {key}",
        frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}),
    ),
    _Mistake(
        re.compile(r"requires more system memory", re.IGNORECASE),
        "needs more memory than {place} has: choose a smaller {key}",
        is_models=True,
    ),
    _Mistake(
        re.compile(r"does not support (tools|function)", re.IGNORECASE),
        "cannot use tools: choose another {key}",
        is_models=True,
    ),
)


@dataclass(frozen=True, slots=True)
class Report:
    """An error as a vendor reported it; `status` is 0 inside a stream.

    `body` is what stands beside the text, where the SDK shows it.
    """

    status: int
    code: str = ""
    text: str = ""
    retry_after: float | None = None
    body: object = None

    @property
    def label(self) -> str:
        """What may be shown of it: ` (429 rate_limit_exceeded)`."""
        shown = [str(self.status)] if self.status else []
        if PLAIN_CODE.fullmatch(self.code):
            shown.append(self.code)
        return f" ({' '.join(shown)})" if shown else ""

    def has(self, pattern: re.Pattern[str]) -> bool:
        """Whether its code or its text says so."""
        return bool(pattern.search(self.code) or pattern.search(self.text))


def reported(asked: Asked, report: Report) -> ProviderError:
    """Give the error that a vendor's report amounts to."""
    if report.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or (
        report.status in _OVERFLOW_STATUSES and report.has(_OVERFLOW)
    ):
        return overflow(asked, in_error(report.text, report.body))
    if _FILTERED.search(report.code):
        return blocked(asked, report.code)
    mistake = _mistake(asked, report)
    if mistake is not None:
        message, key = mistake
        return ProviderMisconfigured(message, provider=asked.name, key=key)
    return _passing(asked, report)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long a vendor asks us to wait, in seconds.

    A date counts from the response's own `Date`: the two clocks may differ.
    """
    asked = headers.get("retry-after", "")
    try:
        return _sane(float(asked))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(asked)
        return _sane((until - parsedate_to_datetime(headers["date"])).total_seconds())
    except (ValueError, TypeError, KeyError):
        return None


def _sane(seconds: float) -> float | None:
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _mistake(asked: Asked, report: Report) -> tuple[str, str] | None:
    """Give the message and the config key, if asking again can never help."""
    for known in _MISTAKES:
        if report.status in known.statuses or report.has(known.pattern):
            key = asked.model_key if known.is_models else asked.auth_key
            cure = known.cure.format(place=asked.place, label=report.label, key=key)
            return f"{asked.name} {cure}", key
    if report.status == HTTPStatus.NOT_FOUND:
        return _missing(asked, report)
    ours = report.status < HTTPStatus.INTERNAL_SERVER_ERROR
    if not ours or report.status in _PASSING:
        return None
    what = f"{asked.name} does not accept our request{report.label}"
    return f"{what}: try another {asked.model_key}", asked.model_key


def _missing(asked: Asked, report: Report) -> tuple[str, str]:
    if "model" not in f"{report.code} {report.text}".lower():
        return str(misaddressed(asked)), asked.url_key
    if asked.engine == "ollama":
        cure = f"run `ollama pull {asked.model}`, or change {asked.model_key}"
        return f"{asked.name} is not installed: {cure}", asked.model_key
    return f"{asked.name} does not exist: change {asked.model_key}", asked.model_key


def _passing(asked: Asked, report: Report) -> ProviderUnavailable:
    what = "is out of order"
    if report.status == HTTPStatus.TOO_MANY_REQUESTS or "rate_limit" in report.code:
        what = "has too many requests"
    return ProviderUnavailable(
        f"{asked.name} {what}{report.label}",
        provider=asked.name,
        retry_after=report.retry_after,
    )
