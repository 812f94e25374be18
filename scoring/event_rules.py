"""What every rule sheet says about the event around its games: ranking, pot, byes, clocks, who sees what.

These options change no hand. They are part of the sheet because players must be able to read them on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.options import option
from scoring.standings.tiebreaks import TIEBREAKS

BOSTON_POT = frozenset({"boston_window", "best_record", "pot_entry"})


@dataclass(frozen=True, kw_only=True)
class EventRules:
    """The options that the event reads. This class will be the first part of every game's rule sheet."""

    tiebreak_order: tuple[str, ...] = option(
        ("games-won", "points", "playoff"),
        "Standings are ordered by",
        choices={entry.key: entry.words for entry in TIEBREAKS},
        group="event",
        in_order=True,
    )
    loser_points: str = option(
        "signed",
        "Points of the side that lost",
        choices={
            "signed": "its final score, even below zero",
            "zero-at-least": "its final score, but never below zero",
            "winners-only": "none; only winners keep points",
        },
        group="event",
    )
    bye: str = option(
        "game-won",
        "A bye gives",
        choices={
            "game-won": "the game and the points of an awarded game",
            "average": "the average points of the round's winners, and the game",
            "none": "nothing",
        },
        group="event",
    )
    boston_window: int | None = option(
        4,
        "The Boston pot counts Bostons in the first",
        low=1,
        high=99,
        unit="games",
        none="all games of the event",
        group="event",
    )
    best_record: str = option(
        "games-won",
        "With no Boston, the pot's best record is",
        choices={"games-won": "games won; ties share", "points": "games won, then points; ties share"},
        group="event",
    )
    pot_entry: str = option(
        "opt-in",
        "Boston pot",
        choices={"opt-in": "for those who paid into it", "every-team": "for everybody"},
        group="event",
    )
    grace_minutes: int = option(5, "Late after", low=0, high=120, unit="minutes", group="event")
    round_minutes: int | None = option(
        None,
        "A round lasts",
        low=1,
        high=600,
        unit="minutes (then the leader wins)",
        none="as long as its games do",
        group="event",
    )
    standings_visible: str = option(
        "live",
        "Standings can be seen",
        choices={
            "live": "at all times",
            "after-round": "after each round",
            "after-stage": "after the qualifying games",
            "at-end": "at the end of the event",
        },
        group="event",
    )
    first_dealer: str = option(
        "first-club",
        "First dealer",
        choices={
            "first-club": "the player who gets the first club",
            "first-diamond": "the player who gets the first diamond",
            "high-card": "the player who cuts the highest card",
            "side-one": "the first side of the sheet",
            "by-lot": "drawn at random",
            "named": "named by the officials",
        },
        group="event",
    )

    @property
    def sets_in_a_row(self) -> bool:
        """Return whether only sets in a row lose the game: then those are what an opening carries on."""
        return False

    @property
    def counts_bostons(self) -> bool:
        """Return whether the game counts Bostons, so that a pot can be paid for them."""
        return False

    def moot(self) -> frozenset[str]:
        """Name the options that mean nothing beside the others: they are not offered or printed.

        They may still be chosen; no score depends on them. Without Bostons there is no Boston pot.
        """
        return frozenset() if self.counts_bostons else BOSTON_POT

    def misfits(self) -> tuple[tuple[str, str], ...]:
        """Name options that do not go together: the option, and why. Most games have none."""
        return ()
