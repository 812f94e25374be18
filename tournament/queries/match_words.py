"""What a game of the playoffs says of its match where losers play on: which one it is, and where its two sides go on.

Both follow from the form of the playoffs alone, so that no game has to be read to say them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tournament.models import Event
from tournament.pairing.bracket import Bracket, Losers, Match, build_bracket
from tournament.words.phrases import LOSERS, WHO_LOSES


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


def form_words(event: Event) -> str:
    """What losers and the others play, in a sentence or two; nothing for a single bracket without third place."""
    if not event.cut:
        return ""
    form = event.playoff_form
    told = [] if form.losers == Losers.OUT else [f"Who loses a match {WHO_LOSES[form.answer]}."]
    if form.second:
        losers = LOSERS[form.second_losers]
        told.append(f"The next {form.second} play a second bracket: who loses a match there {losers}.")
    return " ".join(told)


def words_by_match(event: Event) -> Mapping[str, MatchWords]:
    """What is said of each match, by its key; nothing before the cut, and nothing for a single bracket.

    Every call builds the bracket: a page of many games calls it once.
    """
    if not event.cut or event.stage not in ("playoffs", "over"):
        return {}
    form = event.playoff_form
    drawn = build_bracket(range(event.cut + form.second), form=form)
    if drawn.is_plain:
        return {}
    return {match.key: words_of(drawn, match) for match in drawn.matches}


def match_words(event: Event, key: str) -> MatchWords:
    """What is said of the match with this key; nothing for a game that is not one of the playoffs."""
    return words_by_match(event).get(key, NOTHING_TO_SAY) if key else NOTHING_TO_SAY


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
