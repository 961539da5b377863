"""What was forgotten is in no byte of the home."""

import pytest

from apx.domain.erased_text import told
from apx.domain.erasing import ErasePassage, EraseThread
from apx.domain.thread import Thread
from apx.store.verify import verify
from tests.memory.homes import ALL, holding, home

SAID = {
    "english": ("the vault of Hermione 4417", "Hermione"),
    "chinese": ("保险箱密码是四四一七", "四四一七"),
    "spanish": ("contraseña Ibáñez 4417", "Ibáñez"),
    "emoji": ("Quetzal 🦜 4417 nest", "Quetzal"),
}


@pytest.mark.parametrize("name", list(SAID))
async def test_nothing_of_it_is_left_in_any_byte(tmp_path, name):
    """Notes, log, index, files: whoever takes the disk reads nothing of it."""
    passage, word = SAID[name]
    async with home(tmp_path) as house:
        await house.say_everywhere(passage)
        await house.settle()
        assert holding(tmp_path, passage)

        removed = await house.forgetting.erase(ErasePassage(passage, ALL))

        print(removed)
        print(told(removed))
        assert holding(tmp_path, passage, word) == []
        assert await verify(tmp_path / "ledger.db") == []
    assert holding(tmp_path, passage, word) == []
