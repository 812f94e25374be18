"""The teams as a list: for everybody, and with fees and pot for the desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from operator import attrgetter

from django.utils.safestring import SafeString

from tournament.lists.column import CENTS, NAMES, NUMBER, RANK, TIME, Column, Listing, filled, link_form, where
from tournament.models import Event, Registration, Team
from tournament.queries.ledger import Account, Cash
from tournament.queries.registrations import entries_read
from tournament.queries.rules import everybody_in_pot, ruleset_of

# Writes a mark of a team (“paid”, “in_pot”) as a button.
Switch = Callable[[Account, str], str]


def teams_list(
    event: Event, teams: Sequence[Team], players: Mapping[int, tuple[str, ...]], places: Mapping[int, str]
) -> Listing:
    """One row per team, in order of number, with the names of its `players`; `places` are those that may be seen."""
    shown = any(team.number in places for team in teams)
    place = Column("place", "Place", lambda team: places.get(team.number, ""), RANK, shown=shown, wall=True)

    def names(team: Team) -> tuple[str, ...]:
        return players.get(team.number, ())

    return _listing(event, teams, (*columns(teams, event, "team", attrgetter("name"), names), place))


def desk_teams_list(event: Event, books: Cash, switch: Switch | None = None) -> Listing:
    """The same with fees and pot, which the desk's page sets with a `switch`."""
    accounts = {account.team.number: account for account in books.accounts}

    # Files of this list have whole names in columns of their own; the desk's page shows them in place of the others.
    hides = switch is None and any(
        (team.name, team.player_names) != (team.full_name, team.full_names) for team in books.teams
    )

    def paid(team: Team) -> str:
        return "yes" if team.paid else "no"

    def in_pot(team: Team) -> str:
        return "yes" if accounts[team.number].in_pot else "no"

    def marked(key: str, said: Callable[[Team], str]) -> Callable[[Team], str] | None:
        """A button for each team that owes something; a team that never played has only the word."""
        if switch is None:
            return None
        return lambda team: said(team) if accounts[team.number].absent else switch(accounts[team.number], key)

    in_cash = (
        Column("paid", "Paid", paid, shown=bool(accounts), financial=True, html=marked("paid", paid)),
        Column("in_pot", "Boston pot", in_pot, html=None if everybody_in_pot(event) else marked("in_pot", in_pot),
               shown=bool(accounts) and bool(event.pot_cents or books.pot_teams)),
        Column("entered", "Entered as", attrgetter("full_name"), shown=hides),
        Column("entered_names", "Names entered", attrgetter("full_names"), NAMES, shown=hides),
        Column("owes_cents", "Owes", lambda team: accounts[team.number].owes, CENTS, shown=bool(books.owing),
               financial=True),
    )  # fmt: skip
    here = Column("here", "Here", lambda team: "yes" if team.here_at else "no", shown=event.checks_in)
    teams = books.teams
    if switch:
        facts = columns(teams, event, "desk-team", attrgetter("full_name"), attrgetter("full_names"))
    else:
        facts = columns(teams, event, "team", attrgetter("name"), attrgetter("player_names"))
    return _listing(event, teams, (*facts, here, *in_cash), marks_gone=switch is not None)


def entries_list(event: Event) -> Listing:
    """The entries of players in the order they came; only officials see their contact details."""
    rows = list(entries_read(event))

    def of_players(fact: str) -> Callable[[Registration], tuple[str, ...]]:
        return lambda entry: tuple(text for text in (getattr(player, fact) for player in entry.players.all()) if text)

    columns = (
        Column("position", "No.", attrgetter("position"), NUMBER),
        Column("name", "Entry", attrgetter("name")),
        Column("players", "Players", of_players("full_name"), NAMES),
        Column("state", "State", lambda entry: entry.get_state_display()),
        Column("team", "Team", lambda entry: entry.team.number if entry.team else None, NUMBER),
        Column("contact", "Contact", of_players("contact"), NAMES),
        Column("note", "Says", of_players("note"), NAMES),
        Column("made_at", "When", attrgetter("made_at"), TIME),
    )
    return Listing("entries", "Entries by players", event, columns, rows, where(event), empty="No entries yet.")


def _listing(event: Event, teams: Sequence[Team], columns: tuple[Column, ...], *, marks_gone: bool = False) -> Listing:
    unit = ruleset_of(event).unit
    return Listing(
        name="teams",
        title=f"{unit.capitalize()}s",
        event=event,
        columns=columns,
        rows=teams,
        under=where(event),
        caption=f"{len(teams)} {unit}{'' if len(teams) == 1 else 's'}",
        empty=f"No {unit}s yet.",
        mark=lambda team: {"id": f"team-{team.number}", "class": "muted" if marks_gone and team.gone else ""},
    )


def columns(
    teams: Sequence[Team],
    event: Event,
    page: str,
    name: Callable[[Team], str],
    players: Callable[[Team], tuple[str, ...]],
) -> tuple[Column, ...]:
    """What everybody reads of the teams. `page` is the link of a name; officials read other names than the public."""
    unit, form = ruleset_of(event).unit, link_form(page, event.slug)

    def shows(fact: str) -> bool:
        return any(getattr(team, fact) for team in teams)

    def link(team: Team) -> str:
        return SafeString(form.format(team.number, escape(name(team))))

    return (
        Column("number", "No.", attrgetter("number"), NUMBER, wall=True),
        Column("name", unit.capitalize(), name, wall=True, html=link),
        Column("status", "Status", attrgetter("gone"), shown=shows("gone"), within="name", html=_gone),
        Column("joined_in", "Joined in game", attrgetter("joined_in"), NUMBER, within="name",
               shown=any(team.joined_in > 1 for team in teams), html=_joined),
        Column("players", "Players", players, NAMES, wall=True, shown=unit != "player" or any(map(players, teams))),
        Column("city", "City", attrgetter("city"), wall=True, shown=shows("city")),
        Column("club", "Club", attrgetter("club"), shown=shows("club")),
        Column("stays", "Stays at table", attrgetter("home"), NUMBER, shown=shows("home")),
    )  # fmt: skip


def _gone(team: Team) -> str:
    return filled(' <span class="chip heart">{}</span>', team.gone) if team.gone else ""


def _joined(team: Team) -> str:
    late = team.joined_in > 1 and not team.gone
    return filled(' <span class="chip sky">from game {}</span>', team.joined_in) if late else ""
