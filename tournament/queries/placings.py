"""Decisions about the bracket after a correction: what is asked of the director, and what was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.models import Event, Placing
from tournament.pairing.bracket import Decided, Progress
from tournament.words.journal import PLACINGS
from tournament.words.saying import say

SEEDS = "seeds"


@dataclass(frozen=True, slots=True)
class Question:
    """A corrected match whose loser has played on, or seeds that are not those of the draw any more.

    `before` had gone on, `after` would go on by the results; team numbers, for the seeds all of them in order.
    `decided` is keep, replay, or nothing while the director is asked.
    """

    source: str
    title: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    text: str
    facts: Mapping[str, str]
    decided: str

    def code(self, kind: str) -> str:
        """Return the code of what is decided, keep or replay: the seeds have words of their own."""
        return kind if self.facts else f"{kind}-seeds"

    @property
    def keep_words(self) -> str:
        return say(PLACINGS[self.code("keep")], self.facts)

    @property
    def replay_words(self) -> str:
        return say(PLACINGS[self.code("replay")], self.facts)


def placings(event: Event) -> tuple[Placing, ...]:
    """What was drawn and decided, the latest last."""
    return tuple(Placing.objects.filter(event=event).order_by("number"))


def drawn_seeds(made: Sequence[Placing]) -> tuple[int, ...]:
    """The seeds with which the bracket was drawn; nothing before its first game."""
    return next((tuple(one.before) for one in made if one.kind == "drawn"), ())


def match_decisions(made: Sequence[Placing]) -> dict[str, Decided]:
    return {
        one.source: Decided(one.before[0], one.after[0], one.kind == "keep")
        for one in made
        if one.kind in ("keep", "replay") and one.source != SEEDS and one.before and one.after
    }


def put_out(made: Sequence[Placing]) -> dict[str, frozenset[int]]:
    """The matches from which both teams were put out, with these two teams."""
    latest = {one.source: one for one in made if one.kind in ("out", "in")}
    return {source: frozenset(one.before) for source, one in latest.items() if one.kind == "out"}


def seeds_decision(made: Sequence[Placing], before: tuple[int, ...], after: tuple[int, ...]) -> str:
    latest = next((one for one in reversed(made) if one.source == SEEDS and one.kind in ("keep", "replay")), None)
    same = latest is not None and (tuple(latest.before), tuple(latest.after)) == (before, after)
    return latest.kind if latest is not None and same else ""


def match_questions(progress: Progress, names: Mapping[int, str]) -> tuple[Question, ...]:
    """The matches whose result was changed after somebody had gone on from them."""
    found = []
    for state in progress.states:
        if state.asked is None or state.winner is None:
            continue
        old, new = names[state.asked], names[state.winner]
        where = f"{state.match.title}, {state.match.key}"
        decided = "keep" if state.kept else "replay" if state.through else ""
        found.append(
            Question(
                source=state.match.key,
                title=where,
                before=(state.asked,),
                after=(state.winner,),
                text=f"{where}: {new} won it by the corrected sheet, but {old} already played on.",
                facts={"old": old, "new": new},
                decided=decided,
            )
        )
    return tuple(found)


def seeds_question(before: tuple[int, ...], after: tuple[int, ...], names: Mapping[int, str], decided: str) -> Question:
    """The standings give other seeds than those of the draw."""
    moved = [f"seed {place} {names[new]} (was {names[old]})" for place, (old, new) in _moved(before, after)]
    return Question(
        source=SEEDS,
        title="Seeds",
        before=before,
        after=after,
        text=f"The standings were corrected: the seeding has changed since the bracket was drawn: {', '.join(moved)}.",
        facts={},
        decided=decided,
    )


def _moved(before: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[int, tuple[int, int]]]:
    pairs = enumerate(zip(before, after, strict=False), start=1)
    return [(place, pair) for place, pair in pairs if pair[0] != pair[1]]
