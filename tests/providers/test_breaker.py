"""When a provider that failed is asked again, on a clock of our own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from apx.domain.errors import (
    ProviderError,
    ProviderMisconfigured,
    ProviderUnavailable,
    TextsRefused,
)
from apx.providers.breaker import Breaker


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


AWAY = ProviderUnavailable("ollama:tiny cannot be reached", provider="ollama")
WRONG = ProviderMisconfigured("no credit left", provider="openai", key="k")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(clock)


def fail(breaker: Breaker, error: ProviderError = AWAY, times: int = 3) -> None:
    for _ in range(times):
        breaker.record(error)


def test_two_failures_are_bad_luck(breaker: Breaker):
    """A success between them starts the count anew."""
    fail(breaker, times=2)
    breaker.record(None)
    fail(breaker, times=2)

    assert breaker.allows()
    assert breaker.state(datetime(2030, 1, 1, tzinfo=UTC)) == ""


def test_three_in_a_row_are_enough(breaker: Breaker, clock: Clock):
    """A dead provider costs nothing after that, until someone looks."""
    fail(breaker)

    assert not breaker.allows()
    clock.now += 29
    assert not breaker.allows()
    clock.now += 1
    assert breaker.allows()


def test_one_looks_while_the_others_stay_away(breaker: Breaker, clock: Clock):
    """Else each turn of a busy minute would wait for the same silence."""
    fail(breaker)
    clock.now += 30

    assert [breaker.allows() for _ in range(3)] == [True, False, False]


def test_a_look_that_never_reports_does_not_close_the_door_for_ever(
    breaker: Breaker, clock: Clock
):
    """A turn may be stopped while it waits."""
    fail(breaker)
    clock.now += 30
    assert breaker.allows()

    clock.now += 30
    assert breaker.allows()


def test_each_look_in_vain_doubles_the_pause_up_to_ten_minutes(
    breaker: Breaker, clock: Clock
):
    """A server that is off for the night is asked a hundred times, not thousands."""
    fail(breaker)
    pauses = []
    for _ in range(7):
        pauses.append(breaker.rest)
        clock.now += breaker.rest
        assert breaker.allows()
        breaker.record(AWAY)

    assert pauses == [30, 60, 120, 240, 480, 600, 600]


def test_a_success_forgets_all(breaker: Breaker, clock: Clock):
    """The next trouble starts small again."""
    fail(breaker)
    clock.now += 30
    breaker.allows()
    breaker.record(None)

    assert not breaker.is_open
    assert breaker.reason == ""
    fail(breaker)
    assert breaker.rest == 30


def test_what_a_person_must_mend_is_looked_at_every_ten_minutes(
    breaker: Breaker, clock: Clock
):
    """A key does not become right by itself; never more than one look in ten."""
    breaker.record(WRONG)
    looks = 0
    for _ in range(120):
        clock.now += 30
        if breaker.allows():
            looks += 1
            breaker.record(WRONG)

    assert looks == 6


def test_calls_that_were_under_way_do_not_lengthen_the_pause(
    breaker: Breaker, clock: Clock
):
    """Ten workers fail together, and that is one failure of the provider."""
    fail(breaker)
    clock.now += 10
    fail(breaker, times=7)

    assert breaker.rest == 20


def test_a_refused_text_is_an_answer(breaker: Breaker):
    """The provider is there and works."""
    fail(breaker, times=2)
    breaker.record(TextsRefused("too long", provider="x"))
    fail(breaker, times=2)

    assert breaker.allows()


def test_a_long_wait_that_was_asked_for_is_kept(breaker: Breaker, clock: Clock):
    """Coming back earlier makes a vendor angrier."""
    breaker.record(ProviderUnavailable("429", provider="x", retry_after=90))

    clock.now += 89
    assert not breaker.allows()
    clock.now += 1
    assert breaker.allows()


def test_a_person_reads_until_when_and_why(breaker: Breaker, clock: Clock):
    """`apx status` shows it as it is."""
    fail(breaker)
    clock.now += 10

    said = breaker.state(datetime(2030, 1, 1, 12, 2, 50, tzinfo=UTC))

    assert said == "resting until 12:03: ollama:tiny cannot be reached"
