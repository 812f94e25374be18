"""Who gets what at the end: shares of the Boston pot and prizes by place, and what of it has been paid out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.ledger import listed
from scoring.standings.pot import Payout, pay_out, percent_prizes
from tournament.models import Event
from tournament.models.team import PAYOUT, POT, PRIZE
from tournament.phrases import money
from tournament.queries.cash import Cash, cash
from tournament.queries.places import FinalPlaces, final_places
from tournament.queries.pot import PotFacts, pot

NOTHING = Payout((), 0, ())


@dataclass(frozen=True, slots=True)
class Payee:
    """What a team is to get for one purpose, and what it has got. `left` is below zero where it got too much.

    `receipt` is the last payout that has not been taken back, `receipt_cents` what it paid.
    """

    number: int
    team: str
    purpose: str
    words: str
    cents: int
    paid: int
    receipt: int = 0
    receipt_cents: int = 0

    @property
    def left(self) -> int:
        return self.cents - self.paid

    @property
    def over(self) -> int:
        """What it has to return."""
        return max(0, -self.left)


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
        return sum(one.left for one in self.due)

    @property
    def due(self) -> tuple[Payee, ...]:
        """Those who still get something."""
        return tuple(one for one in self.payees if one.left > 0)

    @property
    def rows(self) -> tuple[tuple[Payee, str], ...]:
        """Each share with why it cannot be handed over now; nothing where it can."""
        return tuple((one, self.refusal((one,))[0] if one.left > 0 else "") for one in self.payees)

    @property
    def refusal_of_all(self) -> str:
        """Why not everything can be handed over at once now."""
        return self.refusal(self.due)[0]

    def refusal(self, due: Sequence[Payee]) -> tuple[str, str]:
        """Why some shares cannot be handed over now, with its rule; two empty texts where they can."""
        if any(one.purpose == POT for one in due) and (said := self._pot_refusal()):
            return said, "12"
        # The pot belongs to those who paid into it: no prize is paid from it.
        free = self.books.in_hand - self.books.pot_left
        if sum(one.left for one in due if one.purpose != POT) > free:
            return f"Only {money(max(0, free), self.currency)} is in hand besides the Boston pot.", ""
        if sum(one.left for one in due) > self.books.in_hand:
            return f"Only {money(self.books.in_hand, self.currency)} is in hand.", ""
        return "", ""

    def _pot_refusal(self) -> str:
        if owing := [one.name for one in self.books.accounts if one.owes_pot]:
            names = ", ".join(owing)
            return f"Not everybody in the pot has paid into it: {names}. Take the money, or take them out of the pot."
        over = [one for one in self.payees if one.purpose == POT and one.left < 0]
        said = [f"{one.team} must return {money(-one.left, self.currency)}." for one in over]
        receipts = [str(one.receipt) for one in over]
        take = f"Take back receipt{'s' if len(over) > 1 else ''} {listed(receipts)} first." if over else ""
        return " ".join([*said, take]) if over else ""

    def payee(self, number: int, purpose: str) -> Payee | None:
        return next((one for one in self.payees if (one.number, one.purpose) == (number, purpose)), None)


def payouts(event: Event) -> Payouts:
    """Every share as the results stand, computed anew each time, beside what the ledger says was paid."""
    books, pool = cash(event), pot(event)
    names = {one.number: one.name for one in books.accounts}
    purse, prizes = _prizes(event, books)
    places = final_places(event) if prizes else FinalPlaces()
    finish = () if places.waits else places.groups
    shared = pay_out(finish, prizes, names, event.currency) if finish else NOTHING
    due = {(team.number, POT): team.cents for team in pool.teams if pool.settled and team.cents}
    due |= {(share.team, PRIZE): share.cents for share in shared.shares}
    paid, receipts = _paid(books), _receipts(books)
    words = {POT: "Boston pot", PRIZE: "Prize"}
    payees = [
        Payee(
            number,
            names[number],
            purpose,
            words[purpose],
            due.get((number, purpose), 0),
            paid[number, purpose],
            *receipts.get((number, purpose), ()),
        )
        for number, purpose in {**due, **paid}
    ]
    return Payouts(
        currency=event.currency,
        books=books,
        pot=pool,
        payees=tuple(sorted(payees, key=lambda one: (one.purpose == PRIZE, -one.cents, one.number))),
        prizes=prizes,
        purse=purse,
        unpaid=shared.unpaid if finish else 0,
        notes=shared.notes,
        waits=_waits(pool, places, bool(prizes)),
        settings=event.prizes,
    )


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


def _receipts(books: Cash) -> dict[tuple[int, str], tuple[int, int]]:
    """The last payout of each share that has not been taken back: its receipt and its sum."""
    return {
        (line.team, line.purpose): (line.number, -line.cents)
        for line in books.lines
        if line.kind == PAYOUT and line.stands and line.team is not None
    }


def _waits(pool: PotFacts, places: FinalPlaces, prizes: bool) -> tuple[str, ...]:
    waits: Sequence[str] = ()
    if pool.exists and not pool.settled:
        waits = (*waits, "The Boston pot is not settled yet.")
    if places.waits:
        waits = (*waits, "The prizes are due when third place has been played for, or the event is finished.")
    elif prizes and not places.lines:
        waits = (*waits, "The prizes are due when there is a champion.")
    return tuple(waits)
