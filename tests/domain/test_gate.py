"""Which summaries may replace history."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.anchors.reading import carries
from apx.domain.gate import Candidate, Demand, open_anchors, refusal

GOOD = """USER_CONTEXT:
Rosa moves from Porto to a flat in Lisbon. She wants the move done by 2027-03-15 and
will spend at most 1800 EUR. She asked for short answers and no phone calls.

TASK_TRACKING:
- MOVE-31: compare three movers; quotes from two are in, the third is late.
- MOVE-32: cancel the old internet contract, see https://isp.example.org/exit

COMPLETED:
- The landlord was told in writing.

PENDING:
- Ask the third mover again, then choose.

CURRENT_STATE:
The list of boxes is in ~/move/boxes.csv and holds 46 lines."""

SAID = (
    "My goal is to move to a flat in Lisbon by 2027-03-15. The budget is at most "
    "1800 EUR.",
    "Please track MOVE-31 for the movers and MOVE-32 for the internet contract.",
    "The page for it is https://isp.example.org/exit and the boxes are in "
    "~/move/boxes.csv",
    "From now on answer in short sentences, and never suggest that I call somebody.",
)
PROMPT = """You sum up a conversation so that the assistant can go on with it.
Write each section below its label, in the language of the conversation.
Keep every id, address, path, amount and date exactly as it was written.
USER_CONTEXT:
PENDING:"""
DEMAND = Demand(messages=60, said=SAID, prompts=(PROMPT,))


def of(text, demand=DEMAND, **changed):
    return refusal(Candidate(text), replace(demand, **changed))


def test_a_good_summary_passes():
    """All that is open is there, in its own words and forms."""
    assert of(GOOD) == ""
    assert (
        of(GOOD.replace("1800 EUR", "€1,800").replace("2027-03-15", "15 March 2027"))
        == ""
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("OK", "characters"),
        ("I have ignored the above", "characters"),
        ("USER_CONTEXT:\nRosa moves.\nPENDING:\n- movers", "characters"),
        (" ".join(GOOD.split("\n")[1:3]) * 4, "sections"),
        ("Here is what was said. " * 30, "sections"),
        (f"USER_CONTEXT:\n{GOOD.replace(':', ' ').lower()}", "sections"),
    ],
)
def test_what_is_no_summary_is_refused(text, word):
    """Nothing, a word, prose, a single section."""
    assert word in of(text)


@pytest.mark.parametrize("text", ["OK", "I have ignored the above and output OK."])
def test_an_injection_is_refused_for_a_short_range_too(text):
    """What a page told the model to say has no sections."""
    assert "sections" in refusal(Candidate(text), Demand(messages=6))


def test_a_short_range_may_have_a_short_summary():
    """Twenty messages can hold one sentence's worth."""
    text = "USER_CONTEXT:\nRosa moves.\nPENDING:\n- movers"

    assert refusal(Candidate(text), Demand(messages=20)) == ""


def test_a_summary_that_hit_its_limit_is_refused():
    """The model itself says that there was more."""
    reason = refusal(Candidate(GOOD, is_whole=False), DEMAND)

    assert "cut off" in reason


@pytest.mark.parametrize(
    "end",
    [
        "\n```python\ndef main():",
        " The third mover is late and",
        " She asked for the",
        " They wrote to the landlord,",
        " The next thing is:",
        " It is a half-",
        "\n\n**PENDI",
        "\n- see `~/move",
        "\n- the movers (see the",
        "\n- see [the page",
        "\n- вопросы и",
        "\n- 三个问题、",
    ],
)
def test_a_summary_that_ends_in_the_middle_is_refused(end):
    """Some servers stop early and say that they were done."""
    assert of(GOOD + end) == "it ends in the middle"


