"""Whole evenings for tests of paper and spreadsheets: club-24 as it was played, and random events of every game."""

from __future__ import annotations

import contextlib
import json
import uuid
from pathlib import Path
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tests.factories import make_event, make_round, make_teams
from tests.remembered import remembered
from tests.scoring.back_alley.games import random_document as back_alley_document
from tests.scoring.bid_whist.games import random_document as bid_whist_document
from tests.scoring.okinawa.games import deal_game as okinawa_entries
from tests.scoring.spades.games import deal_game as spades_entries
from tests.scoring.spades.naive import TABLES
from tournament.models import Entry, Event, Game, Player, Round, Signature, Team
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import NotPossible, begin
from tournament.services.signatures import refresh_results
from tournament.texts import name_key

CLUB_24 = Path(__file__).parents[3] / "fixtures" / "golden" / "club-24" / "event.json"
SHEETS = {
    "bid_whist": ("no-kitty-2021", "standard", "52-card", "boston-parr", "rhode-island", "hawaii", "marathon"),
    "spades": ("standard", "jokers", "new-york", "four-hand-tournament"),
    "back_alley": ("partnership", "individual", "oh-hell-18", "korean-war-26", "wild-cards", "high-two"),
    "okinawa": ("standard",),
}


@remembered
def club_24(director: User, **fields: Any) -> Event:
    """The 24-team evening: six games, every one signed."""
    data = json.loads(CLUB_24.read_text(encoding="utf-8"))
    event = make_event(data["event"], director, pot_cents=data["pot_per_team_cents"], place="Union Hall", **fields)
    teams = {row["number"]: _team(event, row) for row in data["teams"]}
    for row in data["rounds"]:
        tables = [table["teams"] for table in row["tables"]]
        pairs = [tuple(teams[number] for number in table) for table in tables]
        round_ = make_round(event, pairs, row["round"])
        for game, table in zip(round_.games.order_by("table"), row["tables"], strict=True):
            write(director, game, table["game"]["entries"])
        finish(event, round_)
    return event


@remembered
def random_event(family: str, seed: int, director: User, *, teams: int = 4, rounds: int = 2, sheet: str = "") -> Event:
    """An event of a family of games: random legal entries, finished games signed."""
    chance = Random(f"{family} {seed}")
    sheet = sheet or chance.choice(SHEETS[family])
    event = make_event(
        f"{family} {seed}", director, slug=f"e-{family}-{seed}", sheet=f"{family}/{sheet}", rounds_planned=rounds
    )
    event.pot_cents, event.options = 500, {}
    if family == "bid_whist" and sheet == "no-kitty-2021" and chance.random() < 0.5:
        event.options = {"score_basis": chance.choice(("made", "bid")), "backdoor_scope": "any-hand"}
    event.save()
    sides = ruleset_of(event).seating.sides
    entered = make_teams(event, max(teams, 2 * sides))
    for number in range(1, rounds + 1):
        order = chance.sample(entered, len(entered))
        tables = [tuple(order[at : at + sides]) for at in range(0, len(order) - sides + 1, sides)]
        round_ = make_round(event, tables, number)
        for game in round_.games.order_by("table"):
            write(director, game, random_entries(chance, event))
        finish(event, round_)
    return event


def in_play(event: Event) -> Event:
    """Its games were broken off: the round is not closed."""
    event.rounds.update(state="running", closed_at=None)
    return event


def random_entries(chance: Random, event: Event) -> list[dict[str, Any]]:
    """The entries of one game by the event's sheet, as many of them as the rules take."""
    family, _, sheet = event.sheet.partition("/")
    sides = ruleset_of(event).seating.sides
    if family == "bid_whist":
        wanted = bid_whist_document(chance, sheet, wild=False)["entries"]
    elif family == "back_alley":
        document = back_alley_document(chance, sheet, {})
        while len(document["sides"]) != sides or document["opening"]["hands"]:
            document = back_alley_document(chance, sheet, {})
        wanted = document["entries"]
    elif family == "spades":
        wanted = spades_entries(chance, event.sheet, TABLES[event.sheet], (0, 0), 0)
    else:
        wanted = okinawa_entries(chance, {"fail_costs_bonus": False, "one_more": False})
    return wanted


def write(director: User, game: Game, entries: list[dict[str, Any]]) -> None:
    """Put entries on a sheet without the tablet, as far as the rules take them."""

    rules = ruleset_of(game.round.event)
    scored = begin(rules)
    with contextlib.suppress(NotPossible):
        for facts in entries:
            scored = scored.with_line(scored.next_position, facts)
    for position, facts in ((line.position, line.facts) for line in scored.lines):
        kind = facts["entry"].replace("-", "_")
        Entry.objects.create(
            game=game, position=position, kind=kind, facts=facts, source="table", entered_by=director,
            client_key=uuid.uuid4(),
        )  # fmt: skip


def finish(event: Event, round_: Round) -> None:
    """Compute the results, sign what is over, close the round."""
    games = list(round_.games.values_list("pk", flat=True))
    for result in refresh_results(event, games):
        if result.over:
            for side in result.game.sides.all():
                player = side.team.players.first()
                name = player.name if player else side.team.name
                Signature.objects.create(game=result.game, side=side.index, code=result.code, name=name)
    refresh_results(event, games)
    Round.objects.filter(pk=round_.pk).update(state="closed", closed_at=timezone.now())


def _team(event: Event, row: dict[str, Any]) -> Team:
    fields = {"number": row["number"], "name": row["name"], "key": name_key(row["name"]), "city": row["city"]}
    team = Team.objects.create(event=event, paid=row["paid"], in_pot=row["boston_pot"], **fields)
    for position, name in enumerate(row["players"]):
        Player.objects.create(team=team, position=position, name=name, key=name_key(name))
    return team
