"""The cases of a season's table that the design names, with the values that are right, as pages and files have them."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import announced_by, make_event, signed_in, words_of
from tests.sure import fresh
from tests.tournament.results.evenings import win
from tests.tournament.season.played import all_say, enlist, person, play
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Event, Game, Membership, Season, SiteAct
from tournament.queries.events import shown_state
from tournament.queries.people import person_facts, together
from tournament.services.confirming import NeedsConfirmation
from tournament.services.corrections import correct_sheet
from tournament.services.season import add_to_team, change_season, create_season, delete_season, put_in, take_out, weigh

FOUR = {
    "Aces": ["Ann Lee", "Bob Ray"],
    "Books": ["Cal Day", "Dee Fox"],
    "Crowns": ["Eve Orr", "Gus Hill"],
    "Deuces": ["Ida Moss", "Otis Reed"],
}
# Aces, Crowns, Books, Deuces.
GAMES = [["Aces 7, Books 2", "Crowns 5, Deuces 1"]]


def season_of(scheme: Mapping[str, Any], slug: str = "fall", **fields: Any) -> Season:
    """A season as it is stored, with points by place that are named or none."""
    return Season.objects.create(slug=slug, name=slug.title(), scheme={"places": []} | dict(scheme), **fields)


def told(month: int, name: str = "", **other: Any) -> dict[str, Any]:
    day = datetime.date(2026, month, 7)
    return {"name": name or f"{day:%B}", "date": day, "teams": FOUR, "games": GAMES} | other


def places(*order: Sequence[str]) -> dict[str, Any]:
    """An evening whose teams come in this order: each beats the one behind the half, with fewer points."""
    names = [f"Team {number}" for number in range(1, len(order) + 1)]
    half = len(order) // 2
    # By letters, because a score names a team by one word.
    words = dict(zip(names, ("Aces", "Books", "Crowns", "Deuces"), strict=False))
    teams = {words[name]: list(players) for name, players in zip(names, order, strict=True)}
    won, lost = [*teams][:half], [*teams][half:]
    scores = zip(won, (7, 6), lost, (4, 3), strict=False)
    return {"teams": teams, "games": [[f"{winner} {more}, {loser} {less}" for winner, more, loser, less in scores]]}


def lines_of(season: Season) -> dict[str, tuple[str, float]]:
    """Everybody's place and points, as the file for other programs has them."""
    rows = json.loads(Client().get(f"/seasons/{season.slug}/standings.json").content)
    return {row["name"]: (row["place"], row["points"]) for row in rows}


def setup_of(otis: User, season: Season) -> str:
    return words_of(signed_in(otis).get(f"/seasons/{season.slug}/setup/"))


# Who has a part.


def test_19_a_reserve_who_never_sat_has_no_part(dana: User, otis: User) -> None:
    season = season_of({"places": [6, 3, 1], "attendance": 1})
    three = FOUR | {"Aces": ["Ann Lee", "Bob Ray", "Kit Page"]}
    play(dana, told(3, teams=three), season)
    lines = lines_of(season)
    assert (lines["Ann Lee"], lines["Bob Ray"], "Kit Page" in lines) == (("1=", 7), ("1=", 7), False)
    assert setup_of(otis, season).count("Kit Page (Aces): nobody said they played.") == 1
    words = words_of(Client().get("/seasons/fall/"))
    assert "1 player has no part: nobody said they played." in words and "Kit Page" not in words
    # She has a page and partners only where she sat.
    assert together(person("Kit Page"), person("Ann Lee")) == []
    assert person_facts(person("Kit Page"), "Kit Page").games == {}


