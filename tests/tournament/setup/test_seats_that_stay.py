"""A seat that stays, through an evening: drawn, re-seated, swapped, late, by hand, in the bracket and in the file."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import draw_by_hand, impact_of, make_event, make_teams, page_of, play, words_of
from tests.sure import fresh, refusal_of, sure
from tests.tournament.archive.filed import changed, told
from tests.tournament.games.play import play_out
from tests.tournament.results.evenings import played_round, win
from tests.tournament.test_rights_by_content import text_of
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import ValidationFailed
from tournament.models import Event, Game, Journal, Round, Team
from tournament.queries.roster import RosterRow, row_of
from tournament.reports.pdf.catalog import Wanted, printed
from tournament.services.draws import draw_rounds
from tournament.services.events import copy_event
from tournament.services.playoffs import make_cut, start_playoff_round
from tournament.services.rounds import close_round, start_round
from tournament.services.substitutions import change_and_reseat, seat_late, swap_teams
from tournament.services.teams import add_team, change_team, withdraw_team


@pytest.fixture
def eight(dana: User) -> Event:
    event = make_event("Eights", dana, seed=7)
    make_teams(event, 8)
    return event


def stays(dana: User, event: Event, number: int, table: int | None) -> Team:
    team = event.teams.get(number=number)
    return change_team(Actor(dana), event, number, replace(row_of(team), home=table))


def seats(round_: Round) -> dict[int, list[int]]:
    """Who sits at which table, in the order in which the tables were drawn."""
    games = round_.games.order_by("pk").prefetch_related("sides__team")
    return {game.table: [side.team.number for side in game.sides.all()] for game in games}


def pairs(round_: Round) -> list[list[int]]:
    return list(seats(round_).values())


def notes_of(round_: Round) -> list[str]:
    return list(map(str, fresh(round_).noted))


def away(round_: Round, homes: dict[int, int]) -> list[int]:
    """Who does not sit at its own table."""
    return [team for table, teams in seats(round_).items() for team in teams if homes.get(team, table) != table]


def test_a_team_gets_a_table_and_the_drawn_games_follow_in_the_same_act(eight: Event, dana: User) -> None:
    rounds = draw_rounds(Actor(dana), eight, seed=7)
    before = [pairs(round_) for round_ in rounds]
    start_round(Actor(dana), eight, 1)
    first = seats(rounds[0])
    assert stays(dana, eight, 5, 6).home == 6
    assert [pairs(round_) for round_ in rounds] == before
    assert seats(rounds[0]) == first
    assert all(5 in seats(round_)[6] for round_ in rounds[1:])
    line = Journal.objects.get(action="change")
    assert (sure(line.before).get("home"), sure(line.after)["home"]) == (None, 6)
    # And moves again: the tables stay as they are until the next draw.
    numbered = [seats(round_) for round_ in rounds]
    stays(dana, eight, 5, None)
    assert [seats(round_) for round_ in rounds] == numbered


def test_two_that_stay_and_meet_are_said_in_their_game_alone(eight: Event, dana: User) -> None:
    rounds = draw_rounds(Actor(dana), eight, seed=7)
    [first, other] = pairs(rounds[2])[0]
    stays(dana, eight, first, 2)
    stays(dana, eight, other, 3)
    names = [eight.teams.get(number=number).name for number in (first, other)]
    text = f"{names[0]} and {names[1]} both stay at their tables; they meet in game 3 at table 2, so {names[1]} moves."
    notes = {round_.number: [note for note in notes_of(round_) if "stay" in note] for round_ in rounds}
    assert notes.pop(3) == [text]
    assert not any(notes.values())
    assert all(
        team in seats(round_)[table]
        for round_ in rounds
        if round_.number != 3
        for team, table in ((first, 2), (other, 3))
    )
    # A team that moves again takes the sentence along.
    stays(dana, eight, other, None)
    assert not any("stay" in note for round_ in rounds for note in notes_of(round_))


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (3, "Aces stays at table 3 already."),
        (0, "Tables go from 1 to 999; this is 0."),
        (1000, "Tables go from 1 to 999; this is 1000."),
    ],
)
def test_a_table_of_another_team_or_none_at_all_is_refused(eight: Event, dana: User, table: int, text: str) -> None:
    stays(dana, eight, 1, 3)
    refused = refusal_of(lambda: stays(dana, eight, 2, table), ValidationFailed)
    assert [(fault.field, fault.text) for fault in refused.faults] == [("home", text)]
    assert eight.teams.get(number=2).home is None


def test_the_desk_asks_for_it_and_shows_it_everywhere(eight: Event, dana: User, desk: Client) -> None:
    typed = {"number": "2", "name": "Books", "player1": "Ann 2", "player2": "Bea 2", "home": "9"}
    assert "Stays at table" in page_of(desk.get("/desk/eights/teams/2/"))
    assert "Stays at table" not in words_of(desk.get("/desk/eights/teams/")).split("Paid")[-1]
    assert desk.post("/desk/eights/teams/2/", typed | {"home": "0"}).status_code == 422
    assert desk.post("/desk/eights/teams/2/", typed).status_code == 302
    refused = desk.post("/desk/eights/teams/3/", typed | {"number": "3", "name": "Owls", "home": "9"})
    assert refused.status_code == 422
    assert "Books stays at table 9 already." in page_of(refused)
    draw_rounds(Actor(dana), eight, seed=7)
    assert "You stay at table 9 all evening." in words_of(Client().get("/e/eights/teams/2/"))
    assert "all evening" not in words_of(Client().get("/e/eights/teams/3/"))
    assert "Books · stays" in words_of(desk.get("/desk/eights/draw/"))
    head, _, books, *_ = csv.reader(desk.get("/desk/eights/papers/teams.csv").content.decode("utf-8-sig").splitlines())
    assert dict(zip(head, books, strict=True))["stays"] == "9"
    assert "Bea2)·stays" in text_of(printed(Wanted(eight, 1), ["seating"], "Seating"))
    assert "stays at table 9" in text_of(printed(Wanted(eight), ["slips"], "Slips"))
    start_round(Actor(dana), eight, 1)
    assert "Books stays" in words_of(Client().get("/e/eights/board/"))


def test_a_draw_by_hand_asks_before_it_moves_anybody(eight: Event, dana: User) -> None:
    stays(dana, eight, 1, 5)
    four = [(1, 2), (3, 4), (5, 6), (7, 8)]

    def act(numbers: tuple[int, ...], confirmed: str | None = None) -> Round:
        return draw_by_hand(Actor(dana), eight, 1, four, numbers=numbers, confirmed=confirmed)

    # Without numbers of the director's the team has its table.
    assert seats(act(())) == {1: [3, 4], 2: [5, 6], 3: [7, 8], 5: [1, 2]}
    text = "Aces stays at table 5, but sits at table 2 in game 1."
    assert text in impact_of(partial(act, (2, 1, 3, 4))).warnings
    round_ = act((2, 1, 3, 4))
    assert seats(round_) == {1: [3, 4], 2: [1, 2], 3: [5, 6], 4: [7, 8]}
    assert text in notes_of(round_)
    # A number that was given to others is theirs.
    assert seats(act((0, 5, 0, 0))) == {1: [1, 2], 2: [5, 6], 3: [7, 8], 5: [3, 4]}


def test_a_team_that_leaves_or_comes_moves_nobody_who_stays(eight: Event, dana: User) -> None:
    homes = {4: 3, 6: 12, 9: 20}
    stays(dana, eight, 4, 3)
    stays(dana, eight, 6, 12)
    draw_rounds(Actor(dana), eight, seed=7)
    start_round(Actor(dana), eight, 1)
    change_and_reseat(Actor(dana), eight, lambda: withdraw_team(Actor(dana), eight, 1, 1))
    change_and_reseat(Actor(dana), eight, lambda: add_team(Actor(dana), eight, RosterRow(name="Late", home=20)))
    for round_ in eight.rounds.filter(state="planned"):
        assert len(away(round_, homes)) == len([note for note in notes_of(round_) if "both stay" in note])


def test_a_late_team_waits_at_its_own_table_where_that_is_free(eight: Event, dana: User) -> None:
    withdraw_team(Actor(dana), eight, 8, 0)
    draw_rounds(Actor(dana), eight, seed=7)
    start_round(Actor(dana), eight, 1)
    late = add_team(Actor(dana), eight, RosterRow(name="Late Birds", players=("Al", "Bo"), home=11))
    assert seat_late(Actor(dana), eight, 1, late.number).table == 11


def test_a_swap_that_moves_a_team_says_so(eight: Event, dana: User, desk: Client) -> None:
    stays(dana, eight, 1, 2)
    [round_, *_] = draw_rounds(Actor(dana), eight, seed=7)
    start_round(Actor(dana), eight, 1)
    other = next(teams[0] for table, teams in seats(round_).items() if table != 2)
    typed = {"first": "1", "second": str(other), "reason": "wrong tables"}
    table = next(table for table, teams in seats(round_).items() if other in teams)
    text = f"Aces stays at table 2, but sits at table {table} in game 1."
    assert text in page_of(desk.post("/desk/eights/rounds/1/swaps/", typed))
    swap_teams(Actor(dana), eight, 1, 1, other, "wrong tables")
    assert text in notes_of(round_)
    swap_teams(Actor(dana), eight, 1, 1, other, "and back")
    assert text not in notes_of(round_)


def test_the_bracket_keeps_it(dana: User) -> None:
    event = make_event("Eights", dana, rounds_planned=1)
    make_teams(event, 8)
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0, 6)), (5, 6, win(0, 5)), (7, 8, win(0, 5, 1))])
    stays(dana, event, 3, 9)
    stays(dana, event, 7, 2)
    make_cut(Actor(dana), event, 4)
    for _ in range(2):
        round_ = start_playoff_round(Actor(dana), event)
        assert len(away(round_, {3: 9, 7: 2})) == len(notes_of(round_))
        for game in Game.objects.filter(round=round_):
            play_out(dana, game, Random(1))
        close_round(Actor(dana), event, round_.number)


@pytest.mark.parametrize("movement", ["moving", "round-robin", "swiss", "random", "winners-up"])
@pytest.mark.parametrize("homes", [{1: 4, 2: 1}, {3: 9, 4: 8, 5: 1, 6: 2}])
def test_an_evening_pairs_everybody_as_without_seats_that_stay(
    dana: User, movement: str, homes: dict[int, int]
) -> None:
    plain, own = (an_evening(dana, movement, given) for given in ({}, homes))
    assert [pairs(round_) for round_ in own] == [pairs(round_) for round_ in plain]
    for round_ in own:
        names = Team.objects.filter(event=round_.event, number__in=away(round_, homes)).values_list("name", flat=True)
        sentences = [note for note in notes_of(round_) if "both stay" in note]
        assert len(sentences) == len(names)
        assert all(any(f"so {name} moves" in text for text in sentences) for name in names)


def an_evening(dana: User, movement: str, homes: dict[int, int]) -> list[Round]:
    """Four games of nine teams, the lower number of every table winning; a team leaves after game 2."""
    event = make_event(f"Evening {len(homes)}", dana, movement=movement, seed=11, rounds_planned=4)
    make_teams(event, 9)
    for number, table in homes.items():
        stays(dana, event, number, table)
    for number in range(1, 5):
        if not event.rounds.filter(number=number).exists():
            draw_rounds(Actor(dana), event, seed=11)
        start_round(Actor(dana), event, number)
        for game in Game.objects.filter(round__event=event, round__number=number).order_by("pk"):
            teams = [side.team.number for side in game.sides.select_related("team")]
            play(dana, game, *win(teams.index(min(teams))))
        close_round(Actor(dana), event, number)
        if number == 2:
            change_and_reseat(Actor(dana), event, partial(withdraw_team, Actor(dana), event, 8, 2))
        if number == 3:
            # The order of the draw goes with the event file.
            event = import_event(Actor(dana), json.loads(json.dumps(export_event(fresh(event)))))
    return list(event.rounds.order_by("number"))


def test_file_and_copy_carry_it(eight: Event, dana: User) -> None:
    stays(dana, eight, 2, 7)
    stays(dana, eight, 3, 1)
    draw_rounds(Actor(dana), eight, seed=7)
    file = export_event(eight)
    again = import_event(Actor(dana), file)
    assert told(again)["Team"] == told(eight)["Team"]
    assert [seats(round_) for round_ in again.rounds.all()] == [seats(round_) for round_ in eight.rounds.all()]
    copy = copy_event(Actor(dana), eight, name="Next", date=eight.date, with_teams=True)
    assert list(copy.teams.exclude(home=None).values_list("number", "home")) == [(2, 7), (3, 1)]
    refused = refusal_of(lambda: import_event(Actor(dana), changed(file, Team, 4, home=7)), ValidationFailed)
    assert refused.texts == ("Team 4: the database refuses it (one home per table).",)
