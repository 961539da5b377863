"""Owns the one policy of asking a model again."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tenacity import (
    AsyncRetrying,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential_jitter,
)

from apx.domain.errors import ProviderUnavailable
from apx.domain.usage import spending_again

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from tenacity import RetryCallState

    from apx.domain.message import Delta, Options

_ATTEMPTS: Final = 3
# Longer than this a person does not wait while another model could answer.
_LONGEST_WAIT: Final = 10.0
_BACKOFF: Final = wait_exponential_jitter(initial=0.5, max=4.0, jitter=0.5)


async def retrying(
    ask: Callable[[Options], AsyncGenerator[Delta, None]],
    options: Options,
    *,
    sleep: Callable[[float], Awaitable[None]],
    clock: Callable[[], float],
) -> AsyncGenerator[Delta, None]:
    """Ask a model again while it is unavailable and has said nothing yet.

    All attempts share one deadline, so a model that hangs is not asked twice. A
    refused connection, a long `retry_after` and every lasting error come through
    at once.
    """
    until = clock() + options.deadline

    def hopeful(error: BaseException) -> bool:
        return worth_another(error, left=until - clock())

    policy = AsyncRetrying(
        retry=retry_if_exception(hopeful),
        stop=stop_after_attempt(_ATTEMPTS),
        wait=_wait,
        sleep=sleep,
        reraise=True,
    )
    async for attempt in policy:
        left = max(until - clock(), 0.0)
        is_first = attempt.retry_state.attempt_number == 1
        stream = (ask if is_first else again(ask))(replace(options, deadline=left))
        async with aclosing(stream):
            with attempt:
                first = await _first(stream)
            outcome = attempt.retry_state.outcome
            if outcome is None or outcome.failed:
                continue
            yield first
            async for delta in stream:
                yield delta


def again(
    ask: Callable[[Options], AsyncGenerator[Delta, None]],
) -> Callable[[Options], AsyncGenerator[Delta, None]]:
    """Have a call count as a repetition of one that failed."""

    def asked(options: Options) -> AsyncGenerator[Delta, None]:
        # Around the call alone: what is around a `yield` holds for whoever reads.
        with spending_again():
            return ask(options)

    return asked


def worth_another(error: BaseException, *, left: float) -> bool:
    """Whether asking again may help, with `left` seconds to do so."""
    if not isinstance(error, ProviderUnavailable) or error.refused:
        return False
    return (error.retry_after or 0.0) <= min(_LONGEST_WAIT, left) and left > 0


async def _first(stream: AsyncGenerator[Delta, None]) -> Delta:
    async for delta in stream:
        return delta
    raise ProviderUnavailable("The model said nothing at all", provider="")


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = getattr(error, "retry_after", None)
    return _BACKOFF(state) if asked is None else float(asked)
