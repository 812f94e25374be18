"""JSON is parsed strictly, and in a list each document by itself."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.fields import parse_documents, parse_json
from scoring.ledger import CannotScore


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", "NaN", '{"a": Infinity}', '{"a": 1, "b": 2, "a": 3}', "[" * 100_000, '{"a": ' + "9" * 5000 + "}"],
    ids=["empty", "open", "comma", "nan", "infinity", "twice", "deep", "long"],
)
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(CannotScore) as refusal:
        parse_json(text)
    assert [problem.field for problem in refusal.value.problems] == ["document"]


def test_key_that_stands_twice_is_named() -> None:
    with pytest.raises(CannotScore, match="“a” is used twice"):
        parse_json('{"b": 0, "a": 1, "a": 2}')


def test_json_that_is_sound_is_parsed() -> None:
    assert parse_json('{"a": [1, null]}') == {"a": [1, None]}


def parsed(text: str) -> Any:
    """What is parsed; instead of a document with a fault, the words of the fault."""
    found = parse_documents(text)
    return [str(one.problems[0].text) if isinstance(one, CannotScore) else one for one in found]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', "“a” is used twice"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": [' + "9" * 6000 + "]}", "a number of 6000 digits is too long"),
    ],
    ids=["twice", "nan", "long"],
)
@pytest.mark.parametrize("around", ["[{good},{bad},{good}]", " [ {good} , {bad}\n,\t{good} ] \n"])
def test_one_bad_document_of_a_list_spoils_no_other(text: str, words: str, around: str) -> None:
    good = '{"note": "a ], { and a \\" in a text"}'
    first, second, third = parsed(around.replace("{good}", good).replace("{bad}", text))
    assert first == third == {"note": 'a ], { and a " in a text'}
    assert words in second


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '[{"a": NaN}',
        '[{"a": NaN},]',
        '[{"a": NaN}] 1',
        "[NaN, " + "[" * 100_000,
        "[NaN,",
        "nonsense",
    ],
    ids=["no list", "open", "comma", "more behind", "deep", "nothing behind", "no JSON"],
)
def test_what_is_no_list_is_refused_as_a_whole(text: str) -> None:
    with pytest.raises(CannotScore):
        parse_documents(text)


def test_documents_without_a_fault_are_parsed_at_once() -> None:
    assert parse_documents('[{"a": 1}, 2]') == [{"a": 1}, 2]
    assert parse_documents('{"a": 1}') == {"a": 1}
