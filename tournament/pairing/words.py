"""What is to be said of a draw: codes and values, and the sentences that a director reads of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

REMATCH, SECOND_BYE, TOGETHER, INSTEAD, RE_SEATED = "rematch", "second-bye", "together", "instead", "re-seated"
NO_WINNER, UNSEATED, HAD_BYE, TEXT = "no-winner", "unseated", "had-bye", "text"
SENTENCES = {
    REMATCH: "{first} and {second} meet again in round {number}; they met in {met}.",
    SECOND_BYE: "Another bye for {first} in round {number}: no other way was found.",
    TOGETHER: "{first} and {second}, both of {home}, meet in round {number}.",
    INSTEAD: "With {tables} moving teams would meet again in round {number}: all-play-all is drawn instead.",
    RE_SEATED: (
        "The remaining rounds are re-seated so that nobody meets again or sits out twice where that can be avoided."
    ),
    NO_WINNER: "Nobody won at table {number} of the last round: the side listed first moves up.",
    UNSEATED: "Not at a table, and without a bye: {first}.",
    HAD_BYE: "{first} already had a bye.",
    TEXT: "{first}",
}
# What so many of a kind are called.
MANY = {REMATCH: "rematches", SECOND_BYE: "second byes", TOGETHER: "meetings within a city or club"}


class Note(NamedTuple):
    """What a draw could not avoid.

    It has a code of SENTENCES, the round or table, who, in which rounds they met, and where both are from.
    """

    said: str
    number: int = 0
    teams: tuple[str, ...] = ()
    rounds: tuple[int, ...] = ()
    home: str = ""

    def __str__(self) -> str:
        """Say it in the sentence that SENTENCES has for its code."""
        first, second = (*self.teams, "", "")[:2]
        tables = "one table" if self.number == 2 else f"{self.number - 1} tables"
        met = f"round{'s' if len(self.rounds) > 1 else ''} {', '.join(map(str, self.rounds))}"
        values = {"first": first, "second": second, "number": self.number, "home": self.home}
        return SENTENCES[self.said].format(**values, met=met, tables=tables)

    @property
    def row(self) -> dict[str, Any]:
        """The note as it is stored: what it does not have is left out."""
        return {name: value for name, value in self._asdict().items() if value}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Note:
        """Return the note that was stored."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
        }
        return cls(**values)


def rounds_text(numbers: Iterable[int]) -> str:
    """Say some rounds: “round 3”, “rounds 2–6”."""
    rounds = sorted(numbers)
    if len(rounds) == 1:
        return f"round {rounds[0]}"
    gaps = rounds[-1] - rounds[0] >= len(rounds)
    return f"rounds {', '.join(str(one) for one in rounds)}" if gaps else f"rounds {rounds[0]}–{rounds[-1]}"
