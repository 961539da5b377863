"""What of a message is worth keeping for years."""
# ruff: noqa: RUF001 -- letters and marks of several scripts

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.durable import durable

FACTS = [
    "I live in Tampere",
    "I moved to Porto last week.",
    "My name is Ruth Adler.",
    "My birthday is May 4",
    "I'm 41 years old",
    "My phone number is +34 600 555 010",
    "my email is ruth@example.org",
    "I work at Siemens as an engineer",
    "I'm allergic to peanuts.",
    "My son is allergic to cats",
    "I'm lactose intolerant, so no milk for me.",
    "I'm vegetarian",
    "I don't eat meat.",
    "I stopped smoking",
    "I play clarinet",
    "My favourite colour is green",
    "My dentist is Dr. Keller",
    "My rent is 900 euros",
    "We use Postgres.",
    "My sister lives in Berlin",
    "My wife is Anna",
    "The staging server is 10.0.0.5",
    "Vivo en Cádiz",
    "Me llamo Paco",
    "Soy alérgico a los cacahuetes",
    "Moro em Lisboa",
    "J'habite à Lyon",
    "Je suis allergique aux noix",
    "Ich wohne in Bonn",
    "Ich heiße Max",
    "Ich bin allergisch gegen Nüsse",
    "Abito a Torino",
    "Ik woon in Utrecht",
    "У меня аллергия на орехи",
    "我对花生过敏",
    "저는 땅콩 알레르기가 있어요",
    "私は卵アレルギーです",
    "Я живу в Москве",
    "我住在北京",
    "東京に住んでいます",
    "저는 서울에 살아요",
    "أعيش في القاهرة",
]
INSTRUCTIONS = [
    "From now on answer in short sentences",
    "pls always give prices in euros",
    "You can call me Kat",
    "could you reply in Spanish from here on?",
    "Always answer in English.",
    "Whenever I ask for a recipe, use metric units",
    "A partir de ahora respóndeme en español",
    "Contesta siempre con frases cortas",
    "Llámame Paco",
    "Me chame de Zé",
    "De agora em diante responda em português",
    "Désormais, réponds en français",
    "Appelle-moi Jo",
    "Ab jetzt antworte bitte auf Deutsch",
    "Nenn mich Max",
]
OF_THE_MOMENT = [
    "I'm at the gym",
    "I'm tired today",
    "I'm in Paris today",
    "I'm eating pizza",
    "I had pizza yesterday",
    "I'm working from home today",
    "my head hurts",
    "my train is late",
    "My wife is tired",
    "My job is boring",
    "My boss is annoying",
    "My car is broken",
    "My flight is on Monday",
    "The meeting is at 3pm",
    "The price is 30 euros",
    "My order is number 12345",
    "The answer is 42",
    "I love this song",
    "I love your idea",
    "I love it!",
    "My flight is LH 454",
    "My budget is 500 euros",
    "She lives in Oslo",
    "My name is too long for the form",
    "estoy en el gimnasio",
    "estoy cansado",
    "je suis à la gym",
    "ich bin müde",
    "ich bin im Büro",
    "sono stanco",
    "я устал",
    "我在健身房",
    "今ジムにいます",
    "지금 헬스장에 있어요",
    "أنا في النادي",
]
NOT_SAID = [
    "Where do I live?",
    "Do I live in Tampere?",
    "¿dónde vivo?",
    "I'm allergic to what?",
    "> I live in Tampere",
    '"I live in Tampere" is what she wrote',
    "`I live in Tampere`",
    "I want to move to Tampere",
    "I might move to Berlin",
    "quiero mudarme a Roma",
]
NOT_FOR_GOOD = [
    "Answer in Spanish: how do I say hello?",
    "Write a poem as a pirate",
    "Fix the login bug",
    "They always remind me of that day.",
    "He never gives up and always stands up for justice.",
    "I always write at night.",
    "But I'll also start writing letters from now on.",
    "Whenever you need help, just let me know.",
    "Call me tomorrow",
    "Call me when you are done",
    "I prefer the second option",
    "Always happy to share them with you.",
    "Make sure yours stands out.",
    "Thanks, that works!",
    "from now on we focus on chapter 2",
    "ok",
    "😀😀😀",
    "",
]


@pytest.mark.parametrize("text", [*FACTS, *INSTRUCTIONS])
def test_what_lasts_is_given_word_for_word(text):
    """A person reads it months later, and must find their own words."""
    assert durable(text) == (text,)


@pytest.mark.parametrize("text", [*OF_THE_MOMENT, *NOT_SAID, *NOT_FOR_GOOD])
def test_what_is_of_the_moment_is_left_out(text):
    """A list full of chat is one that nobody reviews."""
    assert durable(text) == ()


def test_only_the_sentences_that_last_are_given():
    """What stands around them is in the log."""
    text = "Hi! I live\n   in Tampere. Nice weather, is it? I'm vegetarian."

    assert durable(text) == ("I'm vegetarian.",)
    assert durable("Hi! I live in   Tampere. Nice, is it? I'm vegetarian.") == (
        "I live in Tampere.",
        "I'm vegetarian.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "my password is hunter2",
        "Mi contraseña es Lola1234",
        "From now on use パスワード hunter2",
        "My favourite password is hunter2",
        "My bank account is DE89370400440532013000",
        "My email is ruth@example.org and my key sk-abcdefghijklmnopqrstuvwxyz123456",
        "From now on use https://ruth:hunter2@example.org/feed",
    ],
)
def test_a_credential_is_never_proposed(text):
    """Notes are a file in plain text, and go into prompts."""
    assert durable(text) == ()


def test_a_message_gives_no_more_than_ten():
    """A pasted list of a hundred facts would bury everything else."""
    text = "\n".join(f"My sister lives in Town{number}." for number in range(100))

    assert len(durable(text)) == 10


def test_what_is_long_is_no_fact():
    """It is a story, whatever it says on the way."""
    assert durable("I live in Tampere and " + "so on and " * 40 + "so on") == ()


HOSTILE = """I live in |my |"|i'm my my |always never |i prefer |我| |😀|call me |a
my x is allergic|I live in Town.\n|from now on|\u0301|my a b c d e f g h"""


@pytest.mark.parametrize("piece", HOSTILE.split("|"))
def test_a_giant_message_costs_little(piece):
    """Whatever is pasted, the beginning is read, and in linear time."""
    text = piece * (100_000 // len(piece))

    began = time.process_time()
    durable(text)

    assert time.process_time() - began < 1


@given(st.lists(st.sampled_from([*FACTS, *OF_THE_MOMENT, *INSTRUCTIONS]), max_size=15))
def test_each_is_short_flat_and_from_the_text(pieces):
    """At most ten, none twice, each a part of what was said."""
    text = "\n".join(pieces)

    found = durable(text)

    assert len(found) == len(set(found)) <= 10
    assert all(fact in text and len(fact) <= 300 for fact in found)


@given(st.text(max_size=400))
def test_no_text_is_too_odd(text):
    """People paste anything."""
    assert all(fact == " ".join(fact.split()) for fact in durable(text))
