"""Names as everybody reads them: no channel tells a hidden one; people are matched, merged, parted, deleted."""

from __future__ import annotations

import io
import itertools
import re
import zipfile
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote_plus

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pypdf import PdfReader

from tests.factories import MADE_FIVE, make_event, make_game, page_of, play, revise_entry, signed_in, words_of
from tests.public import READ, addresses_in
from tests.sure import fresh, sure
from tests.tournament.archive.filed import changed
from tests.tournament.registrations.conftest import alone, open_event
from tournament.access import NOBODY, Actor, shown_name
from tournament.archive.export import event_file
from tournament.archive.store import import_event
from tournament.errors import Conflict, ValidationFailed
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import (
    Device,
    Event,
    Game,
    Membership,
    Person,
    Player,
    Registration,
    Season,
    SiteAct,
)
from tournament.queries.devices import fingerprint
from tournament.queries.door import debts_at
from tournament.queries.people import names_in, people_in, person_facts, person_title
from tournament.queries.pictures import share
from tournament.queries.roster import RosterRow, look_up, row_of
from tournament.queries.sheet import sheet_now
from tournament.services.devices import issue_card, pair_device
from tournament.services.door import door
from tournament.services.draws import draw_rounds
from tournament.services.entries import record_entry
from tournament.services.events import change_event, copy_event
from tournament.services.people import choose_person, delete_person, find_people, merge_persons, part_person, set_wish
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.registrations import decide, enter
from tournament.services.rounds import close_round, start_round
from tournament.services.signatures import sign_for_all, sign_sheet
from tournament.services.substitutions import substitute, swap_teams
from tournament.services.teams import change_team, draw_numbers, enter_roster, merge_teams
from tournament.services.verifying import findings
from tournament.views.tablet import SCHEME

TEAMS = {
    "Zebedee / Quimby": ("Alaric Zebedee", "Bartho Quimby"),
    "Night Owls": ("Cosmo Xenakis", "Dorian Yarrow"),
    "The Wexfords": ("Evander Wexford", "Fergus Wexford"),
    "Full Deck": ("Gideon Vandermeer", "Hector Uxbridge"),
}
SITS_IN = "Ignatz Thackeray"
# Who looks for a partner and shows no name, and a team that waits for the desk: nobody else reads a word of them.
ALONE: dict[str, Any] = {
    "name": "",
    "players": ["Jolanta Underhill"],
    "show": "hidden",
    "note": "",
    "contact": "underhill@example.com",
}
WAITS: dict[str, Any] = {
    "name": "Kestrels",
    "players": ["Leopold Nightshade", "Milos Ostrander"],
    "contact": "ostrander@example.com",
}
# Links, contacts, what somebody said of himself while looking for a partner, and dues: whose they are reads them alone.
LINKS = {"Jolanta": "the-link-of-jolanta", "Ann": "the-link-of-ann-reader", "Leopold": "the-link-of-leopold"}
# The sum is long, so that no checksum in an address holds its digits by chance.
OWN_CONTACT, DUES, DOLLARS = "555-0177", 773_177_31, ("773177.31", "773,177.31", "77317731")
PRIVATE = {*map(fingerprint, LINKS.values()), *LINKS.values(), OWN_CONTACT, "ostrander@", "underhill@", *DOLLARS}
NEVER = {"Jolanta", "Underhill", "Kestrels", "Leopold", "Nightshade", "Milos", "Ostrander"}
EVERY_NAME = [*itertools.chain(*TEAMS.values()), SITS_IN]
STATES = ("drawn", "playing", "playoffs", "over")
VISIBLE = ("live", "after-round", "at-end")


def rows_of(teams: Any) -> list[RosterRow]:
    return [RosterRow(name=name, players=players) for name, players in teams.items()]


def person(name: str) -> Person:
    return Person.objects.get(name=name)


def names_of(event: Event) -> dict[str, list[str]]:
    """What everybody reads."""
    return {team.name: [player.name for player in team.players.all()] for team in event.teams.all()}


# The walk.


class Evening(NamedTuple):
    """An event with the token of a tablet, if there is one, and that of the private link of somebody's entry."""

    event: Event
    tablet: str
    link: str


