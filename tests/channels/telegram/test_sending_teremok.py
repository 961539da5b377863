"""The rules of the Bot API as somebody else wrote them down: teremok, in this process.

It has what the API's documentation says of text, entities and keyboards, and raises
aiogram's own errors; there is no connection that could break.
"""

import pytest
from aiogram.methods import EditMessageText, SendMessage
from aiogram.methods.base import Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from teremok.session import MockedSession

from apx.domain.errors import Undeliverable
from apx.domain.heard import Button, Notice
from tests.channels.telegram.parts import outfit

ANA, ROOM = 7, -1005
WORDS = st.lists(
    st.one_of(
        st.text(max_size=40),
        st.sampled_from(
            [
                "**b**",
                "`c`",
                "_i_",
                "\n\n",
                "# T\n",
                "```\nx\n```\n",
                "> q\n",
                "👩‍👩‍👧",
                "- l\n",
            ]
        ),
        st.integers(100, 3_000).map(lambda many: "word 😀 " * (many // 8)),
    ),
    max_size=12,
).map("".join)


class Told:
    """A session that one test looks at."""

    def __init__(self):
        self.session = MockedSession()

    def __call__(self):
        return self.session

    @property
    def made(self):
        return self.session.requests

    def refuse(self, method, code, description):
        response: Response[bool] = Response(
            ok=False, error_code=code, description=description
        )
        self.session.add_result(method, response)


@pytest.fixture
def told():
    return Told()


@pytest.fixture
async def bot(told):
    async with outfit("http://127.0.0.1:9", session=told) as bot:
        bot.time.flows = True
        yield bot


async def test_a_part_and_a_notice_are_taken(bot, told):
    ids = await bot.deliver(bot.part("**Hello** [you](https://a.example)", ANA))
    await bot.sender.tell(
        bot.places.thread(ANA), Notice("?", (Button("Yes", "y" * 64),))
    )

    assert ids == "1"
    first, second = told.made
    assert first.text == "Hello you"
    assert second.reply_markup.inline_keyboard[0][0].callback_data == "y" * 64


async def test_buttons_that_the_api_has_no_room_for_are_never_sent(bot, told):
    notice = Notice("?", (Button("No", "é" * 33), Button("Yes", "y")))
    await bot.sender.tell(bot.places.thread(ANA), notice)
    assert len(told.made) == 1


async def test_looks_that_the_api_refuses_are_left_out(bot, told):
    told.refuse(SendMessage, 400, "Bad Request: can't parse entities: x")
    await bot.deliver(bot.part("**Hello**", ANA))
    assert [bool(one.entities) for one in told.made] == [True, False]


async def test_a_block_is_a_place_of_no_return(bot, told):
    told.refuse(SendMessage, 403, "Forbidden: bot was blocked by the user")
    with pytest.raises(Undeliverable):
        await bot.deliver(bot.part("hello", ANA))


async def test_a_reply_that_grew_is_edited(bot, told):
    """The answer of an edit has another form than that of a message."""
    bot.drawer.values["live/main/telegram:main:-1005"] = "5 42.-1005.9"
    bot.client.bot_id = 42
    assert await bot.deliver(bot.part("hello", ROOM)) == "9"
    assert [type(one) for one in told.made] == [EditMessageText]


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(WORDS, st.booleans(), st.booleans())
async def test_whatever_is_said_is_taken_at_once(bot, told, text, is_plain, is_repeat):
    """Not one refusal, so nothing has to be mended."""
    told.made.clear()
    bot.noted.clear()
    part = bot.part(text, ANA, is_plain=is_plain, is_repeat=is_repeat)
    ids = await bot.deliver(part)

    assert len(ids.split(",")) == len(told.made)
    if bot.noted:
        # All but the last are there: the next try sends that one alone.
        told.made.clear()
        part = bot.part(text, ANA, is_plain=is_plain, message_id=bot.noted[-1])
        await bot.deliver(part)
        assert len(told.made) == 1
