"""Persons, codes and strangers in the ledger."""

from __future__ import annotations

from datetime import timedelta

import pytest

from apx.domain.heard import Caller
from apx.domain.person import OWNER, Account, Role
from apx.domain.thread import Thread
from apx.store.codes import ALPHABET, GUESSES, Codes, Redeemed, Wanted, shown
from apx.store.people import People
from apx.store.strangers import MOST_PENDING, Strangers
from apx.store.verify import verify
from tests.domain.test_secrets import made_up

PHONE = Account("telegram", "7", "55")
DESK = Account("discord", "9", "800")
OTHER = Account("telegram", "7", "66")


@pytest.fixture
def people(database):
    return People(database)


@pytest.fixture
def codes(database):
    return Codes(database)


@pytest.fixture
def strangers(database):
    return Strangers(database)


async def test_a_stranger_may_call_themselves_a_key(strangers, database, clock):
    """The name is kept where the ledger is."""
    secret = made_up(3)["github"]
    caller = Caller(PHONE, Thread("telegram", "7:1"), f"Bob {secret}")

    await strangers.meet(caller, clock(), may_ask=True)

    [row] = await database.fetch("select name from stranger")
    assert row["name"] == "Bob [secret: github]"


async def key_of(people, account):
    known = await people.known(account)
    return known.person.key if known else None


async def test_there_is_an_owner_and_nobody_becomes_one_by_writing(people, clock):
    """The owner is there from the start, without an account."""
    anna = await people.add(PHONE, Role.MEMBER, "Anna", clock(), paired=True)

    assert [p.role for p in await people.every()] == [Role.OWNER, Role.MEMBER]
    assert anna.key != OWNER
    assert await people.accounts(OWNER) == []


async def test_the_code_makes_the_owner_once(people, codes, clock):
    """The first account that enters it; the second is told that it was used."""
    code = await codes.issue(clock(), Wanted())

    first = await codes.redeem(PHONE, shown(code).lower(), "me", clock())
    second = await codes.redeem(OTHER, code, "not me", clock())

    assert first.what is Redeemed.LINKED
    assert await key_of(people, PHONE) == OWNER
    assert second.what is Redeemed.WRONG
    assert await key_of(people, OTHER) is None


async def test_a_code_lives_ten_minutes(people, codes, clock):
    """One that was left on a screen is nothing worth."""
    at = clock()
    code = await codes.issue(at, Wanted())

    late = await codes.redeem(PHONE, code, "", at + timedelta(minutes=10))

    assert late.what is Redeemed.WRONG
    assert await key_of(people, PHONE) is None


async def test_guessing_is_bounded_for_each_account(codes, clock):
    """After five wrong ones not even the right one counts, for an hour."""
    at = clock()
    code = await codes.issue(at, Wanted())
    for _ in range(GUESSES):
        wrong = await codes.redeem(PHONE, "22222222", "", at)
        assert wrong.what is Redeemed.WRONG

    assert (await codes.redeem(PHONE, code, "", at)).what is Redeemed.TOO_MANY
    assert (await codes.redeem(OTHER, code, "", at)).what is Redeemed.LINKED
    later = at + timedelta(hours=1, seconds=1)
    fresh = await codes.issue(later, Wanted())
    assert (await codes.redeem(PHONE, fresh, "", later)).what is Redeemed.LINKED


async def test_many_accounts_guess_no_more_often(codes, clock):
    """So many wrong codes an hour, all together; but the right one still counts."""
    at = clock()
    code = await codes.issue(at, Wanted())
    for number in range(2000):
        account = Account("telegram", "7", str(number))
        await codes.redeem(account, "22222222", "", at)

    wrong = await codes.redeem(OTHER, "33333333", "", at)
    assert wrong.what is Redeemed.TOO_MANY
    assert (await codes.redeem(PHONE, code, "", at)).what is Redeemed.LINKED


async def test_codes_are_not_in_the_file(codes, clock, tmp_path):
    """Only their hashes; and no two are alike."""
    made = {await codes.issue(clock(), Wanted(f"p{n}")) for n in range(50)}

    raw = b"".join(path.read_bytes() for path in tmp_path.glob("ledger.db*"))
    assert len(made) == 50
    assert all(len(code) == 8 and set(code) <= set(ALPHABET) for code in made)
    assert not any(code.encode() in raw for code in made)


async def test_linking_joins_and_parting_restores(people, codes, clock, database):
    """Each account's earlier person is kept, and comes back."""
    anna = await people.add(PHONE, Role.MEMBER, "Anna", clock(), paired=True)
    guest = await people.add(DESK, Role.GUEST, "anna_2", clock(), paired=False)

    code = await codes.issue(clock(), Wanted(anna.key))
    done = await codes.redeem(DESK, code, "anna_2", clock())

    assert done.what is Redeemed.LINKED
    assert await key_of(people, DESK) == anna.key
    assert await people.homes(anna.key) == [guest.key]

    parted = await people.part(DESK, clock(), str(clock()))

    assert parted is not None
    assert parted.home == guest.key
    assert await key_of(people, DESK) == guest.key
    assert await people.homes(anna.key) == []
    assert await verify(database.path) == []


