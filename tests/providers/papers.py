"""Documents to read, made byte by byte, so that any of them can be broken."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SPACE: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
AGAIN: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
OPENING: Final = f'<w:document xmlns:w="{SPACE}" xmlns:mc="{AGAIN}"><w:body>'
_FIRST: Final = 4  # catalog, pages and font come before


def pdf(pages: Sequence[str], *, more: bytes = b"", objects: Sequence[bytes] = ()):
    """Make a PDF; `more` goes into its trailer, `objects` behind its own."""
    streams = [_shown(text) for text in pages]
    kids = b" ".join(b"%d 0 R" % (_FIRST + 2 * n) for n in range(len(pages)))
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for n, stream in enumerate(streams):
        bodies += [_page(_FIRST + 2 * n + 1), stream]
    return written([*bodies, *objects], more)


def written(bodies: Sequence[bytes], more: bytes = b"") -> bytes:
    """Write numbered objects, the first of them the catalog, as a file."""
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(bodies) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    trailer = b"trailer << /Size %d /Root 1 0 R %s >>" % (size, more)
    end = b"\nstartxref\n%d\n%%%%EOF\n" % len(out)
    return out + head + table + trailer + end


def stream(data: bytes, about: bytes = b"") -> bytes:
    """Write a packed stream."""
    packed = zlib.compress(data)
    head = b"<< /Length %d /Filter /FlateDecode %s >>" % (len(packed), about)
    return head + b"\nstream\n" + packed + b"\nendstream"


def scanned() -> bytes:
    """Make a PDF whose one page is a picture."""
    image = b"/Type /XObject /Subtype /Image /Width 1 /Height 1"
    colour = b" /ColorSpace /DeviceGray /BitsPerComponent 8"
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R"
        b" /Resources << /XObject << /I 5 0 R >> >> >>"
    )
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            page,
            stream(b"q 9 0 0 9 0 0 cm /I Do Q"),
            stream(b"\0", image + colour),
        ]
    )


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """Pack parts as a ZIP file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return file.getvalue()


def docx(body: str, **notes: str) -> bytes:
    """Make a Word document of this XML."""
    parts = {f"word/{name}.xml": f"{OPENING}{text}" for name, text in notes.items()}
    ended = {name: f"{xml}</w:body></w:document>" for name, xml in parts.items()}
    main = f"{OPENING}{body}</w:body></w:document>"
    return archive({"word/document.xml": main, **ended})


def paragraph(text: str) -> str:
    """Write a paragraph of a Word document."""
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def _shown(text: str) -> bytes:
    lines = text.encode("latin-1").split(b"\n")
    shown = b"".join(b"(%s) Tj T* " % line for line in lines)
    return stream(b"BT /F1 10 Tf 50 800 Td 12 TL " + shown + b"ET")


def _page(contents: int) -> bytes:
    return (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 850] /Contents %d 0 R"
        b" /Resources << /Font << /F1 3 0 R >> >> >>" % contents
    )
