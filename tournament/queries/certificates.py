"""The content of certificates: first, second, and third place, and the most Bostons."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from scoring.ledger import counted
from tournament.models import Event
from tournament.models.stored import shown_author
from tournament.pairing.final_places import WON_FINAL, WON_PART
from tournament.queries.final_places import STEPS, STILL_PLAYS, FinalPlaces, PlaceLine
from tournament.queries.playoffs import finale
from tournament.queries.pot import pot
from tournament.queries.rules import officials_named
from tournament.queries.standings import Standings, standings

# The name of each place below the first.
CALLED = {2: "Second place", 3: "Third place"}


@dataclass(frozen=True, slots=True)
class Certificate:
    """One page: for what, for whom, and how it was earned; `players` is empty if everybody plays alone."""

    title: str
    team: str
    players: tuple[str, ...]
    how: str


@dataclass(frozen=True, slots=True)
class Certificates:
    """The certificates of an event, in the order of handing out, and who signs them; none before there is a champion.

    `club` is empty if the site has no name of its own, `director` unless exactly one person runs the event.
    """

    club: str
    director: str
    pages: tuple[Certificate, ...]


def certificates(event: Event) -> Certificates:
    table = standings(event)
    places = finale(event, table).places
    directors = [name for name, role in officials_named(event, shown_author) if role == "director"]
    pages = (*_places(places), *_bostons(event, table, places)) if places.lines else ()
    return Certificates(settings.CLUB, directors[0] if len(directors) == 1 else "", pages)


def _places(places: FinalPlaces) -> list[Certificate]:
    """The podium; a place that is still undecided gets none."""
    placed = [line for line in places.lines if line.rank and line.rank <= STEPS and line.ending != STILL_PLAYS]
    return [Certificate(_title(places, line), line.team, line.players, _how(line)) for line in placed]


def _how(line: PlaceLine) -> str:
    """What was won: nobody who frames a second place wants to read that the final was lost."""
    return line.how if line.ending in (WON_FINAL, WON_PART) or not line.after_playoffs else ""


def _title(places: FinalPlaces, line: PlaceLine) -> str:
    title = CALLED.get(line.rank or 0, places.title)
    return f"Shared {title[0].lower()}{title[1:]}" if line.label.endswith("=") else title


def _bostons(event: Event, table: Standings, places: FinalPlaces) -> list[Certificate]:
    """Who made the most, in the games that the pot counts if there is one."""
    stakes = pot(event, books=table.books) if table.bostons else None
    if stakes is not None and stakes.exists:
        made = {team.number: team.bostons for team in stakes.teams}
    else:
        made = {line.number: line.bostons for line in table.lines if table.bostons}
    most, players = max(made.values(), default=0), {line.number: line.players for line in places.lines}
    how = counted(most, "Boston") + (f", {stakes.window}" if stakes is not None and stakes.exists else "")
    best = [number for number in sorted(made) if most and made[number] == most]
    return [Certificate("Most Bostons", table.books.names[number], players.get(number, ()), how) for number in best]
