"""What a change in one game changes everywhere: the game, standings, pot, cut, bracket, and papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import NamedTuple

from tournament.models import Entry, Event, Game
from tournament.queries.bracket import BracketFacts, bracket
from tournament.queries.decisions import draw_question
from tournament.queries.draws import meeting_notes
from tournament.queries.impact import NONE, Change, Group, Impact
from tournament.queries.pot import pot
from tournament.queries.scored import (
    ScoredGame,
    scored_game,
    set_aside,
    sheet_code,
    sides_with_teams,
)
from tournament.queries.season import Others, others_in_season, season_words
from tournament.queries.sheet import printed_sheets, sheet_now
from tournament.queries.standings import Standings, standings
from tournament.queries.wording import how_words, opening_words, write_down
from tournament.words.phrases import GAME_STATES, clock_time, minus, signed
from tournament.words.phrases import money as money_words


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that depends on the games of an event, in words, so that two pictures can be compared."""

    game: Mapping[str, str]
    ranks: Mapping[str, str]
    pot: Mapping[str, str]
    cut: Mapping[str, str]
    draws: Mapping[str, str]
    playoffs: Mapping[str, str]
    season: Mapping[str, str]
    papers: Mapping[str, str]
    meetings: Mapping[str, str]


PLACES = {
    "game": "This game",
    "ranks": "Standings",
    "pot": "Boston pot",
    "cut": "Who advances",
    "draws": "Drawn games",
    "playoffs": "Playoffs",
    "season": "Season",
    "papers": "Printed sheets",
    "meetings": "Who meets whom",
}


class SheetState(NamedTuple):
    """A game that a change affects, with its sides: as scored from all these entries."""

    game: Game
    scored: ScoredGame
    entries: Sequence[Entry]


def picture(event: Event, *games: int) -> Picture:
    """All of it as it is now, recomputed, never from a cache. `games` are those that a change affects."""
    event = Event.objects.get(pk=event.pk)
    rows = Game.objects.select_related("round__event").prefetch_related(sides_with_teams(), "entries").in_bulk(games)
    states = [SheetState(rows[game], scored_game(rows[game]), list(rows[game].entries.all())) for game in games]
    meetings = {f"Game {number}": " ".join(map(str, notes)) or "–" for number, notes in meeting_notes(event).items()}
    shown = picture_of(event, standings(event), states, printed_sheets(event), others_in_season(event))
    return replace(shown, meetings=meetings)


def picture_of(
    event: Event,
    table: Standings,
    sheets: Sequence[SheetState],
    printed: Mapping[str, datetime],
    others: Sequence[Others],
) -> Picture:
    """The same from data that is read already, for a change that moves nobody to another seat."""
    drawn = bracket(event, table) if event.stage in ("playoffs", "over") else None
    pot_facts = pot(event, books=table.books) if event.pot_cents else None
    shares = (
        {team.team: money_words(team.cents, pot_facts.currency) for team in pot_facts.teams if team.cents}
        if pot_facts
        else {}
    )
    shown = {"The pot": pot_facts.text} if pot_facts and pot_facts.exists else {}
    # When each sheet was printed in its current form, or that it must be printed again.
    words = {code: f"printed at {clock_time(moment, event.time_zone)}" for code, moment in printed.items()}
    return Picture(
        game={what: value for about in sheets for what, value in _game(about, len(sheets) > 1).items()},
        ranks={
            f"{line.number} {line.team}": f"place {line.label}, {line.won} won, {_points(line.points)}"
            + (f", {line.bostons} Boston{'s' if line.bostons > 1 else ''}" if line.bostons else "")
            for line in table.lines
        },
        pot=shown | shares,
        cut={line.team: line.chance_words for line in table.lines if line.chance},
        draws={question.title: question.text} if (question := draw_question(event)) else {},
        playoffs=_bracket(drawn) if drawn else {},
        season=season_words(others, event, table),
        papers={
            f"Sheet of {game.round}, table {game.table}": words.get(sheet_code(game, scored), "print it again")
            for game, scored, _ in sheets
        },
        meetings={},
    )


def impact(before: Picture, after: Picture) -> Impact:
    """The differences between two pictures, in the order of the pictures."""
    groups = []
    for part, old in asdict(before).items():
        new = getattr(after, part)
        changes = tuple(
            Change(PLACES[part], what, old.get(what, NONE), new.get(what, NONE))
            for what in dict.fromkeys((*old, *new))
            if old.get(what) != new.get(what)
        )
        if changes:
            groups.append(Group(PLACES[part], changes))
    # Whether a drawn round would then be drawn differently.
    redraws = any(before.draws.get(what) != text for what, text in after.draws.items())
    return Impact(tuple(groups), "" if groups else "Only the line itself changes.", redraws=redraws)


def _game(about: SheetState, named: bool) -> dict[str, str]:
    """Who meets, and the facts of a started game in words; of several games, each with its table and without zeros."""
    game, scored = about.game, about.scored
    names = {side.index: side.team.full_name for side in sorted(game.sides.all(), key=lambda side: side.index)}
    seated = {f"Table {game.table}": " – ".join(names.values())}
    if not about.entries:
        return seated
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
        if scored.carry.bags[side]:
            facts[f"Bags of {name}"] = str(scored.carry.bags[side])
    facts |= {"Lines on the sheet": str(len(scored.lines))}
    if not named:
        facts |= _lines(scored, tuple(names[side] for side in sorted(names)))
    if set_aside(about.entries):
        # Written with the names of players, which nothing else here needs.
        lines = sheet_now(game).set_aside
        facts["Set aside, because the game was over"] = "; ".join(line.written.text for line in lines)
    return seated | ({f"Table {game.table}: {what}": words for what, words in facts.items()} if named else facts)


def _lines(scored: ScoredGame, names: tuple[str, ...]) -> dict[str, str]:
    """Every line of a sheet in words; the totals it was continued from come first."""
    words = {"Totals from paper": opening_words(scored.opening)} if scored.opening is not None else {}
    for number, line in enumerate(scored.lines, start=1):
        written = write_down(scored.rules, line.facts, names, (), line.lines, result=line.result, hands=scored.hands)
        gained = [after - old for after, old in zip(line.after.scores, line.before.scores, strict=True)]
        points = ", ".join(f"{name} {signed(more)}" for name, more in zip(names, gained, strict=True) if more)
        words[f"Line {number}"] = f"{written.headed} ({points})" if points else written.headed
    return words


def _bracket(drawn: BracketFacts) -> dict[str, str]:
    slots = {}
    for match in drawn.matches:
        names = " – ".join(f"{side.name}{' (won)' if side.won else ''}" for side in match.sides)
        slots[f"{match.key}, {match.title}"] = names
    return (
        slots
        | {"Champion": drawn.champion or "—", "Games that no longer count": ", ".join(drawn.stale) or "none"}
        | {"The director decides": " ".join(question.text for question in drawn.asked) or "nothing"}
    )


def _points(points: int) -> str:
    return f"{minus(points)} point{'' if abs(points) == 1 else 's'}"
