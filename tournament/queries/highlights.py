"""The evening in a few facts: the biggest hand, Bostons and the pot, the closest game, how many hands were played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.ledger import listed
from tournament.kept import Kept
from tournament.models import Event
from tournament.pairing.bracket import THIRD_KEY, THIRD_PLACE
from tournament.phrases import minus, money, result, signed
from tournament.queries.book import event_sheets, final_games
from tournament.queries.pot import PotFacts
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.wording import BY_DEFAULT

# A game that a ruling ended was not close, whatever stood on the sheet.
NOT_PLAYED_OUT = BY_DEFAULT | {"renege"}
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure, and what it counts."""

    figure: str
    words: str


@dataclass(frozen=True, slots=True)
class BigHand:
    """The hand that brought the most points; the first of `times` that brought as many. `bid` is what was bid."""

    points: int
    team: int
    bid: str
    where: str
    times: int


@dataclass(frozen=True, slots=True)
class CloseGame:
    """A game and how it ended: team numbers and scores, the winner first."""

    teams: tuple[int, ...]
    scores: tuple[int, ...]
    where: str


@dataclass(frozen=True, slots=True)
class Highlights:
    """What an evening's final games come to. `best` is the highest score with which a game was won."""

    hands: int
    games: int
    tables: int
    bostons: int
    biggest: BigHand | None
    closest: CloseGame | None
    best: CloseGame | None

    def facts(self, names: Mapping[int, str], pot: PotFacts | None) -> tuple[Fact, ...]:
        """At most four, in words; `pot` is None where the sheet counts no Bostons."""
        found = [self._biggest(names), self._bostons(pot), self._closest(names), self._best(names) if not pot else None]
        return tuple(fact for fact in (*found, self._hands()) if fact)

    def _biggest(self, names: Mapping[int, str]) -> Fact | None:
        if (hand := self.biggest) is None:
            return None
        bid = f"a bid of {hand.bid}" if hand.bid else ""
        first = ", ".join(part for part in (names[hand.team], bid, hand.where) if part)
        often = {1: "", 2: ", made twice; first"}.get(hand.times, f", made {hand.times} times; first")
        return Fact(signed(hand.points), f"Biggest hand{often}: {first}")

    def _bostons(self, pot: PotFacts | None) -> Fact | None:
        if pot is None or not (self.bostons or pot.exists):
            return None
        words = "Boston" if self.bostons == 1 else "Bostons"
        return Fact(f"★ {self.bostons}", f"{words}{_pot_words(pot)}")

    def _closest(self, names: Mapping[int, str]) -> Fact | None:
        game = self.closest
        return Fact(result(game.scores), f"Closest game: {_over(game, names)}") if game else None

    def _best(self, names: Mapping[int, str]) -> Fact | None:
        game = self.best
        return Fact(minus(game.scores[0]), f"Highest score: {names[game.teams[0]]}, {game.where}") if game else None

    def _hands(self) -> Fact | None:
        if not self.hands:
            return None
        hands = "Hand" if self.hands == 1 else "Hands"
        games = f"{self.games} game{'' if self.games == 1 else 's'}"
        return Fact(f"{self.hands:,}", f"{hands} in {games} at {self.tables} table{'' if self.tables == 1 else 's'}")


_kept: Kept[Highlights] = Kept(32)


def highlights(event: Event) -> Highlights:
    """Count every final game; they are counted again only when one of them has changed."""
    return _kept.get(final_games(event), lambda: count_highlights(event_sheets(event, states=("final",))))


def count_highlights(sheets: Iterable[GameSheet]) -> Highlights:
    """Count what stands on the sheets."""
    hands = games = bostons = times = 0
    tables: Counter[int] = Counter()
    biggest: BigHand | None = None
    closest: CloseGame | None = None
    best: CloseGame | None = None
    for sheet in sheets:
        hands, games, bostons = hands + sheet.hands, games + 1, bostons + sum(sheet.bostons)
        tables[sheet.round_number] += 1
        for hand in _big_hands(sheet):
            if biggest is None or hand.points > biggest.points:
                biggest, times = hand, 0
            times += hand.points == biggest.points
        if (game := _played_out(sheet)) is not None:
            # Of games that were as close the last one counts: the final, if it was.
            closest = game if closest is None or _margin(game) <= _margin(closest) else closest
            best = game if best is None or game.scores[0] > best.scores[0] else best
    if biggest is not None:
        biggest = BigHand(biggest.points, biggest.team, biggest.bid, biggest.where, times)
    return Highlights(hands, games, max(tables.values(), default=0), bostons, biggest, closest, best)


def _big_hands(sheet: GameSheet) -> Iterable[BigHand]:
    for row in sheet.rows:
        for side in sheet.sides if row.kind == "hand" else ():
            if (points := row.deltas[side.index]) > 0:
                bid = row.written.bid if row.written.who == side.index else ""
                yield BigHand(points, side.number, bid, _where(sheet), 1)


def _played_out(sheet: GameSheet) -> CloseGame | None:
    """The game by its scores, if the winner was ahead by them and hands decided it."""
    if sheet.winner is None or not sheet.hands or sheet.how in NOT_PLAYED_OUT:
        return None
    order = sorted(range(len(sheet.sides)), key=lambda side: (side != sheet.winner, -sheet.scores[side]))
    scores = tuple(sheet.scores[side] for side in order)
    teams = tuple(sheet.sides[side].number for side in order)
    return CloseGame(teams, scores, _where(sheet)) if scores[0] > scores[1] else None


def _where(sheet: GameSheet) -> str:
    """The match for third place is played in the round of the final, and is not the final."""
    return THIRD_PLACE if sheet.match == THIRD_KEY else sheet.round


def _margin(game: CloseGame) -> int:
    return game.scores[0] - game.scores[1]


def _over(game: CloseGame, names: Mapping[int, str]) -> str:
    return f"{names[game.teams[0]]} over {listed(names[team] for team in game.teams[1:])}, {game.where}"


def _pot_words(pot: PotFacts) -> str:
    if not pot.exists or not pot.settled:
        return ""
    winners = [team.team for team in pot.teams if team.cents]
    went = f"went to {listed(winners)}" if len(winners) <= MOST_NAMED else f"was shared {len(winners)} ways"
    return f"; the pot of {money(pot.cents, pot.currency)} {went}"
