"""Which plain messages are questions, in eight languages."""
# ruff: noqa: RUF001 - Chinese and Japanese have their own wide punctuation

import pytest

from apx.domain.intent import Intent, Wish, read

ABOUT = [
    ("en", "what do you know about the demo?", "the demo"),
    ("en", "Tell me about Ana", "Ana"),
    ("es", "¿Qué sabes de Ana?", "Ana"),
    ("es", "háblame del proyecto", "proyecto"),
    ("pt", "O que você sabe sobre a Ana?", "a Ana"),
    ("pt", "me fale do projeto", "projeto"),
    ("fr", "Que sais-tu d'Ana ?", "Ana"),
    ("fr", "parle-moi du projet", "projet"),
    ("de", "Was weißt du über Ana?", "Ana"),
    ("de", "Erzähl mir von dem Projekt", "dem Projekt"),
    ("it", "Cosa sai di Ana?", "Ana"),
    ("it", "parlami del progetto", "progetto"),
    ("zh", "你知道关于安娜的什么？", "安娜"),
    ("zh", "你知道什么关于服务器", "服务器"),
    ("ja", "アナについて何を知っていますか？", "アナ"),
    ("ja", "プロジェクトについて教えて", "プロジェクト"),
]

ASK = {
    "en": [
        "do you remember where I live?",
        "remember when we went to Rome?",
        "What is my dog called",
        "can you remember my birthday?",
        "tell me what I said yesterday",
        "how many servers do we have",
        "remember that 10.0.1.5 was down once?",
        "remember what I told you about Bob",
        "did you forget the demo?",
    ],
    "es": [
        "¿recuerdas dónde vivo?",
        "¿Cómo se llama mi perro?",
        "te acuerdas de Ana",
        "dónde está el servidor",
        "quien es Ana",
        "¿Puedes recordar mi cumpleaños?",
    ],
    "pt": [
        "você lembra onde eu moro?",
        "Qual é o nome do meu cão",
        "onde fica o servidor",
        "quem é a Ana?",
        "lembra quando fomos a Roma?",
    ],
    "fr": [
        "te souviens-tu où j'habite ?",
        "Comment s'appelle mon chien",
        "où est le serveur",
        "Est-ce que la réunion est mardi ?",
        "souviens-toi quand on est allés à Rome ?",
    ],
    "de": [
        "Erinnerst du dich, wo ich wohne?",
        "Wie heißt mein Hund",
        "wo steht der Server",
        "Weißt du noch, wer Ana ist?",
        "Wann ist die Demo?",
    ],
    "it": [
        "ti ricordi dove abito?",
        "Come si chiama il mio cane?",
        "dov'è il server",
        "chi è Ana",
        "ricorda quando siamo andati a Roma?",
    ],
    "zh": [
        "你还记得我住在哪里吗？",
        "我的狗叫什么名字",
        "服务器在哪里",
        "会议是周二吗",
        "你记住了吗？",
        "记得我住在哪里吗",
        "忘记密码怎么办？",
    ],
    "ja": [
        "私がどこに住んでいるか覚えていますか？",
        "犬の名前は何ですか",
        "サーバーはどこ？",
        "会議は火曜日でしたか。",
        "パスワードを覚えてる？",
    ],
}


@pytest.mark.parametrize(("language", "text", "subject"), ABOUT)
def test_a_question_about_something_is_about_that_alone(language, text, subject):
    """Only the subject is worth a search."""
    assert read(text) == Intent(Wish.ASK, subject, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text) for language, texts in ASK.items() for text in texts],
)
def test_a_question_is_not_a_wish_to_remember(language, text):
    """Asking whether something is remembered must not make a note of it."""
    assert read(text) == Intent(Wish.ASK, text, language)
