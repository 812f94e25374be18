"""How fast the player plays: a hand every few seconds for people who look on, and without a pause for tests."""

from __future__ import annotations

from typing import NamedTuple


class Pace(NamedTuple):
    """How long the player waits, all in seconds.

    Between two hands; how long one table may hold the round alone before it is played, too; how late the late team
    comes; how long a call is open before somebody answers it.
    """

    hand: float
    alone: float = 60
    late: float = 90
    call: float = 9

    @property
    def words(self) -> str:
        return f"1 hand every {self.hand:g} s"


LOOKING_ON, DIRECTING, AT_ONCE = Pace(4), Pace(3), Pace(0, 0, 0, 0)
