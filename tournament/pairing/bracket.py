"""The matches of a bracket: every form of playoffs is one more way to write the same list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

# The parts of a bracket; the others are “P” with the place that is played for.
MAIN, LOSERS_PART, CONSOLATION, THIRD, SECOND, SECOND_CONSOLATION = "M", "L", "C", "P3", "B", "BC"
FINAL = "Final"
# The match for third place is called this in event files and on paper since before there were parts.
THIRD_KEY = "M3P"
EVERY_PLACE = 16
PLACES_TO = (2, 4, 8, EVERY_PLACE)


class Losers(StrEnum):
    """What happens to a team that loses a match of the bracket."""

    OUT = "out"
    PLACES = "places"
    CONSOLATION = "consolation"
    DOUBLE = "double"
    ONE_FINAL = "one-final"


LOSE_TWICE = (Losers.DOUBLE, Losers.ONE_FINAL)


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a bracket: what losers play for, and how many play the second bracket.

    `places_to` is the last place that is played for: 2 is the final alone, 4 a match for third place as well. It goes
    with every place and with a consolation. The `second` bracket takes the seeds behind the others.
    """

    losers: str = Losers.OUT
    places_to: int = 2
    second: int = 0
    second_losers: str = Losers.OUT

    @classmethod
    def from_answer(cls, answer: str, second: int | None = None, second_losers: str = "") -> Form:
        """Read a form as a director chooses it: what losers play and down to which place in one answer."""
        for losers in Losers:
            if answer.startswith(f"{losers}-") and answer != Losers.ONE_FINAL:
                return cls(losers, int(answer.removeprefix(f"{losers}-")), second or 0, second_losers or Losers.OUT)
        return cls(answer or Losers.OUT, 2, second or 0, second_losers or Losers.OUT)

    @property
    def answer(self) -> str:
        """The answer by which it is chosen: out, places-8, consolation-2."""
        if self.losers == Losers.CONSOLATION:
            return f"{self.losers}-{min(self.places_to, 4)}"
        return f"{self.losers}-{self.places_to}" if self.losers == Losers.PLACES else self.losers


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a side of a match comes from: a seed (1 is the top), the winner of a match, or its loser.

    With a seed and a match it is that seed if it loses the match, and nobody if it wins.
    """

    seed: int | None = None
    winner_of: str = ""
    loser_of: str = ""

    @property
    def words(self) -> str:
        """Say where the side comes from: “seed 3”, “winner of M3”, “loser of M3”, “seed 1 if it loses M5”."""
        if self.seed is not None and self.loser_of:
            return f"seed {self.seed} if it loses {self.loser_of}"
        if self.seed is not None:
            return f"seed {self.seed}"
        return f"winner of {self.winner_of}" if self.winner_of else f"loser of {self.loser_of}"


@dataclass(frozen=True, slots=True)
class Part:
    """A knock-out within the bracket, and the best place that is at stake in it.

    The losers’ bracket plays for third place: its winner goes on to the final. `second` says that it is one of the
    second bracket.
    """

    key: str
    title: str
    best: int
    second: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a part. `round` is when the hall plays it, from 1; `column` is its round within its part.

    `position` counts from 1 within the column, from the top. `best_of` is the largest number of games; the side that
    wins more than half of them wins the match. The first side comes with `head_start` games won.

    `lost` is the place of a loser who plays no further, if everybody above played; those with the same one share it.
    `won` is the place of a winner who plays no further, None if the winner goes on.
    """

    key: str
    round: int
    position: int
    slots: tuple[Slot, Slot]
    title: str
    best_of: int = 1
    part: str = MAIN
    column: int = 1
    head_start: int = 0
    lost: int = 2
    won: int | None = None


@dataclass(frozen=True, slots=True)
class Bye:
    """A side without an opponent in a column of a part."""

    part: str
    column: int
    position: int
    slot: Slot


@dataclass(frozen=True, slots=True)
class Bracket:
    """Teams by seed, the top seed first, and the matches in an order in which each follows those it waits for.

    `rounds` are those of the main part. The last `second` of the teams play the second bracket.
    """

    teams: tuple[int, ...]
    matches: tuple[Match, ...]
    rounds: int
    parts: tuple[Part, ...]
    byes: tuple[Bye, ...] = ()
    second: int = 0

    @property
    def final(self) -> Match:
        """Return the match that makes the champion."""
        return next(match for match in self.matches if match.won == 1)

    @property
    def is_plain(self) -> bool:
        """Whether it is a single bracket, with a match for third place at most."""
        return all(part.key in (MAIN, THIRD) for part in self.parts)

    def in_part(self, key: str) -> tuple[Match, ...]:
        """Return the matches of a part, in the order of play."""
        return tuple(match for match in self.matches if match.part == key)