def evening(dana: User, state: str, visible: str) -> Evening:
    """Four teams, entries, and every text that is copied: signatures, a substitute, a correction, two who swapped."""
    fields = {"rounds_planned": 1, "options": {"standings_visible": visible}, "checks_in": True}
    season = Season.objects.create(slug="fall", name="Fall 2026", dues_cents=DUES)
    actor, event = Actor(dana), open_event(dana, entries_wait=True, season=season, **fields)
    enter_roster(actor, event, rows_of(TEAMS))
    Membership.objects.create(season=season, person=person("Dorian Yarrow"))
    door(actor, event, 1, None, takes={debt.key: debt.cents for debt in debts_at(event, event.teams.get(number=1))})
    link = LINKS["Ann"]
    enter(NOBODY, event, LINKS["Jolanta"], **ALONE)
    enter(NOBODY, event, link, **alone("Ann Reader", contact=OWN_CONTACT))
    decide(actor, event, [1, 2], accepted=True)
    enter(NOBODY, event, LINKS["Leopold"], **WAITS)
    draw_rounds(actor, fresh(event))
    if state == "drawn":
        return Evening(fresh(event), "", link)
    start_round(actor, fresh(event), 1)
    substitute(actor, event, 4, position=1, into=SITS_IN, from_round=1, reason="ill")
    first, other = Game.objects.filter(round__event=event).order_by("table")
    token = pair_device(actor, issue_card(actor, event, 1))
    tablet = Actor(device=Device.objects.get(event=event))
    record_entry(tablet, first, MADE_FIVE, source="table")
    for side in (0, 1):
        sheet = sheet_now(first)
        sign_sheet(tablet, first, side=side, name=sheet.sides[side].players[-1], code=sheet.code)
    teams = [side.team.number for side in first.sides.order_by("index")]
    swap_teams(actor, event, 1, teams[0], teams[1], "sat the wrong way round")
    if state == "playing":
        return Evening(fresh(event), token, link)
    sign_for_all(actor, fresh(first), "swapped")
    record_entry(actor, other, MADE_FIVE, source="desk")
    sign_for_all(actor, fresh(other), "no tablet")
    close_round(actor, fresh(event), 1)
    make_cut(actor, fresh(event), 2)
    start_playoff_round(actor, fresh(event))
    if state == "over":
        final = sure(event.rounds.filter(stage="playoff").first())
        game = sure(final.games.first())
        record_entry(actor, game, MADE_FIVE, source="desk")
        sign_for_all(actor, fresh(game), "no tablet")
        close_round(actor, fresh(event), final.number)
        finish_event(actor, fresh(event))
    return Evening(fresh(event), token, link)


def text_of(content: bytes) -> str:
    """All that a page or a file says, its properties included."""
    if content.startswith(b"%PDF"):
        reader = PdfReader(io.BytesIO(content))
        outline = " ".join(str(mark) for mark in reader.outline)
        return " ".join([*(page.extract_text() for page in reader.pages), str(reader.metadata), outline])
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            return " ".join(book.read(name).decode(errors="replace") for name in book.namelist())
    return content.decode(errors="replace")


# Lists and papers that hang or are passed on; those of teams and of money are the officials' own.
FILES = "money receipts standings cross-table games hands final-places rounds bracket pot rulings corrections".split()
PAPERS = "standings final-places games bracket slips poster book rulings".split()