async def test_an_account_that_was_nobodys_is_nobodys_again(people, codes, clock):
    """Whoever is parted has to knock anew."""
    code = await codes.issue(clock(), Wanted())
    await codes.redeem(PHONE, code, "", clock())
    await people.part(PHONE, clock(), str(clock()))

    assert await people.known(PHONE) is None
    assert await people.part(PHONE, clock(), str(clock())) is None


async def test_who_may_more_does_not_become_who_may_less(people, codes, clock):
    """A guest's code that the owner is talked into entering gives the guest nothing."""
    owners = await codes.issue(clock(), Wanted())
    await codes.redeem(PHONE, owners, "", clock())
    guest = await people.add(OTHER, Role.GUEST, "Eve", clock(), paired=False)

    bait = await codes.issue(clock(), Wanted(guest.key))
    done = await codes.redeem(PHONE, bait, "", clock())

    assert done.what is Redeemed.WRONG_WAY
    assert await key_of(people, PHONE) == OWNER
    assert await key_of(people, OTHER) == guest.key


async def test_an_invitation_makes_a_new_person(codes, clock):
    """With the role that the owner chose; a person who is one already stays it."""
    code = await codes.issue(clock(), Wanted("", Role.GUEST, "Uncle"))
    done = await codes.redeem(PHONE, code, "uncle77", clock())
    again = await codes.issue(clock(), Wanted("", Role.MEMBER))

    assert done.person is not None
    assert (done.person.role, done.person.name) == (Role.GUEST, "Uncle")
    assert (await codes.redeem(PHONE, again, "", clock())).what is Redeemed.ALREADY


async def test_linking_takes_all_accounts_of_the_one_who_joins(people, codes, clock):
    """Else one of them would be two people at once."""
    guest = await people.add(DESK, Role.GUEST, "", clock(), paired=False)
    more = await codes.issue(clock(), Wanted(guest.key))
    await codes.redeem(OTHER, more, "", clock())
    anna = await people.add(PHONE, Role.MEMBER, "", clock(), paired=True)

    await codes.redeem(DESK, await codes.issue(clock(), Wanted(anna.key)), "", clock())

    assert await key_of(people, OTHER) == await key_of(people, DESK) == anna.key
    assert await people.homes(anna.key) == [guest.key]


def knock(user, name="Bob"):
    account = Account("telegram", "7", user)
    return Caller(account, Thread("telegram", f"7:{user}"), name)


async def test_three_wait_at_most(strangers, clock):
    """However many knock, the owner is asked about three."""
    at = clock()
    met = [
        await strangers.meet(knock(str(n)), at, may_ask=True)
        for n in range(MOST_PENDING + 5)
    ]

    assert sum(one.asks is not None for one in met) == MOST_PENDING
    assert len(await strangers.pending()) == MOST_PENDING


async def test_one_line_a_day(strangers, clock):
    """Whoever goes on writing is not answered again before tomorrow."""
    at = clock()
    first = await strangers.meet(knock("5"), at, may_ask=True)
    again = await strangers.meet(knock("5"), at + timedelta(hours=23), may_ask=True)
    later = await strangers.meet(knock("5"), at + timedelta(hours=25), may_ask=True)

    assert (first.tells, again.tells, later.tells) == (True, False, True)
    assert first.asks is not None
    assert again.asks is later.asks is None


async def test_numbers_are_never_used_again(strangers, clock):
    """An old button must not let in somebody else."""
    at = clock()
    first = (await strangers.meet(knock("5"), at, may_ask=True)).asks
    await strangers.settle(first.number, refused=False)
    second = (await strangers.meet(knock("6"), at, may_ask=True)).asks

    assert second.number != first.number
    assert await strangers.settle(first.number, refused=False) is None


async def test_who_was_refused_does_not_ask_again(strangers, clock):
    """For a month; then the owner may have changed their mind."""
    at = clock()
    asks = (await strangers.meet(knock("5"), at, may_ask=True)).asks
    await strangers.settle(asks.number, refused=True)

    soon = await strangers.meet(knock("5"), at + timedelta(days=29), may_ask=True)
    late = await strangers.meet(knock("5"), at + timedelta(days=31), may_ask=True)

    assert soon.asks is None
    assert late.asks is not None


async def test_a_crowd_fills_nothing(database, strangers, clock):
    """The table stays small, whoever floods the bot, and hides nobody who knocks."""
    at = clock()

    def job(tx):
        for n in range(1000):
            tx.execute(
                "insert into stranger values ('telegram', '7', ?, ?, '', 't:1', 'met',"
                " ?, ?)",
                (f"x{n}", -n, at.isoformat(), at.isoformat()),
            )

    await database.write(job)
    met = await strangers.meet(knock("5"), at, may_ask=True)

    [row] = await database.fetch("select count(*) as many from stranger")
    assert row["many"] == 1000
    assert met.asks is not None
