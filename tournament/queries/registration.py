"""The teams of an event as the desk lists them: players, what they owe, the pot, who has left."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.models import Event, Team
from tournament.queries.cash import Account, Cash, cash
from tournament.queries.roster import RosterRow
from tournament.queries.team import TeamRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredTeam(TeamRow):
    """A team of the list. `owes` is in cents."""

    paid: bool
    in_pot: bool
    owes: int


@dataclass(frozen=True, slots=True)
class Registration:
    """The list with its sums, in cents."""

    teams: tuple[RegisteredTeam, ...]
    playing: int
    owing: int
    owed: int
    taken: int
    pot_teams: int
    pot: int


def registration(event: Event, books: Cash | None = None) -> Registration:
    """All teams of an event by number, in a constant number of queries."""
    books = books or cash(event)
    accounts = {account.number: account for account in books.accounts}
    everybody = event.teams.all()
    teams = tuple(_registered(team, accounts[team.number]) for team in everybody)
    in_pot = [team for team in teams if team.in_pot]
    return Registration(
        teams=teams,
        playing=sum(not team.gone for team in teams),
        owing=sum(team.owes > 0 for team in teams),
        owed=sum(team.owes for team in teams),
        taken=books.paid,
        pot_teams=len(in_pot),
        pot=len(in_pot) * event.pot_cents,
    )


def row_of(team: Team) -> RosterRow:
    players = tuple(team.players.values_list("name", flat=True))
    return RosterRow(0, team.number, team.name, players, team.city, team.club, team.paid, team.in_pot)


def _registered(team: Team, account: Account) -> RegisteredTeam:
    return RegisteredTeam(
        number=team.number,
        name=team.name,
        players=account.players,
        city=team.city,
        club=team.club,
        paid=team.paid,
        in_pot=account.in_pot,
        owes=account.owes,
        gone=account.status_words if account.status != "playing" else "",
        joined_in=team.joined_in,
    )
