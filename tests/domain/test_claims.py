"""Which replies claim to have saved something."""
# ruff: noqa: RUF001 - Chinese and Japanese have their own wide punctuation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.claims import claims_saved

CLAIMS = [
    "I'll remember that.",
    "Got it! I’ll keep that in mind for next time.",
    "I've saved it.",
    "I have noted that you live in Rome.",
    "I saved that to memory as note 12.",
    "Noted.",
    "Noted: the server is 10.0.1.5",
    "No problem, noted!",
    "Don't worry, I'll remember.",
    "Saved to memory.",
    "I've added your birthday to my notes.",
    "Sure. It's saved.",
    "I won't forget.",
    "Lo he guardado.",
    "¡Perfecto! Lo recordaré.",
    "Anotado.",
    "Listo, anotado: vives en Lima.",
    "He anotado que eres vegetariana.",
    "No te preocupes, me acordaré.",
    "Tomo nota de eso.",
    "Guardei isso na memória.",
    "Vou me lembrar disso.",
    "Anotado! Você mora em Lisboa.",
    "Não se preocupe, vou lembrar.",
    "Está guardado.",
    "Je m'en souviendrai.",
    "C’est noté !",
    "J'ai bien noté que tu habites à Lyon.",
    "Je l'ai enregistré.",
    "D'accord, noté.",
    "Ich merke es mir.",
    "Das merke ich mir.",
    "Gespeichert.",
    "Ich habe mir notiert, dass du in Bonn wohnst.",
    "Ich werde mich daran erinnern.",
    "Me lo ricorderò.",
    "Ho salvato la tua preferenza.",
    "Annotato.",
    "Lo terrò a mente.",
    "L'ho memorizzato.",
    "我记住了",
    "好的，我会记住的。",
    "已保存。",
    "好的，记住了！",
    "已经为您记录下来了。",
    "覚えました。",
    "保存しました",
    "はい、覚えておきますね。",
    "メモしておきました。",
]

NO_CLAIMS = [
    "",
    "You live in Rome.",
    "I remember that you said so.",
    "I remember you noted that yesterday.",
    "I can't save that.",
    "I did not save it.",
    "I have not saved it.",
    "I haven't noted anything.",
    "I could not store this.",
    "I'm sorry, I won't remember this.",
    "Do you want me to remember?",
    "Should I save it to memory?",
    "If you tell me, I'll remember it.",
    "I'll remember it if you tell me.",
    "I saved the file report.pdf",
    "I've saved it as report.pdf.",
    "The changes have been saved.",
    "As the author noted, it rains.",
    "She noted that prices fell.",
    'The page says "I\'ll remember that".',
    "```\nprint('Noted.')\nSaved.\n```",
    "> Noted.",
    "Use `Noted.` as the answer",
    "Remember to drink water.",
    "Recuerdo que me lo dijiste.",
    "No lo he guardado.",
    "No puedo guardarlo.",
    "¿Quieres que lo guarde?",
    "Si me lo dices, lo recordaré.",
    "He guardado el archivo informe.pdf.",
    "Lembro que você disse isso.",
    "Não guardei nada.",
    "Se você me disser, vou lembrar.",
    "Guardei o arquivo na pasta.",
    "Je me souviens que tu l'as dit.",
    "Je ne l'ai pas noté.",
    "Veux-tu que je le note ?",
    "J'ai noté une erreur dans le calcul.",
    "Ich erinnere mich, dass du das gesagt hast.",
    "Ich habe es nicht gespeichert.",
    "Soll ich es mir merken?",
    "Ich merke es mir nicht.",
    "Ich habe die Datei gespeichert.",
    "Ricordo che me lo hai detto.",
    "Non ho salvato nulla.",
    "Vuoi che lo ricordi?",
    "Ho salvato il file sul disco.",
    "我记得你说过。",
    "我没有保存。",
    "我不会记住这个。",
    "要我记住吗？",
    "文件已保存。",
    "你说过的我记得。",
    "覚えています。",
    "保存しましたか？",
    "保存できませんでした。",
    "ファイルを保存しました。",
    "画面に「保存しました」と出ます。",
]


@pytest.mark.parametrize("reply", CLAIMS)
def test_a_claim_to_have_saved_is_heard(reply):
    """A model that says so without having called the tool has told an untruth."""
    assert claims_saved(reply)


@pytest.mark.parametrize("reply", NO_CLAIMS)
def test_what_only_sounds_like_a_claim_is_none(reply):
    """A false alarm would contradict an honest reply."""
    assert not claims_saved(reply)


@given(st.text())
def test_any_reply_can_be_judged(reply):
    """Nothing that a model writes may break the judgement."""
    assert claims_saved(reply) in {True, False}