def channels(evening: Evening, dana: User) -> Iterator[tuple[str, str]]:
    """Everything that strangers, tablets and the hall read, by its place."""
    event, anybody, phone = fresh(evening.event), Client(), Client()
    slug, games = event.slug, list(Game.objects.values_list("pk", flat=True))
    link, door = f"/e/{slug}/entry/{evening.link}/", f"/e/{slug}/check-in/?code={event.wall_code}"
    pages = list(addresses_in(event, READ).values())
    pages += [reverse("team", args=[slug, number]) for number in (2, 3, 4)]
    pages += [reverse("public-game", args=[slug, pk]) for pk in games]
    pages += [reverse("person", args=[pk]) for pk in Person.objects.values_list("pk", flat=True)]
    pages += ["/", "/archive/", f"/e/{slug}/board/?section=seating", f"/e/{slug}/board/?section=champion"]
    pages += [f"/e/{slug}/enter/", link, door, reverse("season", args=["fall"])]
    for path in pages:
        for headers in ({}, {"HX-Request": "true"}):
            answer = anybody.get(path, headers=headers)
            yield path, text_of(answer.content) + str(answer.headers)
    for name in EVERY_NAME:
        for word in (name, *name.split()):
            for path in (reverse("search", args=[slug]), door):
                answer = anybody.get(path, {"team": word, "code": event.wall_code})
                # What was typed is there again: in the field, and in the address that the page asks for news.
                text = page_of(answer).replace(quote_plus(word), "").replace(word, "").replace(word.lower(), "")
                yield f"{path} {word}", text + answer.get("Location", "")
    # What is refused: entries, the link of somebody else, a phone that checks in another team, what only officials do.
    statuses = set()
    phone.post(door, {"number": "1"})
    presses = [(phone, door, {"number": number}) for number in ("2", "9")]
    presses += [(anybody, link, {"what": "choose", "partner": "99"}), (anybody, link, {"contact": ""})]
    presses += [(anybody, f"/e/{slug}/enter/", typed) for typed in ({"name": "Night Owls"}, {"alone": "yes"})]
    presses += [(anybody, f"/e/{slug}/check-in/", {"number": "1"}), (anybody, f"/desk/{slug}/teams/1/pot/", {})]
    if evening.tablet:
        table = Client()
        table.cookies[TABLE_COOKIE] = evening.tablet
        presses += [(table, f"/t/table/games/{pk}/{act}/", {}) for pk in games for act in ("time", "entries")]
        yield "tablet", page_of(table.get("/t/table/"))
        state = table.get("/t/api/state/", headers={"Authorization": f"{SCHEME}{evening.tablet}"})
        assert state.status_code == 200
        yield "state", text_of(state.content)
    for client, path, typed in presses:
        answer = client.post(path, typed)
        statuses.add(answer.status_code)
        yield f"{path} {typed} {answer.status_code}", text_of(answer.content).replace("Night Owls", "")
    assert {403, 409, 422} <= statuses <= {302, 403, 404, 409, 422}
    yield "share", repr(share(event))
    desk = signed_in(dana)
    files = [f"{name}.{kind}" for name in FILES for kind in ("csv", "json", "xlsx")]
    files += [f"{name}.pdf" for name in PAPERS] + [
        "score-sheets.pdf",
        "rounds/1/seating.pdf",
        "rounds/1/score-sheets.pdf",
    ]
    for name in files:
        answer = desk.get(f"/desk/{slug}/papers/{name}")
        if answer.status_code == 200:
            yield name, text_of(answer.content) + str(answer.headers)


def hide(dana: User, event: Event, how: str) -> set[str]:
    """Hide names one way; gives the words that nobody may read any more."""
    actor, surnames = Actor(dana), {name.split()[-1] for name in EVERY_NAME}
    if how in ("initial", "hidden"):
        change_event(actor, event, {"names": how}, confirmed=True)
        return surnames if how == "initial" else surnames | {name.split()[0] for name in EVERY_NAME}
    hidden: set[str] = set()
    for name, show in {
        "wish": (("Alaric Zebedee", "initial"), ("Cosmo Xenakis", "hidden"), (SITS_IN, "initial")),
        "deleted": (("Alaric Zebedee", ""), ("Evander Wexford", ""), ("Hector Uxbridge", ""), (SITS_IN, "")),
    }[how]:
        if whoever := Person.objects.filter(name=name).first():
            set_wish(actor, event, whoever, show) if show else delete_person(actor, whoever)
            hidden |= set(name.split()[1:] if show == "initial" else name.split())
    # The brother has the surname, too, and does not mind.
    return hidden - ({"Wexford"} if how == "deleted" else set())