def build_bracket(teams: Sequence[int], *, best_of: int = 1, form: Form | None = None) -> Bracket:
    """Seat teams (in the order of their seeds) in a bracket of some form.

    Seeds meet as in every standard bracket: 1 and 2 only in the final, 1 to 4 not before the semifinals. If the field
    is not a power of two, the top seeds start a round later. What a form adds is left out where there are too few teams
    for it. Raises ValueError for fewer than two teams in a bracket, a team twice, and an even number of games.
    """
    form = form or Form()
    first = len(teams) - form.second
    if first < 2 or form.second == 1 or len(set(teams)) != len(teams):
        raise ValueError("a bracket needs at least two teams, each of them once")
    if best_of < 1 or not best_of % 2:
        raise ValueError("a match is best of an odd number of games")
    builder = _Builder()
    rounds = builder.add_bracket(1, first, form.losers, form.places_to, best_of)
    if form.second:
        builder.add_bracket(first + 1, form.second, form.second_losers, first + EVERY_PLACE, best_of)
    return builder.finish(tuple(teams), len(rounds), best_of, form.second)


def seed_order(size: int) -> tuple[int, ...]:
    """List the seeds of a full bracket (a power of two) from the top: 1, 8, 4, 5, 2, 7, 3, 6."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for first in order for seed in (first, total - first)]
    return tuple(order)


def round_title(number: int, rounds: int) -> str:
    """Name a round in words, such as Quarterfinal or Round of 16."""
    left = 2 ** (rounds - number + 1)
    return {2: FINAL, 4: "Semifinal", 8: "Quarterfinal"}.get(left, f"Round of {left}")


PLACE_WORDS = {3: "Third", 5: "Fifth", 7: "Seventh", 9: "Ninth"}


def place_word(place: int) -> str:
    """Name a place that is played for, always an odd or even number above 2: Third, Fifth, 11th, 22nd."""
    if place in PLACE_WORDS:
        return PLACE_WORDS[place]
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


# Writing the list: matches are drafted part by part, and get their keys at the end, in the order of play.


@dataclass(eq=False, slots=True)
class _Draft:
    """A match without a key yet. `round` is when the hall plays it."""

    part: str
    sides: tuple[_Source, _Source]
    position: int
    round: int
    column: int = 0
    title: str = ""
    lost: int = 0
    won: int | None = None
    head_start: int = 0
    more_games: int = 0


@dataclass(frozen=True, slots=True)
class _Source:
    """A slot of a draft; `winner_of` and `loser_of` are drafts."""

    seed: int | None = None
    winner_of: _Draft | None = None
    loser_of: _Draft | None = None

    @property
    def after(self) -> int:
        """The round of the hall after which it is known who this is."""
        before = self.winner_of or self.loser_of
        return before.round if before else 0


# The sides of a column from the top, and its matches; None where nobody is.
_Sides = list[_Source | None]
_Column = list[_Draft | None]


def _losers(column: _Column) -> _Sides:
    return [_Source(loser_of=draft) if draft else None for draft in column]


def _count(items: Sequence[object]) -> int:
    return sum(item is not None for item in items)


class _Builder:
    """Drafts the parts of a bracket, the most important first."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.is_second = False
        self.drafts: list[_Draft] = []
        self.byes: list[tuple[str, int, int, _Source]] = []

    def add_bracket(self, top: int, size: int, losers: str, places_to: int, best_of: int) -> list[_Column]:
        """Draft a bracket of the seeds from `top` on, with all that its losers play. Returns its columns."""
        is_second = top > 1
        key, name, frame = MAIN, "Main bracket", ""
        if is_second:
            key, name, frame = SECOND, "Second bracket", "Second bracket {}"
        elif losers in LOSE_TWICE:
            name, frame = "Winners’ bracket", "Winners’ {}"
        self.is_second = is_second
        self.parts.append(Part(key, name, top, is_second))
        rounds = (size - 1).bit_length()
        sides: _Sides = [_Source(seed=top + seed - 1) if seed <= size else None for seed in seed_order(2**rounds)]
        columns = self._knock_out(key, sides)
        self._call(columns, frame)
        for number, column in enumerate(columns, start=1):
            for draft in column:
                if draft:
                    # A seed with a bye waits for the second round, although it is known before the first.
                    draft.round = number
        if losers in LOSE_TWICE:
            self._add_losers_bracket(columns, is_double=losers == Losers.DOUBLE, best_of=best_of)
            return columns
        self._set_places(columns, top)
        if losers == Losers.CONSOLATION:
            self._add_consolation(key, columns, top, sides)
        if losers != Losers.OUT:
            wanted = min(places_to, 4) if losers == Losers.CONSOLATION else places_to
            self._add_places(columns, top, wanted)
        return columns

    def finish(self, teams: tuple[int, ...], rounds: int, best_of: int, second: int) -> Bracket:
        """Give every draft its key and return the bracket.

        In a round of the hall the main part comes last: the final is played at the last table.
        """
        parts = tuple(sorted(self.parts, key=lambda part: (part.second, part.best)))
        importance = {part.key: index for index, part in enumerate(parts)}
        drafts = sorted(
            self.drafts, key=lambda draft: (draft.round, -importance[draft.part], draft.column, draft.position)
        )
        keys: dict[_Draft, str] = {}
        for part in parts:
            own = [draft for draft in drafts if draft.part == part.key]
            for number, draft in enumerate(own, start=1):
                keys[draft] = _key(part.key, number, len(own))

        def slot(source: _Source) -> Slot:
            winner_of = keys[source.winner_of] if source.winner_of else ""
            loser_of = keys[source.loser_of] if source.loser_of else ""
            return Slot(source.seed, winner_of, loser_of)

        matches = [
            Match(
                key=keys[draft],
                round=draft.round,
                position=draft.position,
                slots=(slot(draft.sides[0]), slot(draft.sides[1])),
                title=draft.title,
                best_of=best_of + draft.more_games,
                part=draft.part,
                column=draft.column,
                head_start=draft.head_start,
                lost=draft.lost,
                won=draft.won,
            )
            for draft in drafts
        ]
        byes = [Bye(part, column, position, slot(source)) for part, column, position, source in self.byes]
        return Bracket(teams, tuple(matches), rounds, parts, tuple(byes), second)

    def _knock_out(self, part: str, sides: _Sides) -> list[_Column]:
        """Draft a whole knock-out of a part. A column in which nobody would play is left out."""
        columns: list[_Column] = []
        while len(sides) > 1:
            pairs = list(zip(sides[::2], sides[1::2], strict=True))
            column, sides = self._play(part, len(columns) + 1, pairs)
            if _count(column):
                columns.append(column)
        return columns

    def _play(
        self, part: str, number: int, pairs: Sequence[tuple[_Source | None, _Source | None]]
    ) -> tuple[_Column, _Sides]:
        """Draft a column of a part. Returns its matches, and who is in the next one; a bye goes through."""
        column: _Column = []
        through: _Sides = []
        byes = []
        for position, (first, second) in enumerate(pairs, start=1):
            if first and second:
                draft = _Draft(part, (first, second), position, max(first.after, second.after) + 1, number)
                column.append(draft)
                through.append(_Source(winner_of=draft))
                continue
            column.append(None)
            alone = first or second
            through.append(alone)
            if alone:
                byes.append((part, number, position, alone))
        drafts = [draft for draft in column if draft]
        if drafts:
            self.drafts += drafts
            self.byes += byes
        return column, through

    def _add_losers_bracket(self, columns: list[_Column], *, is_double: bool, best_of: int) -> None:
        """Draft the losers' bracket, and the final of its winner against the one who has not lost.

        Before the losers of a round of the winners' bracket come in, those who are there play among themselves. The
        losers of every other round come in from the other end, so that nobody meets an opponent again soon.
        """
        self.parts.append(Part(LOSERS_PART, "Losers’ bracket", 3))
        played: list[_Column] = []
        sides = _losers(columns[0])
        for number, winners in enumerate(columns[1:], start=2):
            pairs = list(zip(sides[::2], sides[1::2], strict=True))
            column, sides = self._play(LOSERS_PART, len(played) + 1, pairs)
            played += [column] if _count(column) else []
            coming = _losers(winners)
            if number % 2 == 0:
                coming.reverse()
            column, sides = self._play(LOSERS_PART, len(played) + 1, list(zip(sides, coming, strict=True)))
            played.append(column)
        _set_lost(played, 2)
        for number, column in enumerate(played, start=1):
            for draft in column:
                if draft:
                    draft.title = "Losers’ final" if number == len(played) else f"Losers’ round {number}"
        if not played:
            self.parts.pop()
        unbeaten, beaten = columns[-1][0], sides[0]
        assert unbeaten is not None and beaten is not None
        final = _Draft(MAIN, (_Source(winner_of=unbeaten), beaten), 1, 1 + max(unbeaten.round, beaten.after))
        final.column, final.title, final.lost, final.won = len(columns) + 1, FINAL, 2, 1
        if is_double:
            # The one who has not lost would have to lose twice: that is a head start, not a second match.
            final.head_start, final.more_games = 1, 2
        self.drafts.append(final)

    def _add_consolation(self, part: str, columns: list[_Column], top: int, sides: _Sides) -> None:
        """Draft the consolation of those who lose their first match before the semifinals."""
        losers = _first_losers(columns, sides)
        if _count(losers) < 2:
            return
        key = CONSOLATION if part == MAIN else SECOND_CONSOLATION
        name = "Consolation" if part == MAIN else "Second bracket, consolation"
        first = next(draft for draft in columns[0] if draft)
        self.parts.append(Part(key, name, first.lost, self.is_second))
        played = self._knock_out(key, losers)
        self._call(played, "Consolation {}" if part == MAIN else "Second bracket consolation {}")
        self._set_places(played, first.lost)

    def _add_places(self, columns: list[_Column], best: int, to: int) -> None:
        """Draft matches for the places of those who lost in the same column, and so on among their losers."""
        left = 1 + sum(_count(column) for column in columns)
        for column in columns[:-1]:
            left -= _count(column)
            place = best + left
            losers = _losers(column)
            if place >= to or _count(losers) < 2:
                continue
            key = f"P{place}"
            self.parts.append(Part(key, f"For {place_word(place).lower()} place", place, self.is_second))
            played = self._knock_out(key, losers)
            self._call(played, f"{place_word(place)}-place {{}}", final=f"{place_word(place)} place")
            self._set_places(played, place)
            self._add_places(played, place, to)

    def _call(self, columns: list[_Column], frame: str, *, final: str = "") -> None:
        """Give the matches of a knock-out their titles; `frame` has a place for the name of the round."""
        for number, column in enumerate(columns, start=1):
            title = round_title(number, len(columns))
            if frame:
                title = frame.format(f"{title[:1].lower()}{title[1:]}")
            if final and number == len(columns):
                title = final
            for draft in column:
                if draft:
                    draft.title = title

    def _set_places(self, columns: list[_Column], best: int) -> None:
        """Say what place the losers of each column of a knock-out have, and its winner."""
        _set_lost(columns, best)
        final = columns[-1][0]
        assert final is not None
        final.won = best


