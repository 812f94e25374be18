"""Rows that kept sentences: after the migration they keep them as words, and say the same."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from tournament.models import Event, Journal, Notice, Round, Submission
from tournament.phrases import in_words
from tournament.queries.history import acts_found

BEFORE = [("tournament", "0001_squashed_0020_results_without_sentences")]
# What a row said, with before and after; its code and values now.
ACTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
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
    "Aces and Books meet again in round 4; they met in rounds 1, 2.",
    "Rise and Fly and Books meet again in round 4; they met in round 1.",
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
    for action, text, before, after in (said for said, _ in ACTS):
        journal.create(event=event, action=action, noun="event", text=text, before=before, after=after)
    notices = apps.get_model("tournament", "Notice").objects
    for text in TOLD:
        notices.create(team=team, game=game, text=text)
    kept = apps.get_model("tournament", "Submission").objects
    for reason in REASONS:
        said = {"status": "parked", "code": "gap", "body": {}, "kind": "hand", "received_at": timezone.now()}
        kept.create(uid=uuid.uuid4(), digest="", event=event, device=device, reason=reason, **said)


@pytest.mark.django_db(transaction=True)
def test_rows_of_before_say_the_same() -> None:
    executor = MigrationExecutor(connection)
    last = [key for key in executor.loader.graph.leaf_nodes() if key[0] == "tournament"]
    executor.migrate(BEFORE)
    try:
        old_rows(executor.loader.project_state(BEFORE).apps)
        MigrationExecutor(connection).migrate(last)
        assert [(act.code, act.facts, act.before, act.after) for act in acts()] == [
            ("text", now, *said[2:]) for said, now in ACTS
        ]
        event = Event.objects.get()
        shown = [(act.action, act.text, in_words(act.before), in_words(act.after)) for act in acts_found(event)[::-1]]
        assert shown == [(*said[:2], in_words(said[2]), in_words(said[3])) for said, _ in ACTS]
        assert [one.text for one in Notice.objects.order_by("pk")] == TOLD
        kept = list(Submission.objects.order_by("pk"))
        assert [one.reason for one in kept] == REASONS
        assert [[reason["said"] for reason in one.reasons] for one in kept] == [["text"], ["text"], []]
        noted = Round.objects.get().noted
        assert ([note.said for note in noted], list(map(str, noted))) == (["text", "text"], NOTES)
    finally:
        MigrationExecutor(connection).migrate(last)


def acts() -> list[Journal]:
    return list(Journal.objects.order_by("pk"))
