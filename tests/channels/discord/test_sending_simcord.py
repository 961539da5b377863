"""The rules of Discord as somebody else wrote them down: simcord, in this process."""

from contextlib import asynccontextmanager

import discord
import pytest
import simcord

from apx.domain.errors import Undeliverable
from apx.testing import MemoryDrawer
from channels.discord.client import Client
from channels.discord.failures import Rejected
from channels.discord.message import Message, payload
from channels.discord.pace import Pace
from channels.discord.places import Own, Places, State
from channels.discord.sending_pieces import is_too_long
from channels.discord.sending_post import Post
from channels.discord.threads import Threads
from tests.channels.hand_time import HandTime
from tests.servers.discord import TOKEN


class Room:
    """One channel of somebody else's Discord, and a bot that speaks there."""

    def __init__(self, env, client):
        self.client = client
        self.guild = env.create_guild()
        self.channel = self.guild.create_text_channel("general")
        self.ana = self.guild.add_member(env.create_user("ana"))
        time = HandTime()
        time.flows = True
        self.places = Places("main", MemoryDrawer())
        self.threads = Threads(client, self.places)
        self.post = Post(client, self.threads, Pace(time, time.sleep))

    async def send(self, message, channel=0):
        thread = self.places.thread(channel or self.channel.id)
        return await self.post.send(thread, message, 1e9)


@asynccontextmanager
async def room():
    client = Client(TOKEN)
    async with simcord.run(client.vendor) as env:
        client._is_open = True  # simcord logs the vendor's client in by itself.
        yield Room(env, client)


async def test_a_reply_is_taken():
    async with room() as here:
        asked = await here.ana.send(here.channel, "hello?")
        (number,) = await here.send(Message("hello", reply_to=asked.id, nonce="5.51.0"))
        last = here.channel.last_message
        assert (last.id, last.content) == (number, "hello")
        assert last.reference.message_id == asked.id


async def test_a_part_is_never_too_long_and_what_is_is_known():
    async with room() as here:
        given = await here.send(Message("😀 words " * 400))
        assert len(given) == 2
        with pytest.raises(Rejected) as error:
            await here.client.call(
                "POST",
                "/channels/{channel_id}/messages",
                json=payload(Message("x" * 2_001)),
                channel_id=here.channel.id,
            )
        assert is_too_long(error.value)


async def test_without_the_right_to_speak_it_is_in_vain():
    async with room() as here:
        denied = discord.PermissionOverwrite(send_messages=False)
        everyone = here.guild.default_role
        quiet = here.guild.create_text_channel("quiet", overwrites={everyone: denied})
        with pytest.raises(Undeliverable):
            await here.send(Message("hello"), quiet.id)


async def test_a_thread_begins_with_its_question():
    async with room() as here:
        asked = await here.ana.send(here.channel, "hello?")
        await here.places.keep_own(asked.id, Own(here.channel.id, here.ana.id))
        await here.send(Message("hello"), asked.id)
        assert here.places.own(asked.id).state is State.MADE
        assert here.channel.threads[0].last_message.content == "hello"
