"""A loopback Discord: REST v10 and the gateway over real sockets, and strict.

    async with furnished() as discord:    # or the fixture of the same name
        with pointed(discord.origin):
            ...                           # a bot with TOKEN
            discord.say(GENERAL, ANA, f"<@{BOT}> hello")
            await discord.until(lambda: discord.texts(GENERAL) == ["hello, Ana"])
            assert discord.complaints == []

It lives in the test's loop. A story that starts `apx` and waits without a loop takes
`remote.running(port_file)`: the same server in a process of its own, and a `Remote`
with the same methods as plain calls. Everybody is named by their number; a channel of a
private chat is `dm(user)`; what a command or a button has led to is `answer(number)`.

What people do is in `people`, `rooms` and `interactions`, what tests may ask in
`watching`, what may go wrong at the gateway in `disturbed`, at REST in `faults` and
`server.fail`. `down` and `up` are the network, `advance` is the clock (of nonces,
tokens and ids; interactions are taken within three real seconds).

From the documentation: fields and limits of messages, buttons, commands and files (10
MB); numbers of errors; rights and overwrites; opcodes, close codes, the start limit,
what the Message Content intent hides, 120 payloads a minute; headers of rate limits; 3
seconds to take an interaction, 15 minutes to answer it. `Limits` are off until
`limit(...)`, as the real numbers are in the headers alone.

Known of the real server from its users: REST's messages have no guild_id and no member;
a 429 without `Via` is a proxy's; a thread that begins with a message has its id, and
makes an update of that message which is no edit; a follow-up while the bot "thinks"
takes the place of that; attachments' links expire and a message read anew has fresh
ones; a bot reads all open threads that it may see.

Guesses: five minutes for nonces ("a few"); the words of rarely seen errors; who is the
author of the message that begins a thread; what a bot may reply without a right to read
the history; that flags of an edit replace only what may be set.

Not here: voice, modals, selects, embeds' limits, components V2, incoming webhooks'
routes, members' lists, shards, etf and zstd. Routes that are not here answer 404.
"""

from tests.servers.discord.interactions import Outcome
from tests.servers.discord.limits import Limits
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.watching import Seen
from tests.servers.discord.world import BOT, TOKEN

__all__ = ["BOT", "TOKEN", "DiscordServer", "Limits", "Outcome", "Seen"]
