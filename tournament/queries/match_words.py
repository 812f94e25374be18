"""What a game of the playoffs says of its match where losers play on: which one it is, and where its two sides go on.

Both follow from the form of the playoffs alone, so that no game has to be read to say them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tournament.models import Event
from tournament.pairing.bracket import Bracket, Form, Match, build_bracket


class MatchWords(NamedTuple):
    """The `title` of a match with its key, such as “Losers’ round 2 · L3”, and where its two sides go on.

    All is empty for a single bracket, where the title of the round says it. After the last match of a part nobody goes
    on.
    """

    title: str = ""
    winner_to: str = ""
    loser_to: str = ""

    @property
    def to(self) -> str:
        """Where they go on, for everybody: “Winner: L5 · loser: out”."""
        return f"Winner: {self.winner_to} · loser: {self.loser_to}" if self.winner_to else ""

    @property
    def own(self) -> str:
        """The same for a team that plays it: “Win: L5 · lose: out”."""
        return f"Win: {self.winner_to} · lose: {self.loser_to}" if self.winner_to else ""


NOTHING_TO_SAY = MatchWords()


def match_words(event: Event, key: str) -> MatchWords:
    """What is said of the match with this key; nothing for a game that is not one of the playoffs."""
    if not key or not event.cut or event.stage not in ("playoffs", "over"):
        return NOTHING_TO_SAY
    return _words_of_all(event.cut, event.playoff_form).get(key, NOTHING_TO_SAY)


@lru_cache(maxsize=64)
def _words_of_all(cut: int, form: Form) -> dict[str, MatchWords]:
    drawn = build_bracket(range(cut + form.second), form=form)
    if drawn.is_plain:
        return {}
    return {match.key: words_of(drawn, match) for match in drawn.matches}


def words_of(drawn: Bracket, match: Match) -> MatchWords:
    """What is said of a match of a bracket in which losers play on."""
    title = f"{match.title} · {match.key}"
    if match.won is not None:
        return MatchWords(title)
    winner_to, loser_to = "", "out"
    for later in drawn.matches:
        for slot in later.slots:
            if slot.winner_of == match.key:
                winner_to = later.key
            elif slot.loser_of == match.key:
                loser_to = later.key if slot.seed is None else f"{later.key} if it is seed {slot.seed}"
    return MatchWords(title, winner_to, loser_to)
