"""The hall's projector: seating of the round in play or next, the clock, standings, bracket and pot, in pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from tournament.models import Event
from tournament.phrases import ON_HOLD, VOID
from tournament.queries.bracket import BracketFacts, bracket
from tournament.queries.clocks import RoundTimes, minutes_of, rings_at, round_times
from tournament.queries.decisions import with_holds
from tournament.queries.places import PlaceLine
from tournament.queries.playoffs import Finale, shown_finale
from tournament.queries.records import PotFacts, pot
from tournament.queries.rules import Visibility, ruleset_of
from tournament.queries.schedule import RoundCard, Seat, Table, current_round, shown_round
from tournament.queries.season import SeasonLine, season_facts
from tournament.queries.season_events import around
from tournament.queries.standings import Standings, StandingsLine, full_standings

SHOWN_POT = ("setup", "playing")
# What is read from the back of a hall: so many lines fit a screen of 1080 lines.
LINES, TABLES, PLACES, NAMES, SEASON = 13, 13, 10, 24, 8
# So few stand under each other, in large type; where there are more, somebody has to look for a name.
FEW, FEW_TABLES = 8, 4
# What the projector shows of the end of an event.
END = ("champion", "places", "evening")
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Slide:
    """One screen: `kind` is champion, places, evening, main (standings and seating), find, bracket, pot, season, empty.

    Of a season the first `season` lines are shown.
    """

    kind: str
    title: str
    lines: tuple[StandingsLine, ...] = ()
    tables: tuple[Table, ...] = ()
    byes: tuple[Seat, ...] = ()
    note: str = ""
    places: tuple[PlaceLine, ...] = ()
    names: tuple[tuple[str, int, int], ...] = ()
    season: tuple[SeasonLine, ...] = ()

    @property
    def is_stacked(self) -> bool:
        """Whether standings and seating have room under each other."""
        return len(self.lines) <= FEW and sum(-(-len(table.seats) // 2) for table in self.tables) <= FEW_TABLES


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """Everything on the projector. `ends_at` is None where a round has no end; times are in UTC."""

    slides: tuple[Slide, ...]
    table: Standings
    card: RoundCard | None
    heading: str
    started_at: datetime | None
    ends_at: datetime | None
    times: RoundTimes | None
    drawn: BracketFacts | None
    pot: PotFacts
    advance: str
    finale: Finale

    @property
    def state(self) -> str:
        """How far the event is; nothing at its end, which has slides of its own."""
        return "" if self.finale.exists else " · ".join(filter(None, (self.table.state, self.advance)))

    @property
    def clock_word(self) -> str:
        if self.ends_at:
            return "Time left"
        if self.times and self.times.paused:
            return "Clock"
        return "Played" if self.started_at else "Time of day"


def board(event: Event, table: Standings, seen: Visibility) -> BoardFacts:
    """The projector as anybody in the hall may see it."""
    rounds = list(event.rounds.order_by("number"))
    chosen = current_round(rounds)
    card = next(iter(with_holds(event, [shown_round(event, chosen, seen)] if chosen else [])), None)
    whole = full_standings(event)
    drawn = bracket(event, whole)
    end = shown_finale(event, seen)
    stakes = pot(event, seen, table.books)
    running = chosen if chosen and chosen.state == "running" else None
    minutes = minutes_of(running, ruleset_of(event, running).rules) if running else None
    return BoardFacts(
        slides=_slides(event, table, card, drawn, stakes, end),
        table=table,
        card=card,
        heading=_heading(card),
        started_at=running.started_at if running else None,
        ends_at=rings_at(running, minutes) if running else None,
        times=round_times(running, minutes) if running else None,
        drawn=drawn,
        pot=stakes,
        advance=_advance(event) if table.books.total else "",
        finale=end,
    )


def _advance(event: Event) -> str:
    """Who goes on, as it was set up."""
    if event.no_playoffs:
        return "no playoffs: first place is the champion"
    return f"top {event.cut} advance" if event.cut else ""


def _slides(
    event: Event,
    table: Standings,
    card: RoundCard | None,
    drawn: BracketFacts | None,
    stakes: PotFacts,
    end: Finale,
) -> tuple[Slide, ...]:
    lines = _pages(table.lines, LINES) if table.books.counted else []
    tables: list[tuple[Table, ...]] = []
    # A closed round needs no seating: its results are in the standings.
    if card and card.state != "closed":
        # Two stand beside each other: a table of three or four takes two lines, one of five or six three.
        most = max((len(table.seats) for table in card.tables), default=2)
        tables = _pages(tuple(table for table in card.tables if table.state != VOID), TABLES // -(-most // 2))
    slides = _end_slides(end)
    count = max(len(lines), len(tables))
    for index in range(count):
        page = tables[index % len(tables)] if tables else ()
        shown = lines[index % len(lines)] if lines else ()
        title = f"{index % len(lines) + 1} of {len(lines)}" if len(lines) > 1 else ""
        slides.append(Slide("main", title, shown, page, card.byes if card and tables else (), table.hidden))
    if card and len(card.tables) > FEW_TABLES and tables:
        pages = _pages(_by_name(card), NAMES)
        slides += [Slide("find", _page_title(index, pages), names=page) for index, page in enumerate(pages)]
    if drawn is not None:
        slides.append(Slide("bracket", "Playoffs"))
    if stakes.exists and (event.stage in SHOWN_POT or event.board_shows == "pot"):
        slides.append(Slide("pot", "Boston pot"))
    for season in around(event.season):
        if top := season_facts(season).lines[:SEASON]:
            slides.append(Slide("season", season.name, season=top))
    chosen = _chosen(event.board_shows, slides, lines, tables, card, table.hidden)
    return chosen or tuple(slides) or (Slide("empty", "", note=table.hidden or "Nothing is drawn yet."),)


def _by_name(card: RoundCard) -> tuple[tuple[str, int, int], ...]:
    """Every team by name, with its number and its table."""
    seats = ((seat.team, seat.number, table.table) for table in card.tables for seat in table.seats)
    return tuple(sorted(seats, key=lambda seat: (seat[0].casefold(), seat[1])))


def _end_slides(end: Finale) -> list[Slide]:
    """The podium, every place, the evening in a few facts."""
    if not end.exists:
        return []
    pages = _pages(end.places.lines, PLACES)
    places = [Slide("places", _page_title(index, pages), places=page) for index, page in enumerate(pages)]
    return [Slide("champion", ""), *places, *([Slide("evening", "")] if end.facts else [])]


def _chosen(
    section: str,
    slides: list[Slide],
    lines: list[tuple[StandingsLine, ...]],
    tables: list[tuple[Table, ...]],
    card: RoundCard | None,
    hidden: str,
) -> tuple[Slide, ...]:
    """The section that the desk has put on the board. One that has nothing to show leaves everything in turn."""
    if section == "standings":
        return tuple(Slide("main", _page_title(index, lines), line, (), (), hidden) for index, line in enumerate(lines))
    if section == "seating" and card is not None:
        return tuple(
            Slide("main", _page_title(index, tables), (), table, card.byes) for index, table in enumerate(tables)
        )
    kinds = END if section == "champion" else (section,)
    return tuple(slide for slide in slides if slide.kind in kinds)


def _page_title(index: int, pages: list[tuple[Item, ...]]) -> str:
    return f"{index + 1} of {len(pages)}" if len(pages) > 1 else ""


def _pages(items: tuple[Item, ...], size: int) -> list[tuple[Item, ...]]:
    """Pages of nearly the same length, so that the last one is not a single line."""
    if not items:
        return []
    count = -(-len(items) // size)
    each = -(-len(items) // count)
    return [items[start : start + each] for start in range(0, len(items), each)]


def _heading(card: RoundCard | None) -> str:
    if card is None:
        return ""
    heading = {"running": f"{card.title}: in play", "planned": f"Next: {card.title}"}.get(card.state, card.title)
    return f"{card.title}. {ON_HOLD}" if any(table.on_hold for table in card.tables) else heading
