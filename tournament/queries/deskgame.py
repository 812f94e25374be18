"""One game at the desk: its sheet, what may be done to it now, and what a correction would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.shortcuts import get_object_or_404

from tournament.access import Actor, allowed_actions
from tournament.errors import Conflict
from tournament.models import Entry, Event, Game, Signature
from tournament.models.game import RULED
from tournament.queries.bids import Locked, locked_on
from tournament.queries.bracket import BracketFacts, bracket
from tournament.queries.clocks import minutes_of
from tournament.queries.decisions import draw_question
from tournament.queries.draws import meeting_notes
from tournament.queries.impact import NONE, Change, Group, Impact
from tournament.queries.records import pot
from tournament.queries.rules import Ruleset
from tournament.queries.rulings import letter_of
from tournament.queries.scored import (
    ScoredGame,
    active_entries,
    scored_game,
    set_aside,
    sheet_code,
    sides_with_teams,
)
from tournament.queries.season import Others, others_in_season, season_words
from tournament.queries.sheet import game_sheet, printed_sheets, sheet_games, sheet_now
from tournament.queries.sheetfacts import GameSheet, Row, SeatFacts, SideFacts
from tournament.queries.standings import Standings, standings
from tournament.queries.wording import how_words, opening_words, write_down
from tournament.words.phrases import DONE, GAME_STATES, VOID, clock_time, minus, signed
from tournament.words.phrases import money as money_words


@dataclass(frozen=True, slots=True)
class DeskGame:
    """A game with its sheet. The flags say what the actor may do to it as it stands now."""

    game: Game
    sheet: GameSheet
    rules: Ruleset
    writes: bool
    rules_on_it: bool
    corrects: bool
    seats: bool
    witnesses: bool
    notes_paper: bool
    returns_paper: bool
    returns_one: bool
    answers: bool
    opens: bool
    undo_position: int | None
    timed: bool
    director: bool
    typed_it: bool
    locked: Locked | None

    @property
    def chairs(self) -> tuple[tuple[str, SeatFacts], ...]:
        """The seats in the order of their letters, which are the keys that name them."""
        seats = sorted(self.sheet.seats, key=lambda seat: seat.seat)
        return tuple((letter_of(seat.seat), seat) for seat in seats)

    @property
    def next_open(self) -> Game | None:
        """The table behind this one, and then around from the first, whose game of this round is not final."""
        if self.game.round.state != "running":
            return None
        here = (self.game.table, self.game.leg)
        others = self.game.round.games.exclude(state__in=DONE).exclude(pk=self.game.pk)
        return min(others, key=lambda game: ((game.table, game.leg) < here, game.table, game.leg), default=None)

    @property
    def last_hand(self) -> int | None:
        """The line that a ruling takes the place of where the hands ended a game that is not signed yet."""
        if not self.rules.game.need_line or not self.sheet.over or self.sheet.game.state == "final":
            return None
        if self.game.round.state != "running":
            return None
        rows = [row for row in self.sheet.rows if row.kind == "hand" or row.kind in RULED]
        return rows[-1].position if rows and rows[-1].kind == "hand" else None

    @property
    def score_before_last(self) -> str:
        """The score without the line that an undo takes off."""
        scores = self.sheet.scored.before(self.undo_position).carry.scores if self.undo_position else ()
        sides = ((side.name, scores[side.index] if scores else 0) for side in self.sheet.sides)
        return ", ".join(f"{name} {minus(score)}" for name, score in sides)

    @property
    def may_be_ruled_on(self) -> bool:
        """Whether the ruling page offers anything: at the end of the sheet, or in the place of the last hand."""
        return self.rules_on_it or (self.director and self.last_hand is not None)

    @property
    def dealt_first(self) -> int | None:
        return self.game.first_dealer if self.sheet.begun else None

    @property
    def tone(self) -> str:
        return "gold" if self.game.waits_for_seats else {"to-sign": "sky", "playing": ""}.get(self.game.state, "plain")

    @property
    def paper_words(self) -> str:
        """How the sheet came from paper; nothing where it did not."""
        totals = "Continued from paper totals" if self.flagged else ""
        return " · ".join(filter(None, (totals, self.sheet.paper.words if self.sheet.paper else "")))

    @property
    def sign_lines(self) -> tuple[tuple[SideFacts, Signature | None], ...]:
        """Each side with the signature that stands under the sheet as it is now."""
        signed = {signature.side: signature for signature in self.sheet.signatures}
        return tuple((side, signed.get(side.index)) for side in self.sheet.sides)

    @property
    def who_signed(self) -> str:
        """Of whom one press says that they signed on paper: the sides that have not signed yet."""
        if len(self.sheet.unsigned) == len(self.sheet.sides):
            return "Both" if len(self.sheet.sides) == 2 else "All"
        return f"{', '.join(side.name for side in self.sheet.unsigned)}:"

    @property
    def flagged(self) -> bool:
        """Whether the game was carried on from totals that nobody can recompute."""
        return self.sheet.opening is not None

    @property
    def verifies(self) -> bool:
        """Whether the sheet waits for a second person who compares it with its paper."""
        return self.sheet.paper is not None and self.sheet.paper.look is None

    @property
    def needs_another(self) -> bool:
        """Whether the second person must be somebody else than whoever looks: they have typed it."""
        return self.verifies and self.typed_it and not self.game.round.event.verify_own


def desk_game(actor: Actor, pk: int) -> DeskGame:
    """A game as it is now."""
    return desk_sheet(actor, get_object_or_404(sheet_games(), pk=pk))


def desk_sheet(actor: Actor, game: Game) -> DeskGame:
    """The same of a game that was read `with_sheet`."""
    sheet, event = game_sheet(game, whole=True), game.round.event
    may = allowed_actions(actor, event)
    rules = sheet.rules
    open_ = game.round.state == "running" and game.state not in DONE
    unsigned = sheet.over and game.state != VOID
    active = active_entries(game.entries.all())
    last = active[-1] if active else None
    undoes = open_ and last is not None and last.kind not in RULED
    return DeskGame(
        game=game,
        sheet=sheet,
        rules=rules,
        writes=open_ and not sheet.over and "record" in may,
        # Where rulings are about hands, a game that is over takes them too, and when it is final as a correction.
        rules_on_it="rule" in may
        and (open_ or (game.state == "final" and "correct" in may))
        and not (sheet.over and rules.game.need_line),
        corrects=game.state != VOID and "correct" in may,
        seats=open_ and not active and "seat" in may,
        witnesses=unsigned and bool(sheet.unsigned) and "witness" in may,
        notes_paper=unsigned and bool(sheet.unsigned) and "paper-signatures" in may,
        returns_paper=game.round.state == "running"
        and any(signature.on_paper for signature in sheet.signatures)
        and "paper-signatures" in may,
        returns_one=open_ and bool(sheet.signatures) and "paper-signatures" in may,
        answers=sheet.call is not None and "answer" in may,
        opens=open_ and not active and "record" in may,
        undo_position=last.position if undoes and last else None,
        timed=minutes_of(game.round, rules.rules) is not None,
        director="rule" in may,
        locked=locked_on(sheet) if open_ else None,
        typed_it=bool(sheet.paper and actor.person and actor.person.get_username() in sheet.paper.typed_by),
    )


def sheet_line(desk: DeskGame, position: int) -> Row:
    """The line that stands at a position; Conflict where none does any more."""
    row = next((row for row in desk.sheet.rows if row.position == position), None)
    if row is None:
        raise Conflict("This line is no longer on the sheet.")
    return row


def sheet_before(desk: DeskGame, position: int) -> GameSheet:
    """The sheet as the entry form needs it to ask for the line at a position anew, with the cards it was dealt."""
    scored = desk.sheet.scored.before(position)
    due = desk.rules.game.next_hand(desk.rules.rules, scored.carry)
    row = next((row for row in desk.sheet.rows if row.position == position), None)
    if row is not None and row.written.cards is not None:
        due = due._replace(cards=row.written.cards)
    return replace(desk.sheet, scored=scored, next=due)


# What a change of one game changes everywhere: the game, the standings, the pot, the cut, the bracket, the papers.


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that hangs on the games of an event, in words, so that two pictures can be laid side by side."""

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


