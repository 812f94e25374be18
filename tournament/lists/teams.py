"""The teams as a list: for everybody, and with fees and pot for the desk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.urls import reverse
from django.utils.html import format_html

from tournament.lists.column import CENTS, NAMES, NUMBER, RANK, Column, Listing, where
from tournament.models import Event
from tournament.queries.roster import RegisteredTeam, TeamRow
from tournament.queries.rules import ruleset_of

# Writes a mark of a team (“paid”, “in_pot”) as a button.
Switch = Callable[[RegisteredTeam, str], str]


def teams_list(event: Event, rows: Sequence[TeamRow], switch: Switch | None = None) -> Listing:
    """One row per team, in order of number. The desk's pages set fees and pot with a `switch`."""
    unit = ruleset_of(event).unit
    return Listing(
        name="teams",
        title=f"{unit.capitalize()}s",
        event=event,
        columns=columns(rows, event, unit, switch),
        rows=rows,
        under=where(event),
        caption=f"{len(rows)} {unit}{'' if len(rows) == 1 else 's'}",
        empty=f"No {unit}s yet.",
        mark=lambda row: {"id": f"team-{row.number}", "class": "gone" if switch and row.gone else ""},
        kept=switch is None,
    )


def columns(rows: Sequence[TeamRow], event: Event, unit: str, switch: Switch | None = None) -> tuple[Column, ...]:
    at_desk = any(isinstance(row, RegisteredTeam) for row in rows)
    page = "desk-team" if switch else "team"

    def shows(name: str) -> bool:
        return any(getattr(row, name, None) for row in rows)

    def team(row: TeamRow) -> str:
        return format_html('<a href="{}">{}</a>', reverse(page, args=[event.slug, row.number]), row.name)

    def marked(key: str) -> Callable[[Any], str] | None:
        return (lambda row: switch(row, key)) if switch else None

    return (
        Column("number", "No.", lambda row: row.number, NUMBER, wall=True),
        Column("name", unit.capitalize(), lambda row: row.name, wall=True, html=team),
        Column("status", "Status", lambda row: row.gone, shown=shows("gone"), within="name", html=_gone),
        Column("joined_in", "From game", lambda row: row.joined_in, NUMBER, within="name",
               shown=any(row.joined_in > 1 for row in rows), html=_joined),
        Column("players", "Players", lambda row: row.players, NAMES, wall=True,
               shown=unit != "player" or shows("players")),
        Column("city", "City", lambda row: row.city, wall=True, shown=shows("city")),
        Column("club", "Club", lambda row: row.club, shown=shows("club")),
        Column("paid", "Paid", lambda row: "yes" if row.paid else "no", shown=at_desk, html=marked("paid")),
        Column("in_pot", "Boston pot", lambda row: "yes" if row.in_pot else "no", html=marked("in_pot"),
               shown=at_desk and (bool(event.pot_cents) or shows("in_pot"))),
        Column("owes_cents", "Owes", lambda row: row.owes, CENTS, shown=shows("owes")),
        Column("place", "Place", lambda row: row.place, RANK, shown=shows("place"), wall=True),
    )  # fmt: skip


def _gone(row: TeamRow) -> str:
    return format_html(' <span class="chip heart">{}</span>', row.gone) if row.gone else ""


def _joined(row: TeamRow) -> str:
    late = row.joined_in > 1 and not row.gone
    return format_html(' <span class="chip sky">from game {}</span>', row.joined_in) if late else ""