def test_19_a_reserve_who_sat_in_game_2_has_the_whole_place(dana: User, otis: User) -> None:
    season = season_of({"places": [6, 3, 1], "attendance": 1})
    three = FOUR | {"Aces": ["Ann Lee", "Bob Ray", "Kit Page"]}
    games = [*GAMES, ["Aces 6, Crowns 2", "Books 5, Deuces 4"]]
    play(dana, told(3, teams=three, games=games, substitutes=["Kit Page for Bob Ray, Aces, game 2"]), season)
    lines = lines_of(season)
    assert [lines[name] for name in ("Ann Lee", "Bob Ray", "Kit Page")] == [("1=", 7)] * 3
    assert "nobody said they played" not in setup_of(otis, season)
    assert [str(round_) for round_ in together(person("Kit Page"), person("Ann Lee"))] == ["Game 2"]
    assert person_facts(person("Kit Page"), "Kit Page").games["won"] == 1


def test_20_who_wins_by_default_has_the_place_and_a_no_show_has_none(dana: User) -> None:
    season = season_of({"places": [6, 3, 1], "attendance": 1})
    event = play(dana, told(3, games=[["Aces 7, Books 2", "Crowns by default, Deuces"]]), season)
    assert lines_of(season) == {
        "Ann Lee": ("1=", 7),
        "Bob Ray": ("1=", 7),
        "Eve Orr": ("3=", 4),
        "Gus Hill": ("3=", 4),
        "Cal Day": ("5=", 2),
        "Dee Fox": ("5=", 2),
    }
    # A person's page counts neither the game for who never came, nor who never came for the others.
    no_show, winner = (person_facts(person(name), name) for name in ("Ida Moss", "Eve Orr"))
    assert (no_show.games, winner.games, winner.against) == ({}, {"won": 1, "bostons": 0}, {})
    rows = json.loads(signed_in(dana).get(f"/desk/{event.slug}/papers/final-places.json").content)
    assert [(row["place"], row["name"]) for row in rows] == [("1", "Aces"), ("2", "Crowns"), ("3", "Books")]


def test_22_a_fixed_team_with_a_stand_in_is_one_line(dana: User, otis: User) -> None:
    season = season_of({"places": [6, 3, 1], "for": "team"})
    enlist(season, ["Ann Lee", "Bob Ray", "Kit Page"], "Aces")
    play(dana, told(1), season)
    play(dana, told(2, teams=FOUR | {"Aces": ["Ann Lee", "Kit Page"]}), season)
    assert lines_of(season)["Aces"] == ("1", 12)
    play(dana, told(3, teams=FOUR | {"Aces": ["Bob Ray", "Zoe Fox"]}), season)
    all_say(
        season,
        ["1 Aces 12: 6 6 -", "2 Crowns 9: 3 3 3", "3 Aces 6: - - 6", "4 Books 3: 1 1 1", "5 Deuces 0: 0 0 0"],
    )
    assert "Zoe Fox sat for Aces: add them?" in setup_of(otis, season)
    typed = {"person": person("Zoe Fox").pk, "team": "Aces"}
    assert signed_in(otis).post("/seasons/fall/team/", typed).status_code == 302
    assert lines_of(season)["Aces"] == ("1", 18)
    assert "add them?" not in setup_of(otis, season)


def test_only_who_may_be_listed_is_added_to_a_team(dana: User, otis: User) -> None:
    season, actor = season_of({"for": "team"}), Actor(otis)
    enlist(season, ["Ann Lee", "Bob Ray"], "Aces")
    enlist(season, ["Cal Day"], "Books")
    enlist(season, ["Zoe Fox"])
    zoe = person("Zoe Fox")
    add_to_team(actor, season, zoe.pk, "Aces")
    add_to_team(actor, season, zoe.pk, "Aces")
    assert Membership.objects.get(season=season, person=zoe).team == "Aces"
    for who, team, sentence in (
        (zoe.pk, "Books", "Zoe Fox is on Aces already."),
        (zoe.pk, "Kings", "Kings is no longer in the list of teams."),
        (zoe.pk, "", "This team is no longer in the list of teams."),
        (99999, "Aces", "This person was deleted."),
    ):
        with pytest.raises(Conflict, match=sentence):
            add_to_team(actor, season, who, team)
    client = signed_in(otis)
    for typed in ({}, {"person": "x", "team": "Aces"}, {"person": "9" * 30, "team": "Aces"}):
        assert client.post("/seasons/fall/team/", typed).status_code == 409
    assert [act.action for act in SiteAct.objects.all()] == ["change"]


