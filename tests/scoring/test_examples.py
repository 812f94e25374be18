"""Every worked example holds, down to the rule of every line. The examples are the rules as a director reads them."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import print_score
from tests.scoring.examples import document_of, load_examples

EXAMPLES = load_examples()
KEYS = {"title", "source", "sheet", "systems", "shows", "sides", "options", "opening", "entries", "gives"}
RUNNING = ("scores", "sets", "bags", "lines")


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_gives_what_it_says(name: str) -> None:
    example = EXAMPLES[name]
    assert set(example) <= KEYS, "an example says nothing that is not checked"
    gives = example["gives"]
    printed = print_score(document_of(example))
    if "problems" in gives:
        assert refusals(printed, gives["problems"]) == gives["problems"]
        assert set(gives) == {"problems"} and not example.get("shows")
        return
    assert printed["problems"] == []
    assert {key: found(printed, key) for key in gives} == gives
    assert (printed["winner"], printed["over"]) == (gives.get("winner"), gives["over"])
    assert sorted(emitted(printed)) == example["shows"]


def refusals(printed: dict[str, Any], expected: list[list[Any]]) -> list[list[Any]]:
    """The problems in the shape in which the example gives them: field and rule, and the entry where it is said."""
    given = [[problem["field"], problem["rule"], problem["entry"]] for problem in printed["problems"]]
    if len(given) != len(expected):
        return given
    return [problem[: len(said)] for problem, said in zip(given, expected, strict=True)]


def found(printed: dict[str, Any], key: str) -> Any:
    if key == "lines":
        return [[[line["rule"], line["side"], line["points"]] for line in step["lines"]] for step in printed["entries"]]
    if key in RUNNING:
        return [step[key] for step in printed["entries"]]
    return printed[key]


def emitted(printed: dict[str, Any]) -> set[str]:
    rules = {line["rule"] for step in printed["entries"] for line in step["lines"]}
    return rules | ({printed["rule"]} if printed["over"] else set())
