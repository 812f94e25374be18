"""The PINs of an event as a list at the desk: who has one, and the button that gives a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.html import format_html

from tournament.lists.column import NUMBER, TIME, Column, Listing
from tournament.models import Event, Team
from tournament.queries.pins import given_at
from tournament.queries.rules import ruleset_of
from tournament.times import clock_time

NONE_YET = format_html('<span class="chip {}">none yet</span>', "gold")


def pins_list(event: Event, teams: Sequence[Team], give: Callable[[Team], str]) -> Listing:
    """One row per team that plays; `give` writes the button."""
    unit = ruleset_of(event).unit

    def given(team: Team) -> str:
        at = given_at(team)
        return f"given {clock_time(at, event.time_zone)}" if at else NONE_YET

    return Listing(
        name="pins",
        title="PINs",
        event=event,
        columns=(
            Column("number", "No.", lambda team: team.number, NUMBER, wall=True),
            Column("name", unit.capitalize(), lambda team: team.name, wall=True),
            Column("given", "PIN", given_at, TIME, html=given, wall=True),
            Column("acts", "", lambda team: "", html=give, wall=True),
        ),
        rows=teams,
    )
