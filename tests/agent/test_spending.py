"""Which model a turn may have, and when nothing more is spent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from apx.agent.spending import Budgets
from apx.config import Config
from apx.domain.errors import InputError
from apx.domain.message import Usage
from apx.domain.person import OWNER, Role
from apx.domain.usage import Account, Call, Grant, Limits, Purpose, spending
from apx.store.spent import Spent
from apx.wiring.models import Models
from tests.servers import OpenAIServer
from tests.servers.asking import ask

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.store.database import Database

MADRID = ZoneInfo("Europe/Madrid")
# A minute before midnight in Madrid.
LATE = datetime(2026, 11, 30, 22, 59, tzinfo=UTC)


class Time:
    """A clock that a test sets."""

    now = LATE

    def __call__(self) -> datetime:
        return self.now

    def day(self) -> str:
        return f"{self.now.astimezone(MADRID):%Y-%m-%d}"


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def spent(database: Database, time: Time) -> AsyncIterator[Spent]:
    async with Spent.open(database, time.day) as spent:
        yield spent


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(models=["tiny", "big"]) as server:
        server.usage = Usage(prompt=90, completion=10)
        yield server


@pytest.fixture
async def models(server: OpenAIServer, spent: Spent) -> AsyncIterator[Models]:
    config = Config.model_validate(
        {
            "super_agent": {"model": "openai:big", "fallback_models": ("openai:tiny",)},
            "engines": {"openai": {"base_url": server.base_url, "api_key": "k"}},
        }
    )
    async with Models(config, count=spent.add) as models:
        yield models


@pytest.fixture
def budgets(spent: Spent, models: Models, time: Time) -> Any:
    def with_limits(**limits: Any) -> Budgets:
        return Budgets(spent, Limits(**limits), models, time, MADRID)

    return with_limits


def call(tokens: int, person: str = "ana", purpose: Purpose = Purpose.CHAT) -> Call:
    return Call(Account(purpose, person), "openai:big", Usage(tokens))


async def test_without_a_bound_the_usual_model_answers(budgets, spent):
    """Whatever was spent."""
    spent.add(call(10**9))

    choice = await budgets().choose("ana", Role.GUEST)

    assert (choice.model.name, choice.remark) == ("openai:big", "")


async def test_at_the_homes_limit_the_offline_model_answers_and_says_so(
    budgets, server, time
):
    """Two real calls use the day up; at midnight, the person's, it begins anew."""
    home = budgets(daily_tokens=200)
    for _ in range(2):
        choice = await home.choose("owner", Role.OWNER)
        with spending(Purpose.CHAT, "owner"):
            await ask(choice.model)

    late = await home.choose("bob", Role.MEMBER)
    await ask(late.model)

    assert late.model.name == "offline"
    assert late.remark == (
        "The 200 tokens for today are used up: the offline model answers until"
        " midnight. budget.daily_tokens in config.json."
    )
    assert len(server.requests) == 2
    assert not home.may_work_behind()
    assert "budget.daily_tokens are used up" in home.trouble

    time.now += timedelta(minutes=1)
    choice = await home.choose("bob", Role.MEMBER)
    assert (choice.model.name, choice.remark, home.trouble) == ("openai:big", "", "")


async def test_a_role_has_a_bound_of_its_own_for_each_person(budgets, spent):
    """One guest's chatter takes nothing from another, nor from the owner."""
    home = budgets(roles={Role.GUEST: Grant(daily_tokens=50)})
    spent.add(call(30, "ana"))
    spent.add(call(20, "ana", Purpose.QUESTION))
    spent.add(call(49, "bob"))

    ana, bob = [await home.choose(who, Role.GUEST) for who in ("ana", "bob")]
    owner = await home.choose("ana", Role.OWNER)

    assert (ana.model.name, bob.model.name) == ("offline", "openai:big")
    assert ana.remark.startswith("Your 50 tokens for today are used up")
    assert "roles.guest.daily_tokens" in ana.remark
    assert owner.model.name == "openai:big"
    assert home.may_work_behind()


async def test_a_role_is_answered_by_its_own_models_alone(budgets, server):
    """Not even where they fail does another one stand in."""
    home = budgets(roles={Role.GUEST: Grant(models=("openai:tiny", "offline"))})
    server.faults.append(server.error(401, "no"))

    choice = await home.choose("ana", Role.GUEST)
    await ask(choice.model)

    assert choice.model.name == "openai:tiny"
    assert [request.model for request in server.requests] == ["tiny"]