# Points.


@pytest.mark.parametrize(("level", "share", "thrice"), [(2, 2, 6), (3, 1.33, 4)])
def test_23_who_share_a_place_split_its_points(dana: User, level: int, share: float, thrice: int) -> None:
    """Two second have 3 and 1, 2 each; three have 3, 1 and 0, 1 1/3 each, and exactly 4 after three evenings."""
    season = season_of({"places": [6, 3, 1], "split": True})
    names = ("Aces", "Books", "Crowns", "Deuces", "Elms", "Firs", "Globes", "Hills")[: 2 + 2 * level]
    teams = {name: [f"{name} One", f"{name} Two"] for name in names}
    games = [["Aces 7, Books 1", "Crowns 5, Deuces 2", "Elms 5, Firs 2", "Globes 5, Hills 2"][: 1 + level]]
    for month in (1, 2, 3):
        play(dana, told(month, teams=teams, games=games), season)
        if month == 1:
            assert lines_of(season)["Crowns One"] == ("3=", share)
            split = f"2nd of {len(names)}, shared by {level}, at January: {share} points ({share} as a share of 4)"
            assert split in words_of(Client().get("/seasons/fall/"))
    assert lines_of(season)["Crowns One"] == ("3=", thrice)


def test_24_members_move_up_where_guests_were_first(dana: User, otis: User) -> None:
    season = season_of({"places": [6, 3], "members": True})
    enlist(season, ["Cal Day", "Dee Fox", "Eve Orr", "Gus Hill"])
    play(dana, told(3), season)
    # Aces and Deuces are guests: Crowns and Books are first and second.
    assert lines_of(season) == {
        "Eve Orr": ("1=", 6),
        "Gus Hill": ("1=", 6),
        "Cal Day": ("3=", 3),
        "Dee Fox": ("3=", 3),
    }
    assert "4 guests are not ranked." in words_of(Client().get("/seasons/fall/"))
    assert "Ann Lee: not a member, so not ranked." in setup_of(otis, season)


def test_a_season_without_members_says_so(dana: User, otis: User) -> None:
    season = season_of({"places": [6], "members": True})
    play(dana, told(3), season)
    assert lines_of(season) == {}
    assert "No members are listed yet." in words_of(Client().get("/seasons/fall/"))
    assert "Only members are ranked, and no members are listed yet." in setup_of(otis, season)
    month = season_of({"places": [6], "members": True}, "month", within=season)
    enlist(season, ["Ann Lee"])
    assert "This season uses the members of Fall." in setup_of(otis, month)
    assert lines_of(season) == {"Ann Lee": ("1", 6)}


def test_24_an_average_ranks_who_came_twice(dana: User) -> None:
    season = season_of({"places": [6, 3, 1], "average": True, "evenings": 2})
    play(dana, told(1, **places(["Eve Orr", "Eve Two"], ["Fay"], ["Alicia"], ["Dave"])), season)
    play(dana, told(2, **places(["Gus"], ["Dave"], ["Alicia"], ["Hal"])), season)
    lines = lines_of(season)
    assert [lines[name] for name in ("Dave", "Alicia", "Eve Orr")] == [("1", 1.5), ("2", 1), ("–", 6)]
    assert [*lines][:2] == ["Dave", "Alicia"]


