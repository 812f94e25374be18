"""The Boston pot as a list, from `queries/pot.py`."""

from __future__ import annotations

from operator import attrgetter

from django.urls import reverse
from django.utils.html import format_html

from tournament.lists.column import CENTS, NUMBER, POINTS, STARS, Column, Listing, where
from tournament.models import Event
from tournament.phrases import money
from tournament.queries.pot import PotFacts, PotTeam
from tournament.queries.rules import ruleset_of


def pot_list(event: Event, pot: PotFacts) -> Listing:
    """Who is in the pot, most Bostons first."""
    unit = ruleset_of(event).unit
    stakes = money(pot.cents, pot.currency)
    return Listing(
        name="pot",
        title="Boston pot",
        event=event,
        columns=columns(event, pot, unit),
        rows=pot.teams,
        under=" · ".join((where(event), f"{stakes} from {pot.entered} {unit}s, {pot.window}", pot.text)),
        caption="In the pot",
        empty=f"No {unit} is in the pot.",
        mark=lambda team: {"class": "leads" if team.leads else ""},
    )


def columns(event: Event, pot: PotFacts, unit: str) -> tuple[Column, ...]:
    def team(row: PotTeam) -> str:
        return format_html('<a href="{}">{}</a>', reverse("team", args=[event.slug, row.number]), row.team)

    def leads(row: PotTeam) -> str:
        words = "Wins" if pot.settled else "Leads"
        return format_html(' <span class="chip gold">{}</span>', words) if row.leads else ""

    return (
        Column("number", "No.", attrgetter("number"), NUMBER, wall=True),
        Column("name", unit.capitalize(), attrgetter("team"), wall=True, html=team),
        Column("bostons", "Bostons", attrgetter("bostons"), STARS, wall=True, html=_stars),
        Column("won", "Won", attrgetter("won"), NUMBER, wall=True),
        Column("points", "Points", attrgetter("points"), POINTS, wall=True),
        Column("leads", "Leads", lambda row: "yes" if row.leads else "", within="name", html=leads),
        Column("gets_cents", "Gets", attrgetter("cents"), CENTS, wall=True,
               within="" if pot.settled else "points"),
    )  # fmt: skip


def _stars(row: PotTeam) -> str:
    return format_html('<b class="boston">★ {}</b>', row.bostons) if row.bostons else ""
