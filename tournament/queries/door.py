"""The door: who has come, what each team owes there, and what was taken tonight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tournament.models import Event, Person, Player, Season, Team
from tournament.models.team import FEE, POT
from tournament.queries.checkin import has_started
from tournament.queries.dues import Member, dues_by_team
from tournament.queries.ledger import Account, Cash, accounts_of, cash
from tournament.words.phrases import money


class Debt(NamedTuple):
    """A sum owed at the door: the entry fee, the pot, or the dues of one member.

    `key` names it in a form; only dues have `season` and `member`.
    """

    key: str
    kind: str
    words: str
    cents: int
    season: Season | None = None
    member: Person | None = None

    @property
    def taken(self) -> str:
        """What a form sends for it: the key, and the sum as the page showed it."""
        return f"{self.key}:{self.cents}"


@dataclass(frozen=True, slots=True)
class DoorRow:
    """A team at the door with what it owes there."""

    team: Team
    debts: tuple[Debt, ...]

    @property
    def owes(self) -> int:
        return sum(debt.cents for debt in self.debts)

    @property
    def contacts(self) -> tuple[Player, ...]:
        """The players who left contact details."""
        return tuple(player for player in self.team.players.all() if player.contact)


@dataclass(frozen=True, slots=True)
class Door:
    """The rows of an event. `started` means that game 1 was started, so that nobody can be left out anymore.

    `books` is None if the actor may not see what is owed: then the rows owe nothing.
    """

    absent: tuple[DoorRow, ...]
    here: tuple[DoorRow, ...]
    left_out: tuple[DoorRow, ...]
    started: bool
    books: Cash | None

    @property
    def playing(self) -> tuple[DoorRow, ...]:
        return (*self.absent, *self.here)

    @property
    def owed(self) -> int:
        return sum(row.owes for row in self.playing)

    @property
    def dues_owed(self) -> int:
        return sum(debt.cents for row in self.playing for debt in row.debts if debt.member)

    @property
    def owed_here(self) -> int:
        """What the teams that are here owe."""
        return sum(row.owes for row in self.here)


def door_of(event: Event, *, with_money: bool) -> Door:
    """A constant number of queries, however many teams there are. Teams withdrawn before game 1 were left out."""
    books = cash(event) if with_money else None
    teams = books.teams if books else list(event.teams.prefetch_related("players"))
    accounts = {account.team.pk: account for account in books.accounts} if books else {}
    playing = [team for team in teams if team.status == "playing"]
    dues = dues_by_team(event, playing) if books else {}

    def row(team: Team) -> DoorRow:
        if books is None or team.status != "playing":
            return DoorRow(team, ())
        return DoorRow(team, debts_of(event, accounts[team.pk], dues.get(team.pk, ())))

    return Door(
        tuple(row(team) for team in playing if team.here_at is None),
        tuple(row(team) for team in playing if team.here_at is not None),
        tuple(row(team) for team in teams if team.status == "left" and team.left_after == 0),
        has_started(event),
        books,
    )


def debts_of(event: Event, account: Account, members: Sequence[Member]) -> tuple[Debt, ...]:
    """What a team owes at the door, the entry fee first."""
    debts = []
    if account.owes_fee:
        debts.append(Debt(FEE, FEE, "Fee", account.owes_fee))
    if account.owes_pot:
        debts.append(Debt(POT, POT, "Pot", account.owes_pot))
    for member in members:
        key = f"dues-{member.season.pk}-{member.person.pk}"
        debts.append(Debt(key, "dues", f"Dues, {member.person}", member.owes, member.season, member.person))
    return tuple(debts)


def debts_at(event: Event, team: Team) -> tuple[Debt, ...]:
    """The same for one team as it is now."""
    account = accounts_of(event, [team.pk])[team.pk]
    everybody = list(event.teams.filter(status="playing").order_by("number"))
    return debts_of(event, account, dues_by_team(event, everybody).get(team.pk, ()))


def owed_words(event: Event, books: Cash, unit: str) -> str:
    """What is still owed, and by how many: “$390 owed by 19 teams”; empty if nothing is."""
    playing = [team for team in books.teams if team.status == "playing"]
    dues = {pk: sum(member.owes for member in row) for pk, row in dues_by_team(event, playing).items()}
    sums = [account.owes + dues.get(account.team.pk, 0) for account in books.accounts]
    owing = [cents for cents in sums if cents]
    if not owing:
        return ""
    return f"{money(sum(owing), event.currency)} owed by {len(owing)} {unit}{'' if len(owing) == 1 else 's'}"
