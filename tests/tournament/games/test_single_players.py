"""Where everybody plays alone nobody reads of teams; the playoffs are games of two, from the cut to a champion."""

from __future__ import annotations

import html
import io
import re
from collections import Counter
from datetime import timedelta
from itertools import combinations
from random import Random

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from tests.factories import draw_by_hand, make_event, page_of, signed_in
from tests.public import addresses_in
from tests.quick import remembered
from tests.sure import sure
from tests.tournament.games.play import play_out, set_up
from tests.tournament.results.evenings import bracket_of
from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.models import Event, Game, Round
from tournament.pairing.bracket import Form, Losers
from tournament.queries.desk import desk_round
from tournament.queries.draws import draw_overview, movement_words
from tournament.queries.final_places import final_places
from tournament.queries.roster import RosterRow
from tournament.queries.rules import ruleset_of
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.todo import needs_of
from tournament.queries.todo_next import checklist
from tournament.services.draws import draw_rounds
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import call_director, close_round, seat_side, start_round
from tournament.services.teams import enter_roster

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")
TEAM = re.compile(r"\bteams?\b", re.IGNORECASE)
# Names of the site's own making are no words that a player reads.
CODE = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
ATTRIBUTES = re.compile(r"""(?:placeholder|aria-label|title|alt|data-label|data-head)="([^"]*)\"""")
DESK = (
    "", "teams/", "teams/1/", "roster/", "draw/", "draw/1/by-hand/", "standings/", "pot/", "playoffs/", "rulings/",
    "tablets/", "papers/", "papers/boards/", "log/", "setup/", "setup/options/", "verify/", "money/", "money/teams/1/",
    "money/receipts/1/reversal/", "rounds/1/swaps/",
)  # fmt: skip
PAPERS = ("standings", "bracket", "rulings", "corrections", "cash", "receipts", "slips", "poster", "book")
LISTS = (
    "standings", "cross-table", "teams", "games", "games-by-table", "hands", "rounds", "bracket", "pot", "rulings",
    "corrections", "money",
)  # fmt: skip


@remembered
def evening(dana: User, **fields: object) -> Event:
    """Six players, two tables of three, one round of two deals drawn."""
    event = make_event("Solo Open", dana, sheet="back_alley/individual", rounds_planned=1, fee_cents=1000, **fields)
    event.pot_cents, event.options, event.movement = 500, {"deals": 2}, "random"
    event.save()
    rows = [
        RosterRow(row=index, name=name, players=(name,), paid=index < 4, in_pot=True)
        for index, name in enumerate(NAMES, start=2)
    ]
    enter_roster(Actor(dana), event, rows)
    draw_rounds(Actor(dana), event)
    return event


def play_round(dana: User, event: Event, round_: Round) -> None:
    chance = Random(round_.number)
    for game in round_.games.order_by("table"):
        play_out(dana, game, chance)
    close_round(Actor(dana), event, round_.number)


def to_the_champion(dana: User, event: Event) -> None:
    """One qualifying round, a cut to four, semifinals, final, the end."""
    start_round(Actor(dana), event, 1)
    play_round(dana, event, event.rounds.get(number=1))
    make_cut(Actor(dana), event, 4, form=Form(Losers.PLACES, 4))
    for _ in range(2):
        play_round(dana, event, start_playoff_round(Actor(dana), event))
    finish_event(Actor(dana), event)
    event.refresh_from_db()


def test_four_players_play_to_a_champion_two_at_a_table(dana: User) -> None:
    event = evening(dana)
    to_the_champion(dana, event)
    games = Game.objects.filter(round__stage="playoff").order_by("round__number", "table")
    assert [game.sides.count() for game in games] == [2, 2, 2, 2]
    drawn = bracket_of(event)
    assert drawn.champion in NAMES
    assert f"Champion: {drawn.champion}" in page_of(signed_in(dana).get(f"/desk/{event.slug}/playoffs/"))
    assert [len(line) for line in final_places(event).groups] == [1] * 6