def _set_lost(columns: list[_Column], best: int) -> None:
    """Whoever loses in a column is behind everybody who plays on: the winner, and a loser of each later match."""
    place = best + 1
    for column in reversed(columns):
        for draft in column:
            if draft:
                draft.lost = place
        place += _count(column)


def _first_losers(columns: list[_Column], sides: _Sides) -> _Sides:
    """Who loses the first match before the semifinals, from the top.

    A seed with a bye has its first match in the second round. Of two such seeds that meet there one loses it for sure.
    """
    semifinal = len(columns) - 1
    if semifinal < 2:
        return []
    losers: _Sides = []
    for index, draft in enumerate(columns[0]):
        if draft:
            losers.append(_Source(loser_of=draft))
            continue
        second = columns[1][index // 2]
        assert second is not None
        if semifinal < 3:
            losers.append(None)
        elif columns[0][index ^ 1]:
            seeded = sides[2 * index] or sides[2 * index + 1]
            assert seeded is not None
            losers.append(_Source(seed=seeded.seed, loser_of=second))
        else:
            losers.append(_Source(loser_of=second) if index % 2 == 0 else None)
    return losers


def _key(part: str, number: int, count: int) -> str:
    if part == THIRD:
        return THIRD_KEY
    if not part.startswith("P"):
        return f"{part}{number}"
    return part if count == 1 else f"{part}-{number}"
