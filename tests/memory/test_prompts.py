"""The prompt of condensing, word for word: changing it is changing code."""

from pathlib import Path

from apx.memory.summarising import Excerpt, Order

SNAPSHOT = Path(__file__).with_name("condense_prompt.txt")

ORDER = Order(
    events=(Excerpt("3", "person", "and now?"),),
    tokens=600,
    previous="USER_CONTEXT:\n- wants a garden",
    opening=(Excerpt("1", "person", "plan a garden"),),
    language="Spanish",
    carry=("PROJ-812", "3000 EUR"),
    wish="the colours",
)


def test_the_prompt_of_condensing_is_as_agreed():
    """To change it, change `apx/memory/prompts/condense.md` and this snapshot."""
    told = f"{ORDER.instructions()}\n---\n{ORDER.before()}\n"

    assert told == SNAPSHOT.read_text("utf-8")
