"""Entries that players make: every state of an entry, every way from one to the next, and what cannot be."""

from __future__ import annotations

import secrets
import time
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from tests.factories import begin
from tests.sure import fresh, refusal_of
from tests.tournament.archive.filed import changed, filed
from tests.tournament.money.test_payouts import finished
from tests.tournament.registrations.conftest import alone, entered, log_of, open_event, own, states, team
from tournament.access import NOBODY, Actor
from tournament.archive.parts import columns_of
from tournament.archive.store import export_event, import_event
from tournament.errors import DomainError
from tournament.models import Event, Person, Player, Registration
from tournament.queries.registrations import door, player_by_link
from tournament.queries.roster import RosterRow
from tournament.services import registrations, teams
from tournament.services.draws import draw_rounds
from tournament.services.events import archive_event, change_event, copy_event, delete_event
from tournament.services.ledger import set_paid
from tournament.services.playoffs import finish_event
from tournament.services.verifying import findings
from tournament.words.texts import near_key


def refused(act: Any) -> tuple[int, dict[str, str]]:
    with pytest.raises(DomainError) as refusal:
        act()
    return refusal.value.status, {fault.field: fault.text for fault in refusal.value.faults}


def decided(dana: User, event: Event, *places: int, accepted: bool = True) -> dict[str, int]:
    return dict(registrations.decide(Actor(dana), event, places, accepted=accepted))


def enters(event: Event, wanted: dict[str, Any]) -> Any:
    return registrations.enter(NOBODY, event, secrets.token_urlsafe(24), **wanted)


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
    assert decided(dana, event, 2, accepted=False) == {"refused": 1}
    assert decided(dana, event, 3) == {"in": 1}
    # An official who looked at three entries has not seen the fourth.
    assert decided(dana, event, 1, 2, 3) == {"in": 1}
    assert decided(dana, event, 4) == {"waiting": 1}
    assert states(event) == ["1 Reds in 2", "2 Blues refused", "3 Greens in 1", "4 Golds waiting"]
    assert refused(lambda: decided(dana, event, 2, accepted=False))[0] == 409
    assert refused(lambda: decided(dana, event, 1, 9))[0] == 409
    words = ["Blues: entry not accepted", "Greens: entry accepted", "Reds: entry accepted", "Golds: entry accepted"]
    assert [text for text in log_of(event) if "accepted" in text] == words


@pytest.mark.parametrize(
    ("wanted", "faults"),
    [
        (team("\u200d"), {"name": "A name is needed."}),
        (team("New", players=["\u200d"]), {"player1": "A name is needed."}),
        (team("New", players=["New One", "New One"]), {"player2": "New One is named twice."}),
    ],
)
def test_what_cannot_be_entered(dana: User, wanted: dict[str, Any], faults: dict[str, str]) -> None:
    event = open_event(dana, entry_limit=1)
    entered(event, team("Reds"), team("Late"))
    assert refused(lambda: enters(event, wanted)) == (422, faults)
    assert event.registrations.count() == 2


@pytest.mark.parametrize(
    "wanted",
    [
        team("Reds", players=["New One", "New Two"]),
        team("rEdS", players=["New One", "New Two"]),
        team("Late", players=["New One", "New Two"]),
        team("New", players=["New One", "reds one"]),
        team("New", players=["One, Reds", "New Two"]),
        team("New", players=["Réds One Jr.", "New Two"]),
        alone("Late Two"),
    ],
)
def test_a_name_that_is_on_the_list_waits_for_the_desk_and_takes_nothing(dana: User, wanted: dict[str, Any]) -> None:
    event = open_event(dana, entry_limit=1)
    entered(event, team("Reds"), team("Late"))
    before = states(event)
    enters(event, wanted)
    assert (states(event)[:2], states(event)[2].split()[-1]) == (before, "asked")
    # It keeps nobody out who comes later, either.
    entered(event, team("Fine"))
    assert states(event)[3] == "4 Fine waiting"


def test_a_team_whose_name_is_taken_is_called_by_a_number(dana: User) -> None:
    event = open_event(dana)
    entered(event, team("Reds"), team("Reds", players=["New One", "New Two"]))
    assert decided(dana, event, 2) == {"in": 1}
    assert [(row.number, row.name) for row in event.teams.all()] == [(1, "Reds"), (2, "Reds 2")]


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
    assert refused(lambda: enters(event, team("Reds"))) == (409, {"": registrations.CLOSED})


# Withdrawing, and who moves up.


