"""What the memories of the benchmark of `apx mem` say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

# What is said of what, in the order and with the marks of each language.
_TITLES: Final = (
    ("{verb} the {thing} {when}", ("deploy", "restart", "rotate", "cache", "test")),
    ("{verb} {thing} {when}", ("Prefer", "Avoid", "Move to", "Never touch", "Pin")),
    ("{thing}: {verb} {when}", ("läuft nicht", "zuerst prüfen", "erneuern", "abbauen")),
    ("{verb} {thing} {when}", ("Redémarrer", "Éviter", "Vérifier", "Déployer")),
    ("{verb} {thing} {when}", ("Siempre revisar", "No tocar", "Añadir", "Migrar")),
    ("{thing} {verb} {when}", ("сначала проверить", "не трогать", "обновить")),
    ("{when}{verb}{thing}", ("先检查", "不要重启", "必须更新", "部署")),
    ("{when}に{thing}を{verb}", ("確認する", "再起動しない", "更新する")),
    ("{when} {thing} {verb}", ("먼저 확인하기", "건드리지 않기", "배포하기")),
)
_THINGS: Final = (
    ("gateway", "billing queue", "token store", "staging database", "cache layer"),
    ("PostgreSQL 16", "uv over pip", "feature flags", "`make -j8`", "Redis: streams"),
    ("Anmeldedienst", "Rechnungslauf", "Zwischenspeicher", "Prüfumgebung"),
    ("la passerelle", "le cache", "la base d'essai", "l'accès invité"),
    ("la pasarela", "el caché", "la cola de pagos", "el índice"),
    ("шлюз", "очередь счетов", "кэш", "тестовую базу"),
    ("网关", "缓存", "计费队列", "测试数据库"),
    ("ゲートウェイ", "キャッシュ", "請求キュー"),
    ("게이트웨이", "캐시", "결제 큐"),
)
_WHENS: Final = (
    ("before a release", "on Fridays", "after 18:00", "with two reviewers", "in CI"),
    ("for the API", "in services", "when offline", "under load", "in the worker"),
    ("am Freitag", "vor der Freigabe", "nach 18 Uhr", "unter Last"),
    ("le vendredi", "avant la mise en ligne", "sous charge"),
    ("los viernes", "antes de publicar", "bajo carga"),
    ("в пятницу", "перед выпуском", "под нагрузкой"),
    ("发布前", "周五", "高负载时"),
    ("リリース前", "金曜日", "高負荷時"),
    ("배포 전에", "금요일에", "부하가 클 때"),
)
_SENTENCES: Final = (
    "The deploy failed twice because the cache held the old token for an hour.",
    "Run `scripts/check --all` first, then look at the log of the worker.",
    "We measured it: 340 ms at p99 before, 85 ms after, on the same machine.",
    "Die Ursache war ein Zeitlimit von 30 s, das niemand mehr kannte.",
    "La cause était un délai de 30 s que personne ne connaissait plus.",
    "El registro dice lo mismo cada vez: la conexión se cierra a los 30 s.",
    "Причина была в том, что соединение закрывалось через 30 секунд.",
    "原因是连接在三十秒后被关闭、重试之前必须清空缓存。",
    "原因は接続が30秒で閉じられることで、再試行の前にキャッシュを消す。",
    "원인은 30초 뒤에 닫히는 연결이었고, 다시 시도하기 전에 캐시를 비운다.",
    "- [ ] ask the owner of the queue before its schema changes\n- [x] write it down",
    "```sh\ngit bisect run make test\n```",
    "See https://docs.example.com/runbooks/gateway#restart for the whole story.",
    "It holds until the provider's second region is there; then look again.",
)
_TAGS: Final = (
    *("deploy", "cache", "ci", "http401", "v10", "postgres", "review", "ñandú"),
    *("Rechnung", "оплата", "缓存", "網路", "캐시", "release", "auth", "queue"),
)
_SCOPES: Final = ("", "", "global", "gateway", "billing-api", "mobile", "docs")


def title(luck: Random, number: int) -> str:
    """Say a fact in a line; the number makes two of the same words two facts."""
    at = luck.choices(range(len(_TITLES)), (30, 20, 14, 8, 8, 6, 6, 4, 4))[0]
    form, verbs = _TITLES[at]
    said = form.format(
        verb=luck.choice(verbs),
        thing=luck.choice(_THINGS[at]),
        when=luck.choice(_WHENS[at]),
    )
    return f"{said} ({_name(luck)} {number})"


def body(luck: Random) -> str:
    """Say more about it, most times in a paragraph, at times on a page."""
    many = luck.choices((1, 3, 6, 20), (25, 45, 25, 5))[0]
    words = [f"{luck.choice(_SENTENCES)} {_name(luck)}." for _ in range(many)]
    return "\n\n".join(words) + "\n"


def tags(luck: Random) -> tuple[str, ...]:
    """File it under some words."""
    return tuple(luck.sample(_TAGS, luck.randint(0, 4)))


def scope(luck: Random) -> str:
    """Say what it is about."""
    return luck.choice(_SCOPES)


def _name(luck: Random, parts: Sequence[str] = ("ba", "ko", "li", "ren", "tu")) -> str:
    return "".join(luck.choice(parts) for _ in range(3)).capitalize()