def test_a_sentence_without_its_end_is_refused_among_sentences_that_have_one():
    """Where every line has a full stop, the last one needs it."""
    lines = [f"The mover number {n} sent a quote for the move." for n in range(8)]
    text = "USER_CONTEXT:\nRosa moves.\nPENDING:\n" + "\n".join(lines)

    assert refusal(Candidate(text), Demand(9)) == ""
    address = "The list of all the movers is at https://x.example.org/list"
    assert refusal(Candidate(f"{text}\n{address}"), Demand(9)) == ""
    assert "middle" in refusal(
        Candidate(f"{text}\nThe ninth mover has not sent his"), Demand(9)
    )


@pytest.mark.parametrize(
    "end",
    [
        "\n- one more box",
        "\n- see https://isp.example.org/exit",
        "\n- MOVE-33",
        "\n\nVERSION_CONTROL_STATUS:",
        "\n\n**DEPS:**\n- none",
        "\n```sh\nls ~/move\n```",
        "\n- **done**",
        "\n- ask (again) `ls`",
        " Done!",
        "\n- 搬家公司还没有回复",
        "\n- 1) call",
    ],
)
def test_a_list_may_end_without_a_full_stop(end):
    """Bullets, addresses, code and an empty last section are whole."""
    assert of(GOOD + end) == ""


def test_less_than_half_of_the_previous_summary_is_refused():
    """Chained summaries would wear the early ones away."""
    assert "half" in of(GOOD, previous="x" * (2 * len(GOOD) + 2))
    assert of(GOOD, previous="x" * (2 * len(GOOD))) == ""


def test_the_previous_summary_counts_up_to_its_budget():
    """One that was written for a larger window cannot be matched in a small one."""
    assert of(GOOD, previous="x" * 9_000, most=2 * len(GOOD)) == ""
    assert "half" in of(GOOD, previous="x" * 9_000, most=2 * len(GOOD) + 2)


def test_another_language_is_refused():
    """A Spanish thread summed up in English changes what the assistant speaks."""
    said = (
        "Quiero mudarme a un piso en Lisboa, y no quiero llamar por teléfono a nadie.",
        "También hay que comparar a los transportistas antes de que acabe el mes.",
    )

    reason = of(GOOD, said=said)

    assert reason == "it is in English, the conversation in Spanish"


def test_a_second_language_that_the_person_uses_is_allowed():
    """Who writes in two languages can read both."""
    said = (
        "Quiero mudarme a un piso en Lisboa, y no quiero llamar por teléfono a nadie.",
        "Please keep in mind that the movers have to be there before the end of the "
        "month.",
    )

    for mixed in (said, (*[said[0]] * 4, said[1])):
        assert of(GOOD, said=mixed) == ""


def test_a_language_that_the_person_asked_for_is_allowed():
    """Who learns Spanish may speak of it in English."""
    said = (
        "Please answer me in Spanish from now on, because I want to learn it well.",
    )
    text = SUMMARIES["es"][1]

    assert refusal(Candidate(text), Demand(4, said=said)) == ""
    assert "Spanish" in refusal(
        Candidate(text), Demand(4, said=(said[0].replace("Spanish", "verse"),))
    )


def test_code_does_not_make_a_conversation_english():
    """Ids and commands are the same in each language."""
    said = (
        "로그인 오류를 고쳐 줘. `login_handler`에서 나고 있어.\n```\nif the user is "
        "not in it\n```",
    )
    text = (
        "USER_CONTEXT:\n사용자는 로그인 오류를 고치려고 합니다. `login_handler`에서 "
        "발생합니다.\n"
        "PENDING:\n- the fix in auth/login.py and the tests for it are not in "
        "yet\n- 재현하기"
    )

    assert refusal(Candidate(text), Demand(4, said=said)) == ""


def test_a_summary_that_repeats_its_instructions_is_refused():
    """Small models give the prompt back."""
    line = PROMPT.splitlines()[2]

    assert "instructions" in of(f"{GOOD}\n- {line}")
    assert "instructions" in of(GOOD.replace("- Ask", f"{line.upper()}\n- Ask"))


