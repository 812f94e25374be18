"""Names and persons from the door to the season: one test a case, through the pages that everybody uses."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.urls import reverse

from tests.factories import make_event, make_user
from tests.sure import fresh
from tests.tournament.persons.conftest import (
    TEAM,
    accept,
    add_person,
    again,
    delete,
    desk_page,
    door,
    enter_alone,
    enter_team,
    entry_at,
    join,
    links_in,
    persons_of,
    read_by_all,
    refuse,
    rows_of_entry,
    seats,
    shown,
    states,
    table_of,
    team_typed,
    to_delete,
    wish_of,
)
from tests.tournament.persons.visitor import Page, Visitor, confirmed
from tests.tournament.registrations.conftest import open_event
from tests.tournament.results.evenings import played_round, win
from tests.tournament.season.clubs import FOUR, evening, make_season, person, played
from tournament.access import Actor
from tournament.models import Bye, Entry, Event, Game, Person, Player, Registration, Season
from tournament.queries.roster import RosterRow
from tournament.services.draws import draw_rounds
from tournament.services.events import change_event
from tournament.services.people import set_wish
from tournament.services.playoffs import finish_event, make_cut
from tournament.services.rounds import start_round
from tournament.services.teams import enter_roster, withdraw_team
from tournament.words.texts import name_key

ROOT = {"is_staff": True, "is_superuser": True}


@pytest.fixture
def season(dana: User) -> Season:
    return make_season()


@pytest.fixture
def march(dana: User, season: Season) -> Event:
    """An evening that is over: Otis Reed and Ann Hill won it, and both are shown with their full names."""
    return played(dana, season)


def listed(dana: User, event: Event, *teams: tuple[str, ...]) -> None:
    """Teams that the desk has typed."""
    enter_roster(Actor(dana), event, [RosterRow(name=name, players=tuple(players)) for name, *players in teams])


# Wishes.


def test_case_1_an_entry_hides_nobody_elsewhere(dana: User, season: Season, march: Event) -> None:
    """March over: Otis Reed, Ann Hill full. Open event, stranger enters both with *No names*: March and season
    unchanged, both persons' wish *full*, here “Player 1, Player 2”, rows without person; the season has no line for
    this event.
    """
    event = open_event(dana, season=season)
    before = read_by_all(march), table_of(season)
    assert enter_team(event, "Reds", "Otis Reed", "Ann Hill", show="hidden").status == 302
    assert (read_by_all(march), table_of(season)) == before
    assert [wish_of("Otis Reed"), wish_of("Ann Hill")] == ["full", "full"]
    assert (shown(seats(event, 1)), persons_of(seats(event, 1))) == (["Player 1", "Player 2"], ["", ""])
    assert table_of(season)[:2] == [("1=", "Ann Hill", 6), ("1=", "Otis Reed", 6)]


def test_case_2_the_desk_says_who_they_are_and_the_wish_stays_here(dana: User, season: Season, march: Event) -> None:
    """The same where the desk accepts: rows are No. 1 and No. 2, persons still *full*, March unchanged."""
    event, known = open_event(dana, season=season, entries_wait=True), [person("Otis Reed").pk, person("Ann Hill").pk]
    before = read_by_all(march), table_of(season)
    enter_team(event, "Reds", "Otis Reed", "Ann Hill", show="hidden")
    assert accept(Visitor(dana), event, 1).status == 302
    assert [row.person_id for row in seats(event, 1)] == known
    assert shown(seats(event, 1)) == ["Player 1", "Player 2"]
    assert [wish_of("Otis Reed"), wish_of("Ann Hill")] == ["full", "full"]
    assert (read_by_all(march), table_of(season)) == before


def test_case_3_a_typed_name_shows_nobody_who_is_hidden(dana: User) -> None:
    """Greta (wish: hidden) typed by a stranger with *Full names*: “Player 1” at once; after *Accept* the same."""
    greta = add_person(dana, "Greta Holm")
    set_wish(Actor(dana), Event.objects.get(), greta, "hidden")
    at_once, waits, alone = (
        open_event(dana, name=name, entries_wait=name == "Waits") for name in ("Now", "Waits", "Alone")
    )
    for event in (at_once, waits):
        enter_team(event, "Reds", "Greta Holm", "Bo Red", show="full")
    assert (shown(seats(at_once, 1)), persons_of(seats(at_once, 1))) == (["Player 1", "Bo Red"], ["", ""])
    assert "Greta" not in Visitor().open(door(waits)).words
    accept(Visitor(dana), waits, 1)
    assert (shown(seats(waits, 1)), persons_of(seats(waits, 1))[0]) == (["Player 1", "Bo Red"], "Greta Holm")
    enter_alone(alone, "Greta Holm")
    assert (states(alone), "Greta" in Visitor().open(door(alone)).words) == (["1 single"], False)
    assert wish_of("Greta Holm") == "hidden"


@pytest.mark.parametrize(
    ("order", "names"),
    [
        (["Secret Sally", "Pat Free"], ["Player 1", "Pat Free"]),
        (["Pat Free", "Secret Sally"], ["Pat Free", "Player 2"]),
    ],
)
def test_case_4_a_partner_shows_nobody_but_himself(dana: User, order: list[str], names: list[str]) -> None:
    """Secret Sally (*No names*) and Pat (*Full*) join on the waiting list; Pat saves *Full*; they move up: “Player
    1, Pat Free”.
    """
    event = open_event(dana, entry_limit=1)
    reds = enter_team(event, "Reds", "Al Red", "Bo Red")
    shows = {"Secret Sally": "hidden", "Pat Free": "full"}
    pages = {name: enter_alone(event, name, show=shows[name]) for name in order}
    join(*pages.values())
    assert states(event) == ["1 in", "2 waiting", "3 joined"]
    assert again(pages["Pat Free"]).press("Save", show="full").status == 302
    assert again(reds).press("what=withdraw").status == 302
    assert states(event) == ["1 withdrawn", "2 in", "3 joined"]
    [team] = event.teams.all()
    assert (shown(seats(event, team.number)), "Sally" in team.name) == (names, False)
    assert "Sally" not in Visitor().open(door(event)).words


# A person is deleted.


@pytest.mark.parametrize("ticks", [False, True])
def test_case_5_a_namesake_keeps_the_entry(dana: User, ticks: bool) -> None:
    """Ann Lee (1) is deleted; the other Ann Lee waits with Cy Blue: names, contact, place unchanged; the preview
    lists “Ann Lee, with Cy Blue, waiting list”. Ticked: “a player”, Cy Blue.
    """
    ann, root = add_person(dana, "Ann Lee"), Visitor(make_user("root", **ROOT))
    event, desk = open_event(dana, entry_limit=1), Visitor(dana)
    enter_team(event, "Reds", "Al Red", "Bo Red")
    enter_team(event, "Blues", "Ann Lee", "Cy Blue", contact="ann@example.com")
    preview = to_delete(root, ann)
    assert "Ann Lee, with Cy Blue, waiting list" in preview.words
    [row, _] = rows_of_entry(event, 2)
    form = preview.form_to(reverse("person-deletion", args=[ann.pk]))
    assert (form.ticks("row"), form.ticked("row")) == ([str(row.pk)], [])
    assert delete(preview, ann, *([row.pk] if ticks else [])).status == 302
    assert fresh(ann).deleted_at is not None
    assert states(event) == ["1 in", "2 waiting"]
    entries = desk.open(desk_page(event, "desk-entries")).words
    seen = [words in entries for words in ("Ann Lee", "ann@example.com", "Cy Blue")]
    if ticks:
        assert (shown(rows_of_entry(event, 2)), fresh(row).contact) == (["a player", "Cy Blue"], "")
        assert (seen, "a player" in entries) == ([False, False, True], True)
    else:
        assert (shown(rows_of_entry(event, 2)), fresh(row).contact) == (["Ann Lee", "Cy Blue"], "ann@example.com")
        assert seen == [True, True, True]


# Private links.


@pytest.mark.parametrize(("limit", "state"), [(None, "in"), (1, "waiting")])
def test_case_6_a_partner_is_nobodys(dana: User, limit: int | None, state: str) -> None:
    """First of a joined pair saves player 2 “Somebody Else”: no field for it, but posted anyway: partner's name
    unchanged. First withdraws: partner is a single at his old place 2.
    """
    event = open_event(dana, entry_limit=limit)
    if limit:
        listed(dana, event, ("Reds", "Al Red", "Bo Red"))
    first, partner = enter_alone(event, "Otis Reed"), enter_alone(event, "Ann Hall")
    join(first, partner)
    assert states(event) == [f"1 {state}", "2 joined"]
    page = again(first)
    assert "player2" not in page.form("Save").names
    page.press("Save", forged={"player2": "Somebody Else"})
    assert (rows_of_entry(event, 1) + rows_of_entry(event, 2))[1].name == "Ann Hall"
    assert "Somebody Else" not in again(first).words + again(partner).words
    assert again(first).press("what=withdraw").status == 302
    assert states(event) == ["1 withdrawn", "2 single"]
    assert (entry_at(event, 2).name, shown(rows_of_entry(event, 2))) == ("Ann Hall", ["Ann Hall"])
    words = again(partner).words
    assert ("looking for a partner" in words, "You play for" in words) == (True, False)
    assert event.teams.filter(name__contains="Hall").count() == 0


def test_case_7_the_same_form_twice_is_one_entry(dana: User) -> None:
    """Same form twice: one entry, both answers the same address. A third with other names: still one."""
    event, phone = open_event(dana), Visitor()
    form = phone.open(door(event))
    reds = team_typed("Reds", "Al Red", "Bo Red")
    first, second = form.press(TEAM, **reds), form.press(TEAM, **reds)
    third = form.press(TEAM, **team_typed("Blues", "Cy Blue", "Di Blue"))
    assert ([first.status, second.status], {first.address, second.address}) == ([302, 302], {third.address})
    assert "You are entered already as Reds. For another team, open the entry page again." in third.words
    assert [row.name for row in event.registrations.all()] == ["Reds"]
    # Another page is another entry.
    assert enter_team(event, "Blues", "Cy Blue", "Di Blue", by=phone).address != first.address
    assert states(event) == ["1 in", "2 in"]


def test_case_8_a_new_link_ends_the_old_one(dana: User) -> None:
    """New link by the desk: old 404, new 200, wish and contact kept."""
    event = open_event(dana)
    old = enter_team(event, "Reds", "Al Red", "Bo Red", contact="al@example.com", show="initial")
    row = seats(event, 1)[0]
    [new] = links_in(Visitor(dana).post(desk_page(event, "player-link", row.pk), {}))
    phone = Visitor()
    page = phone.open(new)
    assert (phone.open(old.address).status, page.status) == (404, 200)
    form = page.form("Save")
    assert (form.value("contact"), form.value("show")) == ("al@example.com", "initial")
    assert shown(seats(event, 1)) == ["Al R.", "Bo R."]


# After the draw.


def four_drawn(dana: User, **fields: object) -> tuple[Event, dict[str, Page]]:
    """Four teams that entered by phone, and their games."""
    event = open_event(dana, rounds_planned=1, **fields)
    names = ("Reds", "Blues", "Greens", "Golds")
    pages = {name: enter_team(event, name, f"Al {name}", f"Bo {name}") for name in names}
    draw_rounds(Actor(dana), fresh(event))
    return fresh(event), pages


def games_of(event: Event) -> list[tuple[str, ...]]:
    games = Game.objects.filter(round__event=event).order_by("table")
    return [tuple(side.team.name for side in game.sides.order_by("index")) for game in games]


def press_at_desk(by: Visitor, event: Event, words: str) -> Page:
    """Press a button of the desk by its words, wherever it is, and answer the question about it."""
    for name in ("desk", "desk-entries", "desk-draw", "desk-teams", "desk-check-in"):
        page = by.open(desk_page(event, name))
        if page.has(words):
            return confirmed(page.press(words))
    refused = by.post(desk_page(event, "round-start", 1), {})
    return confirmed(refused.press(words))


@pytest.mark.parametrize("decides", ["Let them go and draw again", "They stay"])
def test_case_9_who_withdraws_after_the_draw_plays_until_the_desk_decides(dana: User, decides: str) -> None:
    """Four teams drawn, Blues withdraw: playing, To do names them, start 409. *Let go, draw again*: three teams,
    one bye, no forfeit. *They stay*: as before.
    """
    (event, pages), desk = four_drawn(dana), Visitor(dana)
    before, drawn = read_by_all(event), games_of(event)
    assert again(pages["Blues"]).press("what=withdraw").status == 302
    assert (states(event), event.teams.get(number=2).status) == (["1 in", "2 leaving", "3 in", "4 in"], "playing")
    assert (read_by_all(event), games_of(event)) == (before, drawn)
    assert "Blues" in desk.open(desk_page(event, "desk")).words
    start = desk_page(event, "round-start", 1)
    refused = desk.post(start, {})
    assert (refused.status, "Blues" in refused.words, event.rounds.get().state) == (409, True, "planned")
    press_at_desk(desk, event, decides)
    assert desk.post(start, {}).status == 302
    playing = [team.name for team in event.teams.filter(status="playing")]
    byes, entries = (
        Bye.objects.filter(round__event=event).count(),
        Entry.objects.filter(game__round__event=event).count(),
    )
    if decides == "They stay":
        assert (states(event), games_of(event)) == (["1 in", "2 in", "3 in", "4 in"], drawn)
        assert (len(playing), byes, entries) == (4, 0, 0)
        return
    assert states(event) == ["1 in", "2 withdrawn", "3 in", "4 in"]
    assert (playing, len(games_of(event)), byes, entries) == (["Reds", "Greens", "Golds"], 1, 1, 0)


def test_case_10_after_the_draw_a_stranger_asks_and_the_desk_acts(dana: User) -> None:
    """Entry after the draw where nothing waits: *asked*; a place that becomes free then is filled by the desk
    alone.
    """
    event, desk = open_event(dana, rounds_planned=1, entry_limit=4), Visitor(dana)
    for name in ("Reds", "Blues", "Greens", "Golds", "Late"):
        enter_team(event, name, f"Al {name}", f"Bo {name}")
    draw_rounds(Actor(dana), fresh(event))
    page = enter_team(event, "Later", "Al Later", "Bo Later")
    assert (states(event)[4:], "Waiting for the desk to approve it." in page.words) == (["5 waiting", "6 asked"], True)
    withdraw_team(Actor(dana), fresh(event), 2, 0)
    assert states(event) == ["1 in", "2 withdrawn", "3 in", "4 in", "5 waiting", "6 asked"]
    press_at_desk(desk, event, "Let in")
    assert states(event)[4:] == ["5 in", "6 asked"]
    assert [team.name for team in event.teams.filter(status="playing")] == ["Reds", "Greens", "Golds", "Late"]


# Who waits.


@pytest.mark.parametrize("typed", ["Real Member", "Member, Real", "Réal Member"])
def test_case_11_a_name_that_is_on_the_list_waits_and_nobody_is_told_why(dana: User, typed: str) -> None:
    """“Real Member” on the list; a stranger types it: 302, same sentence as all, waits. Near: “Member, Real” and
    “Réal Member” too.
    """
    at_once, waits = open_event(dana), open_event(dana, name="Other Open", entries_wait=True)
    for event in (at_once, waits):
        listed(dana, event, ("Aces", "Otis Reed", "Ann Hill"), ("Books", "Cy Dill", "Flo Kay"))
        listed(dana, event, ("Clubs", "Gus Poe", "Real Member"))
    page = enter_team(at_once, "Reds", typed, "Bo Red")
    assert (page.status, states(at_once)) == (302, ["1 asked"])
    known, unknown = ("Reds", typed, "Bo Red"), ("Golds", "Nobody Known", "Di Gold")
    said = [told(enter_team(waits, *names), *names) for names in (known, unknown)]
    assert ("Waiting for the desk to approve it." in page.words, said[0]) == (True, said[1])
    assert states(waits) == ["1 asked", "2 asked"]
    words = Visitor(dana).open(desk_page(at_once, "desk-entries")).words
    assert "Real Member is on the list: No. 3" in words


def told(page: Page, *names: str) -> str:
    """What a page says about anybody."""
    words = page.words
    for name in names:
        words = words.replace(name, "…")
    return words


def many_wait(event: Event, count: int) -> None:
    """The number of teams that wait for the desk, as stored."""
    entries = Registration.objects.bulk_create(
        Registration(event=event, position=place, name=f"Team of {place}", key=f"team of {place}", state="asked")
        for place in range(1, count + 1)
    )
    rows = [
        (entry, seat, f"{who} Number{entry.position}") for entry in entries for seat, who in enumerate(("Al", "Bo"))
    ]
    Player.objects.bulk_create(
        Player(
            entry=entry, position=seat, name=name, key=name_key(name), show="full", contact="555" if not seat else ""
        )
        for entry, seat, name in rows
    )


def test_case_12_a_thousand_wait_and_two_presses_decide(dana: User) -> None:
    """1,000 wait, limit 60: tick 400 *Do not accept*, rest *Accept*: 60 in, 540 waiting, 400 refused, two lines of
    log, ≤ 5 s each. (How long it takes is a benchmark.)
    """
    event, desk = open_event(dana, entries_wait=True, entry_limit=60), Visitor(dana)
    many_wait(event, 1000)
    lines = event.journal.count()
    refuse(desk, event, *range(1, 401))
    page = accept(desk, event, *range(401, 1001))
    counts = {state: event.registrations.filter(state=state).count() for state in ("in", "waiting", "refused", "asked")}
    assert counts == {"in": 60, "waiting": 540, "refused": 400, "asked": 0}
    assert event.journal.count() - lines == 2
    assert "60 teams are in, 540 on the waiting list." in page.words
    first, last = event.teams.order_by("number").first(), event.teams.order_by("number").last()
    assert first and last
    assert (event.teams.count(), first.name, last.name) == (60, "Team of 401", "Team of 460")
    assert shown(seats(event, 60)) == ["Al Number460", "Bo Number460"]


def code_on_the_wall(dana: User, event: Event) -> str:
    """As the desk reads it where teams check in."""
    words = Visitor(dana).open(desk_page(event, "desk-check-in")).words
    return words.partition("Code on the wall: ")[2].split()[0]


def test_case_13_forty_of_one_address_wait_and_guesses_are_counted(dana: User) -> None:
    """The 41st that waits from one address: 429; with the wall code taken. 31 wrong codes in a minute at
    `enter/?code=`: 429.
    """
    event, phone = open_event(dana, entries_wait=True, checks_in=True), Visitor()
    for count in range(40):
        # A minute goes by now and then.
        cache.clear()
        assert enter_team(event, f"Reds {count}", f"Al No{count}", f"Bo No{count}", by=phone).status == 302
    cache.clear()
    late = team_typed("Blues", "Cy Blue", "Di Blue")
    refused = phone.open(door(event)).press(TEAM, **late)
    assert (refused.status, event.registrations.count()) == (429, 40)
    # Whom the desk has decided about waits no longer.
    accept(Visitor(dana), event, 1)
    statuses = [enter_team(event, name, f"Al {name}", f"Bo {name}", by=phone).status for name in ("Greens", "Golds")]
    assert statuses == [302, 429]
    assert phone.open(door(event, code_on_the_wall(dana, event))).press(TEAM, **late).status == 302
    assert enter_team(event, "Golds", "Ed Gold", "Flo Gold", by=Visitor(at="10.0.0.9")).status == 302
    assert states(event)[38:] == ["39 asked", "40 asked", "41 asked", "42 asked", "43 asked"]
    cache.clear()
    guesses = [phone.client.get(door(event, f"AAAA{count:02}")).status_code for count in range(31)]
    assert guesses == [200] * 30 + [429]


# Presets.


def test_case_14_everybody_is_in_the_pot_by_whatever_way(dana: User) -> None:
    """Pot for everybody: 12 by the door, 6 by list, 1 moved up, 1 late in game 2, 1 walk-in, then a copy: 21 in the
    pot, $105; the copy 21.
    """
    root = Visitor(make_user("root", **ROOT))
    typed: dict[str, Any] = {
        "name": "Pot Open",
        "date": "2026-11-21",
        "rounds_planned": "2",
        "pot_cents": "5",
        "all_in": "on",
    }
    made = root.open(reverse("event-new")).press("Set up only", **typed)
    assert made.status == 302, made.words
    event = Event.objects.get(name="Pot Open")
    fields = {"entries_from": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC), "entry_limit": 18}
    event = change_event(Actor(dana), event, fields | {"entries_wait": False})
    for count in range(1, 13):
        cache.clear()
        enter_team(event, f"Door {count}", f"Al No{count}", f"Bo No{count}")
    lines = "\n".join(f"List {count} – Cy No{count} / Di No{count}" for count in range(1, 7))
    preview = root.open(desk_page(event, "desk-roster")).press("check=yes", text=lines)
    confirmed(preview.press("accept=yes"))
    enter_team(event, "Patient", "Ed Wait", "Flo Wait")
    assert (event.teams.count(), states(event)[12:]) == (18, ["13 waiting"])
    change_event(Actor(dana), event, {"entry_limit": 19})
    assert states(event)[12:] == ["13 in"]
    walk_in(root, event, "Walkers")
    draw_rounds(Actor(dana), fresh(event))
    start_round(Actor(dana), fresh(event), 1)
    walk_in(root, event, "Late Birds")
    assert in_the_pot(root, event) == (21, "$105")
    copy = {"copy-like": event.slug, "copy-name": "Pot again", "copy-date": "2026-12-05", "copy-with_teams": "on"}
    copied = root.post(reverse("event-copy"), copy)
    assert copied.status == 302, copied.words
    assert in_the_pot(root, Event.objects.get(name="Pot again")) == (21, "$105")


def walk_in(desk: Visitor, event: Event, name: str) -> None:
    """The desk types another team."""
    form = desk.open(desk_page(event, "desk-teams")).form_to(desk_page(event, "desk-teams"))
    page = desk.post(form.action, form.filled({"name": name, "player1": f"Gus {name}", "player2": f"Hal {name}"}))
    confirmed(page)
    assert event.teams.filter(name=name).count() == 1, page.words


def in_the_pot(desk: Visitor, event: Event) -> tuple[int, str]:
    """How many the page about the pot counts, and what they come to."""
    words = desk.open(desk_page(event, "desk-pot")).words
    count = int(words.partition(" teams in the pot")[0].split()[-1])
    return count, next(word for word in words.split() if word.startswith("$"))


# Who a row is.


def test_case_18_a_director_of_one_event_speaks_for_its_rows_alone(dana: User, march: Event) -> None:
    """Fred (one event): people page without other events' people; posting No. 1 for a row called otherwise: 403;
    wish of a person who plays elsewhere: 403, of the row: 302, March unchanged.
    """
    fred, before = make_user("fred"), read_by_all(march)
    event, desk = make_event("Fred Open", director=fred), Visitor(fred)
    listed(fred, event, ("Reds", "Otis Reed", "Kit Moor"))
    otis, kit = seats(event, 1)
    assert persons_of([otis, kit]) == ["Otis Reed", "Kit Moor"]
    page = desk.open(desk_page(event, "desk-people"))
    content = page.answer.content.decode()
    assert [name for name in ("Ann Hill", "Gus Poe", "Cy Dill", "Jo Pike") if name in content] == []
    assert desk.post(desk_page(event, "player-person", kit.pk), {"person": person("Otis Reed").pk}).status == 403
    assert persons_of(seats(event, 1)) == ["Otis Reed", "Kit Moor"]
    assert desk.post(desk_page(event, "person-wish", person("Otis Reed").pk), {"show": "hidden"}).status == 403
    assert (wish_of("Otis Reed"), read_by_all(march)) == ("full", before)
    form = page.form_to(desk_page(event, "row-wish", otis.pk))
    assert page.send(form, form.buttons[0], show="hidden").status == 302
    assert shown(seats(event, 1)) == ["Player 1", "Kit Moor"]
    assert (wish_of("Otis Reed"), read_by_all(march)) == ("full", before)


# A name is spelt otherwise later.

IN_JANUARY = (("Aces", "Jon Reedd", "Ann Hill"), ("Books", "Cy Dill", "Flo Kay"))
IN_FEBRUARY = (("Aces", "Jon Reedd", "Bo Orr"), ("Books", "Cy Dill", "Flo Kay"))


def finish(dana: User, event: Event, month: int) -> Event:
    """The first team wins the only game."""
    Event.objects.filter(pk=event.pk).update(date=datetime.date(2026, month, 1))
    played_round(fresh(event), [(1, 2, win(0))])
    make_cut(Actor(dana), fresh(event), 1)
    finish_event(Actor(dana), fresh(event))
    return fresh(event)


def of_jon(season: Season) -> list[tuple[object, ...]]:
    return [line for line in table_of(season) if str(line[1]).startswith("Jon")]


@pytest.mark.parametrize(
    ("who", "lines"),
    [
        ("renamed", [("1", "Jon Reed", 12)]),
        ("here", [("1", "Jon Reedd", 12)]),
        ("other", [("1=", "Jon Reed", 6), ("1=", "Jon Reedd", 6)]),
    ],
)
def test_case_21_a_name_that_is_mended_asks_who_it_is(
    dana: User, season: Season, who: str, lines: list[tuple[object, ...]]
) -> None:
    """“Jon Reedd” 6 and 6; February's seat to “Jon Reed”, same person: one line, 12, place 1. *Somebody else*: 6
    and 6.
    """
    january = finish(dana, evening(dana, season, "January", IN_JANUARY), 1)
    february = finish(dana, evening(dana, season, "February", IN_FEBRUARY), 2)
    assert of_jon(season) == [("1", "Jon Reedd", 12)]
    page = Visitor(dana).open(desk_page(february, "desk-team", 1))
    form = page.form_to(page.address)
    asked = page.visitor.post(page.address, form.filled({"player1": "Jon Reed"}))
    assert (asked.status, shown(seats(february, 1))) == (409, ["Jon Reedd", "Bo Orr"])
    answer = _answered(asked, who)
    assert (answer.status, shown(seats(february, 1))) == (302, ["Jon Reed", "Bo Orr"])
    assert of_jon(season) == lines
    assert shown(seats(january, 1))[0] == ("Jon Reed" if who == "renamed" else "Jon Reedd")
    assert Person.objects.filter(name__startswith="Jon").count() == (2 if who == "other" else 1)


def _answered(asked: Page, who: str) -> Page:
    """Choose who sits in the first seat."""
    typed: dict[str, Any] = {"who-1": who}
    return asked.press("Save", **typed)


def test_case_21_a_list_that_is_pasted_again_leaves_it_open(dana: User, season: Season) -> None:
    """“Jon Reedd” 6 and 6; February's seat to “Jon Reed”. Unanswered: 6, and one unknown."""
    finish(dana, evening(dana, season, "January", IN_JANUARY), 1)
    february, desk = evening(dana, season, "February", IN_FEBRUARY), Visitor(dana)
    lines = "\n".join(f"{name} – {' / '.join(players)}" for name, *players in IN_FEBRUARY).replace("Reedd", "Reed")
    roster = desk.open(desk_page(february, "desk-roster"))
    preview = roster.press("check=yes", text=lines, replace="on")
    assert "Jon Reedd" in preview.words
    assert preview.press("accept=yes").status == 302
    assert persons_of(seats(february, 1)) == ["", "Bo Orr"]
    finish(dana, february, 2)
    assert of_jon(season) == [("1=", "Jon Reedd", 6)]
    page = Visitor(make_user("root", **ROOT)).open(reverse("season-setup", args=[season.slug]))
    assert "February: nobody has said who 1 player is." in page.words


def test_the_list_of_an_evening_that_nobody_changed_asks_nothing(dana: User, season: Season) -> None:
    """What is pasted again as it was has its persons, and no question."""
    february, desk = evening(dana, season, "February", FOUR), Visitor(dana)
    before = persons_of(seats(february, 1))
    lines = "\n".join(f"{name} – {' / '.join(players)}" for name, *players in FOUR)
    preview = desk.open(desk_page(february, "desk-roster")).press("check=yes", text=lines, replace="on")
    assert preview.press("accept=yes").status == 302
    assert (before, persons_of(seats(february, 1))) == (["Otis Reed", "Ann Hill"], ["Otis Reed", "Ann Hill"])
