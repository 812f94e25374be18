"""Where everybody plays alone nobody reads of teams; the playoffs are games of two, from the cut to a champion."""

from __future__ import annotations

import html
import io
import re
from datetime import timedelta
from random import Random

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from tests.factories import make_event
from tests.remembered import remembered
from tests.sure import sure
from tests.tournament.games.play import play_out
from tests.tournament.results.evenings import bracket_of
from tournament.access import Actor
from tournament.models import Event, Game, Round
from tournament.queries.attention import needs_of
from tournament.queries.desk import desk_round
from tournament.queries.places import final_places
from tournament.queries.roster import RosterRow
from tournament.queries.rules import ruleset_of
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
PUBLIC = ("", "schedule/", "teams/", "teams/1/", "bracket/", "pictures/", "rules/", "corrections/", "board/")
PAPERS = ("standings", "bracket", "rulings", "corrections", "cash", "receipts", "slips", "poster", "book")
LISTS = (
    "standings", "cross-table", "teams", "games", "hands", "rounds", "bracket", "pot", "rulings", "corrections",
    "money",
)  # fmt: skip


@remembered
def evening(dana: User, **fields: object) -> Event:
    """Six players, two tables of three, one round of two deals drawn."""
    event = make_event("Solo Open", dana, sheet="back_alley/individual", rounds_planned=1, fee_cents=1000, **fields)
    event.pot_cents, event.options, event.movement = 500, {"deals": 2}, "random"
    event.save()
    rows = [RosterRow(at, None, name, (name,), paid=at < 4, in_pot=True) for at, name in enumerate(NAMES, start=2)]
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
    make_cut(Actor(dana), event, 4, third_place=True)
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
    assert [len(place) for place in final_places(event).groups] == [1] * 6


@pytest.mark.long
def test_no_page_of_single_players_speaks_of_a_team(dana: User) -> None:
    event, client = evening(dana), Client()
    client.force_login(dana)
    found = {**said_on(client, event, "drawn")}
    start_round(Actor(dana), event, 1)
    game = sure(event.rounds.get(number=1).games.first())
    call_director(Actor(), game, "renege")
    found |= said_on(client, event, "in play")
    play_round(dana, event, event.rounds.get(number=1))
    make_cut(Actor(dana), event, 4)
    found |= said_on(client, event, "cut")
    for _ in range(2):
        play_round(dana, event, start_playoff_round(Actor(dana), event))
    found |= said_on(client, event, "champion")
    assert found == {}


def said_on(client: Client, event: Event, when: str) -> dict[str, list[str]]:
    desk, public = f"/desk/{event.slug}/", f"/e/{event.slug}/"
    pages = [desk + page for page in DESK] + [public + page for page in PUBLIC]
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
    found = {
        f"{when} {page}": [line.strip() for line in text.splitlines() if TEAM.search(line)]
        for page, text in texts.items()
    }
    return {page: lines for page, lines in found.items() if lines}


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
