"""Who says what of whom: wishes, who somebody is, renaming and deleting a person, a name that changes in a seat."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import make_event, make_user
from tests.sure import fresh
from tests.tournament.persons.conftest import (
    add_person,
    delete,
    desk_page,
    enter_alone,
    enter_team,
    join,
    persons_of,
    rows_of_entry,
    seats,
    shown,
    to_delete,
    wish_of,
)
from tests.tournament.persons.visitor import Page, Visitor
from tests.tournament.registrations.conftest import open_event
from tests.tournament.season.clubs import person, played
from tournament.access import Actor
from tournament.models import Event, Official, Person, Player, SiteAct
from tournament.queries.roster import RosterRow
from tournament.services.people import choose_person, merge_persons
from tournament.services.substitutions import substitute
from tournament.services.teams import add_team, change_team, enter_roster
from tournament.site import sessions
from tournament.words.texts import name_key, near_key

ROOT = {"is_staff": True, "is_superuser": True}
AN_OWNER = {"is_staff": True}


def listed(user: User, event: Event, *teams: tuple[str, ...]) -> Event:
    enter_roster(Actor(user), event, [RosterRow(name=name, players=tuple(players)) for name, *players in teams])
    return event


def people_page(by: Visitor, event: Event) -> Page:
    return by.open(desk_page(event, "desk-people"))


# Rule 6: how a person is shown everywhere.


@pytest.fixture
def fred(db: None) -> User:
    return make_user("fred")


@pytest.fixture
def club(dana: User, fred: User) -> Event:
    """Dana's March, in which Otis Reed played; and Fred's Open, in which he plays, too."""
    played(dana, None)
    return listed(fred, make_event("Fred Open", director=fred), ("Reds", "Otis Reed", "Kit Moor"))


def wish(by: User, event: Event, name: str, show: str = "hidden") -> int:
    address = desk_page(event, "person-wish", person(name).pk)
    return Visitor(by).post(address, {"show": show}).status


def test_a_person_is_hidden_by_who_directs_all_its_events(dana: User, fred: User, club: Event) -> None:
    assert (wish(fred, club, "Otis Reed"), wish_of("Otis Reed")) == (403, "full")
    Official.objects.create(event=Event.objects.get(name="March"), user=fred, role="verifier")
    assert (wish(fred, club, "Otis Reed"), wish_of("Otis Reed")) == (403, "full")
    assert (wish(fred, club, "Kit Moor"), wish_of("Kit Moor")) == (302, "hidden")
    Official.objects.filter(event__name="March", user=fred).update(role="director")
    assert (wish(fred, club, "Otis Reed"), wish_of("Otis Reed")) == (302, "hidden")
    assert shown(seats(club, 1)) == ["Player 1", "Player 2"]


def test_whom_somebody_was_merged_into_counts_with_all_events(dana: User, fred: User, club: Event) -> None:
    """Kit Moor plays for Fred alone; who is one with her played in March."""
    merge_persons(Actor(dana), person("Kit Moor"), person("Ann Hill"))
    assert (wish(fred, club, "Ann Hill"), wish_of("Ann Hill")) == (403, "full")
    assert [row.may_wish for row in _rows(people_page(Visitor(fred), club))] == [False, False]


def test_a_substitute_plays_there_too(dana: User, fred: User, club: Event) -> None:
    other = listed(dana, make_event("Other Open", director=dana), ("Blues", "Al Blue", "Bo Blue"))
    substitute(Actor(dana), other, 1, position=0, into="Kit Moor", from_round=1)
    assert (wish(fred, club, "Kit Moor"), wish_of("Kit Moor")) == (403, "full")


def _rows(page: Page) -> list[Any]:
    return list(page.answer.context["rows"])


def test_the_page_offers_what_may_be_pressed(dana: User, fred: User, club: Event) -> None:
    page = people_page(Visitor(fred), club)
    forms = {form.action for form in page.forms}
    otis, kit = seats(club, 1)
    wanted = {desk_page(club, "row-wish", row.pk) for row in (otis, kit)}
    wanted |= {desk_page(club, "person-wish", person("Kit Moor").pk)}
    assert {action for action in forms if action.endswith("wish/")} == wanted


def test_a_wish_for_one_event_is_kept_in_one_press(fred: User, club: Event) -> None:
    kit = seats(club, 1)[1]
    desk = Visitor(fred)
    assert not people_page(desk, club).has("Keep “No names” for every event")
    page = people_page(desk, club)
    form = page.form_to(desk_page(club, "row-wish", kit.pk))
    assert page.send(form, form.buttons[0], show="initial").status == 302
    assert (shown(seats(club, 1)), wish_of("Kit Moor")) == (["Otis Reed", "Kit M."], "full")
    page = people_page(desk, club)
    form = page.form_to(desk_page(club, "kept-wish", kit.pk))
    assert (page.send(form, form.buttons[0]).status, wish_of("Kit Moor")) == (302, "initial")


def test_a_wish_is_not_kept_for_a_person_of_other_events(fred: User, club: Event) -> None:
    otis = seats(club, 1)[0]
    Player.objects.filter(pk=otis.pk).update(show="hidden")
    desk = Visitor(fred)
    assert not any("kept-wish" in form.action for form in people_page(desk, club).forms)
    assert desk.post(desk_page(club, "kept-wish", otis.pk), {}).status == 403
    assert wish_of("Otis Reed") == "full"


def test_a_wish_of_nobody_cannot_be_kept(fred: User, club: Event) -> None:
    kit = seats(club, 1)[1]
    Player.objects.filter(pk=kit.pk).update(show="hidden", person=None)
    answer = Visitor(fred).post(desk_page(club, "kept-wish", kit.pk), {})
    assert (answer.status, "First say who this is." in answer.words) == (409, True)


@pytest.mark.parametrize(("show", "status"), [("loud", 422), ("", 422), ("initial", 302)])
def test_a_wish_is_one_of_three(fred: User, club: Event, show: str, status: int) -> None:
    kit = seats(club, 1)[1]
    answer = Visitor(fred).post(desk_page(club, "row-wish", kit.pk), {"show": show})
    assert (answer.status, fresh(kit).show) == (status, show if status == 302 else "full")


def test_a_row_of_another_event_is_not_there(dana: User, fred: User, club: Event) -> None:
    otis = Player.objects.get(team__event__name="March", name="Otis Reed")
    for name in ("row-wish", "kept-wish", "player-person"):
        answer = Visitor(fred).post(desk_page(club, name, otis.pk), {"show": "hidden", "new": ""})
        assert answer.status == 409, name
    assert fresh(otis).show == "full"


def test_an_owner_says_how_a_person_is_shown_on_its_page(fred: User, club: Event) -> None:
    root = Visitor(make_user("otto", **AN_OWNER))
    page = root.open(reverse("person", args=[person("Otis Reed").pk]))
    form = page.form_to(reverse("person-own-wish", args=[person("Otis Reed").pk]))
    assert page.send(form, form.buttons[0], show="initial").status == 302
    assert (wish_of("Otis Reed"), shown(seats(club, 1))[0]) == ("initial", "Otis R.")
    assert str(SiteAct.objects.first()) == f"Person {person('Otis Reed').pk} changed"


# Rule 9: who somebody is.


def test_who_waits_is_on_the_page_and_who_is_not_accepted_is_not(dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    enter_team(event, "Reds", "Al Red", "Bo Red")
    enter_team(event, "Blues", "Cy Blue", "Di Blue")
    enter_alone(event, "Ed Alone")
    Event.objects.filter(pk=event.pk).update(entries_wait=True)
    enter_team(fresh(event), "Greens", "Flo Green", "Gil Green")
    rows = _rows(people_page(Visitor(dana), event))
    assert [row.player.full_name for row in rows] == ["Al Red", "Bo Red", "Cy Blue", "Di Blue", "Ed Alone"]
    [cy] = [row.player for row in rows if row.player.full_name == "Cy Blue"]
    assert Visitor(dana).post(desk_page(event, "player-person", cy.pk), {"new": ""}).status == 302
    assert persons_of(rows_of_entry(event, 2)) == ["Cy Blue", ""]


def test_only_names_that_may_be_meant_are_offered(fred: User) -> None:
    for name in ("Jose Nunez", "José Núñez", "Joe Nunez"):
        Person.objects.create(name=name, key=name_key(name), near=near_key(name))
    event = listed(fred, make_event("Fred Open", director=fred), ("Reds", "Nunez, Jose", "Kit Moor"))
    [row, kit] = _rows(people_page(Visitor(fred), event))
    assert [one.name for one in row.offered] == ["Jose Nunez", "José Núñez"]
    assert (row.person, kit.person.name, kit.offered) == (None, "Kit Moor", ())
    desk = Visitor(fred)
    joe = desk.post(desk_page(event, "player-person", row.player.pk), {"person": person("Joe Nunez").pk})
    assert (joe.status, persons_of(seats(event, 1))) == (403, ["", "Kit Moor"])
    jose = desk.post(desk_page(event, "player-person", row.player.pk), {"person": person("José Núñez").pk})
    assert (jose.status, persons_of(seats(event, 1))) == (302, ["José Núñez", "Kit Moor"])
    # A player who was matched can be changed to somebody else with a similar name.
    [row, _] = _rows(people_page(desk, event))
    assert [one.name for one in row.offered] == ["Jose Nunez"]


def test_an_owner_chooses_any_person_by_number(dana: User) -> None:
    event = listed(dana, make_event("Open", director=dana), ("Reds", "Kit Moor", "Al Red"))
    add_person(dana, "Zoe Fox")
    kit = seats(event, 1)[0]
    assert not any(field.name == "person" for form in people_page(Visitor(dana), event).forms for field in form.fields)
    page = people_page(Visitor(make_user("root", **ROOT)), event)
    form = next(form for form in page.forms if form.action.endswith(f"/{kit.pk}/") and "person" in form.names)
    assert page.send(form, form.buttons[0], person=str(person("Zoe Fox").pk)).status == 302
    assert persons_of(seats(event, 1)) == ["Zoe Fox", "Al Red"]


def test_the_page_asks_the_database_as_often_for_many_as_for_few(dana: User, fred: User, club: Event) -> None:
    def asked() -> int:
        desk = Visitor(fred)
        people_page(desk, club)
        with CaptureQueriesContext(connection) as queries:
            people_page(desk, club)
        return len(queries)

    add_team(Actor(fred), club, RosterRow(name="Blues", players=("Hill, Ann", "Otis Reed")))
    few = asked()
    for number in range(2, 14):
        add_team(
            Actor(fred), club, RosterRow(name=f"Team {number}s", players=(f"Reed, Otis {number}", f"Ann {number}"))
        )
    add_team(Actor(fred), club, RosterRow(name="Greens", players=("Hill, Ann", "Reed, Otis")))
    assert asked() == few


# Rule 10: a person is deleted.


def test_the_preview_says_what_goes(dana: User, fred: User, club: Event) -> None:
    root, otis = Visitor(make_user("root", **ROOT)), person("Otis Reed")
    substitute(Actor(fred), club, 1, position=1, into="Zoe Fox", from_round=1)
    other = listed(dana, make_event("Third Open", director=dana), ("Kings", "Al King", "Bo King"))
    Player.objects.filter(team__event=other, name="Al King").update(name="Otis Reed", key="otis reed", person=None)
    preview = to_delete(root, otis)
    assert "This takes the name out of 2 events" in preview.words
    for words in ("March", "Fred Open", "1 Reds", "Otis Reed, with Bo King", "Third Open"):
        assert words in preview.words, words
    for words in ("log", "papers", "event files", "backups"):
        assert words in preview.words, words
    form = preview.form_to(reverse("person-deletion", args=[otis.pk]))
    assert (form.ticks("row"), form.ticked("row")) == ([str(seats(other, 1)[0].pk)], [])
    assert fresh(otis).deleted_at is None
    zoe = to_delete(root, person("Zoe Fox"))
    assert "substitute for Kit Moor" in zoe.words


def test_a_pair_that_waits_is_named_with_the_partner(dana: User) -> None:
    for name in ("Cy Young", "Di Hall"):
        add_person(dana, name)
    event, root = open_event(dana, entry_limit=1), Visitor(make_user("root", **ROOT))
    enter_team(event, "Reds", "Al Red", "Bo Red")
    join(enter_alone(event, "Cy Young"), enter_alone(event, "Di Hall"))
    assert "Cy Young, with Di Hall, waiting list" in to_delete(root, person("Cy Young")).words
    assert "Di Hall, with Cy Young, has a partner" in to_delete(root, person("Di Hall")).words


def test_a_row_that_became_somebodys_meanwhile_is_not_deleted(dana: User, club: Event) -> None:
    root, otis = Visitor(make_user("root", **ROOT)), person("Otis Reed")
    other = listed(dana, make_event("Third Open", director=dana), ("Kings", "Al King", "Bo King"))
    Player.objects.filter(team__event=other, name="Al King").update(name="Otis Reed", key="otis reed", person=None)
    [row, _] = seats(other, 1)
    preview = to_delete(root, otis)
    choose_person(Actor(dana), other, row.pk, None)
    assert delete(preview, otis, row.pk).status == 409
    assert (fresh(otis).deleted_at, shown(seats(other, 1))) == (None, ["Otis Reed", "Bo King"])


def test_the_password_is_asked_before_a_person_goes(club: Event) -> None:
    root, otis = Visitor(make_user("root", **ROOT)), person("Otis Reed")
    preview = to_delete(root, otis)
    session = root.client.session
    session[sessions.PASSWORD] = 0
    session.save()
    form = preview.form_to(reverse("person-deletion", args=[otis.pk]))
    asked = preview.send(form, form.buttons[0])
    assert fresh(otis).deleted_at is None and any("again_password" in form.names for form in asked.forms)
    assert delete(preview, otis).status == 302
    assert fresh(otis).deleted_at is not None
    assert root.post(reverse("person-deletion", args=[otis.pk]), {}).status == 409


# Owners rename a person.


def rename(by: Visitor, who: Person, name: str) -> Page:
    page = by.open(reverse("person", args=[who.pk]))
    form = page.form_to(reverse("person-name", args=[who.pk]))
    return page.send(form, form.buttons[0], name=name)


def test_a_person_is_renamed_with_its_rows_that_were_spelt_so(dana: User, fred: User, club: Event) -> None:
    root, otis = Visitor(make_user("root", **ROOT)), person("Otis Reed")
    alone = make_event("Alone", director=dana, sheet="back_alley/individual", names="initial")
    enter_roster(Actor(dana), alone, [RosterRow(name=name) for name in ("Otis Reed", "Bea Fox")])
    kit = seats(club, 1)[1]
    Player.objects.filter(pk=kit.pk).update(name="Otto", key="otto", person=None)
    answer = rename(root, otis, "Otis Reeves")
    assert (answer.status, "Saved: Otis Reeves." in answer.words) == (302, True)
    otis.refresh_from_db()
    assert (otis.name, otis.key, otis.near) == ("Otis Reeves", "otis reeves", "otis reeves")
    assert shown(seats(club, 1)) == ["Otis Reeves", "Otto"]
    assert [(team.full_name, team.key, team.name) for team in alone.teams.all()] == [
        ("Otis Reeves", "otis reeves", "Otis R."),
        ("Bea Fox", "bea fox", "Bea F."),
    ]
    march = Event.objects.get(name="March")
    assert Player.objects.get(team__event=march, person=otis).name == "Otis Reeves"
    assert str(SiteAct.objects.first()) == f"Person {otis.pk} changed"


def test_a_row_that_is_spelt_otherwise_stays(fred: User, club: Event) -> None:
    otis = person("Otis Reed")
    change_team(Actor(fred), club, 1, RosterRow(number=1, name="Reds", players=("O. Reed", "Kit Moor")), same=[0])
    assert persons_of(seats(club, 1)) == ["Otis Reed", "Kit Moor"]
    rename(Visitor(make_user("root", **ROOT)), otis, "Otis Reeves")
    assert shown(seats(club, 1)) == ["O. Reed", "Kit Moor"]


def test_a_name_that_another_has_is_said(club: Event) -> None:
    answer = rename(Visitor(make_user("root", **ROOT)), person("Kit Moor"), "Reed, Otis")
    assert f"Same or similar name: Otis Reed, No. {person('Otis Reed').pk}." in answer.words


@pytest.mark.parametrize("name", ["", "x" * 41, "a\u202eb"])
def test_a_name_that_is_none_is_refused_and_stays_typed(club: Event, name: str) -> None:
    answer = rename(Visitor(make_user("root", **ROOT)), person("Kit Moor"), name)
    assert answer.status == 422
    form = answer.form_to(reverse("person-name", args=[person("Kit Moor").pk]))
    assert form.value("name") == name


# Rule 8: a name changes in a seat.


def typed(by: User, event: Event, team: int = 1, **names: str) -> Page:
    """The form of a team, saved with other names."""
    page = Visitor(by).open(desk_page(event, "desk-team", team))
    return page.visitor.post(page.address, page.form_to(page.address).filled(dict(names)))


def answered(asked: Page, *answers: str) -> Page:
    given: dict[str, Any] = {f"who-{seat}": answer for seat, answer in enumerate(answers, start=1) if answer}
    return asked.press("Save", **given)


@pytest.mark.parametrize("name", ["OTIS REED", "Otis  Reed", "Otis Re\u0435d"])
def test_the_same_name_written_otherwise_asks_nothing(dana: User, club: Event, name: str) -> None:
    event = listed(dana, make_event("Open", director=dana), ("Aces", "Otis Reed", "Ann Hill"))
    assert typed(dana, event, player1=name).status == 302
    assert persons_of(seats(event, 1)) == ["Otis Reed", "Ann Hill"]


def test_seats_that_change_places_ask_nothing(dana: User, club: Event) -> None:
    event = listed(dana, make_event("Open", director=dana), ("Aces", "Otis Reed", "Ann Hill"))
    assert typed(dana, event, player1="Ann Hill", player2="Otis Reed").status == 302
    assert persons_of(seats(event, 1)) == ["Ann Hill", "Otis Reed"]


def test_what_was_typed_stays_while_it_is_asked(fred: User, club: Event) -> None:
    asked = typed(fred, club, player2="Kit Moore", city="Columbus")
    form = asked.form("Save")
    assert (asked.status, form.value("player2"), form.value("city")) == (409, "Kit Moore", "Columbus")
    assert "Kit Moor sat there" in asked.words
    assert form.ticked("who-2") == []
    assert (shown(seats(club, 1)), club.teams.get().city) == (["Otis Reed", "Kit Moor"], "")
    assert answered(asked, "", "here").status == 302
    assert (shown(seats(club, 1)), person("Kit Moor").name) == (["Otis Reed", "Kit Moore"], "Kit Moor")
    assert persons_of(seats(club, 1)) == ["Otis Reed", "Kit Moor"]


def test_two_seats_are_asked_at_once(dana: User, fred: User, club: Event) -> None:
    before = {row.position: row.pk for row in seats(club, 1)}
    asked = typed(fred, club, player1="Otis Reid", player2="Zoe Fox")
    assert [asked.form("Save").ticks(f"who-{seat}") for seat in (1, 2)] == [
        ["here", "other"],
        ["renamed", "here", "other"],
    ]
    again = answered(asked, "here")
    assert (again.status, shown(seats(club, 1))) == (409, ["Otis Reed", "Kit Moor"])
    assert answered(asked, "here", "other").status == 302
    assert persons_of(seats(club, 1)) == ["Otis Reed", "Zoe Fox"]
    after = {row.position: row.pk for row in seats(club, 1)}
    assert (after[0] == before[0], after[1] == before[1]) == (True, False)


def test_who_plays_in_events_of_others_is_not_renamed(fred: User, club: Event) -> None:
    asked = typed(fred, club, player1="Otis Reid")
    forged = dict(asked.form("Save").filled({"who-1": "here"})) | {"who-1": "renamed"}
    assert asked.visitor.post(asked.address, forged).status == 403
    assert (shown(seats(club, 1))[0], person("Otis Reed").name) == ("Otis Reed", "Otis Reed")


def test_an_answer_holds_for_what_was_asked(fred: User, club: Event) -> None:
    """Somebody else has put Zoe in the seat in the meantime: she is not renamed."""
    asked = typed(fred, club, player2="Kit Moore")
    change_team(Actor(fred), club, 1, RosterRow(number=1, name="Reds", players=("Otis Reed", "Zoe Fox")))
    again = answered(asked, "", "renamed")
    assert (again.status, "Zoe Fox sat there" in again.words) == (409, True)
    assert (shown(seats(club, 1)), person("Zoe Fox").name) == (["Otis Reed", "Zoe Fox"], "Zoe Fox")


def test_what_is_wrong_is_said_before_anybody_is_asked(fred: User, club: Event) -> None:
    listed(fred, club, ("Blues", "Al Blue", "Bo Blue"))
    refused = typed(fred, club, player2="Kit Moore", number="2")
    assert (refused.status, "sat there" in refused.words) == (422, False)


def test_whoever_has_a_private_link_keeps_it_or_somebody_else_sits_there(dana: User) -> None:
    for answer, kept in (("here", True), ("other", False)):
        event = open_event(dana, name=f"Open {answer}")
        link = enter_team(event, "Reds", "Al Red", "Bo Red")
        asked = typed(dana, event, player1="Al Rod")
        assert (asked.status, asked.form("Save").ticks("who-1")) == (409, ["here", "other"])
        assert answered(asked, answer).status == 302
        [row, _] = seats(event, 1)
        assert (row.name, bool(row.token_hash)) == ("Al Rod", kept)
        assert ("You are in as No. 1." in link.visitor.open(link.address).words) is kept


def test_a_partner_whose_seat_is_given_away_looks_for_a_partner_again(dana: User) -> None:
    event = open_event(dana)
    first, partner = enter_alone(event, "Cy Young"), enter_alone(event, "Di Hall")
    join(first, partner)
    asked = typed(dana, event, player2="Zoe Fox")
    assert answered(asked, "", "other").status == 302
    assert [entry.state for entry in event.registrations.order_by("position")] == ["in", "single"]
    assert shown(seats(event, 1)) == ["Cy Young", "Zoe Fox"]


def test_who_plays_alone_is_asked_about(dana: User) -> None:
    event = make_event("Alone", director=dana, sheet="back_alley/individual")
    enter_roster(Actor(dana), event, [RosterRow(name=name) for name in ("Otis Reed", "Bea Fox")])
    asked = typed(dana, event, name="Otis Reid")
    assert asked.status == 409
    assert answered(asked, "renamed").status == 302
    assert (person("Otis Reid").pk, persons_of(seats(event, 1))) == (seats(event, 1)[0].person_id, ["Otis Reid"])
    assert [team.name for team in event.teams.all()] == ["Otis Reid", "Bea Fox"]


# A list is pasted again.


def paste(by: User, event: Event, *teams: tuple[str, ...]) -> Page:
    roster = Visitor(by).open(desk_page(event, "desk-roster"))
    text = "\n".join(f"{name} – {' / '.join(players)}" for name, *players in teams)
    preview = roster.press("check=yes", text=text, replace="on")
    assert preview.press("accept=yes").status == 302
    return preview


def test_a_list_pasted_again_says_whose_seat_it_was(fred: User, club: Event) -> None:
    kit = person("Kit Moor")
    preview = paste(fred, club, ("Reds", "Otis Reed", "Kat Muir"))
    assert "Row 1: Kat Muir is in Kit Moor’s seat now. Say who that is under People." in preview.words
    assert persons_of(seats(club, 1)) == ["Otis Reed", ""]
    page = people_page(Visitor(fred), club)
    assert f"Kit Moor, No. {kit.pk}, had this seat before." in page.words
    # Found nobody: it is asked about.
    Visitor(fred).post(desk_page(club, "people-search"), {})
    assert persons_of(seats(club, 1)) == ["Otis Reed", ""]
    assert page.press(f"person={kit.pk}").status == 302
    assert persons_of(seats(club, 1)) == ["Otis Reed", "Kit Moor"]
    assert seats(club, 1)[1].instead_of is None


def test_the_name_of_before_is_the_person_again(fred: User, club: Event) -> None:
    paste(fred, club, ("Reds", "Otis Reed", "Kat Muir"))
    paste(fred, club, ("Reds", "Otis Reed", "Kat Mur"))
    assert [row.instead_of for row in seats(club, 1)] == [None, person("Kit Moor")]
    preview = paste(fred, club, ("Reds", "Otis Reed", "Kit Moor"))
    assert "sat." not in preview.words
    assert persons_of(seats(club, 1)) == ["Otis Reed", "Kit Moor"]


def test_teams_that_swap_players_are_not_asked_about(fred: User, club: Event) -> None:
    listed(fred, club, ("Blues", "Al Blue", "Bo Blue"))
    preview = paste(fred, club, ("Reds", "Otis Reed", "Al Blue"), ("Blues", "Kit Moor", "Bo Blue"))
    assert "Say under People" not in preview.words
    assert persons_of([*seats(club, 1), *seats(club, 2)]) == ["Otis Reed", "Al Blue", "Kit Moor", "Bo Blue"]
