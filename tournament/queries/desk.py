"""The desk: one round as it stands now, what comes next for it, and what keeps it from being done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournament.models import Bye, Event, Round
from tournament.phrases import ROUND_STATES
from tournament.queries.clocks import RoundClock, round_clock
from tournament.queries.lookup import is_meant
from tournament.queries.rules import ruleset_of
from tournament.queries.schedule import current_round
from tournament.queries.seats import is_left_out, tables_with_tablets, together
from tournament.queries.tablecards import PLANNED, TABLE_STATES, TableCard, table_cards
from tournament.queries.verification import papers_at_desk
from tournament.texts import name_key

POLL_SECONDS = 20


@dataclass(frozen=True, slots=True)
class DeskRound:
    """The round at the desk. `act` is what comes next for it (start, close or nothing); `refusal` why it cannot.

    `to_seat` counts the teams that one press would seat, `seated_back` the tables whose seats one press takes back.
    """

    number: int
    title: str
    of: int | None
    state: str
    words: str
    stage: str
    rounds: tuple[Round, ...]
    tables: tuple[TableCard, ...]
    byes: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...]
    clock: RoundClock | None
    act: str
    refusal: str
    unverified: tuple[int, ...]
    to_verify: int
    to_seat: int = 0
    seated_back: int = 0

    @property
    def done(self) -> int:
        return sum(card.done for card in self.tables)

    @property
    def next_open(self) -> int | None:
        """The game that Enter opens: the first table, by its number, that is not final."""
        waiting = [card for card in self.tables if not card.done] if self.state == "running" else []
        return min(waiting, key=lambda card: (card.table, card.leg)).game if waiting else None

    @property
    def counts(self) -> tuple[tuple[str, str, int], ...]:
        counted = ((key, words, sum(card.state == key for card in self.tables)) for key, words in TABLE_STATES.items())
        return tuple(one for one in counted if one[2])

    @property
    def in_play(self) -> int:
        return sum(not card.over for card in self.tables)

    @property
    def waiting(self) -> int:
        return sum(card.waited is not None for card in self.tables)

    @property
    def nothing_to_do(self) -> str:
        if self.waiting:
            return f"Nothing so far: {self.waiting} table{'s' if self.waiting > 1 else ''} not seated yet."
        if self.state != "running" or not self.in_play:
            return "Nothing."
        still = f"{self.in_play} table{'s' if self.in_play > 1 else ''} still playing."
        return f"Nothing. {still if self.done else 'All tables are playing.'}"

    @property
    def start_back(self) -> bool:
        """Whether the start can be taken back: nothing is written anywhere in the round."""
        return self.state == "running" and bool(self.tables) and all(card.untouched for card in self.tables)

    @property
    def seating(self) -> bool:
        """Whether one press could seat teams, take their seats back, or the start."""
        return bool(self.to_seat or self.seated_back or self.start_back)

    def shown(self, state: str, text: str) -> tuple[TableCard, ...]:
        """The tables of one state; of a table's number; or with this text in the name of a team or a player."""
        wanted = name_key(text)
        return tuple(
            card for card in self.tables if (not state or card.state == state) and (not wanted or _fits(card, wanted))
        )


def desk_version(event: Event) -> str:
    """What a poll compares: rises with every write, and every few seconds because clocks run."""
    return f"{event.version}.{int(timezone.now().timestamp()) // POLL_SECONDS}"


def desk_round(event: Event, number: int | None = None, now: datetime | None = None) -> DeskRound | None:
    """A round with all its tables: the one in play, else the next, else the last. None before the first draw."""
    moment = now or timezone.now()
    rounds = list(Round.objects.filter(event=event))
    shown = next((one for one in rounds if one.number == number), None) or current_round(rounds)
    if shown is None:
        return None
    rules = ruleset_of(event).rules
    papers, to_verify = papers_at_desk(event, shown)
    cards = table_cards(shown, papers, rules.grace_minutes, moment)
    unverified = tuple(sorted(card.table for card in cards if card.paper and card.paper.waits))
    act, refusal = _act(shown, rounds, cards)
    if act == "close" and not refusal and unverified and event.verify_closing == "blocks":
        refusal = f"A second person verifies first: {_tables(unverified)}."
    return DeskRound(
        number=shown.number,
        title=str(shown),
        of=event.rounds_planned if shown.stage == "qualifying" and not shown.title else None,
        state=shown.state,
        words=ROUND_STATES[shown.state],
        stage=shown.stage,
        rounds=tuple(rounds),
        tables=cards,
        byes=_byes(shown),
        notes=tuple(map(str, shown.noted)),
        clock=round_clock(shown, rules.round_minutes, moment) if shown.state == "running" else None,
        act=act,
        refusal=refusal,
        unverified=unverified,
        to_verify=to_verify,
        to_seat=_to_seat(cards, tables_with_tablets(event)),
        seated_back=_seated_back(cards),
    )


def _to_seat(cards: tuple[TableCard, ...], tablets: set[int]) -> int:
    waiting = [card for card in cards if card.waited is not None and card.seats]
    return sum(
        len(card.missing)
        for card in waiting
        if not is_left_out(len(card.missing) < len(card.sides), card.overdue, card.table in tablets)
    )


def _seated_back(cards: tuple[TableCard, ...]) -> int:
    """How many tables one press seated, as long as none of them has written anything."""
    sides = set(together(side for card in cards for side in card.sides if card.state != PLANNED))
    tables = [card for card in cards if not sides.isdisjoint(card.sides)]
    return len(tables) if all(card.seats for card in tables) else 0


def _byes(shown: Round) -> tuple[tuple[str, tuple[str, ...]], ...]:
    byes = Bye.objects.filter(round=shown).select_related("team").prefetch_related("team__players")
    return tuple((bye.team.name, tuple(player.name for player in bye.team.players.all())) for bye in byes)


def _fits(card: TableCard, wanted: str) -> bool:
    if wanted.isdigit():
        return wanted == str(card.table)
    return any(is_meant(wanted, side.name, side.players) for side in card.sides)


def _act(shown: Round, rounds: list[Round], cards: tuple[TableCard, ...]) -> tuple[str, str]:
    """Start or close, and why it is not possible now."""
    if shown.state == "closed":
        return "", ""
    if shown.state == "running":
        missing = [card.table for card in cards if not card.done]
        if not missing:
            return "close", ""
        return "close", f"Not final yet: {_tables(sorted(missing))}."
    if not cards:
        return "start", "No tables are drawn yet."
    running = [one for one in rounds if one.state == "running" and one.stage != "tiebreak"]
    if running and shown.stage != "tiebreak":
        return "start", f"{running[0]} is still in play: close it first."
    earlier = [one for one in rounds if one.state == "planned" and one.number < shown.number]
    return "start", f"{earlier[0]} comes first." if earlier else ""


def _tables(numbers: Sequence[int]) -> str:
    """“tables 1, 2 and 4”, the first five by number."""
    named, more = [str(number) for number in numbers[:5]], len(numbers) - 5
    return f"table{'s' if len(numbers) > 1 else ''} {', '.join(named)}" + (f" and {more} more" if more > 0 else "")
