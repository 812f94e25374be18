"""What a change in one game changes everywhere: the game, standings, pot, cut, bracket, and papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import NamedTuple

from tournament.models import Entry, Event, Game
from tournament.queries.bracket import bracket
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
from tournament.queries.standings import Standings, StandingsLine, standings
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
    question = draw_question(event)
    return Picture(
        game=_games(sheets),
        ranks={f"{line.number} {line.team}": _rank(line) for line in table.lines},
        pot=_pot(event, table),
        cut={line.team: line.chance_words for line in table.lines if line.chance},
        draws={question.title: question.text} if question else {},
        playoffs=_playoffs(event, table),
        season=season_words(others, event, table),
        papers=_papers(event, sheets, printed),
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


def _games(sheets: Sequence[SheetState]) -> dict[str, str]:
    """Who meets in each game, and its facts; of several games in short, each fact with its table."""
    words: dict[str, str] = {}
    for about in sheets:
        table = f"Table {about.game.table}"
        sides = sorted(about.game.sides.all(), key=lambda side: side.index)
        names = {side.index: side.team.full_name for side in sides}
        words[table] = " – ".join(names.values())
        if not about.entries:
            continue
        if len(sheets) == 1:
            words |= _facts(about, names)
            continue
        for what, value in _facts(about, names, in_short=True).items():
            words[f"{table}: {what}"] = value
    return words


def _facts(about: SheetState, names: Mapping[int, str], *, in_short: bool = False) -> dict[str, str]:
    """A started game in words; in short, without zeros and without its lines."""
    scored, carry = about.scored, about.scored.carry
    facts = {"State": GAME_STATES[about.game.state], **_ending(scored, names)}
    for side, name in names.items():
        facts[f"Points of {name}"] = _points(scored.points[side])
        if carry.bostons[side] or not in_short:
            facts[f"Bostons of {name}"] = str(carry.bostons[side])
        if carry.sets[side] or not in_short:
            facts[f"Sets of {name}"] = str(carry.sets[side])
        if carry.bags[side]:
            facts[f"Bags of {name}"] = str(carry.bags[side])
    facts["Lines on the sheet"] = str(len(scored.lines))
    if not in_short:
        facts |= _lines(scored, tuple(names.values()))
    if set_aside(about.entries):
        # Written with the names of players, which nothing else here needs.
        lines = sheet_now(about.game).set_aside
        facts["Set aside, because the game was over"] = "; ".join(line.written.text for line in lines)
    return facts


def _ending(scored: ScoredGame, names: Mapping[int, str]) -> dict[str, str]:
    """Who has won a game, and how."""
    verdict = scored.verdict
    if verdict is None:
        return {"Winner": "not over", "How it ended": "—"}
    winner = "nobody" if verdict.winner is None else names[verdict.winner]
    how = how_words(verdict.how) if verdict.how else "—"
    return {"Winner": winner, "How it ended": how}


def _lines(scored: ScoredGame, names: tuple[str, ...]) -> dict[str, str]:
    """Every line of a sheet in words; the totals it was continued from come first."""
    words = {"Totals from paper": opening_words(scored.opening)} if scored.opening is not None else {}
    for number, line in enumerate(scored.lines, start=1):
        written = write_down(scored.rules, line.facts, names, (), line.lines, result=line.result, hands=scored.hands)
        gained = [after - old for after, old in zip(line.after.scores, line.before.scores, strict=True)]
        points = ", ".join(f"{name} {signed(more)}" for name, more in zip(names, gained, strict=True) if more)
        words[f"Line {number}"] = f"{written.headed} ({points})" if points else written.headed
    return words


def _rank(line: StandingsLine) -> str:
    words = f"place {line.label}, {line.won} won, {_points(line.points)}"
    if line.bostons:
        words += f", {line.bostons} Boston{'s' if line.bostons > 1 else ''}"
    return words


def _pot(event: Event, table: Standings) -> dict[str, str]:
    """The pot as a whole, and the share of each team that has one."""
    if not event.pot_cents:
        return {}
    facts = pot(event, books=table.books)
    words = {"The pot": facts.text} if facts.exists else {}
    for team in facts.teams:
        if team.cents:
            words[team.team] = money_words(team.cents, facts.currency)
    return words


def _playoffs(event: Event, table: Standings) -> dict[str, str]:
    """Who meets in the bracket, once there is one, and what follows from that."""
    drawn = bracket(event, table) if event.stage in ("playoffs", "over") else None
    if drawn is None:
        return {}
    words = {}
    for match in drawn.matches:
        names = [f"{side.name} (won)" if side.won else side.name for side in match.sides]
        words[f"{match.key}, {match.title}"] = " – ".join(names)
    words["Champion"] = drawn.champion or "—"
    words["Games that no longer count"] = ", ".join(drawn.stale) or "none"
    words["The director decides"] = " ".join(question.text for question in drawn.asked) or "nothing"
    return words


def _papers(event: Event, sheets: Sequence[SheetState], printed: Mapping[str, datetime]) -> dict[str, str]:
    """When the sheet of each game was printed in its current form, or that it must be printed again."""
    words = {}
    for game, scored, _ in sheets:
        moment = printed.get(sheet_code(game, scored))
        said = "print it again" if moment is None else f"printed at {clock_time(moment, event.time_zone)}"
        words[f"Sheet of {game.round}, table {game.table}"] = said
    return words


def _points(points: int) -> str:
    return f"{minus(points)} point{'' if abs(points) == 1 else 's'}"
