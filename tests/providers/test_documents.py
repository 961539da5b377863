"""What people attach becomes text, or a sentence that says why not."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from signal import SIGXCPU
from typing import TYPE_CHECKING

import pytest

from apx.providers.documents import Extract, Limits, extracted
from tests.providers.papers import archive, docx, paragraph, pdf, scanned, written

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from typing import Any

    Read = Callable[..., Coroutine[Any, Any, Extract]]

CHILD = [sys.executable, "-P", "-m", "apx.providers.document_main"]
# Half a second of work for each megabyte, and no text in it.
SLOW = docx("<w:b/>" * 10_000_000)
FLATE = b"/FlateDecode"
LOCKED = b"/Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 /P -4 /O <%s> /U <%s> >>"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    async def read(data: bytes, name: str = "x", media: str = "", **limits: Any):
        path = tmp_path / "attached"
        path.write_bytes(data)
        return await extracted(path, name, media, limits=Limits(**limits))

    return read


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
async def test_text_is_read_in_any_unicode(read: Read, encoding: str):
    """Windows writes marks before it, some programs UTF-16 without one."""
    text = 'name;price\n"Käse";3 €\n' * 10

    assert await read(text.encode(encoding), "a.csv") == Extract(text.strip())


async def test_a_mark_says_how_a_text_is_written(read: Read):
    """Where no byte is like any other, only the mark tells."""
    assert await read("Привет, мир".encode("utf-16")) == Extract("Привет, мир")


async def test_a_guessed_encoding_is_called_a_guess(read: Read):
    """What looks odd then has an explanation."""
    found = await read("Käse für Zoë: 3 €".encode("cp1252"))

    assert found.text == "Käse für Zoë: 3 €"
    assert "guess" in found.note


@pytest.mark.parametrize(
    "text", ["<html><p>Hi</p></html>", '{"a": [1]}', "def f():\n\treturn 1", "<svg/>"]
)
async def test_what_programs_read_is_text_too(read: Read, text: str):
    """A model reads it as it stands; what the platform calls it does not matter."""
    assert await read(text.encode(), "x.ts", "video/mp2t") == Extract(text)


async def test_a_pdf_is_read_page_by_page(read: Read):
    """In order, with a gap between."""
    found = await read(pdf(["The first\npage", "Second"]), "report.pdf")

    assert found == Extract("The first\npage\n\nSecond")


async def test_a_word_document_is_read_as_it_is_seen(read: Read):
    """Tables as lines, what is there twice once, notes behind the text."""
    cell = f"<w:tc>{paragraph('a &amp; b')}</w:tc>"
    stop = '<w:p><w:pPr><w:tabs><w:tab w:pos="7"/></w:tabs></w:pPr></w:p>'
    twice = f"<mc:Choice>{paragraph('box')}</mc:Choice>"
    twice += f"<mc:Fallback>{paragraph('box')}</mc:Fallback>"
    deleted = "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
    tabbed = "<w:p><w:r><w:t>x</w:t><w:tab/><w:t>y</w:t><w:br/></w:r></w:p>"
    row = f"<w:tbl><w:tr>{cell}{cell}</w:tr></w:tbl>"
    body = f"{paragraph('Dear Ana,')}{stop}{row}{twice}{deleted}{tabbed}"

    found = await read(docx(body, footnotes=paragraph("a note")), "letter.docx")

    assert found == Extract("Dear Ana,\n\na & b \ta & b \t\nbox\nx\ty\n\na note")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (archive({"a": "b"}), "a ZIP archive: I do not look inside"),
        (archive({"xl/workbook.xml": ""}), "CSV"),
        (b"Rar!\x1a\x07\x01\x00", "a RAR archive"),
        (b"\0" * 257 + b"ustar\0", "a tar archive"),
        (b"\x89PNG\r\n\x1a\n\0", "a picture"),
        (b"\0\0\0\x18ftypheic", "a picture"),
        (b"RIFF\0\0\0\0WAVE", "a recording"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "an old Office file"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
            + "EncryptedPackage".encode("utf-16-le"),
            "locked with a password",
        ),
        (scanned(), "it has no text in it, only pictures"),
        (pdf([""]), "it has no text in it"),
        (pdf(["x"], more=LOCKED % (b"0" * 96, b"0" * 96)), "locked"),
        (pdf(["x" * 99])[:200], "broken"),
        (docx(paragraph("hello"))[:-40], "broken"),
        (archive({"word/document.xml": "<a"}), "broken"),
        (bytes(range(256)) * 9, "a kind of file that I cannot read"),
    ],
)
async def test_what_cannot_be_read_is_said_in_words(read: Read, data: bytes, said: str):
    """Nobody wonders why there is no answer about it."""
    found = await read(data)

    assert found.text == ""
    assert said in found.note


async def test_a_pdf_that_wants_a_password_says_so(read: Read, tmp_path: Path):
    """One that is only locked against changes is read."""
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415 -- as the child does

    (tmp_path / "open.pdf").write_bytes(pdf(["Secret plans"]))
    found = []
    for word in ("hunter2", ""):
        writer = PdfWriter(PdfReader(tmp_path / "open.pdf"))
        writer.encrypt(word, "owner", algorithm="RC4-128")
        writer.write(tmp_path / "locked.pdf")
        found.append(await read((tmp_path / "locked.pdf").read_bytes()))

    assert found == [
        Extract("", "it is locked with a password"),
        Extract("Secret plans"),
    ]


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 15))
BOMBS = {
    "a zip bomb": (
        archive({"word/document.xml": b" " * 200_000_000}),
        "there is too much in it for me",
    ),
    "a billion laughs": (
        archive(
            {"word/document.xml": f'<!DOCTYPE a [<!ENTITY l0 "">{LAUGHS}]><a>&l14;</a>'}
        ),
        "it is no proper Word document",
    ),
    "a page a hundred thousand times": (
        pdf(["x"]).replace(b"[4 0 R]", b"[" + b"4 0 R " * 100_001 + b"]"),
        "",
    ),
    "pages that are their own": (pdf(["x"]).replace(b"[4 0 R]", b"[2 0 R]"), ""),
    "nested without an end": (
        pdf(["x"]).replace(b"[0 0 600 850]", b"[" * 100_000 + b"]" * 100_000),
        "",
    ),
    "nothing but rubbish": (b"%PDF-1.7\n" + bytes(range(256)) * 10_000, "broken"),
    "an object that is itself": (written([b"1 0 R"]), "broken"),
}


@pytest.mark.parametrize("name", BOMBS)
async def test_what_is_made_to_harm_ends_in_a_sentence(read: Read, name: str):
    """It harms a process that nobody needs, and not for long."""
    data, words = BOMBS[name]
    async with asyncio.timeout(30):
        found = await read(data)

    assert found.text == ""
    assert found.note
    assert words in found.note


async def test_a_count_of_pages_is_not_believed(read: Read):
    """The pages that are there are read."""
    claimed = pdf(["One page"]).replace(b"/Count 1 ", b"/Count 9999999 ")

    assert await read(claimed) == Extract("One page")


async def test_a_long_text_is_cut_and_says_so(read: Read):
    """20 MB of text are read as fast as a page."""
    found = await read("äöü €\n".encode() * 2_200_000, characters=100_000)

    assert len(found.text) in range(99_990, 100_001)
    assert found.note == "it is longer: these are its first 100,000 characters"


async def test_a_broken_page_does_not_cost_the_others(read: Read):
    """What can be read is, and the rest is owned up to."""
    before, first, second, third = pdf(["first", "second", "third"]).split(FLATE)
    broken = before + FLATE + first + b"/FlateDecodX" + second + FLATE + third

    assert await read(broken) == Extract(
        "first\n\nthird", "I cannot read 1 of its 3 pages"
    )


async def test_what_takes_too_long_is_given_up(read: Read):
    """The deadline is the clock's, and nothing runs on."""
    began = asyncio.get_running_loop().time()

    found = await read(SLOW, seconds=0.5)

    assert found == Extract("", "it takes too long to read")
    assert asyncio.get_running_loop().time() - began < 20


