"""What a change of one game changes everywhere: the game, the standings, the pot, the cut, the bracket, the papers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from tournament.models import Event
from tournament.phrases import GAME_STATES, in_fours, minus
from tournament.phrases import money as money_words
from tournament.queries.bracket import BracketFacts, bracket
from tournament.queries.draws import meeting_notes
from tournament.queries.pot import pot
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.standings import standings


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


def picture(event: Event, *games: int) -> Picture:
    """All of it as it stands now, computed anew: never from a cache. `games` are those that a change is about."""
    event = Event.objects.get(pk=event.pk)
    table = standings(event)
    found = sheet_games().in_bulk(games)
    sheets = [game_sheet(found[game]) for game in games]
    drawn = bracket(event, table) if event.stage in ("playoffs", "over") else None
    money = pot(event, books=table.books)
    shown = {"The pot": money.text} if money.exists else {}
    return Picture(
        game={what: said for sheet in sheets for what, said in _game(sheet, len(sheets) > 1).items()},
        ranks={
            f"{line.number} {line.team}": f"place {line.label}, {line.won} won, {_points(line.points)}"
            + (f", {line.bostons} Boston{'s' if line.bostons > 1 else ''}" if line.bostons else "")
            for line in table.lines
        },
        pot=shown | {team.team: money_words(team.cents, money.currency) for team in money.teams if team.cents},
        cut={line.team: line.chance_words for line in table.lines if line.chance},
        playoffs=_bracket(drawn) if drawn else {},
        meetings={
            f"Round {number}": " ".join(map(str, notes)) or "–" for number, notes in meeting_notes(event).items()
        },
        papers={f"Sheet of {sheet.round}, table {sheet.table}": f"code {in_fours(sheet.code)}" for sheet in sheets},
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


def _game(sheet: GameSheet, named: bool) -> dict[str, str]:
    """The facts of a game in words; where there are several games, each with its table and no zeros."""
    winner = sheet.winner_side.name if sheet.winner_side else "nobody" if sheet.over else "not over"
    facts = {"State": GAME_STATES[sheet.state], "Winner": winner, "How it ended": sheet.how_words or "—"}
    for side in sheet.sides:
        facts[f"Points of {side.name}"] = _points(sheet.points[side.index])
        if not named or sheet.bostons[side.index]:
            facts[f"Bostons of {side.name}"] = str(sheet.bostons[side.index])
        if not named or sheet.sets[side.index]:
            facts[f"Sets of {side.name}"] = str(sheet.sets[side.index])
    facts |= {"Lines on the sheet": str(len(sheet.rows))}
    if sheet.set_aside:
        facts["Set aside, because the game was over"] = "; ".join(one.written.text for one in sheet.set_aside)
    return {f"Table {sheet.table}: {what}": said for what, said in facts.items()} if named else facts


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
