"""How texts are dressed for a model."""

from __future__ import annotations

import pytest

from apx.domain.text import estimate_tokens
from apx.providers.preparation import preparation_of

REPRESENT = "Represent this sentence for searching relevant passages: "


@pytest.mark.parametrize(
    ("model", "document", "query"),
    [
        ("nomic-embed-text:v1.5", "search_document: ", "search_query: "),
        ("text-embedding-nomic-embed-text-v1.5", "search_document: ", "search_query: "),
        ("jeffh/intfloat-multilingual-e5-small:f16", "passage: ", "query: "),
        ("mxbai-embed-large", "", REPRESENT),
        ("bge-large", "", REPRESENT),
        ("snowflake-arctic-embed:22m", "", REPRESENT),
        ("snowflake-arctic-embed2", "", "query: "),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "", "query: "),
        ("embeddinggemma", "title: none | text: ", "task: search result | query: "),
        ("bge-m3", "", ""),
        ("all-minilm", "", ""),
        ("text-embedding-3-large", "", ""),
        ("whatever", "", ""),
    ],
)
def test_each_family_has_its_own_words(model: str, document: str, query: str):
    """As its makers document them; a wrong one is worse than none."""
    prepared = preparation_of(model)

    assert prepared.as_document("tea") == f"{document}tea"
    assert prepared.as_query("tea") == f"{query}tea"
    assert bool(prepared.name) == bool(document or query)


def test_instructed_models_get_an_instruction():
    """Only the query has one."""
    prepared = preparation_of("qwen3-embedding:0.6b")

    assert prepared.as_query("tea").startswith("Instruct: ")
    assert prepared.as_query("tea").endswith("Query:tea")
    assert prepared.as_document("tea") == "tea"


@pytest.mark.parametrize("text", ["word " * 9000, "茶" * 9000, "\U0001f642" * 9000])
def test_a_text_is_cut_to_what_the_model_reads(text: str):
    """Many servers refuse a longer one, and some take its end for its beginning."""
    prepared = preparation_of("mxbai-embed-large")

    assert estimate_tokens(prepared.as_query(text)) <= 512


def test_what_no_library_can_send_is_taken_out():
    """A chat may hold half an emoji."""
    assert preparation_of("tiny").as_document("a\ud800b\x00") == "a\ufffdb"
