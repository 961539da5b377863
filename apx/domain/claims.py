"""Whether a reply claims that something was saved, which must then be true."""
# ruff: noqa: RUF001 - Chinese and Japanese have their own wide punctuation

from __future__ import annotations

import re
from typing import Final

# Where another voice speaks: code, quotation marks, quoted lines.
_QUOTED: Final = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*$"
    r'|"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』',
    re.DOTALL | re.MULTILINE,
)
# A stop inside a word, as in report.pdf, ends no sentence.
_SENTENCE: Final = re.compile(r"(?:[^.!?;\n。！？；]|\.(?=\w))+[.!?;。！？；]*")
_QUESTION: Final = ("?", "？")
_CLAUSE_BREAK: Final = re.compile(r"[,:，、：—]")

# "If you tell me, I'll remember it": what comes before makes it no claim at all.
_CONDITION: Final = re.compile(
    r"\b(?:if|once|whenever|would|could|unless|(?:want|ask|asked|like) me to|should i"
    r"|si|podr[ií]a|quieres que|quer que|veux que|voulez que|soll ich|möchtest"
    r"|vuoi che)\b|(?:^|[,;])\s*(?:when|se|caso|quando|cuando|quand|lorsque|wenn|falls"
    r"|sobald)\b"
    r"|如果|要是|要不要|もし|たら",
    re.IGNORECASE,
)
# The same said afterwards: "I'll remember it if you tell me".
_PROVISO: Final = re.compile(
    r"\b(?:if|once|when) you (?:tell|want|like|wish|share|give|let|say|ask)"
    r"|\bsi (?:me|quieres|tu veux|vous voulez)|\bwenn du|\bse (?:vuoi|quiser|mi|me)\b",
    re.IGNORECASE,
)
# A refusal counts in its own clause only: "don't worry, I'll remember" claims.
_DENIAL: Final = re.compile(
    r"\b(?:not|cannot|never|unable|without|\w+n['’]t|no|nunca|jamás|não|nao|sem|ne"
    r"|pas|jamais|nicht|kein\w*|nie|niemals|non|mai|senza)\b|\bn['’]|没|不|无法|未|别",
    re.IGNORECASE,
)
# "I saved the file report.pdf" is about the disk, not about memory.
_ELSEWHERE: Final = re.compile(
    r"\b(?:files?|documents?|folder|director(?:y|ies)|disk|draft|screenshot|script"
    r"|changes|archivos?|fichero|carpeta|documentos?|cambios|arquivos?|ficheiros?|pasta"
    r"|fichiers?|dossier|dateien|datei|dokument\w*|ordner|cartella|documenti|modifiche"
    r"|alterações|modifications|änderungen)\b|\w\.(?:pdf|txt|md|py|js|json|csv|png|jpe?g"
    r"|docx?|xlsx?|html?|ya?ml|toml|zip)\b|文件|文档|ファイル|フォルダ|ドキュメント",
    re.IGNORECASE,
)

_NEAR: Final = 300  # characters of a sentence that may take a claim back
# "Noted." alone, or after a word of assent.
_SHORT: Final = r"^\W*(?:[^\W\d][\w'’ ]{0,24}[,:—-]\s*)?"
_STOP: Final = r"(?=\s*(?:$|[.!,:;—-]))"
_IT: Final = r"(?:it|this|that|your|as a note|a note|the note)\b"
_TO_MEMORY: Final = r"(?:to|in|into) (?:my |your |the )?(?:memory|notes)\b"

