"""The money of an event from its ledger: what each team owes and paid, the cash sheet, prizes and payouts.

What a team pays goes to the entry fee first, then to the Boston pot; whatever is above both is to be given back.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import NamedTuple

from scoring.ledger import listed
from scoring.standings.pot import Payout, pay_out, percent_prizes
from tournament.models import Event, Ledger, Player, Team
from tournament.models.team import ADJUSTMENT, BEFORE, CASH, DUES, FEE, INCOME, OUTGO, OWED, PAYOUT, POT, PRIZE, REFUND
from tournament.queries.final_places import FinalPlaces, final_places
from tournament.queries.game_results import never_played
from tournament.queries.pot import PotFacts, pot
from tournament.queries.rules import everybody_in_pot
from tournament.words.phrases import money

# Lines that one act writes have timestamps one right after the other.
AT_ONCE = timedelta(seconds=2)


class Wording(NamedTuple):
    """What goes with a sum of money: the page's key against double taps, who paid, why, and how."""

    key: uuid.UUID | None = None
    person: str = ""
    reason: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """What one team has to pay and has paid, in cents. `adjusted` is what was added to or taken off its fee.

    A team that left and never played is `absent`: it owes nothing, and its payments are to be given back.
    """

    team: Team
    in_pot: bool
    absent: bool
    fee: int
    adjusted: int
    pot: int
    paid: int
    payouts: int

    @property
    def due_fee(self) -> int:
        return 0 if self.absent else max(0, self.fee + self.adjusted)

    @property
    def due(self) -> int:
        return self.due_fee + self.pot

    @property
    def paid_fee(self) -> int:
        return min(self.paid, self.due_fee)

    @property
    def paid_pot(self) -> int:
        return min(self.paid - self.paid_fee, self.pot)

    @property
    def owes_fee(self) -> int:
        return self.due_fee - self.paid_fee

    @property
    def owes_pot(self) -> int:
        return self.pot - self.paid_pot

    @property
    def owes(self) -> int:
        return self.owes_fee + self.owes_pot

    @property
    def over(self) -> int:
        """What was paid above the amount due."""
        return self.paid - self.paid_fee - self.paid_pot

    def shares(self, lines: Iterable[Ledger]) -> list[tuple[Player, int]]:
        """What each of its players still has to pay, if each pays a part: a player who has paid owes no second part.

        The parts are rounded up, and the last one is the rest. `lines` are the receipts of the team.
        """
        players, paid = list(self.team.players.all()), defaultdict[str, int](int)
        for line in lines:
            if line.kind in INCOME:
                paid[line.person] += line.cents
        part = -(-self.due // max(1, len(players)))
        shares = [(player, min(part - paid[player.name], self.owes)) for player in players]
        return [(player, cents) for player, cents in shares if cents > 0]


@dataclass(frozen=True, slots=True)
class Cash:
    """The books of an event: accounts by team number, lines by receipt number, and the sums by kind of line."""

    currency: str
    accounts: tuple[Account, ...]
    lines: tuple[Ledger, ...]
    kinds: tuple[tuple[str, str, int], ...]
    gone: int

    @property
    def taken(self) -> int:
        """What came in, less what was reversed."""
        return sum(cents for kind, _, cents in self.kinds if kind in (*INCOME, DUES))

    @property
    def taken_here(self) -> int:
        """What came in at this desk, less refunds; without sums that a list of teams reports as paid before."""
        kinds = (*INCOME, DUES, REFUND)
        return sum(line.cents for line in self.lines if line.kind in kinds and line.how != BEFORE)

    @property
    def dues(self) -> int:
        """The cash from dues: it belongs to the season, and to no team."""
        return sum(line.cents for line in self.lines if line.kind == DUES)

    @property
    def given(self) -> int:
        """What went out, as a positive sum."""
        return -sum(cents for kind, _, cents in self.kinds if kind in OUTGO)

    @property
    def in_hand(self) -> int:
        """What should be in the cash box, money paid in advance included."""
        return sum(line.cents for line in self.lines if line.is_cash)

    @property
    def by_account(self) -> int:
        """The same sum computed from the other side: team by team, and cash that belongs to no team."""
        loose = sum(line.cents for line in self.lines if line.purpose == CASH)
        return sum(account.paid - account.payouts for account in self.accounts) + self.gone + loose + self.dues

    @property
    def balances(self) -> bool:
        by_kind = sum(cents for _, _, cents in self.kinds)
        debts = all(account.due == account.paid - account.over + account.owes for account in self.accounts)
        return self.in_hand == self.by_account == by_kind and debts

    @property
    def due(self) -> int:
        return sum(account.due for account in self.accounts)

    @property
    def paid(self) -> int:
        """What all teams paid, less their refunds."""
        return sum(account.paid for account in self.accounts)

    @property
    def owed(self) -> int:
        return sum(account.owes for account in self.accounts)

    @property
    def owing(self) -> int:
        """How many teams owe something."""
        return sum(account.owes > 0 for account in self.accounts)

    @property
    def over(self) -> int:
        return sum(account.over for account in self.accounts)

    @property
    def teams(self) -> list[Team]:
        """All teams with their players, in order of number."""
        return [account.team for account in self.accounts]

    @property
    def playing(self) -> int:
        """How many teams have not left."""
        return sum(not team.gone for team in self.teams)

    @property
    def pot_teams(self) -> int:
        return sum(account.in_pot for account in self.accounts)

    @property
    def pot(self) -> int:
        """The size of the pot once everybody has paid into it."""
        return sum(account.pot for account in self.accounts)

    @property
    def pot_taken(self) -> int:
        return sum(account.paid_pot for account in self.accounts)

    @property
    def pot_owed(self) -> int:
        return sum(account.owes_pot for account in self.accounts)

    @property
    def fees_taken(self) -> int:
        return sum(account.paid_fee for account in self.accounts)

    def paid_out(self, purpose: str) -> int:
        return -sum(line.cents for line in self.lines if line.kind == PAYOUT and line.purpose == purpose)

    @property
    def pot_left(self) -> int:
        return self.pot_taken - self.paid_out("pot")

    def account(self, number: int) -> Account | None:
        return next((account for account in self.accounts if account.team.number == number), None)


def cash(event: Event) -> Cash:
    """The books of an event, in four queries at any size; up to two more if a team has left."""
    # Teams are read anyway, and with their players: a line of most kinds names one of them.
    lines = tuple(event.ledger.select_related("reverses", "reversed_by", "season", "member"))
    teams = list(event.teams.prefetch_related("players"))
    by_key = {team.pk: team for team in teams}
    for line in lines:
        if line.team_id is not None:
            line.team = by_key[line.team_id]
    sums: dict[tuple[int | None, str], int] = defaultdict(int)
    for line in lines:
        sums[line.team_id, line.purpose if line.kind == ADJUSTMENT else line.kind] += line.cents
    accounts = tuple(_accounts(event, teams, sums))
    words = dict(Ledger.KINDS) | {ADJUSTMENT: "Cash put in or taken out"}
    kinds = tuple(
        (kind, words[kind], sum(line.cents for line in lines if line.kind == kind and line.is_cash)) for kind in words
    )
    gone = sum(cents for (team, kind), cents in sums.items() if team is None and kind in (*INCOME, *OUTGO))
    return Cash(event.currency, accounts, lines, kinds, gone)


def payments(lines: Sequence[Ledger]) -> list[tuple[Ledger, ...]]:
    """The lines on which money changed hands, grouped by act: one payment covers fee and pot on two lines."""
    acts: list[tuple[Ledger, ...]] = []
    for line in lines:
        if not line.is_cash:
            continue
        if acts and _with(acts[-1], line):
            acts[-1] += (line,)
        else:
            acts.append((line,))
    return acts


def _with(before: tuple[Ledger, ...], line: Ledger) -> bool:
    """Whether a line was written in the same act as the fee before it: nothing else pays into the pot then."""
    (first, *more) = before
    return (
        not more
        and (first.kind, line.kind) == (FEE, POT)
        and not (first.reverses or line.reverses)
        and first.number + 1 == line.number
        and (first.who, first.person, first.reason, first.by) == (line.who, line.person, line.reason, line.by)
        and line.made_at - first.made_at < AT_ONCE
    )


def receipts_of(lines: Sequence[Ledger]) -> str:
    """“Receipt 19”, “Receipts 19 and 20”, “Receipts 19 to 22”."""
    numbers = [line.number for line in lines]
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"Receipts {numbers[0]} to {numbers[-1]}"
    return f"Receipt{'s' if len(numbers) > 1 else ''} {listed(map(str, numbers))}"


def accounts_of(event: Event, teams: Sequence[int]) -> dict[int, Account]:
    """The accounts of some teams by their key, for those who write the ledger."""
    sums: dict[tuple[int | None, str], int] = defaultdict(int)
    for team, kind, purpose, cents in Ledger.objects.filter(team__in=teams).values_list(
        "team", "kind", "purpose", "cents"
    ):
        sums[team, purpose if kind == ADJUSTMENT else kind] += cents
    rows = list(Team.objects.filter(pk__in=teams).prefetch_related("players"))
    return {account.team.pk: account for account in _accounts(event, rows, sums)}


def _accounts(event: Event, teams: Sequence[Team], sums: dict[tuple[int | None, str], int]) -> list[Account]:
    for_all, absent = everybody_in_pot(event), never_played(teams)
    return [
        _account(event, team, sums, (for_all or team.in_pot) and team.pk not in absent, team.pk in absent)
        for team in teams
    ]


def _account(
    event: Event, team: Team, sums: dict[tuple[int | None, str], int], in_pot: bool, is_absent: bool
) -> Account:
    return Account(
        team=team,
        in_pot=in_pot,
        absent=is_absent,
        fee=event.fee_cents,
        adjusted=sums[team.pk, OWED],
        pot=event.pot_cents if in_pot else 0,
        paid=sum(sums[team.pk, kind] for kind in (*INCOME, REFUND)),
        payouts=-sums[team.pk, PAYOUT],
    )


# Who gets what at the end: shares of the Boston pot and prizes by place, and what of it has been paid out.

NOTHING = Payout((), 0, ())


@dataclass(frozen=True, slots=True)
class Payee:
    """What a team is to get for one purpose, and what it got. `left` is below zero if it got too much.

    `receipt` is the last payout that was not reversed, `receipt_cents` what it paid.
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
        return sum(payee.left for payee in self.due)

    @property
    def due(self) -> tuple[Payee, ...]:
        """The teams that still get something."""
        return tuple(payee for payee in self.payees if payee.left > 0)

    @property
    def rows(self) -> tuple[tuple[Payee, str], ...]:
        """Each share with the reason why it cannot be handed over now; empty if it can."""
        return tuple((payee, self.refusal((payee,))[0] if payee.left > 0 else "") for payee in self.payees)

    @property
    def refusal_of_all(self) -> str:
        """Why not everything can be handed over at once now."""
        return self.refusal(self.due)[0]

    def refusal(self, due: Sequence[Payee]) -> tuple[str, str]:
        """Why some shares cannot be handed over now, with its rule; two empty texts if they can."""
        if any(payee.purpose == POT for payee in due) and (refusal := self._pot_refusal()):
            return refusal, "12"
        # The pot belongs to those who paid into it, and dues to the season: no prize is paid from them.
        free = self.books.in_hand - self.books.pot_left - self.books.dues
        if sum(payee.left for payee in due if payee.purpose != POT) > free:
            besides = "the Boston pot and dues" if self.books.dues else "the Boston pot"
            return f"Only {money(max(0, free), self.currency)} is on hand besides {besides}.", ""
        if sum(payee.left for payee in due) > self.books.in_hand:
            return f"Only {money(self.books.in_hand, self.currency)} is on hand.", ""
        return "", ""

    def _pot_refusal(self) -> str:
        if owing := [account.team.full_name for account in self.books.accounts if account.owes_pot]:
            names = ", ".join(owing)
            return f"Not everybody in the pot has paid into it: {names}. Take the money, or {self.way_out}."
        over = [payee for payee in self.payees if payee.purpose == POT and payee.left < 0]
        sentences = [f"{payee.team} must return {money(-payee.left, self.currency)}." for payee in over]
        receipts = [str(payee.receipt) for payee in over]
        take = f"Take back receipt{'s' if len(over) > 1 else ''} {listed(receipts)} first." if over else ""
        return " ".join([*sentences, take]) if over else ""

    @property
    def way_out(self) -> str:
        """How a team that does not pay can leave the pot."""
        if self.pot.for_all:
            return "untick “Everybody is in the pot” under Setup, Money and take them out of it"
        return "take them out of the pot"

    def payee(self, number: int, purpose: str) -> Payee | None:
        return next((payee for payee in self.payees if (payee.number, payee.purpose) == (number, purpose)), None)


def payouts(event: Event, pool: PotFacts | None = None) -> Payouts:
    """Every share by the current results, recomputed each time, next to what was paid according to the ledger.

    A caller that has the pot already passes it.
    """
    books, pool = cash(event), pool or pot(event)
    names = {account.team.number: account.team.full_name for account in books.accounts}
    purse, prizes = _prizes(event, books)
    places = final_places(event) if prizes else FinalPlaces()
    is_open = _is_open(places, prizes)
    finish = () if is_open else places.groups
    shared = pay_out(finish, prizes, names, event.currency, odd_to_lowest=event.odd_to_lowest) if finish else NOTHING
    due = {(team.number, POT): team.cents for team in pool.teams if pool.settled and team.cents}
    due |= {(share.team, PRIZE): share.cents for share in shared.shares}
    handed_out = _paid(books)
    # The last payout of each share that was not reversed: its receipt and its sum.
    receipts = {
        (line.team.number, line.purpose): (line.number, -line.cents)
        for line in books.lines
        if line.kind == PAYOUT and line.stands and line.team is not None
    }
    words = {POT: "Boston pot", PRIZE: "Prize"}
    payees = [
        Payee(
            number,
            names[number],
            purpose,
            words[purpose],
            due.get((number, purpose), 0),
            handed_out[number, purpose],
            *receipts.get((number, purpose), ()),
        )
        for number, purpose in {**due, **handed_out}
    ]
    return Payouts(
        currency=event.currency,
        books=books,
        pot=pool,
        payees=tuple(sorted(payees, key=lambda payee: (payee.purpose == PRIZE, -payee.cents, payee.number))),
        prizes=prizes,
        purse=purse,
        unpaid=shared.unpaid if finish else 0,
        notes=shared.notes,
        waits=_waits(pool, places, prizes),
        settings=event.prizes,
    )


def _prizes(event: Event, books: Cash) -> tuple[int, tuple[int, ...]]:
    """The sum that is divided, and the prizes, first place first."""
    settings = event.prizes
    if settings.get("by") == "percent":
        purse = settings.get("purse") or books.fees_taken
        percentages = [Fraction(share) for share in settings["percent"]]
        return purse, percent_prizes(purse, percentages, odd_to_lowest=event.odd_to_lowest)
    prizes = tuple(settings.get("prizes", ()))
    return sum(prizes), prizes


def _paid(books: Cash) -> dict[tuple[int, str], int]:
    sums: dict[tuple[int, str], int] = defaultdict(int)
    for line in books.lines:
        if line.kind == PAYOUT and line.team is not None:
            sums[line.team.number, line.purpose] -= line.cents
    return defaultdict(int, {key: cents for key, cents in sums.items() if cents})


def _is_open(places: FinalPlaces, prizes: Sequence[int]) -> bool:
    """Whether a place that has a prize is still to be played for; third place always counts as one."""
    return places.open_from is not None and places.open_from <= max(3, len(prizes))


def _waits(pool: PotFacts, places: FinalPlaces, prizes: Sequence[int]) -> tuple[str, ...]:
    waits: Sequence[str] = ()
    if pool.exists and not pool.settled:
        waits = (*waits, "The Boston pot is not settled yet.")
    if _is_open(places, prizes):
        what = "third place has" if places.open_from == 3 else "these places have"
        waits = (*waits, f"The prizes are due when {what} been played for, or the event is finished.")
    elif prizes and not places.lines:
        waits = (*waits, "The prizes are due when there is a champion.")
    return tuple(waits)