async def test_the_usual_model_stays_first_where_a_role_has_it(budgets, server):
    """A list says what is allowed; config.json says elsewhere what is usual."""
    home = budgets(roles={Role.MEMBER: Grant(models=("openai:tiny", "openai:big"))})
    server.faults.append(server.error(401, "no"))

    choice = await home.choose("ana", Role.MEMBER)
    await ask(choice.model)

    assert [request.model for request in server.requests] == ["big", "tiny"]


async def test_a_wanted_model_is_given_or_refused_by_name(budgets):
    """Somebody who asked for one must not get another without a word."""
    home = budgets(roles={Role.GUEST: Grant(models=("openai:tiny",))})

    assert (await home.choose("a", Role.GUEST, "openai:tiny")).model.name == (
        "openai:tiny"
    )
    assert (await home.choose("a", Role.GUEST, "offline")).model.name == "offline"
    with pytest.raises(InputError, match=r"openai:big .*roles\.guest\.models"):
        await home.choose("a", Role.GUEST, "openai:big")
    assert (await home.choose("a", Role.OWNER, "openai:big")).model.name == "openai:big"


@pytest.mark.parametrize(
    ("purpose", "is_behind"),
    [
        (Purpose.SUMMARY, True),
        (Purpose.CONSOLIDATION, True),
        (Purpose.EMBEDDING, True),
        (Purpose.BACKGROUND_RETRY, True),
        (Purpose.CHAT, False),
        (Purpose.QUESTION, False),
        (Purpose.RETRY, False),
        (Purpose.WORKER, False),
    ],
)
async def test_only_background_work_uses_up_the_backgrounds_bound(
    budgets, spent, purpose, is_behind
):
    """Chat goes on in both cases."""
    home = budgets(background_daily_tokens=100)
    spent.add(call(100, purpose=purpose))

    assert home.may_work_behind() is not is_behind
    assert bool(home.trouble) is is_behind
    assert home.may_ask()
    assert (await home.choose("ana", Role.OWNER)).model.name == "openai:big"


async def test_what_was_spent_before_the_start_counts(database, models, time):
    """To start anew is no way around a bound."""
    async with Spent.open(database, time.day) as spent:
        spent.add(call(100))
    async with Spent.open(database, time.day) as spent:
        home = Budgets(spent, Limits(daily_tokens=100), models, time, MADRID)

        assert not home.may_ask()
        assert (await home.choose("ana", Role.OWNER)).model.name == "offline"


async def test_the_owner_is_told_all_and_others_their_own(budgets, spent):
    """What a family spends is nobody's business but the owner's."""
    guest = Grant(daily_tokens=20_000)
    home = budgets(
        daily_tokens=50_000, background_daily_tokens=9_000, roles={Role.GUEST: guest}
    )
    spent.add(call(1_000, "ana"))
    spent.add(call(200, "owner"))
    spent.add(call(30, "", Purpose.EMBEDDING))

    assert await home.told("owner", Role.OWNER) == (
        "today: 1,230 tokens in 3 calls\n"
        "by purpose: chat 1,200, embedding 30\n"
        "by model: openai:big 1,230\n"
        "by person: ana 1,000, owner 200, the home 30\n"
        "budget.daily_tokens: 1,230 of 50,000 tokens today\n"
        "budget.background_daily_tokens: 30 of 9,000 tokens today"
    )
    assert await home.told("ana", Role.GUEST) == (
        "today: 1,000 tokens in 1 call\n"
        "by purpose: chat 1,000\n"
        "by model: openai:big 1,000\n"
        "roles.guest.daily_tokens: 1,000 of 20,000 tokens today"
    )


async def test_a_report_looks_back_as_many_days_as_asked(budgets, spent, time):
    """Today is one of them."""
    spent.add(call(1))
    time.now += timedelta(days=2)
    spent.add(call(20))
    home = budgets()

    assert [
        sum(one.tokens for one in await home.report(days)) for days in (1, 2, 3)
    ] == [
        20,
        20,
        21,
    ]
    assert (await home.told("ana", Role.MEMBER, 3)).startswith("the last 3 days: 21 ")


async def test_one_token_is_not_many(budgets, spent):
    """In what a turn is told, in the status and in what was spent."""
    home = budgets(daily_tokens=1, background_daily_tokens=1)
    spent.add(call(1))

    remark = (await home.choose("ana", Role.MEMBER)).remark

    assert remark.startswith("The 1 token for today is used up: the offline model")
    assert home.trouble.startswith("the 1 token of budget.daily_tokens is used up: ")
    told = await home.told(OWNER, Role.OWNER)
    assert told.startswith("today: 1 token in 1 call")
    assert "1 of 1 token today" in told