def test_whoever_withdraws_makes_room_for_the_next_who_is_told_by_mail(
    dana: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(settings, "MAIL", "smtp://mail.example")
    event = open_event(dana, entry_limit=1, entry_words="Cash at the door")
    reds, *_ = entered(event, team("Reds"), team("Blues"), team("Greens", contact="555-0100"))
    with django_capture_on_commit_callbacks(execute=True):
        registrations.withdraw(NOBODY, own(reds))
    assert states(event) == ["1 Reds withdrawn", "2 Blues in 1", "3 Greens waiting"]
    for _ in range(50):
        time.sleep(0 if mail.outbox else 0.1)
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["blues@example.com"], "Columbus Open: you are in")
    assert "Blues is No. 1." in sent.body and "Cash at the door" in sent.body
    # A second press changes nothing; a player who enters again is last.
    registrations.withdraw(NOBODY, own(reds))
    registrations.enter_again(NOBODY, own(reds))
    assert states(event)[-1] == "4 Reds waiting"
    assert refused(lambda: registrations.enter_again(NOBODY, own(reds)))[0] == 409
    teams.remove_team(Actor(dana), event, 1)
    assert states(event) == ["2 Blues withdrawn", "3 Greens in 1", "4 Reds waiting"]
    change_event(Actor(dana), event, {"entry_limit": 5})
    assert states(event)[-1] == "4 Reds in 2"
    assert wrong() == []


def test_a_team_that_has_paid_stays_on_the_list_as_one_that_left(dana: User) -> None:
    event = open_event(dana, entry_limit=2, fee_cents=1000, rounds_planned=1)
    entries = entered(event, *map(team, ("Reds", "Blues", "Late")))
    set_paid(Actor(dana), fresh(event), 1, True)
    registrations.withdraw(NOBODY, own(entries[0]))
    assert [(row.number, row.name, row.status) for row in event.teams.all()] == [
        (1, "Reds", "left"),
        (2, "Blues", "playing"),
        (3, "Late", "playing"),
    ]
    registrations.enter_again(NOBODY, own(entries[0]))
    assert states(event)[-1] == "4 Reds waiting 1"
    registrations.withdraw(NOBODY, own(entries[1]))
    assert (states(event)[-1], event.teams.get(number=1).status) == ("4 Reds in 1", "playing")
    assert wrong() == []


