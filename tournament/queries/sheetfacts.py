"""The content of a score sheet, row by row, and the hands that are still to be dealt.

It is plain data: the same for the tablet, the desk, the printed sheet, and the workbook.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from scoring.decisions import Void, VoidChoice
from scoring.game import NextHand
from scoring.ledger import Line as Line
from scoring.ledger import named
from tournament.models import Call, Event, Game, Round, Signature
from tournament.models.game import RULED, SET_ASIDE
from tournament.queries.match_words import MatchWords, match_words
from tournament.queries.rules import Ruleset
from tournament.queries.scored import ScoredGame, written_document
from tournament.queries.typed_sheets import PaperFacts
from tournament.queries.wording import Written, how_words, opening_words
from tournament.words.phrases import minus


@dataclass(frozen=True, slots=True)
class SideFacts:
    """A side of the table: the team and its players, in seat order."""

    index: int
    team: int
    number: int
    name: str
    players: tuple[str, ...]
    seated_at: datetime | None


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat: its side and who sits there (the team's name if no player is known)."""

    seat: int
    side: int
    name: str
    team: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the sheet. `number` counts the hands that score; it is None for everything else.

    `facts` are the line as the game document has it. `struck` holds the earlier versions of the same line, oldest
    first. Lists have one value per side.
    """

    entry: int
    position: int
    revision: int
    number: int | None
    kind: str
    facts: dict[str, Any]
    dealer: SeatFacts | None
    written: Written
    deltas: tuple[int, ...]
    scores: tuple[int, ...]
    sets: tuple[int, ...]
    bags: tuple[int, ...]
    lines: tuple[Line, ...]
    leader: int | None
    boston: int | None
    ends_game: bool
    by: str
    source: str
    reason: str
    at: datetime
    struck: tuple[Struck, ...]

    @property
    def ruled(self) -> bool:
        """Whether only a director may touch it."""
        return self.kind in RULED

    @property
    def by_side(self) -> bool:
        """Whether the side that won the bid is known, but not the player."""
        return self.facts.get("bidder") is not None and self.facts.get("seat") is None


# The rules' words for who deals after a hand that does not count; with a table's players, their names are used.
DEALS_AGAIN, DEALS_NEXT = ": the same player deals again", ": the next player deals"


class Voiding(NamedTuple):
    """A reason for a hand that does not count: what happened, and who then deals, in the rules' words and by name."""

    choice: VoidChoice
    what: str
    unnamed: str
    dealer: str = ""
    deals: str = ""
    passes_on: bool = False

    @property
    def words(self) -> str:
        return f"{self.what}: {self.dealer} {self.deals}" if self.deals else self.what + self.unnamed


