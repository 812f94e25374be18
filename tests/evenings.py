"""Whole evenings by chance, as short texts, and such a text written as the rows of an event.

A short text is what one types to describe an evening: `event`, `sheet`, `teams`, and `rounds` with their tables, each
with its two or more teams and a game document. `fixtures/golden/club-24/event.json` is one. What it leaves out is what
a new event has. Who left (`leaver`) is written as a team that plays.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tournament.access import Actor
from tournament.demo.hands import after, choose_hand
from tournament.models import Entry, Event, Game, Official, Result, Round, Side, Signature, Team
from tournament.models.team import BEFORE
from tournament.queries.roster import RosterRow
from tournament.queries.rules import printed_by, ruleset
from tournament.services.events import free_slug
from tournament.services.ledger import book_paid
from tournament.services.players import team_row, write_players
from tournament.services.signatures import refresh_results
from tournament.services.transactions import writing
from tournament.words.phrases import BY_IMPORT

SHEET = "bid_whist/no-kitty-2021"
OPTIONS = {"win_at": 100, "lose_at": -100, "set_limit": "none", "odd_scope": "one-bid"}
# A game of an evening has this many hands: neither points nor sets end it before.
HANDS = 9
# What SQLite takes of such rows in one statement.
BATCH = 500
# The settings of an event that a text can name, beside its name, its sheet and what its rounds tell.
SETTINGS = ("date", "place", "options", "rounds_planned", "movement", "seed", "fee_cents", "verify_own", "season")


def evening_text(teams: int, rounds: int = 6, seed: int = 7) -> dict[str, Any]:
    """A short text: every round played to its end by chance, nine hands a game, moving teams, all have paid."""
    chance = random.Random(seed)
    return {
        "event": f"Evening of {teams}",
        "sheet": SHEET,
        "options": OPTIONS,
        "rounds_planned": rounds,
        "teams": [
            {"number": number, "name": f"Team {number}", "players": [f"Ann {number}", f"Bea {number}"], "paid": True}
            for number in range(1, teams + 1)
        ],
        "rounds": round_texts(teams, rounds, lambda: hands_of_a_game(chance)),
    }


def round_texts(teams: int, rounds: int, play: Callable[[], Iterable[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Rounds of teams 1 to `teams`: the first half stays, the other half moves one table further each time.

    `play` gives the entries of a game.
    """
    half = teams // 2
    return [
        {
            "round": number,
            "tables": [
                {
                    "table": table + 1,
                    "teams": [table + 1, half + (table + number) % half + 1],
                    "game": {"entries": list(play())},
                }
                for table in range(half)
            ],
        }
        for number in range(1, rounds + 1)
    ]


