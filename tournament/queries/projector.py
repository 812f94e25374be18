"""The hall's projector: seating of the current or next round, the clock, standings, bracket, and pot.

`js/wall.js` measures what fits on a screen and splits each section into screens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from tournament.models import Event
from tournament.queries.bracket_facts import BracketFacts, BracketSection
from tournament.queries.clocks import RoundTimes, minutes_of, rings_at, round_times
from tournament.queries.decisions import shown_bracket, with_holds
from tournament.queries.final_places import PlaceLine
from tournament.queries.outlook import Field, Span, hall_outlook
from tournament.queries.playoffs import Finale, shown_finale
from tournament.queries.pot import PotFacts, pot
from tournament.queries.rules import Visibility, ruleset_of
from tournament.queries.schedule import RoundCard, Seat, Table, current_round, shown_round
from tournament.queries.season import SeasonLine, season_facts
from tournament.queries.season_events import around
from tournament.queries.standings import Standings, StandingsLine
from tournament.words.phrases import ON_HOLD, VOID

SHOWN_POT = ("setup", "playing")
# With more tables than this, people have to look for their names.
FEW_TABLES = 4
# This many of a season's lines are shown.
SEASON = 8
# What the projector shows at the end of an event.
END = ("champion", "places", "evening")


@dataclass(frozen=True, slots=True)
class Slide:
    """One section of the wall, on as many screens as it needs.

    `kind` is champion, places, evening, main (standings and seating), find, bracket, pot, season or empty. A bracket
    has a slide for each `section`; the first one has the `rules` of the playoffs.
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
    section: BracketSection | None = None
    rules: bool = False


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """Everything on the projector. `ends_at` is None if the round has no end; times are in UTC."""

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
    outlook: tuple[Span, ...]

    @property
    def state(self) -> str:
        """How far the event is; empty once it has ended, which has slides of its own."""
        return "" if self.finale.exists else " · ".join(filter(None, (self.table.state, self.advance)))

    @property
    def clock_word(self) -> str:
        if self.ends_at:
            return "Time left"
        if self.times and self.times.paused:
            return "Clock"
        return "Played" if self.started_at else "Time of day"


def board(event: Event, table: Standings, seen: Visibility) -> BoardFacts:
    """The projector as everybody in the hall may see it."""
    rounds = list(event.rounds.order_by("number"))
    chosen = current_round(rounds)
    card = next(iter(with_holds(event, [shown_round(event, chosen, seen)] if chosen else [])), None)
    drawn = shown_bracket(event)
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
        outlook=hall_outlook(event, Field(rounds, table.books.playing, card.tables if card else None), timezone.now()),
    )


def _advance(event: Event) -> str:
    """Who advances, as chosen in the setup."""
    if event.no_playoffs:
        return "no playoffs: first place is the champion"
    if not event.cut:
        return ""
    others = f", the next {event.second} play a second bracket" if event.second else ""
    return f"top {event.cut} advance{others}"


def _slides(
    event: Event,
    table: Standings,
    card: RoundCard | None,
    drawn: BracketFacts | None,
    stakes: PotFacts,
    end: Finale,
) -> tuple[Slide, ...]:
    slides = [*_end_slides(end), *_table_slides(table, card)]
    if drawn is not None:
        slides += _bracket_slides(drawn)
    if stakes.exists and (event.stage in SHOWN_POT or event.board_shows == "pot"):
        slides.append(Slide("pot", "Boston pot"))
    for season in around(event.season):
        top = season_facts(season).lines[:SEASON]
        if top:
            slides.append(Slide("season", season.name, season=top))
    if not slides:
        return (Slide("empty", "", note=table.hidden or "Nothing is drawn yet."),)
    # If the chosen section has nothing to show, everything is shown in turn.
    return _chosen(event.board_shows, slides) or tuple(slides)


def _bracket_slides(drawn: BracketFacts) -> list[Slide]:
    """The parts of the bracket in turn."""
    if drawn.has_one_section:
        return [Slide("bracket", "Playoffs", section=drawn.sections[0], rules=True)]
    slides = []
    for section in drawn.sections:
        is_first = section is drawn.sections[0]
        slides.append(Slide("bracket", section.part.title, section=section, rules=is_first))
    return slides


def _table_slides(table: Standings, card: RoundCard | None) -> list[Slide]:
    """Standings beside the seating, and a list of names if there are many tables."""
    lines = table.lines if table.books.counted else ()
    slides = []
    if card is None or card.state == "closed":
        # A closed round needs no seating: its results are in the standings.
        if lines:
            slides.append(Slide("main", "", lines=lines, note=table.hidden))
        return slides
    tables = tuple(each for each in card.tables if each.state != VOID)
    if lines or tables:
        byes = card.byes if tables else ()
        slides.append(Slide("main", "", lines=lines, tables=tables, byes=byes, note=table.hidden))
    if len(tables) > FEW_TABLES:
        slides.append(Slide("find", "", names=_by_name(card)))
    return slides


def _by_name(card: RoundCard) -> tuple[tuple[str, int, int], ...]:
    """Every team by name, with its number and its table."""
    seats = ((seat.team, seat.number, table.table) for table in card.tables for seat in table.seats)
    return tuple(sorted(seats, key=lambda seat: (seat[0].casefold(), seat[1])))


def _end_slides(end: Finale) -> list[Slide]:
    """The podium, every place, and the evening in a few facts."""
    if not end.exists:
        return []
    slides = [Slide("champion", ""), Slide("places", "", places=end.places.lines)]
    if end.facts:
        slides.append(Slide("evening", ""))
    return slides


def _chosen(section: str, slides: Sequence[Slide]) -> tuple[Slide, ...]:
    """The slides of the section that the desk put on the board; empty if it has nothing to show."""
    main = [slide for slide in slides if slide.kind == "main"]
    if section == "standings":
        return tuple(replace(slide, tables=(), byes=()) for slide in main if slide.lines)
    if section == "seating":
        seating = [replace(slide, lines=(), note="") for slide in main if slide.tables]
        find = [slide for slide in slides if slide.kind == "find"]
        return (*seating, *find)
    kinds = END if section == "champion" else (section,)
    return tuple(slide for slide in slides if slide.kind in kinds)


def _heading(card: RoundCard | None) -> str:
    if card is None:
        return ""
    heading = {"running": f"{card.title}: in play", "planned": f"Next: {card.title}"}.get(card.state, card.title)
    if any(table.on_hold for table in card.tables):
        return f"{card.title}. {ON_HOLD}"
    return heading
