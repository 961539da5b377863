"""Long code comes as a file, too."""

import pytest

from channels.shared.code_files import CodeFile
from channels.telegram.code_files import code_files

LONG = "x = 1\n" * 600


def test_long_code_is_a_file():
    """As it was written, tabs and all."""
    source = f"Text.\n```python\n\t{LONG}```\n> ```\n> short\n> ```\n"
    assert code_files(source, 3) == (CodeFile("code-1.py", f"\t{LONG}".encode()),)


def test_a_short_reply_has_no_files():
    """It can be copied as it is."""
    assert code_files(f"```\n{LONG}```", 2) == ()


@pytest.mark.parametrize(
    ("info", "name"),
    [
        ("C++ title=x", "code-1.cpp"),
        ("", "code-1.txt"),
        ("../../etc/passwd", "code-1.txt"),
        ("py;rm", "code-1.txt"),
        ("unheard-of", "code-1.txt"),
    ],
)
def test_a_name_is_ours(info, name):
    """What a model writes never becomes part of it."""
    assert code_files(f"```{info}\n{LONG}```", 3)[0].name == name


def test_files_are_few_and_small():
    """Whatever was written."""
    many = code_files(f"```\n{LONG}```\n" * 9, 9)
    assert [file.name for file in many] == [f"code-{n}.txt" for n in range(1, 6)]
    assert code_files("```\n" + "x" * 1_000_001 + "\n```", 300) == ()


def test_halves_of_characters_are_no_bytes():
    """They cannot be written to a file."""
    assert code_files(f"```\n\ud800{LONG}```", 3)[0].data.startswith("\ufffd".encode())
