"""A season: the worked example on page, paper and files; who counts for whom; what belongs to it, what leaves it."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from pytest_django.fixtures import DjangoAssertNumQueries

from scoring.standings.season import Clause, Scheme, figure, scheme_of
from tests.factories import announced_by, make_event, page_of, signed_in, words_of
from tests.sure import fresh, sure
from tests.tournament.archive.filed import filed
from tests.tournament.reports.evenings import pdf_text, squeezed
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.errors import Conflict
from tournament.forms.season import SeasonForm
from tournament.models import Event, Game, Ledger, Person, Player, Season, SiteAct, Substitution, Team
from tournament.queries.events import shown_state
from tournament.queries.final_places import final_places
from tournament.queries.projector import board
from tournament.queries.rules import EVERYTHING, sheets_of
from tournament.queries.season import SeasonFacts, season_facts
from tournament.queries.season_parts import Did, brought_by
from tournament.queries.standings import standings
from tournament.services.corrections import correct_sheet
from tournament.services.events import archive_event, change_event, copy_event
from tournament.services.people import delete_person, link, merge_persons, part_person, set_wish, show_names
from tournament.services.playoffs import finish_event, make_cut
from tournament.services.season import change_season, create_season, delete_season, take_out
from tournament.services.verifying import findings
from tournament.words.texts import name_key

FOLDER = Path(__file__).parents[3] / "fixtures" / "examples" / "seasons"
EXAMPLE = tomllib.loads((FOLDER / "five-evenings.toml").read_text(encoding="utf-8"))
GAME = re.compile(r"(\w+) (\d+), (\w+) (\d+)")


def evening(dana: User, example: dict[str, Any], season: Season | None = None, *, over: bool = True) -> Event:
    """An event of one game, whose players are persons; with its champion if it is `over`."""
    event = make_event(example["name"], dana, rounds_planned=1, season=season)
    event.date = example["date"]
    teams = {}
    for number, (name, players) in enumerate(example["teams"].items(), start=1):
        teams[name] = Team.objects.create(event=event, number=number, name=name, key=name_key(name))
        numbered = enumerate(players)
        seats = [Player(team=teams[name], position=index, name=who, key=name_key(who)) for index, who in numbered]
        with transaction.atomic():
            link(event, seats)
        Player.objects.bulk_create(seats)
    show_names(event)
    games = [sure(GAME.fullmatch(text)).groups() for text in example["games"]]
    state = "closed" if over else "running"
    pairs = [(teams[row].number, teams[other].number, win(0, int(more), int(less))) for row, more, other, less in games]
    played_round(event, pairs, state=state)
    if over:
        make_cut(Actor(dana), event, 1)
        finish_event(Actor(dana), fresh(event))
    return fresh(event)


def person(name: str) -> Person:
    return Person.objects.get(name=name)


@pytest.fixture
def season(db: None) -> Season:
    return Season.objects.create(slug="season-2026", name="Season 2026", scheme=EXAMPLE["scheme"])


@pytest.fixture
def five(dana: User, season: Season) -> Season:
    """The worked example as it was played, before anything was corrected, merged or parted."""
    for example in EXAMPLE["events"]:
        evening(dana, example, season)
    return season


def told_of(facts: SeasonFacts) -> list[str]:
    """The lines as the example writes them."""
    lines = []
    for line in facts.lines:
        points = [
            (f"{figure(each.points)}" if each.counts else f"({figure(each.points)})") if each else "-"
            for each in line.ranked.credits
        ]
        lines.append(f"{line.ranked.label} {line.name} {line.total}: {' '.join(points)}")
    return lines


def correct_february(dana: User) -> tuple[Game, dict[str, Any]]:
    game = Game.objects.get(round__event__name="February", sides__team__name="Crowns")
    line = {"position": 2, "revision": 0, "facts": win(0, 7)[0], "reason": "a Boston"}
    return game, line


def settle(dana: User) -> dict[str, str]:
    """What the example tells to happen after its five evenings; what the correction announced."""
    actor = Actor(dana)
    merge_persons(actor, person("Bobby Ray"), person("Bob Ray"))
    merge_persons(actor, person("O. Reed"), person("Otis Reed"))
    part_person(actor, person("Bobby Ray"))
    game, line = correct_february(dana)
    announced = announced_by(actor, game, **line)
    correct_sheet(actor, game, **line, confirmed=announced.key)
    march = Event.objects.get(name="March")
    for name, show in EXAMPLE["shown"].items():
        set_wish(actor, march, person(name), show)
    changes = [change for change in announced.changes if change.place == "Season"]
    return {change.what: f"{change.before}, then {change.after}" for change in changes}


def test_five_evenings_come_to_what_was_calculated_by_hand(dana: User, five: Season) -> None:
    announced = settle(dana)
    assert sorted(f"{what}: {words}" for what, words in announced.items()) == [
        f"Season 2026: {text}" for text in EXAMPLE["announces"]
    ]
    facts = season_facts(five)
    assert told_of(facts) == EXAMPLE["gives"]
    assert sorted({*shown_by(facts), "se.merged"}) == EXAMPLE["shows"]
    assert [line.name for line in season_facts(five, whole=True).lines if line.ranked.total in (15, 20)] == [
        "Dee Fox",
        "Bob Ray",
        "Otis Reed",
    ]
    [tie] = facts.lines[0].ranked.ties
    shared = "still tied: the same points and places, so they share the rank."
    assert tie == (Clause.SHARED_RANK, f"Eve Orr and Gus Hill both have 22 points; {shared}")
    assert [sure(credit).text for credit in facts.lines[2].ranked.credits][1:3] == [
        "1st of 4 at February: 9 points (6 for the place, 2 as champion and 1 for playing)",
        "1st of 4 at March: 9 points (6 for the place, 2 as champion and 1 for playing)",
    ]


def shown_by(facts: SeasonFacts) -> set[str]:
    return {str(rule) for line in facts.lines for rule in line.ranked.rules}


@pytest.mark.parametrize("name", ["fixed-teams", "not-finished"])
def test_evenings_give_what_their_example_says(dana: User, name: str) -> None:
    example = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    season = Season.objects.create(slug=name, name=name, scheme=example["scheme"])
    for told in example["events"]:
        evening(dana, told, season, over=not told.get("in_play", False))
    facts = season_facts(season)
    assert told_of(facts) == example["gives"]
    cited = {rule for rule in example["shows"] if rule in set(Clause)}
    assert shown_by(facts) == cited


def figures() -> list[tuple[str, str, int, list[int | None]]]:
    """The example's lines without their brackets: rank, name, total, points by evening."""
    lines = []
    for text in EXAMPLE["gives"]:
        head, points = text.split(": ")
        label, rest = head.split(" ", 1)
        name, total = rest.rsplit(" ", 1)
        each = [None if row == "-" else int(row.strip("()")) for row in points.split()]
        lines.append((label, name, int(total), each))
    return lines


