"""The Boston pot as a list, from `queries/pot.py`."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from django.urls import reverse
from django.utils.html import format_html

from tournament.lists.column import CENTS, NUMBER, POINTS, STARS, Cells, Column, Listing, where
from tournament.models import Event
from tournament.phrases import money
from tournament.queries.pot import PotFacts, PotTeam
from tournament.queries.rules import ruleset_of


def pot_list(event: Event, pot: PotFacts, *, by_points: bool = False) -> Listing:
    """Who is in the pot, most Bostons first. `by_points`: without Bostons games won and points decide."""
    unit = ruleset_of(event).unit
    stakes = money(pot.cents, pot.currency)
    return Listing(
        name="pot",
        title="Boston pot",
        event=event,
        columns=columns(event, pot, unit, by_points=by_points),
        rows=pot.teams,
        under=" · ".join((where(event), f"{stakes} from {pot.entered} {unit}s, {pot.window}", pot.text)),
        caption="In the pot",
        empty=f"No {unit} is in the pot.",
        mark=lambda team: {"class": "leads" if team.leads else ""},
    )


def columns(event: Event, pot: PotFacts, unit: str, *, by_points: bool) -> tuple[Column, ...]:
    def team(row: PotTeam) -> str:
        return format_html('<a href="{}">{}</a>', reverse("team", args=[event.slug, row.number]), row.team)

    def leads(row: PotTeam) -> str:
        words = "Wins" if pot.settled else "Leads"
        return format_html(' <span class="chip gold">{}</span>', words) if row.leads else ""

    def leading(row: PotTeam, cells: Cells) -> str:
        """The most Bostons; where nobody has one, the best record."""
        if not pot.leaders:
            return ""
        most, won, points = (cells.column(key) for key in ("bostons", "won", "points"))
        record = f"{cells['won']}*100000+{cells['points']}" if by_points else cells["won"]
        best = f"SUMPRODUCT(MAX({won}*100000+{points}))" if by_points else f"MAX({won})"
        return f'=IF(IF(MAX({most})>0,{cells["bostons"]}=MAX({most}),{record}={best}),"yes","")'

    def gets(row: PotTeam, cells: Cells) -> str:
        """Equal shares in whole cents; odd cents go to the lowest number (rule 12)."""
        total = f"ROUND(Pot_each*100,0)*COUNT({cells.column('number')})"
        winners = f'COUNTIF({cells.column("leads")},"yes")'
        before = f'COUNTIFS({cells.column("leads")},"yes",{cells.column("number")},"<"&{cells["number"]})'
        odd = f"IF({before}=0,MOD({total},{winners}),0)"
        mine = f'AND(Pot_settled="yes",{cells["leads"]}="yes")'
        return f'=IF({mine},(INT({total}/{winners})+{odd})/100,"")'

    def bostons(row: PotTeam, cells: Cells) -> str:
        window = ',Games_Round,"<="&Pot_window'
        return f"={cells.summed('Bostons', window)}"

    def so_far(what: str, row: PotTeam, cells: Cells) -> str:
        return f"=INDEX(Standings_{what},MATCH({cells['number']},Standings_number,0))"

    return (
        Column("number", "No.", attrgetter("number"), NUMBER, wall=True),
        Column("name", unit.capitalize(), attrgetter("team"), wall=True, html=team),
        Column("bostons", "Bostons", attrgetter("bostons"), STARS, wall=True, html=_stars, formula=bostons),
        Column("won", "Won", attrgetter("won"), NUMBER, wall=True, formula=partial(so_far, "won")),
        Column("points", "Points", attrgetter("points"), POINTS, wall=True, formula=partial(so_far, "points")),
        Column("leads", "Leads", lambda row: "yes" if row.leads else "", within="name", html=leads, formula=leading),
        Column("gets_cents", "Gets", attrgetter("cents"), CENTS, wall=True, formula=gets,
               within="" if pot.settled else "points"),
    )  # fmt: skip


def _stars(row: PotTeam) -> str:
    return format_html('<b class="boston">★ {}</b>', row.bostons) if row.bostons else ""
