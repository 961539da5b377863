"""How people word a wish: patterns, and nothing that decides.

A blank stands for any white space and `'` for either apostrophe. `remember` and
`forget` come before what is meant; the patterns ending in `_around` name it as
`(?P<subject>...)`, for languages that put the verb last. `<number>` is a note's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NOTHING: Final = r"(?!)"  # matches no text at all


@dataclass(frozen=True, slots=True)
class Wording:
    """The patterns of one language.

    `please` may stand before a wish, `that` after its verb. `never` only looks like
    a wish. `asks` starts a question, `which` what is asked for after a verb.
    """

    please: str
    that: str
    remember: str
    forget: str
    never: str
    notes: str
    about: str
    asks: str
    which: str
    remember_around: str = NOTHING
    forget_around: str = NOTHING


LATIN: Final = {
    "en": Wording(
        please="please|pls|hey|hi|hello|ok|okay|and|also|now|so|just|always"
        "|(?:can|could|would|will) you|i(?: want|'d like| would like| need) you to",
        that=r"that\b|this(?=\s*[:,])|the following\b",
        remember=r"(?:do not|don't|never) forget|keep in mind"
        r"|remember(?! (?:me|us|him|her)\s*[.!?]*$)"
        "|memori[sz]e|(?:make|take|add|save) a note|note down|take note"
        r"|(?:save|note)(?= (?:this|that)\s*[:,])|note(?=:)",
        forget="forget(?: about)?"
        "|(?:delete|remove|erase)(?= (?:the |my )?note <number>)",
        never="forget (?:about )?(?:(?:it|that|this)|it, .*)|never ?mind(?:, .*)?"
        "|(?:(?:do not|don't) forget|remember)(?: (?:it|that|this))?",
        notes="(?:(?:list|show|display|print|read|give|see|get)(?: me)?"
        "(?: all)?(?: of)?(?: (?:my|the|your))? notes"
        "|(?:all )?my notes|what are (?:my|the|your) notes"
        "|(?:what|which) notes (?:do (?:you|i) have|are there|have you (?:got|saved))"
        "|what do you remember|what have you (?:saved|noted|remembered))",
        about="(?:what do you (?:know|remember|have|recall) (?:about|of|on)"
        "|what did (?:i|we) (?:say|tell you|write|note) about"
        "|tell me (?:everything |all |more |something |what you know )?about"
        "|(?:do you know|is there|have you got) (?:anything|something) (?:about|on)"
        r"|remind me (?:about|of)) (?P<subject>.+)",
        asks="(?:do|did|does) (?:you|i|we|he|she|they) |(?:am|was|have|had) i "
        "|(?:is|are|was|were) (?:my|there|the|it) |(?:tell|remind) me (?:what|wh|how)"
        r"|(?:what|who|whose|whom|which|why|how|where|when)(?:'s|'re)?\b"
        r"(?! (?:a|an|i|we|you|they|he|she|it|the)\b)",
        remember_around=r"(?P<subject>.+?)[,.;!] (?:please )?"
        "(?:remember|(?:don't|do not) forget) (?:that|this)",
        which=r"(?:what|who|whose|which|why|how|where|when)\b",
    ),
    "es": Wording(
        please="por favor|porfa|oye|hola|ok|vale|y|también|ahora|entonces|siempre"
        "|(?:me )?(?:puedes|podr[ií]as|puede|podr[ií]a)|(?:quiero|necesito) que",
        that=r"(?:de )?que\b|(?:esto|lo siguiente)(?=\s*[:,])",
        remember="no (?:te )?olvid(?:es|e)(?: de)?|recu[eé]rda(?:me|lo)?(?= que)"
        "|recuerd(?:a|e|es)|recordar(?! me)|record[aá]|acu[eé]rda(?:te|se)(?: de)?"
        "|acordarte(?: de)?|ten(?:er)? (?:en cuenta|presente)|memoriza"
        r"|(?:an[oó]ta(?:te|me|lo)?|apunta(?:me|lo)?|guarda)(?= que|\s*:| esto\s*[:,])",
        forget="olv[ií]da(?:te)?(?: de)?|olvidar(?:te)?(?: de)?|olvides"
        "|(?:borra|elimina|quita|borrar|eliminar)(?= (?:la |mi )?nota <number>)",
        never="olv[ií]da(?:lo|te|lo ya|te de eso)|olvida eso|d[eé]jalo|da igual"
        "|recuerda (?:eso|esto)|recu[eé]rdalo",
        notes="(?:(?:lista|listar|muestra|mu[eé]strame|ens[eé][nñ]ame|ver|dime|dame|lee)"
        "(?: todas)?(?: (?:mis|las|tus))? notas|(?:todas )?mis notas"
        "|cu[aá]les son (?:mis|las|tus) notas|qu[eé] notas (?:tienes|tengo|hay)"
        "|qu[eé] (?:recuerdas|has (?:guardado|anotado)))",
        about="(?:qu[eé] (?:sabes|recuerdas|tienes) (?:acerca de|sobre|del?)"
        "|qu[eé] te (?:dije|cont[eé]|he dicho) (?:acerca de|sobre|del?)"
        "|(?:cu[eé]ntame|h[aá]blame|dime)(?: (?:todo )?lo que sabes| algo| m[aá]s)?"
        " (?:acerca de|sobre|del?)) (?P<subject>.+)",
        asks="(?:qué|quién(?:es)?|cuándo|dónde|adónde|cuál(?:es)?|cómo|cuánt[oa]s?"
        r"|por qué)\b|(?:que|quien|cual|donde|cuando|como|cuant[oa]s?) (?:es|son|era"
        r"|fue|está|esta|están|hay|tengo|sabes|vivo|se llama|dije)\b"
        r"|(?:te )?recuerdas\b|te acuerdas|sabes (?:qu|cu|d[oó]nde|c[oó]mo|si)",
        which=r"(?:qué|qui[eé]n|cu[aá]ndo|d[oó]nde|cu[aá]l|c[oó]mo|cu[aá]nt[oa]s?)\b",
    ),
    "pt": Wording(
        please="por favor|oi|olá|ola|ok|e|também|agora|então|sempre|faz favor"
        "|(?:você |voce |tu )?(?:pode|podes|poderia|podias|consegue)"
        "|(?:quero|preciso) que(?: você| tu)?",
        that=r"(?:de )?que\b|(?:d?isto|d?isso|do seguinte|o seguinte)(?=\s*[:,])",
        remember="n[aã]o (?:(?:se|te) )?esque[cç](?:as?|e|er)(?:-te|-se)?"
        "(?: de(?= que))?"
        "|(?:se )?lembr(?:e|a|es|ar)(?:-(?:se|te|me))?(?= que)"
        "|(?:se )?lembr(?:e|a|ar)(?:-(?:se|te))?(?: d[eoa])?|memoriz[ae]"
        "|ten(?:ha|s?) (?:em mente|presente)"
        r"|(?:anot[ae]|guard[ae]|salv[ae])(?:-me)?(?= que|\s*:| is[ts]o\s*[:,])",
        forget="(?:se )?esque[cç](?:e|a|er)(?:-(?:te|se))?(?: d[eoa](?= ))?"
        "|(?:apag(?:a|ue|ar)|remov[ae]|exclu[ai])(?= (?:a |minha )?nota <number>)",
        never="esque[cç][ea] (?:isso|isto)|deixa (?:pra|para) lá|deixa estar"
        "|lembr[ae](?:-(?:te|se))? d?iss?t?o",
        notes="(?:(?:list[ae]r?|mostr[ae]r?|ver|veja|l[eê]|d[eê])(?:-me| me)?"
        "(?: todas)?(?: as)?(?: (?:minhas|suas|tuas))? (?:notas|anotações)"
        "|(?:as |todas as )?minhas (?:notas|anotações)"
        "|quais (?:são|sao) (?:as )?(?:minhas|suas|tuas) (?:notas|anotações)"
        "|que notas (?:você tem|tens|tenho)|(?:do|o) que (?:você )?se lembra)",
        about="(?:o que (?:é que )?(?:(?:você|voce|tu) )?(?:sabes?|(?:se )?lembras?)"
        " (?:sobre|acerca d[eoa]|d[eoa]s?)"
        "|o que (?:eu )?(?:te |lhe )?disse (?:sobre|acerca d[eoa])"
        "|(?:me (?:fal[ae]|cont[ae]|diga)|(?:fal[ae]|cont[ae]|diz|diga)-me)"
        "(?: tudo| mais| o que sabes?)? (?:sobre|acerca d[eoa]|d[eoa]s?))"
        " (?P<subject>.+)",
        asks=r"(?:quem|qual|quais|o que|por que|quant[oa]s?)\b"
        r"|(?:onde|quando|como) (?:é|e|são|fica|ficam|está|esta|foi|eu|se chama|moro)\b"
        "|(?:você|voce|tu) (?:se |te )?lembras?|te lembras|lembras-te|lembra-se",
        which=r"(?:o que|quem|quando|onde|qual|quais|como|quant[oa]s?|por que)\b",
    ),
    "fr": Wording(
        please="s'il (?:te|vous) pla[iî]t|stp|svp|salut|bonjour|ok|et|aussi|alors"
        "|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|(?:tu peux|vous pouvez)"
        "|est-ce que tu peux|(?:je veux|j'aimerais) que tu",
        that=r"que\b|qu'|(?:ceci|ça|cela|ce qui suit)(?=\s*[:,])",
        remember="n'oubli(?:e|ez|er) pas|ne pas oublier|souviens[- ]toi"
        "|souvenez[- ]vous|(?:te |vous )?souvenir"
        "|rappelle[- ]toi|rappelez[- ]vous|(?:te |vous )rappeler"
        "|retiens|retenez|retenir|retiennes|mémoris(?:e|ez|er)"
        "|gard(?:e|ez|er) (?:en mémoire|à l'esprit|en tête)"
        r"|not(?:e|ez|er)(?: bien)?(?= que| qu'|\s*:| (?:ça|ceci|cela)\s*[:,])",
        forget="oublie|oubliez|oublier"
        "|(?:efface|effacez|supprime|supprimez)(?= (?:la |ma )?note <number>)",
        never="oubliez? (?:ça|ca|cela)|laisse tomber|laissez tomber|peu importe"
        "|(?:souviens|rappelle)-toi de (?:ça|cela)|retiens (?:ça|cela|bien)",
        notes="(?:(?:lister?|montrer?|afficher?|donne|lis)(?:[- ]moi)?"
        "(?: toutes)?(?: (?:mes|les|tes))? notes|(?:toutes )?mes notes"
        "|quelles sont (?:mes|les|tes) notes|quelles notes (?:as-tu|ai-je|tu as)"
        "|de quoi te souviens-tu|qu'as-tu (?:noté|retenu))",
        about="(?:(?:que sais-tu|que savez-vous|qu'est-ce que tu sais|tu sais quoi)"
        " (?:sur |à propos (?:de |d')|au sujet (?:de |d')|de la |du |des |de |d')"
        "|qu'est-ce que je t'ai dit (?:sur |à propos (?:de |d'))"
        "|parle[- ]moi (?:de la |du |des |de |d')"
        "|dis[- ]moi (?:tout )?ce que tu sais (?:sur |de |d'))(?P<subject>.+)",
        asks="(?:qu'est-ce|est-ce qu|pourquoi|combien|comment|où|quel(?:le)?s?|qui)\\b"
        "|(?:quand|que) (?:est|sont|était|ai-je|as-tu|sais-tu|dois-je)"
        "|te souviens-tu|tu te souviens|vous souvenez-vous|te rappelles-tu"
        "|tu te rappelles|sais-tu|rappelle-moi (?:où|qu|comment|combien)",
        which=r"(?:où|quand|comment|combien|qui|quoi|quelles?|quels?|pourquoi)\b"
        r"|ce qu(?:e|i)\b",
    ),
    "de": Wording(
        please="bitte|hey|hallo|ok|okay|und|auch|also|dann|mal|doch"
        "|(?:kannst|könntest|würdest) du(?: dir| dich| bitte)*"
        "|(?:können|könnten|würden) sie(?: sich| bitte)*|ich möchte, dass du(?: dir)?",
        that=r"(?:bitte, |daran, )?dass\b|daß\b|(?:bitte|das|dies|folgendes)(?=\s*:)",
        remember="verg(?:iss|essen sie)(?: bitte)? nicht|merk(?:e|st|en)?"
        "(?: dir| sie sich)(?: bitte| mal)*(?! was)|merken(?=,? dass)|merke(?=:)"
        "|erinner[en]?(?: dich| sie sich)?(?= daran|,? dass)(?: daran)?"
        "|denk(?:e|en sie)? (?:bitte )?da?ran"
        "|behalte?(?: (?:im kopf|in erinnerung))"
        r"|(?:notier|speicher)(?:e|en)?(?: dir)?(?=,? dass|\s*:)",
        forget="vergiss(?! nicht)(?: bitte)?|vergessen sie(?! nicht)(?: bitte)?"
        "|(?:lösch|entfern)(?:e|en sie)?(?= (?:die |meine )?notiz <number>)",
        never="vergiss (?:es|das)|vergessen sie (?:es|das)|egal|schon gut"
        "|lass gut sein|merke? dir (?:das|es)(?: bitte)?",
        notes="(?:(?:zeig|zeige|liste|nenn|nenne|lies)(?: mir)?(?: bitte)?(?: alle)?"
        "(?: (?:meine|die|deine))? notizen(?: auf| an| vor)?|(?:alle )?meine notizen"
        "|was sind (?:meine|die|deine) notizen|wie lauten (?:meine|die) notizen"
        "|welche notizen (?:hast du|habe ich|gibt es)|was hast du dir gemerkt)",
        about="(?:was wei(?:ß|ss)t du (?:alles )?(?:über|von|zu)"
        "|erz[aä]hle?(?: mir)?(?: etwas| mehr| alles)? (?:über|von)"
        "|sag(?:e)? mir,? (?:alles )?was du (?:über|von)|woran erinnerst du dich bei)"
        r" (?P<subject>.+?)(?:,? wei(?:ß|ss)t)?",
        asks="(?:was|wer|wen|wem|wessen|wann|wo|woher|wohin|warum|wieso|welche[rsnm]?"
        r"|wie ?viele?|wie)\b(?! (?:gesagt|immer|schade|schön|auch immer)\b)"
        "|erinnerst du dich|wei(?:ß|ss)t du|hast du dir gemerkt"
        "|(?:sag|erinnere?) mich?r? ?(?:daran,? )?w",
        which=r"(?:was|wer|wen|wem|wann|wo|wohin|woher|warum|wie|welche[rsnm]?)\b",
        remember_around=r"(?<=(?:dir|tte)\s)(?P<subject>[^?]+?) merken",
    ),
    "it": Wording(
        please="per favore|per piacere|ciao|ehi|ok|e|anche|ora|adesso|allora"
        "|(?:mi )?(?:puoi|potresti|può|potrebbe)|(?:voglio|vorrei) che(?: tu)?",
        that=r"(?:di )?che\b|(?:questo|quanto segue)(?=\s*[:,])",
        remember="non (?:ti )?(?:dimenticar|scordar)(?:e|ti)(?: di)?"
        "|ricorda(?:ti|tevi|telo)?(?: di(?= che)| del(?=la |l| ))?"
        "|ricordar(?:e|ti)|ricordi(?= che)|tieni (?:a mente|presente)|tenere a mente"
        "|memorizza(?:re)?"
        r"|(?:annota|segna|salva|appunta)(?:ti|re)?(?= che|\s*:| questo\s*[:,])",
        forget="(?:dimentic|scord)a(?:ti|re)?(?: di(?= )| del(?=la |l' | ))?"
        "|(?:cancella|elimina|rimuovi)(?= (?:la |mia )?nota <number>)",
        never="dimentica(?:lo|telo)|lascia (?:perdere|stare)|non importa"
        "|ricorda(?:lo|telo| questo)",
        notes="(?:(?:elenca|mostra|mostrami|fammi vedere|leggi|dammi|vedi)(?: tutte)?"
        "(?: (?:le|i))?(?: (?:mie|tue|miei|tuoi))? (?:note|appunti)"
        "|(?:tutte )?(?:le )?mie note|i miei appunti"
        "|quali sono (?:le|i) (?:mie|tue|miei) (?:note|appunti)"
        "|(?:che|quali) note (?:hai|ho|ci sono)|(?:che )?cosa ricordi)",
        about="(?:(?:che cosa|cosa|che) (?:sai|ricordi|ti ho detto)"
        "|parlami|raccontami|dimmi (?:(?:tutto )?(?:cosa|quello che|ciò che) sai)"
        "|dimmi (?:tutto|di più))"
        " (?:riguardo a|a proposito di|(?:su|di|de|su)l(?:la |lo |l'| )|dell'|sull'"
        "|dei |delle |degli |su |di |d')(?P<subject>.+)",
        asks=r"(?:chi|cosa|che cosa|qual|quale|quali|quant[oaie]|perch[eé])\b|dov'è"
        "|(?:dove|quando|come|com') ?(?:è|e|sono|era|sta|si|ho|abito|vivo|devo)\\b"
        "|ti ricordi|ricordi (?:dove|quando|chi|come|cosa|qual)|sai (?:dove|chi|cosa)",
        which=r"(?:(?:che )?cosa|chi|quando|dove|qual[ei]?|come|quant\w|perch[eé])\b",
    ),
}
