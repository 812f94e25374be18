"""The bracket as pages, papers and files show it: parts, columns, matches and their sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tournament.pairing.bracket import FINAL, LOSERS_PART, MAIN, THIRD
from tournament.pairing.progress import Progress
from tournament.queries.keep_or_replay import KeepOrReplay
from tournament.queries.schedule import Table


@dataclass(frozen=True, slots=True)
class MatchSide:
    """A side of a match: a team, or where it will come from. `number` is None while the slot waits.

    `score` is the games won in a match of several, the points of a single game otherwise; None before they are known.
    """

    number: int | None
    name: str
    seed: int | None
    wins: int
    won: bool
    lost: bool
    score: int | None = None
    is_nobody: bool = False


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A match of a part as it is drawn. `state` is waiting, ready, playing or decided.

    `to` says where its two teams go on, for brackets in which losers play on.

    `both_out` says that nobody goes on from it, `has_gone_on` that a game was begun in a match that it leads to,
    `on_hold` that the officials still decide who plays in it, or who won it.
    """

    key: str
    title: str
    round: int
    position: int
    best_of: int
    sides: tuple[MatchSide, MatchSide]
    games: tuple[Table, ...]
    state: str
    both_out: bool = False
    has_gone_on: bool = False
    on_hold: bool = False
    part: str = MAIN
    column: int = 1
    to: str = ""
    head_start: str = ""

    @property
    def bye(self) -> MatchSide | None:
        """The side that has no opponent: nobody comes out of the match before."""
        first, second = self.sides
        if first.is_nobody == second.is_nobody:
            return None
        return second if first.is_nobody else first

    @property
    def is_empty(self) -> bool:
        """Whether nobody comes to it at all."""
        return all(side.is_nobody for side in self.sides)

    @property
    def last(self) -> Table | None:
        return next((game for game in reversed(self.games) if game.counts), None)

    @property
    def counted(self) -> tuple[Table, ...]:
        """The games that decided it, or are on the way to."""
        return tuple(game for game in self.games if game.counts and game.state == "final")

    @property
    def can_both_go_out(self) -> bool:
        """Whether both teams came to a game that nobody won, and it is not decided yet."""
        last = self.last
        return self.state == "ready" and last is not None and last.state == "final" and last.winner is None

    @property
    def teams(self) -> tuple[int, int]:
        """The team numbers of a match in which both slots are filled."""
        first, second = (side.number for side in self.sides)
        assert first is not None and second is not None
        return first, second


@dataclass(frozen=True, slots=True)
class BracketCell:
    """One place of a bracket column: a match, a side that has a bye there, or nothing.

    It is not fed if nobody comes to it from the column before: a loser who comes in has a bye.
    """

    match: MatchFacts | None = None
    bye: MatchSide | None = None
    is_fed: bool = True

    @property
    def is_empty(self) -> bool:
        return self.match is None and self.bye is None


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """One round of a part, from top to bottom.

    It `halves` if the next column has a match for each two of its cells, and `goes_straight` if it has one for each.
    """

    number: int
    title: str
    cells: tuple[BracketCell, ...]
    halves: bool = True
    goes_straight: bool = False

    def feeds(self, index: int) -> bool:
        """Whether anybody goes on from it to a cell of the next column."""
        before = self.cells[2 * index : 2 * index + 2] if self.halves else self.cells[index : index + 1]
        return not all(cell.is_empty for cell in before)

    @property
    def lines(self) -> str:
        """The class of the lines to the next column: none where it neither halves nor goes straight on."""
        if self.halves:
            return ""
        return " straight" if self.goes_straight else " noline"


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A part of the bracket, with the best place at stake in it; `match` is set where it is a single one."""

    key: str
    title: str
    best: int
    columns: tuple[BracketColumn, ...]
    match: MatchFacts | None = None

    @property
    def won_by(self) -> str:
        """Who won a part that somebody wins; the main part has the champion, and who wins the losers’ plays on."""
        if self.key in (MAIN, LOSERS_PART):
            return ""
        last = self.columns[-1].cells[-1]
        sides = last.match.sides if last.match else ()
        return next((side.name for side in sides if side.won), "")

    @property
    def is_done(self) -> bool:
        """Whether every match of it is decided."""
        matches = [cell.match for column in self.columns for cell in column.cells]
        return all(match is None or match.state == "decided" for match in matches)


class BracketSection(NamedTuple):
    """A part with columns, and the single matches for places that are shown below it."""

    part: BracketPart
    singles: tuple[BracketPart, ...]


@dataclass(frozen=True, slots=True)
class BracketFacts:
    """The whole bracket. `unsettled` says what must be played off before the seeds are certain.

    `parts` begins with the main one. `rules` is what each stage is played by otherwise than the games before it; with
    `final_alone` the final has options of its own, and no other match is played in its round. `left_out` says what the
    form would have for a larger field.
    """

    size: int
    parts: tuple[BracketPart, ...]
    matches: tuple[MatchFacts, ...]
    stale: tuple[str, ...]
    foreign: tuple[Table, ...]
    champion: str
    runner_up: str
    champion_number: int | None
    unsettled: str
    level_seeds: tuple[str, ...]
    seeds: tuple[int, ...] = ()
    questions: tuple[KeepOrReplay, ...] = ()
    progress: Progress | None = None
    rules: tuple[str, ...] = ()
    final_alone: bool = False
    left_out: str = ""

    @property
    def columns(self) -> tuple[BracketColumn, ...]:
        """The columns of the main part."""
        return self.parts[0].columns

    @property
    def final(self) -> MatchFacts:
        """The match that makes the champion."""
        return next(match for match in self.matches if match.title == FINAL)

    @property
    def sections(self) -> tuple[BracketSection, ...]:
        """The parts as they are shown, one below the other; a single match is shown with the part before it."""
        sections: list[BracketSection] = []
        for part in self.parts:
            if part.match is None or not sections:
                sections.append(BracketSection(part, ()))
            else:
                above, singles = sections[-1]
                sections[-1] = BracketSection(above, (*singles, part))
        return tuple(sections)

    @property
    def has_one_section(self) -> bool:
        return len(self.sections) == 1

    @property
    def is_plain(self) -> bool:
        """Whether it is a single bracket, with a match for third place at most."""
        return all(part.key in (MAIN, THIRD) for part in self.parts)

    @property
    def asked(self) -> tuple[KeepOrReplay, ...]:
        """What the director has to decide before anything goes on."""
        return tuple(question for question in self.questions if not question.decided)

    @property
    def held_games(self) -> frozenset[int]:
        """The keys of the games that wait for what the officials decide."""
        return frozenset(game.pk for match in self.matches if match.on_hold for game in match.games if game.counts)

    @property
    def voided(self) -> frozenset[int]:
        """The keys of the games whose teams are no longer those of their match, or whose match is no longer played."""
        stale = {game.pk for match in self.matches for game in match.games if game.stale}
        return frozenset(stale | {game.pk for game in self.foreign})
