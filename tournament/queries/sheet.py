"""A game's sheet as plain data: for the tablet, the desk, the printed sheet and the workbook alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from scoring.document import read_entry
from scoring.game import NextHand, VoidChoice
from scoring.ledger import Carry, Line
from scoring.points import game_points
from scoring.words import named
from tournament.models import Call, Entry, Game, Side
from tournament.models.entry import OPENING, REMOVED, SET_ASIDE
from tournament.phrases import CALLED, SOURCES
from tournament.queries.authors import author
from tournament.queries.deals import Deal, coming_deals
from tournament.queries.lines import active_entries, next_position, opening_carry, sheet_code
from tournament.queries.lineup import lineup
from tournament.queries.rules import Ruleset, ruleset_at
from tournament.queries.sides import sides_with_teams
from tournament.queries.signatures import SignatureFacts, signature_facts
from tournament.queries.verification import PaperFacts, paper_of
from tournament.queries.wording import Written, how_words, players_of, write_down


@dataclass(frozen=True, slots=True)
class SideFacts:
    """A side of the table: the team and its players, in seat order."""

    index: int
    team: int
    number: int
    name: str
    players: tuple[str, ...]
    seated_at: datetime | None


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat: its side and who sits there (the team's name where no player is known)."""

    seat: int
    side: int
    name: str
    team: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the sheet. `number` counts the hands that score; it is None for everything else.

    `facts` are the line as the game document has it. `struck` holds the earlier versions of the same line, oldest
    first. Lists have one value per side.
    """

    entry: int
    position: int
    revision: int
    number: int | None
    kind: str
    facts: dict[str, Any]
    dealer: SeatFacts | None
    written: Written
    deltas: tuple[int, ...]
    scores: tuple[int, ...]
    sets: tuple[int, ...]
    bags: tuple[int, ...]
    lines: tuple[Line, ...]
    leader: int | None
    boston: int | None
    ends_game: bool
    by: str
    source: str
    reason: str
    at: datetime
    struck: tuple[Struck, ...]


@dataclass(frozen=True, slots=True)
class Struck:
    """A version of a line that no longer counts, and who struck it through, when and why."""

    written: Written
    by: str
    source: str
    at: datetime
    reason: str
    struck_by: str
    struck_at: datetime | None
    struck_reason: str
    struck_cause: str
    position: int


@dataclass(frozen=True, slots=True)
class CallFacts:
    """The table's open call for the director; `said` is what it is about, as a sentence."""

    pk: int
    kind: str
    words: str
    at: datetime

    @property
    def said(self) -> str:
        return CALLED[self.kind]


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game with everything that stands on its sheet. Lists have one value per side, in side order.

    `totals` are those that the game was carried on from, as they were typed; `opening` their scores. `voids` are the
    reasons for which the hand in play may be called void.
    """

    pk: int
    event: str
    slug: str
    date: date
    place: str
    sheet_key: str
    sheet_title: str
    options: tuple[tuple[str, str], ...]
    game_key: str
    word: str
    round_number: int
    round: str
    stage: str
    table: int
    leg: int
    match: str
    state: str
    version: int
    sides: tuple[SideFacts, ...]
    seats: tuple[SeatFacts, ...]
    opening: tuple[int, ...] | None
    totals: dict[str, Any] | None
    rows: tuple[Row, ...]
    removed: tuple[Struck, ...]
    scores: tuple[int, ...]
    sets: tuple[int, ...]
    bags: tuple[int, ...]
    bostons: tuple[int, ...]
    points: tuple[int, ...]
    hands: int
    over: bool
    winner: int | None
    how: str
    how_words: str
    rule: str
    text: str
    code: str
    paper: PaperFacts | None
    signatures: tuple[SignatureFacts, ...]
    call: CallFacts | None
    next: NextHand | None
    next_position: int
    coming: tuple[Deal, ...]
    begun: bool
    voids: tuple[VoidChoice, ...] = ()

    @property
    def winner_side(self) -> SideFacts | None:
        return None if self.winner is None else self.sides[self.winner]

    @property
    def set_aside(self) -> tuple[Struck, ...]:
        """Lines that stand behind the end of the game since a correction, as they last stood."""
        last = {one.position: one for one in self.removed}
        return tuple(one for _, one in sorted(last.items()) if one.struck_cause == SET_ASIDE)

    @property
    def single(self) -> bool:
        """Whether everybody plays alone: then a side is a player."""
        return len(self.seats) == len(self.sides)

    @property
    def unbegun(self) -> bool:
        """Whether nothing counts yet: until then somebody else may deal first."""
        return not self.rows and self.opening is None

    @property
    def everybody_bids(self) -> bool:
        """Whether the sheet has a bid of everybody; in Bid Whist one side wins the bid."""
        return self.game_key != "bid_whist"

    @property
    def dealer(self) -> SeatFacts | None:
        """Who deals the next hand."""
        return None if self.next is None else self.seats[self.next.dealer]

    @property
    def unsigned(self) -> tuple[SideFacts, ...]:
        """The sides that still have to sign a finished game."""
        signed = {signature.side for signature in self.signatures}
        return tuple(side for side in self.sides if side.index not in signed) if self.over else ()


def sheet_games() -> Any:
    """Games with all that `game_sheet` reads: a constant number of queries for any number of games."""
    return Game.objects.select_related("round__event", "result").prefetch_related(
        sides_with_teams(),
        "sides__team__players",
        "sides__team__substitutions",
        "entries__entered_by",
        "entries__device",
        "signatures__witness",
        "calls",
        "verifications",
    )


def game_sheet(game: Game) -> GameSheet:
    """The sheet of a game that came from `sheet_games()`."""
    event = game.round.event
    rules = ruleset_at(game)
    sides = tuple(_side(side, game.round.number) for side in sorted(game.sides.all(), key=lambda side: side.index))
    seats = seats_of(sides, rules, game.first_dealer)
    entries = sorted(game.entries.all(), key=lambda entry: (entry.position, entry.revision))
    active = active_entries(entries)
    begin = opening_carry(rules, active)
    totals = next((entry.facts for entry in active if entry.kind == OPENING), None)
    rows, carry = _rows(rules, seats, sides, entries, active, begin)
    code = sheet_code(game, active)
    verdict = carry.verdict
    return GameSheet(
        pk=game.pk,
        event=event.name,
        slug=event.slug,
        date=event.date,
        place=event.place,
        sheet_key=rules.sheet.key,
        sheet_title=rules.sheet.title,
        options=tuple((option.title, option.words) for option in rules.chosen),
        game_key=rules.game.key,
        word=rules.game.word,
        round_number=game.round.number,
        round=str(game.round),
        stage=game.round.stage,
        table=game.table,
        leg=game.leg,
        match=game.match,
        state=game.state,
        version=game.version,
        sides=sides,
        seats=seats,
        opening=tuple(begin.scores) if totals else None,
        totals=totals,
        rows=rows,
        removed=_removed(rules, seats, sides, entries),
        scores=tuple(carry.scores),
        sets=tuple(carry.sets),
        bags=tuple(carry.bags),
        bostons=tuple(carry.bostons),
        points=tuple(game_points(rules.rules, carry)),
        hands=carry.hands,
        over=verdict is not None,
        winner=verdict.winner if verdict else None,
        how=verdict.how if verdict else "",
        how_words=how_words(verdict.how) if verdict else "",
        rule=verdict.rule if verdict else "",
        text=named(verdict.text, tuple(side.name for side in sides)) if verdict else "",
        code=code,
        paper=paper_of(entries, game.verifications.all(), code, compared=event.compares_paper),
        signatures=signature_facts(game, code),
        call=_open_call(game.calls.all()),
        next=None if verdict else rules.game.next_hand(rules.rules, carry),
        next_position=next_position(entries),
        coming=() if verdict else coming_deals(rules, carry.hands, carry.deals),
        begun=game.begun_at is not None or bool(rows),
        voids=() if verdict else rules.game.voids(rules.rules, carry),
    )


def _side(side: Side, number: int) -> SideFacts:
    team = side.team
    return SideFacts(side.index, team.pk, team.number, team.name, lineup(team, number), side.seated_at)


def seats_of(sides: tuple[SideFacts, ...], rules: Ruleset, first_dealer: int) -> tuple[SeatFacts, ...]:
    """The seats clockwise, beginning with whoever deals first."""
    count, teams = rules.seating.seats, rules.seating.sides
    seats = []
    for seat in range(count):
        side = sides[seat % teams] if seat % teams < len(sides) else None
        players = side.players if side else ()
        place = seat // teams
        name = players[place] if place < len(players) else (side.name if side else "")
        seats.append(SeatFacts(seat, seat % teams, name, side.name if side else ""))
    return tuple(seats[first_dealer % count :] + seats[: first_dealer % count]) if seats else ()


def _rows(
    rules: Ruleset,
    seats: tuple[SeatFacts, ...],
    sides: tuple[SideFacts, ...],
    entries: Sequence[Entry],
    active: Sequence[Entry],
    carry: Carry,
) -> tuple[tuple[Row, ...], Carry]:
    rows = []
    names, players = tuple(side.name for side in sides), players_of(seats)
    for entry in active:
        if entry.kind == OPENING:
            continue
        facts, _ = read_entry(rules.game, entry.facts)
        due = rules.game.next_hand(rules.rules, carry)
        dealer = _dealer(seats, due, entry.facts)
        before = carry
        lines, carry = rules.game.score_entry(rules.rules, carry, facts)
        lines = tuple(line.name(names, players) for line in lines)
        # The next game of a rubber counts its hands from 1 again.
        next_game = carry.games != before.games and carry.deals > before.deals
        number = before.hands + 1 if next_game else carry.hands if carry.hands > before.hands else None
        leaders = [side for side, score in enumerate(carry.scores) if score == max(carry.scores)]
        rows.append(
            Row(
                entry=entry.pk,
                position=entry.position,
                revision=entry.revision,
                number=number,
                kind=entry.kind,
                facts=entry.facts,
                dealer=dealer if entry.kind in ("hand", "void") or number else None,
                written=write_down(rules, entry.facts, names, seats, lines, due.cards, before),
                deltas=tuple(after - old for after, old in zip(carry.scores, before.scores, strict=True)),
                scores=tuple(carry.scores),
                sets=tuple(carry.sets),
                bags=tuple(carry.bags),
                lines=lines,
                leader=leaders[0] if len(leaders) == 1 else None,
                boston=next((side for side, now in enumerate(carry.bostons) if now > before.bostons[side]), None),
                ends_game=carry.verdict is not None and before.verdict is None,
                by=_author(entry),
                source=SOURCES[entry.source],
                reason=entry.reason,
                at=entry.entered_at,
                struck=tuple(
                    _struck(rules, old, names, seats, entries)
                    for old in entries
                    if old.position == entry.position and old.revision < entry.revision and old.kind != REMOVED
                ),
            )
        )
    return tuple(rows), carry


def _dealer(seats: tuple[SeatFacts, ...], due: NextHand, facts: dict[str, Any]) -> SeatFacts | None:
    """Who dealt a line: as it was written, otherwise whoever was due."""
    written = next((seat for seat in seats if seat.seat == facts.get("dealer")), None)
    return written or (seats[due.dealer] if seats else None)


def _removed(
    rules: Ruleset, seats: tuple[SeatFacts, ...], sides: tuple[SideFacts, ...], entries: Sequence[Entry]
) -> tuple[Struck, ...]:
    """Lines that were taken off the sheet and not written again."""
    names = tuple(side.name for side in sides)
    last = {entry.position: entry for entry in entries}
    gone = {position for position, entry in last.items() if entry.kind == REMOVED}
    return tuple(
        _struck(rules, entry, names, seats, entries)
        for entry in entries
        if entry.position in gone and entry.kind != REMOVED
    )


def _struck(
    rules: Ruleset, entry: Entry, names: tuple[str, ...], seats: tuple[SeatFacts, ...], entries: Sequence[Entry]
) -> Struck:
    written = write_down(rules, entry.facts, names, seats, ())
    by = next((one for one in entries if one.replaces_id == entry.pk), None)
    return Struck(
        written,
        _author(entry),
        SOURCES[entry.source],
        entry.entered_at,
        entry.reason,
        _author(by) if by else "",
        by.entered_at if by else None,
        by.reason if by else "",
        by.cause if by else "",
        entry.position,
    )


def _author(entry: Entry) -> str:
    return author(entry.by, entry.entered_by, entry.device)


def _open_call(calls: Iterable[Call]) -> CallFacts | None:
    for call in calls:
        if call.answered_at is None:
            return CallFacts(call.pk, call.kind, call.get_kind_display(), call.called_at)
    return None
