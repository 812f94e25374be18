"""The Boston pot and the cash sheet: shares to the cent and totals, by formulas."""

from __future__ import annotations

from openpyxl import Workbook

from tournament.queries.eventbook import WholeBook
from tournament.reports.excel.cells import BOLD, Column, Formula, Page
from tournament.reports.excel.hands import NAMES, SCORE
from tournament.reports.excel.standings import summed
from tournament.reports.excel.summary import money_format


def write_pot(workbook: Workbook, whole: WholeBook) -> None:
    """Write the pot in order of team numbers: odd cents go to the lowest of them (rule 12)."""
    pot, page = whole.pot, Page(workbook, "Boston pot")
    names = NAMES[: whole.book.event.sides]
    money = money_format(pot.currency)
    columns = [Column("No.", 6), Column("Team", 28), Column("Bostons", 9), Column("Won", 7), Column("Points", 8, SCORE)]
    columns += [Column("Counts for the pot", 12, "0"), Column("Gets", 12, money)]
    page.begin_list("Boston pot", pot.text, columns, frozen_columns=2)
    teams = sorted(pot.teams, key=lambda team: team.number)
    first, last = page.first, page.first + max(len(teams), 1) - 1
    bostons, keys, numbers = (f"${letter}${first}:${letter}${last}" for letter in "CFA")
    for team in teams:
        at = page.row + 1
        window = ',Games_Round,"<="&Pot_window'
        record = f"D{at}*100000+E{at}" if whole.formulas.record_by_points else f"D{at}"
        total = f"ROUND(Pot_each*100,0)*COUNT({numbers})"
        winners = f"COUNTIF({keys},MAX({keys}))"
        odd = f"IF(COUNTIF(F${first}:F{at},MAX({keys}))=1,MOD({total},{winners}),0)"
        share = f'IF(AND(Pot_settled="yes",F{at}=MAX({keys})),(INT({total}/{winners})+{odd})/100,"")'
        page.list_row(
            [
                team.number,
                team.team,
                Formula(f"={summed('Bostons', names, f'A{at}', window)}"),
                Formula(f"=INDEX(Standings_Won,MATCH(A{at},Standings_No,0))"),
                Formula(f"=INDEX(Standings_Points,MATCH(A{at},Standings_No,0))"),
                Formula(f"=IF(MAX({bostons})>0,C{at},{record})"),
                Formula(f"={share}"),
            ]
        )
    page.close_list()


def write_money(workbook: Workbook, whole: WholeBook) -> None:
    """Write the cash sheet: fees and pot of every team, what was paid and what is owed."""
    page, money = Page(workbook, "Money"), money_format(whole.book.event.currency)
    columns = [Column("No.", 6), Column("Team", 28), Column("Fee", 10, money), Column("In the pot", 9)]
    columns += [Column("Pot", 10, money), Column("Due", 10, money), Column("Paid", 7)]
    columns += [Column("Received", 11, money), Column("Owed", 11, money)]
    page.begin_list("Money", "Write “yes” where a team has paid.", columns, frozen_columns=2)
    for team in whole.book.teams:
        at = page.row + 1
        pot = Formula(f'=IF(D{at}="x",Pot_each,0)')
        received, owed = Formula(f'=IF(G{at}="yes",F{at},0)'), Formula(f"=F{at}-H{at}")
        paid = "yes" if team.paid else "no"
        values = [team.number, team.name, Formula("=Fee"), "x" if team.in_pot else "", pot]
        page.list_row([*values, Formula(f"=C{at}+E{at}"), paid, received, owed])
    page.close_list(more_rows=1)
    if whole.book.teams:
        rows = f"{page.first}:{{0}}{page.row}"
        sums = {letter: Formula(f"=SUM({letter}{rows.format(letter)})") for letter in "CEFHI"}
        values = ["", "Total", *(sums.get(letter, "") for letter in "CDEFGHI")]
        page.write(values, formats=[column.format for column in columns], font=BOLD)
