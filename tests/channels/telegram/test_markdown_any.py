"""Whatever a model writes, Telegram takes what is made of it, and nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.shared.graphemes import borders
from channels.telegram.markdown import render
from channels.telegram.splitting import split
from tests.channels.telegram.entity_judge import MOST, faults, is_blank
from tests.channels.telegram.texts import (
    LONG,
    examples,
    long_texts,
    markdown_texts,
    unicode_texts,
)

# Hours, where they were asked for.
pytestmark = pytest.mark.timeout(86_400 if LONG else 300)


def covers(rendered):
    """Give what lies over each character."""
    places = [0]
    for letter in rendered.text:
        places.append(places[-1] + 1 + (letter > "\uffff"))
    index = {place: number for number, place in enumerate(places)}
    found: list[set[tuple[str, str, str]]] = [set() for _ in rendered.text]
    for entity in rendered.entities:
        looks = (entity.kind, entity.url, entity.language)
        for number in range(index[entity.offset], index[entity.end]):
            found[number].add(looks)
    return found


def check_rendered(source, rendered):
    """It is a message that Telegram takes, and empty only for nothing."""
    if rendered.text:
        assert faults(rendered.text, rendered.entities, 10**6)[:3] in (
            [],
            many(rendered),
        )
    else:
        assert rendered.entities == ()
        unseen = "".join(letter for letter in source if letter.isprintable())
        assert is_blank(unseen)


def many(rendered):
    """Only a chunk has to have few entities."""
    count = len(rendered.entities)
    return [f"{count} entities"] if count > MOST else []


def check_chunks(rendered, limit):
    """They are messages, and together the text, cut between what a person sees."""
    text, whole = rendered.text, covers(rendered)
    edges, end = borders(text), 0
    for number, chunk in enumerate(split(rendered, limit)):
        assert faults(chunk.text, chunk.entities, limit) == []
        start = text.find(chunk.text, end)
        assert start >= 0
        assert is_blank(text[end:start])
        if number and 1 not in edges[end : start + 1]:
            first, last = edges.rfind(1, 0, end), edges.find(1, end)
            assert len(text[first:last].encode("utf-16-le")) // 2 > limit
        if len(rendered.entities) <= MOST:
            for letter, here, there in zip(
                chunk.text, covers(chunk), whole[start:], strict=False
            ):
                assert letter.isspace() or here == there
        end = start + len(chunk.text)
    assert is_blank(text[end:])


LIMITS = st.sampled_from([12, 20, 50, 200, 4096])


@examples(3_500, 400_000)
@given(unicode_texts, st.booleans(), LIMITS)
def test_any_unicode(source, is_plain, limit):
    """Also halves of characters, marks without a letter, and text from the right."""
    rendered = render(source, is_plain=is_plain)

    check_rendered(source, rendered)
    check_chunks(rendered, limit)


@examples(6_000, 560_000)
@given(markdown_texts, LIMITS)
def test_any_markdown(source, limit):
    """Also what is never closed, and what only looks like Markdown."""
    rendered = render(source, is_plain=False)

    check_rendered(source, rendered)
    check_chunks(rendered, limit)
    beside = "".join(entity.url + entity.language for entity in rendered.entities)
    assert (rendered.text + beside).count("Z") >= source.count("Z")


@examples(500, 40_000)
@given(long_texts(), st.sampled_from([500, 4096]))
def test_any_long_text(source, limit):
    """Up to 20,000 characters."""
    rendered = render(source, is_plain=False)

    check_rendered(source, rendered)
    check_chunks(rendered, limit)
    assert split(rendered, limit) == split(rendered, limit)
