import os
import subprocess
import sys
from pathlib import Path

import pytest
import toon_format

ROOT = Path(__file__).parents[3]
# What the commands that agents run all day long are not to load.
HEAVY = {
    "argparse",
    "asyncio",
    "dataclasses",
    "inspect",
    "json",
    "pathlib",
    "sqlite3",
    "subprocess",
    "typer",
    "typing",
}


@pytest.fixture
def start(tmp_path):
    """Start `apx mem` in a home that has never been, in a shell for its streams."""
    env = {
        **{k: v for k, v in os.environ.items() if k not in ("MEM_DIR", "MEM_REMOTE")},
        "APX_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT),
    }

    def started(words, **more):
        return subprocess.Popen(
            ["/bin/sh", "-c", f'exec "{sys.executable}" -m apx mem {words}'],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**env, **more},
        )

    return started


def told(process):
    out, err = process.communicate(timeout=40)
    assert err == b""
    return process.returncode, toon_format.decode(out.decode(), strict=True)


def test_it_works_without_home_and_config_and_with_a_broken_one(start, tmp_path):
    """Other agents' machines may have nothing of apx but the program."""
    home = tmp_path / "home"
    code, said = told(start("list"))
    assert (code, said["code"]) == (1, "no_store")
    assert not home.exists()

    assert told(start("init"))[0] == 0
    (home / "config.json").write_text("{ broken")

    assert (
        told(start("add --type=howto --title=東京", PYTHONIOENCODING="ascii"))[0] == 0
    )
    listed = told(start("list", PYTHONIOENCODING="ascii"))[1]
    assert listed["mem"][0]["title"] == "東京"
    assert {path.name for path in home.iterdir()} == {"mem", "config.json"}
    assert home.stat().st_mode & 0o077 == 0


def test_words_are_whole_in_any_locale_or_refused(start):
    """Without the letters that Python could not read it would be another word."""
    bare = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    told(start("init"))

    assert told(start("add --type=howto --title=Größe --tags=ñandú", **bare))[0] == 0
    latin = r"""add --type=howto --title="$(printf 'Gr\366\337e')" """
    code, said = told(start(latin))

    assert (code, said["code"]) == (2, "usage")
    found = told(start("search größe --tag ñandú", **bare))[1]
    assert (found["count"], found["mem"][0]["title"]) == ("1 of 1 total", "Größe")


@pytest.mark.parametrize("out", [">&-", "> /dev/full"])
def test_an_answer_that_cannot_be_written_is_a_failure_and_no_noise(start, out):
    """Agents mix both streams; the code tells."""
    process = start(f"help {out}")

    out, err = process.communicate(timeout=40)

    assert (process.returncode, out, err) == (1, b"", b"")


def test_what_agents_run_all_day_loads_little(mem):
    """A start is most of what a list costs."""
    mem.add("one")

    add = "add --type=howto --title=två --body=token"
    for words in ("list", "search one", "show one", add, "list"):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "apx", "mem", *words.split()],
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
        )
        lines = done.stderr.decode().splitlines()
        loaded = [line.rpartition("|")[2].strip() for line in lines]
        # What stands before that is Python's own start.
        ours = set(loaded[loaded.index("apx") :])
        assert "apx.mem.cache" in ours
        assert ours & HEAVY == set()


def test_tags_that_come_at_the_same_time_are_all_there(start):
    """Each adds its own to what is there then, not to what it saw at first."""
    assert told(start("init"))[0] == 0
    assert told(start("add --type=howto --title=one"))[0] == 0

    every = [start(f"update one --tags +t{number}") for number in range(6)]

    assert [told(each)[0] for each in every] == [0] * 6
    shown = told(start("show one"))[1]
    assert (sorted(shown["tags"]), shown["version"]) == ([f"t{n}" for n in range(6)], 7)


def test_help_of_apx_names_it():
    """Who looks for it finds it among the others."""
    done = subprocess.run(
        [sys.executable, "-m", "apx", "--help"],
        capture_output=True,
        check=True,
        cwd=ROOT,
    )

    assert b"\n  mem " in done.stdout
