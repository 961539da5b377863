"""Long code as files: in three messages nobody can copy it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apx.domain.text import clean
from channels.telegram.markdown_blocks import language
from channels.telegram.markdown_parser import parse
from channels.telegram.rendered import units

# A reply of so many messages can still be read as it is.
_CHUNKS: Final = 2
_LONG: Final = 3_000
_FILES: Final = 5
_BYTES: Final = 1_000_000

_ENDINGS: Final = {
    "bash": "sh",
    "c": "c",
    "c#": "cs",
    "c++": "cpp",
    "cpp": "cpp",
    "csharp": "cs",
    "css": "css",
    "csv": "csv",
    "dart": "dart",
    "diff": "diff",
    "go": "go",
    "golang": "go",
    "haskell": "hs",
    "html": "html",
    "ini": "ini",
    "java": "java",
    "javascript": "js",
    "js": "js",
    "json": "json",
    "jsx": "jsx",
    "kotlin": "kt",
    "latex": "tex",
    "lua": "lua",
    "markdown": "md",
    "md": "md",
    "perl": "pl",
    "php": "php",
    "powershell": "ps1",
    "py": "py",
    "python": "py",
    "r": "r",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "sh": "sh",
    "shell": "sh",
    "sql": "sql",
    "svg": "svg",
    "swift": "swift",
    "toml": "toml",
    "ts": "ts",
    "tsx": "tsx",
    "typescript": "ts",
    "xml": "xml",
    "yaml": "yaml",
    "yml": "yaml",
    "zsh": "sh",
}


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file to be sent beside a reply."""

    name: str
    data: bytes


def code_files(text: str, chunks: int) -> tuple[CodeFile, ...]:
    """Give the long code blocks of a reply that takes `chunks` messages."""
    if chunks <= _CHUNKS:
        return ()
    long = [
        token
        for token in parse(clean(text))
        if token.type == "fence" and units(token.content) > _LONG
    ]
    files = (
        CodeFile(f"code-{number}.{_ending(token.info)}", token.content.encode())
        for number, token in enumerate(long[:_FILES], 1)
    )
    return tuple(file for file in files if len(file.data) <= _BYTES)


def _ending(info: str) -> str:
    return _ENDINGS.get(language(info).lower(), "txt")
