"""Entries that players make: every state of an entry, every way from one to the next, and what cannot be."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from tests.factories import begin, make_teams
from tests.sure import fresh, refusal_of
from tests.tournament.archive.filed import changed, filed
from tests.tournament.entering.conftest import alone, entered, log_of, open_event, states, team
from tests.tournament.money.test_payouts import finished
from tournament.access import NOBODY, Actor
from tournament.archive.parts import columns_of
from tournament.archive.store import export_event, import_event
from tournament.errors import DomainError
from tournament.models import Event, Person, Registration
from tournament.queries.entering import door, shown_single, wall_code
from tournament.queries.roster import RosterRow
from tournament.services import entering, teams
from tournament.services.draws import draw_rounds
from tournament.services.events import archive_event, change_event, copy_event, delete_event
from tournament.services.ledger import set_paid
from tournament.services.playoffs import finish_event
from tournament.services.verifying import findings

TWICE = "is entered already. Is this somebody else? Then add an initial to the name."


def refused(act: Any) -> tuple[int, dict[str, str]]:
    with pytest.raises(DomainError) as refusal:
        act()
    return refusal.value.status, {fault.field: fault.text for fault in refusal.value.faults}


def decided(dana: User, event: Event, first: int, last: int = 0, *, accepted: bool = True) -> list[Registration]:
    return entering.decide(Actor(dana), event, first, last or first, accepted=accepted)


def wrong() -> list[str]:
    return [line for line in findings() if "no longer refuses" not in line]


# From the form to the list of teams.


def test_an_entry_is_a_team_at_once_as_long_as_there_is_room(dana: User) -> None:
    event = open_event(dana, entry_limit=2)
    entered(event, team("Reds"), team("Blues"), team("Greens"), team("Golds"))
    assert states(event) == ["1 Reds in 1", "2 Blues in 2", "3 Greens waiting", "4 Golds waiting"]
    assert log_of(event)[:4] == [
        "Reds entered by themselves",
        "1 Reds entered",
        "Blues entered by themselves",
        "2 Blues entered",
    ]
    assert [str(row) for row in event.teams.get(number=1).players.all()] == ["Reds One", "Reds Two"]
    assert wrong() == []


def test_an_entry_waits_for_the_desk_where_the_club_wants_it(dana: User) -> None:
    event = open_event(dana, entries_wait=True, entry_limit=2)
    entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds")))
    assert ([row.split()[-1] for row in states(event)], door(event)["teams"]) == (["asked"] * 4, [])
    decided(dana, event, 2, accepted=False)
    decided(dana, event, 3)
    # Whoever looked at three entries has not seen the fourth.
    assert [row.name for row in decided(dana, event, 1, 3)] == ["Reds"]
    decided(dana, event, 4)
    assert states(event) == ["1 Reds in 2", "2 Blues refused", "3 Greens in 1", "4 Golds waiting"]
    assert refused(lambda: decided(dana, event, 2, accepted=False))[0] == 409
    assert refused(lambda: decided(dana, event, 1, 9))[0] == 409
    words = ["Blues: entry not accepted", "Greens: entry accepted", "Reds: entry accepted", "Golds: entry accepted"]
    assert [text for text in log_of(event) if "accepted" in text] == words


@pytest.mark.parametrize(
    ("wanted", "faults"),
    [
        (team("Reds", players=["New One"]), {"name": "“Reds” is already entered."}),
        (team("ＲＥＤＳ", players=["New One"]), {"name": "“ＲＥＤＳ” is already entered."}),
        (team("Late", players=["New One"]), {"name": "“Late” is already entered."}),
        (team("\u200d"), {"name": "A name is needed."}),
        (team("New", players=["\u200d"]), {"player1": "A name is needed."}),
        (team("New", players=["New One", "reds one"]), {"player2": f"reds one {TWICE}"}),
        (team("New", players=["New One", "New One"]), {"player2": "New One is named twice in this line."}),
        (alone("Late Two"), {"player1": f"Late Two {TWICE}"}),
    ],
)
def test_what_cannot_be_entered(dana: User, wanted: dict[str, Any], faults: dict[str, str]) -> None:
    event = open_event(dana, entry_limit=1)
    entered(event, team("Reds"), team("Late"))
    assert refused(lambda: entering.enter(NOBODY, event, **wanted)) == (422, faults)
    assert event.registrations.count() == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"entries_from": None},
        {"entries_from": timezone.now() + timedelta(days=1)},
        {"entries_until": timezone.now() - timedelta(minutes=1)},
        {"archived_at": timezone.now()},
        {"stage": "over"},
    ],
)
def test_nobody_enters_before_it_opens_or_after_it_closes(dana: User, fields: dict[str, Any]) -> None:
    event = open_event(dana, **fields)
    assert refused(lambda: entering.enter(NOBODY, event, **team("Reds"))) == (409, {"": entering.CLOSED})


# Withdrawing, and who moves up.


def test_whoever_withdraws_makes_room_for_the_next_who_is_told_by_mail(
    dana: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(settings, "MAIL", "smtp://mail.example")
    event = open_event(dana, entry_limit=1, entry_words="Cash at the door")
    reds, *_ = entered(event, team("Reds"), team("Blues"), team("Greens", contact="555-0100"))
    with django_capture_on_commit_callbacks(execute=True):
        entering.withdraw(NOBODY, reds)
    assert states(event) == ["1 Reds withdrawn", "2 Blues in 1", "3 Greens waiting"]
    for _ in range(50):
        time.sleep(0 if mail.outbox else 0.1)
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["blues@example.com"], "Columbus Open: you are in")
    assert "Blues is No. 1." in sent.body and "Cash at the door" in sent.body
    # A second press changes nothing; whoever enters again is last.
    entering.withdraw(NOBODY, reds)
    entering.enter_again(NOBODY, reds)
    assert states(event)[-1] == "4 Reds waiting"
    assert refused(lambda: entering.enter_again(NOBODY, reds))[0] == 409
    teams.remove_team(Actor(dana), event, 1)
    assert states(event) == ["2 Blues withdrawn", "3 Greens in 1", "4 Reds waiting"]
    change_event(Actor(dana), event, {"entry_limit": 5})
    assert states(event)[-1] == "4 Reds in 2"
    assert wrong() == []


def test_a_team_that_has_paid_stays_on_the_list_as_one_that_left(dana: User) -> None:
    event = open_event(dana, entry_limit=4, fee_cents=1000, rounds_planned=1)
    entries = entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds", "Late", "Later")))
    for number in (1, 2):
        set_paid(Actor(dana), fresh(event), number, True)
    entering.withdraw(NOBODY, entries[0])
    entering.withdraw(NOBODY, entries[1])
    draw_rounds(Actor(dana), fresh(event))
    assert [(row.number, row.name, row.status) for row in event.teams.all()] == [
        (1, "Reds", "left"),
        (2, "Blues", "left"),
        (3, "Greens", "playing"),
        (4, "Golds", "playing"),
        (5, "Late", "playing"),
        (6, "Later", "playing"),
    ]
    # Both are back, and there is a place for one of them only when somebody else goes.
    entering.enter_again(NOBODY, entries[0])
    assert states(event)[-1] == "7 Reds waiting 1"
    teams.withdraw_team(Actor(dana), event, 3, 0)
    assert (states(event)[-1], event.teams.get(number=1).status) == ("7 Reds in 1", "playing")
    begin(event)
    assert refused(lambda: entering.withdraw(NOBODY, entries[3])) == (
        409,
        {"": "Game 1 has begun: tell the desk that you leave."},
    )
    assert wrong() == []


def test_what_the_desk_does_to_a_team_its_entry_follows(dana: User) -> None:
    event = open_event(dana)
    entered(event, *map(team, ("Reds", "Blues", "Greens")))
    teams.withdraw_team(Actor(dana), event, 1, 0)
    assert states(event)[0] == "1 Reds withdrawn 1"
    teams.return_team(Actor(dana), event, 1)
    teams.remove_team(Actor(dana), event, 3)
    Registration.objects.filter(position=3).update(state="asked")
    event.teams.get(number=2).players.filter(position=1).delete()
    assert states(event) == ["1 Reds in 1", "2 Blues in 2", "3 Greens asked"]
    # The secretary's list replaces everything: an entry is in by its name, or it is not.
    rows = [RosterRow(row=1, name="Blues"), RosterRow(row=2, name="Others")]
    teams.enter_roster(Actor(dana), event, rows, replace=True)
    assert states(event) == ["1 Reds withdrawn", "2 Blues in 1", "3 Greens asked"]
    assert wrong() == []


def test_whose_name_a_team_bears_by_now_stays_on_the_waiting_list(dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    reds, *_ = entered(event, team("Reds"), team("Blues"), team("Greens"))
    teams.add_team(Actor(dana), event, RosterRow(name="Blues", players=("Somebody", "Else")))
    teams.remove_team(Actor(dana), event, 2)
    teams.add_team(Actor(dana), event, RosterRow(name="blues", players=("Somebody", "Else")))
    change_event(Actor(dana), event, {"entry_limit": 2})
    entering.withdraw(NOBODY, reds)
    assert states(event)[1:] == ["2 Blues waiting", "3 Greens in 1"]


# Changing an entry by its link.


def test_an_entry_is_changed_by_its_link_until_the_draw(dana: User) -> None:
    event = open_event(dana, rounds_planned=1)
    reds, *_ = entered(event, team("Reds"), team("Blues"))
    entering.change(NOBODY, reds, **team("Red Hats", players=["Reds One", "Al New"], contact="555", show="initial"))
    hats = event.teams.get(number=1)
    assert (hats.name, hats.full_names, hats.player_names) == (
        *("Red Hats", ("Reds One", "Al New")),
        ("Reds O.", "Al N."),
    )
    assert refused(lambda: entering.change(NOBODY, reds, **team("Blues")))[1]["name"] == "“Blues” is already entered."
    draw_rounds(Actor(dana), fresh(event))
    entering.change(NOBODY, reds, contact="555-7", show="hidden")
    assert refused(lambda: entering.change(NOBODY, reds, **team("Other"))) == (
        409,
        {"": "Names can no longer be changed here: tell the desk."},
    )
    stored = fresh(reds)
    assert (stored.name, stored.contact, stored.show) == ("Red Hats", "555-7", "hidden")


def test_what_the_desk_accepted_nobody_makes_another_by_the_link(dana: User) -> None:
    event = open_event(dana, entries_wait=True)
    [reds] = entered(event, team("Reds"))
    entering.change(NOBODY, reds, **team("Redder"))
    decided(dana, event, 1)
    assert refused(lambda: entering.change(NOBODY, reds, **team("Rude words")))[0] == 409
    assert (states(event), door(event)["teams"]) == (["1 Redder in 1"], ["Redder"])


def test_a_wish_goes_to_the_person_and_is_only_ever_stricter(dana: User) -> None:
    event = open_event(dana)
    [reds] = entered(event, team("Reds", show="initial"))
    person = Person.objects.get(key="reds one")
    assert (person.show, door(event)["teams"]) == ("initial", ["Reds"])
    entering.change(NOBODY, fresh(reds), show="hidden")
    assert (fresh(person).show, event.teams.get().player_names) == ("hidden", ("Player 1", "Player 2"))
    entering.change(NOBODY, fresh(reds), show="full")
    assert fresh(person).show == "hidden"
    other = open_event(dana, slug="other")
    entered(other, team("Reds"))
    assert other.teams.get().player_names == ("Player 1", "Player 2")


# Two who come alone.


def test_two_who_chose_each_other_are_a_team_at_the_earlier_place(dana: User) -> None:
    event = open_event(dana, entry_limit=2)
    otis, ann, cy, *_ = entered(event, alone("Otis Reed Jr."), alone("Ann Hall"), alone("Cy Young"), team("Reds"))
    assert [shown_single(row) for row in door(event)["singles"]] == ["Otis Reed Jr.", "Ann Hall", "Cy Young"]
    entering.choose(NOBODY, otis, 2)
    entering.choose(NOBODY, cy, 2)
    entering.choose(NOBODY, otis)
    entering.choose(NOBODY, ann, 1)
    assert [row.split()[-1] for row in states(event)] == ["single", "single", "single", "1"]
    entering.choose(NOBODY, otis, 2)
    assert states(event) == ["1 Reed / Hall in 2", "2 Ann Hall joined", "3 Cy Young single", "4 Reds in 1"]
    assert [str(row) for row in event.teams.get(number=2).players.all()] == ["Otis Reed Jr.", "Ann Hall"]
    assert log_of(event)[-6:] == [
        "Cy Young wants to play with Ann Hall",
        "Otis Reed Jr. no longer wants to play with Ann Hall",
        "Ann Hall wants to play with Otis Reed Jr.",
        "Otis Reed Jr. wants to play with Ann Hall",
        "Otis Reed Jr. and Ann Hall enter together",
        "2 Reed / Hall entered",
    ]
    assert refused(lambda: entering.choose(NOBODY, cy, 2)) == (
        409,
        {"": "Ann Hall has found a partner. Choose somebody else."},
    )
    assert refused(lambda: entering.choose(NOBODY, ann, 3)) == (409, {"": "You no longer look for a partner."})
    assert refused(lambda: entering.choose(NOBODY, cy, 77)) == (
        409,
        {"": "This player no longer looks for a partner. Choose somebody else."},
    )
    assert wrong() == []


def test_the_desk_joins_any_two_and_the_limit_holds_for_them(dana: User) -> None:
    event = open_event(dana, entry_limit=1, entries_wait=True)
    entered(event, team("Reed / Hall"), alone("Otis Reed", show="hidden"), alone("Ann Hall"), alone("Bo"), alone("Cy"))
    assert door(event)["singles"] == []
    decided(dana, event, 1, 5)
    assert [shown_single(row) for row in door(event)["singles"]] == ["a player", "Ann Hall", "Bo", "Cy"]
    assert entering.join(Actor(dana), event, 3, 2).name == "Reed / Hall 2"
    assert refused(lambda: entering.join(Actor(dana), event, 4, 4))[0] == 422
    assert refused(lambda: entering.join(Actor(dana), event, 4, 5, "reed / hall")) == (
        422,
        {"name": "“reed / hall” is already entered."},
    )
    entering.join(Actor(dana), event, 4, 5, "Late Birds")
    assert states(event) == [
        "1 Reed / Hall in 1",
        "2 Reed / Hall 2 waiting",
        "3 Ann Hall joined",
        "4 Late Birds waiting",
        "5 Cy joined",
    ]
    assert Registration.objects.get(position=2).show == "hidden"


def test_in_a_game_for_single_players_an_entry_is_one_player(dana: User) -> None:
    event = open_event(dana, sheet="back_alley/individual", entry_limit=1)
    entered(event, alone("Al Bo"), alone("Cy Di"))
    assert states(event) == ["1 Al Bo in 1", "2 Cy Di waiting"]


# The event around it.


def test_a_limit_below_the_teams_that_are_there_is_refused(dana: User) -> None:
    event = open_event(dana, teams=3)
    assert refused(lambda: change_event(Actor(dana), event, {"entry_limit": 2})) == (
        422,
        {"entry_limit": "3 teams are on the list already: the limit cannot be lower."},
    )


def test_a_copy_takes_limit_and_words_and_not_the_times(dana: User) -> None:
    event = open_event(dana, entry_limit=9, entry_words="Cash", entries_until=timezone.now() + timedelta(days=9))
    copy = copy_event(Actor(dana), event, "Next", event.date)
    assert (copy.entries_from, copy.entries_until) == (None, None)
    assert (copy.entry_limit, copy.entry_words, copy.entries_wait) == (9, "Cash", False)


def test_how_players_are_reached_is_forgotten_when_the_event_is_over(dana: User) -> None:
    event = finished(dana, cut=1)
    for position, name in enumerate(("Reds", "Blues"), start=1):
        Registration.objects.create(
            event=event, position=position, name=name, key=name, contact="555-0100", state="refused"
        )
    finish_event(Actor(dana), event)
    assert [*event.registrations.values_list("contact", flat=True)] == ["", ""]


def test_entries_travel_with_the_event_file_without_their_links(dana: User) -> None:
    event = open_event(dana, entry_limit=2, entry_words="Cash", entries_wait=False)
    _, _, _, cy, di = entered(event, team("Reds"), team("Blues"), team("Late"), alone("Cy Young"), alone("Di Old"))
    entering.choose(NOBODY, cy, di.position)
    entering.withdraw(NOBODY, Registration.objects.get(position=2))
    twin = import_event(Actor(dana), export_event(fresh(event)), name="Twin")
    facts = [field.name for field in columns_of(Registration) if field.name not in ("team", "wants")]
    names = [*facts, "team__number", "wants__position"]
    assert [*twin.registrations.values_list(*names)] == [*event.registrations.values_list(*names)]
    assert {*twin.registrations.values_list("token_hash", flat=True)} == {""}
    stored = ("entries_from", "entry_limit", "entry_words", "entries_wait")
    assert [getattr(twin, name) for name in stored] == [getattr(fresh(event), name) for name in stored]
    assert wrong() == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"team": 7}, "Registration in row 1, field team: 7 leads to no team of this file."),
        ({"wants": 1}, "Entry 1, field wants: somebody else is needed."),
        ({"position": 2}, "Entry 2: the database refuses it (one entry per place)."),
        ({"players": []}, "Entry 1, field players: they need clean names, each their own."),
        (
            {"state": "lost"},
            "Registration in row 1, field state: “lost” is not known: asked, in, waiting, single, joined, leaving, "
            "withdrawn, refused.",
        ),
        ({"name": "\u200d"}, "Entry 1, field name: A name is needed."),
    ],
)
def test_an_entry_of_a_file_that_cannot_be_is_refused(dana: User, change: dict[str, Any], fault: str) -> None:
    event = open_event(dana)
    entered(event, team("Reds"), team("Blues"))
    data = changed(filed(fresh(event)), Registration, 1, **change)
    assert fault in refusal_of(lambda: import_event(Actor(dana), data)).texts


def test_verify_names_an_entry_that_was_changed_by_hand(dana: User) -> None:
    event = open_event(dana, entry_limit=2)
    entered(event, team("Reds"), team("Blues"), team("Greens"))
    event.registrations.filter(position=1).update(team=None)
    event.registrations.filter(position=2).update(state="waiting")
    assert wrong() == [
        "Columbus Open: entry 1, Reds: is in, and has no team",
        "Columbus Open: entry 2, Blues: waits, and its team plays",
    ]


def test_a_deleted_event_takes_its_entries_with_it(dana: User) -> None:
    event = open_event(dana)
    entered(event, team("Reds"), alone("Cy Young"), alone("Di Old"))
    entering.choose(NOBODY, Registration.objects.get(position=2), 3)
    archive_event(Actor(dana), event, archived=True)
    delete_event(Actor(dana), fresh(event), event.name, export_event)
    assert (Event.objects.count(), Registration.objects.count()) == (0, 0)


def test_the_code_of_the_wall_is_of_one_event_and_one_epoch(dana: User) -> None:
    event, other = open_event(dana), open_event(dana, name="Other")
    code = wall_code(event)
    assert (len(code), code == wall_code(fresh(event)), code == wall_code(other)) == (6, True, False)
    make_teams(event, 1)
    assert not {*"ILO01"} & {*code}
