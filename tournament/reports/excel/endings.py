"""The end of a game as formulas: hidden steps; the first that is not zero names the winner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tournament.queries.score_workbooks import LETTERS, TAKEN_ROW, Boards, Finish, ending_keys, pays_bonus
from tournament.reports.excel.prices import Lookup

# A side with no players never has the best score.
NOWHERE = -1_000_000


class Endings:
    """The formulas that tell a board that its game is over.

    `at` returns the cell of a column and a row.
    """

    def __init__(self, boards: Boards, finish: Finish, at: Callable[[str, int], str], first: int) -> None:
        self.boards, self.finish, self.at, self.first = boards, finish, at, first
        self.sides = range(boards.sides)
        self.keys = ending_keys(boards, finish)
        self.steps = [key for key in self.keys if key.startswith("by-") and key != "by-unbid"]
        self.has_bonus = pays_bonus(boards, finish)

    def taken(self, side: int) -> str:
        """The cell that says whether a side has players: above the hidden column of its prices."""
        return self.at(f"at-{side}", TAKEN_ROW).replace(str(TAKEN_ROW), f"${TAKEN_ROW}")

    def is_stopped(self, row: int) -> str:
        """Whether a line is beyond the end: the game was over before it, or all deals were played."""
        won, hands = self._before("won", row), self._before("hands", row)
        return f"{won}>0" if self.boards.deals is None else f"OR({won}>0,{hands}>={self.boards.deals})"

    def bonus(self, side: int, row: int, lookups: Sequence[Lookup]) -> str:
        """What winning adds to the points of a side, with its sign; empty if a win pays nothing."""
        if not self.has_bonus:
            return ""
        finish, paid = self.finish, "0"
        for key, points in (("by-door", str(finish.back_door_bonus)), ("by-sets", str(finish.sets_bonus))):
            if key in self.keys:
                paid = f"IF({self.at(key, row)}>0,{points},{paid})"
        if "by-hand" in self.keys:
            paid = f"IF({self.at('by-hand', row)}>0,{lookups[0].bid('bonus')},{paid})"
        return f"+IF({self.at('won', row)}={side + 1},{paid},0)"

    def cells(self, row: int, lookups: Sequence[Lookup], written: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The formula of each step in a line, by its column; then the formula of the words."""
        of_a_side: dict[str, Callable[[int], str]] = {
            "running": lambda side: self._running(side, row, lookups[side]),
            "raw": lambda side: f'IF({self._is_priced(side, row)},{lookups[side].part("own")},"")',
            "reach": lambda side: self._reach(side, row),
            "out": lambda side: self._out(side, row),
        }
        of_all: dict[str, Callable[[], str]] = {
            "hands": lambda: self._hands(row),
            "by-unbid": lambda: self._by_unbid(row, lookups),
            "by-hand": lambda: self._by_hand(lookups),
            "by-sets": lambda: self._lost(row, 2),
            "by-door": lambda: self._by_door(row, lookups),
            "by-low": lambda: self._lost(row, 1),
            "by-score": lambda: self._by_score(row, lookups),
            "best": lambda: f"MAX({','.join(self._standing(side, row) for side in self.sides)})",
            "by-deals": lambda: self._by_deals(row),
            "won": lambda: self._won(row),
        }
        for key in self.keys:
            name, _, side = key.rpartition("-")
            yield key, f"={of_all[key]() if key in of_all else of_a_side[name](int(side))}"
        yield "over", f"={self._words(row, written)}"

    def result(self, last: int) -> str:
        """How the game ended, for the text above the board."""
        won = f"MAX({self.at('won', self.first)}:{self.at('won', last)})"
        return f'=IF({won}>0,{self._who(won)},"")'

    def _before(self, key: str, row: int) -> str:
        return self.at(key, row - 1) if row > self.first else "0"

    def _is_priced(self, side: int, row: int) -> str:
        return f"N({self.at(f'at-{side}', row)})=1"

    def _score(self, side: int, row: int) -> str:
        """The score of a side with this hand, before a bonus for winning."""
        return self.at(f"{'reach' if self.has_bonus else 'score'}-{side}", row)

    def _reach(self, side: int, row: int) -> str:
        raw, before = self.at(f"raw-{side}", row), self._before(f"score-{side}", row)
        return f'IF(AND(ISNUMBER({raw}),ISNUMBER({before})),{before}+{raw},"")'

    def _running(self, side: int, row: int, lookup: Lookup) -> str:
        """Sets in a row: a made bid resets them; a hand without a bid leaves them unchanged."""
        before = self._before(f"running-{side}", row)
        counted = f"IF({lookup.part('set')}>0,{before}+1,IF({lookup.part('bid')}>0,0,{before}))"
        return f"IF({self._is_priced(side, row)},{counted},{before})"

    def _out(self, side: int, row: int) -> str:
        """2 if a side loses by sets, 1 if its score fell too low, 0 otherwise."""
        finish, low = self.finish, "0"
        if finish.lose_at is not None:
            low = f"IF({self._score(side, row)}<={finish.lose_at},1,0)"
        sets = [f"{self.at(f'sets-{side}', row)}>={finish.sets}"] if finish.sets is not None else []
        if finish.sets_in_a_row is not None:
            sets.append(f"{self.at(f'running-{side}', row)}>={finish.sets_in_a_row}")
        return f"IF(OR({','.join(sets)}),2,{low})" if sets else low

    def _hands(self, row: int) -> str:
        """The hands so far: a hand counts when every side has its points, unless everybody passed."""
        ats = [self.at(f"at-{side}", row) for side in self.sides]
        points = [self.at(f"{'raw' if self.has_bonus else 'change'}-{side}", row) for side in self.sides]
        seen = "+".join(f'({cell}<>"")' for cell in ats)
        seats = self.seats_taken()
        conditions = [f"{seen}={seats}", f"COUNT({','.join(points)})={seats}", f"{ats[0]}<>0"]
        return f"{self._before('hands', row)}+IF(AND({','.join(conditions)}),1,0)"

    def seats_taken(self) -> str:
        """How many sides have players."""
        return str(self.boards.sides) if self.boards.sides == 2 else f"({'+'.join(map(self.taken, self.sides))})"

    def _ahead(self, row: int) -> str:
        first, second = (self._score(side, row) for side in self.sides)
        return f"IF({first}>{second},1,IF({second}>{first},2,0))"

    def _by_unbid(self, row: int, lookups: Sequence[Lookup]) -> str:
        """Who wins a first hand without bids: the side that took enough tricks, if the other side did not."""
        least = self.finish.unbid_least
        if least is None:
            return "0"
        first, second = (f"{lookup.took}<{least}" for lookup in lookups)
        return f"IF(AND({first},{second}),{self._ahead(row)},IF({first},2,IF({second},1,0)))"

    def _by_hand(self, lookups: Sequence[Lookup]) -> str:
        """Who wins by this hand alone: by either side's bid, or by the bidders' bid."""
        first, second = lookups[0], lookups[-1]
        if first.who:
            return f"CHOOSE(2+SIGN({first.bid('wins')})*IF({first.who},1,-1),2,0,1)"
        return f"IF({first.part('wins')}>0,1,IF({second.part('wins')}>0,2,0))"

    def _lost(self, row: int, worst: int) -> str:
        """Who wins if a side lost by sets (2) or by its score (1); if both lost, the higher score wins."""
        first, second = (self.at(f"out-{side}", row) for side in self.sides)
        alone = f"IF({first}>0,2,1)"
        return f"IF(MAX({first},{second})={worst},IF(AND({first}>0,{second}>0),{self._ahead(row)},{alone}),0)"

    def _by_door(self, row: int, lookups: Sequence[Lookup]) -> str:
        """The bidders went out the back door: at the losing score, below the other side."""
        first, second = (self._score(side, row) for side in self.sides)
        low = self.finish.lose_at
        of_first = f"IF(AND({first}<={low},{first}<{second}),2,0)"
        of_second = f"IF(AND({second}<={low},{second}<{first}),1,0)"
        out = f"IF({lookups[0].who},{of_first},{of_second})"
        is_first = f"{self._before('hands', row)}=0"
        return f"IF({is_first},{out},0)" if self.finish.back_door == "first-hand" else out

    def _by_score(self, row: int, lookups: Sequence[Lookup]) -> str:
        first, second = (self._score(side, row) for side in self.sides)
        target, high, low = self.finish.win_at, f"MAX({first},{second})", f"MIN({first},{second})"
        if self.finish.win_by == "bidder":
            bidder = f"IF({lookups[0].who},1,2)"
            return f"IF({low}>={target},{bidder},IF({high}>={target},{self._ahead(row)},0))"
        is_won = f"{high}>={target}"
        if self.finish.win_by == "broken-tie":
            before = [self._before(f"score-{side}", row) for side in self.sides]
            is_won = f"OR({is_won},AND({before[0]}={before[1]},N({before[0]})>={target}))"
        if self.finish.win_by == "lead":
            shut_out, ahead, at_target = self.finish.lead
            by = f"{high}-{low}"
            is_won = f"OR(AND({high}>={shut_out},{low}=0),{by}>={ahead},AND({high}>={target},{by}>={at_target}))"
        return f"IF({is_won},{self._ahead(row)},0)"

    def _standing(self, side: int, row: int) -> str:
        """The score of a side, or a score far below all others if the side has no players."""
        score = self._score(side, row)
        return score if self.boards.sides == 2 else f"IF({self.taken(side)}>0,{score},{NOWHERE})"

    def _by_deals(self, row: int) -> str:
        """After the last deal the best score wins; if several share it, it is a draw or an extra hand decides."""
        best = self.at("best", row)
        level = [f"({self._standing(side, row)}={best})" for side in self.sides]
        winner = "0"
        for side in reversed(self.sides):
            winner = f"IF({level[side]},{side + 1},{winner})"
        tied = "0" if self.boards.may_need_one_more else str(self.boards.sides + 1)
        return f"IF({self.at('hands', row)}>={self.boards.deals},IF({'+'.join(level)}>1,{tied},{winner}),0)"

    def _won(self, row: int) -> str:
        """The first step that names a winner, once every side has its points."""
        before, won = self._before("won", row), "0"
        for key in reversed(self.steps):
            cell = self.at(key, row)
            won = f"IF({cell}>0,{cell},{won})"
        if self.finish.unbid:
            # An unbid hand ends the game in no other way, except as the last hand of the schedule.
            later = self.at("by-deals", row) if "by-deals" in self.keys else "0"
            unbid = self.at("by-unbid", row)
            won = f"IF({self._is_unbid(row)},IF({unbid}>0,{unbid},{later}),{won})"
        scores = ",".join(self._score(side, row) for side in self.sides)
        is_known = f"AND({self.at('hands', row)}>{self._before('hands', row)},COUNT({scores})={self.boards.sides})"
        return f"IF({before}>0,{before},IF({is_known},{won},0))"

    def _is_unbid(self, row: int) -> str:
        bids = ",".join(self.bids(row))
        return f"AND({self._before('hands', row)}=0,COUNTA({bids})=0)"

    def bids(self, row: int) -> list[str]:
        """The cells of a line in which bids are written."""
        fields = [field for field in self.boards.fields if field.key == "bids"]
        return [
            self.at(f"{field.name or field.key}-{index}", row)
            for field in fields
            for index in range(self.boards.places(field))
        ]

    def _words(self, row: int, written: Sequence[str]) -> str:
        won, before = self.at("won", row), self._before("won", row)
        late = f'IF({before}>0,IF(COUNTA({",".join(written)})>0,"After the end: not counted",""),'
        more = '""'
        if self.boards.may_need_one_more:
            tied = f"AND({self._before('hands', row)}>={self.boards.deals},COUNTA({','.join(written)})>0)"
            more = f'IF({tied},"Tied: this hand decides","")'
        return f"{late}IF({won}>0,{self._who(won)},{more}))"

    def _who(self, won: str) -> str:
        words = [f'"Game over: {letter} won"' for letter in LETTERS[: self.boards.sides]]
        return f'CHOOSE({won},{",".join(words)},"Game over: a draw")'
