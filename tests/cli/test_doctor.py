"""What `apx doctor` finds, in homes and in front of servers that are not well."""

import asyncio
import fcntl
import json
import re

import pytest

from apx.domain.errors import ProviderUnavailable
from apx.domain.message import TextDelta
from apx.providers.answer import in_time
from apx.providers.failure import Asked
from tests.cli.conftest import Command
from tests.servers import OllamaServer, OpenAIServer
from tests.servers.faults import Hang
from tests.stories.scene import KEY, nobody


@pytest.fixture
def doctor(apx):
    """Write config.json, then ask; give the lines."""

    async def ask(code=0, **config):
        apx.config(json.dumps(config))
        (apx.home / "config.json").chmod(0o600)
        said = await asyncio.to_thread(apx, "doctor", code=code)
        assert apx.err == ""
        lines = said.splitlines()
        assert all(re.match(r"(ok  |\.\.\. |note|FAIL) \S", line) for line in lines)
        return lines

    return ask


def failed(lines):
    return [line[5:] for line in lines if line.startswith("FAIL")]


async def test_a_healthy_home_in_front_of_a_healthy_model(doctor):
    """Says before it waits what it waits for."""
    async with OllamaServer() as server:
        lines = await doctor(
            super_agent={"model": "ollama:tiny"},
            engines={"ollama": {"base_url": server.base_url}},
        )

    assert lines[-3:] == [
        "...  asking ollama:tiny, for at most 30 s",
        "ok   ollama:tiny: answers",
        "ok   model: ollama:tiny",
    ]


async def test_each_model_that_does_not_answer_is_named_and_so_is_who_does(doctor):
    """Falling to the next one is good in a chat, and hides a fault."""
    async with OllamaServer() as server:
        lines = await doctor(
            1,
            super_agent={
                "model": "openai:m",
                "fallback_models": ["gemini:g", "ollama:tiny"],
            },
            engines={
                "ollama": {"base_url": server.base_url},
                "openai": {"base_url": f"{nobody()}/v1"},
            },
        )

    first, second = failed(lines)
    assert first.startswith("openai:m cannot be reached")
    assert second.startswith("gemini:g: engines.gemini.api_key is ")
    assert lines[-1] == "ok   model: ollama:tiny"


async def test_a_fallback_is_tried_even_if_nobody_needs_it_today(doctor):
    """It is needed on the day on which nobody has time to mend it."""
    async with OllamaServer() as server:
        lines = await doctor(
            1,
            super_agent={"model": "ollama:tiny", "fallback_models": ["gemini:g"]},
            engines={"ollama": {"base_url": server.base_url}},
        )

    assert len(failed(lines)) == 1
    assert lines[-1] == "ok   model: ollama:tiny"


async def test_the_offline_model_does_not_hide_an_engine_that_is_away(doctor):
    """Chosen by `auto`, it is no sign that all is well."""
    lines = await doctor(1, engines={"ollama": {"base_url": nobody()}})

    (away,) = failed(lines)
    assert away.startswith("ollama: ollama cannot be reached")
    assert lines[-1] == "ok   model: offline; no model of ollama answers"


async def test_the_model_that_auto_found_may_fail_when_asked(doctor):
    """A list of models is no answer yet."""
    async with OllamaServer() as server:
        # The embedder is asked first; then for the list, then the model itself.
        missing = server.error(404, "model 'tiny' not found")
        server.faults.extend([None, None, missing])
        lines = await doctor(1, engines={"ollama": {"base_url": server.base_url}})

    (pull,) = failed(lines)
    assert "ollama pull tiny" in pull
    assert lines[-1] == "ok   model: offline; no model of ollama answers"


async def test_nobody_answers(doctor):
    """And there is no offline model behind a model that was named."""
    lines = await doctor(1, super_agent={"model": "openai:m"})

    assert failed(lines)[-1].startswith("model: none answers")


async def test_a_key_whose_variable_is_not_set_is_named(doctor):
    """`auto` passes over such an engine without a word."""
    lines = await doctor(1, engines={"openai": {"api_key": "${NO_SUCH_KEY}"}})

    assert any(re.match("note .*NO_SUCH_KEY is not set", line) for line in lines)
    assert failed(lines) == ["model: offline, because engines.openai.api_key is empty"]


async def test_a_server_that_hangs_is_waited_for_aloud(apx):
    """The person sees at once whom it waits for; here it is ended before its time."""
    async with OpenAIServer() as server:
        server.faults.append(Hang(0))
        apx.config(
            json.dumps(
                {
                    "super_agent": {"model": "openai:m"},
                    "engines": {
                        "openai": {"base_url": server.base_url, "api_key": KEY}
                    },
                }
            )
        )
        process = apx.start("doctor")
        while True:
            line = await asyncio.to_thread(process.stdout.readline)
            if line.startswith(b"... "):
                break
        await server.until_busy()

    assert line == b"...  asking openai:m, for at most 30 s\n"


async def test_seconds_are_told_as_people_say_them():
    """What is left of a minute after a first try is 59.9999 s."""

    async def silent():
        await asyncio.Event().wait()
        yield TextDelta("")

    with pytest.raises(ProviderUnavailable, match=r"did not finish within 0\.1 s$"):
        async for _ in in_time(silent(), 0.0999, Asked("openai", "m")):
            pass


async def test_a_holder_that_does_not_answer_is_named(apx, doctor):
    """Every other command would wait for it."""
    apx.config("{}")
    with (apx.home / "apx.lock").open("w") as lock:
        lock.write('{"pid": 7, "what": "apx run"}')
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)

        lines = await doctor(1)

    assert failed(lines) == [
        "apx run (process 7) holds the home but does not answer: "
        "end it or, if it was stopped, let it go on"
    ]


async def test_a_config_that_is_no_json_is_one_of_the_findings(apx):
    """The rest of the home is looked at all the same."""
    apx.config("{")

    said = await asyncio.to_thread(apx, "doctor", code=1)

    assert "FAIL config.json: line 1" in said
    assert "ok   disk" in said


async def test_what_others_may_read_is_named_with_the_cure(apx, doctor):
    """A home that was there before apx, or was copied; its files are closed at once."""
    await asyncio.to_thread(apx, "memory", "remember", "tea is at five")
    files = [apx.home / name for name in ("memory.md", "ledger.db")]
    for path in files:
        path.chmod(0o644)
    apx.home.chmod(0o755)

    lines = await doctor(1)

    home = apx.home
    assert failed(lines) == [
        f"home {home}: others may look into it: `chmod 700 {home}`"
    ]
    assert [path.stat().st_mode & 0o777 for path in files] == [0o600, 0o600]


async def test_a_config_is_private(apx: Command):
    """It may hold a key."""
    apx.config(json.dumps({"engines": {"openai": {"api_key": KEY}}}))
    path = apx.home / "config.json"
    path.chmod(0o644)

    await asyncio.to_thread(apx, "status")

    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_home_that_is_everybodys_is_not_to_be_closed(apx):
    """`chmod 700 /tmp` would be a bad advice."""
    apx.config("{}")
    apx.home.chmod(0o1777)

    said = await asyncio.to_thread(apx, "doctor", code=1)

    (line,) = failed(said.splitlines())
    assert line.endswith("set APX_HOME to one of your own")
