"""The Boston pot, the accounts of the teams and the receipts: shares to the cent and totals, by formulas."""

from __future__ import annotations

from openpyxl import Workbook

from tournament.queries.eventbook import WholeBook
from tournament.reports.excel.cells import BOLD, MOMENT, NAMES, NUMBER, Column, Formula, Page
from tournament.reports.excel.games import summed
from tournament.reports.excel.hands import SCORE
from tournament.reports.excel.summary import money_format
from tournament.reports.lists import receipt_rows


def write_pot(workbook: Workbook, whole: WholeBook) -> None:
    """Write the pot in order of team numbers: odd cents go to the lowest of them (rule 12)."""
    pot, page = whole.pot, Page(workbook, "Boston pot")
    names = NAMES[: whole.book.event.sides]
    money = money_format(pot.currency)
    columns = [
        Column("No.", 6, NUMBER),
        Column(whole.book.event.unit.capitalize(), 28),
        Column("Bostons", 9),
        Column("Won", 7),
        Column("Points", 8, SCORE),
    ]
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
                Formula(f"=INDEX(Standings_won,MATCH(A{at},Standings_number,0))"),
                Formula(f"=INDEX(Standings_points,MATCH(A{at},Standings_number,0))"),
                Formula(f"=IF(MAX({bostons})>0,C{at},{record})"),
                Formula(f"={share}"),
            ]
        )
    page.close_list()


def write_money(workbook: Workbook, whole: WholeBook) -> None:
    """Write the accounts: what every team has to pay by the prices of the event, what it paid by the ledger."""
    page, money, unit = Page(workbook, "Money"), money_format(whole.book.event.currency), whole.book.event.unit
    columns = [Column("No.", 6, NUMBER), Column(unit.capitalize(), 28), Column("Fee", 10, money)]
    columns += [Column("Changed by", 11, money), Column("Pot", 10, money), Column("Due", 10, money)]
    columns += [Column("Paid", 10, money), Column("Owes", 10, money), Column("Too much", 10, money)]
    columns.append(Column("Paid out", 10, money))
    page.begin_list("Money", f"What every {unit} has to pay and has paid.", columns, frozen_columns=2)
    for one in whole.cash.accounts:
        at = page.row + 1
        changed = one.adjusted / 100 if one.adjusted else ""
        pot = Formula("=Pot_each") if one.in_pot else ""
        due = Formula(f"=MAX(0,SUM(C{at}:D{at}))+SUM(E{at})")
        owes, over = Formula(f"=MAX(0,F{at}-G{at})"), Formula(f"=MAX(0,G{at}-F{at})")
        head = [one.number, one.name, Formula("=Fee"), changed, pot, due]
        page.list_row([*head, one.paid / 100, owes, over, one.payouts / 100 if one.payouts else ""])
    page.close_list(more_rows=1)
    if whole.cash.accounts:
        rows = f"{page.first}:{{0}}{page.row}"
        sums = [Formula(f"=SUM({letter}{rows.format(letter)})") for letter in "CDEFGHIJ"]
        page.write(["", "Total", *sums], formats=[column.format for column in columns], font=BOLD)


def write_receipts(workbook: Workbook, whole: WholeBook) -> None:
    """Write every receipt, and what is in hand after it."""
    page, money = Page(workbook, "Receipts"), money_format(whole.book.event.currency)
    columns = [
        Column("No.", 6, NUMBER),
        Column("Time", 16, MOMENT),
        Column("What", 20),
        Column("Who", 30),
        Column("By whom", 20),
    ]
    columns += [Column("Amount", 11, money), Column("Moves cash", 8), Column("Takes back", 8), Column("Why", 36)]
    columns += [Column("Recorded by", 14), Column("In hand", 11, money)]
    page.begin_list("Receipts", "Every line of the ledger.", columns, frozen_columns=1)
    _, *lines = receipt_rows(whole)
    for number, when, words, payee, person, cents, *rest in lines:
        held = Formula(f'=SUMIF(G${page.first}:G{page.row + 1},"yes",F${page.first}:F{page.row + 1})')
        page.list_row([number, when, words, payee, person, cents / 100, *rest, held])
    page.close_list()
