import json
import socketserver
import threading
from pathlib import Path

import pytest

EMPTY = {"kind": "InputError", "text": "no vectors of memories yet"}

TITLES = [
    "a,b",
    'say "x": y',
    "a | b # c",
    "- one",
    "# two",
    "42",
    "true",
    "[1]: {x}",
    "東京に引っ越す",
    "🚀",
    "back\\slash",
]


def test_without_a_store_the_path_and_the_way_out_are_named(bare):
    """The first thing a new user sees tells how to begin."""
    told = bare(code=1)

    assert str(bare.root) in told["error"]
    assert told["code"] == "no_store"
    assert told["help"] == ["apx mem init"]
    assert not bare.root.exists()


def test_a_second_init_is_a_no_op(bare):
    """Scripts may say it each time."""
    first, second = bare("init"), bare("init")

    assert (first["outcome"], second["outcome"]) == ("created", "no-op")
    bare.add("one")
    every = [bare.root, *bare.root.rglob("*")]
    assert [path for path in every if path.stat().st_mode & 0o077] == []


def test_an_empty_store_says_so_and_suggests_add(mem):
    """Nothing is an answer, too."""
    told = mem("list")

    assert told["count"] == "0 of 0 total"
    assert told["mem"] == []
    assert "apx mem add" in told["help"][0]


def test_a_search_that_finds_nothing_counts_what_there_is(mem):
    """Whether the store is empty or the words are wrong are two things."""
    for title in ("one", "two", "three"):
        mem.add(title)

    told = mem("search", "zzz")

    assert told["count"] == "0 of 3 total"
    assert told["mem"] == []
    assert any("--any" in hint for hint in told["help"])


@pytest.mark.parametrize("title", TITLES)
def test_every_title_comes_back_as_it_was(mem, title):
    """Whatever means something to TOON, YAML or a shell is a letter in a title."""
    name = mem.add(title)

    assert mem("list")["mem"][0]["title"] == title
    assert mem("show", name)["title"] == title
    assert mem("search", f'"{title}"' if '"' not in title else "say")["mem"] != []
    assert mem("list", "--json")["mem"][0]["title"] == title


def test_a_line_end_in_a_title_is_a_blank(mem):
    """Or a second line would be a field of the file."""
    name = mem.add("first\npriority: 99")

    told = mem("show", name)

    assert (told["title"], told["priority"]) == ("first priority: 99", 70)


def test_lists_have_four_fields_and_any_others_on_request(mem):
    """An agent pays for each of them."""
    mem.add("one", tags="a,b", scope="web")

    assert list(mem("list")["mem"][0]) == ["id", "type", "title", "priority"]
    assert mem("list", "--fields", "title,tags,verified")["mem"] == [
        {"title": "one", "tags": ["a", "b"], "verified": None}
    ]
    told = mem("list", "--fields", "titel", code=2)
    assert "titel" in told["error"]
    assert "title" in told["help"][0]


def test_filters_narrow_a_list(mem):
    """All of them at once; each is a word of the memory's own."""
    mem.add("one", tags="http401,ñandú", scope="web", priority="90")
    mem.add("two", kind="howto", tags="v10")

    for flags in (
        ["--tag", "http401"],
        ["--tag", "ñandú"],
        ["--scope", "web"],
        ["--min-priority", "80"],
        ["--type", "decision", "--tag", "ñandú", "--tag=http401"],
    ):
        assert [one["title"] for one in mem("list", *flags)["mem"]] == ["one"], flags
    assert [one["title"] for one in mem("list", "--tag", "v10")["mem"]] == ["two"]
    assert mem("list", "--tag", "v1")["count"] == "0 of 2 total"


def test_a_cut_list_says_how_much_there_is(mem):
    """Nobody takes the beginning for the whole."""
    for title in ("one", "two", "three"):
        mem.add(title)

    told = mem("list", "--limit", "2")

    assert told["count"] == "2 of 3 total"
    assert told["help"] == ["--limit 3 shows all that fit"]


def test_words_are_found_in_any_order_and_weight_comes_first(mem):
    """And each of them must be there."""
    mem.add("move the ledger to postgres", priority="50")
    mem.add("postgres: keep the ledger small", priority="90")
    mem.add("postgres alone")

    found = mem("search", "ledger", "postgres")["mem"]

    assert [one["priority"] for one in found] == [90, 50]
    assert len(mem("search", "--any", "ledger", "postgres")["mem"]) == 3


def test_what_looks_like_a_flag_or_a_pattern_is_text(mem):
    """Behind `--` nothing is a flag, without --regex nothing is a pattern."""
    mem.add("grep -v a(b")

    assert mem("search", "--", "-v")["count"] == "1 of 1 total"
    assert mem("search", "a(b")["count"] == "1 of 1 total"
    told = mem("search", "--regex", "a(b", code=2)
    assert told["help"]
    assert mem("search", "--regex", r"gr.p -v a\(")["count"] == "1 of 1 total"


def test_show_cuts_a_long_body_and_names_its_size(mem):
    """The rest is one flag away."""
    name = mem.add("long", body="é" * 1234)
    short = mem.add("short", body="two\nlines\n")

    told = mem("show", name)

    assert (told["size"], len(told["body"])) == (1234, 500)
    assert told["help"] == [f"apx mem show {name} --full"]
    assert len(mem("show", name, "--full")["body"]) == 1234
    assert mem("show", short)["body"] == "two\nlines\n"
    assert "help" not in mem("show", short)


