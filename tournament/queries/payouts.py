"""Who gets what at the end: shares of the Boston pot and prizes by place, and what of it has been paid out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from scoring.standings.payout import Payout, pay_out, percent_prizes
from tournament.models import Event
from tournament.models.money import PAYOUT, POT, PRIZE
from tournament.queries.bracket import BracketFacts, bracket, champion_of
from tournament.queries.cash import Cash, cash
from tournament.queries.pot import PotFacts, pot
from tournament.queries.standings import Standings, standings

Finish = tuple[tuple[int, ...], ...]
NOTHING = Payout((), 0, ())


@dataclass(frozen=True, slots=True)
class Payee:
    """What a team is to get for one purpose, and what it has got. `left` is below nought where it got too much."""

    number: int
    team: str
    purpose: str
    words: str
    cents: int
    paid: int

    @property
    def left(self) -> int:
        return self.cents - self.paid


@dataclass(frozen=True, slots=True)
class Payouts:
    """`prizes` by place in cents, `notes` say how tied places share; `waits` are the reasons why nothing is due yet."""

    currency: str
    books: Cash
    pot: PotFacts
    payees: tuple[Payee, ...]
    prizes: tuple[int, ...]
    purse: int
    unpaid: int
    notes: tuple[str, ...]
    waits: tuple[str, ...]
    settings: dict[str, object]

    @property
    def left(self) -> int:
        """What is still to be paid out."""
        return sum(max(0, one.left) for one in self.payees)

    def payee(self, number: int, purpose: str) -> Payee | None:
        return next((one for one in self.payees if (one.number, one.purpose) == (number, purpose)), None)


def payouts(event: Event) -> Payouts:
    """Every share as the results stand, computed anew each time, beside what the ledger says was paid."""
    books, money = cash(event), pot(event)
    names = {one.number: one.name for one in books.accounts}
    purse, prizes = _prizes(event, books)
    finish = final_places(event) if prizes else ()
    shared = pay_out(_without_sent_away(finish, books), prizes, names, event.currency) if finish else NOTHING
    due = {(team.number, POT): team.cents for team in money.teams if money.settled and team.cents}
    due |= {(share.team, PRIZE): share.cents for share in shared.shares}
    paid = _paid(books)
    words = {POT: "Boston pot", PRIZE: "Prize"}
    payees = [
        Payee(number, names[number], purpose, words[purpose], due.get((number, purpose), 0), paid[number, purpose])
        for number, purpose in {**due, **paid}
    ]
    return Payouts(
        currency=event.currency,
        books=books,
        pot=money,
        payees=tuple(sorted(payees, key=lambda one: (one.purpose == PRIZE, -one.cents, one.number))),
        prizes=prizes,
        purse=purse,
        unpaid=shared.unpaid if finish else 0,
        notes=shared.notes,
        waits=_waits(money, bool(prizes), bool(finish)),
        settings=event.prizes,
    )


def final_places(event: Event) -> Finish:
    """Every team by its final place, those that share one together; empty until there is a champion."""
    table = standings(event)
    if champion_of(event, table) is None:
        return ()
    drawn = bracket(event, table)
    first = _bracket_places(drawn) if drawn else ()
    placed = {team for teams in first for team in teams}
    rest = groupby((place for place in table.places if place.team not in placed), key=lambda place: place.rank)
    return (*first, *(tuple(place.team for place in group) for _, group in rest)) if drawn else _table_places(table)


def _bracket_places(drawn: BracketFacts) -> Finish:
    """Champion, runner-up, third and fourth where they played for it; else who went out in the same round together."""
    third = drawn.third if drawn.third and drawn.third.state == "decided" else None
    out: dict[int, list[int]] = defaultdict(list)
    for match in drawn.matches:
        if match is not drawn.third:
            out[match.round] += [side.number for side in match.sides if side.lost and side.number]
    last = max(out)
    places: list[tuple[int, ...]] = [(drawn.champion_number or 0,), *((number,) for number in out[last])]
    for round_ in range(last - 1, 0, -1):
        if third and round_ == last - 1:
            winner, loser = sorted(third.sides, key=lambda side: not side.won)
            places += [(winner.number or 0,), (loser.number or 0,)]
        elif out[round_]:
            places.append(tuple(sorted(out[round_])))
    return tuple(places)


def _table_places(table: Standings) -> Finish:
    """Without playoffs the standings are the places; the first was decided when the cut was made."""
    champion = table.cut.advance[0] if table.cut else 0
    rest = groupby((place for place in table.places if place.team != champion), key=lambda place: place.rank)
    return ((champion,), *(tuple(place.team for place in group) for _, group in rest))


def _without_sent_away(finish: Finish, books: Cash) -> Finish:
    """A team that was disqualified takes no place; those behind it move up."""
    away = {one.number for one in books.accounts if one.status == "disqualified"}
    return tuple(teams for one in finish if (teams := tuple(team for team in one if team not in away)))


def _prizes(event: Event, books: Cash) -> tuple[int, tuple[int, ...]]:
    """The sum that is divided, and the prizes, first place first."""
    said = event.prizes
    if said.get("by") == "percent":
        purse = said.get("purse") or books.fees_taken
        return purse, percent_prizes(purse, [Fraction(one) for one in said["percent"]])
    prizes = tuple(said.get("prizes", ()))
    return sum(prizes), prizes


def _paid(books: Cash) -> dict[tuple[int, str], int]:
    paid: dict[tuple[int, str], int] = defaultdict(int)
    for line in books.lines:
        if line.kind == PAYOUT and line.team is not None:
            paid[line.team, line.purpose] -= line.cents
    return defaultdict(int, {key: cents for key, cents in paid.items() if cents})


def _waits(money: PotFacts, prizes: bool, finish: bool) -> tuple[str, ...]:
    waits: Sequence[str] = ()
    if money.exists and not money.settled:
        waits = (*waits, "The Boston pot is not settled yet.")
    if prizes and not finish:
        waits = (*waits, "The prizes are due when there is a champion.")
    return tuple(waits)