def test_25_an_event_of_weight_2_counts_double(dana: User, otis: User) -> None:
    season = season_of({"places": [35, 20, 10]})
    play(dana, told(3, name="Cup"), season)
    client = signed_in(otis)
    for wrong in ("10", "-1", "x", "", "1.5"):
        answer = client.post("/seasons/fall/events/", {"weigh": "cup", "counts": wrong})
        assert (answer.status_code, "An event counts 0 to 9 times." in words_of(answer)) == (422, True), wrong
    assert client.post("/seasons/fall/events/", {"weigh": "cup", "counts": "2"}).status_code == 302
    assert lines_of(season)["Ann Lee"] == ("1=", 70)
    assert "Cup counts double." in words_of(Client().get("/seasons/fall/"))
    event = Event.objects.get(slug="cup")
    [act] = event.journal.filter(action="change")
    assert (act.before, act.after) == ({"counts": 1}, {"counts": 2})
    assert client.post("/seasons/fall/events/", {"weigh": "cup", "counts": "0"}).status_code == 302
    assert lines_of(season)["Ann Lee"][1] == 0
    words = words_of(Client().get("/seasons/fall/"))
    assert "Cup counts for no points." in words
    assert "1st of 4 at Cup: no points; this event does not count" in words
    assert take_out(Actor(dana), season, event).counts == 1


def test_25_points_by_the_size_of_the_field(dana: User) -> None:
    season = season_of({"field": 3})
    play(dana, told(3), season)
    # Four teams are twice three, the second begun.
    assert {name: lines_of(season)[name][1] for name in ("Ann Lee", "Eve Orr", "Cal Day", "Ida Moss")} == {
        "Ann Lee": 2,
        "Eve Orr": 1,
        "Cal Day": 0,
        "Ida Moss": 0,
    }


def test_25_a_month_within_a_year_counts_in_both(dana: User, otis: User) -> None:
    year = season_of({"places": [6, 3, 1]}, "year")
    month = season_of({"places": [6, 3, 1]}, "january", within=year)
    january = play(dana, told(1), month)
    march = play(dana, told(3, **places(["Eve Orr"], ["Ann Lee"], ["Cal Day"], ["Dee Fox"])), year)
    assert lines_of(month)["Ann Lee"] == ("1=", 6)
    assert lines_of(year)["Ann Lee"] == ("1=", 9)
    assert "After 2 of 2 events" in words_of(Client().get("/seasons/year/"))
    words = words_of(Client().get(f"/people/{person('Ann Lee').pk}/"))
    assert "Year 1st (shared), 9 points" in words and "January 1st (shared), 6 points" in words
    board = words_of(Client().get(f"/e/{january.slug}/board/"))
    assert "January 1= Ann Lee 6" in board and "Year 1= Ann Lee 9" in board
    # What is there already cannot be put in again; an event of the year may go to the month.
    client = signed_in(otis)
    answer = client.post("/seasons/year/events/", {"event": january.slug})
    assert (answer.status_code, "January counts in Year already, through January." in words_of(answer)) == (409, True)
    put_in(Actor(dana), month, march)
    assert (lines_of(month)["Ann Lee"], lines_of(year)["Ann Lee"]) == (("1=", 9), ("1=", 9))
    with pytest.raises(Conflict, match="March no longer counts in Year"):
        take_out(Actor(dana), year, march)
    # The month is deleted: its events stay in the year, and so does what was a part of it.
    week = season_of({"places": [6]}, "week", within=month)
    delete_season(Actor(otis), fresh(month))
    assert fresh(week).within == year
    assert lines_of(year)["Ann Lee"] == ("1=", 9)


