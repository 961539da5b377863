"""What a plain message is read as, in eight languages."""
# ruff: noqa: RUF001 - Chinese and Japanese have their own wide punctuation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.intent import Intent, Wish, language_of, read

REMEMBER = [
    (
        "en",
        "remember that the staging server moved to 10.0.1.5",
        "the staging server moved to 10.0.1.5",
    ),
    ("en", "Please remember: the demo is at 10:30.", "the demo is at 10:30"),
    ("en", "Can you remember that I am allergic to nuts?", "I am allergic to nuts"),
    ("en", "Don't forget that Ana is vegetarian", "Ana is vegetarian"),
    ("en", "hey, remember my wifi password is blue42", "my wifi password is blue42"),
    ("en", "Remember how to restart it: systemctl restart x", None),
    ("en", "Make a note that the key is under the mat, thanks!", None),
    ("en", "remember to call Bob please", "to call Bob"),
    ("es", "recuerda que el servidor es 10.0.1.5", "el servidor es 10.0.1.5"),
    ("es", "Por favor, recuerda que vivo en Lima.", "vivo en Lima"),
    ("es", "¿Puedes recordar que soy alérgica al maní?", "soy alérgica al maní"),
    ("es", "No olvides que la reunión es el martes", "la reunión es el martes"),
    ("es", "Acuérdate de que el coche está en el 3B", "el coche está en el 3B"),
    ("es", "Apunta: comprar pan", "comprar pan"),
    ("pt", "lembre-se que o servidor é 10.0.1.5", "o servidor é 10.0.1.5"),
    ("pt", "Lembra que eu moro em Lisboa", "eu moro em Lisboa"),
    ("pt", "Por favor, lembre-se de que a senha é azul", "a senha é azul"),
    ("pt", "Não se esqueça de que a Ana é vegetariana", "a Ana é vegetariana"),
    ("pt", "Você pode lembrar que sou alérgico a camarão?", None),
    ("pt", "Anota: comprar pão", "comprar pão"),
    ("fr", "souviens-toi que le serveur est 10.0.1.5", "le serveur est 10.0.1.5"),
    ("fr", "Rappelle-toi que j'habite à Lyon", "j'habite à Lyon"),
    ("fr", "Retiens que la clé est bleue, s'il te plaît", "la clé est bleue"),
    ("fr", "Peux-tu retenir qu’Ana est végétarienne ?", "Ana est végétarienne"),
    ("fr", "N'oublie pas que la réunion est mardi", "la réunion est mardi"),
    ("fr", "Note : acheter du pain", "acheter du pain"),
    ("de", "Merk dir, dass der Server 10.0.1.5 ist", "der Server 10.0.1.5 ist"),
    ("de", "Bitte merke dir: das Passwort ist blau", "das Passwort ist blau"),
    ("de", "Erinnere dich daran, dass ich in Bonn wohne", "ich in Bonn wohne"),
    ("de", "Vergiss nicht, dass Ana vegetarisch isst.", "Ana vegetarisch isst"),
    ("de", "Kannst du dir merken, dass ich Max heiße?", "ich Max heiße"),
    ("de", "Kannst du dir meinen Geburtstag 5. Mai merken?", None),
    ("de", "Notiere: Brot kaufen", "Brot kaufen"),
    ("it", "ricorda che il server è 10.0.1.5", "il server è 10.0.1.5"),
    ("it", "Ricordati che abito a Roma", "abito a Roma"),
    ("it", "Per favore, ricorda: la chiave è blu", "la chiave è blu"),
    ("it", "Puoi ricordare che sono allergico alle noci?", None),
    ("it", "Non dimenticare che Ana è vegetariana", "Ana è vegetariana"),
    ("it", "Annota che la riunione è martedì", "la riunione è martedì"),
    ("zh", "记住我的生日是5月5日", "我的生日是5月5日"),
    ("zh", "请记住：服务器搬到了10.0.1.5。", "服务器搬到了10.0.1.5"),
    ("zh", "帮我记住我住在北京", "我住在北京"),
    ("zh", "请帮我记一下，会议在周二", "会议在周二"),
    ("zh", "别忘了安娜吃素", "安娜吃素"),
    ("zh", "你能记住我对花生过敏吗？", "我对花生过敏"),
    ("ja", "覚えておいて：サーバーは10.0.1.5です", "サーバーは10.0.1.5です"),
    ("ja", "私の誕生日は5月5日だと覚えておいて", "私の誕生日は5月5日だ"),
    ("ja", "駐車場が3階だということを覚えておいてください。", "駐車場が3階だ"),
    ("ja", "パスワードは青42、覚えて", "パスワードは青42"),
    ("ja", "会議は火曜日だと覚えておいてくれますか？", "会議は火曜日だ"),
    ("ja", "メモ：パンを買う", "パンを買う"),
    ("ja", "アナがベジタリアンなことを忘れないでください", None),
]

