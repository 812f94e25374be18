"""Inviting to the last event of a season, by its pages: who is on the list, in which order, and who they are."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import page_of, signed_in, words_of
from tests.sure import fresh, refusal_of, sure
from tests.tournament.results.evenings import bracket_of, finish_game, played_round, win
from tests.tournament.results.test_playoffs import play_round
from tests.tournament.season.clubs import FOUR, MORE, evening, make_season, person, played
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict
from tournament.models import Event, Membership, Official, Person, Season
from tournament.queries.final_places import final_places
from tournament.queries.playoffs import playoffs
from tournament.queries.roster import RosterRow
from tournament.queries.todo_next import checklist
from tournament.services.people import delete_person, merge_persons
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import close_round, take_start_back
from tournament.services.teams import add_team, draw_numbers, remove_team, withdraw_team
from tournament.services.verifying import findings

PAGE = "/seasons/fall/invite/"
SINGLES = "back_alley/individual"
NEW = "/new/"


@pytest.fixture
def season(dana: User) -> Season:
    """One evening: two of Aces have 6 points, two of Clubs 3, two of Books 1, two of Deuces none."""
    season = make_season()
    played(dana, season)
    return season


@pytest.fixture
def owner(otis: User) -> Client:
    return signed_in(otis)


def fields_of(answer: Any) -> dict[str, Any]:
    """What the form of the new event would send, as it is opened."""
    page = page_of(answer)
    form = page[page.index('id="new-event"') : page.index("</form>", page.index('id="new-event"'))]
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        name, value = (re.search(rf'\b{key}="([^"]*)"', tag) for key in ("name", "value"))
        is_box = 'type="checkbox"' in tag or 'type="radio"' in tag
        if name and 'type="file"' not in tag and (not is_box or " checked" in tag):
            sent[name[1]] = unescape(value[1]) if value else "on" * is_box
    for name, options in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        if chosen := re.search(r'<option value="([^"]*)" selected', options):
            sent[name] = unescape(chosen[1])
    text = re.search(r'<textarea name="text"[^>]*>(.*?)</textarea>', form, re.DOTALL)
    sent["text"] = unescape(sure(text)[1]).lstrip("\n")
    return sent


def opened(owner: Client, **asked: Any) -> dict[str, Any]:
    """The form of the new event with a name and a day, as an invitation opens it."""
    answer = owner.get(PAGE, asked, follow=True)
    assert answer.status_code == 200, words_of(answer)
    return fields_of(answer) | {"name": "Final", "date": "2026-06-06"}


def set_up(owner: Client, sent: dict[str, Any]) -> Event:
    answer = owner.post(NEW, sent)
    assert answer.status_code == 302, words_of(answer)
    return Event.objects.get(name=sent["name"])


def final(owner: Client, size: int, **other: Any) -> Event:
    return set_up(owner, opened(owner, size=size) | {"draw": "yes"} | other)


def singles(dana: User, season: Season) -> None:
    """The last event of the season is one where everybody plays alone."""
    evening(dana, season, "April", (), sheet=SINGLES)


def who_plays(event: Event) -> list[tuple[str, list[Person | None]]]:
    return [(team.name, [player.person for player in team.players.all()]) for team in event.teams.all()]


def findings_now() -> list[str]:
    return [line for line in findings() if "no longer refuses" not in line]


def test_the_best_eight_are_pairs_first_with_last_and_go_straight_to_the_bracket(owner: Client, season: Season) -> None:
    assert "Invite the best" in page_of(owner.get("/seasons/fall/"))
    sent = opened(owner, size=8)
    names = ["Ann Hill", "Otis Reed", "Gus Poe", "Ida Low", "Cy Dill", "Flo Kay", "Hal Orr", "Jo Pike"]
    pairs = [(names[place], names[7 - place]) for place in range(4)]
    assert sent["text"] == "\n".join(" / ".join(pair) for pair in pairs)
    assert ("straight" in sent, "counts" in sent, "season" in sent) == (True, False, False)
    event = set_up(owner, sent | {"draw": "yes"})
    assert who_plays(event) == [
        (f"{first.split()[1]} & {last.split()[1]}", [person(first), person(last)]) for first, last in pairs
    ]
    assert (event.stage, event.cut, event.rounds_planned, event.season, event.frozen_at) == (
        "playoffs",
        4,
        1,
        None,
        None,
    )
    assert bracket_of(event).seeds == (1, 2, 3, 4)
    assert event.journal.get(action="create", code="invited").text == "4 teams invited from Fall 2026"
    assert "1 event" in words_of(owner.get("/seasons/fall/setup/"))


def test_it_counts_in_the_season_where_that_is_ticked(owner: Client, season: Season) -> None:
    event = final(owner, 4, counts="on")
    assert (event.season, season.events.count()) == (season, 2)


def test_a_stranger_and_a_director_are_not_offered_it(client: Client, dana: User, season: Season) -> None:
    Official.objects.filter(user=dana).update(role="director")
    assert "Invite the best" not in page_of(client.get("/seasons/fall/"))
    assert "Invite the best" not in page_of(signed_in(dana).get("/seasons/fall/"))


def test_it_begins_with_the_rules_of_the_last_event(dana: User, owner: Client, season: Season) -> None:
    vic = User.objects.create_user("vic")
    last = evening(dana, season, "April", (), sheet="bid_whist/no-kitty-2021", fee_cents=1500)
    Event.objects.filter(pk=last.pk).update(options={"lowest_bid": 3}, pot_cents=500, time_zone="America/Chicago")
    Official.objects.create(event=last, user=vic, role="verifier")
    sent = opened(owner, size=4)
    assert {name: sent[name] for name in ("sheet", "fee_cents", "pot_cents", "time_zone", "cut")} == {
        "sheet": "bid_whist/no-kitty-2021",
        "fee_cents": "15",
        "pot_cents": "",
        "time_zone": "America/Chicago",
        "cut": "",
    }
    event = set_up(owner, sent | {"draw": "yes"})
    assert (event.options, event.fee_cents, event.pot_cents) == ({"lowest_bid": 3}, 1500, 0)
    assert set(event.officials.values_list("user__username", "role")) == {
        ("otis", "director"),
        ("dana", "director"),
        ("vic", "verifier"),
    }


def test_it_plays_to_its_champion_and_comes_back_from_its_file(dana: User, owner: Client, season: Season) -> None:
    singles(dana, season)
    event = final(owner, 6)
    names = ["Ann Hill", "Otis Reed", "Gus Poe", "Ida Low", "Cy Dill", "Flo Kay"]
    assert who_plays(event) == [(name, [person(name)]) for name in names]
    assert event.journal.get(code="invited").text == "6 players invited from Fall 2026"


def test_a_bracket_of_pairs_plays_to_its_champion(dana: User, owner: Client, season: Season) -> None:
    played(dana, season, "April", 4)
    event = final(owner, 8)
    assert (playoffs(event).step, playoffs(event).previews, bracket_of(event).level_seeds) == ("start", (), ())
    copy = import_event(Actor(dana), export_event(event))
    assert (copy.stage, bracket_of(copy).seeds, copy.frozen_at) == ("playoffs", (1, 2, 3, 4), None)
    for _ in range(2):
        play_round(dana, event)
    finish_event(Actor(dana), event)
    event = fresh(event)
    first = final_places(event).lines[0]
    assert (first.rank, first.how, findings_now()) == (1, "Won the final 5–0", [])
    again = import_event(Actor(dana), export_event(event))
    assert [line.team for line in final_places(again).lines] == [line.team for line in final_places(event).lines]


def test_without_the_tick_it_is_an_event_with_games_to_draw(owner: Client, season: Season) -> None:
    sent = opened(owner, size=8)
    del sent["straight"]
    event = set_up(owner, sent | {"rounds_planned": "2", "draw": "yes"})
    assert (event.stage, event.rounds.count(), event.teams.count()) == ("setup", 2, 4)


def ask(owner: Client, **asked: Any) -> Any:
    return owner.get(PAGE, asked)


def test_a_tie_on_the_line_is_named_before(owner: Client, season: Season) -> None:
    words = words_of(owner.get(PAGE, {"size": 3}))
    assert "Gus Poe and Ida Low share 3rd place, and 1 of them can play." in words
    assert all(way in words for way in ("Take 2", "Take 4", "Invite those ticked", "Draw for it"))
    gus, ida = str(person("Gus Poe").pk), str(person("Ida Low").pk)
    for chosen in ([], [gus, ida]):
        refused = ask(owner, size=3, level=[gus, ida], chosen=chosen)
        assert (refused.status_code, f"Tick 1; you ticked {len(chosen)}." in words_of(refused)) == (422, True)
    changed = ask(owner, size=3, level=[gus], chosen=[gus])
    assert (changed.status_code, "table has changed" in words_of(changed)) == (409, True)
    stranger = ask(owner, size=3, level=[gus, ida], chosen=[str(person("Cy Dill").pk)])
    assert stranger.status_code == 409
    text = fields_of(ask(owner, size=3, level=[gus, ida], chosen=[ida]))["text"]
    assert "Ida Low" in text and "Gus Poe" not in text
    assert Event.objects.count() == 1


def test_who_is_tied_can_be_drawn_and_the_number_is_told(dana: User, owner: Client, season: Season) -> None:
    singles(dana, season)
    answer = owner.post(PAGE, {"size": "3"})
    number = sure(re.search(r"lot=(\d+)", answer["Location"]))[1]
    page = owner.get(answer["Location"])
    assert f"Drawn by lot, number {number}." in words_of(page)
    again = owner.get(answer["Location"])
    assert fields_of(again)["text"] == fields_of(page)["text"]
    assert len(fields_of(page)["text"].split("\n")) == 3


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ({"size": "1"}, 422, "From 2 to 8 can be invited."),
        ({"size": "9"}, 422, "From 2 to 8 can be invited."),
        ({"size": "x"}, 422, "From 2 to 8 can be invited."),
        ({"size": "3", "lot": "x"}, 409, "table has changed"),
    ],
)
def test_what_cannot_be_invited(owner: Client, season: Season, asked: dict[str, str], status: int, said: str) -> None:
    answer = owner.get(PAGE, asked)
    assert (answer.status_code, said in words_of(answer)) == (status, True)


def test_nobody_can_be_invited_from_an_empty_season(owner: Client) -> None:
    make_season()
    assert "Nobody has a place in the season yet." in words_of(owner.get(PAGE))
    answers = [owner.get(PAGE, asked).status_code for asked in ({"size": "8"}, {"winners": "yes"})]
    assert answers == [422, 422]


def test_an_odd_one_out_is_named_and_not_dropped(owner: Client, season: Season) -> None:
    gus, ida = str(person("Gus Poe").pk), str(person("Ida Low").pk)
    page = ask(owner, size=3, level=[gus, ida], chosen=[gus])
    words = words_of(page)
    assert "3 players do not fill sides of 2: no partner for Gus Poe." in words and "Or invite 2 or 4." in words
    sent = fields_of(page) | {"name": "Final", "date": "2026-06-06", "draw": "yes"}
    assert "Gus Poe" in sent["text"]
    refused = owner.post(NEW, sent)
    assert (refused.status_code, "Gus Poe has 1 of 2 players" in words_of(refused)) == (422, True)
    assert Event.objects.count() == 1
    seen = sure(re.search(r'name="seen" value="([^"]+)"', page_of(refused)))[1]
    event = set_up(owner, sent | {"seen": seen})
    assert who_plays(event)[1] == ("Gus Poe", [person("Gus Poe")])


def test_the_list_can_be_edited_and_only_unchanged_names_are_those_invited(owner: Client, season: Season) -> None:
    sent = opened(owner, size=4)
    assert sent["text"] == "Ann Hill / Ida Low\nOtis Reed / Gus Poe"
    event = set_up(owner, sent | {"text": "Otis Reed / Zoe Fox\nIda Low / Ann Hill", "draw": "yes"})
    assert who_plays(event) == [
        ("Reed & Fox", [person("Otis Reed"), person("Zoe Fox")]),
        ("Low & Hill", [person("Ida Low"), person("Ann Hill")]),
    ]


def test_two_of_one_name_are_exactly_those_who_were_invited(dana: User, owner: Client, season: Season) -> None:
    Person.objects.filter(name="Otis Reed").update(name="Ann Hill", key="ann hill", near="ann hill")
    Person.objects.create(name="Ann Hill", key="ann hill", near="ann hill")
    numbers = list(Person.objects.filter(players__team__name="Aces").values_list("pk", flat=True))
    event = final(owner, 4)
    firsts = [sure(people[0]).pk for _, people in who_plays(event)]
    assert sorted(firsts) == sorted(numbers)
    singles(dana, season)
    sent = opened(owner, size=2) | {"name": "Singles", "draw": "yes"}
    assert sent["text"] == "Ann Hill\nAnn Hill 2"


def test_names_that_a_list_could_not_tell_are_still_those_people(owner: Client, season: Season) -> None:
    for name, new in (("Ann Hill", "Hill, Ann"), ("Otis Reed", "Otis Reed Jr."), ("Ida Low", "Ida / Low")):
        Person.objects.filter(name=name).update(name=new)
    people = set(Person.objects.filter(name__in=["Hill, Ann", "Otis Reed Jr.", "Gus Poe"]).values_list("pk", flat=True))
    event = final(owner, 4)
    assert people <= {sure(one).pk for _, row in who_plays(event) for one in row if one}


def test_who_was_merged_or_deleted_meanwhile(dana: User, owner: Client, season: Season) -> None:
    hall = Person.objects.create(name="Ann Hall", key="ann hall", near="ann hall")
    sent = opened(owner, size=4) | {"draw": "yes"}
    merge_persons(Actor(dana), person("Ann Hill"), hall)
    delete_person(Actor(dana), person("Ida Low"))
    event = set_up(owner, sent)
    assert [one and one.name for one in who_plays(event)[0][1]] == ["Ann Hall", "Ida Low"]


def test_a_deleted_person_is_not_invited(dana: User, owner: Client, season: Season) -> None:
    delete_person(Actor(dana), person("Ann Hill"))
    sent = opened(owner, size=7, level=[], chosen=[])
    assert "Ann Hill" not in sent["text"] and "Otis Reed\tHal Orr" in sent["text"]


def test_the_winners_of_an_evening(dana: User, owner: Client, season: Season) -> None:
    april = evening(dana, season, "April", (("Hares", "Flo Kay", "Zoe Fox"), *FOUR[:1], *MORE))
    Event.objects.filter(pk=april.pk).update(date="2026-04-01")
    played_round(fresh(april), [(1, 2, win(0, 6, 3)), (3, 4, win(0))])
    make_cut(Actor(dana), fresh(april), 1)
    finish_event(Actor(dana), fresh(april))
    sent = opened(owner, winners="yes")
    names = [name for line in sent["text"].split("\n") for name in line.split(" / ")]
    assert sorted(names) == ["Ann Hill", "Flo Kay", "Otis Reed", "Zoe Fox"]
    assert set_up(owner, sent | {"draw": "yes"}).teams.count() == 2


def test_a_winner_who_has_no_place_is_named(dana: User, owner: Client, season: Season) -> None:
    for name in ("Ann Hill", "Otis Reed"):
        delete_person(Actor(dana), person(name))
    refused = owner.get(PAGE, {"winners": "yes"})
    assert (refused.status_code, "Nobody in the table has won" in words_of(refused)) == (422, True)


def test_fixed_teams_come_with_their_members(dana: User, owner: Client, season: Season) -> None:
    season.scheme = {"for": "team"}
    season.save()
    sent = opened(owner, size=2) | {"draw": "yes"}
    assert sent["text"] == "Aces – Otis Reed / Ann Hill\nClubs – Gus Poe / Ida Low"
    for name in ("Ann Hill", "Otis Reed"):
        Membership.objects.create(season=season, person=person(name), team="Aces")
    assert opened(owner, size=2)["text"].startswith("Aces – Ann Hill / Otis Reed")
    event = set_up(owner, sent)
    assert who_plays(event) == [
        ("Aces", [person("Otis Reed"), person("Ann Hill")]),
        ("Clubs", [person("Gus Poe"), person("Ida Low")]),
    ]
    assert "Aces" in opened(owner, winners="yes")["text"]


def test_an_invitation_that_was_changed_is_refused_and_the_list_stays(owner: Client, season: Season) -> None:
    sent = opened(owner, size=4) | {"draw": "yes"}
    answer = owner.post(NEW, sent | {"invitation": sent["invitation"][:-2] + "xx"})
    assert (answer.status_code, "too old, or was changed" in words_of(answer)) == (409, True)
    assert "Ann Hill / Ida Low" in page_of(answer) and Event.objects.count() == 1
    draft = owner.post("/new/draft/", sent | {"invitation": "x"})
    assert draft.status_code in (200, 404)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"text": "Ann Hill / Ida Low"}, "A bracket needs at least 2 on the list."),
        ({"pot_cents": "5"}, "The pot is for games before the bracket"),
        ({"name": ""}, "Please fill this in."),
    ],
)
def test_a_bracket_that_cannot_be(owner: Client, season: Season, changed: dict[str, str], said: str) -> None:
    answer = owner.post(NEW, opened(owner, size=4) | {"draw": "yes"} | changed)
    assert (answer.status_code, said in words_of(answer)) == (422, True), words_of(answer)
    assert 'name="invitation"' in page_of(answer) and Event.objects.count() == 1


def test_rules_stay_open_until_the_bracket_begins(dana: User, owner: Client, season: Season) -> None:
    event = final(owner, 8)
    assert "seeded by these numbers" in refusal_of(lambda: draw_numbers(Actor(dana), event), Conflict).texts[0]
    remove_team(Actor(dana), event, 4)
    assert bracket_of(fresh(event)).seeds == (1, 2, 3)
    round_ = start_playoff_round(Actor(dana), fresh(event))
    assert fresh(event).frozen_at and checklist(fresh(event)).missing == ()
    take_start_back(Actor(dana), event, round_.number)
    assert (fresh(event).frozen_at, fresh(event).stage) == (None, "playoffs")


def test_who_leaves_after_the_start_keeps_the_seed(dana: User, owner: Client, season: Season) -> None:
    """Also one who had a bye, and says never to have played."""
    sent = opened(owner, size=6)
    event = set_up(owner, sent | {"draw": "yes"})
    round_ = start_playoff_round(Actor(dana), event)
    withdraw_team(Actor(dana), fresh(event), 1, 0)
    for game in round_.games.all():
        finish_game(fresh(event), game, win(0))
    close_round(Actor(dana), event, round_.number)
    assert (bracket_of(fresh(event)).seeds, findings_now()) == ((1, 2, 3), [])
    start_playoff_round(Actor(dana), fresh(event))
    assert bracket_of(fresh(event)).matches[1].sides[1].won


def test_one_who_comes_in_before_the_start_is_cut_in_by_hand(dana: User, owner: Client, season: Season) -> None:
    event = final(owner, 8)
    add_team(Actor(dana), event, RosterRow(name="Owls", players=("Cy Mo", "Di Mo")))
    assert bracket_of(fresh(event)).seeds == (1, 2, 3, 4)
    make_cut(Actor(dana), fresh(event), 5)
    assert bracket_of(fresh(event)).seeds == (1, 2, 3, 4, 5)


def test_its_pages_open_while_it_waits_for_its_start(owner: Client, season: Season) -> None:
    event = final(owner, 4)
    desk = ("setup", "standings", "papers", "money", "playoffs", "teams", "people")
    paths = [f"/e/{event.slug}/{name}" for name in ("", "bracket/", "board/", "teams/")]
    paths += [f"/desk/{event.slug}/{name}/" for name in desk]
    assert [(path, owner.get(path).status_code) for path in paths] == [(path, 200) for path in paths]
    assert "Start" in page_of(owner.get(f"/desk/{event.slug}/playoffs/"))


def test_the_draft_follows_what_is_typed(owner: Client, season: Season) -> None:
    sent = opened(owner, size=4)
    draft = words_of(owner.post("/new/draft/", sent))
    assert ("Set up the bracket" in draft, "2 teams, 4 players read" in draft) == (True, True)
    alone = owner.post("/new/draft/", sent | {"text": "Ann Hill / Ida Low\nOtis Reed – Otis Reed / Otis Reed"})
    assert alone.status_code == 200
    del sent["straight"]
    assert "Set up and draw" in words_of(owner.post("/new/draft/", sent))
    other = page_of(owner.post("/new/draft/", sent | {"game": "spades", "straight": "on"}))
    assert 'name="straight" id="id_straight" checked' in other and "Set up the bracket" in other
