"""What a passage is found in, and what is left without it."""

import json
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.erasing import blank, emptied, redacted
from apx.domain.erasing_lines import Told, take_lines
from apx.domain.errors import InputError
from apx.domain.event import EventKind
from apx.domain.memory_file import parse
from apx.domain.passage import MARK, Needle


@pytest.mark.parametrize(
    ("passage", "text", "left"),
    [
        ("Ana", "banana", "banana"),
        ("Ana", "anagram, Ana", f"anagram, {MARK}"),
        ("Ana", "ANA's and (ana)", f"{MARK}'s and ({MARK})"),
        ("blue heron", "a Blue\n heron, yes", f"a {MARK}, yes"),
        ("blue heron", "a **blue** heron", f"a **{MARK}"),
        ("blue heron", "*blue heron*", f"*{MARK}*"),
        ("blue heron", "> blue\n> heron!", f"> {MARK}!"),
        ("blue heron", "blue herons", "blue herons"),
        ("Zürich café", "zurich CAFE.", f"{MARK}."),
        ("Zürich café", unicodedata.normalize("NFD", "in Zürich café"), f"in {MARK}"),
        ("Straße acht", "STRASSE ACHT", MARK),
        ("Øresund bro", "oresund bro", MARK),
        ("我的船叫什么", "请问我的船叫什么呢", f"请问{MARK}呢"),
        ("我的船", "我的\n船", MARK),
        ("회의실", "회의실에서", f"{MARK}에서"),
        ("nest 🦜 up", "a Nest 🦜  up b", f"a {MARK} b"),
        ("blue heron", f"{MARK} blue heron", f"{MARK} {MARK}"),
        ("blue heron", r"half of JSON: blue\nheron", MARK),
        ("café azul", r"caf\u00e9 azul", MARK),
        ("nest 🦜 up", r"nest \ud83e\udd9c up", MARK),
        ("गुप्त", "गुप्ता", "गुप्ता"),
    ],
)
def test_a_passage_is_cut_out_as_people_write_it(passage, text, left):
    """Case, accents, line ends and Markdown make no difference; parts of words do."""
    assert Needle(passage).cut(text) == left


@pytest.mark.parametrize("passage", ["", "ab", "  a b ", "我", "🦜🦜🦜", "1.2"])
def test_what_would_be_found_everywhere_is_refused(passage):
    """Whoever forgets `a` forgets everything."""
    with pytest.raises(InputError, match="too short"):
        Needle(passage)


@pytest.mark.parametrize("passage", ["forgotten", "[forgotten]", "FORGOTTEN"])
def test_the_mark_itself_cannot_be_forgotten(passage):
    """It would be put in its own place for ever."""
    with pytest.raises(InputError, match="in the place of"):
        Needle(passage)


TEXTS = st.text("aáAé ñßøłı\n*_`>\\ux0nt我船のガ🦜\u0301\u00ad[]", max_size=60)


@given(st.sampled_from(["aáa", "ñandú ø", "我船", "ßa n", "a ガ の"]), TEXTS, TEXTS)
def test_what_was_cut_is_not_there_any_more(passage, before, after):
    """Neither by the exact look nor by the quick one; a second cut changes nothing."""
    needle = Needle(passage)
    text = f"{before} {passage} {after}"

    left = needle.cut(text)

    assert needle.may_hold(text)
    assert not needle.holds(left)
    assert needle.cut(left) == left
    assert needle.may_hold_json(json.dumps({"text": text, "n": [1, None]}))
    assert needle.may_hold_json(json.dumps({"text": json.dumps([text])}))


@given(st.sampled_from(["aáa", "我船", "ßa n"]), TEXTS)
def test_the_quick_look_misses_nothing(passage, text):
    """What it passes over is never looked at again."""
    needle = Needle(passage)

    if needle.cut(text) != text:
        assert needle.may_hold(text)


@given(st.lists(TEXTS, min_size=1, max_size=5), st.sampled_from(["", "\n"]))
def test_pieces_say_together_what_is_left(pieces, joiner):
    """However a passage was torn."""
    needle = Needle("aáa 我")
    whole = joiner.join(pieces)

    left = needle.cut_pieces(pieces, joiner)

    assert len(left) == len(pieces)
    assert not needle.holds(joiner.join(left))
    if not needle.holds(whole):
        assert left == pieces


@pytest.mark.parametrize(
    "hostile",
    [
        *("blue hero" * 11_000, "> " * 50_000, "\\" * 100_000, " \t" * 50_000),
        *("*" * 100_000, "e\u0301" * 50_000, "\u0301" * 100_000, "\n" * 100_000),
        "blue heron " * 9_000,
    ],
)
def test_hostile_texts_take_no_time(hostile):
    """Anybody may have said anything."""
    began = time.process_time()

    needle = Needle("blue heron")
    needle.may_hold(hostile)
    needle.cut(hostile)

    assert time.process_time() - began < 5


