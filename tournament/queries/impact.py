"""What a change of one game changes everywhere: the game, the standings, the pot, the cut, the bracket, the papers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

from tournament.models import Entry, Event, Game
from tournament.phrases import GAME_STATES, minus
from tournament.phrases import money as money_words
from tournament.queries.bracket import BracketFacts, bracket
from tournament.queries.draws import meeting_notes
from tournament.queries.papers import printed_sheets
from tournament.queries.pot import pot
from tournament.queries.scored import ScoredGame, scored_game, set_aside, sheet_code
from tournament.queries.sheet import sheet_now
from tournament.queries.sides import sides_with_teams
from tournament.queries.standings import Standings, standings
from tournament.queries.wording import how_words
from tournament.times import clock_time


class Change(NamedTuple):
    """One thing that changes: where it stands, what it is, and its words before and after."""

    place: str
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that hangs on the games of an event, in words, so that two pictures can be laid side by side."""

    game: Mapping[str, str]
    ranks: Mapping[str, str]
    pot: Mapping[str, str]
    cut: Mapping[str, str]
    playoffs: Mapping[str, str]
    papers: Mapping[str, str]
    meetings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Impact:
    """What a change does. `key` names exactly this list: who confirms it confirms no other."""

    changes: tuple[Change, ...]

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(self.changes).encode()).hexdigest()[:20]

    @property
    def groups(self) -> tuple[tuple[str, tuple[Change, ...]], ...]:
        """The changes by place, in the order of PLACES."""
        found = ((words, tuple(one for one in self.changes if one.place == words)) for words in PLACES.values())
        return tuple(group for group in found if group[1])


PLACES = {
    "game": "This game",
    "ranks": "Standings",
    "pot": "Boston pot",
    "cut": "Who advances",
    "playoffs": "Playoffs",
    "papers": "Printed sheets",
    "meetings": "Who meets whom",
}


class Told(NamedTuple):
    """A game that a change is about, with its sides: as it is scored, from all these entries."""

    game: Game
    scored: ScoredGame
    entries: Sequence[Entry]


def picture(event: Event, *games: int) -> Picture:
    """All of it as it stands now, computed anew: never from a cache. `games` are those that a change is about."""
    event = Event.objects.get(pk=event.pk)
    found = Game.objects.select_related("round__event").prefetch_related(sides_with_teams(), "entries").in_bulk(games)
    told = [Told(found[game], scored_game(found[game]), list(found[game].entries.all())) for game in games]
    meetings = {f"Round {number}": " ".join(map(str, notes)) or "–" for number, notes in meeting_notes(event).items()}
    return replace(picture_of(event, standings(event), told), meetings=meetings)


def picture_of(event: Event, table: Standings, sheets: Sequence[Told]) -> Picture:
    """The same from what is read already, for a change that seats nobody elsewhere."""
    drawn = bracket(event, table) if event.stage in ("playoffs", "over") else None
    money = pot(event, books=table.books) if event.pot_cents else None
    shares = {team.team: money_words(team.cents, money.currency) for team in money.teams if team.cents} if money else {}
    shown = {"The pot": money.text} if money and money.exists else {}
    return Picture(
        game={what: said for told in sheets for what, said in _game(told, len(sheets) > 1).items()},
        ranks={
            f"{line.number} {line.team}": f"place {line.label}, {line.won} won, {_points(line.points)}"
            + (f", {line.bostons} Boston{'s' if line.bostons > 1 else ''}" if line.bostons else "")
            for line in table.lines
        },
        pot=shown | shares,
        cut={line.team: line.chance_words for line in table.lines if line.chance},
        playoffs=_bracket(drawn) if drawn else {},
        papers=_papers(event, sheets),
        meetings={},
    )


def impact(before: Picture, after: Picture) -> Impact:
    """What differs between two pictures, in the order of the pictures."""
    changes = []
    for place, old in asdict(before).items():
        new = getattr(after, place)
        changes += [
            Change(PLACES[place], what, old.get(what, "—"), new.get(what, "—"))
            for what in dict.fromkeys((*old, *new))
            if old.get(what) != new.get(what)
        ]
    return Impact(tuple(changes))


def _game(told: Told, named: bool) -> dict[str, str]:
    """The facts of a game in words; where there are several games, each with its table and no zeros."""
    game, scored = told.game, told.scored
    names = {side.index: side.team.name for side in sorted(game.sides.all(), key=lambda side: side.index)}
    verdict, points = scored.verdict, scored.points
    winner = "not over" if verdict is None else "nobody" if verdict.winner is None else names[verdict.winner]
    how = how_words(verdict.how) if verdict and verdict.how else "—"
    facts = {"State": GAME_STATES[game.state], "Winner": winner, "How it ended": how}
    for side, name in names.items():
        facts[f"Points of {name}"] = _points(points[side])
        if not named or scored.carry.bostons[side]:
            facts[f"Bostons of {name}"] = str(scored.carry.bostons[side])
        if not named or scored.carry.sets[side]:
            facts[f"Sets of {name}"] = str(scored.carry.sets[side])
    facts |= {"Lines on the sheet": str(len(scored.lines))}
    if set_aside(told.entries):
        # Said with the names of players, which nothing else here needs.
        lines = sheet_now(game).set_aside
        facts["Set aside, because the game was over"] = "; ".join(one.written.text for one in lines)
    return {f"Table {game.table}: {what}": said for what, said in facts.items()} if named else facts


def _papers(event: Event, sheets: Sequence[Told]) -> dict[str, str]:
    """Whether the sheets as they are were printed; one that never was says the same before and after."""
    printed = printed_sheets(event)
    words = {code: f"printed at {clock_time(at, event.time_zone)}" for code, at in printed.items()}
    return {
        f"Sheet of {game.round}, table {game.table}": words.get(sheet_code(game, scored), "print it again")
        for game, scored, _ in sheets
    }


def _bracket(drawn: BracketFacts) -> dict[str, str]:
    slots = {}
    for match in drawn.matches:
        names = " – ".join(f"{side.name}{' (won)' if side.won else ''}" for side in match.sides)
        slots[f"{match.key}, {match.title}"] = names
    return (
        slots
        | {"Champion": drawn.champion or "—", "Games that no longer count": ", ".join(drawn.stale) or "none"}
        | {"The director decides": " ".join(one.text for one in drawn.asked) or "nothing"}
    )


def _points(points: int) -> str:
    return f"{minus(points)} point{'' if abs(points) == 1 else 's'}"
