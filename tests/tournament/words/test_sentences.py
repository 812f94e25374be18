"""Every sentence of the rooms that keep codes: made from its values, and used by a service."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tournament import services
from tournament.archive import store
from tournament.models import Ledger
from tournament.phrases import ACTS
from tournament.words import journal, sentences
from tournament.words.journal import SENTENCES
from tournament.words.sentences import FIELD, say

# A value of every form; whatever has none is a name.
VALUES: dict[str, Any] = {
    "round": 3,
    "within": "Semifinal",
    "money": [125_050, "$"],
    "standing": {"paid": [2000, "$"], "owes": [0, "$"], "got": [50, "$"]},
    "receipts": [3, 4],
    "clock": 3725,
    "units": [24, "team"],
    "unit": "player",
    "against": ["Aces", "Books"],
    "matches": [["Aces", "Books"], ["Eagles", "Owls"]],
    "pairs": [[1, 2], [3, 4]],
    "numbers": [4, 1, 3],
    "and": ["Aces", "Books"],
    "rounds": [2, 6],
    "places": [[1, 2], ["Final", 3]],
    "waiting": [["Aces", 2], ["Books", 3], ["Eagles", 5]],
    "fields": ["place", "fee_cents", "keep_apart"],
    "options": {"sheet": "bid_whist/no-kitty-2021", "keys": ["late_minutes"]},
    "papers": ["seating", "sheets"],
    "cited": "47",
    "about": "renege",
    "section": "pot",
    "stage": "playoffs",
    "status": "left",
    "state": "final",
    "movement": "instead",
    "thing": "hand",
    "decided": "replaced",
    "why": "other-tables",
    "role": "verifier",
    "signed": -5,
    "reasons": [{"said": "gap", "line": 4, "due": 3}],
    "notice": {"said": "corrected", "round": 2, "table": 7, "reason": "as on paper"},
    **dict.fromkeys(("after", "count", "joins", "last", "line", "number", "seed", "since", "size", "table"), 12),
}
# What writes a code into a row, and which of its arguments it is.
WRITERS = {"note": 5, "tell_teams": 2}
CODES = [(action, code) for action, codes in SENTENCES.items() for code in codes]


def facts_of(*templates: str) -> dict[str, Any]:
    facts = {}
    for name, form in (field.groups() for template in templates for field in FIELD.finditer(template)):
        facts[name] = 1 if form and form.startswith("n") else VALUES.get(form or name, f"Some {name}")
    return facts


@pytest.mark.parametrize(("action", "code"), CODES)
def test_an_act_is_said_from_its_values_and_kept_as_a_sentence_keeps_its_words(action: str, code: str) -> None:
    facts = json.loads(json.dumps(facts_of(*SENTENCES[action][code])))
    text, told = journal.text(action, code, facts), journal.before_and_after(action, code, facts)
    assert not re.search(r"[][{}]", text)
    found, values, before, after = journal.read_back(action, text, *told)
    assert (found, journal.text(action, found, values), (before, after)) == ("text", text, told)


@pytest.mark.parametrize("code", sentences.REASONS)
def test_a_reason_is_kept_as_its_code_or_as_its_words(code: str) -> None:
    reason = sentences.Reason(code, **facts_of(sentences.REASONS[code]))
    assert sentences.reasons_text(sentences.kept([reason])) == str(reason)
    assert sentences.reasons_text(sentences.kept([str(reason)])) == str(reason)


@pytest.mark.parametrize("code", sentences.SENTENCES)
def test_a_notice_that_was_kept_as_a_sentence_keeps_its_words(code: str) -> None:
    text = sentences.text(code, facts_of(sentences.SENTENCES[code]))
    assert sentences.text(*sentences.read_back(text)) == text


def test_what_is_not_there_is_not_said() -> None:
    assert say("{team} entered[, from round {joins}]", {"team": "3 Owls"}) == "3 Owls entered"
    assert say("{team} entered[, from round {joins}]", {"team": "3 Owls", "joins": 4}) == "3 Owls entered, from round 4"
    assert [say("{tables:n table}", {"tables": count}) for count in (0, 1, 1200)] == [
        "0 tables",
        "1 table",
        "1200 tables",
    ]


def test_options_of_a_rule_sheet_that_is_not_there_are_said_by_their_keys() -> None:
    facts = {"options": {"sheet": "whist/gone", "keys": ["kitty", "odd_cards"]}}
    assert journal.text("change", "options", facts) == "Options changed: kitty, odd_cards"


def test_words_that_nobody_knows_are_kept_with_their_place() -> None:
    said = journal.read_back("of another program", "Semifinal, table 12: they sang: twice", "x", None)
    assert said == ("text", {"round": "Semifinal", "table": 12, "text": "they sang: twice"}, "x", None)
    assert journal.text("of another program", *said[:2]) == "Semifinal, table 12: they sang: twice"
    assert journal.place_and_text("of another program", *said[:2]) == (12, "they sang: twice")
    assert journal.read_back("start", "Game 1 began", None, None)[:2] == ("text", {"text": "Game 1 began"})


@pytest.mark.parametrize(("action", "code"), [("sing", "loud"), ("start", "loud")])
def test_an_act_that_nobody_knows_is_shown_as_its_code_and_facts(action: str, code: str) -> None:
    facts = {"round": 2, "table": 7, "songs": ["Aces {high}", "[Spades]"], "loud": True}
    expected = f"{action}, {code} (round: 2, table: 7, songs: Aces {{high}}, [Spades], loud: True)"
    assert journal.text(action, code, facts) == expected
    assert journal.place_and_text(action, code, facts) == (None, expected)
    assert journal.before_and_after(action, code, facts) == (None, None)
    assert journal.text(action, code, {}) == f"{action}, {code}"


def test_a_value_that_nobody_knows_is_shown_as_its_code() -> None:
    facts = {"round": 2, "table": 7, "about": "song"}
    assert journal.text("call", "called", facts) == "Game 2, table 7: director called: song"


def test_reasons_notices_and_lines_that_nobody_knows_are_shown_as_their_code() -> None:
    reasons: list[dict[str, Any]] = [{"said": "sung", "line": 4}, {"said": "signed"}, {"said": "hummed"}]
    expected = "sung (line: 4) Both sides had signed already: the sheet is final. hummed"
    assert sentences.reasons_text(reasons) == expected
    assert sentences.text("sung", {"said": "sung", "table": 7}) == "sung (table: 7)"
    assert str(Ledger(number=3, kind="song", cents=500)) == "No. 3: song, 500 cents"


def test_nobody_hands_a_sentence_to_a_row() -> None:
    calls = (
        call
        for path in sorted(Path(services.__path__[0]).glob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in WRITERS
    )
    codes = [call.args[WRITERS[call.func.id]] for call in calls if isinstance(call.func, ast.Name)]
    assert [ast.unparse(code) for code in codes if isinstance(code, ast.JoinedStr)] == []
    assert [
        code.value for code in codes if isinstance(code, ast.Constant) and not re.fullmatch("[a-z-]+", str(code.value))
    ] == []


def test_every_sentence_is_written_by_a_service_and_every_act_has_its_words() -> None:
    texts = {
        node.value
        for path in (*Path(services.__path__[0]).glob("*.py"), Path(store.__file__))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    # Codes that are a value of the row: the status of a team, a decision about the bracket, how lots are drawn.
    values = {"left", "disqualified", "keep", "replay", "keep-seeds", "replay-seeds", "in", "out", "lots", "bye"}
    # What earlier versions wrote, and logs and messages still hold.
    earlier = {"advance", "wrong", "no-pin", "paused", "wrong-pin"}
    assert {code for _, code in CODES} - texts - values - earlier == set()
    assert set(SENTENCES) == set(ACTS)
    assert set(sentences.REASONS) - texts - earlier == set()