@dataclass(frozen=True, slots=True)
class Struck:
    """A version of a line that no longer counts, and who struck it through, when, and why.

    `taken_off`: an undo struck it, and the line now in its place is another hand.
    """

    written: Written
    by: str
    source: str
    at: datetime
    reason: str
    struck_by: str
    struck_at: datetime | None
    struck_reason: str
    struck_cause: str
    position: int
    taken_off: bool


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game with everything on its sheet. Lists have one value per side, in side order.

    `scored` is the game, scored once. `next` is the hand that is asked for, at `next_position`: the one that is due, or
    another one that is viewed. `short` is the code behind the QR code of its paper.
    """

    scored: ScoredGame
    game: Game
    sides: tuple[SideFacts, ...]
    seats: tuple[SeatFacts, ...]
    rows: tuple[Row, ...]
    removed: tuple[Struck, ...]
    code: str
    paper: PaperFacts | None
    signatures: tuple[Signature, ...]
    call: Call | None
    next: NextHand | None
    next_position: int
    coming: tuple[NextHand, ...]
    begun: bool
    short: str = ""

    @property
    def round(self) -> Round:
        return self.game.round

    @property
    def event(self) -> Event:
        return self.round.event

    @property
    def words(self) -> MatchWords:
        """Which match of the playoffs it is, where losers play on."""
        return match_words(self.event, self.game.match)

    @property
    def rules(self) -> Ruleset:
        return self.scored.rules

    @property
    def sheet_key(self) -> str:
        return self.rules.sheet.key

    @property
    def sheet_title(self) -> str:
        return self.rules.sheet.title

    @property
    def word(self) -> str:
        """What a hand is counted in: books or tricks."""
        return self.rules.game.word

    @property
    def opening(self) -> tuple[int, ...] | None:
        """The scores of the totals that the game was continued from."""
        return None if self.scored.opening is None else tuple(self.scored.begin.scores)

    @property
    def carried_words(self) -> str:
        """Everything that was written of those totals."""
        return "" if self.scored.opening is None else opening_words(self.scored.opening)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.scored.carry.scores)

    @property
    def sets(self) -> tuple[int, ...]:
        return tuple(self.scored.carry.sets)

    @property
    def bags(self) -> tuple[int, ...]:
        return tuple(self.scored.carry.bags)

    @property
    def bostons(self) -> tuple[int, ...]:
        return tuple(self.scored.carry.bostons)

    @property
    def counted(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """What the sheet counts for each side besides its score: a key, empty if there is none, and the words."""
        return tuple(tuple(self._counted(side.index)) for side in self.sides)

    def _counted(self, side: int) -> Iterator[tuple[str, str]]:
        for counter in self.rules.game.counters(self.rules.rules):
            if words := counter.words(self.rules.rules, self.scored.carry, side):
                yield counter.key if getattr(self.scored.carry, counter.key)[side] else "", words

    @property
    def points(self) -> tuple[int, ...]:
        return self.scored.points

    @property
    def hands(self) -> int:
        return self.scored.carry.hands

    @property
    def over(self) -> bool:
        return self.scored.verdict is not None

    @property
    def winner(self) -> int | None:
        return self.scored.verdict.winner if self.scored.verdict else None

    @property
    def how(self) -> str:
        return self.scored.verdict.how if self.scored.verdict else ""

    @property
    def how_words(self) -> str:
        return how_words(self.how) if self.how else ""

    @property
    def rule(self) -> str:
        return self.scored.verdict.rule if self.scored.verdict else ""

    @property
    def text(self) -> str:
        """Why the game is over, in a sentence with the teams' names."""
        verdict = self.scored.verdict
        return named(verdict.text, tuple(side.name for side in self.sides)) if verdict else ""

    @property
    def document(self) -> dict[str, Any]:
        """The game document with the names on this sheet."""
        return written_document(self.round, self.scored, [side.name for side in self.sides])

    @property
    def voids(self) -> tuple[Voiding, ...]:
        """The reasons for which the hand in play may be declared void, and who then deals."""
        rules = self.rules
        choices = () if self.over else rules.game.voids(rules.rules, self.scored.carry)
        return tuple(self._voiding(choice) for choice in choices)

    @property
    def throws_in(self) -> Voiding | None:
        """What becomes of a hand that all pass; None if it is played like any other."""
        choices = () if self.over else self.rules.game.void_choices(self.rules.rules)
        return next((self._voiding(choice) for choice in choices if choice.throws_in), None)

    def _voiding(self, choice: VoidChoice) -> Voiding:
        rules, before = self.rules, self.scored.carry
        what = choice.words.removesuffix(DEALS_AGAIN).removesuffix(DEALS_NEXT)
        if choice.refused or not self.seats:
            return Voiding(choice, what, choice.words.removeprefix(what))
        after = rules.game.score_entry(rules.rules, before, Void(choice.rule, choice.words))[1]
        name = self.seats[rules.game.next_hand(rules.rules, after).dealer].name
        passes_on = after.deals != before.deals
        deals = "deals next" if passes_on else "deals again" if choice.again else "deals"
        return Voiding(choice, what, choice.words.removeprefix(what), name, deals, passes_on)

    @property
    def score_words(self) -> str:
        """“Aces: 2, Books: −3”."""
        return ", ".join(f"{side.name}: {minus(self.scores[side.index])}" for side in self.sides)

    @property
    def winner_side(self) -> SideFacts | None:
        return None if self.winner is None else self.sides[self.winner]

    def opponents(self, side: int) -> str:
        """The names of the other sides."""
        return ", ".join(other.name for other in self.sides if other.index != side)

    @property
    def set_aside(self) -> tuple[Struck, ...]:
        """Lines that come after the end of the game since a correction, in their last form."""
        last = {old.position: old for old in self.removed}
        return tuple(old for _, old in sorted(last.items()) if old.struck_cause == SET_ASIDE)

    @property
    def single(self) -> bool:
        """Whether everybody plays alone: then a side is a player."""
        return len(self.seats) == len(self.sides)

    @property
    def unbegun(self) -> bool:
        """Whether nothing counts yet: until then somebody else may deal first."""
        return self.scored.unbegun

    @property
    def endless(self) -> bool:
        """Whether it is played until somebody wins: then nobody knows how many lines it takes."""
        return self.rules.game.hands_planned(self.rules.rules) is None

    @property
    def dealer(self) -> SeatFacts | None:
        return None if self.next is None else self.seats[self.next.dealer]

    @property
    def signed_by_all(self) -> bool:
        """Whether every side has signed itself, at the table or on paper: nobody has signed for another."""
        return self.over and not self.unsigned and all(one.on_paper or not one.seen_by for one in self.signatures)

    @property
    def unsigned(self) -> tuple[SideFacts, ...]:
        """The sides that still have to sign a finished game."""
        signed = {signature.side for signature in self.signatures}
        return tuple(side for side in self.sides if side.index not in signed) if self.over else ()


# The hands that are still to be dealt: their numbers, their cards, and who deals them.

# A game without a schedule is over when somebody wins: a sheet of paper has this many lines.
LINES = 14


def coming_deals(rules: Ruleset, hands: int, deals: int) -> tuple[NextHand, ...]:
    """The hands after `hands` scored ones, of which the first is deal number `deals`, counted from zero.

    To the end of the schedule if the game has one; otherwise as many as a sheet of paper has lines.
    """
    game, options = rules.game, rules.rules
    begin, planned = game.begin(options), game.hands_planned(options)
    count = LINES if planned is None else planned - hands
    return tuple(
        game.next_hand(options, begin._replace(hands=hands + more, deals=deals + more)) for more in range(count)
    )