async def test_what_was_read_by_the_deadline_counts(read: Read):
    """The beginning of a document is better than nothing of it."""
    found = await read(
        docx(paragraph("the beginning ") * 2000 + "<w:b/>" * 10_000_000), seconds=1
    )

    assert found.text.startswith("the beginning")
    assert "takes too long" in found.note


async def test_memory_has_a_bound(read: Read):
    """A small machine does not begin to swap for an attachment."""
    found = await read(docx("<w:p>" * 9_000_000), memory=96 << 20)

    assert found == Extract("", "it takes more memory to read than I give it")


async def test_a_process_whose_parent_died_ends_by_itself(tmp_path: Path):
    """Nobody is there to look at the clock for it."""
    (tmp_path / "slow").write_bytes(SLOW)
    with (tmp_path / "slow").open("rb") as file:
        ended = subprocess.run(  # noqa: ASYNC221 -- nothing else runs here
            [*CHILD, "1000", str(1 << 29), "1"],
            stdin=file,
            capture_output=True,
            check=False,
        )

    assert ended.returncode == -SIGXCPU


async def test_many_at_once_wait_for_each_other(read: Read):
    """An album of documents does not start ten processes; each is read in the end."""
    found = await asyncio.gather(*(read(pdf(["same"])) for _ in range(6)))

    assert found == [Extract("same")] * 6


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a\0b.txt", "n" * 300, "", "\u202egnp.exe", "x.\n"]
)
async def test_a_name_changes_nothing(read: Read, name: str):
    """It is what somebody claims."""
    assert await read(b"hello", name) == Extract("hello")


@pytest.mark.parametrize(
    ("name", "media", "said"),
    [
        ("plan.DWG", "", "a .dwg file, which I cannot read"),
        ("a.b\0c", "", "a kind of file that I cannot read"),
        ("song", "audio/mpeg", "a recording"),
    ],
)
async def test_what_tells_nothing_is_called_what_it_claims(
    read: Read, name: str, media: str, said: str
):
    """Only where its bytes do not know better."""
    assert await read(bytes(range(256)), name, media) == Extract("", said)


async def test_a_file_that_is_gone_is_no_crash(tmp_path: Path):
    """It may have been erased meanwhile."""
    found = await extracted(tmp_path / "none", "x", "")

    assert found == Extract("", "I do not have it any more")


@pytest.mark.parametrize(
    "wish",
    [
        "import socket; socket.socket()",
        "import os; os.system('true')",
        "import os; os.fork()",
        "import os; os.remove('there')",
        "open('new', 'w')",
        "open('there', 'r+')",
    ],
)
def test_the_child_can_call_nobody_and_change_nothing(wish: str, tmp_path: Path):
    """Whatever a document makes its reader do, it stays in there."""
    (tmp_path / "there").write_text("as it was")
    code = (
        "from apx.providers import document_main as child\n"
        "def pieces(file):\n"
        f"    {wish}\n"
        "    yield 'done'\n"
        "child._text = pieces\n"
        f"child.main(100, {1 << 29}, 5)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )

    assert "done" not in ended.stdout
    assert "PermissionError" in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_the_parent_loads_none_of_what_reads():
    """A hundred milliseconds and fifteen megabytes are the child's."""
    code = "import sys, apx.providers.documents; print('pypdf' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout

    assert told == "False\n"
