"""The whole event as plain data: what the workbook, the printed book and the lists are made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tournament.models import Event, Official
from tournament.queries.cash import Cash
from tournament.queries.officials import officials_named
from tournament.queries.registration import RegisteredTeam, registration
from tournament.queries.rules import ruleset_of
from tournament.queries.sheet import GameSheet, game_sheet, sheet_games
from tournament.queries.standings import Standings, standings

CHUNK = 200


@dataclass(frozen=True, slots=True)
class EventFacts:
    """An event with its rule sheet in words; `options` are (group, title, words, whether the club chose it)."""

    name: str
    slug: str
    date: date
    place: str
    time_zone: str
    paper: str
    currency: str
    stage: str
    sheet_key: str
    sheet_title: str
    game: str
    sides: int
    unit: str
    rounds: int
    fee_cents: int
    pot_cents: int
    options: tuple[tuple[str, str, str, bool], ...]
    officials: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class EventBook:
    """Everything that is printed of an event, except its sheets: those are read one by one with `event_sheets`."""

    event: EventFacts
    teams: tuple[RegisteredTeam, ...]
    standings: Standings


def event_book(event: Event, books: Cash | None = None) -> EventBook:
    """The event's facts, teams and standings, in a constant number of queries."""
    return EventBook(event_facts(event), registration(event, books).teams, standings(event))


def event_facts(event: Event) -> EventFacts:
    """What stands at the head of every paper of the event."""
    rules, roles = ruleset_of(event), dict(Official.ROLES)
    return EventFacts(
        name=event.name,
        slug=event.slug,
        date=event.date,
        place=event.place,
        time_zone=event.time_zone,
        paper=event.paper,
        currency=event.currency,
        stage=event.get_stage_display(),
        sheet_key=rules.sheet.key,
        sheet_title=rules.sheet.title,
        game=rules.game.title,
        sides=rules.table_sizes[-1],
        unit=rules.unit,
        rounds=event.rounds_planned,
        fee_cents=event.fee_cents,
        pot_cents=event.pot_cents,
        options=tuple(
            (option.group, option.title, option.words, option.value != option.default) for option in rules.said
        ),
        officials=tuple((name, roles[role]) for name, role in officials_named(event)),
    )


def event_sheets(event: Event, *, rounds: list[int] | None = None, states: tuple[str, ...] = ()) -> Iterator[GameSheet]:
    """The sheets of an event's games in the order of a cut stack: by round, then table; read in portions."""
    games = sheet_games().filter(round__event=event).order_by("round__number", "table", "leg")
    if rounds is not None:
        games = games.filter(round__number__in=rounds)
    if states:
        games = games.filter(state__in=states)
    for game in games.iterator(chunk_size=CHUNK):
        yield game_sheet(game)