EVERY_CASE = list(itertools.product(STATES, VISIBLE, ("initial", "hidden", "wish", "deleted")))
IN_PAIRS = [
    *(("drawn", "live", "initial"), ("drawn", "at-end", "deleted"), ("playing", "live", "wish")),
    *(("playing", "after-round", "hidden"), ("playoffs", "live", "deleted"), ("playoffs", "at-end", "initial")),
    *(("over", "live", "hidden"), ("over", "after-round", "deleted"), ("over", "at-end", "wish")),
]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[] if case in IN_PAIRS else [pytest.mark.nightly]) for case in EVERY_CASE],
    ids=str,
)
def test_no_channel_tells_a_hidden_name(dana: User, case: tuple[str, str, str]) -> None:
    played = evening(dana, *case[:2])
    event, before = played.event, dict(channels(played, dana))
    assert all(word in " ".join(before.values()) for word in ("Alaric", "Zebedee", "Wexfords"))
    assert case[0] != "playing" or any(name in before["tablet"] for name in EVERY_NAME)
    hidden = hide(dana, event, case[2]) | NEVER
    # Pictures and stores call a hand or a player by codes; whole words alone are names.
    leaks = [
        (where, word, text[max(0, match.start() - 60) : match.end() + 30])
        for where, text in channels(played, dana)
        for word in hidden
        if (match := re.search(word, text, re.IGNORECASE)) and not (case[2] == "deleted" and word == "Wexford")
    ]
    assert leaks == [], "\n".join(map(str, leaks))
    told = {(where, mark) for where, text in channels(played, dana) for mark in PRIVATE if mark in text}
    own_link = f"/e/{event.slug}/entry/{played.link}/"
    assert {(where, mark) for where, mark in told if not where.startswith(own_link)} == set()
    # The own page has the own contact until the event is over, when nobody needs to be reached any more.
    assert ((own_link, OWN_CONTACT) in told) == (case[0] != "over")
    assert [line for line in findings() if "no longer refuses" not in line] == []
    at_desk = page_of(signed_in(dana).get(f"/desk/{event.slug}/teams/"))
    assert ("Alaric Zebedee" in at_desk) == (case[2] != "deleted")


# How a name is shown, and who somebody is.


@pytest.mark.parametrize(
    ("name", "initial"),
    [
        ("Otis Reed", "Otis R."),
        ("Mary Ann Berg", "Mary B."),
        ("Otis", "Otis"),
        ("Reed, Otis", "Otis R."),
        *((f"Otis Reed{suffix}", "Otis R.") for suffix in (" Jr.", ", Jr", " Sr", " II", " III.", " IV", " Jr. II")),
        *(("Reed Jr., Otis", "Otis R."), ("Reed, Otis Jr.", "Otis R."), ("Van Berg, Otis", "Otis B.")),
        ("Otis Jr.", "Otis"),
        ("José Ángel", "José Á."),
    ],
)
def test_a_name_is_shown_whole_with_an_initial_or_not_at_all(name: str, initial: str) -> None:
    assert [shown_name(name, show, 2) for show in ("full", "initial", "hidden")] == [name, initial, "Player 2"]


def test_what_stands_behind_a_name_tells_nobody(event: Event, dana: User) -> None:
    enter_roster(Actor(dana), event, rows_of({"Team Jr II": ("Otis Reed Jr.", "Ann Lee II"), "Reed": ("Bo Reed, Jr",)}))
    change_event(Actor(dana), event, {"names": "hidden"})
    assert list(names_of(event)) == ["Team Jr II", "Team 2"]


def test_a_team_called_after_its_players_is_called_by_its_number_or_as_the_club_types(event: Event, dana: User) -> None:
    enter_roster(Actor(dana), event, rows_of(TEAMS))
    change_event(Actor(dana), event, {"names": "initial"})
    assert names_of(event) == {
        "Team 1": ["Alaric Z.", "Bartho Q."],
        "Night Owls": ["Cosmo X.", "Dorian Y."],
        "Team 3": ["Evander W.", "Fergus W."],
        "Full Deck": ["Gideon V.", "Hector U."],
    }
    assert "The Wexfords" in page_of(signed_in(dana).get(f"/desk/{event.slug}/standings/"))
    row = row_of(event.teams.get(number=3))
    assert (row.name, row.players) == ("The Wexfords", ("Evander Wexford", "Fergus Wexford"))
    for shown_as, shown in (("Brothers", "Brothers"), ("Two Wexfords", "Team 3")):
        change_team(Actor(dana), event, 3, RosterRow(number=3, name=row.name, players=row.players, shown_as=shown_as))
        assert event.teams.get(number=3).name == shown
    assert [person.name for person in Person.objects.order_by("pk")][:2] == ["Alaric Zebedee", "Bartho Quimby"]
    assert Person.objects.count() == 8
    draw_numbers(Actor(dana), event)
    assert {f"Team {team.number}" for team in event.teams.all() if team.entered} == {
        team.name for team in event.teams.all() if team.entered
    }
    change_event(Actor(dana), event, {"names": "full"})
    assert names_of(event) == {name: list(players) for name, players in TEAMS.items()}


