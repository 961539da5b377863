"""How updates reach a bot: it asks for them, or they are posted to it."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import aiohttp

from tests.servers.telegram.bots import UNASKED, Bot, Webhook
from tests.servers.telegram.refused import CONFLICT_WEBHOOK, Refused, bad

if TYPE_CHECKING:
    from tests.servers.telegram.asked import Asked
    from tests.servers.telegram.chats import Json
    from tests.servers.telegram.world import World

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_HEADER = "X-Telegram-Bot-Api-Secret-Token"
_KINDS = UNASKED | {
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "guest_message",
    "inline_query",
    "chosen_inline_result",
    "callback_query",
    "shipping_query",
    "pre_checkout_query",
    "purchased_paid_media",
    "poll",
    "poll_answer",
    "my_chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
    "managed_bot",
    "subscription",
    "stopped_message_generation",
}


async def get_updates(asked: Asked) -> list[Json]:
    """Give what waits, or wait for it."""
    if asked.bot.webhook is not None:
        raise Refused(409, CONFLICT_WEBHOOK)
    _allow(asked)
    params = asked.params
    limit = params.number("limit") or 100
    if not 1 <= limit <= 100:
        asked.world.complain(f"getUpdates: limit {limit}")
        limit = min(max(limit, 1), 100)
    seconds = min(max(params.number("timeout") or 0, 0), 50)
    return await asked.bot.poll(params.number("offset") or 0, limit, seconds)


def set_webhook(asked: Asked) -> bool:
    """Have updates posted to an address; an empty one ends that."""
    url, secret = asked.params.text("url"), asked.params.text("secret_token")
    if not url:
        return delete_webhook(asked)
    # A server of one's own takes http too; elsewhere it must be https.
    if not re.match(r"https://|http://(127\.0\.0\.1|localhost)\b", url):
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    if secret and not _SECRET.fullmatch(secret):
        raise bad("secret token contains unallowed characters")
    if not secret:
        asked.world.complain("a webhook without secret_token")
    _allow(asked)
    _drop(asked)
    asked.bot.webhook = Webhook(url, secret)
    asked.bot.dismiss(Refused(409, "Conflict: terminated by setWebhook request"))
    return True


def delete_webhook(asked: Asked) -> bool:
    """Let the bot ask for its updates again."""
    asked.bot.webhook = None
    _drop(asked)
    asked.bot.wake.set()
    return True


def get_webhook_info(asked: Asked) -> Json:
    """Tell where updates go and how that went."""
    bot, hook = asked.bot, asked.bot.webhook
    info: Json = {
        "url": hook.url if hook else "",
        "has_custom_certificate": False,
        "pending_update_count": len(bot.pending),
    }
    if bot.allowed:
        info["allowed_updates"] = sorted(bot.allowed)
    if hook and hook.error:
        info |= {"last_error_date": 1, "last_error_message": hook.error}
    return info


def _allow(asked: Asked) -> None:
    """Remember which updates are wanted, if the request says so."""
    wanted = asked.params.json("allowed_updates")
    if not isinstance(wanted, list):
        return
    if unknown := set(wanted) - _KINDS:
        asked.world.complain(f"allowed_updates: no {sorted(unknown)}")
    asked.bot.allowed = frozenset(wanted) & frozenset(_KINDS) or None


def _drop(asked: Asked) -> None:
    if asked.params.flag("drop_pending_updates"):
        asked.bot.pending.clear()


async def post(world: World, bot: Bot, pause: float) -> None:
    """Post the updates of a bot in order, again and again while one fails."""
    async with aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=10)
    ) as session:
        wait = pause
        while True:
            hook = bot.webhook
            if hook is None or not bot.pending:
                bot.wake.clear()
                await bot.wake.wait()
                continue
            update = bot.pending[0]
            hook.statuses.append(await _posted(session, hook, update))
            world.bump()
            if 200 <= hook.statuses[-1] < 300:
                bot.pending = [other for other in bot.pending if other is not update]
                wait = pause
            else:
                await asyncio.sleep(wait)
                wait = min(wait * 2, 1.0)


async def _posted(session: aiohttp.ClientSession, hook: Webhook, update: Any) -> int:
    """Give the status of the answer, 0 where there was none."""
    headers = {_HEADER: hook.secret} if hook.secret else {}
    try:
        async with session.post(hook.url, json=update, headers=headers) as response:
            await response.read()
            status = response.status
    except (aiohttp.ClientError, TimeoutError) as error:
        hook.error = f"Connection failed: {type(error).__name__}"
        return 0
    if not 200 <= status < 300:
        hook.error = f"Wrong response from the webhook: {status} {response.reason}"
    return status


METHODS = {
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
    "getWebhookInfo": get_webhook_info,
}