class Told(NamedTuple):
    """A game that a change is about, with its sides: as it is scored, from all these entries."""

    game: Game
    scored: ScoredGame
    entries: Sequence[Entry]


def picture(event: Event, *games: int) -> Picture:
    """All of it as it stands now, computed anew: never from a cache. `games` are those that a change is about."""
    event = Event.objects.get(pk=event.pk)
    rows = Game.objects.select_related("round__event").prefetch_related(sides_with_teams(), "entries").in_bulk(games)
    games_told = [Told(rows[game], scored_game(rows[game]), list(rows[game].entries.all())) for game in games]
    meetings = {f"Game {number}": " ".join(map(str, notes)) or "–" for number, notes in meeting_notes(event).items()}
    shown = picture_of(event, standings(event), games_told, printed_sheets(event), others_in_season(event))
    return replace(shown, meetings=meetings)


def picture_of(
    event: Event,
    table: Standings,
    sheets: Sequence[Told],
    printed: Mapping[str, datetime],
    others: Sequence[Others],
) -> Picture:
    """The same from what is read already, for a change that seats nobody elsewhere."""
    drawn = bracket(event, table) if event.stage in ("playoffs", "over") else None
    pot_facts = pot(event, books=table.books) if event.pot_cents else None
    shares = (
        {team.team: money_words(team.cents, pot_facts.currency) for team in pot_facts.teams if team.cents}
        if pot_facts
        else {}
    )
    shown = {"The pot": pot_facts.text} if pot_facts and pot_facts.exists else {}
    # When each sheet was printed as it is now, or that it has to be printed again.
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
    """What differs between two pictures, in the order of the pictures."""
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
    # Whether a round that is drawn would be drawn differently then.
    redraws = any(before.draws.get(what) != text for what, text in after.draws.items())
    return Impact(tuple(groups), "" if groups else "Only the line itself changes.", redraws=redraws)


def _game(about: Told, named: bool) -> dict[str, str]:
    """Who meets, and the facts of a game that has any in words; of several games each with its table and no zeros."""
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
        # Said with the names of players, which nothing else here needs.
        lines = sheet_now(game).set_aside
        facts["Set aside, because the game was over"] = "; ".join(line.written.text for line in lines)
    return seated | ({f"Table {game.table}: {what}": words for what, words in facts.items()} if named else facts)


def _lines(scored: ScoredGame, names: tuple[str, ...]) -> dict[str, str]:
    """Every line of a sheet in words, the totals it was continued from first."""
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