def test_a_team_whose_number_is_in_the_name_of_a_player_is_called_by_it(dana: User) -> None:
    event = make_event(director=dana, names="initial")
    enter_roster(Actor(dana), event, [RosterRow(number=12, name="Table 12", players=("Guest 12", "Guest 13"))])
    assert names_of(event) == {"Team 12": ["Guest 1.", "Guest 1."]}


def test_officials_find_whole_names_and_everybody_what_is_shown(event: Event, dana: User) -> None:
    enter_roster(Actor(dana), event, rows_of(TEAMS))
    change_event(Actor(dana), event, {"names": "hidden"})
    assert [team.team for team in look_up(event, "zebedee")] == []
    assert [team.team for team in look_up(event, "zebedee", whole=True)] == ["Zebedee / Quimby"]
    names = names_in(event)
    facts = {"first": "1 Zebedee / Quimby", "teams": ["Night Owls", "Nobody Here"], "reason": "Alaric Zebedee", "n": 3}
    assert names.within(facts) == {
        "first": "1 Team 1",
        "teams": ["Night Owls", "a player"],
        "reason": "Player 1",
        "n": 3,
    }


def test_who_is_entered_again_is_the_same_person_and_two_of_one_name_are_asked_about(
    event: Event, dana: User, otis: User
) -> None:
    actor, later = Actor(dana), make_event("Later", dana)
    enter_roster(actor, event, rows_of({"Aces": ("Otis Reed", "Ann Lee"), "Books": ("Otis Reed", "Bea Fox")}))
    asked = [row for row in people_in(event) if row.match]
    assert [
        (sure(row.player.team).name, [str(each) for each in row.match.candidates]) for row in asked if row.match
    ] == [("Books", ["Otis Reed"])]
    choose_person(actor, event, asked[0].player.pk, None)
    assert Person.objects.filter(name="Otis Reed").count() == 2
    enter_roster(actor, later, rows_of({"Kings": ("OTIS REED", "Ann Lee"), "Queens": ("Cal Day", "Dee May")}))
    by_name = {row.player.name: row for row in people_in(later)}
    assert by_name["Ann Lee"].person == person("Ann Lee") and by_name["Ann Lee"].others == 1
    question = by_name["OTIS REED"]
    assert question.person is None and len(sure(question.match).candidates) == 2
    answer = signed_in(dana).get(f"/desk/{later.slug}/people/")
    assert answer.status_code == 200 and page_of(answer).count("Who is this?") == 1
    form = {"person": f"{sure(question.match).candidates[0].pk} Otis Reed"}
    assert signed_in(dana).post(f"/desk/{later.slug}/people/{question.player.pk}/", form).status_code == 302
    assert not any(row.match for row in people_in(later))
    cal, taken = by_name["Cal Day"].player.pk, sure(question.match).candidates[0].pk
    with pytest.raises(PermissionDenied, match="a different name"):
        choose_person(Actor(dana), later, cal, taken)
    with pytest.raises(ValidationFailed, match="plays for another team"):
        choose_person(Actor(otis), later, cal, taken)


def test_players_of_an_event_from_before_are_found_in_one_press_and_a_rehearsal_knows_nobody(dana: User) -> None:
    event, copy = make_event(director=dana, teams=2), make_event("Copy", dana, slug="_copy")
    assert [row.person for row in people_in(event)] == [None] * 4
    assert "Would be somebody new" in words_of(signed_in(dana).get(f"/desk/{event.slug}/people/"))
    assert find_people(Actor(dana), event) == 4
    assert find_people(Actor(dana), event) == 0
    enter_roster(Actor(dana), copy, rows_of({"Kings": ("Ann 1", "Cal Day")}))
    assert (Person.objects.count(), [row.person for row in people_in(copy)]) == (4, [None, None])


def test_who_plays_alone_is_shown_as_before_and_by_the_own_wish(dana: User) -> None:
    event = make_event(director=dana, sheet="back_alley/individual")
    enter_roster(Actor(dana), event, rows_of(dict.fromkeys(("Otis Reed", "Ann Lee", "Bea Fox", "Cal Day"), ())))
    first = sure(event.teams.first())
    assert (first.name, first.player_names) == ("Otis Reed", ())
    set_wish(Actor(dana), event, person("Otis Reed"), "initial")
    set_wish(Actor(dana), event, person("Ann Lee"), "hidden")
    delete_person(Actor(dana), person("Bea Fox"))
    assert [team.name for team in event.teams.all()] == ["Otis R.", "Player 2", "Player 3", "Cal Day"]
    assert [row_of(team).name for team in event.teams.all()] == ["Otis Reed", "Ann Lee", "Player 3", "Cal Day"]
    assert not event.teams.filter(key__contains="bea").exists()
    change_team(Actor(dana), event, 3, row_of(event.teams.get(number=3)))
    assert event.teams.get(number=3).player_names == ()


