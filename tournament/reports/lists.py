"""Lists of an event as rows of values: the head first, then one row each. They feed CSV, JSON and the workbook."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from tournament.lists.catalog import LISTS
from tournament.queries.book import EventBook
from tournament.queries.eventbook import WholeBook
from tournament.queries.sheet import GameSheet
from tournament.times import hall_time

Rows = Iterator[list[Any]]


def game_rows(sheets: Iterable[GameSheet]) -> Rows:
    """One row per side of a game."""
    yield ["Round", "Table", "Stage", "State", "Side", "No.", "Name", "Won", "Points", "Sets", "Bostons", "How", "Rule"]
    for sheet in sheets:
        for side in sheet.sides:
            at = side.index
            won = "" if not sheet.over else "yes" if sheet.winner == at else "no"
            head = [sheet.round, sheet.table, sheet.stage, sheet.state, at + 1, side.number, side.name]
            yield [*head, won, sheet.points[at], sheet.sets[at], sheet.bostons[at], sheet.how_words, sheet.rule]


def hand_rows(sheets: Iterable[GameSheet]) -> Rows:
    """One row per line and side of a sheet, with the reasons."""
    yield [
        "Round",
        "Table",
        "Line",
        "Hand",
        "Dealer",
        "Bid by",
        "Bid",
        "Took",
        "Offender",
        "Name",
        "Points",
        "Score",
        "Why",
    ]
    for sheet in sheets:
        for row in sheet.rows:
            for side in sheet.sides:
                at, written = side.index, row.written
                why = "; ".join(f"{line.text} ({line.rule})" for line in row.lines if line.side == at) or written.text
                took = written.took if written.took is not None else " | ".join(map(str, written.tricks))
                bid = " | ".join(written.bids) or written.bid
                dealer = row.dealer.name if row.dealer else ""
                head = [sheet.round, sheet.table, row.position, row.number, dealer, written.who_name, bid, took]
                head.append(written.offender)
                yield [*head, side.name, row.deltas[at], row.scores[at], why]


def round_rows(whole: WholeBook) -> Rows:
    """One row per team and round: where it sat, and what became of it."""
    yield ["Round", "Title", "Stage", "State", "Table", "Game", "Side", "No.", "Name", "Won", "Points", "How", "Rule"]
    for round_ in whole.rounds:
        head = [round_.number, round_.title, round_.stage, round_.state_words]
        for table in round_.tables:
            for at, seat in enumerate(table.seats):
                won = "" if not table.shown else "yes" if seat.won else "no"
                place = [table.table, table.leg, "ABCDEF"[at], seat.number, seat.team]
                yield [*head, *place, won, seat.points, table.how, table.rule]
        for number, team in round_.byes:
            yield [*head, "", "", "bye", number, team, "", "", "", ""]


def bracket_rows(whole: WholeBook) -> Rows:
    """One row per match of the playoffs."""
    yield [
        "Match",
        "Round",
        "State",
        "Seed A",
        "No. A",
        "Side A",
        "Wins A",
        "Seed B",
        "No. B",
        "Side B",
        "Wins B",
        "Won",
    ]
    for match in whole.bracket.matches if whole.bracket else ():
        sides = [value for side in match.sides for value in (side.seed, side.number, side.name, side.wins)]
        yield [match.key, match.title, match.state, *sides, next((side.name for side in match.sides if side.won), "")]


def pot_rows(whole: WholeBook) -> Rows:
    """The Boston pot by team."""
    yield ["No.", _unit(whole.book), "Bostons", "Won", "Points", "Leads", "Cents"]
    for team in whole.pot.teams:
        figures = [team.bostons, team.won, team.points]
        yield [team.number, team.team, *figures, "yes" if team.leads else "", team.cents or ""]


def ruling_rows(whole: WholeBook) -> Rows:
    """Every ruling, in the order in which they were made."""
    yield [
        "Time",
        "Round",
        "Table",
        "Line",
        "Rule",
        "Ruling",
        "Side",
        "Bid",
        "Effect",
        "Director",
        "Reason",
        "Withdrawn",
    ]
    for one in reversed(whole.rulings):
        head = [_time(whole, one.at), one.round, one.table, one.position or "", one.rule, one.text, one.side, one.bid]
        yield [*head, "; ".join(one.effect) or "no points", one.director, one.reason, one.withdrawn]


def correction_rows(whole: WholeBook) -> Rows:
    """Every line that was struck."""
    yield ["Time", "Round", "Table", "Line", "It said", "It says now", "Why", "By"]
    for one in whole.struck:
        when = _time(whole, one.at) if one.at else ""
        yield [when, one.round, one.table, one.position or "", one.before, one.after, one.reason, one.by]


def money_rows(whole: WholeBook) -> Rows:
    """What each team has to pay and has paid, in cents, as the ledger says."""
    yield ["No.", _unit(whole.book), "Fee", "Boston pot", "Due", "Paid", "Owes", "Too much", "Paid out"]
    for one in whole.cash.accounts:
        yield [one.number, one.name, one.due_fee, one.pot, one.due, one.paid, one.owes, one.over, one.payouts]


def receipt_rows(whole: WholeBook) -> Rows:
    """Every line of the ledger, in cents."""
    yield ["No.", "Time", "What", "Who", "By whom", "Cents", "Moves cash", "Takes back", "Why", "Recorded by"]
    for line in whole.cash.lines:
        head = [line.number, _time(whole, line.at), line.words, line.payee, line.person, line.cents]
        yield [*head, "yes" if line.is_cash else "no", line.reverses or "", line.reason, line.by]


WHOLE = {
    "rounds": round_rows,
    "bracket": bracket_rows,
    "pot": pot_rows,
    "rulings": ruling_rows,
    "corrections": correction_rows,
    "money": money_rows,
    "receipts": receipt_rows,
}
SHEETS = {"games": game_rows, "hands": hand_rows}
NAMES = (*LISTS, *SHEETS, *WHOLE)


def json_bytes(rows: Iterable[list[Any]]) -> bytes:
    """Rows as a list of objects, named by the head."""
    head, *body = rows
    return json.dumps(
        [dict(zip(head, row, strict=True)) for row in body], ensure_ascii=False, indent=1, default=datetime.isoformat
    ).encode()


def _unit(book: EventBook) -> str:
    return book.event.unit.capitalize()


def _time(whole: WholeBook, at: datetime) -> datetime:
    return hall_time(at, whole.book.event.time_zone).replace(microsecond=0)