FORGET = [
    ("en", "forget note 12", "note 12"),
    ("en", "Please forget that I live in Rome.", "I live in Rome"),
    ("en", "can you forget about the old server?", "the old server"),
    ("en", "delete note #7", "note 7"),
    ("en", "forget what I said about Bob", "what I said about Bob"),
    ("es", "olvida la nota 12", "note 12"),
    ("es", "Olvida que vivo en Lima", "vivo en Lima"),
    ("es", "por favor olvídate de mi dirección", "mi dirección"),
    ("es", "borra la nota 7", "note 7"),
    ("pt", "esquece a nota 12", "note 12"),
    ("pt", "Esqueça que moro em Lisboa", "moro em Lisboa"),
    ("pt", "Por favor, esqueça o servidor antigo.", "o servidor antigo"),
    ("pt", "apaga a nota 7", "note 7"),
    ("fr", "oublie la note 12", "note 12"),
    ("fr", "Oublie que j'habite à Lyon", "j'habite à Lyon"),
    ("fr", "Peux-tu oublier mon adresse ?", "mon adresse"),
    ("fr", "supprime la note n° 7", "note 7"),
    ("de", "vergiss Notiz 12", "note 12"),
    ("de", "Vergiss, dass ich in Bonn wohne", "ich in Bonn wohne"),
    ("de", "Bitte vergiss meine Adresse.", "meine Adresse"),
    ("de", "Lösche die Notiz 7", "note 7"),
    ("it", "dimentica la nota 12", "note 12"),
    ("it", "Dimentica che abito a Roma", "abito a Roma"),
    ("it", "Per favore, dimentica il mio indirizzo", "il mio indirizzo"),
    ("it", "cancella la nota 7", "note 7"),
    ("zh", "忘记笔记12", "note 12"),
    ("zh", "请忘掉我的地址", "我的地址"),
    ("zh", "把我的旧地址忘掉吧", "我的旧地址"),
    ("zh", "删除第7条笔记", "note 7"),
    ("ja", "ノート12を忘れて", "note 12"),
    ("ja", "私の住所を忘れてください。", "私の住所"),
    ("ja", "ローマに住んでいることを忘れて", "ローマに住んでいる"),
    ("ja", "メモ7を削除して", "note 7"),
]

LIST_NOTES = {
    "en": [
        "list my notes",
        "Show me my notes, please",
        "What are my notes?",
        "my notes",
    ],
    "es": [
        "lista mis notas",
        "mis notas",
        "¿Cuáles son mis notas?",
        "muéstrame mis notas",
    ],
    "pt": [
        "minhas notas",
        "lista as minhas notas",
        "mostre minhas notas",
        "Quais são as minhas notas?",
    ],
    "fr": [
        "mes notes",
        "liste mes notes",
        "Montre-moi mes notes",
        "Quelles sont mes notes ?",
    ],
    "de": [
        "meine Notizen",
        "Zeig mir meine Notizen",
        "liste meine Notizen auf",
        "Welche Notizen habe ich?",
    ],
    "it": [
        "le mie note",
        "elenca le mie note",
        "Mostrami le mie note",
        "Quali sono le mie note?",
    ],
    "zh": ["我的笔记", "列出我的笔记", "显示所有笔记", "我有哪些笔记？"],
    "ja": [
        "メモ一覧",
        "私のノートを見せて",
        "メモを一覧にして",
        "ノートを全部表示してください",
    ],
}

OTHER = [
    "I remember that you said so",
    "I forgot my password again",
    "forget it",
    "never mind",
    "remember",
    "remember that",
    "remember me",
    "thanks!",
    "what a nice day",
    "when I get home I will call",
    "see https://example.com/?q=1 for more",
    "olvídalo",
    "olvidé mi contraseña",
    "recuerdo que me lo dijiste",
    "cuando llegue a casa te aviso",
    "que bueno",
    "deixa pra lá",
    "esqueci a senha",
    "laisse tomber",
    "j'ai oublié mon sac",
    "quand j'arrive, je t'appelle",
    "vergiss es",
    "wie gesagt, morgen",
    "ich habe es vergessen",
    "lascia perdere",
    "ho dimenticato la chiave",
    "算了",
    "记住了",
    "我记得你说过",
    "忘了告诉你，我到家了",
    "忘记带钥匙了",
    "没什么",
    "忘れてしまいました",
    "気にしないで",
    "いつもありがとう",
    "",
    "   ",
    "👍",
]


@pytest.mark.parametrize(("language", "text", "subject"), REMEMBER)
def test_a_wish_to_remember_keeps_what_was_told(language, text, subject):
    """The subject is the fact in the person's own words, without the courtesies."""
    found = read(text)

    assert (found.kind, found.language) == (Wish.REMEMBER, language)
    assert found.subject
    assert subject is None or found.subject == subject


@pytest.mark.parametrize(("language", "text", "subject"), FORGET)
def test_a_wish_to_forget_names_what(language, text, subject):
    """A number is the same `note 12` in every language."""
    assert read(text) == Intent(Wish.FORGET, subject, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text) for language, texts in LIST_NOTES.items() for text in texts],
)
def test_notes_can_be_listed(language, text):
    """The list is asked for in few words, with and without a question mark."""
    assert read(text) == Intent(Wish.LIST_NOTES, "", language)


@pytest.mark.parametrize("text", OTHER)
def test_what_only_looks_like_a_wish_is_none(text):
    """Idioms, reports of forgetting, and pointing words ask for nothing."""
    assert read(text).kind is Wish.OTHER


def test_a_list_is_remembered_whole():
    """The lines after the colon are the point of the wish."""
    found = read("remember the shopping list:\n- milk\n- bread.\n")

    assert found.subject == "the shopping list:\n- milk\n- bread."


def test_decomposed_accents_make_no_difference():
    """macOS sends accents as marks of their own."""
    assert read("olvi\u0301date de mi casa").subject == "mi casa"


@pytest.mark.parametrize("text", ["", "12345", "👍", "Привет", "xyzzy"])
def test_a_language_that_does_not_show_is_not_guessed(text):
    """An empty guess lets the configured language decide."""
    assert language_of(text) == ""


@given(st.text())
def test_any_text_can_be_read(text):
    """Nothing that a person sends may break the reading."""
    assert read(text).kind in Wish
