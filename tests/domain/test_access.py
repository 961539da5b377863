"""Who may talk: one rule for every kind of event."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.access import Access, Known, Rules, Verdict, decide
from apx.domain.heard import Caller
from apx.domain.path_part import path_part
from apx.domain.person import Account, Person, Role
from apx.domain.thread import Thread

THREAD = Thread("telegram", "7:55")
ANNA = Known(Person("p-1", Role.MEMBER), paired=True)
DROPPED_IN = Known(Person("p-2", Role.GUEST), paired=False)
OWNER = Known(Person("owner", Role.OWNER), paired=True)


def caller(user="55", group="", *, is_bot=False):
    return Caller(Account("telegram", "7", user), THREAD, "Anna", group, is_bot)


@pytest.mark.parametrize(
    ("access", "known", "verdict"),
    [
        (Access.OWNER, OWNER, Verdict.IN),
        (Access.OWNER, ANNA, Verdict.SHUT),
        (Access.OWNER, None, Verdict.SHUT),
        (Access.PAIRED, ANNA, Verdict.IN),
        (Access.PAIRED, DROPPED_IN, Verdict.ASKS),
        (Access.PAIRED, None, Verdict.ASKS),
        (Access.ALLOWLIST, None, Verdict.SHUT),
        (Access.ALLOWLIST, ANNA, Verdict.SHUT),
        (Access.ALLOWLIST, OWNER, Verdict.IN),
        (Access.OPEN, None, Verdict.NEW),
        (Access.OPEN, DROPPED_IN, Verdict.IN),
    ],
)
def test_each_kind_of_access(access, known, verdict):
    """The owner is always let in; an empty allowlist is nobody."""
    assert decide(Rules(access), caller(), known) is verdict


def test_an_allowlist_goes_by_the_id():
    """Whoever is on it becomes a person; a name that looks like one does nothing."""
    rules = Rules(Access.ALLOWLIST, allow=frozenset({"55"}))

    assert decide(rules, caller(), None) is Verdict.NEW
    assert decide(rules, caller("56"), None) is Verdict.SHUT


@pytest.mark.parametrize("access", Access)
def test_in_a_group_both_must_be_allowed(access):
    """Neither a known person in a strange group nor a stranger in a known one."""
    rules = Rules(access, groups=frozenset({"-100"}))

    assert decide(rules, caller(group="-200"), OWNER) is Verdict.SILENCE
    assert decide(rules, caller(group="-100"), OWNER) is Verdict.IN
    if access is not Access.OPEN:
        assert decide(rules, caller(group="-100"), None) is Verdict.SILENCE


known = st.sampled_from([None, ANNA, DROPPED_IN, OWNER])


@given(st.sampled_from(Access), known, st.sampled_from(["", "-100", "-200"]))
def test_bots_are_never_heard(access, whose, group):
    """Whatever the rules: two bots would talk for ever."""
    rules = Rules(access, frozenset({"55"}), frozenset({"-100"}))

    assert decide(rules, caller(group=group, is_bot=True), whose) is Verdict.SILENCE


def test_nobody_is_lectured_before_others():
    """In a group a stranger gets no line at all."""
    told = {Verdict.ASKS, Verdict.SHUT}
    for access, whose in product(Access, [None, ANNA, DROPPED_IN]):
        rules = Rules(access, groups=frozenset({"-100"}))
        assert decide(rules, caller(group="-100"), whose) not in told


@pytest.mark.parametrize("name", ["p-1a2b", "shared", "a" * 64])
def test_plain_ids_are_paths_as_they_are(name):
    """A person may find their notes by looking."""
    assert path_part(name) == name


@pytest.mark.parametrize(
    "name", ["", "..", "telegram:7:-100", "con", "Anna", "a/b", "a" * 65, "-x", "é"]
)
def test_all_other_ids_become_digests(name):
    """No id leaves its directory, on any file system."""
    part = path_part(name)

    assert part.startswith("sha256-")
    assert len(part) == len("sha256-") + 64
