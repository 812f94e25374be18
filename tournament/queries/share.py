"""What a shared link says of an event, in words and in one picture: never more than a stranger may see."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from tournament.access import NOBODY
from tournament.models import Event
from tournament.phrases import day
from tournament.queries.finale import shown_finale
from tournament.queries.places import FinalPlaces, Step
from tournament.queries.rules import ruleset_of
from tournament.queries.visibility import visibility


@dataclass(frozen=True, slots=True)
class Share:
    """An event as it is shared. `word` stands over the `name`: “Champions” over theirs, or the game over the event's.

    `players` and `by` stand under it; `steps` are those of the podium, none before there is a champion.
    """

    event: str
    under: str
    word: str
    name: str
    players: str
    by: str
    steps: tuple[Step, ...]

    @property
    def title(self) -> str:
        """“Night Owls won the Autumn Open”, or the name of the event."""
        return f"{self.name} won {self.event}" if self.steps else self.event

    @property
    def description(self) -> str:
        """“Nell Gaines and Otis Reed. Won the final 7–3 against Aces. 24 teams · November 21, 2026”."""
        said = (self.players, self.by) if self.steps else (self.word,)
        return ". ".join(part for part in (*said, self.under) if part)

    @property
    def code(self) -> str:
        """The fingerprint of all that is shown: the same code, the same picture."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


def share(event: Event) -> Share:
    places = shown_finale(event, visibility(event, NOBODY)).places
    rules = ruleset_of(event)
    teams = event.teams.count()
    entered = f"{teams} {rules.unit}{'' if teams == 1 else 's'}" if teams else ""
    under = " · ".join(part for part in (entered, day(event.date), event.place) if part)
    if places.champion is None:
        return Share(event.name, under, rules.game.title, event.name, "", "", ())
    return _won(event, under, places)


def _won(event: Event, under: str, places: FinalPlaces) -> Share:
    first = places.champion
    assert first is not None
    players = " and ".join(first.players)
    return Share(event.name, under, places.title, first.team, players, places.won_by, places.podium)
