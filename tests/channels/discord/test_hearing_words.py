"""What people write with Discord's signs is read with the names that they see."""

import pytest

from channels.discord.settings import GuildMode
from tests.channels.discord.hearers import HALL, US, ears, heard

BO = {"id": "8", "username": "bo", "global_name": "Bo"}


def said(text, **more):
    """What is heard of a text in a guild where all is for us."""
    mentions = [US, BO] if "<@" in text else []
    by = ears(guild_mode=GuildMode.ALL)
    got = heard(HALL, by=by, content=text, mentions=mentions, **more)
    return got.text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("ask <@8> and <@!8>", "ask @Bo and @Bo"),
        ("ask <@9>", "ask @somebody"),
        ("ask <@&61> or <@&62>", "ask @Cooks or @role"),
        ("see <#50> or <#51>", "see #general or #channel"),
        ("nice <:smile:12345> <a:dance:67890>", "nice :smile: :dance:"),
        ("at <t:1893456000:R>", "at 2030-01-01T00:00:00Z"),
        ("at <t:999999999999>", "at <t:999999999999>"),
        ("</new:123> does what?", "`/new` does what?"),
        ("`<@8>` is <@8>", "`<@8>` is @Bo"),
        ("```\n<#50>\n``` in <#50>", "```\n<#50>\n``` in #general"),
        ("``a ` <@8>`` <@8>", "``a ` <@8>`` @Bo"),
        ("a < b, <@x>, <#>", "a < b, <@x>, <#>"),
    ],
)
def test_signs_become_names(text, read):
    """In code they are what they are."""
    assert said(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("<@900> hello", "hello"),
        ("<@!900>, hello", "hello"),
        ("<@900> <@&60> hello", "hello"),
        ("hello <@900>!", "hello!"),
        ("tell <@900> hello", "tell @apx hello"),
        ("<@900> tell <@8>", "tell @Bo"),
        ("<@900>", "@apx"),
        ("`<@900>` hello", "`<@900>` hello"),
    ],
)
def test_our_name_is_left_out_where_it_only_calls(text, read):
    """Before or after what is said; a message of nothing else says just that."""
    assert said(text) == read


@pytest.mark.parametrize("sign", ["`", "``", "```", "<@", "</a", "<t:1", "<:a:"])
def test_a_text_full_of_signs_costs_little(sign):
    """None of them needs the whole of the rest once for each."""
    assert said("x " + sign * 20_000)


def test_stickers_and_polls_are_told_in_brackets():
    """What a person sends is seen, if it has no words."""
    poll = {
        "question": {"text": "Tea?"},
        "answers": [
            {"poll_media": {"text": "yes"}},
            {"poll_media": {"emoji": {"name": "🫖"}}},
        ],
    }

    got = heard(content="look", sticker_items=[{"name": "Wave"}], poll=poll)

    assert got.text == "look\n[sticker: Wave]\n[poll: Tea?; yes; 🫖]"