def test_two_are_merged_with_a_preview_and_parted_again(event: Event, dana: User, otis: User) -> None:
    actor, later = Actor(dana), make_event("Later", dana)
    enter_roster(actor, event, rows_of({"Aces": ("Otis Reed", "Ann Lee")}))
    enter_roster(actor, later, rows_of({"Aces": ("Otis Read", "Ann Lee")}))
    old, new, owner = person("Otis Read"), person("Otis Reed"), signed_in(otis)
    set_wish(actor, later, old, "hidden")
    page = page_of(owner.post(f"/people/{old.pk}/merger/", {"into": f"{new.pk} Otis Reed"}))
    assert f"Merge Otis Read (No. {old.pk}) into Otis Reed (No. {new.pk})?" in page and fresh(old).merged_into is None
    owner.post(f"/people/{old.pk}/merger/", {"into": str(new.pk), "sure": "yes"})
    # The stricter of both wishes holds while they are one.
    assert (fresh(old).merged_into, names_of(event), names_of(later)) == (
        new,
        {"Aces": ["Otis Reed", "Ann Lee"]},
        {"Aces": ["Player 1", "Ann Lee"]},
    )
    part_person(Actor(otis), fresh(old))
    assert fresh(old).merged_into is None
    acts = [str(act) for act in SiteAct.objects.order_by("pk")]
    assert acts == [f"Person {old.pk} into person {new.pk} merged", f"Person {old.pk} from person {new.pk} parted"]


def test_a_person_merged_who_played_against_himself_is_two_people(event: Event, dana: User, otis: User) -> None:
    enter_roster(Actor(dana), event, rows_of({"Aces": ("Otis Reed", "Ann Lee"), "Books": ("Otis Read", "Bea Fox")}))
    draw_rounds(Actor(dana), fresh(event))
    with pytest.raises(Conflict, match="nobody plays there twice"):
        merge_persons(Actor(otis), person("Otis Read"), person("Otis Reed"))
    answer = signed_in(otis).post(
        f"/people/{person('Otis Read').pk}/merger/", {"into": str(person("Otis Reed").pk), "sure": "yes"}
    )
    assert answer.status_code == 409 and "these are two people" in page_of(answer)
    assert not Person.objects.exclude(merged_into=None).exists()


def test_a_deleted_person_is_a_player_everywhere_and_two_of_them_break_no_form(event: Event, dana: User) -> None:
    actor = Actor(dana)
    enter_roster(actor, event, rows_of(TEAMS))
    name = "Alaric Zebedee"
    entry = Registration.objects.create(event=event, position=1, name=name, key=name.lower(), state="in")
    Player.objects.filter(name=name).update(entry=entry, contact="555", note="plays on Fridays", show="initial")
    for name in TEAMS["Zebedee / Quimby"]:
        delete_person(actor, person(name))
    team = event.teams.get(number=1)
    assert (team.name, team.entered, team.player_names) == ("Team 1", "", ("a player", "a player"))
    [row] = entry.players.all()
    assert (fresh(entry).name, row.name, row.contact, row.note, row.show) == ("a player", "a player", "", "", "full")
    change_team(actor, event, 1, row_of(team))
    assert Player.objects.filter(team__number=1, person__deleted_at__isnull=False).count() == 2
    assert Person.objects.filter(name="").values_list("key", flat=True).distinct().get() == ""
    assert {str(act) for act in SiteAct.objects.all()} == {"Person 1 deleted", "Person 2 deleted"}
    data = event_file(fresh(event))
    assert "Zebedee" not in str([data["models"][name] for name in ("Team", "Player", "Registration", "Round")])


def test_who_was_deleted_stays_a_player_in_the_event_file(event: Event, dana: User) -> None:
    actor = Actor(dana)
    enter_roster(actor, event, rows_of(TEAMS))
    delete_person(actor, person("Cosmo Xenakis"))
    change_event(actor, event, {"names": "hidden"})
    assert "a player" in names_of(event)["Night Owls"]
    again = import_event(actor, event_file(fresh(event)))
    assert names_of(again) == names_of(event)