def test_a_team_that_is_drawn_asks_to_leave_and_plays_on(dana: User) -> None:
    event = open_event(dana, entry_limit=4, rounds_planned=1)
    entries = entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds", "Late")))
    draw_rounds(Actor(dana), fresh(event))
    version = fresh(event).rounds.get().pk
    registrations.withdraw(NOBODY, own(entries[1]))
    registrations.withdraw(NOBODY, own(entries[1]))
    assert states(event)[1] == "2 Blues leaving 2"
    assert (event.teams.get(number=2).status, fresh(event).rounds.get().pk) == ("playing", version)
    # Nobody moves up automatically, and new entries wait for the desk.
    enters(event, team("Later"))
    assert states(event)[4:] == ["5 Late waiting", "6 Later asked"]
    registrations.stay(NOBODY, own(entries[1]))
    assert states(event)[1] == "2 Blues in 2"
    begin(event)
    assert refused(lambda: registrations.withdraw(NOBODY, own(entries[3]))) == (
        409,
        {"": "Game 1 has started: tell the desk you’re leaving."},
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


def test_whose_name_a_team_bears_by_now_is_called_by_a_number(dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    reds, *_ = entered(event, team("Reds"), team("Blues"), team("Greens"))
    teams.add_team(Actor(dana), event, RosterRow(name="Blues", players=("Somebody", "Else")))
    change_event(Actor(dana), event, {"entry_limit": 2})
    registrations.withdraw(NOBODY, own(reds))
    assert states(event)[1:] == ["2 Blues in 1", "3 Greens waiting"]
    assert [str(row) for row in event.teams.all()] == ["1 Blues 2", "2 Blues"]


# Changing an entry by its link.


def changes(entry: Registration, *names: str, **typed: Any) -> None:
    """Save what a private link speaks for, with new names for these players in order."""
    rows = [row.pk for row in entry.players.order_by("position")]
    registrations.change(NOBODY, own(entry), names=dict(zip(rows, names, strict=False)), **typed)


def test_an_entry_is_changed_by_its_link_until_the_draw(dana: User) -> None:
    event = open_event(dana, rounds_planned=1)
    reds, *_ = entered(event, team("Reds"), team("Blues"))
    changes(reds, "Reds One", "Al New", name="Red Hats", contact="555", show="initial")
    hats = event.teams.get(number=1)
    assert (hats.name, hats.full_names, hats.player_names) == (
        *("Red Hats", ("Reds One", "Al New")),
        ("Reds O.", "Al N."),
    )
    # A name that is on the list is the desk's to decide about.
    assert refused(lambda: changes(reds, name="Blues")) == (409, {"": registrations.AT_DESK})
    assert refused(lambda: changes(reds, "Blues One")) == (409, {"": registrations.AT_DESK})
    draw_rounds(Actor(dana), fresh(event))
    changes(reds, contact="555-7", show="hidden")
    assert refused(lambda: changes(reds, name="Other")) == (409, {"": registrations.AT_DESK})
    assert [(row.contact, row.show) for row in reds.players.all()] == [("555-7", "hidden"), ("", "hidden")]
    assert (fresh(reds).name, event.teams.get(number=1).player_names) == ("Red Hats", ("Player 1", "Player 2"))


def test_who_the_desk_knows_is_renamed_by_the_desk_alone(dana: User) -> None:
    event = open_event(dana, entries_wait=True)
    [reds] = entered(event, team("Reds"))
    changes(reds, name="Redder")
    decided(dana, event, 1)
    assert refused(lambda: changes(reds, name="Rude words")) == (409, {"": registrations.AT_DESK})
    assert refused(lambda: changes(reds, "Rude Words")) == (409, {"": registrations.AT_DESK})
    assert (states(event), door(event)["teams"]) == (["1 Redder in 1"], ["Redder"])


def test_a_wish_holds_for_the_row_and_for_nobody_else(dana: User) -> None:
    event = open_event(dana)
    person = Person.objects.create(name="Reds One", key="reds one", near=near_key("Reds One"))
    [reds] = entered(event, team("Reds", show="initial"))
    assert (fresh(person).show, event.teams.get().player_names) == ("full", ("Reds O.", "Reds T."))
    changes(reds, show="hidden")
    assert (fresh(person).show, event.teams.get().player_names) == ("full", ("Player 1", "Player 2"))
    changes(reds, show="full")
    assert event.teams.get().player_names == ("Reds One", "Reds Two")
    other = open_event(dana, slug="other")
    entered(other, team("Reds"))
    assert other.teams.get().player_names == ("Reds One", "Reds Two")
    # While nobody has said who a row is, the wish of the person with that name applies.
    Person.objects.filter(pk=person.pk).update(show="hidden")
    changes(reds, show="full")
    assert event.teams.get().player_names == ("Player 1", "Reds Two")


def test_a_link_speaks_for_its_own_row_and_for_those_without_a_link(dana: User) -> None:
    event = open_event(dana)
    [reds] = entered(event, team("Reds"))
    first, second = reds.players.order_by("position")
    partner, token = registrations.first_link(NOBODY, first, second.pk)
    assert (partner.pk, player_by_link(event.slug, token)) == (second.pk, partner)
    changes(reds, show="hidden", contact="555-1")
    assert event.teams.get().player_names == ("Player 1", "Reds Two")
    assert refused(lambda: changes(reds, "Reds One", "Somebody Else"))[0] == 409
    assert refused(lambda: registrations.first_link(NOBODY, fresh(first), second.pk))[0] == 409
    # The desk makes a new one, and the old one ends.
    again, new = registrations.new_link(Actor(dana), event, second.pk)
    assert player_by_link(event.slug, token) is None
    assert player_by_link(event.slug, new) == again
    assert refused(lambda: registrations.change(NOBODY, partner, show="full"))[0] == 409
    # A player who withdraws leaves the partner, who has a link, alone at the same place in line.
    registrations.withdraw(NOBODY, own(reds))
    assert states(event) == ["1 Reds Two single", "2 Reds One withdrawn"]
    assert wrong() == []


def test_the_same_form_twice_is_one_entry(dana: User) -> None:
    event = open_event(dana)
    first, is_new = registrations.enter(NOBODY, event, "key", **team("Reds"))
    assert is_new
    assert registrations.enter(NOBODY, event, "key", **team("Blues")) == (first, False)
    assert states(event) == ["1 Reds in 1"]


# Two who come alone.


def test_two_who_chose_each_other_are_a_team_at_the_earlier_place(dana: User) -> None:
    event = open_event(dana, entry_limit=2)
    otis, ann, cy, *_ = entered(event, alone("Otis Reed Jr."), alone("Ann Hall"), alone("Cy Young"), team("Reds"))
    assert [row.name for row in door(event)["singles"]] == ["Otis Reed Jr.", "Ann Hall", "Cy Young"]
    registrations.choose(NOBODY, own(otis), 2)
    registrations.choose(NOBODY, own(cy), 2)
    registrations.choose(NOBODY, own(otis))
    registrations.choose(NOBODY, own(ann), 1)
    assert [row.split()[-1] for row in states(event)] == ["single", "single", "single", "1"]
    registrations.choose(NOBODY, own(otis), 2)
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
    assert refused(lambda: registrations.choose(NOBODY, own(cy), 2)) == (
        409,
        {"": "Ann Hall has found a partner. Pick somebody else."},
    )
    assert refused(lambda: registrations.choose(NOBODY, own(ann), 3)) == (
        409,
        {"": "You’re no longer looking for a partner."},
    )
    assert refused(lambda: registrations.choose(NOBODY, own(cy), 77)) == (
        409,
        {"": "This player is no longer looking for a partner. Pick somebody else."},
    )
    assert wrong() == []


def test_the_desk_joins_any_two_and_the_limit_holds_for_them(dana: User) -> None:
    event = open_event(dana, entry_limit=1, entries_wait=True)
    entered(event, team("Reed / Hall"), alone("Otis Reed", show="hidden"), alone("Ann Hall"), alone("Bo"), alone("Cy"))
    assert door(event)["singles"] == []
    decided(dana, event, 1, 2, 3, 4, 5)
    assert [row.name for row in door(event)["singles"]] == ["a player", "Ann Hall", "Bo", "Cy"]
    assert registrations.join(Actor(dana), event, 3, 2).name == "Reed / Hall 2"
    assert refused(lambda: registrations.join(Actor(dana), event, 4, 4))[0] == 422
    registrations.join(Actor(dana), event, 4, 5, "Late Birds")
    assert states(event) == [
        "1 Reed / Hall in 1",
        "2 Reed / Hall 2 waiting",
        "3 Ann Hall joined",
        "4 Late Birds waiting",
        "5 Cy joined",
    ]
    # Each keeps the own wish.
    assert [(row.full_name, row.show) for row in Player.objects.filter(entry__position__in=[2, 3])] == [
        ("Otis Reed", "hidden"),
        ("Ann Hall", "full"),
    ]


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
        entry = Registration.objects.create(event=event, position=position, name=name, key=name, state="refused")
        Player.objects.create(entry=entry, position=0, name=name, key=name, contact="555-0100")
    finish_event(Actor(dana), event)
    assert {*Player.objects.values_list("contact", flat=True)} == {""}


def test_entries_travel_with_the_event_file_without_their_links(dana: User) -> None:
    event = open_event(dana, entry_limit=2, entry_words="Cash", entries_wait=False)
    _, _, _, cy, di = entered(event, team("Reds"), team("Blues"), team("Late"), alone("Cy Young"), alone("Di Old"))
    registrations.choose(NOBODY, own(cy), di.position)
    registrations.withdraw(NOBODY, own(Registration.objects.get(position=2)))
    twin = import_event(Actor(dana), export_event(fresh(event)), name="Twin")
    facts = [field.name for field in columns_of(Registration) if field.name not in ("team", "wants")]
    names = [*facts, "team__number", "wants__position"]
    assert [*twin.registrations.values_list(*names)] == [*event.registrations.values_list(*names)]
    assert {*Player.objects.filter(entry__event=twin).values_list("token_hash", flat=True)} == {""}
    told = ("entry__position", "position", "name", "entered", "show", "contact", "note")
    there, here = (Player.objects.filter(entry__event=one).order_by("entry", "position") for one in (event, twin))
    assert [*here.values_list(*told)] == [*there.values_list(*told)]
    stored = ("entries_from", "entry_limit", "entry_words", "entries_wait")
    assert [getattr(twin, name) for name in stored] == [getattr(fresh(event), name) for name in stored]
    assert wrong() == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"team": 7}, "Registration in row 1, field team: 7 leads to no team of this file."),
        ({"wants": 1}, "Entry 1, field wants: somebody else is needed."),
        ({"position": 2}, "Entry 2: the database refuses it (one entry per place)."),
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
    registrations.choose(NOBODY, own(Registration.objects.get(position=2)), 3)
    archive_event(Actor(dana), event, archived=True)
    delete_event(Actor(dana), fresh(event), event.name, export_event)
    assert (Event.objects.count(), Registration.objects.count()) == (0, 0)
