"""The instructions, word for word: changing them is changing code."""

from datetime import UTC
from pathlib import Path

from apx.agent.prompt import Setting, system_message

SNAPSHOT = Path(__file__).with_name("system_prompt.txt")


def test_the_instructions_are_as_agreed():
    """To change them, change `apx/agent/prompts/system.md` and this snapshot."""
    assert (
        system_message(Setting("\nBe kind.", UTC)).text + "\n" == SNAPSHOT.read_text()
    )


def test_dollars_in_instructions_are_money():
    """What a person writes is not a template."""
    assert "costs $5 and $x" in system_message(Setting("costs $5 and $x", UTC)).text