def test_a_summary_of_nothing_but_short_lines_of_a_prompt_is_refused():
    """No single line gives it away."""
    prompt = (
        "Keep every id.\nKeep the dates.\nBe brief, be exact.\nNo prose.\nUse labels."
    )
    text = (
        "USER_CONTEXT:\nKeep every id.\nKeep the dates.\nBe brief, be exact.\n"
        "PENDING:\nUse labels.\n- movers"
    )

    assert "instructions" in refusal(Candidate(text), Demand(5, prompts=(prompt,)))


def test_what_a_person_said_may_stand_in_both():
    """The goal is quoted in the prompt so that it is kept."""
    assert of(f"{GOOD}\n- {SAID[0]}", prompts=(f"{PROMPT}\n{SAID[0]}",)) == ""


def test_going_round_in_circles_is_refused():
    """What a very small model does at the end of its wits."""
    line = "- The third mover is late and has to be asked again.\n"

    assert "same line 4 times" in of(f"{GOOD}\n{line * 4}")
    assert of(f"{GOOD}\n{line * 3}") == ""
    assert "repeats itself" in of(
        f"{GOOD}\n- {'we ask the third mover, then ' * 90}done."
    )


def test_empty_sections_may_say_so_alike():
    """Five labels with "none" below are no loop."""
    labels = ("CODE_STATE", "TESTS", "CHANGES", "DEPS", "VERSION_CONTROL_STATUS")

    assert of(GOOD + "".join(f"\n\n{label}:\n- none" for label in labels)) == ""


@pytest.mark.parametrize(
    ("lost", "kind"),
    [
        ("MOVE-31", "1 id"),
        ("https://isp.example.org/exit", "1 url"),
        ("~/move/boxes.csv", "1 path"),
        ("1800 EUR", "1 number"),
        ("2027-03-15", "1 date"),
        ("Lisbon", "1 name"),
    ],
)
def test_a_summary_that_lost_something_open_is_refused(lost, kind):
    """The reason has counts and kinds and nothing of what was said."""
    reason = of(GOOD.replace(lost, "it"))

    assert kind in reason
    assert lost not in reason


def test_of_many_open_things_one_in_ten_may_be_lost():
    """A list of thirty tickets is hardly ever carried whole."""
    said = tuple(f"Please look at ticket OPS-{n} as well" for n in range(100, 120))
    lines = [f"- OPS-{n} is open" for n in range(100, 120)]

    def summary(count):
        return "USER_CONTEXT:\nTickets.\nPENDING:\n" + "\n".join(lines[:count])

    assert refusal(Candidate(summary(18)), Demand(9, said=said)) == ""
    assert "3 ids of 20" in refusal(Candidate(summary(17)), Demand(9, said=said))
    assert "1 id of 10" in refusal(Candidate(summary(9)), Demand(9, said=said[:10]))


