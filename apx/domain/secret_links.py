"""The words between the name of a credential and its value, or in place of it."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


def words(text: str) -> frozenset[str]:
    """Make a set of words that are written side by side."""
    return frozenset(text.split())


# What stands between the name and the value. Polish `to` also is English.
LINKS: Final = words(
    "is was are be equals becomes es era sera será é e' era est c'est sera était è"
    " ist lautet heißt heisst war wäre wird zijn luidt jest brzmi это есть є це"
    " هي هو تكون olarak s je är er este"
    " είναι है là คือ adalah הוא היא wurde"
)
POLISH_LINKS: Final = frozenset({"to"})
# Between a link and the value; the value is still to come.
BETWEEN: Final = words(
    "now still currently just simply again set changed reset to as follows this the"
    " following here like called jetzt nun noch ahora agora maintenant adesso ora nu"
    " teraz теперь сейчас тепер зараз şimdi الآن"
)
# `пароль от вайфая Abc`: after these and one more word, the value needs no link.
OF: Final = frozenset({"от", "для", "від", "к", "до"})
# `set the password to Abc123`
INTO: Final = frozenset({"to", "auf", "a", "na", "на"})
# Chinese, Japanese and Korean words that link.
EAST_LINKS: Final = ("是", "为", "為", "叫", "は", "が", "는", "은", "이", "가")

# A single word behind `password:` that is none.
STATES: Final = words(
    "none null nil true false undefined required optional missing wrong incorrect"
    " invalid valid weak strong empty unset changed expired text string bytes bool"
    " object hidden private same unknown forgotten forgot lost here below above"
    " todo later example placeholder your please enter change redacted masked"
    " secretstr protected encrypted hashed"
    " stored given needed used else yes okay value never"
    " always nothing something only failed rejected accepted denied error fixed done"
    " reset update updated sent resent saved shared rotated revoked secure insecure"
    " vergessen falsch unbekannt fehlt leer siehe gleiche erforderlich geändert"
    " olvidada incorrecta misma ninguna obligatoria cambiada oublié incorrect aucun"
    " requis changé dimenticata errata nessuna richiesta esquecida incorreta nenhuma"
    " obrigatória vergeten onjuist geen zapomniane błędne brak wymagane забыл забыла"
    " неверный неправильный прежний старый новый нужен забув невірний немає потрібен"
    " yanlış unuttum unutuldu gerekli خطأ مطلوبة"
)
