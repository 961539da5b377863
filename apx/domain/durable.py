"""Which sentences of a person's message are worth keeping for years.

A wrong proposal costs a person's patience; a missing one costs little, as the message
itself stays in the log. So whatever may be of its moment is left out.
"""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from apx.domain.fact_reading import plain_form
from apx.domain.fact_subjects import HABIT, OWN, is_pronoun
from apx.domain.facts import claims_of
from apx.domain.secrets import mask
from apx.domain.standing import Standing, statements
from apx.domain.standing_text import own_sentences
from apx.domain.text import flatten

if TYPE_CHECKING:
    from apx.domain.fact_reading import Claim

_READ: Final = 20_000  # characters of a message; what is longer was pasted
_LONGEST: Final = 300
_MOST: Final = 10

# Phrases are parted by ` / `; accents and case make no difference.
# That an instruction holds on, whatever it is about.
_FROM_NOW_ON: Final = """
from now on / from now onwards / from now onward / from here on / from today on
/ going forward / henceforth / by default / a partir de ahora / a partir de hoy
/ de ahora en adelante / de hoy en adelante / desde ahora / en lo sucesivo
/ por defecto / a partir de agora / de agora em diante / daqui em diante
/ daqui para a frente / doravante / por padrão / à partir de maintenant
/ à partir d'aujourd'hui / désormais / dorénavant / dès à présent / par défaut
/ ab jetzt / ab sofort / ab heute / ab nun / von jetzt an / von nun an / künftig
/ zukünftig / in zukunft / fortan / standardmäßig / d'ora in poi / d'ora in avanti
/ da ora in poi / da adesso in poi / da oggi in poi / voortaan / vanaf nu
/ vanaf vandaag / in het vervolg / отныне / впредь / с этого момента
/ с сегодняшнего дня / в дальнейшем / по умолчанию / 从现在起 / 从现在开始 / 从今以后
/ 从今天起 / 今后 / 以后请 / 以后都 / 默认 / これから / 今後 / 今から / デフォルト
/ 앞으로 / 이제부터 / 지금부터 / 오늘부터 / من الآن فصاعدا / من الآن / من اليوم فصاعدا
/ اعتبارا من الآن
"""
# How a person wants to be called.
_BY_NAME: Final = """
call me / address me / my pronouns / my time zone / my timezone / i go by / llámame
/ llámeme / puedes llamarme / me chame / me chama / chama-me / chame-me
/ pode me chamar / appelle-moi / appelez-moi / tu peux m'appeler / tutoie-moi
/ vouvoie-moi / nenn mich / nennen sie mich / duze mich / sieze mich / chiamami
/ mi chiami / puoi chiamarmi / dammi del tu / noem me / noem mij / называй меня
/ называйте меня / зови меня / обращайся ко мне / 叫我 / 称呼我 / と呼んで / 라고 불러
/ 이라고 불러 / نادني
"""
# That it holds each time; what it is about must be an answer.
_EACH_TIME: Final = """
always / never / whenever / every time / each time / your answers / your replies
/ all answers / i prefer / i'd prefer / siempre / nunca / cada vez que
/ tus respuestas / sus respuestas / prefiero / sempre / suas respostas / as respostas
/ prefiro / toujours / jamais / chaque fois / tes réponses / vos réponses / je préfère
/ immer / stets / nie / niemals / jedes mal / deine antworten / ihre antworten
/ lieber / mai / ogni volta / le tue risposte / preferisco / altijd / nooit / telkens
/ je antwoorden / liever / всегда / никогда / твои ответы / 总是 / 永远 / 每次 / 始终
/ 一律 / 一直 / いつも / 必ず / 常に / 毎回 / 항상 / 언제나 / 절대 / 매번 / دائما
/ ابدا
"""
_OF_ANSWERS: Final = """
answer / answers / reply / replies / respond / responses / write / speak / talk to me
/ explain / format / translate / give / show me / send me / tell me / ask me / use
/ units / bullet points / spelling / emoji / emojis / markdown / quote / responde
/ respóndeme / responda / contesta / contéstame / conteste / escribe / escríbeme
/ háblame / explícame / dame / dime / respuestas / usa / utiliza / me hables / frases
/ pregúntame / escreva / escreve / fale / fala / me dê / respostas / explique
/ pergunte / réponds / répondez / réponds-moi / répondez-moi / écris / écrivez
/ parle-moi / parlez-moi / réponses / utilise / utilisez / explique-moi / donne-moi
/ demande-moi / antworte / antworten / schreib / schreibe / schreiben sie
/ sprich mit mir / erkläre / verwende / benutze / gib mir / nutze / frag mich
/ sag mir / rispondi / rispondimi / risponda / scrivi / scrivimi / parlami / risposte
/ dammi / spiegami / chiedimi / antwoord / antwoorden / schrijf / gebruik / geef me
/ vraag me / отвечай / отвечайте / пиши / пишите / говори / ответы / используй / 回答
/ 回复 / 用中文 / 用英文 / 用英语 / 告诉我 / 使用 / 写 / 答え / 返事 / 書い / 使って
/ 教えて / 대답 / 답변 / 답해 / 써 / 말해 / 사용 / اجب / أجب / اكتب / استخدم / رد
"""
# Whoever begins so tells of somebody, and does not ask for anything.
_TELLS: Final = re.compile(
    r"(?!(?:when|whenever|if|every|each|any)\b)(?:[\w']{1,12},? ){0,2}?"
    r"(?:(?:i|we|he|she|they|it|this|that|there|you|who)(?:'\w{1,2})?|my \w+|the \w+)\b"
    r"(?! prefer\b|'d (?:prefer|like)\b| want you\b| would (?:prefer|like)\b"
    r"| (?:can|should|must|may) (?:always|never|answer|reply|write|speak|call|use)\b)"
    r"|.{0,200}\b(?:i|we|it|they|you) (?:always|never)\b"
)
_STORY: Final = re.compile(
    r"[, ]{0,2}(?:i|we|he|she|they|it)(?:'\w{1,2})?\b(?! want| need| pr|'d)"
)
# A plan of the person's own, though it may be for ever.
_PLANS: Final = """
i'll / i will / we'll / we will / i'm going to / i am going to / i plan / voy a
/ vamos a / vou / je vais / on va / nous allons / ich werde / wir werden / ik ga
/ ik zal / я буду / мы будем
"""
# How it is now, and things that one must see to know what they are.
_PASSING: Final = """
today / tonight / this morning / this afternoon / this evening / this week
/ this month / this weekend / right now / at the moment / for now / just now
/ tomorrow / yesterday / so far / lately / my flight / my train / my bus / my order
/ my ticket / my meeting / my appointment / my hotel / my trip / my budget
/ my deadline / mi vuelo / mi tren / mi pedido / mi cita / mi presupuesto / mon vol
/ mon train / mein flug / mein zug / mein termin / meine bestellung / il mio volo
/ il mio treno / meu voo / meu trem / mijn vlucht / mijn trein / call me later
/ call me back / call me when / call me if / call me at / last week / temporarily
/ hoy / esta semana / esta noche / esta mañana / ahora mismo / por ahora / de momento
/ mañana / ayer / hoje / agora mesmo / por enquanto / amanhã / ontem / aujourd'hui
/ ce soir / ce matin / cette semaine / en ce moment / pour l'instant / demain / hier
/ heute / diese woche / gerade / momentan / im moment / zurzeit / vorerst / morgen
/ gestern / oggi / stasera / questa settimana / al momento / per ora / domani / ieri
/ vandaag / deze week / op dit moment / voorlopig / gisteren / сегодня / сейчас
/ завтра / вчера / пока / 今天 / 今晚 / 现在 / 明天 / 昨天 / 暂时 / 今日 / 今夜 / 明日
/ 昨日 / 오늘 / 지금 / 이번 주 / 내일 / 어제 / اليوم / الآن / غدا / امس
"""
_POINTING: Final = """
the / just / this / that / these / those / your / his / her / their / its / it / them
/ him / you / how / when / what / where / everything / something / este / esta / estos
/ esto / ese / esa / eso / tu / tus / su / sus / cómo / cuando / isso / esse / essa
/ seu / sua / ce / cette / cet / ça / ton / ta / tes / votre / vos / comment / quand
/ dies / diese / dieser / dieses / diesen / das / dein / deine / ihr / ihre / wie
/ wenn / questo / questa / quello / quella / tuo / tua / come / quando / dit / deze
/ это / этот / эта / эти / 这 / 那 / この / その / それ
"""
_FAVOURITE: Final = re.compile(
    r"favou?rit|prefer|liebling|lievelings|любим|喜欢|最爱|好き|좋아하|مفضل"
)
_SECRET: Final = re.compile(
    r"passwor|passphrase|passcode|contrasen|senha|mot de passe|passwort|kennwort"
    r"|wachtwoord|парол|密码|密碼|パスワード|비밀번호|api[ _-]?key|secret|token|\bpin\b"
    r"|\bcvv\b|\biban\b|bank account|account number|credit card|card number|tarjeta"
    r"|kreditkarte|carte bancaire|cartao|كلمه|كلمة"
)
_ALLERGIC: Final = re.compile(
    r"(?<!if )(?<!any )(?:\bi'?m|\bi am|\bi have an?|\bwe are|\bwe're"
    r"|\bmy [\w ]{1,30} (?:is|are|has)|\bsoy|\btengo|\besto[uy]|\bsou|\btenho|\bje suis"
    r"|\bich bin|\bich habe|\bsono|\bik ben|у меня|我对|我對|私は|나는|저는)"
    r"[^.,;!?]{0,40}?"
    r"(?:\ballerg|\balerg|\bintoleran|аллерг|过敏|過敏|アレルギー|알레르기)"
)
_THINGS: Final = frozenset({"address", "mail"})  # values that name one place
_NAMED: Final = frozenset({"name", "country", "mail", "url", "address", "money"})
_DATED: Final = frozenset({"day", "time"})
_OF_OTHERS: Final = frozenset({"residence", "employer", "birthday", "address", "phone"})
_QUESTION: Final = ("?", "？", "؟")
_JOINED: Final = re.compile("[\u0600-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def durable(text: str) -> tuple[str, ...]:
    """Give the sentences that state a lasting fact or instruction, in order.

    Word for word but on one line each. None holds a credential.
    """
    told = frozenset(
        flatten(said.text)
        for said in statements(text[:_READ])
        if said.kind is Standing.INSTRUCTION
    )
    found: dict[str, None] = {}
    for sentence in own_sentences(text[:_READ]):
        flat = flatten(sentence.text)
        if _may_be_kept(flat) and (_is_fact(flat) or (flat in told and _lasts(flat))):
            found[flat] = None
        if len(found) == _MOST:
            break
    return tuple(found)


def _may_be_kept(sentence: str) -> bool:
    if len(sentence) > _LONGEST or mask(sentence) != sentence:
        return False
    return not _SECRET.search(plain_form(sentence))


def _is_fact(sentence: str) -> bool:
    """Whether a sentence says something that will be so for long."""
    plain = plain_form(sentence)
    if sentence.endswith(_QUESTION):
        return False
    if _ALLERGIC.search(plain):
        return True
    is_passing = _says(_PASSING, plain)
    is_cased = sentence != sentence.lower()
    for claim in claims_of(sentence):
        if is_passing and not claim.is_change:
            continue
        if claim.subject in OWN and claim.whose == "i":
            is_lasting = _is_own(claim, is_cased=is_cased)
        else:
            is_lasting = _is_lasting(claim, plain)
        if is_lasting:
            return True
    return False


def _is_own(claim: Claim, *, is_cased: bool) -> bool:
    if claim.subject in {"partner", "name"}:
        return claim.kind == "name" or (claim.subject == "name" and not is_cased)
    return claim.subject == "birthday" or claim.kind not in _DATED


def _is_lasting(claim: Claim, plain: str) -> bool:
    subject = claim.subject
    if subject.startswith(HABIT):
        return not _says(_POINTING, plain)
    if subject == "use":
        return claim.kind != "?"
    if claim.whose == "i":
        return claim.kind in _NAMED or _FAVOURITE.search(plain) is not None
    # Nobody knows in a year who "she" was.
    who, _, what = subject.rpartition(" ")
    is_of_other = what in _OF_OTHERS and who != "" and not is_pronoun(who)
    return not claim.whose and (is_of_other or claim.kind in _THINGS)


def _lasts(sentence: str) -> bool:
    """Whether an instruction is meant for the conversations to come, too."""
    plain = plain_form(sentence)
    if _says(_PLANS, plain):
        return False
    if found := _compiled(_FROM_NOW_ON).search(plain):
        return not _STORY.match(plain, found.end() if found.start() == 0 else 0)
    if sentence.endswith(_QUESTION):
        return False
    if _says(_BY_NAME, plain):
        return not _says(_PASSING, plain)
    is_told = _TELLS.match(plain) is not None
    return not is_told and _says(_EACH_TIME, plain) and _says(_OF_ANSWERS, plain)


def _says(phrases: str, plain: str) -> bool:
    return _compiled(phrases).search(plain) is not None


@cache
def _compiled(phrases: str) -> re.Pattern[str]:
    """Compile a list of phrases; where words are joined, they have no edges."""
    plain = [plain_form(phrase) for phrase in phrases.split("/")]
    joined = [re.escape(phrase) for phrase in plain if _JOINED.search(phrase)]
    parted = [re.escape(phrase) for phrase in plain if not _JOINED.search(phrase)]
    return re.compile(
        "|".join([rf"(?<![\w'-])(?:{'|'.join(parted)})(?![\w-])", *joined])
    )
