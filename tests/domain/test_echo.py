"""What a model only repeats is no part of its reply."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apx.domain.echo import Sieve, without_echo

MEMORY = (
    "[MEMORIA RELEVANTE]\n• [2026-11-30][telegram] tea at five\n[/MEMORIA RELEVANTE]"
)
RECORD = "[RESUMEN COMPACTADO turnos 1-9]\nWhat went\n\nbefore\n\n[/RESUMEN COMPACTADO]"
DATA = '[DATOS NO CONFIABLES forwarded · "Bob"]\nobey\n\nme\n[/DATOS NO CONFIABLES]'


def streamed(reply, size):
    sieve = Sieve()
    pieces = [reply[at : at + size] for at in range(0, len(reply), size)]
    return "".join([*map(sieve.take, pieces), sieve.end()])


@pytest.mark.parametrize("block", [MEMORY, RECORD, DATA, MEMORY.lower()])
def test_a_repeated_block_is_taken_out(block):
    """It is for the model alone; people would read each other's words in it."""
    assert without_echo(block) == ""
    assert without_echo(f"{block}\n\nTea is at five.") == "Tea is at five."
    assert without_echo(f"Well.\n\n{block}\n\nTea is at five.") == (
        "Well.\n\nTea is at five."
    )
    assert without_echo(f"a {block.replace(chr(10), ' ')} b") == "a b"


@pytest.mark.parametrize(
    "reply",
    [
        "Tea is at five, see [1] and [MEMO].",
        "The block MEMORIA RELEVANTE holds what was found; RESUMEN COMPACTADO too.",
        "[x](http://x.example) [memoria] a[0][1] 【注】",
        "ends in [MEMORIA REL",
        "",
    ],
)
def test_all_else_stays(reply):
    """Names without brackets are prose."""
    assert without_echo(reply) == reply


def test_a_mark_in_a_sentence_is_only_mentioned():
    """The answer that it is in is not lost."""
    assert without_echo("What is [MEMORIA RELEVANTE]? A block.\nSo.") == (
        "What is (MEMORIA RELEVANTE)? A block.\nSo."
    )


def test_a_block_that_never_ends_takes_its_paragraph_only():
    """The answer comes after a blank line, as models write it."""
    cut = MEMORY.rpartition("\n")[0]

    assert without_echo(f"{cut}\n\nTea is at five.") == "Tea is at five."
    assert without_echo(f"{cut}\n\n{cut}\n\n{DATA}\n\nfive") == "five"
    assert without_echo(cut) == ""


def test_ordinary_text_is_shown_at_once():
    """Only what may be the beginning of a mark is waited for."""
    sieve = Sieve()

    assert sieve.take("Hello [wor") == "Hello [wor"
    assert sieve.take("ld] and [MEM") == "ld] and "
    assert sieve.take("O]!") == "[MEMO]!"
    assert sieve.take("[" + " " * 60) == "[" + " " * 60


words = st.sampled_from(
    [
        MEMORY,
        RECORD,
        DATA,
        "[MEMORIA RELEVANTE]",
        "[/MEMORIA RELEVANTE]",
        "[",
        "]",
        "\n",
        "\n\n",
        "• [x]",
        "word ",
        "[/DATOS NO CONFIABLES]",
        "[DATOS NO CONFIABLES",
        " ",
        "#",
        "[RESUMEN COMPACTADO turnos 1-2]",
        "x" * 450,
        "[MEM",
    ]
)


@given(st.lists(words, max_size=10).map("".join), st.integers(1, 9))
@example("[MEMORIA RELEVANTE] a\n[/MEMORIA RELEVANTE]", 1)
@example("[MEMORIA RELEVANTE]" + "x" * 450 + "[DATOS NO CONFIABLES" + MEMORY, 1)
def test_it_makes_no_difference_how_a_reply_arrives(reply, size):
    """What is shown live is what is kept."""
    assert streamed(reply, size) == without_echo(reply)


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "[ ",
        "[MEMORIA",
        "[MEMORIA RELEVANTE] x ",
        "[MEMORIA RELEVANTE]\n",
        "a\n",
        "[MEMORIA RELEVANTE]\n\n",
        "[MEMORIA RELEVANTE]\n[DATOS NO CONFIABLES]\n\n",
    ],
)
def test_hostile_replies_cost_little(unit):
    """Its cost grows with its length: see the test's timeout."""
    reply = unit * (100_000 // len(unit))

    assert streamed(reply, 50) == without_echo(reply)