def hands_of_a_game(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Hands by chance that end nothing, then a bid of 1 that is set."""
    rules = ruleset(SHEET, json.dumps(OPTIONS))
    carry = rules.game.begin(rules.rules)
    while carry.hands < HANDS - 1:
        facts = choose_hand(rules, carry, chance)
        then = after(rules, carry, facts)
        if then.verdict is None:
            yield facts
            carry = then
    yield {"entry": "hand", "seat": chance.randrange(4), "bid": "1", "books": chance.randrange(4, 7)}


def in_play(text: dict[str, Any]) -> dict[str, Any]:
    """The same evening with its last round half played."""
    last = text["rounds"][-1]
    tables = [
        table | {"game": {"entries": table["game"]["entries"][: 1 + table["table"] % 6]}} for table in last["tables"]
    ]
    return text | {"event": "In play", "rounds": [*text["rounds"][:-1], last | {"tables": tables}]}


def write_evening(text: Mapping[str, Any], director: User | None = None) -> Event:
    """Write the rows of a short text.

    A game that the rules end is signed for all its sides. A round is closed when all its games are over, in play when
    some are not.
    """
    event = _event_row(text)
    if director is not None:
        Official.objects.create(event=event, user=director, role="director")
    with writing(event) as locked:
        teams = _write_teams(locked, text["teams"])
        book_paid(Actor(director), locked, list(teams.values()), "Paid before", BEFORE)
        for round_ in text["rounds"]:
            _write_round(locked, round_, teams, director)
    event.refresh_from_db()
    return event


def _event_row(text: Mapping[str, Any]) -> Event:
    """Its first round has begun, so that it keeps the rules that its sheet prints today."""
    settings = {name: text[name] for name in SETTINGS if name in text}
    settings.setdefault("date", timezone.localdate())
    settings.setdefault("rounds_planned", len(text["rounds"]))
    return Event.objects.create(
        name=text["event"],
        slug=free_slug(text["event"]),
        sheet=text["sheet"],
        printed=printed_by(text["sheet"]),
        pot_cents=text.get("pot_per_team_cents", 0),
        stage="playing",
        frozen_at=timezone.now(),
        **settings,
    )


def _write_teams(event: Event, entered: Sequence[Mapping[str, Any]]) -> dict[int, Team]:
    """The teams by their numbers, with their players and the persons that these are."""
    rows = [
        RosterRow(
            row=0,
            number=team["number"],
            name=team["name"],
            players=tuple(team["players"]),
            city=team.get("city", ""),
            club=team.get("club", ""),
            paid=team.get("paid", False),
            in_pot=team.get("boston_pot", False),
        )
        for team in entered
    ]
    teams = Team.objects.bulk_create(team_row(event, row, joined_in=1) for row in rows)
    write_players(event, teams, rows)
    return {team.number: team for team in teams}


def _write_round(event: Event, text: Mapping[str, Any], teams: Mapping[int, Team], director: User | None) -> None:
    now = timezone.now()
    round_ = Round.objects.create(event=event, number=text["round"], state="running", started_at=now)
    games = _write_games(round_, text["tables"], teams)
    _write_entries(games, text["tables"], director)
    keys = [game.pk for game in games]
    refresh_results(event, keys)
    finished = list(Result.objects.filter(game__in=keys, over=True).values_list("game", "code"))
    _sign(finished, sides=len(text["tables"][0]["teams"]), witness=director)
    refresh_results(event, [game for game, _code in finished])
    if len(finished) == len(games):
        Round.objects.filter(pk=round_.pk).update(state="closed", closed_at=now)


def _write_games(round_: Round, tables: Sequence[Mapping[str, Any]], teams: Mapping[int, Team]) -> list[Game]:
    """The games of a round; where hands are written everybody has taken a seat."""
    now = timezone.now()
    games = [Game(round=round_, table=table["table"], state="playing") for table in tables]
    sides = []
    for game, table in zip(games, tables, strict=True):
        is_begun = bool(table["game"]["entries"])
        if is_begun:
            game.begun_at = game.last_entry_at = now
        sides += [
            Side(game=game, round=round_, index=index, team=teams[number], seated_at=now if is_begun else None)
            for index, number in enumerate(table["teams"])
        ]
    Game.objects.bulk_create(games, batch_size=BATCH)
    Side.objects.bulk_create(sides, batch_size=BATCH)
    return games


def _write_entries(games: Sequence[Game], tables: Sequence[Mapping[str, Any]], writer: User | None) -> None:
    entries = [
        Entry(
            game=game,
            position=position,
            kind=facts["entry"].replace("-", "_"),
            facts=facts,
            source="import",
            entered_by=writer,
        )
        for game, table in zip(games, tables, strict=True)
        for position, facts in enumerate(table["game"]["entries"], start=1)
    ]
    Entry.objects.bulk_create(entries, batch_size=BATCH)


def _sign(finished: Sequence[tuple[int, str]], sides: int, witness: User | None) -> None:
    """Sign these games, each a key with the code of its sheet, for all sides."""
    signatures = [
        Signature(
            game_id=game, side=side, code=code, name=BY_IMPORT, reason="Written from a short text", witness=witness
        )
        for game, code in finished
        for side in range(sides)
    ]
    Signature.objects.bulk_create(signatures, batch_size=BATCH)