# A promise to remember can hardly mean anything else.
_PROMISES: Final = (
    r"\bi(?:['’]ll| will| shall|['’]m going to| am going to) (?:\w+ )?(?:remember\b"
    rf"|keep [^.]{{0,40}}in mind|memori[sz]e|make a note|(?:note|save|store) {_IT})"
    r"|\bi won['’]t forget\b|\bconsider it (?:noted|remembered|saved)\b",
    r"\b(?:recordaré|memorizaré|me acordaré|voy a recordar|voy a acordarme)\b"
    r"|\btendré (?:eso |esto )?(?:en cuenta|presente)\b|\bno (?:lo |la )?olvidaré\b",
    r"\b(?:lembrarei|vou (?:me )?lembrar|vou-me lembrar|memorizei|vou memorizar"
    r"|não (?:vou )?(?:me )?esquece(?:r|rei)|vou ter isso em mente)\b",
    r"\bje (?:m['’]en|me|m['’]) ?(?:souviendrai|rappellerai)\b|\bje n['’]oublierai pas"
    r"|\bje (?:le |la |les )?(?:retiens|retiendrai)\b|\bj['’]ai (?:bien )?retenu\b",
    r"\b(?:ich merke (?:es |das |ihn |sie )?mir|merke ich mir)\b(?! nicht| leider)"
    r"|\bich merke mir\b|\bich vergesse es nicht\b"
    r"|\bich werde (?:es |das |mir |mich |daran ){1,3}(?:merken|erinnern|denken)\b"
    r"|\bhabe? (?:es |das |ich |mir ){1,3}gemerkt\b",
    r"\b(?:ricorderò|memorizzerò)\b|\bterrò (?:questo )?(?:a mente|presente)\b"
    r"|\bnon (?:lo )?dimenticherò\b",
    r"我(?:会|已经?|都|帮你|替你|为你|一定)+(?:记住|记下|记得)|我记(?:住|下|好)了"
    r"|(?:^|[，,的])\s*(?:已经?)?(?:帮你|为你|为您)?(?:都)?记(?:住|下来?|好)了",
    "覚えました|覚えておき(?:ます|ました)|記憶しました|記憶しておきます|忘れません",
)
# Saving may be about other things, so here the sentence must not name a file.
_SAVINGS: Final = (
    r"\bi(?:['’]ve| have)? (?:just |now |already |also )?(?:(?:saved|stored|recorded)"
    rf" {_IT}|(?:saved|stored|added|written|noted) [^.]{{1,60}}? {_TO_MEMORY}"
    r"|noted (?:it|this|your)\b)",
    r"\bi(?:['’]ve| have) (?:just |now |already |also )?noted\b"
    r"|\bmemory updated\b|\bnote (?:saved|added)\b",
    rf"{_SHORT}(?:duly )?(?:noted{_STOP}|(?:saved|stored|remembered)(?=\s*(?:$|[.!,;—-]"
    rf"|(?:it )?{_TO_MEMORY}|as note)))",
    r"\b(?:it|this|that|note|preference|information|details?|it['’]s|that['’]s)"
    r"(?: is| has been| have been)? (?:now |been )?(?:saved|noted|stored|recorded)"
    rf"(?: {_TO_MEMORY}|\s*[.!,;]|\s*$)",
    r"\bhe (?:guardado|anotado|apuntado|registrado|memorizado)\b|\btom[oé] nota\b"
    r"|\b(?:guardé|anoté|apunté|memoricé)\b"
    r"|\b(?:está|queda|tengo|quedó|quedado) (?:guard|anot|apunt|registr)ad[oa]s?\b"
    rf"|{_SHORT}(?:anotad|apuntad|guardad)[oa](?: que\b|{_STOP})",
    r"\b(?:guardei|anotei|registrei|gravei|salvei|tomei nota)\b"
    r"|\bvou (?:guardar|anotar) (?:isso|isto)\b"
    r"|\b(?:está|foi|ficou) (?:guardad|anotad|salv|registrad|gravad)[oa]\b"
    rf"|{_SHORT}(?:anotad|guardad|salv|registrad)[oa](?: que\b|{_STOP})",
    r"\bc['’]est (?:bien )?(?:noté|enregistré|sauvegardé|mémorisé|retenu)\b"
    r"|\bj['’]ai (?:bien )?(?:enregistré|sauvegardé|mémorisé)"
    r"|\bj['’]en ai pris note\b|\b(?:je|j['’]en) prends (?:bonne )?note\b"
    r"|\bje (?:le |la )note\b"
    r"|\bje l['’]ai (?:bien )?(?:noté|enregistré|retenu|sauvegardé)"
    r"|\bj['’]ai (?:bien )?noté (?:que\b|qu['’]|ça|cela|ceci|votre|ton|ta|tes|vos)"
    rf"|{_SHORT}(?:bien )?(?:noté|enregistré)e?{_STOP}",
    r"\b(?:ich habe|habe ich)\b(?:(?!\b(?:nicht|kein\w*|nie)\b)[^,.]){0,60}?"
    r"\b(?:gespeichert|notiert|vermerkt)\b"
    r"|\b(?:ist|wurde)(?: jetzt| nun)? (?:gespeichert|notiert|vermerkt|gemerkt)\b"
    rf"|{_SHORT}(?:notiert|gespeichert|gemerkt|vermerkt){_STOP}",
    r"\b(?:l['’])?ho (?:già |appena )?(?:salvat|annotat|memorizzat|registrat)[oaie]\b"
    r"|\bme l[oa] (?:sono|segno) ?(?:segnat[oa])?\b|\b(?:ne )?prendo nota\b"
    r"|\bme l['’]ho segnat|\bè (?:stat[oa] )?(?:salvat|annotat|memorizzat)[oa]\b"
    rf"|{_SHORT}(?:annotat|salvat|segnat|memorizzat)[oa](?: che\b|{_STOP})",
    r"已(?:经)?(?:为您|为你|帮你|替你|成功)?(?:保存|记录|存好|存储|记住|记下)"
    r"|(?:保存|存|记录)(?:好|下来)?了",
    r"(?:保存|記録|メモ|登録)(?:し(?:ました|ておきました|ておきます))",
)
_PROMISE: Final = re.compile("|".join(_PROMISES), re.IGNORECASE)
_SAVING: Final = re.compile("|".join(_SAVINGS), re.IGNORECASE)


def claims_saved(reply: str) -> bool:
    """Tell whether a reply says that it saved, noted or will remember something.

    Recalling, refusing, offering and asking are no claims, and quoted text and code
    are not the assistant's word. When in doubt it is no claim.
    """
    spoken = _QUOTED.sub(" ", reply)
    return any(_claims(found[0].strip()) for found in _SENTENCE.finditer(spoken))


def _claims(sentence: str) -> bool:
    if sentence.endswith(_QUESTION):
        return False
    if any(_holds(found) for found in _PROMISE.finditer(sentence)):
        return True
    if _ELSEWHERE.search(sentence):
        return False
    return any(_holds(found) for found in _SAVING.finditer(sentence))


def _holds(found: re.Match[str]) -> bool:
    """Whether nothing around the claim takes it back."""
    before = found.string[max(0, found.start() - _NEAR) : found.start()]
    clause = _CLAUSE_BREAK.split(before)[-1]
    return not (
        _CONDITION.search(before)
        or _DENIAL.search(clause)
        or _PROVISO.search(found.string, found.end(), found.end() + _NEAR)
    )