@pytest.mark.long
def test_no_page_of_single_players_speaks_of_a_team(dana: User) -> None:
    event, client = evening(dana), signed_in(dana)
    sentences = {**said_on(client, event, "drawn")}
    start_round(Actor(dana), event, 1)
    call_director(Actor(), sure(event.rounds.get(number=1).games.first()), "renege")
    sentences |= said_on(client, event, "in play")
    play_round(dana, event, event.rounds.get(number=1))
    make_cut(Actor(dana), event, 4)
    sentences |= said_on(client, event, "cut")
    for _ in range(2):
        play_round(dana, event, start_playoff_round(Actor(dana), event))
    sentences |= said_on(client, event, "champion")
    assert sentences == {}


def said_on(client: Client, event: Event, when: str) -> dict[str, list[str]]:
    desk, public = f"/desk/{event.slug}/", f"/e/{event.slug}/"
    pages = [desk + page for page in DESK] + list(addresses_in(event).values())
    for game in Game.objects.filter(round__event=event):
        pages += [f"{desk}games/{game.pk}/", f"{public}games/{game.pk}/", f"{desk}games/{game.pk}/rulings/"]
    answers = {page: client.get(page) for page in pages}
    # Not every page is there at every time: no bracket to swap in, no receipt before the first payment.
    lost = {page: answer.status_code for page, answer in answers.items() if answer.status_code != 200}
    assert set(lost) <= {f"{desk}rounds/1/swaps/", f"{desk}draw/1/by-hand/"}, (when, lost)
    texts = {page: html.unescape(answer.content.decode()) for page, answer in answers.items()}
    texts = {page: "\n".join([CODE.sub("\n", text), *ATTRIBUTES.findall(text)]) for page, text in texts.items()}
    texts |= {name: client.get(f"{desk}papers/{name}.csv").content.decode() for name in LISTS}
    texts |= {
        name: "\n".join(
            page.extract_text() for page in PdfReader(io.BytesIO(client.get(f"{desk}papers/{name}.pdf").content)).pages
        )
        for name in (f"{paper}" for paper in PAPERS)
    }
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{desk}papers/workbook.xlsx").content))
    texts["workbook"] = "\n".join(
        str(cell.value) for page in book for row in page.iter_rows() for cell in row if isinstance(cell.value, str)
    ) + "\n".join(book.sheetnames)
    sentences = {
        f"{when} {page}": [line.strip() for line in text.splitlines() if TEAM.search(line)]
        for page, text in texts.items()
    }
    return {page: lines for page, lines in sentences.items() if lines}


def test_a_player_who_is_late_at_a_table_of_three_is_for_the_director_to_decide_about(dana: User) -> None:
    event = evening(dana)
    round_ = start_round(Actor(dana), event, 1)
    Round.objects.update(started_at=timezone.now() - timedelta(minutes=9))
    for game in round_.games.all():
        for side in game.sides.all()[:2]:
            seat_side(Actor(), game, side.index)
    needs = [
        (need.words, need.query)
        for need in needs_of(event, sure(desk_round(event, 1)), ruleset_of(event))
        if need.link == "award"
    ]
    assert needs == [("Make a ruling", "rule=late")] * 2


# Single players at tables of three to five: sizes, byes, different opponents, and who leaves in between.
INDIVIDUAL = "back_alley/individual"


def sizes(event: Event) -> list[tuple[int, ...]]:
    """The sizes of the tables, and at the end how many sit out, round by round."""
    return [
        (*(len(table.teams) for table in round_.tables), -len(round_.byes)) for round_ in draw_overview(event).rounds
    ]


