# ruff: noqa: RUF001 -- letters of other scripts look like those of Latin
from typing import Any

import pytest

from apx.mem import check, frontmatter, guard, ids
from apx.mem.faults import MemFault
from apx.mem.memory import Memory
from tests.domain.test_secret_harmless import HARMLESS
from tests.domain.test_secrets import FRAMES, KINDS, SURROUNDED, made_up

ID = "d-2026-12-01-adopt-the-new-system"
FIELDS: dict[str, Any] = {
    "id": ID,
    "type": "decision",
    "title": "Adopt the new system",
    "scope": "example-api",
    "priority": 70,
    "confidence": 0.9,
    "version": 2,
    "created": "2026-12-01",
    "tags": ("web", "http401"),
    "abstract": "It is smaller.",
    "source": "note:0123456789ab",
    "supersedes": "d-2026-11-01-the-old-system",
}
BODY = b"Because.\n"
PLACES = ("title", "abstract", "tags", "scope", "source", "body")
PROSE = (
    ("my password is {}", "Xk7" + "#2041lqpd"),
    ('PASSWORD="{}"', "Xk7" + "#2041lqpd"),
    ("das Passwort lautet {}", "Xk7" + "#2041lqpd"),
    ("api token: {}", "a8f5f167f44f4964" + "e6c998dee827110c"),
    ("ключ, пароль: {}", "Xk7" + "#2041lqpd"),
)


def with_text(place, text):
    """Put a text into one place of a memory, as `add` would."""
    if place == "body":
        return Memory(FIELDS, b"# Why\n\n" + check.body(text) + b"\n\nSo it is.\n")
    flat = check.flat(text)
    words = tuple(word.strip() for word in flat.split(","))
    return Memory({**FIELDS, place: words if place == "tags" else flat}, BODY)


def refused(memory):
    try:
        guard.refuse(memory)
    except MemFault as fault:
        return fault
    return None


@pytest.mark.parametrize("place", PLACES)
def test_a_credential_is_refused_wherever_it_stands(place):
    """Of each kind, in each frame; the refusal names the place and not the text."""
    lines = [
        (SURROUNDED.get(kind, frame), made_up(seed)[kind])
        for kind in KINDS
        for seed, frame in enumerate(FRAMES)
    ]
    for frame, secret in (*lines, *PROSE):
        fault = refused(with_text(place, frame.format(secret)))

        assert fault is not None, (place, frame, secret)
        assert (fault.code, fault.status) == ("secret", 2)
        assert str(fault).startswith(f"{place}: ")
        told = "\n".join((str(fault), *fault.hints))
        assert not any(part in told for part in secret.splitlines())


@pytest.mark.parametrize("place", PLACES)
def test_a_harmless_line_is_taken_wherever_it_stands(place):
    """Each of the corpus, new or out of a file."""
    for text in HARMLESS:
        memory = with_text(place, text)
        name = f"d-2026-12-01-{ids.slug(memory.title)}"
        read = frontmatter.parse(name, frontmatter.render(memory))

        assert refused(memory) is None, text
        assert refused(read) is None, text


def unseen(text):
    """Put signs without width between letters, in the words as well."""
    return "\u200b".join(text)


def parted(text):
    """Put a sign without width in the middle, as a soft hyphen or a joiner is."""
    middle = len(text) // 2
    return f"{text[:middle]}\u00ad\u200d{text[middle:]}"


def wide(text):
    """Write it in letters of double width."""
    return text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("disguise", [unseen, parted, wide])
def test_a_credential_in_disguise_is_refused(place, disguise):
    """Who reads it sees it, or has it by a copy."""
    lines = [
        (SURROUNDED.get(kind, FRAMES[0]), made_up(seed)[kind])
        for seed, kind in enumerate(KINDS)
    ]
    for frame, secret in (*lines, *PROSE):
        hidden = disguise(secret)
        for text in (frame.format(hidden), disguise(frame.format(secret))):
            fault = refused(with_text(place, text))

            assert fault is not None, (place, text)
            assert hidden not in "\n".join((str(fault), *fault.hints))


@pytest.mark.parametrize("disguise", [unseen, wide])
def test_a_harmless_line_in_disguise_is_taken(disguise):
    for text in HARMLESS:
        assert refused(with_text("body", disguise(text))) is None, text


@pytest.mark.parametrize(
    "text",
    [
        "２０２６年１２月１日、午後３時３０分に会議室Ｂ２で。電話は０３－１２３４－５６７８",
        "請求書番号 ２０２６－１１－００４２、合計 ￥１２３，４５６（税込）",
        "①準備②確認③発送④請求⑤入金⑥記帳⑦報告⑧保管⑨破棄⑩完了",
        "می\u200cخواهم رمز عبور را هر ماه عوض کنم، کتاب\u200cها در خانه\u200cاند",
        "كلمة المرور تتغير كل شهر \u200fولا تُكتب هنا",
        "क्\u200dष और श्\u200cर अलग हैं; पासवर्ड हर महीने बदलता है",
        "👩\u200d💻 🏳️\u200d🌈 token ring 🧑🏽\u200d🚒 was the old network",
        "Zeit\u00adplan der Donau\u00adschiff\u00adfahrt: ½ Tag, 10²³, №\u00a07, ﬁnal",
        "ｶﾞｲﾄﾞﾗｲﾝ ﾊﾟｽﾜｰﾄﾞは毎月変更する",
    ],
)
def test_other_scripts_are_no_disguise(text):
    """Signs without width that belong to a script, digits of double width."""
    for place in PLACES:
        assert refused(with_text(place, text)) is None


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ({"title": "The password of the router is"}, "{}"),
        ({"title": "Router password"}, "\n\n  {}\n"),
        ({"title": "Router password", "abstract": "{}"}, "See above."),
        ({"title": "Router", "abstract": "password:"}, "{}"),
        ({"title": "Router", "abstract": "password", "tags": ("a",)}, "{}\nand more"),
    ],
)
def test_a_credential_in_two_pieces_is_refused(fields, body):
    """What names it above, what it is below; alone, it could be anything."""
    secret = "Hunter" + "#2211x"
    assert refused(Memory(FIELDS, secret.encode())) is None
    fields = {
        key: value if key == "tags" else value.format(secret)
        for key, value in fields.items()
    }
    memory = Memory({"id": ID, **fields}, body.format(secret).encode())

    fault = refused(memory)

    assert fault is not None
    assert " with " in str(fault)


@pytest.mark.parametrize(
    "line", ["# password: {}", "login: {{password: {}}}", "priority: 70 # password: {}"]
)
def test_a_credential_in_foreign_lines_is_refused(line):
    """Those are kept as they are, so they are looked at."""
    line = line.format(PROSE[0][1])
    memory = frontmatter.parse(ID, f"---\ntitle: a\n{line}\n---\nbody".encode())

    assert str(refused(memory)).startswith("frontmatter: ")


def test_a_credential_that_was_taken_out_is_no_reason():
    """A memory can be cleaned by an update, though its file held one."""
    line = PROSE[0][0].format(PROSE[0][1])
    memory = frontmatter.parse(ID, f"---\ntitle: {line}\n---\nbody".encode())

    assert refused(memory) is not None
    assert refused(memory.changed(title="clean")) is None


def test_who_insists_may():
    """That is for the owner in the terminal; others never get to say it."""
    memory = with_text("body", PROSE[0][0].format(PROSE[0][1]))

    guard.refuse(memory, force=True)