def test_a_season_is_never_a_part_of_itself(otis: User) -> None:
    actor, client = Actor(otis), signed_in(otis)
    year, month = season_of({}, "year"), season_of({}, "month")
    week = season_of({}, "week", within=month)
    typed = {"name": "Month", "whose": "person", "win": "1", "paper": "letter"}
    assert client.post("/seasons/month/setup/", typed | {"within": year.pk}).status_code == 302
    assert fresh(month).within == year
    sentence = "A season can’t be part of itself, or of a season that is part of it."
    for inner in (year, month, week):
        answer = client.post("/seasons/year/setup/", typed | {"name": "Year", "within": inner.pk})
        assert (answer.status_code, sentence in words_of(answer)) == (422, True), inner
    # As an outdated page would: another act has made this impossible in the meantime.
    for inner in (year, month, week):
        with pytest.raises(Conflict, match="Year can’t be part of"):
            change_season(actor, year, {"within": inner})
    assert (fresh(year).within, fresh(week).within) == (None, month)
    assert create_season(actor, {"name": "Day", "scheme": {}, "within": week}).within == week


def test_an_event_that_moves_while_it_is_corrected_loses_neither(dana: User) -> None:
    """The question was about its old season: it is asked again about the new one, and both acts count."""
    old, new = season_of({"places": [6, 3, 1]}, "old"), season_of({"places": [6, 3, 1]}, "new")
    event = play(dana, told(3), old)
    game = Game.objects.select_related("round__event").get(round__event=event, table=1)
    line: dict[str, Any] = {"position": 2, "revision": 0, "facts": win(1, 7)[0], "reason": "sides mixed up"}
    announced = announced_by(Actor(dana), game, **line)
    assert {change.what.partition(":")[0] for change in announced.changes if change.place == "Season"} == {"Old"}
    take_out(Actor(dana), old, event)
    put_in(Actor(dana), new, event)
    with pytest.raises(NeedsConfirmation) as asked:
        correct_sheet(Actor(dana), game, **line, confirmed=announced.key)
    changes = asked.value.impact.changes
    assert {change.what.partition(":")[0] for change in changes if change.place == "Season"} == {"New"}
    correct_sheet(Actor(dana), game, **line, confirmed=asked.value.impact.key)
    assert (fresh(event).season, lines_of(old), lines_of(new)["Cal Day"]) == (new, {}, ("1=", 6))


def test_a_correction_tells_both_the_month_and_the_year(dana: User) -> None:
    year = season_of({"places": [6, 3, 1]}, "year")
    event = play(dana, told(1), season_of({"places": [6, 3, 1]}, "month", within=year))
    game = Game.objects.select_related("round__event").get(round__event=event, table=1)
    line: dict[str, Any] = {"position": 2, "revision": 0, "facts": win(1, 7)[0], "reason": "sides mixed up"}
    changes = announced_by(Actor(dana), game, **line).changes
    assert {change.what.partition(":")[0] for change in changes if change.place == "Season"} == {"Month", "Year"}


@pytest.mark.django_db(transaction=True)
def test_what_a_month_changes_is_looked_at_again_in_the_whole_year(dana: User) -> None:
    year = season_of({"places": [6, 3, 1]}, "year")
    january, february = (season_of({"places": [6]}, slug, within=year) for slug in ("january", "february"))
    event = play(dana, told(1), january)
    others = [make_event("Feb", dana, season=february), make_event("Year", dana, season=year), make_event("None", dana)]
    before = [shown_state(fresh(other)) for other in others]
    weigh(Actor(dana), january, event, 2)
    changed = [shown_state(fresh(other)).season > was.season for other, was in zip(others, before, strict=True)]
    assert changed == [True, True, False]
    # Their own pages stay as they are.
    assert [shown_state(fresh(other)).version for other in others] == [was.version for was in before]


def test_no_event_counts_in_two_unrelated_seasons(dana: User) -> None:
    year, month, other = season_of({}, "year"), season_of({}, "month"), season_of({}, "other")
    change_season(Actor(dana), month, {"within": year})
    event = make_event("March", dana, season=fresh(month))
    with pytest.raises(Conflict, match="March counts in Month already"):
        put_in(Actor(dana), other, event)
    with pytest.raises(Conflict, match="March no longer counts in Other"):
        weigh(Actor(dana), other, event, 2)
    assert weigh(Actor(dana), year, event, 2).counts == 2


