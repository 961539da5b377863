"""Owns how like two texts must be, for an embedder, to have to do with each other.

Embedders differ: unrelated texts have cosines around 0.1 with one and 0.8 with
another. So each is asked once about texts of which no question belongs to a statement.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import numpy as np

from apx.domain.space import Usual

if TYPE_CHECKING:
    from apx.ports import Embedder

_AT_ONCE: Final = 4
# Chats are of this kind; no question asks for any of the statements.
_STATEMENTS: Final = (
    "The plumber comes on Thursday at ten",
    "My sister is learning to play the cello",
    "We ran out of printer paper again",
    "The old bridge in the village was closed",
    "He sold his motorcycle last spring",
    "Mañana empieza el curso de cerámica",
    "La clave del portal cambió ayer",
    "El tren de las ocho llegó con retraso",
    "Der Zahnarzt hat mir eine Schiene verschrieben",
    "Die Tomaten auf dem Balkon sind reif",
    "Le chat dort toujours sur le canapé",
    "Nous avons choisi le papier peint vert",
    "O contrato foi assinado em Lisboa",
    "Мы посадили яблони за домом",
    "我把雨伞忘在地铁上了",
    "会议室的投影仪坏了",
    "自転車のタイヤがパンクした",
    "来月から家賃が上がります",
    "어제 새 이어폰을 샀어요",
    "نسيت مفاتيح السيارة في المكتب",
)
_QUESTIONS: Final = (
    "How many eggs does the pancake recipe need?",
    "Which university did Tom go to?",
    "When is the tax return due?",
    "What is the name of the new intern?",
    "Is the beach near the hotel sandy?",
    "¿Cuánto cuesta el abono del gimnasio?",
    "¿Quién ganó el torneo de ajedrez?",
    "Welche Farbe hat der neue Mantel?",
    "Wie heißt der Hund der Nachbarn?",
    "Où se trouve la pharmacie de garde ?",
    "Qual é a capital da Austrália?",
    "Какой язык программирования лучше выучить?",
    "这本书的作者是谁?",
    "你最喜欢哪种茶?",
    "富士山の高さは何メートルですか。",
    "次の選挙はいつですか。",
    "한라산까지 버스로 얼마나 걸려요?",
    "ما هو أفضل وقت لزراعة الورد؟",
    "Kto napisał tę piosenkę?",
    "Bu gece hava nasıl olacak?",  # noqa: RUF001 -- Turkish has this letter
)


async def calibrated(embedder: Embedder) -> Usual:
    """Measure how like unrelated texts are; raises a `ProviderError`."""
    statements = await embedder.documents(_STATEMENTS)
    asked = [
        await asyncio.gather(*map(embedder.query, _QUESTIONS[at : at + _AT_ONCE]))
        for at in range(0, len(_QUESTIONS), _AT_ONCE)
    ]
    questions = np.stack([vector for vectors in asked for vector in vectors])
    cosines = questions @ statements.T
    return Usual(float(cosines.mean()), float(cosines.std()))
