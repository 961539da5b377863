"""The table of all commands of `apx mem`: it parses them and explains them."""

from __future__ import annotations

from apx.cli.mem.words import Command, Flag
from apx.mem.memory import ABSTRACT, TYPES

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_TYPES: Final = "|".join(TYPES)
_STATES: Final = "active|proposed|archived|all"
_AGENTS: Final = "[claude|codex|opencode|generic]"

_FIELDS = Flag("--fields", "A,B", "which fields; see `apx mem help fields`")
_LIMIT = Flag("--limit", "N", "how many at most")
_FORCE = Flag("--force", "", "keep what looks like a credential; you know it is none")
_DRY = Flag("--dry-run", "", "say what would be done, write nothing")
_APPLY = Flag("--apply", "", "do it; without it nothing is written")
_HOOK = Flag("--hook", "", "for a hook: never fails, says nothing rather than an error")
_FILTERS = (
    Flag("--type", _TYPES, "of this type alone"),
    Flag("--tag", "WORD", "with this tag; may be given again", is_many=True),
    Flag("--scope", "WORD", "of this scope alone"),
    Flag("--min-priority", "N", "of this priority or more"),
    Flag("--status", _STATES, "of this status; active"),
    _LIMIT,
    _FIELDS,
    Flag("--inject", "", "a line each for a prompt: id, type, title, abstract"),
    _HOOK,
)
_TEXTS = (
    Flag("--title", "TEXT", "the fact in one line"),
    Flag("--body", "TEXT", "all of it, in Markdown; - reads it from stdin"),
    Flag("--body-file", "PATH", "all of it, from a file"),
    Flag("--abstract", "TEXT", f"what it comes to, {ABSTRACT} characters at most"),
    Flag("--scope", "WORD", "a project; global; nothing is your own"),
    Flag("--confidence", "0-1", "how sure it is"),
    Flag("--priority", "0-100", "how much it matters"),
    Flag("--verified", "DATE", "when it was last seen to hold; today will do"),
    Flag("--source", "TEXT", "where it comes from"),
    _FORCE,
)

HOME: Final = Command("", "looking:home", "what there is, what to do next")
COMMANDS: Final = {
    one.name: one
    for one in (
        Command(
            "init", "keeping:init", "make the store; nothing happens if it is there"
        ),
        Command(
            "add",
            "writing:add",
            "add a memory; the same title and body again is a no-op",
            "",
            (
                Flag("--type", _TYPES, "what kind of fact it is"),
                *_TEXTS,
                Flag("--tags", "A,B", "the words that it is filed under"),
                Flag("--status", "proposed|active", "proposed ones wait for a review"),
            ),
            (
                "apx mem add --type decision --title 'Postgres for the ledger' "
                "--body 'We tried SQLite; two writers blocked each other.' --tags db",
                "apx mem add --type howto --title 'Release' --body - < notes.md",
            ),
        ),
        Command(
            "show",
            "looking:show",
            "all of one memory, or of several",
            "ID...",
            (Flag("--full", "", "the whole body"), _FIELDS),
            ("apx mem show d-2026-12-01-postgres-for-the-ledger --full",),
        ),
        Command(
            "list",
            "looking:listed",
            "the memories, what matters most first",
            "",
            _FILTERS,
            ("apx mem list --type constraint --fields id,title,scope",),
        ),
        Command(
            "search",
            "looking:search",
            "find memories by words in any order; each must be in it",
            "[WORD...]",
            (
                *_FILTERS,
                Flag("--any", "", "any of the words will do, the best fit first"),
                Flag("--regex", "", "the words are a regular expression"),
                Flag("--features", "lexical|vector", "vector: by meaning, too"),
            ),
            (
                "apx mem search ledger postgres",
                "apx mem search '\"two writers\"' --inject",
                "apx mem search -- -v",
            ),
        ),
        Command(
            "update",
            "writing:update",
            "change fields or the body; an empty text takes a field away",
            "ID",
            (
                *_TEXTS,
                Flag("--tags", "A,B", "the tags instead; +a,-b adds and takes away"),
                Flag("--status", "active|proposed|archived", "its status"),
                Flag("--expect", "N", "only if its version is still this one"),
            ),
            (
                "apx mem update d-2026-12-01-postgres-for-the-ledger --tags +db,-draft",
                "apx mem update d-2026-12-01-postgres-for-the-ledger --verified today",
            ),
        ),
        Command(
            "merge",
            "writing:merge",
            "take the second into the first; restore brings it back",
            "KEEP ABSORB",
            (_DRY,),
        ),
        Command(
            "dedup",
            "writing:dedup",
            "pairs with much the same title, of one type",
            "",
            (
                Flag("--threshold", "0-1", "how alike titles are; 0.6"),
                Flag("--type", _TYPES, "of this type alone"),
                _APPLY,
            ),
        ),
        Command(
            "review",
            "reviewing:review",
            "what is proposed, doubtful or was never verified",
            "",
            (
                Flag("--min-confidence", "0-1", "doubtful is below; 0.5"),
                Flag(
                    "--accept", "ID", "it holds: active, verified today", is_many=True
                ),
                Flag("--reject", "ID", "it does not: archived", is_many=True),
                _LIMIT,
                _FIELDS,
            ),
            ("apx mem review --accept d-2026-12-01-postgres-for-the-ledger",),
        ),
        Command("archive", "writing:archive", "put memories away; they stay", "ID..."),
        Command(
            "restore",
            "writing:restore",
            "bring back what was archived or removed",
            "ID",
        ),
        Command(
            "history",
            "looking:history",
            "the commits that wrote a memory, newest first",
            "ID",
            (_LIMIT,),
        ),
        Command(
            "promote",
            "writing:promote",
            "make a proposed memory active; or notes of apx proposed memories",
            "[ID]",
            (
                Flag("--scope", "WORD", "give it this scope, such as global"),
                Flag("--notes", "", "propose what the notes of memory.md say"),
                _DRY,
            ),
            ("apx mem promote d-2026-12-01-postgres-for-the-ledger --scope global",),
        ),
        Command(
            "sync",
            "keeping:sync",
            "fetch, merge, push: one store on several machines",
            "",
            (
                Flag("--remote", "URL", "the repository to share; kept for next time"),
                Flag("--timeout", "SECONDS", "give up after so long; 30"),
                _HOOK,
            ),
            ("apx mem sync --remote git@example.com:me/mem.git",),
        ),
        Command("status", "keeping:status", "where the store is, how it stands"),
        Command("stats", "keeping:stats", "counts by type, status, tag, scope, month"),
        Command("doctor", "keeping:doctor", "what is wrong; exits 1 if anything is"),
        Command(
            "hooks",
            "hooks:hooks",
            "three small hooks that give a coding agent these memories",
            _AGENTS,
            (),
            ("apx mem hooks claude --format md",),
        ),
        Command(
            "import",
            "taking:take",
            "take in files or directories of this format, or JSON lines; all or none",
            "PATH...",
            (_FORCE, _DRY),
            ("apx mem import ../other-store", "apx mem import - < memories.jsonl"),
        ),
        Command(
            "purge",
            "keeping:purge",
            "take memories out of the whole history, for ever",
            "ID...",
            (_APPLY,),
        ),
        Command("help", "guide:guide", "what a command does and takes", "[COMMAND]"),
    )
}
