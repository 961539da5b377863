"""Where the process ends: closed streams, full disks, Ctrl-C, places not ours."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT

NOBODY = 65534


@pytest.fixture
def noted(apx):
    """A home with a note that no ASCII terminal can show."""
    apx("memory", "remember", "ñandú")
    return apx


def shell(apx, line, **environ):
    """Run a line of shell in which `$APX` is the command; give code and stderr."""
    done = subprocess.run(
        ["bash", "-c", line],  # noqa: S607 -- a shell, wherever it is
        env={**apx.env, "APX": f"{sys.executable} -m apx", **environ},
        capture_output=True,
        timeout=40,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("$APX memory notes >/dev/full", "No space left on device"),
        ("$APX config show >/dev/full", "No space left on device"),
        ("$APX --help >/dev/full", "No space left on device"),
        ("$APX memory notes >&-", "Bad file descriptor"),
    ],
)
def test_output_that_is_lost_is_told_in_one_line(noted, line, said, buffered):
    """And the exit code tells a script; containers often switch the buffer off."""
    code, _, err = shell(noted, line, PYTHONUNBUFFERED=buffered)

    assert (code, err) == (1, f"apx: the output could not be written: {said}\n")


@pytest.mark.parametrize("command", ["memory notes", "config show", "--help"])
def test_a_reader_that_leaves_hears_nothing(noted, command):
    """`apx config show | head` is not a failure that a person should read of."""
    code, _, err = shell(noted, f"$APX {command} | true; exit ${{PIPESTATUS[0]}}")

    assert code in {0, 1}  # 0: it had written before the reader left
    assert err == ""


@pytest.mark.parametrize("line", ["$APX chat <&-", "$APX chat <&- 2>&-"])
def test_a_closed_input_is_an_empty_one(apx, line):
    """A service has none; and no file of ours may get the number of a stream."""
    assert shell(apx, line) == (0, "", "")


@pytest.mark.parametrize(
    "environ",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["ascii", "posix"],
)
def test_what_the_terminal_cannot_show_is_spelt_out(noted, environ):
    """Half an answer is better than none."""
    noted.env.update(environ, PYTHONUNBUFFERED="")

    assert "\\xf1and\\xfa" in noted("memory", "notes")


def test_ctrl_c_during_the_imports_ends_quietly(tmp_path):
    """The first third of a second belongs to Python, whose way is a traceback."""
    package = tmp_path / "slow"
    package.mkdir()
    # Stands for an import that takes its time: it says so, then waits for the signal.
    (package / "typer.py").write_text(
        "import os, signal\nos.write(1, b'importing')\nsignal.pause()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "apx", "--help"],
        env={**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.read(9) == b"importing"

    process.send_signal(signal.SIGINT)

    assert process.communicate(timeout=20) == (b"", b"")
    assert process.returncode == -signal.SIGINT


def test_the_console_script_is_the_one_that_is_quiet():
    """`apx` and `python -m apx` are the same."""
    assert 'apx = "apx.entry:main"' in (ROOT / "pyproject.toml").read_text()


def test_help_reads_no_config():
    """Checking values is a third of what starting costs."""
    code = "import sys, apx.cli; print('pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )

    assert done.stdout == b"False\n"


def test_a_missing_key_stops_only_who_needs_it(apx):
    """Beside a daemon that has the variable, a terminal without it works."""
    apx("config", "set", "super_agent.model", "openai:m")
    apx("config", "set", "engines.openai.api_key", "${NO_SUCH_KEY}")
    assert "the environment variable NO_SUCH_KEY is not set" in apx.err

    assert apx("config", "get", "super_agent.model") == '"openai:m"\n'
    assert "no notes" in apx("memory", "notes")
    assert "NO_SUCH_KEY" in apx("config", "check")
    assert not apx("exec", "hi", code=1)

    assert "engines.openai.api_key" in apx.err
    assert "NO_SUCH_KEY" in apx.err


def test_setting_up_in_a_clone_of_somebody_else_names_the_reason():
    """Not a package that is missing."""
    clone = Path(tempfile.mkdtemp())
    try:
        (clone / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "setup", clone / "scripts")
        shutil.copy(ROOT / "pyproject.toml", clone)
        for path in (clone, clone / "scripts", clone / "scripts" / "setup"):
            path.chmod(0o555)
        done = subprocess.run(
            ["sh", "scripts/setup"],  # noqa: S607 -- as above
            cwd=clone,
            user=NOBODY if os.geteuid() == 0 else None,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        clone.chmod(0o755)
        (clone / "scripts").chmod(0o755)
        shutil.rmtree(clone)

    assert done.returncode == 1
    assert f"may not write to {clone}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_slip_in_a_pipe_costs_no_line_after_it(apx):
    """It is told, and the exit code says that there was one."""
    said = apx("chat", stdin="/memory accept 99\nremember tea at five\n", code=2)

    assert "99" in apx.err
    assert "tea at five" in said
    assert "tea at five" in apx("memory", "notes")
