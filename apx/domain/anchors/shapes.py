"""What ids, addresses, paths and dates look like in a text."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
from functools import cache
from typing import Final

from apx.domain import date_words as say
from apx.domain.text import normal

# Scripts without spaces: `PROJ-12を` and `a.pdf를` end before the particle.
DENSE: Final = (
    r"\u0e00-\u0eff\u1100-\u11ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef"
)
_LETTER: Final = rf"[^\W{DENSE}]"
_STEP: Final = rf"(?:[.@+%$-]|{_LETTER})"

# Every pattern starts at the edge of a word, and what it may repeat is barred before
# its start: a hostile text is looked at once.
URL: Final = re.compile(
    rf"(?<![A-Za-z0-9+.-])(?:[A-Za-z][A-Za-z0-9+.-]{{1,15}}://|www\.)"
    rf"[^\s<>\"'`|\\^{{}}{DENSE}]{{2,2000}}"
    rf"|(?<![A-Za-z0-9@/_.-])(?:[A-Za-z0-9-]{{1,63}}\.){{1,5}}"
    r"(?:com|org|net|io|dev|app|edu|gov|info|de|es|fr|it|pt|nl|pl|ru|uk|jp|cn|kr|eu|br)"
    rf"(?![\w@.-]*@)(?![A-Za-z0-9_-])(?::\d{{2,5}})?(?:/[^\s<>\"'`"
    rf"|\\^{{}}{DENSE}]{{0,2000}})?"
)
EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}"
)
CODE: Final = re.compile(r"(?<!`)`(?P<code>[^`\s]{2,120})`(?!`)")
PATH: Final = re.compile(
    r"(?<![\w\\])(?:[A-Za-z]:\\|\\\\(?=\w))[^\s\"'`<>|*?]{1,400}"
    rf"|(?<![\w/.:~@\\+%$-])(?:(?:~|\.{{1,2}})?/{_STEP}{{1,100}}|{_STEP}{{1,100}})"
    rf"(?:/{_STEP}{{1,100}}){{0,30}}/?"
)
FILE: Final = re.compile(
    r"\.(?:py|js|ts|tsx|jsx|rs|java|c|h|cpp|hpp|cs|rb|php|sh|bat|ps1|sql|md|txt|rst|pdf"
    r"|docx?|xlsx?|pptx?|odt|csv|tsv|json|jsonl|ya?ml|toml|ini|cfg|conf|env|log|html?"
    r"|css|scss|xml|png|jpe?g|gif|svg|webp|mp[34]|wav|mov|zip|tar|gz|tgz|7z|db|sqlite"
    r"|ipynb|lock|pem|kt|swift|lua|vue|tex|go|parquet)$",
    re.IGNORECASE,
)
ROOT: Final = re.compile(
    r"/(?:tmp|etc|home|usr|var|opt|srv|mnt|root|dev|proc|data|Users|bin|lib)$"
)

_EDGE: Final = r"(?<![A-Za-z0-9_.#/+-])"
_END: Final = r"(?![A-Za-z0-9_])"
_HEX: Final = "[0-9a-fA-F]"
IDS: Final = re.compile(
    rf"{_EDGE}{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}{_END}"
    r"|(?<![\w&#/])#[A-Za-z]{0,6}-?\d{1,12}(?!\w)"
    rf"|{_EDGE}\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?:[:/]\d{{1,5}})?(?![\w.]?\d)"
    rf"|{_EDGE}localhost:\d{{2,5}}{_END}"
    rf"|{_EDGE}[vV]?\d{{1,5}}(?:\.\d{{1,6}}){{2,3}}(?:[-+.]?[a-z]{{1,8}}[.-]?\d{{0,4}})?(?![\w.]?\d)"
    rf"|{_EDGE}[vV]\d{{1,5}}(?:\.\d{{1,6}}){{0,3}}{_END}"
    rf"|{_EDGE}[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{3,7}}(?: ?[A-Z0-9]{{1,3}})?{_END}"
    rf"|{_EDGE}(?=[a-z]{{0,40}}\d)(?=\d{{0,40}}[a-f])[0-9a-f]{{7,40}}{_END}"
    rf"|{_EDGE}[a-z][a-z0-9]{{0,40}}(?:_[a-z0-9]{{1,40}}){{1,8}}{_END}"
    rf"|{_EDGE}[A-Z][A-Z0-9_]{{1,9}}-\d{{1,9}}(?!\w|[-/][A-Za-z0-9])"
    rf"|{_EDGE}(?=[A-Za-z0-9/_.-]{{0,40}}\d)[A-Za-z0-9]{{1,24}}(?:[-_/.][A-Za-z0-9]{{1,24}}){{0,5}}{_END}"
)
PHONE: Final = re.compile(
    r"(?<![A-Za-z0-9_.,#/:+-])(?:\+\d{1,4}|\(\d{1,5}\)|0\d{1,4}|\d{3})"
    r"(?:[ \u00a0().-]{1,2}\d{2,8}){1,6}(?![A-Za-z0-9_])(?![.,-]\d)"
)
_WORD_FOR_ID: Final = (
    "order|invoice|ticket|issue|pull request|pr|case|booking|reservation|reference|ref"
    "|pedido|factura|fatura|reserva|incidencia|expediente|commande|facture|dossier"
    "|bestellung|rechnung|auftrag|buchung|ordine|fattura|zamówienie|faktura|bestelling"
    "|заказ\\w{0,2}|счёт|счет|заявк\\w|тикет\\w{0,2}|sipariş|fatura"
)
NUMBERED: Final = re.compile(
    rf"\b(?:{_WORD_FOR_ID})(?: (?:number|no|nr|n|núm|num|número|numéro|numero|nummer))?"
    r"[ .:#№º°-]{1,4}(?P<id>\d{3,15})(?![\w.,:]?\d)"
    r"|(?:订单|工单|发票|单号|注文|チケット|予約|주문|티켓|예약|طلب|فاتورة)"
    r"(?:号|番号|번호|رقم)?[ :：#]{0,3}(?P<east>\d{3,15})(?!\d)",
    re.IGNORECASE,
)
LONG: Final = re.compile(r"(?<![A-Za-z0-9_.,#/:+-])\d{6,24}(?![A-Za-z0-9_]|[.,:/-]\d)")

_YEAR: Final = r"(?:19|20)\d\d"
_NAME: Final = r"(?P<{}>[^\W\d_]{{3,12}})"
DATES: Final = re.compile(
    rf"(?<![\w/.-]){_YEAR}([-/.])\d{{1,2}}\1\d{{1,2}}(?!\d)(?![-/]\d|\.\d)"
    rf"|(?<![\w/.,:-])\d{{1,2}}([-/.])\d{{1,2}}\2(?:{_YEAR}|\d\d)(?!\d)(?![-/]\d"
    rf"|[.:]\d)"
    r"|(?<![\w/.,:-])\d{1,2}/\d{1,2}(?![\w/]|[.,:]\d)"
    r"|(?<![\w/.,:-])\d{1,2}\.\d{1,2}\.(?!\d)(?= |$|\n)"
    rf"|(?<!\d)(?:{_YEAR}[年년] ?)?(?:1[0-2]|0?[1-9])[月월](?: ?[0-3]?\d[日号號일])?"
    r"|(?<![\w/.,:-])(?:[0-3]?\d)(?:st|nd|rd|th|er|º|°|ª|\.|-го|-е)?"
    rf" (?:of |de |di |d['’]|the )?{_NAME.format('named')}(?![\w])"
    rf"(?:\.?,? (?:(?:of|de|del|г\.) )?{_YEAR}(?!\d))?"
)
MONTHS: Final = re.compile(
    rf"(?<![\w-]){_NAME.format('named')}\.? (?:the |de |del )?"
    rf"(?:{_YEAR}(?!\d)|[0-3]?\d(?!\d)(?!(?:[.,:]\d|[/%-]))(?:st|nd|rd"
    rf"|th)?(?!\w)(?:,? {_YEAR}(?!\d))?)"
)
FRACTIONS: Final = frozenset({"1/2", "1/3", "2/3", "1/4", "3/4", "24/7", "1/1"})


@cache
def months() -> frozenset[str]:
    """Give the names of months in all languages, short ones too, as `normal` writes."""
    names = " ".join((*say.MONTHS.values(), say.SHORT_MONTHS))
    return frozenset(normal(name) for name in names.replace("|", " ").split())


# Months that are other words, too, when they begin with a small letter.
VERBS: Final = frozenset(
    {"may", "march", "mar", "set", "out", "ago", "ene", "dic", "gen"}
)
