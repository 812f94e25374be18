"""A game at the practice table: it lives in the page's own form, and nothing of it is ever stored."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Model
from django.utils import timezone

from scoring.ledger import Problem
from tournament.models import Entry, Event, Game, Player, Round, Side, Signature, Team
from tournament.phrases import DEALS_FIRST
from tournament.queries.rules import ruleset_at, ruleset_of
from tournament.queries.scored import NotPossible, begin, scored_game, sheet_code
from tournament.queries.sheet import game_sheet
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.tablet import DEALER, FINAL, PLAY, SIGN, TabletPage

DEFAULT_SHEET = "bid_whist/no-kitty-2021"
PLAYERS = ("Ann", "Cal", "Bea", "Dee", "Eva", "Finn")
TEAMS = ("Eagles", "Night Owls")
# Of the game document; rulings are the director's, and at this table there is none.
KINDS = ("hand", "void")


@dataclass(frozen=True, slots=True)
class Practice:
    """What the form carries: the sheet, who deals first (None until somebody is named), the lines, who has signed."""

    sheet: str = DEFAULT_SHEET
    dealer: int | None = None
    entries: tuple[dict[str, Any], ...] = ()
    signed: tuple[tuple[int, str], ...] = ()

    def document(self) -> str:
        said = {"sheet": self.sheet, "dealer": self.dealer, "entries": self.entries, "signed": self.signed}
        return json.dumps(said, separators=(",", ":"))

    def with_entry(self, facts: dict[str, Any]) -> Practice:
        """The same with one line more; an earlier signature stands no longer."""
        return replace(self, entries=(*self.entries, facts), signed=())

    def without_last(self) -> Practice:
        return replace(self, entries=self.entries[:-1], signed=())

    def dealt_by(self, seat: int) -> Practice:
        return replace(self, dealer=seat)

    def signed_by(self, side: int, name: str) -> Practice:
        return replace(self, signed=(*((at, who) for at, who in self.signed if at != side), (side, name)))


def practice_game(practice: Practice) -> Game:
    """The practice game as the rows that would be stored if it were a real one."""
    now = timezone.now()
    event = Event(pk=0, name="Practice", date=now.date(), sheet=practice.sheet, time_zone="UTC")
    round_ = Round(pk=0, event=event, number=1, state="running", title="Practice")
    game = Game(pk=0, round=round_, state="playing", table=0, first_dealer=practice.dealer or 0, begun_at=now)
    sides = [Side(game=game, round=round_, index=i, team=_team(event, i), seated_at=now) for i in range(_sides(event))]
    entries = [_entry(game, position, facts) for position, facts in enumerate(practice.entries, start=1)]

    _fetched(game, sides=sides, entries=entries, calls=[], verifications=[])
    code = sheet_code(game, scored_game(game))
    signatures = [Signature(side=at, game=game, name=name, code=code, signed_at=now) for at, name in practice.signed]
    _fetched(game, signatures=signatures)
    return game


def practice_page(practice: Practice) -> TabletPage:
    game = practice_game(practice)
    event, sheet = game.round.event, game_sheet(game)
    rules = ruleset_of(event)
    return TabletPage(
        event=event,
        table=0,
        phase=_phase(practice, sheet),
        sheet=sheet,
        first_dealer_is=DEALS_FIRST.get(rules.rules.first_dealer, ""),
        chosen_dealer=sheet.seats[0].name,
    )


def with_hand(practice: Practice, facts: dict[str, Any]) -> Practice:
    """The same with one line more, a hand with its dealer."""
    return practice.with_entry(scored_game(practice_game(practice)).dealt(facts))


def practice_problems(practice: Practice) -> tuple[Problem, ...]:
    """Why the lines of a practice game cannot stand as they are; empty where they can."""
    game = practice_game(replace(practice, entries=(), signed=()))
    scored = begin(ruleset_at(game), game.first_dealer)
    try:
        for facts in practice.entries:
            scored = scored.with_line(scored.next_position, facts)
    except NotPossible as refusal:
        return refusal.problems
    return ()


def _phase(practice: Practice, sheet: GameSheet) -> str:
    if sheet.over:
        return SIGN if sheet.unsigned else FINAL
    return PLAY if practice.dealer is not None else DEALER


def _sides(event: Event) -> int:
    return ruleset_of(event).seating.sides


def _team(event: Event, index: int) -> Team:
    """Two players of a partnership sit across from each other; alone, a player is the team."""
    rules = ruleset_of(event)
    names = PLAYERS[index : rules.seating.seats : rules.seating.sides]
    team = Team(pk=index + 1, event=event, number=index + 1, name=names[0] if rules.singles else TEAMS[index])
    players = [Player(pk=at + 1, team=team, position=at, name=name) for at, name in enumerate(names)]
    _fetched(team, players=players, substitutions=[])
    return team


def _fetched(row: Model, **rows: Sequence[Model]) -> None:
    """Keep rows as `sheet_games()` would have fetched them."""
    row.__dict__.setdefault("_prefetched_objects_cache", {}).update(rows)


def _entry(game: Game, position: int, facts: dict[str, Any]) -> Entry:
    key = uuid.uuid5(uuid.NAMESPACE_OID, str(position))
    stands = {"pk": position, "game": game, "position": position, "client_key": key}
    return Entry(kind=facts["entry"], facts=facts, source="table", **stands)
