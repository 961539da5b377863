"""A loopback Telegram: the Bot API over real HTTP, stricter than the real one.

    async with TelegramServer() as telegram:
        telegram.user(7, "Ana")
        telegram.forum(-1001234567890, "Home")
        ...                       # a bot at telegram.origin, token TOKEN
        telegram.say("hello")
        await telegram.until(lambda: telegram.texts(7) == ["hello, Ana"])
        assert telegram.complaints == []

It lives in the test's loop. A story that starts `apx` and waits without a loop takes
`remote.running(port_file)`: the same server in a process of its own, and a `Remote`
with the same methods. A process and not a thread, so that nobody reads the state
while the server changes it, and so that a bench does not pay for the server's work.

From the documentation of the Bot API 10.3: methods, fields and limits (text 4096,
captions 1024, answers 200, drafts 0 to 4096, callback_data 64 bytes, 100 commands,
files 20 MB down and 50 MB up, albums 2 to 10); offsets, a limit of 100,
allowed_updates and what is left out of them; the secret header, posting again after
another status than 2xx; the grammar of HTML and MarkdownV2; reactions that bots may
use; what a migration, a blocked bot, an administrator see. The rates of `Flood` are
from its FAQ.

Known of the real server from its users: the words of most errors; 409 for the older
of two polls; a topic's messages reply to the message that opened it; a reply in a
supergroup has message_thread_id without is_topic_message; General by its number is
"not found", except for chat actions; text is trimmed; an edit without buttons removes
them; private chats and groups number their messages together.

Guesses: how many messages may come at once (3 a chat) and that waiting time does not
grow; that drafts and actions cost nothing; the names of rarely seen errors
(TEXTDRAFT_*, QUOTE_TEXT_INVALID, REPLY_MARKUP_TOO_LONG, the bot's rights); an offset
more than ten beyond the newest update counts as none; a reply without a thread goes
to the topic of what it replies to; a bot with privacy hears mentions, commands and
replies. The real server mends entities that cross, blank ones, or more than 100: here
they are refused, and complained of. Posting to a webhook is one at a time. A basic
group has one bot.

Not here: inline mode, payments, business, stories, legacy Markdown, replies into
other chats, topics in private chats, rich messages. Methods that are not here answer
404, with a complaint.
"""

from tests.servers.telegram.chats import GENERAL
from tests.servers.telegram.faults import (
    Drip,
    Drop,
    HalfClose,
    Hang,
    bad_gateway,
    garbage,
)
from tests.servers.telegram.flood import Flood
from tests.servers.telegram.refused import Refused
from tests.servers.telegram.server import TelegramServer
from tests.servers.telegram.watching import Seen
from tests.servers.telegram.world import TOKEN

__all__ = [
    "GENERAL",
    "TOKEN",
    "Drip",
    "Drop",
    "Flood",
    "HalfClose",
    "Hang",
    "Refused",
    "Seen",
    "TelegramServer",
    "bad_gateway",
    "garbage",
]