def test_wishes_travel_in_the_event_file_and_the_stricter_one_holds(event: Event, dana: User) -> None:
    actor = Actor(dana)
    enter_roster(actor, event, rows_of(TEAMS))
    set_wish(actor, event, person("Cosmo Xenakis"), "initial")
    data = event_file(fresh(event))
    set_wish(actor, event, person("Cosmo Xenakis"), "full")
    again = import_event(actor, data)
    assert names_of(again) == {name: list(players) for name, players in TEAMS.items()} | {
        "Night Owls": ["Cosmo X.", "Dorian Yarrow"]
    }
    # The file says it of its rows, and of nobody of this club.
    assert (Person.objects.count(), person("Cosmo Xenakis").show) == (8, "full")
    copy = copy_event(actor, again, "Next year", again.date, with_teams=True)
    assert names_of(copy) == names_of(again)
    with pytest.raises(ValidationFailed, match="“loud” is not known: full, initial, hidden"):
        import_event(actor, changed(data, Player, 1, show="loud"))


def test_a_merged_team_keeps_its_people(event: Event, dana: User) -> None:
    enter_roster(Actor(dana), event, rows_of({"Otis Reed": ("Otis Reed",), "Ann Lee": ("Ann Lee",)}))
    set_wish(Actor(dana), event, person("Ann Lee"), "initial")
    merge_teams(Actor(dana), event, 1, 2, "Reed and Lee")
    assert names_of(event) == {"Team 1": ["Otis Reed", "Ann L."]}
    assert Person.objects.count() == 2


def test_a_persons_page_tells_what_its_events_tell(dana: User, otis: User) -> None:
    event = evening(dana, "over", "live").event
    player, owner = person("Bartho Quimby"), signed_in(otis)
    facts = person_facts(player, person_title(player))
    assert [team.event for team in facts.events] == [event]
    assert (facts.games["won"] + facts.games["lost"], dict(facts.partners)) == (
        sum(facts.partners.values()),
        {("Alaric Zebedee", person("Alaric Zebedee").pk): sum(facts.partners.values())},
    )
    page = page_of(Client().get(f"/people/{player.pk}/"))
    assert "Bartho Quimby" in page and "Columbus Open" in page and "For owners" not in page
    assert f"/people/{player.pk}/" in page_of(Client().get(f"/e/{event.slug}/teams/1/"))
    set_wish(Actor(dana), event, player, "hidden")
    assert (Client().get(f"/people/{player.pk}/").status_code, owner.get(f"/people/{player.pk}/").status_code) == (
        404,
        200,
    )
    assert f"/people/{player.pk}/" not in page_of(Client().get(f"/e/{event.slug}/teams/1/"))


@pytest.mark.django_db(transaction=True)
def test_a_persons_page_is_worked_out_once_until_a_game_is_corrected(dana: User) -> None:
    game = play(dana, make_game(dana, names="full"), MADE_FIVE)
    find_people(Actor(dana), game.round.event)
    path = f"/people/{person('Ann 1').pk}/"

    def read() -> tuple[int, str]:
        with CaptureQueriesContext(connection) as asked:
            words = words_of(Client().get(path))
        return len(asked), sure(re.search(r"\d games? won, \d lost · \d bids? made", words))[0]

    first, again, won = read(), read(), "1 game won, 0 lost · 1 bid made"
    assert (first[1], again[1], again[0] < first[0] / 2) == (won, won, True)
    with transaction.atomic():
        revise_entry(Actor(dana), game, position=1, revision=0, facts={**MADE_FIVE, "bidder": 1}, reason="theirs")
    sign_for_all(Actor(dana), fresh(game), "corrected")
    assert read()[1] == "0 games won, 1 lost · 0 bids made"


def test_a_name_that_is_not_shown_as_it_should_be_is_found_by_verify(event: Event, dana: User) -> None:
    enter_roster(Actor(dana), event, rows_of(TEAMS))
    Event.objects.filter(pk=event.pk).update(names="initial")
    lines = [line for line in findings() if "is shown as" in line]
    assert len(lines) == 10 and "“Alaric Zebedee” is shown as “Alaric Zebedee”" in lines[1]