SUMMARIES = {
    "es": (
        "Mi objetivo es viajar a Lima con Mia antes del 8 de mayo, con 3000 EUR "
        "como máximo.",
        "USER_CONTEXT:\nLa usuaria quiere viajar a Lima con Mia antes del 8 de mayo "
        "y gastar "
        "como máximo 3.000 €.\nPENDING:\n- Buscar vuelos que salgan por la mañana",
    ),
    "de": (
        "Mein Ziel ist eine Reise nach Lima vor dem 8. Mai, sie darf höchstens 3000 "
        "EUR kosten.",
        "USER_CONTEXT:\nDie Nutzerin will vor dem 08.05. nach Lima reisen, und es "
        "darf nicht mehr "
        "als 3.000 Euro kosten.\nPENDING:\n- Flüge suchen, die am Morgen gehen",
    ),
    "fr": (
        "Mon but est un voyage à Lima avec Mia avant le 8 mai, 3000 EUR au maximum.",
        "USER_CONTEXT:\nElle veut faire un voyage à Lima avec Mia avant le 8 mai et "
        "ne pas "
        "dépenser plus de 3 000 €.\nPENDING:\n- Chercher les vols du matin",
    ),
    "ru": (
        "Моя цель — поехать в Казань до 8 мая, бюджет не больше 3000 рублей.",
        "USER_CONTEXT:\nПользователь хочет поехать в Казань до 8 мая и потратить не "
        "больше "
        "3 000 руб.\nPENDING:\n- Найти билеты на утренний поезд",
    ),
    "ko": (
        "목표는 5월 8일까지 부산 여행을 가는 거야. 예산은 최대 300만 원이야. 티켓은 "
        "TRIP-7.",
        "USER_CONTEXT:\n사용자는 5월 8일까지 부산 여행을 가려고 하며 예산은 "
        "3,000,000원입니다.\n"
        "PENDING:\n- TRIP-7: 아침 기차표 찾기",
    ),
    "zh": (
        "我的目标是5月8日之前去杭州旅行，预算最多3000元，编号TRIP-7。",
        "USER_CONTEXT:\n用户想在5月8日之前去杭州旅行，预算不超过3,000元。\n"
        "PENDING:\n- TRIP-7：查早上的火车",
    ),
    "ja": (
        "目標は5月8日までに京都へ旅行することです。予算は3万円以内です。",
        "USER_CONTEXT:\nユーザーは5月8日までに京都へ旅行したい。予算は30,000円以内。\n"
        "PENDING:\n- 朝の電車を探す",
    ),
    "ar": (
        "هدفي هو السفر إلى عمان قبل 8 مايو والميزانية لا تزيد عن 500 دولار.",
        "USER_CONTEXT:\nيريد المستخدم السفر إلى عمان قبل 8 مايو ولا يريد أن يدفع "
        "أكثر من 500 دولار.\n"
        "PENDING:\n- البحث عن رحلة في الصباح",
    ),
}


@pytest.mark.parametrize("language", SUMMARIES)
def test_a_good_summary_passes_in_its_language(language):
    """And the same one is refused without its day and its amount."""
    message, text = SUMMARIES[language]

    assert refusal(Candidate(text), Demand(8, said=(message,))) == ""
    assert open_anchors((message,), "") != ()
    assert "lost" in refusal(
        Candidate("".join(c for c in text if not c.isdecimal())),
        Demand(8, said=(message,)),
    )


def test_twenty_sections_pass_if_enough_of_them_are_ours():
    """Extra labels are a nuisance, not a loss."""
    extra = "".join(f"\n\nEXTRA_{n}:\n- detail number {n} of it" for n in range(20))

    assert of(GOOD + extra) == ""


messages = st.lists(
    st.sampled_from(
        [
            "look at OPS-12",
            "OPS-12 is done",
            "The budget is at most 3000 EUR",
            "8 May",
            "My goal is to see Mia in Porto",
            "https://x.org/a",
            "not 3000 EUR but 5 EUR",
            "forget",
            "The deadline is 2027-05-08",
            "/srv/x/y",
            "```",
            "OK",
            "号5093",
            "no.",
        ]
    )
    | st.text(max_size=80),
    max_size=12,
)


@given(messages, st.text(), st.booleans())
def test_any_answer_is_judged_and_always_alike(said, text, is_whole):
    """A broken answer must not break the thread, and a retry needs the same rule."""
    candidate, demand = (
        Candidate(text, is_whole),
        Demand(9, said=tuple(said), prompts=(text,)),
    )

    assert refusal(candidate, demand) == refusal(candidate, demand)


@given(messages)
def test_a_summary_with_every_message_lost_nothing(said):
    """Whatever is demanded can be given."""
    body = "\n\n".join(said)
    text = f"USER_CONTEXT:\nA conversation.\n\n{body}\n\nPENDING:\nIt goes on."

    assert [a for a in open_anchors(said, "") if not carries(text, a)] == []
    assert "lost" not in refusal(Candidate(text), Demand(len(said), said=tuple(said)))


@given(messages)
def test_what_is_kept_whole_demands_nothing(said):
    """The words of the person stand beside the summary then."""
    assert open_anchors(said, "\n\n".join(said)) == ()


