"""How people name a credential, in the languages that we know."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

from enum import StrEnum

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# No text that people write has it; where it stands, no value goes on.
STOP: Final = "\ufffc"


class Named(StrEnum):
    """What kind of credential a word announces."""

    PASSWORD = "password"  # noqa: S105 -- the name of a kind
    TOKEN = "token"  # noqa: S105 -- the name of a kind
    CODE = "code"
    PHRASE = "recovery phrase"


_E: Final = "(?<![^\\W_])"  # not behind a letter or a digit; `db_pass` is fine
_OTP: Final = (
    "door|gate|alarm|entry|access|security|unlock|safe|lock|lockbox|garage|backup"
    "|recovery|verification|confirmation|login|one[ -]?time|2fa|mfa|otp|sms"
    "|auth(?:entication|enticator)?"
)

# Kind, mark, pattern. Patterns are looked for in lower case, and only where the mark
# stands, which is what they all hold. Accents may be left out or be written apart.
WORDS: Final = (
    # English, and what other languages took from it.
    (Named.PASSWORD, "password", r"passwords?"),
    (Named.PASSWORD, "passw", r"passwd|passwort(?:e?s)?"),
    (Named.PASSWORD, "pass", rf"{_E}pass(?:code|key|phrase|[ -]phrase)?"),
    (Named.PHRASE, "passphrase", r"passphrase"),
    (Named.PASSWORD, "pw", rf"{_E}(?:pword|pwd|pw)"),
    (Named.PASSWORD, "psk", rf"{_E}(?:wpa2?[ _-]?)?psk"),
    (
        Named.PASSWORD,
        " key",
        rf"{_E}(?:wi-?fi|wlan|wpa2?|network|encryption) key",
    ),
    (
        Named.PHRASE,
        "phrase",
        r"(?:seed|recovery|backup|mnemonic|secret|wallet)[ _-]?phrase"
        r"|wiederherstellungsphrase|phrase (?:de r.{1,2}cup.{1,2}ration|secr.{1,2}te)",
    ),
    (
        Named.PHRASE,
        "fra",
        r"fra[sz]e?[ -](?:semilla|semente|seme|seed|de recupera\w{3,5}"
        r"|di recupero)|fraza (?:odzyskiwania|seed)",
    ),
    (Named.PHRASE, "фраз", r"(?:сид|сід|seed|мнемоническая)[ -]фраз[ау]"),
    (Named.PHRASE, "词", r"助记词"),
    (Named.PHRASE, "詞", r"助記詞"),
    (Named.PHRASE, "フレーズ", r"(?:リカバリー|シード)フレーズ"),
    (Named.PHRASE, "구", r"(?:시드|복구) ?(?:문구|구문)"),
    (Named.PHRASE, "herstelzin", r"herstelzin"),
    (Named.PHRASE, "ifadesi", r"kurtarma ifadesi"),
    (Named.PHRASE, "mnemonic", r"mnemonic"),
    (Named.PHRASE, "seed words", r"seed words"),
    (
        Named.TOKEN,
        "token",
        r"(?<!page)(?<!page[_ -])(?<!next[_ -])(?<!continuation[_ -])token(?:ul|i)?",
    ),
    (Named.TOKEN, "токен", r"токен[ауі]?"),
    (Named.TOKEN, "secret", rf"{_E}(?:(?:client|app|api|shared|jwt)[ _-]?)?secret"),
    (
        Named.TOKEN,
        "key",
        r"(?:api|access|secret|private|account|auth|license|signing|encryption|master"
        r"|service|admin)[ _-]?key",
    ),
    (
        Named.TOKEN,
        "api",
        r"(?:cl.{1,2} (?:d['’])?|chave (?:d[ae] )?|chiave |klucz |ключ )api"
        r"|api[ -](?:schl.{0,2}ssel|sleutel|ключ|anahtar[ıi]|키)|مفتاح api"
        r"|api ?(?:密[钥鑰]|キー|키)",
    ),
    (
        Named.TOKEN,
        "_key",
        r"(?<!public)(?<!primary)(?<!foreign)(?<!cache)(?<!sort)(?<!partition)"
        r"(?<!object)(?<!idempotency)_key",
    ),
    (Named.TOKEN, "authorization", rf"{_E}authorization"),
    (Named.CODE, "pin", rf"{_E}pin(?:[ -]?(?:code|number|nummer|kod|код))?"),
    (Named.CODE, "пин", rf"{_E}(?:пин|пін)(?:[ -]?код[ау]?)?"),
    (Named.CODE, "пін", rf"{_E}пін(?:[ -]?код[ау]?)?"),
    (Named.CODE, "puk", rf"{_E}puk"),
    (Named.CODE, "otp", rf"{_E}otp"),
    (Named.CODE, "cv", rf"{_E}cv[vc]2?"),
    (Named.CODE, "code", rf"{_E}(?:{_OTP})[ _-]?codes?|{_E}code pin"),
    (
        Named.CODE,
        "code ",
        rf"{_E}code (?:for|to|of) (?:the|my|our) (?:front |back )?"
        r"(?:door|gate|alarm|safe|lock|lockbox|garage|building)",
    ),
    (Named.CODE, "combination", r"(?:safe|lock) combination"),
    (Named.PASSWORD, "wpa", rf"{_E}wpa[23]?"),
    # German, Dutch
    (Named.PASSWORD, "kennwort", r"kennwort(?:e?s)?"),
    (Named.PASSWORD, "losung", rf"{_E}losungswort"),
    (Named.PASSWORD, "ssel", r"(?:wlan|wi-?fi|netzwerk)-?schl.{0,2}ssel"),
    (
        Named.CODE,
        "code",
        r"(?:t.{1,2}r|best.{1,2}tigungs|sicherheits|zugangs|freischalt|entsperr"
        r"|verificatie|toegangs|beveiligings|deur|alarm)-?code",
    ),
    (Named.CODE, "geheimzahl", r"geheimzahl"),
    (Named.PASSWORD, "wachtwoord", r"wachtwoord"),
    # Spanish, Portuguese, French, Italian
    (Named.PASSWORD, "contrase", r"contrase(?:ñ|n\u0303?)a"),
    (Named.PASSWORD, "clave", rf"{_E}clave"),
    (Named.PASSWORD, "senha", rf"{_E}senha"),
    (Named.PASSWORD, "palavra", r"palavra[ -]passe"),
    (Named.PASSWORD, "mot de passe", r"mot de passe"),
    (Named.PASSWORD, "mdp", rf"{_E}mdp"),
    (Named.PASSWORD, "cl", rf"{_E}cl(?:é|e\u0301?) (?:wi-?fi|wpa|du wi-?fi)"),
    (Named.PASSWORD, "parola", r"parola(?: d'ordine|sı|m)?"),
    (Named.PASSWORD, "chiave", rf"{_E}chiave (?:wi-?fi|wpa|del wi-?fi)"),
    (
        Named.CODE,
        "digo",
        r"c(?:ó|o\u0301?)digo (?:de (?:verifica|acces|seguri|segura|confirma|la puerta"
        r"|desbloqueo|acesso|desbloqueio)\w{0,6}|da porta|del? port\w+|pin|secreto)",
    ),
    (
        Named.CODE,
        "code",
        r"code (?:de (?:v.{1,2}rification|s.{1,2}curit\w{1,2}|confirmation|la porte"
        r"|d.{1,2}verrouillage)|d['’]acc.{1,2}s|secret|confidentiel|pin|du portail)",
    ),
    (
        Named.CODE,
        "codice",
        r"codice (?:di (?:verifica|accesso|sicurezza|conferma|sblocco)|pin|segreto"
        r"|della porta|del cancello)",
    ),
    # Polish, Russian, Ukrainian
    (Named.PASSWORD, "has", rf"{_E}has[łl](?:o|a|em|u)"),
    (
        Named.CODE,
        "kod",
        rf"{_E}kod (?:weryfikacyjny|dost.pu|pin|do (?:drzwi|domofonu|bramy|furtki))",
    ),
    (Named.PASSWORD, "парол", r"парол(?:ь|я|ем|ю)"),
    (
        Named.CODE,
        "код",
        rf"{_E}код (?:подтверждения|доступа|безопасности|домофона|подъезда|из смс"
        r"|підтвердження|доступу|безпеки|домофону|з смс"
        r"|(?:от|від) (?:двери|домофон[ау]|подъезда|сейф[ау]|дверей|під'їзду))",
    ),
    (Named.PASSWORD, "ключ", r"ключ (?:wi-?fi|сети|от wi-?fi)"),
    # Turkish, Arabic
    (Named.PASSWORD, "ifre", r"(?:ş|s\u0327?)ifre(?:si|miz|niz|m|n)?"),
    (
        Named.CODE,
        "kodu",
        r"(?:do(?:ğ|g\u0306?)rulama|onay|g(?:ü|u\u0308?)venlik|eri(?:ş|s)im|kap[ıi])"
        r" kodu",
    ),
    (Named.PASSWORD, "كلمة", r"كلمة (?:المرور|السر|مرور|سر)"),
    (Named.PASSWORD, "باسورد", r"باسورد|باسوورد"),
    (Named.CODE, "رم", r"رمز (?:التحقق|التأكيد|الدخول|الأمان|الباب|المرور|التعريف)"),
    (Named.CODE, "السري", r"الرقم السري"),
    (Named.CODE, "كود", r"كود (?:التحقق|التأكيد|الدخول|الباب)"),
    # Chinese, Japanese, Korean
    (Named.PASSWORD, "密", r"密[码碼](?![学學本锁鎖])"),
    (Named.PASSWORD, "口令", r"口令"),
    (Named.CODE, "验证码", r"验证码"),
    (Named.CODE, "驗證碼", r"驗證碼"),
    (Named.PASSWORD, "パスワード", r"パスワード"),
    (Named.PASSWORD, "パスコード", r"パスコード"),
    (Named.CODE, "コード", r"(?:認証|確認|セキュリティ)コード"),
    (Named.CODE, "暗証番号", r"暗証番号"),
    (Named.PASSWORD, "비밀번호", r"비밀번호"),
    (Named.PASSWORD, "비번", r"비번"),
    (Named.PASSWORD, "패스워드", r"패스워드"),
    (Named.PASSWORD, "암호", r"암호(?!화)"),
    (Named.CODE, "인증", r"인증 ?(?:번호|코드)"),
    (Named.CODE, "핀", r"핀 ?번호"),
    # Elsewhere
    (Named.PASSWORD, "heslo", r"heslo"),
    (Named.PASSWORD, "senord", r"l(?:ö|o\u0308?)senord(?:et)?"),
    (Named.PASSWORD, "passord", r"passord(?:et)?"),
    (Named.PASSWORD, "adgangskode", r"adgangskoden?"),
    (Named.PASSWORD, "salasana", r"salasana"),
    (Named.PASSWORD, "jelsz", r"jelsz(?:ó|o\u0301?)"),
    (Named.PASSWORD, "lozinka", r"lozinka"),
    (Named.PASSWORD, "парола", r"парола(?:та)?"),
    (Named.PASSWORD, "κωδικ", r"κωδικ(?:ό|ο)ς"),
    (Named.PASSWORD, "kata sandi", r"kata sandi"),
    (Named.PASSWORD, "khẩu", r"mật khẩu"),
    (Named.PASSWORD, "รหัสผ่าน", r"รหัสผ่าน"),
    (Named.PASSWORD, "पासवर्ड", r"पासवर्ड"),
    (Named.PASSWORD, "סיסמ", r"סיסמ(?:ה|ת)"),
    (Named.PASSWORD, "رمز عبور", r"رمز عبور"),
    (Named.TOKEN, "令牌", r"令牌"),
    (Named.TOKEN, "密钥", r"密钥|密鑰"),
    (Named.TOKEN, "トークン", r"トークン"),
    (Named.TOKEN, "토큰", r"토큰"),
)


def names_in(low: str) -> list[tuple[Named, str]]:
    """List the names that a text in lower case may hold: kind, pattern."""
    return [(kind, name) for kind, mark, name in WORDS if mark in low]


def lowered(text: str) -> str:
    """Lower a text, each letter where it was."""
    # Only this letter becomes two in lower case, and would move all that follows.
    return text.replace("İ", "i").lower()
