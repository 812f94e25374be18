"""Sheets that were typed from paper: who typed them, whether a second person compared them, and which ones wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Prefetch, Q, Subquery, prefetch_related_objects

from tournament.models import (
    Entry,
    Event,
    Game,
    Round,
    Verification,
)
from tournament.models.game import OPENING
from tournament.models.stored import author, shown_author
from tournament.queries.scored import active_entries, sides_with_teams
from tournament.words.phrases import VERIFY_STATES, clock_time

PAPER = "paper"
WAITING, REJECTED, VERIFIED, TYPED = "waiting", "rejected", "verified", "typed"
# The last person who compared the current sheet did not accept it, or nobody has: no other rows are needed to know.
UNSETTLED = Q(accepted=None) | Q(accepted=False)


@dataclass(frozen=True, slots=True)
class PaperFacts:
    """A sheet that came from paper.

    `named` are those who typed it, by their own names.

    `totals` means that it begins with totals whose hands nobody can recompute; `compared` whether the event wants a
    second person to compare it.
    """

    typed_by: tuple[str, ...]
    typed_at: datetime
    totals: bool
    look: Verification | None
    compared: bool = True
    named: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        if self.look is None:
            return WAITING if self.compared else TYPED
        return VERIFIED if self.look.accepted else REJECTED

    @property
    def words(self) -> str:
        return VERIFY_STATES.get(self.state, "")

    @property
    def tone(self) -> str:
        return {REJECTED: "heart", WAITING: "gold"}.get(self.state, "")

    @property
    def waits(self) -> bool:
        """Whether somebody still has to look at it, or to correct it."""
        return self.state in (WAITING, REJECTED)

    @property
    def on_card(self) -> str:
        """“from paper, not verified”, as a table's card has room for it."""
        what = "paper totals" if self.totals else "from paper"
        return f"{what}, {self.words.lower()}" if self.words else what

    @property
    def flagged(self) -> bool:
        """Whether it has totals without their hands that nobody has compared."""
        return self.totals and self.waits

    def said(self, zone: str) -> str:
        """“Typed from paper by vic; verified by dana at 14:05”, by the clock of the hall."""
        what = "Totals continued from paper" if self.totals else "Typed from paper"
        typed = f"{what} by {' and '.join(self.named)}" if self.named else what
        if self.look is None:
            return f"{typed}; not verified yet" if self.compared else typed
        done = "verified" if self.look.accepted else "rejected"
        return f"{typed}; {done} by {self.look.name} at {clock_time(self.look.made_at, zone)}" + (
            f": {self.look.reason}" if self.look.reason else ""
        )


@dataclass(frozen=True, slots=True)
class VerifyQueue:
    """The sheets that came from paper. `typists` are all who typed one; the counts are of all of them."""

    sheets: tuple[tuple[Game, PaperFacts], ...]
    typists: tuple[str, ...]
    counts: tuple[tuple[str, str, int], ...]


def paper_of(
    entries: Iterable[Entry], looks: Iterable[Verification], code: str, *, compared: bool
) -> PaperFacts | None:
    """The typed sheet from a game's entries and looks; None if nothing that counts came from paper.

    Somebody who corrected a line from paper has typed it as well.
    """
    entries = list(entries)
    from_paper = {entry.position for entry in entries if entry.source == PAPER}
    lines = [entry for entry in active_entries(entries) if entry.position in from_paper]
    if not lines:
        return None
    names = [author(line.by, line.entered_by) for line in lines if line.by or line.entered_by is not None]
    look = next((look for look in sorted(looks, key=lambda look: look.pk, reverse=True) if look.code == code), None)
    shown = [shown_author(line.by, line.entered_by) for line in lines if line.by or line.entered_by is not None]
    typists, named = (tuple(dict.fromkeys(people)) for people in (names, shown))
    typed_at = max(entry.entered_at for entry in entries if entry.source == PAPER)
    return PaperFacts(typists, typed_at, lines[0].kind == OPENING, look, compared, named)


def papers_of(rounds: Sequence[Round]) -> dict[int, PaperFacts]:
    """The sheets of some rounds that came from paper, by game, in a constant number of queries."""
    return _facts(_from_paper(Q(round__in=rounds)))


def papers_at_desk(event: Event, round_: Round) -> tuple[dict[int, PaperFacts], int]:
    """The sheets of a round that came from paper, by game; and how many in the whole event wait, read with them."""
    games = _from_paper(Q(round=round_) | Q(UNSETTLED, round__event=event))
    papers = _facts(games)
    here = {game.pk: papers[game.pk] for game in games if game.round_id == round_.pk and game.pk in papers}
    return here, sum(paper.waits for paper in papers.values())


def verify_queue(event: Event, state: str = "", typist: str = "") -> VerifyQueue:
    """The sheets in one state (waiting by default) and of one typist, oldest first."""
    games = _from_paper(Q(round__event=event))
    prefetch_related_objects(games, sides_with_teams())
    papers = _facts(games)
    states = Counter(paper.state for paper in papers.values())
    counts = tuple((key, words, states[key]) for key, words in VERIFY_STATES.items())
    wanted = state if state in VERIFY_STATES else WAITING
    sheets = [(game, papers[game.pk]) for game in games if game.pk in papers and papers[game.pk].state == wanted]
    shown = [(game, paper) for game, paper in sheets if not typist or typist in paper.typed_by]
    typists = sorted({name for paper in papers.values() for name in paper.typed_by})
    return VerifyQueue(tuple(sorted(shown, key=lambda sheet: sheet[1].typed_at)), tuple(typists), counts)


def waiting_sheets(event: Event, round_: Round | None = None) -> tuple[Game, ...]:
    """The games whose sheet waits or was rejected; of one round or of all."""
    games = _from_paper(Q(UNSETTLED, round=round_) if round_ else Q(UNSETTLED, round__event=event))
    papers = _facts(games)
    return tuple(game for game in games if game.pk in papers and papers[game.pk].waits)


def _from_paper(where: Q) -> list[Game]:
    paper = Entry.objects.filter(game=OuterRef("pk"), source=PAPER)
    verifications = Verification.objects.filter(game=OuterRef("pk"), code=OuterRef("result__code")).order_by("-pk")
    games = Game.objects.alias(accepted=Subquery(verifications.values("accepted")[:1])).filter(where, Exists(paper))
    entries = Prefetch("entries", Entry.objects.select_related("entered_by"))
    games = games.select_related("round__event", "result").prefetch_related(entries, "verifications")
    return list(games.order_by("round__number", "table", "leg"))


def _facts(games: Sequence[Game]) -> dict[int, PaperFacts]:
    papers = {game.pk: _paper(game) for game in games}
    return {pk: paper for pk, paper in papers.items() if paper is not None}


def _paper(game: Game) -> PaperFacts | None:
    verifications, compared = game.verifications.all(), game.round.event.compares_paper
    return paper_of(game.entries.all(), verifications, game.result.code, compared=compared)
