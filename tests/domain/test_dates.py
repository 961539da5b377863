"""The dates that a question names, and those that it does not."""
# ruff: noqa: RUF001 -- letters that only look alike are the point here

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.dates import asked_dates, date_terms

NOW = datetime(2030, 5, 15, 12, tzinfo=UTC)  # a Wednesday


def test_a_date_has_a_term_for_each_way_to_name_it():
    """The year, the month with and without it, the day with and without it."""
    at = datetime(2023, 5, 8, 9, 30, tzinfo=UTC)

    assert date_terms(at) == ["@2023", "@2023-05", "@05", "@05-08", "@2023-05-08"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I say on 2023-05-08?", "@2023-05-08"),
        ("notes of 2023/05/08", "@2023-05-08"),
        ("2023-05?", "@2023-05"),
        ("08.05.2023", "@2023-05-08"),
        ("25/12/2023", "@2023-12-25"),
        ("12/25/2023", "@2023-12-25"),
        ("08/05/2023", "@2023-05-08 @2023-08-05"),
        ("8 May 2023", "@2023-05-08"),
        ("What happened on May 8, 2023?", "@2023-05-08"),
        ("the 8th of May", "@05-08"),
        ("May 8th", "@05-08"),
        ("Where was I on March 3?", "@03-03"),
        ("Sept 3", "@09-03"),
        ("in May", "@05"),
        ("What did I tell you in March?", "@03"),
        ("in march 2023", "@2023-03"),
        ("the September trip", "@09"),
        ("what did we do in 2023", "@2023"),
        ("the summer of 2023", "@2023"),
        ("between 3 May and 5 June 2024", "@05-03 @2024-06-05"),
        ("el 8 de mayo de 2023", "@2023-05-08"),
        ("¿qué dije en marzo?", "@03"),
        ("8 de maio", "@05-08"),
        ("em março de 2022", "@2022-03"),
        ("le 1er mars 2022", "@2022-03-01"),
        ("au mois de mai", "@05"),
        ("am 8. Mai 2023", "@2023-05-08"),
        ("im März", "@03"),
        ("l'8 maggio", "@05-08"),
        ("op 8 mei 2023", "@2023-05-08"),
        ("den 8 maj", "@05-08"),
        ("8 maja 2023", "@2023-05-08"),
        ("w październiku", "@10"),
        ("8 мая 2023 года", "@2023-05-08"),
        ("что было в марте?", "@03"),
        ("8 травня", "@05-08"),
        ("8 Mayıs 2023", "@2023-05-08"),
        ("8 مايو 2023", "@2023-05-08"),
        ("في أغسطس", "@08"),
        ("2023年5月8日说了什么", "@2023-05-08"),
        ("5月8日", "@05-08"),
        ("十一月去了哪里", "@11"),
        ("2023年", "@2023"),
        ("2023년 5월 8일", "@2023-05-08"),
        ("5월에", "@05"),
    ],
)
def test_a_named_date_is_understood(question, expected):
    """As narrow as it is asked, in the languages of our users."""
    assert asked_dates(question, NOW) == expected.split()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I say yesterday?", "@2030-05-14"),
        ("the day before yesterday", "@2030-05-13"),
        ("what have we done today", "@2030-05-15"),
        ("last Tuesday", "@2030-05-14"),
        ("last Wednesday", "@2030-05-08"),
        ("last month", "@2030-04"),
        ("last year", "@2029"),
        ("3 days ago", "@2030-05-12"),
        ("a year ago", "@2029"),
        ("five months ago", "@2029-12"),
        ("¿qué comí ayer?", "@2030-05-14"),
        ("el martes pasado", "@2030-05-14"),
        ("hace 3 días", "@2030-05-12"),
        ("anteontem", "@2030-05-13"),
        ("terça-feira passada", "@2030-05-14"),
        ("Qu'est-ce que j'ai dit hier ?", "@2030-05-14"),
        ("mardi dernier", "@2030-05-14"),
        ("avant-hier", "@2030-05-13"),
        ("Was habe ich gestern gesagt?", "@2030-05-14"),
        ("letzten Dienstag", "@2030-05-14"),
        ("martedì scorso", "@2030-05-14"),
        ("afgelopen dinsdag", "@2030-05-14"),
        ("что я сказал вчера", "@2030-05-14"),
        ("в прошлый вторник", "@2030-05-14"),
        ("dün ne dedim", "@2030-05-14"),
        ("ماذا قلت أمس؟", "@2030-05-14"),
        ("الثلاثاء الماضي", "@2030-05-14"),
        ("昨天吃了什么", "@2030-05-14"),
        ("上周二", "@2030-05-07"),
        ("昨日の会議", "@2030-05-14"),
        ("先週の火曜日", "@2030-05-07"),
        ("3天前", "@2030-05-12"),
        ("어제 뭐 했지", "@2030-05-14"),
        ("지난주 화요일", "@2030-05-07"),
        ("去年", "@2029"),
        ("先月", "@2030-04"),
    ],
)
def test_a_day_past_is_counted_from_now(question, expected):
    """People say when in relation to the day on which they ask."""
    assert asked_dates(question, NOW) == expected.split()


@pytest.mark.parametrize(
    "question",
    ["last week", "la semana pasada", "letzte Woche", "上周", "先週", "지난주"],
)
def test_last_week_is_its_seven_days(question):
    """From Monday to Sunday."""
    monday = date(2030, 5, 6)

    assert asked_dates(question, NOW) == [
        f"@{monday + timedelta(days=day)}" for day in range(7)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "May I ask you something?",
        "I may come, at 8 may I bring Tom?",
        "may 3 people come?",
        "I march in a band",
        "march 5 miles to the store",
        "April is my sister and August my cousin",
        "the server is 10.0.1.5, version 1.2.3",
        "call 555-2019",
        "room 2019",
        "an essay in 2000 words",
        "8 out of 10, set 5 alarms",
        "hier ist es schön",
        "marca de ropa, sándwich con mayo",
        "la última vez, segunda vez",
        "quinta casa",
        "the second of them",
        "ten days, a week, a month",
        "31.02.2023",
        "00.05.2023",
        "3个月的孩子",
        "一个月",
        "Die Mai AG",
        "Мая любит март",
        "INV-2231 and 12:30 and 3.5",
        "you and your 20 marbles",
        "my friend Julia, my cat Juni",
        "the moon landing of 1969 metres",
    ],
)
def test_plain_prose_names_no_date(text):
    """A wrong date would push the right memory down."""
    assert asked_dates(text, NOW) == []


@given(st.datetimes(datetime(1900, 1, 1), datetime(2099, 12, 31)))  # noqa: DTZ001 -- hypothesis wants bare bounds
def test_a_day_is_found_however_it_is_written(at):
    """What the index keeps for a day is what a question for it asks."""
    kept = set(date_terms(at))

    for question in (
        f"{at:%Y-%m-%d}",
        f"{at:%d.%m.%Y}",
        f"on {at.day} {at:%B} {at.year}",
        f"on {at:%B} {at.day}, {at.year}",
        f"{at.year}年{at.month}月{at.day}日",
    ):
        assert set(asked_dates(question, NOW)) <= kept
        assert f"@{at:%Y-%m-%d}" in asked_dates(question, NOW)


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_may_be_asked(text):
    """No text breaks it."""
    assert all(term.startswith("@") for term in asked_dates(text, NOW))
