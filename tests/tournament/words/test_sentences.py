"""Every sentence of the rooms that keep codes: made from its values, and used by a service."""

from __future__ import annotations

import ast
import datetime
import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from tests.factories import MADE_FIVE, play
from tests.tournament.desk.test_refused import given_to
from tests.tournament.reports.evenings import eventful
from tournament import services
from tournament.access import Actor
from tournament.archive import store
from tournament.models import Event, Game, Journal, Ledger, Notice, Round, Submission
from tournament.queries.history import acts_found
from tournament.services.corrections import correct_sheet
from tournament.services.signatures import rebuild_results
from tournament.words import journal, sentences
from tournament.words.journal import SENTENCES
from tournament.words.phrases import ACTS, in_words
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
WRITERS = {"announce": 5, "act_of": 5}
CODES = [(action, code) for action, codes in SENTENCES.items() for code in codes]


def facts_of(*templates: str) -> dict[str, Any]:
    facts = {}
    for name, form in (field.groups() for template in templates for field in FIELD.finditer(template)):
        facts[name] = 1 if form and form.startswith("n") else VALUES.get(form or name, f"Some {name}")
    return facts


@pytest.mark.parametrize(("action", "code"), CODES)
def test_an_act_is_said_from_its_values_and_kept_as_a_sentence_keeps_its_words(action: str, code: str) -> None:
    facts = json.loads(json.dumps(facts_of(*SENTENCES[action][code])))
    text, changes = journal.text(action, code, facts), journal.before_and_after(action, code, facts)
    assert not re.search(r"[][{}]", text)
    found, values, before, after = journal.read_back(action, text, *changes)
    assert (found, journal.text(action, found, values), (before, after)) == ("text", text, changes)


@pytest.mark.parametrize("code", sentences.REASONS)
def test_a_reason_is_kept_as_its_code_or_as_its_words(code: str) -> None:
    reason = sentences.Reason(code, **facts_of(sentences.REASONS[code]))
    assert sentences.reasons_text(sentences.kept([reason])) == str(reason)
    assert sentences.reasons_text(sentences.kept([str(reason)])) == str(reason)


@pytest.mark.parametrize("code", journal.NOTICES)
def test_a_notice_that_was_kept_as_a_sentence_keeps_its_words(code: str) -> None:
    text = journal.notice_text(code, facts_of(journal.NOTICES[code]))
    assert journal.notice_text(sentences.TEXT, {"text": text}) == text


def test_what_is_not_there_is_not_said() -> None:
    assert say("{team} entered[, from game {joins}]", {"team": "3 Owls"}) == "3 Owls entered"
    assert say("{team} entered[, from game {joins}]", {"team": "3 Owls", "joins": 4}) == "3 Owls entered, from game 4"
    assert [say("{tables:n table}", {"tables": count}) for count in (0, 1, 1200)] == [
        "0 tables",
        "1 table",
        "1200 tables",
    ]


def test_options_of_a_rule_sheet_that_is_not_there_are_said_by_their_keys() -> None:
    facts = {"options": {"sheet": "whist/gone", "keys": ["kitty", "odd_cards"]}}
    assert journal.text("change", "options", facts) == "Options changed: kitty, odd_cards"


def test_words_that_nobody_knows_are_kept_with_their_place() -> None:
    values_read = journal.read_back("of another program", "Semifinal, table 12: they sang: twice", "x", None)
    assert values_read == ("text", {"round": "Semifinal", "table": 12, "text": "they sang: twice"}, "x", None)
    assert journal.text("of another program", *values_read[:2]) == "Semifinal, table 12: they sang: twice"
    assert journal.place_and_text("of another program", *values_read[:2]) == (12, "they sang: twice")
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
    expected = "sung (line: 4) The sheet was final already. hummed"
    assert sentences.reasons_text(reasons) == expected
    assert journal.notice_text("sung", {"said": "sung", "table": 7}) == "sung (table: 7)"
    assert str(Ledger(number=3, kind="song", cents=500)) == "No. 3: song, 500 cents"


def test_nobody_hands_a_sentence_to_a_row() -> None:
    codes = given_to(WRITERS)
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
    values = {
        "left",
        "disqualified",
        "keep",
        "replay",
        "keep-seeds",
        "replay-seeds",
        "keep-draw",
        "replay-draw",
        "keep-lots",
        "replay-lots",
        "in",
        "out",
        "lots",
        "bye",
    }
    # What earlier versions wrote, and logs and messages still hold.
    earlier = {"advance", "wrong", "no-pin", "paused", "wrong-pin"}
    assert {code for _, code in CODES} - texts - values - earlier == set()
    assert set(SENTENCES) == set(ACTS)
    assert set(sentences.REASONS) - texts - earlier == set()


