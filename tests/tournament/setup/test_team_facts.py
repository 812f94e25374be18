"""A fact of a team: named in one of two lists, and from there on in every place that keeps or shows a team."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import make_event, signed_in
from tournament.access import Actor
from tournament.forms.roster.reader import read_roster
from tournament.forms.roster.table import HEADINGS, ROLES
from tournament.forms.teams import TeamForm
from tournament.lists.teams import desk_teams_list
from tournament.models import Event, Journal, Team
from tournament.models.team import MARKS, PLAIN_FACTS
from tournament.queries.ledger import cash
from tournament.queries.roster import COLUMNS, RosterRow, plain_facts_of, row_of
from tournament.services.events import copy_event
from tournament.services.teams import add_team, change_team, enter_roster
from tournament.services.waiting import enter_up_to_limit

pytestmark = pytest.mark.django_db
# Every other field of a team, and why neither list has it.
OWN_RULES = {
    "id": "the row itself",
    "event": "the event that it is in",
    "number": "free numbers are given, and it stays once games are played",
    "name": "everybody reads it, by as much as the players wish",
    "key": "computed from the name",
    "status": "an act changes it: leave, come back",
    "left_after": "goes with the status",
    "joined_in": "computed from the games that have begun",
    "entered": "goes with the name",
    "shown_as": "goes with the name",
    "home": "one team a table, and tables are numbered again",
    "here_at": "an act changes it: check in",
    "note": "the desk's own, written at the door",
}
TEXTS: dict[str, Any] = {fact: f"Some {fact}" for fact in PLAIN_FACTS}
OTHER_TEXTS: dict[str, Any] = {fact: f"Other {fact}" for fact in PLAIN_FACTS}
YES: dict[str, Any] = dict.fromkeys(MARKS, True)
NO: dict[str, Any] = dict.fromkeys(MARKS, False)


@pytest.fixture
def event(dana: User) -> Event:
    return make_event("Priced Open", dana, fee_cents=2000, pot_cents=1000)


def facts(team: Team | RosterRow) -> dict[str, Any]:
    return {name: getattr(team, name) for name in (*PLAIN_FACTS, *MARKS)}


def test_a_field_of_a_team_is_a_plain_fact_or_a_mark_or_has_rules_of_its_own() -> None:
    fields = [field.name for field in Team._meta.concrete_fields]
    assert sorted(fields) == sorted([*PLAIN_FACTS, *MARKS, *OWN_RULES])


def test_facts_come_in_by_the_form_a_list_and_a_copy(event: Event, dana: User) -> None:
    row = RosterRow(name="Aces", **TEXTS, **YES)
    assert facts(row_of(add_team(Actor(dana), event, row))) == TEXTS | YES
    assert facts(enter_roster(Actor(dana), event, [RosterRow(name="Books", **TEXTS, **YES)])[0]) == TEXTS | YES
    typed = TEXTS | dict.fromkeys(MARKS, "on") | {"name": "Clubs", "player1": "Cy Dee", "player2": "Di Ell"}
    assert signed_in(dana).post(f"/desk/{event.slug}/teams/", typed).status_code == 302
    assert facts(event.teams.get(name="Clubs")) == TEXTS | YES
    copy = copy_event(Actor(dana), event, "Next", datetime.date(2027, 11, 20), with_teams=True)
    assert [facts(team) for team in copy.teams.all()] == [TEXTS | YES | {"paid": False}] * 3


def test_facts_that_are_changed_are_stored_and_logged(event: Event, dana: User) -> None:
    add_team(Actor(dana), event, RosterRow(name="Aces", **TEXTS, **YES))
    change_team(Actor(dana), event, 1, RosterRow(name="Aces", **OTHER_TEXTS, **NO))
    assert facts(event.teams.get()) == OTHER_TEXTS | NO
    act = Journal.objects.get(action="change")
    assert (act.before, act.after) == (
        {"name": "Aces"} | TEXTS | YES,
        {"name": "Aces"} | OTHER_TEXTS | NO,
    )


def test_an_entry_on_the_waiting_list_says_the_facts_in_its_note(event: Event, dana: User) -> None:
    Event.objects.filter(pk=event.pk).update(entry_limit=1)
    rows = [RosterRow(name=name, players=(f"{name} One", f"{name} Two"), **TEXTS) for name in ("Aces", "Books")]
    assert [team.name for team in enter_up_to_limit(Actor(dana), event, rows)] == ["Aces"]
    notes = [player.note for player in event.registrations.get().players.all()]
    assert notes[0] == ", ".join(TEXTS.values())


def test_a_remark_behind_a_fact_is_left_out_of_a_list_that_is_read(event: Event) -> None:
    heads = ["Team", "Player 1", "Player 2", *PLAIN_FACTS]
    cells = ["Aces", "Ann", "Bob", *(f"{text} (new)" for text in TEXTS.values())]
    roster = read_roster("\n".join(";".join(line) for line in (heads, cells)), 2)
    assert [plain_facts_of(row) for row in roster.rows] == [TEXTS]


def test_a_form_that_is_opened_shows_the_facts(event: Event) -> None:
    form = TeamForm(event, None, RosterRow(name="Aces", **TEXTS, **YES))
    assert {name: form[name].value() for name in (*PLAIN_FACTS, *MARKS)} == TEXTS | YES
    assert set(form.field_order) >= {*PLAIN_FACTS, *MARKS}


def test_each_fact_has_words_for_lists_that_are_read_and_written(event: Event, dana: User) -> None:
    add_team(Actor(dana), event, RosterRow(name="Aces", **TEXTS, **YES))
    shown = {column.key for column in desk_teams_list(event, cash(event)).columns if column.shown}
    for words in (shown, COLUMNS.keys(), ROLES.keys(), HEADINGS.keys()):
        assert set(words) >= {*PLAIN_FACTS, *MARKS}
