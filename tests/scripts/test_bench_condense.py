"""What `scripts/bench condense` says is only worth something if it counts right."""

import json
import subprocess
import sys

import pytest

from apx.domain.message import Message, Role
from scripts.benchmarks import condense_models as models
from scripts.benchmarks import condense_public
from scripts.benchmarks.condense_measure import DONE, Tally, measured
from scripts.benchmarks.condense_run import Job, led
from scripts.benchmarks.condense_threads import LANGUAGES, talk, talks
from scripts.benchmarks.condense_truth import Fact, Talk, Told, Truth
from scripts.benchmarks.recall_data import PROJECT


def prompt(text):
    """Make a prompt of which only the text matters."""
    return [Message(Role.SYSTEM, text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_true_of_a_thread_was_said_in_it(language):
    """Every fact stands in the message that it is of, and every ending in its own."""
    made = talk(len(language), language)
    said = ["", *(told.request.casefold() for told in made.turns)]

    assert 100 <= len(made.turns) <= 400
    for fact in made.facts:
        assert fact.text.casefold() in said[fact.since]
        assert fact.ending.casefold() in said[fact.until]
        if fact.until:
            assert fact.since < fact.until


def test_the_same_numbers_give_the_same_threads():
    """Figures of two runs can be compared; no two threads of a run are alike."""
    assert talks(12) == talks(12)
    assert len({made.turns for made in talks(12)}) == 12
    assert [made.language for made in talks(12)] == 2 * list(LANGUAGES)


def test_it_counts_what_is_there_and_what_is_not():
    """By hand: a goal, two limits, three tasks, three exact things."""
    facts = (
        Fact(Truth.GOAL, "I want a boat.", 1),
        Fact(Truth.LIMIT, "Never paint it red.", 2),
        Fact(Truth.LIMIT, "Ask Ivo first.", 3),
        Fact(Truth.LIMIT, "This comes later.", 9),
        Fact(Truth.TASK, "the sail", 3),
        Fact(Truth.TASK, "the mast", 3, 5, ending="The mast is done."),
        Fact(Truth.TASK, "the keel", 3, 5, ending="The keel is done."),
        Fact(Truth.TASK, "the anchor", 3, 5, ending="The anchor is done."),
        Fact(Truth.ANCHOR, "2,500 €", 4),
        Fact(Truth.ANCHOR, "TK-1234", 4),
        Fact(Truth.ANCHOR, "TK-9999", 4, 5, task="the mast"),
    )
    text = (
        "- I want   a boat.\n- never paint it red\nPENDING:\n- The sail, the keel\n\n"
        "COMPLETED:\n- the mast\n\nCURRENT_STATE:\n- 2500 EUR, TK-12345"
    )

    tally = measured(prompt(text), Talk(7, "en", (), facts), 6, 99)

    counts = {what: (tally.found[what], tally.wanted[what]) for what in tally.wanted}
    assert counts == {
        Truth.GOAL: (1, 1),
        Truth.LIMIT: (0, 2),
        Truth.TASK: (1, 1),
        DONE: (1, 2),
        Truth.ANCHOR: (1, 2),
    }
    assert tally.share(Truth.TASK) == 1
    assert Tally().share(Truth.TASK) is None
    assert {miss.text for miss in tally.misses} == {
        "Never paint it red.",
        "Ask Ivo first.",
        "The keel is done.",
        "TK-1234",
    }


def test_a_goal_that_was_given_up_is_not_looked_for():
    """What counts is what holds at that moment."""
    facts = (
        Fact(Truth.GOAL, "I want a boat.", 1, 5),
        Fact(Truth.GOAL, "I want a bike.", 5),
    )

    tally = measured(prompt("I want a bike."), Talk(7, "en", (), facts), 6, 9)

    assert tally.wanted == {Truth.GOAL: 1}
    assert tally.found == {Truth.GOAL: 1}


def test_the_decent_summariser_reads_both_kinds_of_prompt():
    """It writes what it was shown, within what it may write, and nothing else."""
    event = '<EVENT id="4" role="person">\nNever call Ivo. Nice day.\n</EVENT>'
    apx = [
        Message(Role.SYSTEM, "60 words\nexactly as they stand here: TK-7, /x"),
        Message(Role.USER, event),
    ]
    rolling = [
        Message(Role.SYSTEM, "in at most 60 words"),
        Message(Role.USER, "Summary so far:\n\n\nNew lines:\nHuman: Never call Ivo."),
    ]

    [told] = models.good(apx)
    [rolled] = models.good(rolling)

    assert "USER_CONTEXT:\n- Never call Ivo." in str(told)
    assert "TASK_TRACKING:\n- TK-7, /x" in str(told)
    assert "Never call Ivo." in str(rolled)


async def test_methods_are_compared_at_the_same_moments():
    """One thread: of the others no less is wanted than of apx."""
    findings = await led(Job([talk(4, "zh")], models.GOOD, 32_768))

    methods = {method for method, _ in findings.tallies}
    moments = {after for _, after in findings.tallies}
    assert len(methods) == 3
    assert 3 in moments
    for after in moments:
        wanted = [findings.tallies[m, after].wanted[Truth.LIMIT] for m in methods]
        assert wanted == wanted[:1] * 3
    assert findings.made.total() >= max(moments)


def test_public_conversations_are_read_in_pairs(tmp_path):
    """The one who speaks first is the person; what is open is theirs."""
    lines = [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "Never call me before 9 am."},
        {"speaker": "Ivo", "dia_id": "D1:2", "text": "Fine, it is TK-5555."},
        {"speaker": "Ana", "dia_id": "D1:3", "text": "The ticket is TK-1234."},
        {"speaker": "Ivo", "dia_id": "D1:4", "text": "Thanks."},
    ]
    file = tmp_path / "data.json"
    told = [{"conversation": {"session_1": lines}}]
    file.write_text(json.dumps(told), "utf-8")

    [read] = condense_public.read(file)

    assert read.turns[1] == Told("Ana: The ticket is TK-1234.", "Ivo: Thanks.")
    said = {(fact.truth, fact.since) for fact in read.facts}
    assert {(Truth.LIMIT, 1), (Truth.ANCHOR, 2)} <= said
    assert "TK-5555" not in {fact.text for fact in read.facts}


@pytest.mark.timeout(300)
def test_goals_and_limits_are_all_there():
    """Whatever the summariser does: a good one, an unhelpful one, one that fails."""
    run = subprocess.run(
        [sys.executable, "scripts/benchmarks/condense.py", "--quick", "--misses"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )

    lines = run.stdout.splitlines()
    ours = [line.split()[2:4] for line in lines if line.startswith("apx, ")]
    others = [line for line in lines if line.startswith(("rolling", "last 40"))]
    assert len(ours) == 2 * 3 * 3  # windows, moments, summarisers
    assert len(others) == 2 * 3 * 4
    assert any("the view of 2,000 turns" in line for line in lines)
    lost = [line for line in lines if line[5:12].strip() in {"goal", "limit"}]
    assert ours == [["100", "100"]] * len(ours), "\n".join(lost)
