"""A round on paper: who sits where, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.lists.column import where
from tournament.phrases import minus
from tournament.queries.book import EventFacts
from tournament.queries.schedule import RoundCard, Table
from tournament.reports.pdf.lettering import TIED
from tournament.reports.pdf.listing import Column, draw_list
from tournament.reports.pdf.paper import Papers


def seating_paper(event: EventFacts, round_: RoundCard, players: dict[int, str]) -> bytes:
    """Who sits where in a round, for the wall. `players` are the names of each team's players by its number."""
    papers = Papers(f"{event.name}: {round_.title}", event.paper)
    draw_seating(papers, event, round_, players)
    return papers.finish()


def draw_seating(papers: Papers, event: EventFacts, round_: RoundCard, players: dict[int, str]) -> None:
    """Draw the seating of a round; teams that sit out stand at its end."""
    columns = [Column("Table", 6, strong=True)]
    columns += [Column(f"Side {'ABCDEF'[side]}", 30) for side in range(event.sides)]
    rows = [[_table(table), *(_seated(table, at, players) for at in range(event.sides))] for table in round_.tables]
    rows += [["Bye", f"{number}  {name}", *[""] * (event.sides - 1)] for number, name in round_.byes]
    under = " · ".join(part for part in (where(event), *round_.notes) if part)
    draw_list(papers, f"{event.name}: {round_.title}", under, columns, rows, empty="This round is not drawn yet.")


def draw_results(papers: Papers, event: EventFacts, round_: RoundCard) -> None:
    """Draw the results of a round: teams, points, Bostons, how each game ended."""
    columns = [Column("Table", 7, strong=True), Column("Won", 24, strong=True), Column("Points", 7, "right")]
    columns += [Column("Lost", 24), Column("Points", 9, "right"), Column("How it ended", 22), Column("Bostons", 18)]
    rows = [_result(table) for table in round_.tables]
    rows += [["Bye", f"{number}  {name}", "", "", "", "", ""] for number, name in round_.byes]
    draw_list(
        papers, f"{event.name}: {round_.title}", where(event), columns, rows, empty="This round is not drawn yet."
    )


def _table(table: Table) -> str:
    return f"{table.table}.{table.leg}" if table.leg > 1 else str(table.table)


def _seated(table: Table, at: int, players: dict[int, str]) -> str:
    if at >= len(table.seats):
        return ""
    seat = table.seats[at]
    names = players.get(seat.number, "")
    return f"{seat.number}  {seat.team}" + (f" ({names})" if names else "")


def _result(table: Table) -> list[str]:
    if not table.shown:
        names = [f"{seat.number}  {seat.team}" for seat in table.seats]
        return [_table(table), names[0], "", ", ".join(names[1:]), "", table.state_words, ""]
    winners = [seat for seat in table.seats if seat.won]
    others = [seat for seat in table.seats if not seat.won]
    how = f"{table.how} (rule{TIED}{table.rule})" if table.rule[:1].isdigit() else table.how
    stars = ", ".join(f"{seat.team}{TIED}{'★' * seat.bostons}" for seat in table.seats if seat.bostons)
    return [
        _table(table),
        ", ".join(f"{seat.number}  {seat.team}" for seat in winners) or "nobody",
        ", ".join(minus(seat.points) for seat in winners),
        ", ".join(f"{seat.number}  {seat.team}" for seat in others),
        ", ".join(minus(seat.points) for seat in others),
        how,
        stars,
    ]


def players_by_number(teams: Sequence[object]) -> dict[int, str]:
    """The players of each team in one text, by the team's number."""
    return {team.number: ", ".join(team.players) for team in teams}  # type: ignore[attr-defined]
