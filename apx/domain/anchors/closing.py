"""How a person takes back what was said: it is wrong, changed or to be forgotten."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
from typing import Final

# What stands between is taken back: "not 3000 EUR but 2500 EUR".
BETWEEN: Final = re.compile(
    r"(?:\b(?:not|no|nicht|pas|non|não|niet|nie|не)(?: es| son| è| é)?|不是|ليس) ?"
    r"(?P<old>[^\n]{1,80}?)[,，،]? ?"
    r"(?:\b(?:but|it['’]?s|rather|sino|sondern|mais|ma|bensì|mas|e sim|maar|ale"
    r"|tylko|lecz|а)\b"
    r"|而是|是|بل|ولكن)",
    re.IGNORECASE,
)
# "moved from 3 May to 8 May"; without the word of change it is a period.
CHANGED: Final = re.compile(
    r"\b(?:chang|mov|rais|increas|lower|reduc|cut|switch|postpon|push|updat|went|cambi"
    r"|pas[óa]|sub[ei]|baj[óa]|aument|mud[oa]|adi|repouss|déplac|chang|geänd|änder"
    r"|verschob"
    r"|verschieb|erhöh|senk|spost|verplaatst|przesun|zmien|перен|измен|увелич|сниз)\w*"
    r"[^\n]{0,60}? (?:from|de|del|desde|von|vom|da|dal|van|z|с"
    r"|со) (?P<old>[^\n]{1,60}?)"
    r" (?:to|a|al|para|à|au|auf|naar|na|на|до) "
    r"|[从從由](?P<zh>[^\n]{1,30}?)(?:改成|改为|改為|变成|變成|改到|推迟到)",
    re.IGNORECASE,
)
# What follows is taken back, up to the end of the clause.
BEHIND: Final = re.compile(
    r"\b(?:instead of|rather than|in place of|replac(?:es|ing))\b"
    r"|(?<!not )(?<!n't )(?<!n’t )(?<!never )\b(?:forget(?: about)?|ignore"
    r"|disregard|scrap"
    r"|skip|never ?mind|stop using)\b"
    r"|\b(?:en (?:lugar|vez) de|em vez de|no lugar de|au lieu de|plutôt que"
    r"|invece (?:di|che)|al posto di|anstatt|statt|anstelle von|in plaats van|zamiast"
    r"|вместо)\b"
    r"|(?<!não )(?<!не )\b(?:olv[ií]da(?:te)?(?: de)?|ignora|descarta"
    r"|esque[çc][ae](?: de)?"
    r"|oublie[zr]?(?! pas)|laisse tomber|vergiss(?! nicht)|vergessen sie(?! nicht)"
    r"|ignoriere|dimentica|lascia perdere|vergeet(?! niet)|zapomnij o"
    r"|забудь(?:те)?(?: про| о)?)\b"
    r"|(?<!别)(?<!要)(?<!勿)(?:不用管|忘记|忘了|忘掉|别管)|代替|بدلا من"
    r"|(?<!لا )(?:انسى|انس|تجاهل) "
    r"|\bunut\b",
    re.IGNORECASE,
)
# What stands before is taken back, from the beginning of the clause.
AHEAD: Final = re.compile(
    r"\b(?:is|are|was|were)(?: now)? (?:wrong|incorrect|a typo|obsolete|outdated"
    r"|off the table|not (?:needed|valid|right|correct|relevant)|cancell?ed|dropped"
    r"|no longer (?:needed|valid|relevant|right|correct))\b"
    r"|\b(?:isn['’]t|aren['’]t) (?:needed|valid|right|correct|relevant)\b"
    r"|\b(?:est[áa] (?:mal|equivocad[oa]|errad[oa])|es (?:incorrect|errone)[oa]"
    r"|ya no (?:hace falta|vale|sirve)|não (?:é|está) (?:mais )?(?:certo|válid[oa])"
    r"|n['’]est (?:pas bon|plus (?:valable|utile))|est (?:faux|fausse|annulée?)"
    r"|ist (?:falsch|hinfällig|überholt)|è (?:sbagliat[oa]|annullat[oa])"
    r"|(?:больше )?не нуж\w+|неверн\w+|отмен\w+)\b"
    r"|->|→|⇒|错了|不对|是错的|不需要了|作废|ではなく|じゃなくて|の代わりに"
    r"|[はをの]?(?:忘れて|無視して|間違い|不要)|[이가]? 아니라|[은는을를]? (?:잊어"
    r"|무시해|취소|틀렸)"
    r"|から(?=[^\n、。]{1,30}?に変更)|에서(?= [^\n,]{1,30}?(?:변경|바꿔|바뀌))"
    r"| 대신| 말고| değil| iptal|خطأ",
    re.IGNORECASE,
)
# Who says so changes something that was said before.
CHANGES: Final = re.compile(
    r"\b(?:actually|instead|correction|sorry|i meant|rather|changed?|raised?|increased?"
    r"|lowered|reduced|moved|postponed|updated?|now|new"
    r"|en realidad|mejor|corrección|perdón|cambi\w+|ahora|nuev[oa]|na verdade|correção"
    r"|mud\w+|agora|nov[oa]|en fait|finalement|plutôt|désolée?|maintenant|nouve\w+"
    r"|eigentlich|doch|korrektur|geändert|verschoben|jetzt|neue[rsn]?|in realtà|anzi"
    r"|scusa|adesso|ora|nuov[oa]|eigenlijk|nu|nieuwe?|jednak|teraz|now[aey]"
    r"|на самом деле|точнее|извини\w*|изменил\w*|теперь|нов\w+|aslında|artık|yeni)\b"
    r"|改成|改为|改為|改到|其实|更正|现在|新的|推迟|実は|変更|訂正|やっぱり|今度|新しい"
    r"|사실|정정|변경|바꿔|바뀌|이제|새로|في الواقع|تصحيح|الآن|تغير|جديد",
    re.IGNORECASE,
)
