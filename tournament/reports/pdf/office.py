"""What the office keeps on paper: rulings, corrections, money, teams, the rules that were played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from tournament.lists.column import where
from tournament.phrases import minus, money, rule
from tournament.queries.book import EventFacts
from tournament.queries.eventbook import StruckLine
from tournament.queries.pot import PotFacts
from tournament.queries.rulings import RulingLine
from tournament.reports.pdf.lettering import TIED
from tournament.reports.pdf.listing import Column, draw_list
from tournament.reports.pdf.paper import Papers
from tournament.times import clock_time, day_time


def rulings_paper(event: EventFacts, rulings: Sequence[RulingLine]) -> bytes:
    """Every ruling with its rule, choice, effect, director and time."""
    papers = Papers(f"{event.name}: rulings", event.paper)
    draw_rulings(papers, event, rulings)
    return papers.finish()


def rows_paper(event: EventFacts, title: str, rows: Iterable[Sequence[Any]]) -> bytes:
    """Any list as it stands in its file, its columns as wide as what stands in them."""
    head, *body = rows
    papers = Papers(f"{event.name}: {title}", event.paper, landscape=True)
    texts = [[_said(value, event) for value in row] for row in body]
    columns = []
    for at, name in enumerate(head):
        longest = max([len(row[at]) for row in texts], default=0)
        numbers = any(row[at] for row in body) and all(isinstance(row[at], int) for row in body if row[at] != "")
        columns.append(Column(name, min(max(longest, len(name), 4), 30), "right" if numbers else "left"))
    draw_list(papers, f"{event.name}: {title}", where(event), columns, texts)
    return papers.finish()


def _said(value: Any, event: EventFacts) -> str:
    if isinstance(value, datetime):
        return day_time(value, event.time_zone)
    return minus(value) if isinstance(value, int) else str(value if value is not None else "")


def draw_rulings(papers: Papers, event: EventFacts, rulings: Sequence[RulingLine]) -> None:
    """Draw the report of rulings, in the order in which they were made."""
    columns = [Column("Time", 11), Column("Where", 14), Column("Rule", 8, strong=True), Column("Ruling", 34)]
    columns += [Column("Effect", 30), Column("Director", 10)]
    rows = [
        (
            clock_time(one.at, event.time_zone),
            f"{one.round}, table{TIED}{one.table}",
            rule(one.rule) if one.rule else "",
            " · ".join(part for part in (one.text, one.bid, one.reason) if part),
            f"withdrawn: {one.withdrawn}" if one.withdrawn else "; ".join(one.effect) or "no points",
            one.director,
        )
        for one in reversed(rulings)
    ]
    draw_list(papers, f"{event.name}: rulings", where(event), columns, rows, empty="No ruling was made.")


def corrections_paper(event: EventFacts, struck: Sequence[StruckLine]) -> bytes:
    """Every line of every sheet that was struck."""
    papers = Papers(f"{event.name}: corrections", event.paper)
    draw_struck(papers, event, struck)
    return papers.finish()


def draw_struck(papers: Papers, event: EventFacts, struck: Sequence[StruckLine]) -> None:
    """Draw the list of corrections."""
    columns = [Column("Time", 11), Column("Where", 17), Column("It said", 24), Column("It says now", 24)]
    columns += [Column("Why", 24), Column("By", 10)]
    rows = [
        (
            clock_time(one.at, event.time_zone) if one.at else "",
            f"{one.round}, table{TIED}{one.table}, line{TIED}{one.position}",
            one.before,
            one.after,
            one.reason,
            one.by,
        )
        for one in struck
    ]
    draw_list(papers, f"{event.name}: corrections", where(event), columns, rows, empty="Nothing was corrected.")


def draw_pot(papers: Papers, event: EventFacts, pot: PotFacts) -> None:
    """Draw the Boston pot: who is in it, with how many Bostons, and what each gets."""
    columns = [Column("No.", 5, "right"), Column(event.unit.capitalize(), 34, strong=True)]
    columns += [Column("Bostons", 10, "right")]
    columns += [Column("Won", 8, "right"), Column("Points", 10, "right"), Column("Gets", 12, "right", strong=True)]
    rows = [
        (
            str(team.number),
            team.team,
            str(team.bostons),
            str(team.won),
            str(team.points),
            money(team.cents, pot.currency) if team.cents else "",
        )
        for team in pot.teams
    ]
    under = f"{money(pot.cents, pot.currency)} from {pot.entered} {event.unit}s, {pot.window} · {pot.text}"
    draw_list(papers, f"{event.name}: Boston pot", under, columns, rows, empty=f"No {event.unit} is in the pot.")


def rules_paper(event: EventFacts) -> bytes:
    """The rule sheet in words."""
    papers = Papers(f"{event.name}: rules", event.paper)
    draw_rules(papers, event)
    return papers.finish()


def draw_rules(papers: Papers, event: EventFacts) -> None:
    """Draw the rule sheet: every option in words, and which of them the club chose."""
    columns = [Column("Rule", 34), Column("How it is played", 50, strong=True), Column("", 16)]
    rows = [(title, words, "chosen by the club" if chosen else "") for _, title, words, chosen in event.options]
    draw_list(papers, event.sheet_title, event.game, columns, rows)