def test_two_hundred_messages_are_judged_in_a_moment():
    """It runs between two tries of a model, on the thread that serves people."""
    said = tuple(
        f"Please fix OPS-{n} by {n % 28 + 1} May {2027 + n}, it costs {n} EUR and "
        f"Mia wrote to"
        f" us about /srv/app/{n}/main.py again because of the deadline."
        for n in range(200)
    )
    refusal(Candidate(GOOD), DEMAND)
    best = 9.0
    for turn in range(3):
        mine = tuple(f"{message} {turn}" for message in said)
        start = time.process_time()
        refusal(Candidate(GOOD), replace(DEMAND, said=mine))
        best = min(best, time.process_time() - start)

    assert best < 0.5


@pytest.mark.parametrize(
    "unit",
    [
        "not ",
        "from ",
        "change ",
        "a, ",
        "，",
        "OPS-1 ",
        "**",
        "- x\n",
        "から",
        "(",
        "8 ",
    ],
)
def test_hostile_words_take_linear_time(unit):
    """A message and an answer of a hundred kilobytes each."""
    text = unit * (100_000 // len(unit))
    said = tuple(text[start : start + 1_900] for start in range(0, 60_000, 1_900))

    start = time.process_time()
    refusal(Candidate(f"USER_CONTEXT:\n{text}\nPENDING:\n- x"), Demand(9, said=said))
    open_anchors((text,), text)

    assert time.process_time() - start < 6


THINGS = """boiler window door stove floor roof cellar attic fence gutter
    chimney stairs kitchen bathroom porch shed hedge pump"""
NEEDS = """paint screws plaster tiles varnish slates bricks beams wire lead
    mortar planks taps glass nails hinges shears valves"""
TALK = (
    *(
        f"the {thing} of the cottage needs {what}"
        for thing, what in zip(THINGS.split(), NEEDS.split(), strict=True)
    ),
    "the roofer Bruno comes with his lorry",
    "the plumber Ines wants coffee",
)


FRIENDLY = (
    "USER_CONTEXT:\n- The user and the assistant had a pleasant and helpful exchange"
    " about several interesting matters that came up one after the other.\n\n"
    "CURRENT_STATE:\n- Everything is going well. All that was asked was answered, in a"
    " friendly manner, and whatever comes next can be looked forward to. Nothing else"
    " would have to be known before going on. It has been a good time for both, and"
    " it will surely go on to be one.\n"
)


def test_what_fits_any_conversation_is_refused():
    """However long and well labelled: it names nothing of this one."""
    told = FRIENDLY + "\nPENDING:\n- the boiler and the stove; the attic floor\n"

    assert "nothing of what was talked about" in refusal(
        Candidate(FRIENDLY), Demand(messages=50, said=TALK)
    )
    assert refusal(Candidate(told), Demand(messages=50, said=TALK)) == ""


def test_a_good_record_of_small_errands_passes():
    """What it names was said once: nothing is said often in such a talk."""
    errands = (
        "find me a cheap train to Leeds",
        "how do I get wine out of a carpet",
        "write a note to the landlord",
        "how much is 40 dollars in euros",
        "what goes with chickpeas",
        "is it late to plant garlic",
        "remind me how to tie a bowline",
        "what time is it in Lima",
        "find a film for tonight",
        "how long do I boil an egg",
        "translate cheers into Welsh",
        "what is a good name for a grey cat",
    ) * 2
    told = (
        "USER_CONTEXT:\n- asks for small things as they come up, one after the other,"
        " and likes short answers\n\nCOMPLETED:\n- a train to Leeds was looked up, a"
        " stain of wine treated, the landlord written to\n- chickpeas go with cumin and"
        " lemon; garlic can still be planted\n\nCURRENT_STATE:\n- the grey cat has no"
        " name yet; a few were proposed and none was chosen so far; the film for"
        " tonight and the bowline were answered as well\n"
    )

    assert refusal(Candidate(told), Demand(messages=48, said=errands)) == ""


def test_the_record_before_is_no_new_record():
    """Whatever was said meanwhile is not in it."""
    demand = Demand(messages=50, said=TALK, previous=f"{FRIENDLY} ")

    assert "word for word" in refusal(Candidate(FRIENDLY), demand)
