"""aiogram, built as it is needed: every class of it still is what it was."""

import json
import subprocess
import sys

from pydantic import BaseModel

from channels.telegram import vendor

_PROBE = """
import json, sys
from channels.telegram.vendor import loaded
loaded(); loaded()
from aiogram import methods, types
from pydantic import BaseModel
wrong = []
for module in (methods, types):
    for name, one in sorted(vars(module).items()):
        if isinstance(one, type) and issubclass(one, BaseModel):
            one.model_rebuild()
            if not one.__pydantic_complete__:
                wrong.append(name)
update = types.Update.model_validate({"update_id": 1, "message": {"message_id": 5,
    "date": 1, "chat": {"id": 7, "type": "private"}, "text": "hi",
    "entities": [{"type": "bold", "offset": 0, "length": 2}]}})
answer = methods.Response[methods.SendMessage.__returning__].model_validate(
    {"ok": True, "result": update.message.model_dump()})
class Other(BaseModel):
    value: "int"
Other.model_rebuild()
print(json.dumps([wrong, update.message.entities[0].type, answer.result.text]))
"""


def test_what_is_built_later_is_whole():
    """In a process of its own: here aiogram was imported long ago."""
    found = subprocess.run(
        [sys.executable, "-c", _PROBE], capture_output=True, text=True, check=True
    )
    assert json.loads(found.stdout) == [[], "bold", "hi"]


def test_others_are_built_as_ever_meanwhile(monkeypatch):
    """They find the names that stand where they are built, two calls up or five."""
    monkeypatch.setattr(BaseModel, "model_rebuild", classmethod(vendor._later))

    class Outer(BaseModel):
        value: "Inner"

    class Lazy(BaseModel):
        value: "Inner"

    class Inner(BaseModel):
        number: int

    assert Outer.model_rebuild()
    assert Outer.model_validate({"value": {"number": "5"}}).value == Inner(number=5)
    assert Lazy.model_validate({"value": {"number": 5}}).value == Inner(number=5)