def test_names_and_ids_of_a_record_stay():
    """Others are found by them; words are cut wherever they stand."""
    body = {
        "text": "call blue heron",
        "calls": [
            {
                "id": "s1-blue heron",
                "name": "blue heron",
                "arguments": '{"q": "blue heron", "blue heron": 3}',
                "signature": "opaque",
            }
        ],
        "bounded": False,
    }

    left = redacted(EventKind.STEP, body, Needle("blue heron").cut)

    assert left == {
        "text": f"call {MARK}",
        "calls": [
            {
                "id": "s1-blue heron",
                "name": "blue heron",
                "arguments": f'{{"q": "{MARK}", "{MARK}": 3}}',
                "signature": "",
            }
        ],
        "bounded": False,
        "erased": True,
    }


def test_a_number_that_a_tool_gave_is_words_too():
    """A card's number is one, quoted or not."""
    body = {"text": '{"card": 4929123, "n": 1}', "call": "c", "name": "t", "ok": True}

    left = redacted(EventKind.TOOL_RESULT, body, Needle("4929123").cut)

    assert left is not None
    assert json.loads(left["text"]) == {"card": MARK, "n": 1}


def test_arguments_stay_json():
    """A provider that cannot read them refuses the whole conversation."""
    call = {"id": "a", "name": "b", "arguments": '{"q": "blue\\nheron'}

    left = redacted(
        EventKind.STEP, {"text": "", "calls": [call]}, Needle("blue heron").cut
    )

    assert left is not None
    assert left["calls"][0]["arguments"] == "{}"


def test_equal_facts_stay_equal():
    """Else a table that keeps them apart would have one more, or one less."""
    cut = Needle("blue heron").cut
    facts = [{"text": "a Blue Heron", "key": "a blue heron", "at": "x"} for _ in "ab"]
    other = {"text": "the blue heron", "key": "the blue heron", "at": "x"}

    one, two, three = (redacted(EventKind.CANDIDATE, f, cut) for f in [*facts, other])

    assert one is not None
    assert three is not None
    assert one == two
    assert one["key"] != three["key"]
    assert "heron" not in json.dumps([one, three])


def test_what_says_nothing_of_it_is_left_alone():
    """Not even marked."""
    assert redacted(EventKind.NOTE, {"text": "boats"}, Needle("heron").cut) is None


def test_a_whole_record_can_be_blanked():
    """Nothing that was said stays; what was empty does."""
    body = {"state": "completed", "final": "boats", "error": "", "parts": ["boats"]}

    assert redacted(EventKind.END, body, blank) == {
        "state": "completed",
        "final": MARK,
        "error": "",
        "parts": [MARK],
        "erased": True,
    }


def test_an_emptied_summary_is_empty_once():
    """A second erasure has nothing to do there."""
    body = {"first": 1, "last": 4, "sections": {"A": "b"}, "opening": [{"text": "c"}]}

    left = emptied(body)

    assert left == {**body, "sections": {}, "opening": [], "erased": True}
    assert emptied(left) is None


FILE = b"""\
# Notes

## 2026-11-30 the blue heron
- [09:41][telegram] the blue heron nests
  and more of it
- boats

My own words.
Of a blue
heron here, too.
The end.

```
blue heron
```
"""


def test_lines_of_a_file_of_notes_go_and_others_stay():
    """Bullets with what hangs on them, prose over its line ends; days keep dating."""
    left = take_lines(FILE, Told(Needle("blue heron").holds))

    assert left.data.decode() == (
        "# Notes\n\n## 2026-11-30\n- boats\n\nMy own words.\nThe end.\n\n```\n```\n"
    )
    assert [entry.text for entry in left.entries] == [
        "the blue heron nests and more of it"
    ]
    assert parse(left.data.decode()).entries[0].day is not None


def test_lines_of_whole_notes_go_by_their_key():
    """A thread's notes are known by their text alone."""
    left = take_lines(FILE, Told(keys={"boats"}))

    assert left.data == FILE.replace(b"- boats\n", b"")


@given(st.lists(st.sampled_from(["- boats", "prose", "", "# head", "- blue heron"])))
def test_a_file_without_it_keeps_every_byte(lines):
    """A person's file is theirs."""
    data = "\r\n".join(lines).encode()
    left = take_lines(data, Told(Needle("green heron").holds))

    assert left.data == data
    assert left.lines == 0


def test_the_id_of_a_curated_memory_goes_with_its_title():
    """It is made of it; that of others stays, as it says nothing."""
    named = {"ref": "mem d-2026-12-01-the-vault", "text": "the vault"}
    other = {"ref": "mem d-2026-12-01-tea", "text": "tea"}
    note = {"ref": "note 4", "text": "a note of the vault"}

    body = redacted(
        EventKind.RECALL, {"memories": [named, other, note]}, Needle("the vault").cut
    )

    assert body is not None
    assert [one["ref"] for one in body["memories"]] == ["mem", other["ref"], "note 4"]
