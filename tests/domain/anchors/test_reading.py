"""What of a text must survive exactly, and when a summary carries it."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.anchors.reading import Anchor, AnchorKind, anchors, carries, names

ID, URL, PATH = AnchorKind.ID, AnchorKind.URL, AnchorKind.PATH
NUMBER, DATE, NAME = AnchorKind.NUMBER, AnchorKind.DATE, AnchorKind.NAME


def found(text):
    return [(anchor.kind, anchor.text) for anchor in anchors(text)]


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (ID, "OPS-4471"),
        (ID, "#5093"),
        (ID, "INV-2031-0017"),
        (ID, "QX7-99-KL2"),
        (ID, "LH4470"),
        (ID, "9f3b21c"),
        (ID, "3c59dc048e8850243be8079a5c74d079a5c74d07"),
        (ID, "0b9f6a3e-7d1c-4f2a-9c55-1d2e3f4a5b6c"),
        (ID, "172.16.4.9"),
        (ID, "172.16.4.9:9092"),
        (ID, "172.16.0.0/16"),
        (ID, "localhost:3000"),
        (ID, "v2.14.3"),
        (ID, "4.0.1"),
        (ID, "v7"),
        (ID, "rosa.lund+home@post.example.org"),
        (ID, "+49 171 5550 143"),
        (ID, "(020) 5550 0143"),
        (ID, "GB33BUKB20201555555555"),
        (ID, "DE75 5121 0800 1245 1261 99"),
        (ID, "retry_after_ms"),
        (ID, "77120043"),
        (URL, "https://shop.example.org/cart?id=7&x=a"),
        (URL, "http://172.16.4.9:9092/metrics"),
        (URL, "https://de.wikipedia.org/wiki/Zug_(Stadt)"),
        (URL, "www.example.org/a"),
        (URL, "docs.example.com/guide"),
        (URL, "postgres://db.local/main"),
        (PATH, "/etc/nginx/sites-enabled"),
        (PATH, "/srv/fotos/2026/"),
        (PATH, "~/notes/plan.md"),
        (PATH, "./run.sh"),
        (PATH, "../lib/util.ts"),
        (PATH, "apx/domain/gate.py"),
        (PATH, "src/components/"),
        (PATH, "informe-final.pdf"),
        (PATH, "C:\\Users\\rosa\\plan.docx"),
        (PATH, "\\\\nas\\fotos"),
        (PATH, "/etc"),
        (NUMBER, "3000 EUR"),
        (NUMBER, "€3,000"),
        (NUMBER, "$20k"),
        (NUMBER, "5 mg"),
        (NUMBER, "2 TB"),
        (NUMBER, "20 %"),
        (NUMBER, "20%"),
        (NUMBER, "1 234 567,50 €"),
        (NUMBER, "1'500 CHF"),
        (NUMBER, "2.5 million dollars"),
        (NUMBER, "-5 °C"[1:]),
        (NUMBER, "90 km/h"),
        (NUMBER, "200-word"),
        (NUMBER, "3 días"),
        (NUMBER, "4 Personen"),
        (NUMBER, "5000 рублей"),
        (NUMBER, "3 тыс. руб"),
        (NUMBER, "15 килограммов"),
        (NUMBER, "3000元"),
        (NUMBER, "3万円"),
        (NUMBER, "300만 원"),
        (NUMBER, "20名"),
        (NUMBER, "500 دولار"),
        (NUMBER, "٥٠٠ دولار"),
        (NUMBER, "500 रुपये"),
        (DATE, "2027-02-14"),
        (DATE, "14.02.2027"),
        (DATE, "14/2/27"),
        (DATE, "11/30"),
        (DATE, "14 February 2027"),
        (DATE, "Feb 14, 2027"),
        (DATE, "May 8th"),
        (DATE, "8 May"),
        (DATE, "8 de mayo"),
        (DATE, "8 de maio de 2027"),
        (DATE, "1er mars"),
        (DATE, "14. Februar"),
        (DATE, "8 мая"),
        (DATE, "5月8日"),
        (DATE, "2027年5月8日"),
        (DATE, "5월 8일"),
        (DATE, "8 مايو"),
        (DATE, "April 2027"),
    ],
)
def test_each_kind_is_found_as_it_was_written(kind, written):
    """In a sentence, at its end, in brackets, and next to a word without spaces."""
    for text in (f"see {written} there", f"it is {written}.", f"that ({written}), yes"):
        assert (kind, written) in found(text), text
        assert len(found(text)) == 1, found(text)


@pytest.mark.parametrize(
    "text",
    [
        "and/or, he/she, 24/7, 1/2 of it, red/green/blue",
        "the top 10 of 3 things at 10:30",
        "B2B and MP3 and UTF-8 and COVID-19",
        "I may 5 things, and the 8 may be wrong",
        "see you on Monday, next week, tomorrow",
        "/compact and /memory are commands",
        "well-known, up-to-date, e.g. this, i.e. that",
        "ok... wait?! #hashtag @somebody",
        "3.11 is newer than 3.9",
        "2 to 3 go there, 5 in all",
        "deadbeef and facade are words",
        "",
    ],
)
def test_ordinary_words_are_no_anchors(text):
    """A summary is refused for what it lost, so this must be worth it."""
    assert found(text) == []


def test_numbers_of_orders_are_ids_when_the_word_says_so():
    """People write "order 4821"."""
    assert found("my order 4821 and la factura nº 3307") == [(ID, "4821"), (ID, "3307")]
    assert found("注文番号4821です。订单号3307") == [(ID, "4821"), (ID, "3307")]


def test_anchors_touch_particles_of_scripts_without_spaces():
    """Japanese, Chinese and Korean put no space behind an id."""
    assert found("OPS-4471を見て、plan.pdfを開いて") == [
        (ID, "OPS-4471"),
        (PATH, "plan.pdf"),
    ]
    assert found("请看https://x.example.org/a。预算3000元以内") == [
        (URL, "https://x.example.org/a"),
        (NUMBER, "3000元"),
    ]
    assert found("电话是138-0013-8000。单子77120043在") == [
        (ID, "138-0013-8000"),
        (ID, "77120043"),
    ]
    assert found("OPS-4471은 5월 8일까지") == [(ID, "OPS-4471"), (DATE, "5월 8일")]


def test_code_between_backticks_is_an_id_or_a_path():
    """Identifiers have no other mark in prose."""
    assert found("rename `userName` and `run()` in `app/x`, not `two words`") == [
        (ID, "userName"),
        (ID, "run()"),
        (PATH, "app/x"),
    ]


def test_each_anchor_is_given_once_in_order():
    """What is demanded twice is still one thing."""
    assert found("OPS-2 before OPS-1, then OPS-2") == [(ID, "OPS-2"), (ID, "OPS-1")]


def test_credentials_are_no_anchors():
    """They must not come back in a prompt that lists what to carry."""
    letters = random.Random(5).choices(string.ascii_letters + string.digits, k=36)  # noqa: S311
    token = "gh" + "p_" + "".join(letters)

    for text in (
        f"the token is {token}",
        f"postgres://app:{''.join(letters)}@db/main",
        "my password is Qwe12345x",
        "Passwort: Qwe12345x",
        "mi contraseña es Qwe12345x",
        "密码是 Qwe12345x",
    ):
        assert not any("Qwe12345x" in a.text or token in a.text for a in anchors(text))
        assert not any("".join(letters) in a.text for a in anchors(text))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I travel with Mia to Hotel Azul in Porto.", ["Mia", "Hotel Azul", "Porto"]),
        ("We use PostgreSQL and GitHub Actions here", ["PostgreSQL", "GitHub Actions"]),
        ("Quiero ir a Lima con José Pardo", ["Lima", "José Pardo"]),
        ("Мы едем в Казань с Олегом", ["Казань", "Олегом"]),
        ("Πάω στην Πάτρα με τον Νίκο", ["Πάτρα", "Νίκο"]),
        (
            "Ich fahre mit Anna Schmidt im Zug ans Meer, und der Koffer ist groß",
            ["Anna Schmidt"],
        ),
        ("Never do THAT again. Please! Monday in May.", []),
        ('He said: "Never." - Then I\'m off', []),
        ("My Plan For The Long Trip Home", []),
        ("all of it is small", []),
        ("I want to learn Spanish", []),
        ("我和安娜去北京", []),
        ("I've opened `UserName` in https://x.org/Some/Path", []),
    ],
)
def test_names_are_capitalised_words_inside_a_sentence(text, wanted):
    """Conservative: what begins a sentence, shouts or is a heading shows nothing."""
    assert [name.text for name in names(text)] == wanted
    assert all(name.kind is NAME for name in names(text))


CARRIED = [
    (ID, "OPS-4471", "- ops-4471: open"),
    (ID, "OPS-4471", "OPS-4471を直す"),
    (ID, "OPS-4471", "https://jira.example.org/browse/OPS-4471"),
    (ID, "OPS-4471", "ＯＰＳ-4471 wide"),
    (ID, "#5093", "issue 5093."),
    (ID, "v2.14.3", "version 2.14.3"),
    (ID, "2.14.3", "v2.14.3"),
    (ID, "+49 171 5550 143", "call +491715550143"),
    (ID, "+49 171 5550 143", "(+49) 171-5550-143"),
    (ID, "DE75 5121 0800 1245 1261 99", "DE75512108001245126199"),
    (ID, "run()", "`run` fails"),
    (URL, "https://x.example.org/a/", "see <https://x.example.org/a>."),
    (URL, "https://x.example.org/a", "[a](http://www.x.example.org/a)"),
    (URL, "https://x.example.org/a", "https://x.example.org/a, and"),
    (URL, "www.example.org/a", "https://example.org/a"),
    (PATH, "./run.sh", "`run.sh`"),
    (PATH, "src/main.py", "/home/rosa/src/main.py"),
    (PATH, "/srv/fotos/", "/srv/fotos"),
    (PATH, "C:\\a\\b.txt", "c:/a/b.txt"),
    (NUMBER, "3000 EUR", "at most €3,000"),
    (NUMBER, "3000 EUR", "3.000 €"),
    (NUMBER, "3000 EUR", "3 000 euros"),
    (NUMBER, "3000 EUR", "3k EUR"),
    (NUMBER, "2.5 million dollars", "$2,500,000"),
    (NUMBER, "3万円", "30,000円"),
    (NUMBER, "5 mg", "5mg"),
    (NUMBER, "20 %", "20%"),
    (NUMBER, "20 %", "20 percent"),
    (NUMBER, "3 days", "a 3-day trip"),
    (NUMBER, "٥٠٠ دولار", "500 USD"),
    (DATE, "2027-05-08", "8 May 2027"),
    (DATE, "8 May 2027", "2027-05-08"),
    (DATE, "8 May", "by 2027-05-08"),
    (DATE, "May 8th", "5月8日"),
    (DATE, "8 de mayo", "8. Mai"),
    (DATE, "08.05.2027", "on 8 мая 2027"),
    (DATE, "5/8", "8 May"),
    (DATE, "11/30", "30.11.2026"),
    (DATE, "April 2027", "2027-04-12"),
    (NAME, "Mia", "with Mia's bag"),
    (NAME, "Hotel Azul", "the hotel is Azul, Hotel"),
    (NAME, "Москву", "Москва"),
    (NAME, "José", "jose"),
]


@pytest.mark.parametrize(("kind", "written", "summary"), CARRIED)
def test_another_usual_form_carries_an_anchor(kind, written, summary):
    """A summary may write an amount or a day in its own way."""
    assert carries(summary, Anchor(kind, written))


@pytest.mark.parametrize(
    ("kind", "written", "summary"),
    [
        (ID, "OPS-12", "OPS-123"),
        (ID, "OPS-12", "DEVOPS-12"),
        (ID, "OPS-12", "OPS-12-B3"),
        (ID, "OPS-12", "OPS 13"),
        (ID, "#12", "#123"),
        (ID, "172.16.4.9", "172.16.4.90"),
        (ID, "172.16.4.9", "172.16.4.9:80"),
        (ID, "2.14.3", "2.14.31"),
        (ID, "2.14.3", "12.14.3"),
        (ID, "retry_after", "retry_after_ms"),
        (ID, "+49 171 5550 143", "+49 171 5550 1430"),
        (URL, "https://x.example.org/a", "https://x.example.org/ab"),
        (URL, "https://x.example.org/a", "https://x.example.org/a/b"),
        (URL, "https://x.example.org/a", "https://x.example.org/a?b=1"),
        (URL, "https://x.example.org/a", "https://y.x.example.org/a"),
        (PATH, "main.py", "main.pyc"),
        (PATH, "main.py", "domain.py"),
        (PATH, "/srv/x", "/srv/x.txt"),
        (NUMBER, "30 EUR", "130 EUR"),
        (NUMBER, "30 EUR", "30 USD"),
        (NUMBER, "30 EUR", "30"),
        (NUMBER, "3000 EUR", "300 EUR"),
        (NUMBER, "2.5 kg", "25 kg"),
        (NUMBER, "5 mg", "5 g"),
        (DATE, "8 May 2027", "8 May 2026"),
        (DATE, "8 May", "9 May"),
        (DATE, "8 May", "8 June"),
        (DATE, "8 May", "in May"),
        (NAME, "Mia", "Miami"),
        (NAME, "Hotel Azul", "a hotel"),
    ],
)
def test_a_part_of_something_else_carries_nothing(kind, written, summary):
    """OPS-12 is not in OPS-123."""
    assert not carries(summary, Anchor(kind, written))


fragments = st.sampled_from(
    [
        "OPS-12",
        "#77",
        "https://x.org/a",
        "/srv/x/y.txt",
        "3000 EUR",
        "5 mg",
        "8 May",
        "2027-05-08",
        "5月8日",
        "30.11.",
        "`aB()`",
        "a@b.org",
        "1.2.3.4:80",
        "Mia",
        "3万円",
        " ",
        " ",
        "\n",
        ", ",
        ".",
        "-",
        "/",
        ":",
        "1",
        "٣",
        "₂",
        "²",
        "x",
        "é",
        "を",
    ]
)
texts = st.lists(fragments, max_size=25).map("".join) | st.text()


@given(texts)
def test_a_text_carries_its_own_anchors(text):
    """A summary that quotes everything lost nothing; anchors are pieces of the text."""
    for anchor in (*anchors(text), *names(text)):
        assert anchor.text in text
        assert carries(text, anchor), anchor


@given(texts, texts)
def test_more_text_around_takes_nothing_away(text, other):
    """What stands on a line of its own is read as if it were alone."""
    for anchor in anchors(text):
        assert carries(f"{other}\n\n{text}\n\n{other}", anchor), anchor


@pytest.mark.parametrize(
    "unit",
    [
        "a.",
        "a-",
        "1 ",
        "1.",
        "1,",
        "/",
        "/a",
        "a/",
        "A1-",
        "_a",
        "`",
        "`a",
        "#1",
        "@",
        "a@",
        "http://",
        "www.",
        "(",
        "11/",
        "8 May ",
        "Mia ",
        "1 000 ",
        "+1 ",
        "€",
        "\\\\",
        "x_",
        "A",
        "1",
        "é",
        "0a",
        "order ",
        "5月",
        "password ",
    ],
)
def test_hostile_text_takes_linear_time(unit):
    """A hundred kilobytes of anything are read in a moment."""
    text = unit * (100_000 // len(unit))

    start = time.process_time()
    anchors(text)
    names(text)
    carries(text, Anchor(ID, "OPS-12"))

    assert time.process_time() - start < 6
