import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def sh(tmp_path):
    """Run a line in a shell as an agent does, with an `apx` in its path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "apx"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m apx "$@"\n')
    script.chmod(0o755)

    def run(line, given=""):
        done = subprocess.run(
            ["/bin/sh", "-c", line],  # as agents do
            input=given.encode(),
            capture_output=True,
            env={
                **os.environ,
                "PATH": f"{folder}:{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT),
            },
            timeout=30,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), done.stdout
        return done.stdout.decode()

    return run


def lines_of(told):
    content = json.loads(told["content"])
    return {
        event: group["hooks"][0]["command"]
        for event, groups in content["hooks"].items()
        for group in groups
    }


def test_the_hooks_of_claude_give_rules_and_what_fits(mem, sh, monkeypatch, tmp_path):
    """They are run here as they are printed, with what the agent pipes in."""
    monkeypatch.setenv("PATH", f"{tmp_path}/bin", prepend=os.pathsep)
    rule = mem.add("never push to main", kind="constraint")
    fact = mem.add("the ledger runs on postgres")
    mem.add("tea is fine", kind="preference")
    lines = lines_of(mem("hooks", "claude"))

    start = sh(lines["SessionStart"], '{"source": "startup"}')
    prompt = json.dumps({"prompt": 'Why does the "ledger" not start?'})
    fitting = sh(lines["UserPromptSubmit"], prompt)

    assert set(lines) == {"SessionStart", "UserPromptSubmit", "SessionEnd"}
    assert rule in start
    assert fact not in start
    assert fact in fitting
    assert "tea" not in fitting
    # An agent that ends waits for nothing.
    assert lines["SessionEnd"].endswith("&")
    assert sh(lines["SessionEnd"], "{}") == ""


def test_a_hook_without_a_store_says_nothing_and_never_fails(bare):
    """A failing hook would stop the person's own prompt."""
    for words in (
        ["list", "--hook"],
        ["search", "--hook"],
        ["search", "--hook", "x"],
        ["sync", "--hook"],
        ["search", "--hook", "--bogus"],
    ):
        assert bare(*words) == {}
        assert bare.text == ""
    # Elsewhere it is a flag like any other that is not known.
    assert bare("add", "--hook", code=2)["code"] == "usage"


@pytest.mark.parametrize("given", ["", "no json", "[]", "{}", '{"prompt": 1}', "\xff"])
def test_a_prompt_that_is_none_finds_nothing(mem, given):
    """Whatever an agent pipes in."""
    mem.add("one thing")

    assert mem("search", "--hook", stdin=given.encode("latin-1")) == {}


def test_the_small_words_of_a_prompt_find_nothing(mem):
    """Else each prompt would bring the same five."""
    mem.add("what we do with the logs", body="and so on")
    mem.add("東京に引っ越す")

    assert mem("search", "--hook", stdin=b'{"prompt": "what do we do?"}') == {}
    given = json.dumps({"prompt": "東京はどう?"}).encode()
    assert "東京" in mem("search", "--hook", stdin=given)["mem"][0]


def test_every_agent_has_its_three_hooks(mem):
    """In its own file where it has one."""
    for name, file in (
        ("claude", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("opencode", "opencode/plugins/"),
    ):
        told = mem("hooks", name)
        assert file in told["file"]
        for hook in ("start", "prompt", "end"):
            assert told[hook].split("mem ", 1)[1] in told["content"].replace("\\", "")
        assert told["content"] in mem("hooks", name, "--format", "md")
    assert "content" not in mem("hooks")


def test_the_plugin_is_a_program(mem, tmp_path):
    """Node reads it where there is one."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here to read the plugin")
    path = tmp_path / "plugin.mjs"
    path.write_text(mem("hooks", "opencode")["content"])

    done = subprocess.run([node, "--check", path], capture_output=True, check=False)

    assert done.returncode == 0, done.stderr.decode()
