"""Forms of one word share a stem, and other words do not."""
# ruff: noqa: RUF001 -- letters that only look alike are the point here

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.stems import gram, stem
from apx.domain.text import normal, terms

WORDS = st.text(st.characters(categories=["L", "M"]), min_size=1, max_size=30)


def strong(word):
    return stem(normal(word))


@pytest.mark.parametrize(
    "forms",
    [
        "cat cats",
        "run running",
        "plan planned planning plans",
        "make making makes",
        "visit visited visiting visits",
        "party parties",
        "study studies studied",
        "church churches",
        "reunión reuniones",
        "hermana hermanas hermano hermanos",
        "cantando cantado cantada",
        "coração coraçõe",
        "montagne montagnes",
        "Wohnung Wohnungen",
        "verkaufen verkauft",
        "ragazzo ragazzi ragazza",
        "vergadering vergaderingen",
        "mieszkanie mieszkania mieszkaniach",
        "встреча встречи встречу встречами",
        "машина машину машины машинам",
        "квартира квартири квартиру",
        "γείτονας γείτονα γείτονες",
        "arkadaşlar arkadaşları arkadaşlara",
        "كتاب الكتاب والكتاب بالكتاب",
        "مدرسة مدرسه المدرسة",
        "ספק הספק ספקים",
        "किताब किताबें किताबों",
        "도서관 도서관에서 도서관은 도서관을",
    ],
)
def test_forms_of_a_word_share_its_stem(forms):
    """Nobody asks in the very form in which something was told."""
    assert len({strong(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("week", "weekend"),
        ("star", "start"),
        ("party", "part"),
        ("hear", "heart"),
        ("happy", "happen"),
        ("plan", "plane"),
        ("them", "theme"),
        ("car", "care"),
        ("country", "count"),
        ("news", "newspaper"),
        ("v2", "v3"),
        ("мать", "матч"),
    ],
)
def test_different_words_keep_different_stems(one, other):
    """A memory about the one does not answer a question about the other."""
    assert strong(one) != strong(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("traduje", "traducir"),
        ("perro", "perra"),
        ("Bücher", "Bücherei"),
        ("allergic", "allergy"),
        ("сестринский", "сестра"),
        ("كلب", "كلاب"),
        ("مفتاح", "مفاتيح"),
    ],
)
def test_what_stems_miss_the_weak_terms_may_find(one, other):
    """Irregular forms mostly begin alike, or have the same consonants."""
    shared = set(terms(one)) & set(terms(other))

    assert [term for term in shared if term.startswith("~")]


@pytest.mark.parametrize("word", ["cat", "house2", "inv-2231", "हिन्दी", "ab"])
def test_short_words_and_names_have_no_gram(word):
    """It would be the word again, or shared by half of the store."""
    assert gram(word, stem(word)) == ""


@given(WORDS)
def test_every_word_has_a_stem(word):
    """Whatever people type is found by something."""
    plain = normal(word)
    if plain and " " not in plain:
        base = stem(plain)

        assert base
        assert not base.startswith("~")
        assert len(base) <= len(plain) + 1
