"""The end of an event as everybody sees it: final places, the evening in four facts, prizes. One call for each page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournament.kept import Kept
from tournament.models import Event
from tournament.models.team import PRIZE
from tournament.queries.events import public_state_of
from tournament.queries.highlights import Fact, highlights
from tournament.queries.payouts import payouts
from tournament.queries.places import FinalPlaces, final_places
from tournament.queries.pot import pot
from tournament.queries.standings import Standings, full_standings
from tournament.queries.visibility import EVERYTHING, Visibility


@dataclass(frozen=True)
class Finale:
    """`prizes` are cents by team number, once they are due; facts and prizes wait until the standings are shown."""

    places: FinalPlaces
    facts: tuple[Fact, ...] = ()
    prizes: Mapping[int, int] = field(default_factory=dict)

    @property
    def exists(self) -> bool:
        """Whether there is a champion whom those who ask may see."""
        return bool(self.places.lines)


_kept: Kept[Finale] = Kept(64)


def shown_finale(event: Event, seen: Visibility) -> Finale:
    """The end of an event as those may see it who see this much, computed once for all of them."""
    if event.stage not in ("playoffs", "over"):
        return Finale(FinalPlaces())
    return _kept.get((public_state_of(event), seen), lambda: finale(event, full_standings(event), seen))


def finale(event: Event, table: Standings, seen: Visibility = EVERYTHING) -> Finale:
    """The end of an event, from its whole standings; without places until there is a champion."""
    places = final_places(event, seen, table)
    if not places.lines or not seen.closed:
        return Finale(places)
    stakes = pot(event, books=table.books) if table.bostons else None
    prizes = {one.number: one.cents for one in payouts(event).payees if one.purpose == PRIZE and one.cents}
    return Finale(places, highlights(event).facts(table.books.names, stakes), prizes if event.prizes else {})
