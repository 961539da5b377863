"""Long code comes along as a file, to be copied whole."""

import pytest

from channels.discord.code_files import code_files
from channels.shared.code_files import CodeFile

LONG = "value = 1\n" * 300


def test_long_code_is_a_file_as_it_was_written():
    source = f"Text.\n```python\n\t{LONG}```\n```\nshort\n```\n"
    assert code_files(source, 3) == (CodeFile("code-1.py", f"\t{LONG}".encode()),)


def test_code_in_quotes_and_lists_has_none_of_their_marks():
    quoted = "".join(f"> {line}\n" for line in f"```js\n{LONG}```".split("\n"))
    listed = "".join(f"   {line}\n" for line in f"```\n{LONG}```".split("\n"))
    files = code_files(f"{quoted}\n1. a\n{listed}", 3)
    assert [file.name for file in files] == ["code-1.js", "code-2.txt"]
    assert [file.data for file in files] == [LONG.encode()] * 2


def test_a_short_reply_has_no_files():
    """It can be copied as it is."""
    assert code_files(f"```\n{LONG}```", 2) == ()


def test_a_table_is_no_code():
    assert code_files("|a|b|\n|-|-|\n" + "|x|y|\n" * 900, 5) == ()


@pytest.mark.parametrize("info", ["../../etc/passwd", "py;rm", "unheard-of"])
def test_a_name_is_ours(info):
    """What a model writes never becomes part of it."""
    assert code_files(f"```{info}\n{LONG}```", 3)[0].name == "code-1.txt"
