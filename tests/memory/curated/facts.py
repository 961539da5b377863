"""Facts that people keep, and what is asked of them, in many languages."""
# ruff: noqa: RUF001 -- Chinese and Japanese have marks of their own

from apx.domain.curated import Fact

OWNERS = "private:owner"


def fact(name, title, **changes):
    """Make a fact of the owner's."""
    kind = {"c": "constraint", "f": "failure", "h": "howto", "p": "preference"}.get(
        name[0], "decision"
    )
    known = {"audience": OWNERS, "priority": 50, "day": "2026-11-30"}
    return Fact(name, kind, title, **{**known, **changes})


def named(*facts):
    """Give facts by their ids."""
    return {one.id: one for one in facts}


# Made up beforehand; each with the beginning of an id and what must find it.
KEPT = {
    "d-postgres": (
        "We chose Postgres over MongoDB for the ledger service",
        "Mongo lost writes under failover.",
    ),
    "d-trains": (
        "Release trains leave every second Tuesday",
        "Nothing is merged on the Monday before. Hotfixes may leave at any time.",
    ),
    "c-friday": ("Never deploy on Fridays after noon", "Nobody is there to roll back"),
    "c-eu": ("Customer data stays in the EU region", "GDPR; legal signed it"),
    "f-orders": (
        "Running migrations in parallel locked the orders table",
        "The second pod waited 40 minutes. Fix: a job with a lease.",
    ),
    "f-redis": (
        "Redis evicted sessions because maxmemory-policy was allkeys-lru",
        "Everybody was logged out at 9:00.",
    ),
    "h-keys": ("Rotate the signing keys of the API", "1. vault write 2. restart it"),
    "h-bread": ("Bake the sourdough bread", "Feed the starter at 20:00, 250 degrees"),
    "p-seats": ("Window seats on trains, aisle seats on planes", ""),
    "d-cloud": ("Wir nutzen Nextcloud statt Dropbox für Verträge", "Datenschutz"),
    "f-heat": ("Die Heizung fiel aus, weil der Druck unter 1 bar war", "Nachfüllen"),
    "c-lucia": ("Los contratos los revisa siempre Lucía antes de firmar", ""),
    "h-cert": ("Renovar el certificado digital de la empresa", "Pedir cita"),
    "d-bills": ("Les factures sont payées à trente jours", ""),
    "d-tokyo": ("サーバーは東京リージョンに置く", "遅延が小さい。大阪は予備"),
    "f-pay": ("支付网关超时导致重复扣款", "加了幂等键"),
    "p-nuts": ("我不吃花生，会过敏", ""),
    "h-print": ("Как перезапустить принтер на третьем этаже", "Подождать минуту"),
    "p-coffee": ("أفضل القهوة بدون سكر", ""),
    "d-sunday": ("서버 점검은 매주 일요일 새벽에 한다", ""),
}
FACTS = named(*(fact(name, *_[:1], body=_[1]) for name, _ in KEPT.items()))

ASKED = {
    "why not mongodb?": "d-postgres",
    "which database did we choose for the ledger?": "d-postgres",
    "are hotfixes allowed between two trains?": "d-trains",
    "can I merge on monday before the release?": "d-trains",
    "May I deploy the billing service this friday evening?": "c-friday",
    "could we move the customers to a US region to save money?": "c-eu",
    "orders table locked again, what was it last time?": "f-orders",
    "everybody was logged out this morning, redis again?": "f-redis",
    "how do I rotate the API signing keys?": "h-keys",
    "should sourdough go in at 250 degrees?": "h-bread",
    "book a seat on the train to Graz, window or aisle?": "p-seats",
    "Nutzen wir Dropbox oder Nextcloud für die Verträge?": "d-cloud",
    "Druck der Heizung zu niedrig": "f-heat",
    "¿quién revisa los contratos?": "c-lucia",
    "necesito el certificado de la empresa": "h-cert",
    "quand les factures sont-elles payées ?": "d-bills",
    "サーバーはどこに置く？": "d-tokyo",
    "为什么会重复扣款？": "f-pay",
    "我能吃花生吗？": "p-nuts",
    "принтер не работает, как перезапустить?": "h-print",
    "كيف أحب القهوة؟": "p-coffee",
    "서버 점검은 언제?": "d-sunday",
    # A long message says much beside what it is about.
    "Here is my plan. On Monday I write the report, Tuesday I meet Tom about the shed,"
    " on Wednesday we finally rotate the signing keys of the API, and on Thursday I go"
    " to the zoo with the children. Did I forget anything?": "h-keys",
}

UNRELATED = (
    "hello",
    "thanks a lot!",
    "ok",
    "what time is it?",
    "tell me a joke about cats",
    "what's the best pizza in Naples?",
    "write a haiku about autumn rain",
    "how far is the moon from the earth?",
    "what should I cook tonight with eggs and spinach?",
    "the customer in the shop was rude to me today",
    "how long do bread crumbs keep?",
    "Wie hoch ist der Mount Everest?",
    "Empfiehl mir einen Film für heute Abend",
    "¿cómo se hace una tortilla de patatas?",
    "quelle heure est-il ?",
    "今日の天気は？",
    "讲个笑话",
    "какая столица Канады?",
    "ما عاصمة كندا؟",
    "재미있는 영화 추천해줘",
    "def f(x):\n    return x + 1\nwhy does this raise a TypeError?",
)
