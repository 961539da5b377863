"""Which language a text is taken for."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.language import language_name, language_of

SHORT = {
    "en": "Can you please check whether the train to Leeds leaves before noon?",
    "es": "¿Puedes comprobar si el tren a Bilbao sale antes del mediodía?",
    "pt": "Você pode verificar se o trem para Santos sai antes do meio-dia?",
    "fr": "Peux-tu vérifier si le train pour Nantes part avant midi ?",
    "de": "Kannst du bitte prüfen, ob der Zug nach Kassel vor Mittag fährt?",
    "it": "Puoi controllare se il treno per Parma parte prima di mezzogiorno?",
    "nl": "Kun je even kijken of de trein naar Zwolle voor de middag vertrekt?",
    "pl": "Czy możesz sprawdzić, czy pociąg do Torunia odjeżdża przed południem?",
    "sv": "Kan du kolla om tåget till Umeå går före lunch?",
    "tr": "Trenin öğleden önce kalkıp kalkmadığını kontrol eder misin, bu çok önemli?",
    "ru": "Проверь, пожалуйста, уходит ли поезд в Тверь до полудня.",
    "uk": "Перевір, будь ласка, чи потяг до Львова їде до полудня.",
    "ar": "هل يمكنك التحقق مما إذا كان القطار يغادر قبل الظهر؟",
    "he": "האם תוכל לבדוק אם הרכבת לחיפה יוצאת לפני הצהריים?",
    "el": "Μπορείς να ελέγξεις αν το τρένο για Πάτρα φεύγει πριν το μεσημέρι;",
    "hi": "क्या तुम देख सकते हो कि पुणे की ट्रेन दोपहर से पहले जाती है?",
    "th": "ช่วยดูหน่อยว่ารถไฟไปเชียงใหม่ออกก่อนเที่ยงหรือเปล่า",
    "ko": "부산행 기차가 정오 전에 출발하는지 확인해 줄래?",
    "ja": "京都行きの電車が正午より前に出るか確認してください。",
    "zh": "请帮我查一下去杭州的火车是不是中午以前开。",
    "vi": "Bạn có thể kiểm tra xem tàu đi Huế có chạy trước buổi trưa không?",
    "fa": "لطفاً چک کن قطار شیراز پیش از ظهر حرکت می‌کند یا نه؟ گفتم که.",
    "ka": "შეგიძლია ნახო, ბათუმის მატარებელი შუადღემდე გადის?",
}
CHAT = {
    "en": "I would like the report by Friday. Keep it short, and use the new numbers.",
    "es": "Quiero el informe para el viernes. Que sea corto y con los datos nuevos.",
    "pt": "Quero o relatório até sexta. Seja breve e use os números novos.",
    "fr": "Je veux le rapport pour vendredi. Qu'il soit court, avec les chiffres "
    "neufs.",
    "de": "Ich will den Bericht bis Freitag. Er soll kurz sein, mit den neuen Zahlen.",
    "it": "Voglio il rapporto per venerdì. Deve essere breve, con i numeri nuovi.",
    "nl": "Ik wil het rapport voor vrijdag. Het moet kort zijn, met de nieuwe cijfers.",
    "pl": "Chcę raport do piątku. Ma być krótki i z nowymi liczbami, bo tak wolę.",
    "ru": "Мне нужен отчёт к пятнице. Он должен быть короткий и с новыми цифрами.",
    "ko": "금요일까지 보고서가 필요해. 짧게 쓰고 새 숫자를 사용해 줘.",
    "ja": "金曜日までに報告書がほしいです。短くして、新しい数字を使ってください。",
    "zh": "我周五之前要这份报告。写短一点，用新的数字。",
    "ar": "أريد التقرير قبل يوم الجمعة. اجعله قصيرا واستخدم الأرقام الجديدة.",
    "da": "Jeg vil gerne have rapporten inden fredag, og den skal være kort.",
    "cs": "Chci tu zprávu do pátku. Má být krátká a s novými čísly, protože se mi "
    "líbí.",
    "ro": "Vreau raportul până vineri. Să fie scurt și cu cifrele noi, mulțumesc.",
    "fi": "Haluan raportin perjantaiksi. Se on lyhyt ja siinä on uudet luvut, kiitos.",
    "hu": "Péntekre kell a jelentés. Legyen rövid, és az új számokkal, köszönöm.",
    "id": "Saya mau laporan itu sebelum Jumat dan tolong buat dengan angka yang baru.",
}


@pytest.mark.parametrize("code", SHORT)
def test_one_sentence_is_enough(code):
    """Most messages are one sentence."""
    assert language_of(SHORT[code]) == code


@pytest.mark.parametrize("code", CHAT)
def test_a_long_text_is_told_too(code):
    """Names, numbers and line breaks in between change nothing."""
    text = "\n".join(f"{n}. {CHAT[code]} PROJ-{n} ok" for n in range(60))

    assert language_of(text) == language_of(CHAT[code]) == code


@pytest.mark.parametrize("code", ["ko", "ja", "zh", "ru", "ar", "es", "de", "fr"])
def test_code_and_identifiers_say_nothing_of_the_language(code):
    """A Korean chat about English code is Korean."""
    text = (
        f"{CHAT[code]}\n```python\ndef main(the, and_of):\n    return 'it is what "
        f"it was'\n"
        f"```\n{SHORT[code]} `git commit --amend` https://example.com/the/of/and "
        "src/app/main.py get_user_by_id()"
    )

    assert language_of(text) == code


def test_product_names_do_not_make_a_text_english():
    """Technical words are Latin in every script."""
    assert (
        language_of("Docker Compose로 PostgreSQL이랑 Redis 서버를 다시 띄워 줘") == "ko"
    )
    assert language_of("请把 Kubernetes cluster 升级到新的 version") == "zh"
    assert language_of("Задеплой backend на staging, потом проверь logs") == "ru"


def test_a_foreign_word_does_not_change_the_language():
    """One quoted word is a quotation."""
    assert language_of("The word 寿司 is what they say for it in the shop") == "en"
    assert language_of("Was heißt 'cheers' auf Deutsch, und wie sagt man es?") == "de"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "se como de que para " * 4,
        "12345",
        "OK",
        "👍",
        "PROJ-12 https://x.org",
        "```\nthe of\n```",
    ],
)
def test_what_says_nothing_is_unsure(text):
    """A wrong guess refuses a good summary; no guess refuses nothing."""
    assert language_of(text) == ""


def test_half_and_half_is_unsure():
    """Two languages side by side have no language."""
    assert language_of(f"{SHORT['en']} {SHORT['en']} {SHORT['ru']}") == ""


def test_every_language_has_a_name():
    """The prompt says it in English."""
    assert language_name("es") == "Spanish"
    assert language_name("ko") == "Korean"
    assert language_name("") == language_name("xx") == ""
    assert all(language_name(code) for code in {*SHORT, *CHAT})


@given(st.text())
def test_any_text_has_a_language_or_none(text):
    """Emoji, marks and unpaired halves are no reason to fail."""
    code = language_of(text)

    assert code == language_of(text)
    assert not code or language_name(code)


@pytest.mark.parametrize(
    "unit", ["`", "``` ", "a_", "a.", "è", "the ", "안", "://", "x1"]
)
def test_hostile_text_takes_linear_time(unit):
    """A hundred kilobytes cost what a few do."""
    text = unit * (100_000 // len(unit))

    start = time.process_time()
    language_of(text)

    assert time.process_time() - start < 1