# Rows that kept sentences: after the migration they keep them as words, and say the same.
BEFORE = [("tournament", "0001_squashed_0020_results_without_sentences")]
# What a row said, with before and after; its code and values now.
OLD_ACTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("record", "Game 1, table 7: hand 3 written", None, {"entry": "hand", "books": 9}),
     {"round": 1, "table": 7, "text": "hand 3 written"}),
    (("start", "Semifinal started: 2 tables", "drawn", "in play"), {"text": "Semifinal started: 2 tables"}),
    (("seat", "Semifinal, table 2: Aces seated", "waited for", "seated"),
     {"round": "Semifinal", "table": 2, "text": "Aces seated"}),
    (("pot", "Out of the Boston pot: 3 Night Owls", {"in the pot": True}, {"in the pot": False}),
     {"text": "Out of the Boston pot: 3 Night Owls"}),
    (("pay", "1 Aces paid $12.50 (receipt 2)", "paid $0, owes $32.50", "paid $12.50, owes $20"),
     {"text": "1 Aces paid $12.50 (receipt 2)"}),
    (("change", "Options changed: Late after", {}, {"late_minutes": 10}), {"text": "Options changed: Late after"}),
]  # fmt: skip
NOTES = [
    "Aces and Books meet again in game 4; they met in games 1, 2.",
    "Rise and Fly and Books meet again in game 4; they met in game 1.",
]
TOLD = ["Game 4, table 7, was corrected: odd", "Please come to the desk."]
REASONS = ["It is line 4 of the sheet; line 3 is missing.", "There are 13 books; 14 is not possible.", ""]


def old_rows(apps: Any) -> None:
    event = apps.get_model("tournament", "Event").objects.create(name="Open", slug="open", date=datetime.date.today())
    team = apps.get_model("tournament", "Team").objects.create(event=event, number=1, name="Aces", key="aces")
    round_ = apps.get_model("tournament", "Round").objects.create(event=event, number=4, notes=NOTES)
    game = apps.get_model("tournament", "Game").objects.create(round=round_, table=7)
    device = apps.get_model("tournament", "Device").objects.create(event=event, table=7, letter="A")
    journal = apps.get_model("tournament", "Journal").objects
    for action, text, before, after in (row_fields for row_fields, _ in OLD_ACTS):
        journal.create(event=event, action=action, noun="event", text=text, before=before, after=after)
    notices = apps.get_model("tournament", "Notice").objects
    for text in TOLD:
        notices.create(team=team, game=game, text=text)
    rows = apps.get_model("tournament", "Submission").objects
    for reason in REASONS:
        row_fields = {"status": "parked", "code": "gap", "body": {}, "kind": "hand", "received_at": timezone.now()}
        rows.create(uid=uuid.uuid4(), digest="", event=event, device=device, reason=reason, **row_fields)


@pytest.mark.django_db(transaction=True)
def test_rows_of_before_say_the_same() -> None:
    executor = MigrationExecutor(connection)
    last = [key for key in executor.loader.graph.leaf_nodes() if key[0] == "tournament"]
    executor.migrate(BEFORE)
    try:
        old_rows(executor.loader.project_state(BEFORE).apps)
        MigrationExecutor(connection).migrate(last)
        assert [(act.code, act.facts, act.before, act.after) for act in acts()] == [
            ("text", now, *said[2:]) for said, now in OLD_ACTS
        ]
        event = Event.objects.get()
        shown = [
            (act.action, act.text, in_words(act.was), in_words(act.became)) for act in reversed(list(acts_found(event)))
        ]
        assert shown == [(*said[:2], in_words(said[2]), in_words(said[3])) for said, _ in OLD_ACTS]
        assert [notice.text for notice in Notice.objects.order_by("pk")] == TOLD
        rows = list(Submission.objects.order_by("pk"))
        assert [row.reason for row in rows] == REASONS
        assert [[reason["said"] for reason in row.reasons] for row in rows] == [["text"], ["text"], []]
        noted = Round.objects.get().noted
        assert ([note.said for note in noted], list(map(str, noted))) == (["text", "text"], NOTES)
    finally:
        MigrationExecutor(connection).migrate(last)


def acts() -> list[Journal]:
    return list(Journal.objects.order_by("pk"))


# What is announced: log and teams, once, when it happens.
def announced() -> tuple[int, int]:
    return Journal.objects.count(), Notice.objects.count()


def test_a_correction_is_announced_to_the_log_and_to_both_teams(game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    before = announced()
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=MADE_FIVE | {"books": 12}, reason="as on the film")
    notices = [(notice.team.number, notice.code, notice.facts) for notice in Notice.objects.order_by("pk")]
    facts = {"round": 1, "table": 1, "reason": "as on the film"}
    assert notices == [(1, "corrected", facts), (2, "corrected", facts)]
    acts = Journal.objects.order_by("pk").values_list("action", flat=True)[before[0] :]
    assert sorted(acts) == ["correct", "correct-final", "sign", "sign"]


def test_what_is_computed_again_or_imported_announces_nothing(dana: User) -> None:
    event = eventful(dana)
    before = announced()
    rebuild_results(event)
    assert announced() == before
    store.import_event(Actor(dana), json.loads(json.dumps(store.export_event(event))))
    acts, notices = before
    # The file's own acts and notices come along as they were written; the import alone happened now.
    assert announced() == (2 * acts + 1, 2 * notices)