def test_show_takes_several_ids_and_parts_of_them(mem):
    """The date and the letter in front are known to nobody by heart."""
    one, two = mem.add("first thing"), mem.add("second thing", kind="howto")

    both = mem("show", "first-thing", two)["mem"]

    assert [each["id"] for each in both] == [one, two]
    assert mem("show", "second-thing")["id"] == two
    told = mem("show", "thing", code=1)
    assert told["code"] == "ambiguous"
    assert one in told["error"]
    assert two in told["error"]
    assert mem("show", "nothing", code=1)["code"] == "not_found"
    assert mem("show", "../../etc/passwd", code=1)["code"] == "not_found"


def test_inject_gives_a_line_each_that_decodes(mem):
    """What a prompt is to have: id, type, title, and what it comes to."""
    mem.add("one: a", abstract="short, of it", priority="90")
    mem.add("two", body="the  body\n" + "x" * 300)
    mem.add("three", priority="10")

    first, second, third = mem("list", "--inject")["mem"]

    assert first.endswith(" decision one: a — short, of it")
    gist = second.partition(" — ")[2]
    assert gist.startswith("the body xxx")
    assert len(gist) == 120
    assert third.endswith(" decision three")
    assert mem.text.splitlines()[0] == "mem[3]:"
    assert mem("search", "--inject", "zzz") == {"mem": []}


def test_what_is_one_persons_or_one_rooms_is_in_no_prompt_unasked(mem):
    """Whoever reads a prompt may not be one of them."""
    for scope in ("web", "global", "private:owner", "private:bob", "room:telegram:7"):
        mem.add(f"in {scope}", scope=scope)

    lines = mem("search", "--inject", "in")["mem"]

    assert len(lines) == 3
    assert not any("bob" in line or "room" in line for line in lines)
    assert len(mem("search", "--inject", "--scope", "private:bob", "in")["mem"]) == 1
    assert mem("search", "in")["count"] == "5 of 5 total"


def test_archived_ones_are_shown_on_request_alone(mem):
    """What was put away is neither listed nor found."""
    name = mem.add("old thing")
    mem("archive", name)

    assert mem("list")["count"] == "0 of 0 total"
    assert mem("search", "old")["mem"] == []
    assert mem("list", "--status", "archived")["count"] == "1 of 1 total"
    assert mem("search", "old", "--status", "all")["mem"] != []


def test_the_home_view_counts_by_type(mem):
    """One look tells what there is and what can be done."""
    mem.add("one")
    mem.add("two", kind="constraint")

    told = mem()

    assert told["store"] == str(mem.root)
    assert told["count"] == "2 total"
    assert {one["type"]: one["active"] for one in told["types"]} == {
        "constraint": 1,
        "decision": 1,
        "failure": 0,
        "howto": 0,
        "preference": 0,
    }
    assert told["mem"][0]["title"] == "two"


def test_history_tells_the_commits_of_one(mem):
    """Newest first, with the version that each made."""
    name = mem.add("one")
    mem("update", name, "--title", "uno")

    told = mem("history", "one", "--limit", "1")

    assert told["count"] == "1 of 2 total"
    assert told["history"][0]["version"] == 2
    assert "update" in told["history"][0]["subject"]


def test_people_get_tables_and_text(mem):
    """And nothing that a terminal would obey."""
    name = mem.add("a | b", body="# Head\n\x1b[31mred\n")

    assert "| a \\| b | 70 |" in mem("list", "--format", "md")
    page = mem("show", name, "--format", "md")
    assert "- **title**: a \\| b" in page
    assert "\n# Head\n" in page
    assert "\x1b" not in page
    other = mem.add("other", body="- one\n- two\n")
    assert "\n- one\n- two" in mem("show", name, other, "--format", "md")
    assert f"\n- {name} decision " in mem("list", "--inject", "--format", "md")


@pytest.fixture
def desk(mem, monkeypatch):
    """An owner of the home that knows how alike memories are to anything."""
    alike: dict[str, float] = {}

    class Answer(socketserver.StreamRequestHandler):
        def handle(self):
            asked.append(json.loads(self.rfile.readline()))
            result = list(alike.items())
            reply = {"result": result} if result else {"error": EMPTY}
            self.wfile.write(json.dumps(reply).encode() + b"\n")

    asked: list[dict[str, object]] = []
    home = Path(mem.root).with_name("home")
    home.mkdir()
    monkeypatch.setenv("APX_HOME", str(home))
    with socketserver.UnixStreamServer(str(home / "apx.sock"), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield alike, asked
        server.shutdown()
        thread.join()


def test_vectors_that_are_not_there_leave_the_words(mem):
    """Asking for more never gives less."""
    mem.add("one thing")

    told = mem("search", "thing", "--features=vector")

    assert told["count"] == "1 of 1 total"
    assert told["features"] == "lexical (nobody listens at the home's socket)"


def test_what_is_near_in_meaning_is_found_beside_the_words(mem, desk):
    """The words come first; a filter holds for both."""
    alike, asked = desk
    far = mem.add("one thing", priority="90")
    assert "no vectors" in mem("search", "thing", "--features=vector")["features"]
    said = mem.add("the car is red", priority="10")
    near = mem.add("our automobile", priority="5")
    alike.update({said: 0.5, near: 0.9, far: 0.1, "d-2026-01-01-gone": 0.1})

    told = mem("search", "car", "--features=vector")

    assert told["features"] == "vector"
    assert [one["id"] for one in told["mem"]] == [said, near]
    assert asked[-1]["args"] == {"text": "car", "root": str(mem.root)}
    few = mem("search", "car", "--features=vector", "--min-priority", "9")
    assert [one["id"] for one in few["mem"]] == [said]
    assert [one["id"] for one in mem("search", "car")["mem"]] == [said]
