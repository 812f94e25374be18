"""What the director is asked after a correction: keep what was made from results that have changed, or replay it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.ledger import listed
from tournament.models import Placing
from tournament.pairing.progress import Decided, Progress
from tournament.queries.placings import SEEDS, decision_on
from tournament.queries.standings import Standings
from tournament.queries.tie_breaks import PREFIX
from tournament.words.journal import PLACINGS
from tournament.words.sentences import say


@dataclass(frozen=True, slots=True)
class KeepOrReplay:
    """Something that was made from results which have changed since: a match, the seeds, a tie-break or a round's draw.

    `before` had gone on, `after` would go on by the results; team numbers, for seeds and draws all of them in order.
    `decided` is keep, replay, or nothing while the director is asked; `about` is seeds, lots or draw, and nothing for a
    match; `undo` says that a match was paired again without asking, because no hand was written, and none is yet.
    """

    source: str
    title: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    text: str
    facts: Mapping[str, Any]
    decided: str
    about: str = ""
    undo: bool = False

    def code(self, kind: str) -> str:
        """Return the code of what is decided, keep or replay: each of them has words of its own."""
        return f"{kind}-{self.about}" if self.about else kind

    @property
    def keep_words(self) -> str:
        return say(PLACINGS[self.code("keep")], self.facts)

    @property
    def replay_words(self) -> str:
        return say(PLACINGS[self.code("replay")], self.facts)


def match_decisions(placings: Sequence[Placing]) -> dict[str, Decided]:
    return {
        placing.source: Decided(placing.before[0], placing.after[0], placing.kind == "keep")
        for placing in placings
        if placing.kind in ("keep", "replay") and placing.source != SEEDS and placing.before and placing.after
    }


def put_out(placings: Sequence[Placing]) -> dict[str, frozenset[int]]:
    """The matches from which both teams were put out, with these two teams."""
    latest = {placing.source: placing for placing in placings if placing.kind in ("out", "in")}
    return {source: frozenset(placing.before) for source, placing in latest.items() if placing.kind == "out"}


def match_questions(
    progress: Progress, names: Mapping[int, str], decisions: Mapping[str, Decided], written: Collection[str]
) -> tuple[KeepOrReplay, ...]:
    """The matches whose result was changed after somebody had gone on from them.

    `written` are those from which a match follows in which something is written as it is paired now.
    """
    questions = []
    for state in progress.states:
        if state.asked is None or state.winner is None:
            continue
        old, new = names[state.asked], names[state.winner]
        where = f"{state.match.title}, {state.match.key}"
        decided = "" if state.undecided else "keep" if state.stays else "replay"
        decision = decisions.get(state.match.key)
        is_made = decision is not None and (decision.before, decision.after) == (state.asked, state.winner)
        undo = decided == "replay" and not is_made and state.match.key not in written
        questions.append(
            KeepOrReplay(
                source=state.match.key,
                title=where,
                before=(state.asked,),
                after=(state.winner,),
                text=f"{where} was corrected before a hand was played: {new} advances instead of {old}."
                if undo
                else f"{where}: {new} won it by the corrected sheet, but {old} already played on.",
                facts={"old": old, "new": new},
                decided=decided,
                undo=undo,
            )
        )
    return tuple(questions)


def seeds_question(
    before: tuple[int, ...], after: tuple[int, ...], names: Mapping[int, str], decided: str
) -> KeepOrReplay:
    """The standings give other seeds than those of the draw."""
    moved = [f"seed {seed} {names[new]} (was {names[old]})" for seed, (old, new) in _moved(before, after)]
    return KeepOrReplay(
        source=SEEDS,
        title="Seeds",
        before=before,
        after=after,
        text=f"The standings were corrected: the seeding has changed since the bracket was drawn: {', '.join(moved)}.",
        facts={},
        decided=decided,
        about=SEEDS,
    )


def lots_question(table: Standings) -> tuple[KeepOrReplay, ...]:
    """A tie-break that was for more teams than it decides between now."""
    if table.old_break is None:
        return ()
    attempt, level = table.old_break
    source, names = f"{PREFIX}{attempt.number}", table.books.names
    old, new = (listed(names[team] for team in sorted(teams)) for teams in (attempt.teams, level))
    what = f"lots drawn among {old} decide" if attempt.method in ("lots", "bye") else f"tie-break among {old} decides"
    text = f"{new} are now tied at the cut: the {what} between them."
    decided = decision_on(table.placings, source, attempt.teams, level)
    return (KeepOrReplay(source, "Tie at the cut", attempt.teams, level, text, {"teams": new}, decided, "lots"),)


def _moved(before: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[int, tuple[int, int]]]:
    pairs = enumerate(zip(before, after, strict=False), start=1)
    return [(seed, pair) for seed, pair in pairs if pair[0] != pair[1]]
