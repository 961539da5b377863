"""What facts are about: which subjects have one value, and which name the same."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from apx.domain.fact_values import words
from apx.domain.text import normal

HABIT: Final = "habit"
# A person's own that is known by a name in every language.
_ALIASES: Final = {
    "address": "address home street postal direccion endereco adresse anschrift"
    " indirizzo"
    " adres адрес 地址 住所 住址 주소 عنواني",
    "phone": "phone telephone mobile cell cellphone number telefono movil celular"
    " numero"
    " telefone portable telephone handy handynummer telefon telefonnummer nummer"
    " cellulare telefoonnummer mobiel номер телефон телефона 电话 手机 号码 电话号码"
    " 手机号 電話番号 電話 携帯 번호 전화번호 전화 رقمي هاتفي رقم",
    "email": "email e-mail mail correo electronico courriel emailadresse address"
    " adresse direccion endereco indirizzo adres"
    " mailadresse e-mailadres почта имейл электронная 邮箱 メール メールアドレス 이메일"
    " بريدي",
    "name": "name nombre nome nom naam имя 名字 名前 이름 اسمي",
    "age": "age edad idade alter eta leeftijd возраст 年龄 年齢 나이 عمري",
    "birthday": "birthday cumpleanos aniversario anniversaire geburtstag compleanno"
    " verjaardag день рождения 生日 誕生日 생일",
    "residence": "hometown city residence ciudad cidade ville stad wohnort stadt citta"
    " город 城市 도시",
    "employer": "employer company arbeitgeber empleador empresa employeur entreprise"
    " firma azienda werkgever компания работодатель 公司 会社 회사 직장",
    "job": "job profession occupation trabajo profesion emploi metier beruf lavoro"
    " baan beroep работа профессия 职业 工作 仕事 職業 직업 وظيفتي مهنتي",
    "partner": "wife husband partner girlfriend boyfriend spouse fiance fiancee esposa"
    " esposo mujer marido novia novio pareja namorada namorado femme mari copine copain"
    " frau mann freundin moglie marito vrouw man жена муж 妻子 老婆 丈夫 老公 妻 夫"
    " 아내 남편 زوجتي زوجي",
    "car": "car auto coche carro voiture macchina wagen машина 车 車 차 자동차 سيارتي",
}
OWN: Final = frozenset(_ALIASES)
# Of a car and of a wife much can be said that is no other one.
_ONE: Final = OWN - {"car", "partner", "job"}
# People and things have several of these.
_MANY: Final = """
friend friends brother brothers sister sisters son sons daughter daughters child kids
children kid cousin uncle aunt colleague coworker neighbor neighbour hobby hobbies
problem question issue point idea thing things goal cat cats dog dogs pet pets book
books movie song photo answer reason part rest day life family way time advice thought
plan dream favorite feeling experience result best worst hope opinion story news
amigo amiga hermano hermana hijo hija primo perro gato irmao irma filho filha ami amie
frere soeur fils fille chien chat freund bruder schwester sohn tochter hund katze
amico amica fratello sorella figlio figlia cane vriend broer zus zoon dochter hond kat
друг подруга брат сестра сын дочь кот кошка собака 朋友 哥哥 弟弟 姐姐 妹妹 儿子 女儿
友達 兄 弟 姉 妹 息子 娘 猫 犬 친구 형 동생 아들 딸 고양이 강아지
"""
_LINKS: Final = frozenset(["de", "di", "da", "do", "du", "des", "of", "electronico"])
_NO_SUBJECT: Final = """
i you he she it they we them him her us me to be this that these those there here what
who which everything nothing something anything everyone someone one all some he's
it's that's there's how when why where today tomorrow yesterday ich du er sie es das
wir yo tu el ella eso esto je il elle ce ca io lui lei ik jij hij dit dat я ты он она
оно это мы они там здесь 我 你 他 她 它 这 那 这里 那里 私 僕 これ それ あれ ここ
나 너 그
이것 그것 انا هو هي هذا
"""
# Whatever has one of these has one.
_SINGLE: Final = re.compile(
    r"favou?r|favorit|prefer|liebling|lievelings|любим|喜欢|好き|좋아하|مفضل|password"
    r"|passwor|contrasena|senha|mot de passe|passwort|wachtwoord|пароль|密码|パスワード"
    r"|비밀번호|colou?r|farbe|couleur|size|weight|height|budget|salary|rent\b|deadlin"
    r"|price|preci|prix|preis|prezz|prijs|цен|价格|값|가격|version|address|direccion"
    r"|endereco|indirizz|адрес|地址|住所|주소|عنوان|timezone|boss|chef|manager|capital"
    r"|status|port\b|owner|leader|host"
)
_MY: Final = re.compile(
    r"(?:o |a |il |la )?(?:my|mis?|meus?|minhas?|mon|ma|mes|mein\w*|mi[oa]|miei"
    r"|mie|mijn"
    r"|мо[ияе]\w*|我(?:的|家的)?|私の|僕の|내가?|제가?)"
)
_YOUR: Final = re.compile(
    r"(?:o |a |il |la )?(?:your|tus?|sua?|teu|tua|ton|ta|votre|vos|dein\w*|tuo|jouw|je)"
)
_TOOLS: Final = {
    "database": "mysql postgresql postgres sqlite mariadb oracle mongodb mongo redis"
    " cassandra dynamodb sqlserver mssql cockroachdb couchdb firebird duckdb clickhouse"
    " snowflake bigquery neo4j elasticsearch",
    "chat": "slack 飞书 钉钉 微信 teams discord mattermost telegram"
    " whatsapp signal rocketchat zulip"
    " element matrix messenger",
    "cloud": "aws azure gcp heroku hetzner digitalocean linode vercel netlify"
    " cloudflare"
    " ovh scaleway fly.io",
    "tracker": "jira linear trello asana clickup monday redmine youtrack notion"
    " basecamp shortcut",
    "hosting": "github gitlab bitbucket gitea codeberg forgejo",
    "ci": "jenkins circleci travis buildkite teamcity drone",
    "editor": "vim neovim emacs vscode pycharm intellij sublime atom zed helix nano"
    " eclipse cursor",
    "browser": "chrome firefox safari edge brave opera vivaldi chromium",
    "system": "windows linux macos ubuntu debian fedora arch android ios mint",
    "language": "python java javascript typescript rust golang kotlin ruby php scala"
    " perl swift elixir haskell c++ c#",
    "frontend": "react vue angular svelte solid ember jquery",
    "backend": "django flask fastapi rails spring express laravel nestjs",
    "broker": "kafka rabbitmq nats sqs activemq pulsar",
    "orchestration": "kubernetes nomad swarm docker podman",
    "webserver": "nginx apache caddy traefik haproxy",
    "video": "zoom meet webex skype jitsi",
    "mailer": "gmail outlook thunderbird protonmail fastmail",
    "bank": "revolut n26 wise paypal stripe",
    "maker": "iphone samsung pixel xiaomi huawei",
}
TOOLS: Final = frozenset(_TOOLS)
_KINDS_OF_TOOLS: Final = {
    "database": "database databases db datenbank datos donnees dados database базу база"
    " 数据库 資料庫 データベース 데이터베이스",
    "chat": "chat messenger мессенджер 聊天 チャット 메신저",
    "cloud": "cloud nube nuvem nuage облако 云 クラウド 클라우드",
    "tracker": "tracker tickets issues aufgaben tareas tarefas",
    "editor": "editor ide editeur редактор 编辑器 エディタ 에디터",
    "browser": "browser navegador navigateur браузер 浏览器 ブラウザ 브라우저",
    "language": "language lenguaje linguagem langage sprache linguaggio язык 语言 言語",
    "broker": "broker queue",
    "ci": "ci pipeline",
    "hosting": "git repository repositories",
}
_COUNTRIES: Final = """
france germany italy spain portugal netherlands belgium switzerland austria poland
russia ukraine china japan korea india brazil argentina mexico canada usa us america
england uk scotland ireland wales sweden norway denmark finland greece turkey egypt
morocco israel australia europe asia africa california texas florida
alemania francia italia espana brasil mexico argentina chile colombia peru
allemagne italie espagne portugal suisse belgique angleterre japon chine
deutschland frankreich italien spanien schweiz osterreich england polen japan
germania spagna svizzera giappone cina inghilterra franca alemanha espanha italia
duitsland frankrijk spanje belgie nederland zwitserland
германии франции италии испании россии украине японии китае
中国 日本 美国 法国 德国 英国 韩国 アメリカ フランス ドイツ 한국 일본 미국 독일 프랑스
فرنسا المانيا مصر المغرب السعوديه
"""


def is_single(subject: str) -> bool:
    """Whether a subject has one value at a time, of whatever kind."""
    return subject in _ONE or _SINGLE.search(subject) is not None


def is_country(value: str) -> bool:
    """Whether a place is so large that one can live in it and in a city, too."""
    return value.removeprefix("the ") in _countries()


def is_pronoun(value: str) -> bool:
    """Whether a value only points at something, or is none at all."""
    return not _pronouns().isdisjoint(value.split())


def is_subject(name: str) -> bool:
    """Whether some words can be what a fact is about, and there is one of it."""
    parts = name.split()
    if is_pronoun(name):
        return False
    if _SINGLE.search(name):
        return True
    return parts[-1] not in _many() and parts[0] not in _many()


def key_of(name: str, whose: str) -> str:
    """Give the subject that some words name, whatever their form."""
    parts = name.split()
    if whose:
        telling = [part for part in parts if part not in _LINKS]
        for subject, aliases in _aliases().items():
            if aliases.issuperset(telling):
                return subject
    key = " ".join(sorted(words(name)))
    return f"my {key}" if whose else key


def owner_of(mine: str, name: str) -> str:
    """Give whose a thing is: the speaker's, the listener's, nobody's."""
    if mine and _MY.fullmatch(mine.strip()):
        return "i"
    if mine and _YOUR.fullmatch(mine.strip()):
        return "u"
    # The Arabic ending for "my".
    is_arabic = "\u0600" <= name[0] <= "\u06ff"
    return "i" if is_arabic and any(part[-1] == "ي" for part in name.split()) else ""


def kind_of_tool(value: str) -> str:
    """Give what a program is for, or "" if it is not known."""
    known = _tools()
    return next((known[word] for word in value.split() if word in known), "")


def asked_tools(plain: str) -> list[str]:
    """Give the kinds of programs that a question in its `normal` form names."""
    return [
        kind
        for kind, names in _KINDS_OF_TOOLS.items()
        if any(
            name in plain if not name.isascii() else name in plain.split()
            for name in names.split()
        )
    ]


@cache
def _tools() -> dict[str, str]:
    return {name: kind for kind, names in _TOOLS.items() for name in names.split()}


@cache
def _aliases() -> dict[str, frozenset[str]]:
    return {key: _set(names) for key, names in _ALIASES.items()}


@cache
def _pronouns() -> frozenset[str]:
    return _set(_NO_SUBJECT)


@cache
def _many() -> frozenset[str]:
    return _set(_MANY)


@cache
def _countries() -> frozenset[str]:
    return _set(_COUNTRIES)


def _set(names: str) -> frozenset[str]:
    return frozenset(map(normal, names.split()))
