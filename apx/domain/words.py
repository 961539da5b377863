"""How text falls into words, by script and by language."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST: Final = 64

# Marks and signs that make no difference to a search, as they stand after NFKD:
# accents of Latin, Greek and Cyrillic letters, vowel points and tatweel of Arabic,
# and what is not seen at all (soft hyphen, joiners, direction, variation, colour).
CLUTTER: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
    "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)

# Letters that Unicode does not take apart although people type them without.
CUT_LETTERS: Final = str.maketrans(
    {"\u0131": "i", "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "æ": "ae", "œ": "oe"}
)

# Scripts written without spaces between words: Chinese characters, kana, bopomofo,
# Thai, Lao, Tibetan, Burmese, Khmer.
_DENSE: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U000323af"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0f40-\u0fbc\u1000-\u1049\u1050-\u109f"
    "\u1780-\u17d3"
)
_HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
# Marks inside words, which `\w` leaves out: Hebrew points, Syriac, all Indic signs.
_MARKS: Final = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0711\u0730-\u074a"
    "\u0900-\u0963\u0966-\u0dff\ua8e0-\ua8f1"
)
_WORD: Final = rf"(?:(?![{_DENSE}{_HANGUL}])[\w{_MARKS}])+"
_SIGN: Final = (
    "[\U0001f1e6-\U0001f1ff]{2}|"
    "[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
)

# One to three joiners (`://`) keep an address, a path, a date or an id in one piece.
_TOKEN: Final = re.compile(
    rf"(?P<dense>[{_DENSE}]+)|(?P<hangul>[{_HANGUL}]+)"
    rf"|(?P<word>{_WORD}(?:[-./\\:@+#?&=%~_]{{1,3}}{_WORD})*(?:\+\+|#)?)"
    rf"|(?P<sign>{_SIGN})"
)
# The `t` parts the date from the time in 2026-11-30T09:41.
_PARTS: Final = re.compile(r"[/\\:@+#?&=]+|(?<=-\d\d)t(?=\d\d)")
_PIECES: Final = re.compile(r"[-.%~_]+")

# Small words in their `normal` form. A word that says something in another of the
# languages is left out: war, hat, son, sale, fur, pour.
SMALL_WORDS: Final = {
    "en": """
    a an and are as at be been but by can could did do does for from had has have he
    her here him his how i if in into is it its just me my no not of on or our she
    so some than that the their them then there these they this those to too us was
    we were what when where which who whom why will with would you your d ll m re s
    t ve don doesn didn isn wasn won ok okay yes yeah yep nope hi hello hey thanks
    thank thx please sure cool great bye lol haha
    """,
    "es": """
    al como con cual cuando de del donde e el ella en era es esa ese eso esta este
    esto fue ha hay la las le les lo los mas mi mis muy nos o para pero por porque
    que quien se si sin sobre su sus tambien te tu tus un una uno unos y ya yo hola
    gracias vale bien bueno buenos buenas dias tardes noches adios favor claro
    """,
    "pt": """
    ao aos as com da das do dos ela ele em essa esse isso essas esses eu foi isto
    mas meu minha minhas meus na nas nao nem nos num numa os ou pelo pela quando
    quem qual onde sao sem ser seu sua tem uma voce voces ola oi obrigado obrigada
    sim bom boa dia tarde noite tchau certo
    """,
    "fr": """
    au aux avec c ce ces cet cette dans des du elle est et etait ils j je l leur
    leurs lui ma meme moi mon n ne notre nous ont ou par pas plus qu quel quelle
    quels quelles quand quoi sa sans ses sont sur ta toi ton tous tout tres une vos
    votre vous bonjour salut merci oui non bonsoir daccord accord revoir
    """,
    "de": """
    aber als am auch auf aus bei bis das dass dem den denn der des die doch du ein
    eine einem einen einer eines er es fuer gegen ich ihm ihn ihr ihre im ist ja
    kann kein keine mein meine meinem meinen meiner mich mir mit nach nein nicht
    noch nur oder sich sie sind ueber uber um und uns unser vom von vor wann warum
    was wenn wer wie wir wird wo wurde zu zum zur dir dich dein deine hallo danke
    bitte gut tschuss gern gerne
    """,
    "it": """
    agli ai alla alle anche che chi ci col cosa cui dal dalla degli dei della delle
    di dov dove ed gli ho hai il io loro lui mia mie miei nel nella nei noi non per
    perche piu quale quali quando quella quelle quello questa queste questo questi
    sono sta suo sua sul sulla tra tuo tua un voi ciao grazie prego buongiorno
    buonasera va bene si
    """,
    "ja": "の は を に が と で も や へ か ね よ な だ です ます した いる この その",
    "zh": "我 你 您 他 她 它 们 是 在 和 也 都 很 就 这 那 有 吗 呢 吧 啊 哦 嗯",
    "": "👍 🙏 🙂 😊 👌",
}
STOP_WORDS: Final = frozenset(
    word for words in SMALL_WORDS.values() for word in words.split()
)
# Particles that are never part of a longer word: no pair with one says anything.
STOP_CHARACTERS: Final = frozenset("的了吗呢吧を")
# Greetings and thanks where no space shows them as a word.
SMALL_TALK: Final = re.compile(
    "谢谢你?|多谢|感谢|不客气|你好|您好|大家好|早上好|晚上好|晚安|再见|好的|好吧|可以|没问题"
    "|明白了?|知道了|ありがとう(?:ございます|ございました)?|どうも|こんにちは"
    "|こんばんは|おはよう(?:ございます)?|おやすみ(?:なさい)?|さようなら|よろしく(?:お願いします)?"
    "|お願いします|了解(?:です|しました)?|わかりました|分かりました|はい|いいえ|すみません"
)


def split(plain: str) -> Iterator[str]:
    """Split a text in its `normal` form into its search terms."""
    for token in _TOKEN.finditer(plain):
        if token.lastgroup == "dense":
            yield from _neighbours(token[0])
        elif token.lastgroup == "hangul":
            yield token[0][:_LONGEST]
            if len(token[0]) > 1:
                yield from _neighbours(token[0])
        elif token.lastgroup == "word":
            yield from _parts(token[0])
        else:
            yield token[0]


def _neighbours(run: str) -> Iterator[str]:
    """Give each character and each pair, save that a mark is nothing alone."""
    for place, character in enumerate(run):
        if not unicodedata.category(character).startswith("M"):
            yield character
        if place + 1 < len(run):
            yield run[place : place + 2]


def _parts(word: str) -> Iterator[str]:
    """Give `https://a.b/c-d` as itself, as `a.b` and `c-d`, and as single words."""
    if word.isalnum():
        yield word[:_LONGEST]
        return
    found = {word[:_LONGEST]: None}
    for part in _PARTS.split(word):
        found[part[:_LONGEST]] = None
        for piece in _PIECES.split(part):
            found[piece[:_LONGEST]] = None
    found.pop("", None)
    yield from found
