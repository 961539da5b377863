"""The smallest bot that discord.py makes: it says what it hears. `ORIGIN` is whose."""

from __future__ import annotations

import sys

import discord
from discord.gateway import DiscordWebSocket
from yarl import URL

from tests.servers.discord import TOKEN
from tests.servers.discord.furnished import pointed


def main() -> None:
    """Listen until killed."""
    intents = discord.Intents.default()
    intents.message_content = True
    client = discord.Client(intents=intents)

    @client.event
    async def on_message(message: discord.Message) -> None:
        if not message.author.bot:
            await message.channel.send(message.content)

    origin = sys.argv[1]
    # It does not ask where the gateway is.
    gateway = origin.replace("http", "ws", 1) + "/gateway"
    DiscordWebSocket.DEFAULT_GATEWAY = URL(gateway)
    with pointed(origin):
        client.run(TOKEN, log_handler=None)


if __name__ == "__main__":
    main()
