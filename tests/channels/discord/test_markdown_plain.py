"""Plain words stay what they are, to those who read them and to those who copy them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.discord.markdown import cleaned, is_blank, render
from tests.channels.discord.texts import examples, markdown_texts, unicode_texts


def plain(text):
    return render(text, is_plain=True)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("my __init__ * x", "my \\_\\_init\\_\\_ * x"),
        ("a_b_ x_y_é", "a_b\\_ x_y\\_é"),
        ("<@1> <:x:1> :smile:", "\\<@1> \\<\\:x:1> \\:smile:"),
        ("brain:robot:1 :main:robot:", "brain\\:robot:1 :main\\:robot:"),
        ("@everyone and @here", "@\u200beveryone and @\u200bhere"),
        ("# a\n> b\n- c\n1. d\n-# e", "\\# a\n\\> b\n\\- c\n1\\. d\n\\-# e"),
        (" + a\n* b\n>>> c", "\\+ a\n\\* b\n\\>>> c"),
        ("`x` ||y|| ~~z~~", "\\`x\\` \\|\\|y\\|\\| \\~\\~z\\~\\~"),
        ("```", "\\`\\`\\`"),
        ("2*3 **x", "2\\*3 \\*\\*x"),
        ("[a](https://b.c)", "[a\\](<https://b.c>)"),
        ("see https://a.b/c_d, ok", "see <https://a.b/c_d>, ok"),
        ("<https://a.b> <a@b.c>", "\\<<https://a.b>> \\<a@b.c>"),
        ("HTTPS://a.b steam://a", "HTTPS\\://a.b steam\\://a"),
        ("http://a```", "<http://a>\\`\\`\\`"),
        ("http://a\\", "<http://a>\\"),
        ("\\\\srv\\x \\_ \\https://a", "\\\\\\srv\\x \\\\\\_ \\\\<https://a>"),
        ("\x00\n", ""),
    ],
)
def test_plain_words_mean_nothing_else(text, written):
    """What we quote of people must not become bold, a mention, or a preview."""
    assert plain(text) == written.strip() or plain(text).strip() == written


@pytest.mark.parametrize(
    "text",
    [
        "the staging server moved to 10.0.1.5",
        "10.0.1.5 is it, or 2001:db8:85a3::8a2e:1, or 00:1a:2b:3c:4d:5e",
        '"Eve" (discord:main:610000000000000006) wants to talk to me. /approve 4',
        "super_agent.model = ollama:llama3.2, engines.ollama.base_url",
        "2026-11-30T22:44:05.123+00:00, at 12:30:15, 2-3, a - b + c * d # e > f",
        "v1.2.3 in ~/.apx/config.json, C:\\Users\\ana\\x, /etc/hosts, a.b_c@e.example",
        "#tag >close a -> b <b> x<3 a < b && c || d | e, it`s ~5 [1] (2) a[0] 50%",
        "3.5 is not\n2012.\n-5 or +5",
        "postgres://ana@db/x and mailto:ana@e.example",
    ],
)
def test_what_means_nothing_to_discord_is_not_touched(text):
    """Many copy the raw text, and their notifications show it."""
    assert plain(text) == text


def test_what_may_begin_a_message_begins_nothing():
    """A long text is cut wherever there is room, and goes on behind that."""
    assert "\\- a 1\\. b \\# c" in plain("word " * 300 + "- a 1. b # c 10.0.1.5")
    assert "10.0.1.5" in plain("word " * 300 + "10.0.1.5")


# -- anything

# What Discord makes something of, as its own expressions have it.
_MADE = {
    "emphasis": r"\*(?=\S)(?:\*\*|\s+(?:[^*\s]|\*\*)|[^\s*])+?\*(?!\*)",
    "other emphasis": r"_(?:__|[^_])+?_(?![0-9A-Za-z_])",
    "strong": r"\*\*[\s\S]+?\*\*(?!\*)",
    "underline": r"__[\s\S]+?__(?!_)",
    "strike": r"~~(?=\S)[\s\S]*?\S~~(?!_)",
    "spoiler": r"\|\|[\s\S]+?\|\|",
    "code": r"(`+)[\s\S]*?[^`]\1(?!`)",
    "block": r"```[\s\S]+?```",
    "link": r"\[[^\n]*?\]\(",
    "address": r"(?i:https?|steam|discord)://\S",
    "mention": r"<(?:@[!&]?\d|#\d|a?:\w+:\d|t:\d|id:|/\w)",
    "autolink": r"<[^>\s]*[:@][^>\s]*>",
    "everyone": r"@(?:everyone|here)",
    "emoji": r":(?:smile|robot|x|100|\+1|Z):",
    "start": r"^[ \t]*(?:#{1,3}|-#|>{1,3}|[-*+]|\d+\.)[ ]",
}
_MEANT = {name: re.compile(made, re.MULTILINE) for name, made in _MADE.items()}
_ESCAPED = re.compile(r"\\([^0-9A-Za-z\s])")
_QUIET = re.compile(r"<(https?://[^\s<>]+)>")
_PIECES = st.lists(
    st.sampled_from(
        [
            *("word", " ", "\n", "*", "**", "_", "__", "~~", "`", "```", "||", "\\"),
            *("<", ">", ":", "@", "#", "-", "+", ".", "1", "/", "](", "[", ")", "é"),
            *("https://", "http:", "a.example", ":smile:", ":robot:", ":100:", "main"),
            *("<@1>", "<#1>", "<a:x:1>", "<t:1>", "<id:a>", "</a:1>", "@everyone"),
            *("@here", "# ", "> ", ">>> ", "- ", "* ", "-# ", "1. ", "10.0.1.5", "x"),
        ]
    ),
    max_size=12,
).map("".join)


@examples(1_500, 400_000)
@given(_PIECES | unicode_texts | markdown_texts)
def test_nothing_is_made_of_any_plain_text(text):
    """And all of it is there to be read."""
    written = plain(text)

    bare = _QUIET.sub("\ue000", _ESCAPED.sub("\ue000", written))
    assert [name for name, made in _MEANT.items() if made.search(bare)] == []
    read = _QUIET.sub(r"\1", _ESCAPED.sub(r"\1", written)).replace("@\u200b", "@")
    said = "" if is_blank(cleaned(text)) else cleaned(text)
    assert "".join(read.split()) == "".join(said.replace("@\u200b", "@").split())