def test_events_of_one_day_are_told_apart(dana: User) -> None:
    season, day = season_of({"places": [6]}), datetime.date(2026, 11, 28)
    for name in ("Matinee", "Night", "Late Night"):
        play(dana, told(1, name=name) | {"date": day}, season)
    Event.objects.filter(name="Late Night").update(name="Night")
    play(dana, told(12), season)
    page = words_of(Client().get("/seasons/fall/"))
    assert "Place Person Matinee Night 1 Night 2 Dec 7 Points" in page


def test_sentences_that_hold_a_semicolon_are_parted_by_something_else(dana: User) -> None:
    season = season_of({"places": [6, 3, 1], "best": 1})
    for month in (1, 2):
        play(dana, told(month), season)
    text = Client().get("/seasons/fall/standings.csv").content.decode("utf-8-sig")
    assert "1st of 4 at January: 6 points | 1st of 4 at February: 6 points; not among the best 1" in text


# What an upgrade counts otherwise.


def test_an_upgrade_names_each_line_that_it_counts_otherwise(dana: User, otis: User) -> None:
    season = season_of({"places": [6, 3, 1], "attendance": 1})
    three = FOUR | {"Aces": ["Ann Lee", "Bob Ray", "Kit Page"]}
    play(dana, told(3, teams=three), season)
    play(dana, told(4, games=[["Aces 7, Books 2", "Crowns by default, Deuces"]]), season)
    assert "What the update counts differently" not in setup_of(otis, season)
    Season.objects.update(told=False)
    words = setup_of(otis, season)
    for sentence in (
        "Kit Page: 7 before, not in the table now: nobody said they played in March.",
        "Eve Orr: 4 before, 8 now: in April they were there, and a game won by default counts now.",
        "Gus Hill: 4 before, 8 now: in April they were there, and a game won by default counts now.",
    ):
        assert sentence in words
    assert words.count(" before, ") == 3
    assert signed_in(otis).post("/seasons/fall/told/", follow=True).redirect_chain == [("/seasons/fall/setup/", 302)]
    assert "What the update counts differently" not in setup_of(otis, season)
    assert [act.action for act in SiteAct.objects.all()] == ["change"]
    signed_in(otis).post("/seasons/fall/told/")
    assert SiteAct.objects.count() == 1


def test_an_upgrade_that_changes_nothing_says_nothing(dana: User, otis: User) -> None:
    season = season_of({"places": [6, 3, 1]}, told=False)
    play(dana, told(3), season)
    assert "What the update counts differently" not in setup_of(otis, season)


def test_an_upgrade_names_fixed_teams_too(dana: User, otis: User) -> None:
    season = season_of({"places": [6, 3, 1], "for": "team"}, told=False)
    play(dana, told(4, games=[["Aces 7, Books 2", "Crowns by default, Deuces"]]), season)
    because = "in April they were there, and a game won by default counts now"
    assert f"Crowns: not in the table before, 3 now: {because}." in setup_of(otis, season)


# What is typed.


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"places": "6, 3", "field": "5"}, "Points by place or by the size of the field: clear one of the two."),
        ({"field": "0"}, "At least 1."),
        ({"evenings": "-2"}, "At least 1."),
        ({"games": "x"}, "A whole number"),
        ({"ties": "lots"}, "Please choose from the list."),
        ({"within": "99999"}, "A season can’t be part of itself"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(otis: User, wrong: dict[str, str], sentence: str) -> None:
    season = season_of({"win": 1})
    typed = {"name": "Spring", "whose": "team", "win": "3", "paper": "a4", "split": "on"}
    answer = signed_in(otis).post("/seasons/fall/setup/", typed | wrong)
    page = answer.content.decode()
    assert (answer.status_code, sentence in page) == (422, True)
    assert 'value="Spring"' in page and 'value="3"' in page and fresh(season).name == "Fall"