@pytest.mark.parametrize(
    ("players", "tables", "sentence"),
    [
        (3, (3, 0), "3 players"),
        (4, (4, 0), "4 players"),
        (5, (4, -1), "5 players: one player sits out each game"),
        (6, (3, 3, 0), "6 players"),
        (7, (4, 3, 0), "7 players"),
        (11, (4, 4, 3, 0), "11 players"),
    ],
)
def test_every_number_of_players_finds_tables(dana: User, players: int, tables: tuple[int, ...], sentence: str) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, players)
    draw_rounds(Actor(dana), event, seed=1)
    assert sizes(event) == [tables, tables]
    assert sentence in [item.text for item in checklist(event).items]
    assert movement_words(event) == "Everybody meets different players"


@pytest.mark.parametrize(("players", "most"), [(12, 2), (20, 1)])
def test_players_meet_as_many_others_as_they_can(dana: User, players: int, most: int) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, players, rounds=3)
    draw_rounds(Actor(dana), event, seed=1)
    tables = [table.teams for round_ in draw_overview(event).rounds for table in round_.tables]
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert (len(tables), max(met.values())) == (3 * players // 4, most)


@pytest.mark.parametrize(
    ("options", "sides", "tables", "sentence"),
    [
        ({"players": 6, "sides": 3}, 6, (3, 3, 0), "6 teams"),
        ({"players": 6, "sides": 3}, 7, (3, 3, -1), "7 teams: one team sits out each game"),
        ({"players": 6}, 4, (2, 2, 0), "4 teams"),
        ({"sides": 4}, 7, (4, 3, 0), "7 players"),
        ({"players": 5}, 10, (5, 5, 0), "10 players"),
    ],
)
def test_sides_at_a_table_are_chosen_for_the_event(
    dana: User, options: dict[str, int], sides: int, tables: tuple[int, ...], sentence: str
) -> None:
    event = set_up(Actor(dana), "back_alley/partnership", sides, options=options)
    draw_rounds(Actor(dana), event, seed=1)
    assert sizes(event) == [tables, tables]
    assert sentence in [item.text for item in checklist(event).items]


@pytest.mark.parametrize(("options", "places"), [({"players": 6, "sides": 3}, 2), ({"players": 6}, 3)])
def test_six_players_sit_one_of_each_side_after_the_other(dana: User, options: dict[str, int], places: int) -> None:
    sides = 6 // places
    event = set_up(Actor(dana), "back_alley/partnership", sides, options=options)
    draw_rounds(Actor(dana), event, seed=1)
    start_round(Actor(dana), event, 1)
    sheet = game_sheet(sheet_games().get(round__event=event, round__number=1))
    assert {team.players.count() for team in event.teams.all()} == {places}
    assert [seat.side for seat in sheet.seats] == [*range(sides)] * places
    assert len({seat.name for seat in sheet.seats}) == 6


def test_two_players_are_too_few(dana: User) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, 2)
    with pytest.raises(ValidationFailed, match="At least 3 players are needed; 2 can be drawn"):
        draw_rounds(Actor(dana), event)


def test_tables_of_two_sizes_may_be_drawn_by_hand(dana: User) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, 7)
    draw_by_hand(Actor(dana), event, 1, ((1, 2, 3), (4, 5, 6, 7)))
    assert sizes(event) == [(3, 4, 0)]
    with pytest.raises(ValidationFailed, match=r"Table 1 has 5 instead of 2 or 3 or 4"):
        draw_by_hand(Actor(dana), event, 1, ((1, 2, 3, 4, 5), (6, 7)))


def test_a_table_of_four_plays_on_without_the_one_who_left(dana: User) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, 4)
    draw_rounds(Actor(dana), event, seed=1)
    event.teams.filter(number=2).update(status="left", left_after=0)
    start_round(Actor(dana), event, 1)
    game = Game.objects.get(round__event=event, round__number=1)
    assert [(side.index, side.team.number == 2) for side in game.sides.all()] == [(0, False), (1, False), (2, False)]
    assert (game.state, game.result.scores) == ("playing", [0, 0, 0])
