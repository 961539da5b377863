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

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.providers.failure import Asked

# Each engine says it in its own words: OpenAI, Azure, vLLM, llama.cpp (two ages of
# it), LM Studio, Ollama, Anthropic behind a proxy, Gemini.
_OVERFLOW: Final = re.compile(
    r"context_length_exceeded|exceed_context_size"
    r"|exceed\w*\s+(the\s+)?(available|maximum|max|model'?s?)?\s*context\s+"
    r"(size|length|window)"
    r"|maximum\s+context\s+length|context\s+(size|length|window)\s+(has\s+been\s+)?exceed"
    r"|(prompt|input)\s+(is\s+)?too\s+long|greater\s+than\s+the\s+context\s+length"
    r"|input\s+token\s+count.{0,60}exceeds",
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
    """An error as a vendor reported it; `status` is 0 inside a stream."""

    status: int
    code: str = ""
    text: str = ""
    retry_after: float | None = None

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
        return overflow(asked)
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