def test_page_paper_workbook_csv_and_json_say_the_same(dana: User, five: Season, client: Client) -> None:
    settle(dana)
    keys = [f"points_{name}" for name in ("january", "february", "march", "april", "may")]
    address = "/seasons/season-2026/standings."
    files = {kind: client.get(address + kind).content for kind in ("pdf", "xlsx", "csv", "json")}
    rows = json.loads(files["json"])
    assert [(row["place"], row["name"], row["points"], [row[key] for key in keys]) for row in rows] == figures()
    lines = list(csv.DictReader(io.StringIO(files["csv"].decode("utf-8-sig"))))
    assert [
        (row["place"], row["name"], int(row["points"]), [int(row[key]) if row[key] else None for key in keys])
        for row in lines
    ] == figures()
    assert [row["not_counted"] for row in lines[:3]] == ["Mar 14; May 9", "Feb 14; Apr 11", "Apr 11; May 9"]
    sheet = openpyxl.load_workbook(io.BytesIO(files["xlsx"]))["Standings"]
    cells = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=4)]
    assert cells[0][:8] == ["Place", "Person", "Jan 10", "Feb 14", "Mar 14", "Apr 11", "May 9", "Points"]
    assert [(row[1], row[7], row[2:7]) for row in cells[1:]] == [(line[1], line[2], line[3]) for line in figures()]
    assert [row[0] for row in cells[1:]] == [1, 1, 3, 4, 5, 5, 7, 8, 9]
    page = re.sub(r"<details.*?</details>", "", page_of(client.get("/seasons/season-2026/")), flags=re.DOTALL)
    paper = squeezed(pdf_text(files["pdf"]))
    for label, name, total, each in figures():
        row = sure(re.search(rf"<tr>(?:(?!<tr>).)*{name}.*?</tr>", page, re.DOTALL))[0]
        shown = [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", row)]
        assert shown == [label, name, *("" if row is None else str(row) for row in each), str(total)]
        assert squeezed("".join(shown)) in paper
    for hidden in ("Dee", "Fox", "Reed"):
        assert hidden not in page and hidden not in pdf_text(files["pdf"])
        assert not any(hidden.encode() in content for content in (files["csv"], files["json"]))
        assert hidden not in str(cells) and hidden not in str(PdfReader(io.BytesIO(files["pdf"])).metadata)


def test_who_runs_the_season_reads_whole_names(five: Season, otis: User, client: Client, dana: User) -> None:
    settle(dana)
    page = page_of(signed_in(otis).get("/seasons/season-2026/setup/"))
    assert "Dee Fox" in page and "Otis Reed" in page
    assert client.get("/seasons/season-2026/setup/").status_code == 302


def test_a_correction_announces_nothing_of_a_season_while_the_event_is_not_over(dana: User, season: Season) -> None:
    for example in EXAMPLE["events"][:2]:
        event = evening(dana, example, season, over=example["name"] == "January")
    assert told_of(season_facts(season))[0] == "1= Ann Lee 9: 9"
    game, line = correct_february(dana)
    assert {change.place for change in announced_by(Actor(dana), game, **line).changes} == {"This game", "Standings"}
    assert [words for _, words in season_facts(season).open] == ["February is in play: it counts when it is finished."]
    assert "February is in play" in words_of(Client().get("/seasons/season-2026/"))
    assert fresh(event).stage != "over"


@pytest.mark.parametrize(("evening_of", "side", "points"), [("January", 1, 6), ("March", 1, 7), ("May", 1, 5)])
def test_what_a_correction_announces_is_what_changes(
    dana: User, five: Season, evening_of: str, side: int, points: int
) -> None:
    def standing() -> dict[str, str]:
        return {f"Season 2026: {line.name}": line.standing for line in season_facts(five, whole=True).lines}

    game = Game.objects.get(round__event__name=evening_of, table=2)
    facts = win(side, points)[0]
    line: dict[str, Any] = {"position": 2, "revision": 0, "facts": facts, "reason": "sides mixed up"}
    announced, before = announced_by(Actor(dana), game, **line), standing()
    correct_sheet(Actor(dana), game, **line, confirmed=announced.key)
    changes = [(change.what, change.before, change.after) for change in announced.changes if change.place == "Season"]
    after = standing()
    assert sorted(changes) == sorted((who, before[who], after[who]) for who in before if before[who] != after[who])
    assert changes


def test_every_choice_of_a_scheme_is_typed_stored_and_read_again(db: None) -> None:
    numbers = {"win": 2, "champion": 3, "attendance": 4, "best": 5, "evenings": 2, "games": 3}
    ticks = {"split": True, "average": True, "members": True}
    shared = {"whose": "team", "ties": "evenings"} | numbers | ticks
    for price in ({"places": "9, 4"}, {"field": 5}):
        form = SeasonForm(shared | price | {"name": "2027", "paper": "letter"})
        assert form.errors == {}
        chosen = scheme_of(form.chosen["scheme"])
        places, field_size = ((9, 4), None) if "places" in price else ((), 5)
        assert chosen == Scheme(**shared, places=places, field=field_size)  # type: ignore[arg-type]
    usual = Scheme()
    same = [field.name for field in fields(Scheme) if getattr(chosen, field.name) == getattr(usual, field.name)]
    assert same == [], "Ask for it in SeasonForm, read it in scheme_of, and choose it here"


# Who counts for whom.


def test_a_person_counts_for_the_team_with_which_most_games_were_played(dana: User, season: Season) -> None:
    """Kit sits for Bob in game 2, and for Dee in game 3. Ida sits for Cal in game 2, once her own team has left."""
    example = EXAMPLE["events"][0]
    event = evening(dana, example, season, over=False)
    event.rounds.update(state="closed")
    kit = Person.objects.create(name="Kit Page", key="kit page")
    for name, position, into, number in (
        ("Aces", 1, kit, 2),
        ("Books", 1, kit, 3),
        ("Books", 0, person("Ida Moss"), 2),
    ):
        team = event.teams.get(name=name)
        rounds = {"from_round": number, "to_round": number}
        Substitution.objects.create(team=team, position=position, out="?", into=into.name, person=into, **rounds)
    event.teams.filter(name="Deuces").update(status="left", left_after=1)
    played_round(event, [(1, 2, win(0, 6, 1))], byes=[3])
    played_round(event, [(2, 3, win(0, 7, 3))], byes=[1])
    event.refresh_from_db()
    make_cut(Actor(dana), event, 1)
    finish_event(Actor(dana), fresh(event))
    brought = sure(brought_by(fresh(event)))
    names = ("Bob Ray", "Kit Page", "Ida Moss", "Cal Day", "Dee Fox")
    assert brought.ranks == {1: 1, 2: 3, 3: 2, 4: 4}
    assert {name: brought.persons[person(name).pk] for name in names} == {
        "Bob Ray": Did(1, 1, 1),
        "Kit Page": Did(1, 1, 1),
        "Ida Moss": Did(4, 1, 0),
        "Cal Day": Did(2, 2, 1),
        "Dee Fox": Did(2, 2, 0),
    }


AWARD = {"entry": "award", "rule": "46", "to": 0, "reason": "not there"}


def test_who_was_there_for_a_game_won_by_default_has_a_part(dana: User, season: Season) -> None:
    """Crowns win by default against a no-show: they are second and have the points, Deuces have neither."""
    event = evening(dana, EXAMPLE["events"][0] | {"games": ["Aces 7, Books 2"]}, season, over=False)
    event.rounds.update(state="closed")
    played_round(event, [(1, 2, win(0)), (3, 4, [AWARD])])
    make_cut(Actor(dana), event, 1)
    finish_event(Actor(dana), fresh(event))
    assert [(line.rank, line.team) for line in final_places(fresh(event)).lines] == [
        (1, "Aces"),
        (2, "Crowns"),
        (3, "Books"),
    ]
    assert [(line.name, line.total) for line in season_facts(season).lines] == [
        ("Ann Lee", 9),
        ("Bob Ray", 9),
        ("Eve Orr", 4),
        ("Gus Hill", 4),
        ("Cal Day", 2),
        ("Dee Fox", 2),
    ]


def test_places_that_were_printed_before_the_rule_stay(dana: User, season: Season) -> None:
    event = evening(dana, EXAMPLE["events"][0] | {"games": ["Aces 7, Books 2"]}, season, over=False)
    event.rounds.update(state="closed")
    played_round(event, [(1, 2, win(0)), (3, 4, [AWARD])])
    make_cut(Actor(dana), event, 1)
    finish_event(Actor(dana), fresh(event))
    Event.objects.filter(pk=event.pk).update(places_no_shows=True, public_version=999)
    assert [line.team for line in final_places(fresh(event)).lines] == ["Aces", "Crowns", "Books", "Deuces"]
    assert {"Ida Moss", "Otis Reed"}.isdisjoint(line.name for line in season_facts(season).lines)


def test_a_game_given_by_default_after_hands_were_recorded_was_sat_in(dana: User, season: Season) -> None:
    """Deuces play a hand and then go: they sat, and have their place and points."""
    event = evening(dana, EXAMPLE["events"][0] | {"games": ["Aces 7, Books 2"]}, season, over=False)
    event.rounds.update(state="closed")
    hand = {"entry": "hand", "seat": 0, "bid": "4", "books": 11}
    played_round(event, [(1, 2, win(0)), (3, 4, [hand, AWARD])])
    make_cut(Actor(dana), event, 1)
    finish_event(Actor(dana), fresh(event))
    lines = {line.name: line.total for line in season_facts(season).lines}
    assert {name: lines[name] for name in ("Eve Orr", "Ida Moss")} == {"Eve Orr": 4, "Ida Moss": 1}
    assert len(final_places(fresh(event)).lines) == 4


def test_a_least_number_of_games_makes_a_part(dana: User, season: Season, otis: User) -> None:
    """Kit sits in for Bob in the second of two games: one game is too few, and Bob has one too few as well."""
    event = evening(dana, EXAMPLE["events"][0], season, over=False)
    event.rounds.update(state="closed")
    kit = Person.objects.create(name="Kit Page", key="kit page")
    team = event.teams.get(name="Aces")
    Substitution.objects.create(team=team, position=1, out="Bob Ray", into="Kit Page", person=kit, from_round=2)
    played_round(event, [(1, 3, win(0)), (2, 4, win(0))])
    make_cut(Actor(dana), event, 1)
    finish_event(Actor(dana), fresh(event))
    season = change_season(Actor(dana), season, {"scheme": season.scheme | {"games": 2}})
    facts = season_facts(season, whole=True)
    assert {"Bob Ray", "Kit Page"}.isdisjoint(line.name for line in facts.lines)
    assert [(row.event, row.text) for row in facts.told_left_out] == [
        ("January", "Bob Ray: 1 game played, at least 2 needed."),
        ("January", "Kit Page: 1 game played, at least 2 needed."),
    ]
    words = words_of(Client().get("/seasons/season-2026/"))
    assert "2 players had too few games in an event." in words and "Kit Page" not in words


def test_players_of_whom_nobody_knows_who_they_are_are_named_to_owners(dana: User, season: Season, otis: User) -> None:
    event = evening(dana, EXAMPLE["events"][0], season)
    Player.objects.filter(name="Ann Lee").update(person=None)
    change_event(Actor(dana), event, {"place": "Hall"}, confirmed=True)
    unknown = [(row.name, names) for row, names in season_facts(season, whole=True).unknown]
    assert unknown == [("January", ("Ann Lee (Aces)",))]
    words = words_of(signed_in(otis).get("/seasons/season-2026/setup/"))
    assert "January: nobody has said who 1 player is. They get no points until a director does" in words
    assert "Ann Lee (Aces)." in words


def test_fixed_teams_are_the_same_players_in_any_order(dana: User, season: Season) -> None:
    january, february = EXAMPLE["events"][:2]
    turned = {"Jokers": ["Bob Ray", "Ann Lee"], "Books": ["Cal Day"], "Crowns": [], "Deuces": []}
    evening(dana, january | {"teams": january["teams"] | {"Crowns": [], "Deuces": []}}, season)
    games = ["Jokers 6, Books 3", "Crowns 5, Deuces 4"]
    evening(dana, february | {"teams": turned, "games": games}, season)
    season = change_season(Actor(dana), season, {"scheme": {"for": "team", "places": [6, 3, 1]}})
    assert told_of(season_facts(season)) == [
        "1 Jokers 12: 6 6",
        "2 Crowns 6: 3 3",
        "3 Deuces 1: 0 1",
        "4 Books 1: 1 -",
        "5 Books 0: - 0",
    ]
    change_event(Actor(dana), Event.objects.get(name="February"), {"names": "hidden"}, confirmed=True)
    Team.objects.filter(name="Jokers").update(name="The Rays")
    assert season_facts(fresh(season)).lines[0].name in ("Jokers", "a team")


# What belongs to a season, and what leaves it.


def test_an_event_counts_in_one_season(dana: User, otis: User, season: Season) -> None:
    client, event = signed_in(otis), evening(dana, EXAMPLE["events"][0])
    create_season(Actor(otis), {"name": "Winter", "scheme": {}})
    answer = client.post("/seasons/season-2026/events/", {"event": "january"}, follow=True)
    assert "January counts in Season 2026." in words_of(answer)
    assert fresh(event).season == season
    answer = client.post("/seasons/winter/events/", {"event": "january"})
    sentence = "January counts in Season 2026 already. Take it out there first."
    assert (answer.status_code, sentence in words_of(answer), fresh(event).season) == (409, True, season)
    before = fresh(event).public_version
    assert client.post("/seasons/season-2026/events/", {"out": "january"}).status_code == 302
    assert (fresh(event).season, fresh(event).public_version > before) == (None, True)
    with pytest.raises(Conflict, match="January no longer counts in Season 2026"):
        take_out(Actor(otis), season, event)
    assert [sure(act.after)["season"] for act in event.journal.filter(action="change")] == [None, "Season 2026"]


def test_events_of_two_games_count_together_and_the_page_says_so(dana: User, otis: User, season: Season) -> None:
    evening(dana, EXAMPLE["events"][0], season)
    spades = make_event("Spades Night", dana, sheet=next(key for key, _ in sheets_of("spades")))
    answer = signed_in(otis).post("/seasons/season-2026/events/", {"event": spades.slug}, follow=True)
    assert "Bid Whist and Spades count together in this season." in words_of(answer)


def test_what_becomes_of_an_event_becomes_of_its_points(dana: User, otis: User, five: Season) -> None:
    """Archived it counts on; out of its file it counts nowhere, copied like it; deleted its points go."""
    actor, april = Actor(dana), Event.objects.get(name="April")
    archive_event(actor, april, archived=True)
    assert len(season_facts(five).over) == 5
    assert import_event(actor, filed(april)).season is None
    assert copy_event(actor, april, "June", april.date).season == five
    assert [line for line in findings() if "April" in line or "eason" in line] == []
    page = page_of(signed_in(otis).get("/desk/april/archive/"))
    assert "Season 2026 loses this event" in page
    client = signed_in(otis)
    assert client.post("/desk/april/archive/deletion/", {"name": "April"}).status_code == 302
    assert [event.name for event in season_facts(five).over] == ["January", "February", "March", "May"]
    delete_season(Actor(otis), five)
    assert (Event.objects.filter(season=None).count(), Season.objects.count()) == (6, 0)
    assert [(act.event, act.action) for act in SiteAct.objects.all()][:1] == [("Season 2026", "delete")]


def test_dues_keep_a_season(dana: User, otis: User, season: Season) -> None:
    Ledger.objects.create(season=season, number=1, kind="dues", member=Person.objects.create(name="Ann"), cents=500)
    answer = signed_in(otis).post("/seasons/season-2026/deletion/")
    sentence = "Dues were paid or partners drawn for this season: it stays."
    assert (answer.status_code, sentence in words_of(answer), Season.objects.count()) == (409, True, 1)


# Pages.


def test_a_season_is_set_up_and_changed(otis: User) -> None:
    client = signed_in(otis)
    typed = {"name": "2026", "whose": "person", "places": "6 3 1", "best": "3", "paper": "a4"}
    for wrong, sentence in (
        ({"places": "1, 3"}, "none above the one before it"),
        ({"places": "six"}, "Whole numbers up to 999"),
        ({"places": ""}, "Give points for something"),
        ({"places": "0", "win": "0"}, "Give points for something"),
        ({"field": "5"}, "Points by place or by the size of the field: clear one of the two."),
        ({"best": "0"}, "At least 1."),
        ({"name": ""}, "Please fill this in."),
    ):
        answer = client.post("/seasons/", typed | wrong)
        assert (answer.status_code, sentence in words_of(answer)) == (422, True), wrong
        assert 'value="6 3 1"' in page_of(answer) or "places" in wrong
    assert client.post("/seasons/", typed, follow=True).redirect_chain == [("/seasons/2026/setup/", 302)]
    season = Season.objects.get()
    scheme: dict[str, Any] = {"places": [6, 3, 1], "field": None, "win": 0, "champion": 0, "attendance": 0}
    scheme |= {"split": False, "best": 3, "average": False, "evenings": None, "games": None, "ties": "places"}
    scheme |= {"members": False, "for": "person"}
    assert (season.name, season.paper, season.scheme) == ("2026", "a4", scheme)
    assert client.post("/seasons/2026/setup/", typed | {"champion": "2"}).status_code == 302
    assert fresh(season).scheme == scheme | {"champion": 2}
    assert "Champion’s bonus: 2 points." in words_of(client.get("/seasons/2026/"))
    assert "No events yet" in words_of(Client().get("/seasons/2026/"))
    assert [act.action for act in SiteAct.objects.all()] == ["change", "new"]
    assert signed_in(otis).post("/seasons/2026/deletion/", follow=True).redirect_chain == [("/seasons/", 302)]


def test_a_season_is_chosen_in_the_set_up_of_an_event(dana: User, season: Season) -> None:
    event, client = make_event(director=dana), signed_in(dana)
    page = page_of(client.get(reverse("desk-setup", args=[event.slug])))
    assert "no season" in page
    change_event(Actor(dana), event, {"season": season})
    assert "Season 2026</span>" in page_of(client.get(reverse("desk-setup", args=[event.slug])))
    Season.objects.all().delete()
    assert "Counts in the season" not in page_of(client.get(reverse("desk-setup", args=[event.slug])))


def test_pages_lead_to_the_season_and_a_person_to_its_ranks(dana: User, five: Season, client: Client) -> None:
    settle(dana)
    assert all("/seasons/season-2026/" in page_of(client.get(address)) for address in ("/", "/e/may/"))
    words = words_of(client.get(f"/people/{person('Eve Orr').pk}/"))
    assert "Season 2026 1st (shared), 22 points, 9 in the table" in words
    page = page_of(client.get("/seasons/season-2026/"))
    assert f'href="/people/{person("Otis Reed").pk}/"' in page
    assert f'href="/people/{person("Dee Fox").pk}/"' not in page
    # An event that shows less hides more: a page that says the whole name is not led to.
    change_event(Actor(dana), Event.objects.get(name="May"), {"names": "initial"}, confirmed=True)
    page = page_of(client.get("/seasons/season-2026/"))
    assert "Eve O." in page and "Eve Orr" not in page and f'href="/people/{person("Eve Orr").pk}/"' not in page
    assert "Season 2026" not in words_of(client.get(f"/people/{person('Eve Orr').pk}/"))
    delete_person(Actor(dana), person("Gus Hill"))
    assert season_facts(five).lines[1].name == "a player"


def test_the_projector_shows_the_top_of_the_season(dana: User, five: Season) -> None:
    settle(dana)
    slides = board(event := Event.objects.get(name="May"), standings(event), EVERYTHING).slides
    [slide] = [slide for slide in slides if slide.kind == "season"]
    assert [(line.ranked.label, line.name, line.total) for line in slide.season] == [
        (label, name, total) for label, name, total, _ in figures()[:8]
    ]
    words = words_of(Client().get("/e/may/board/"))
    assert "Season 2026 1= Eve Orr 22 1= Gus Hill 22 3 a player 20" in words


@pytest.mark.django_db(transaction=True)
def test_other_events_show_the_season_as_a_correction_left_it(dana: User, five: Season) -> None:
    before = {event.name: shown_state(event) for event in Event.objects.select_related("season")}
    boards = {event.slug: Client().get(f"/e/{event.slug}/board/").content for event in Event.objects.all()}
    game, line = correct_february(dana)
    correct_sheet(Actor(dana), game, **line)
    after = {event.name: shown_state(event) for event in Event.objects.select_related("season")}
    assert {name for name in before if after[name].season == before[name].season} == set()
    assert {name for name in before if after[name].version != before[name].version} == {"February"}
    changed = {slug for slug, board in boards.items() if Client().get(f"/e/{slug}/board/").content != board}
    assert changed == set(boards)


@pytest.mark.django_db(transaction=True)
def test_a_table_that_was_read_once_asks_little(
    dana: User, five: Season, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    season_facts(five)
    with django_assert_max_num_queries(3):
        season_facts(five)
    Event.objects.filter(name="May").update(public_version=9999)
    with django_assert_max_num_queries(3 + 17):
        season_facts(five)
