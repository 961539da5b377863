"""Long code as files: in three messages nobody can copy it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def files(blocks: Iterable[tuple[str, str]]) -> tuple[CodeFile, ...]:
    """Give the first few of some code blocks, each as language and code, as files."""
    made = (
        CodeFile(
            f"code-{number}.{_ENDINGS.get(language.lower(), 'txt')}", code.encode()
        )
        for number, (language, code) in enumerate(list(blocks)[:_FILES], 1)
    )
    return tuple(file for file in made if len(file.data) <= _BYTES)
