"""In every script a question finds its message, by default and without a model."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

import pytest

from apx.memory.recall.showing import Showing
from apx.providers.hashing import HashingEmbedder
from tests.memory.rooms import Embedders, rooms, said

# What is asked, and the message that shall come first.
ASKED = [
    # Chinese: one, two and three characters, and mixed with Latin letters.
    ("猫", "我们养了一只猫叫年糕"),
    ("备份", "GitHub备份脚本每周五运行"),
    ("备份脚本", "GitHub备份脚本每周五运行"),
    ("GitHub备份脚本", "GitHub备份脚本每周五运行"),
    ("github", "GitHub备份脚本每周五运行"),
    ("护照号码", "我的护照号码是E12345678"),
    ("护照号码是多少?", "我的护照号码是E12345678"),
    # Japanese: kanji, katakana of both widths, hiragana.
    ("犬", "犬の名前はポチです"),
    ("ポチ", "犬の名前はポチです"),
    ("ﾎﾟﾁ", "犬の名前はポチです"),
    ("金曜日", "バックアップは金曜日に動きます"),
    ("バックアップはいつですか", "バックアップは金曜日に動きます"),
    # Korean, with and without its particles.
    ("회의", "내일 회의가 세 시에 있습니다"),
    ("회의는 몇 시예요?", "내일 회의가 세 시에 있습니다"),
    ("치과", "치과 예약은 화요일이에요"),
    # Thai has no spaces.
    ("แมว", "แมวของฉันชื่อมะลิ"),
    ("มะลิ", "แมวของฉันชื่อมะลิ"),
    ("ประชุม", "ประชุมทีมวันศุกร์บ่าย"),
    # Accents, both ways and decomposed.
    ("cafe", "el café de la esquina cierra a las ocho"),
    ("cafe\u0301", "el café de la esquina cierra a las ocho"),
    ("CAFÉ", "el café de la esquina cierra a las ocho"),
    ("cafés", "el café de la esquina cierra a las ocho"),
    ("strasse", "die Straße ist gesperrt"),
    ("Muller", "Herr Müller ruft zurück"),
    # Arabic with and without vowel points, and its forms of alef.
    ("كِتَاب", "هذا كتاب الطبخ"),
    ("كتاب", "هذا كتاب الطبخ"),
    ("احمد", "أحمد يسافر غدا"),
    # Turkish dotted and dotless i.
    ("istanbul", "İSTANBUL'da buluşalım"),
    ("İstanbul", "İSTANBUL'da buluşalım"),
    ("ışık", "IŞIK faturası geldi"),
    # Others.
    ("кошка", "нашу кошку зовут Буся"),
    ("γάτα", "η ΓΑΤΑ μας λέγεται Λουλού"),
    ("बिल्ली", "हमारी बिल्ली का नाम चमेली है"),
    ("🦊", "der Verein heißt 🦊 Füchse"),
]
FACTS = list(dict.fromkeys(fact for _, fact in ASKED))


@pytest.fixture(params=["no model", "hashing"])
async def memory(request, tmp_path, history):
    who = Embedders(tf=HashingEmbedder()) if request.param == "hashing" else None
    async with rooms(tmp_path, history, who, Showing()) as opened:
        await opened.engine.ready.wait()
        facts = [said(fact, n, thread=f"t:{n}") for n, fact in enumerate(FACTS)]
        noise = [said(f"we shipped build {n} today", 99 + n) for n in range(200)]
        await opened.put(*facts, *noise)
        await opened.spaces.fill()
        yield opened


async def test_every_script_finds_its_own(memory):
    """Short questions too, and whichever way they are written."""
    missed = [
        (asked, fact, found)
        for asked, fact in ASKED
        if (found := await memory.found(asked))[:1] != [fact]
    ]
    assert missed == []
