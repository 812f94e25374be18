"""The workbook keeps calculating what it says: recalculated by LibreOffice it is the fold, also of changed entries.

Every workbook of this module goes through two starts of the program: one for what is calculated, one for what is shown.
"""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass, field
from random import Random
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User

from scoring.registry import all_sheets
from tests.programs import recalculated_all
from tests.sure import sure
from tests.tournament.reports.evenings import club_24, random_event
from tests.tournament.reports.workbooks import Lists, read_lists
from tournament.models import Event
from tournament.queries.book import event_sheets
from tournament.queries.eventbook import WholeBook, whole_book
from tournament.queries.scored import NotPossible, ScoredGame
from tournament.queries.sheetfacts import GameSheet, Row
from tournament.reports.excel.columns import GameColumns
from tournament.reports.excel.hands import AGREES, CHANGED, game_key
from tournament.reports.excel.prices import whole as typed_as
from tournament.reports.excel.workbook import event_workbook

SIDES = {sheet.key: game.seating(sheet.rules).sides for game, sheet in all_sheets()}
SHEETS = list(SIDES)
# Two rounds at so many tables for each sheet, and each game is changed in one place: more than 200 changes in all.
TABLES = 6
NAMES = "ABCDEF"


@dataclass
class Change:
    """A cell (or two, where the tricks must still add up) that somebody typed over, and what the rules say of it."""

    cells: dict[str, Any]
    position: int
    facts: dict[str, Any]


@dataclass
class Evening:
    """An event, its sheets by the keys of their games, and what is changed in its workbook."""

    event: Event
    whole: WholeBook
    sheets: dict[str, GameSheet]
    content: bytes
    changes: dict[str, Change] = field(default_factory=dict)


def evening(event: Event) -> Evening:
    sheets = {game_key(sheet): sheet for sheet in event_sheets(event)}
    whole = whole_book(event)
    return Evening(event, whole, sheets, event_workbook(whole, sheets.values()))


def played(sheet: str, dana: User) -> Evening:
    family, _, name = sheet.partition("/")
    return evening(random_event(family, SHEETS.index(sheet), dana, teams=TABLES * SIDES[sheet], sheet=name))


def changed(one: Evening, chance: Random) -> bytes:
    """The workbook with one change in each game that has a hand."""
    book = openpyxl.load_workbook(io.BytesIO(one.content))
    board, row = GameColumns(one.whole.formulas), 4
    for key, sheet in one.sheets.items():
        hands = [(at, line) for at, line in enumerate(sheet.rows) if line.kind == "hand" and not _reset(line)]
        if hands:
            at, line = chance.choice(hands)
            change = _change(chance, board, sheet, line, row + at)
            for cell, value in change.cells.items():
                assert book["Hands"][cell].value != value
                book["Hands"][cell] = value
            one.changes[key] = change
        row += len(sheet.rows)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _reset(line: Row) -> bool:
    return any(one.kind == "rubber" for one in line.lines)


def _change(chance: Random, board: GameColumns, sheet: GameSheet, line: Row, at: int) -> Change:
    facts = dict(line.facts)
    if board.formulas.one_bids:
        kind = chance.choice(("bid", "took", "side"))
        if kind == "bid":
            word = chance.choice([one for one in sure(board.prices).words if one != line.written.bid])
            facts["bid"] = word.lower()
            facts.pop("trump", None)
            facts.pop("direction", None)
            facts.pop("auction", None)
            return Change({board.at("bid", at): typed_as(word)}, line.position, facts)
        if kind == "took":
            facts["books"] = chance.choice([books for books in range(14) if books != facts["books"]])
            return Change({board.at("took", at): facts["books"]}, line.position, facts)
        side = 1 - sure(line.written.who)
        facts["bidder"] = side
        facts.pop("seat", None)
        facts.pop("auction", None)
        return Change({board.at("side", at): NAMES[side]}, line.position, facts)
    sides, tricks = len(sheet.sides), list(facts.get("tricks") or ())
    givers = [place for place, count in enumerate(tricks) if count]
    if givers and chance.random() < 0.6:
        giver = chance.choice(givers)
        taker = chance.choice([place for place in range(len(tricks)) if place % sides != giver % sides])
        tricks[giver] -= 1
        tricks[taker] += 1
        facts["tricks"] = tricks
        cells = {}
        for place in (giver, taker):
            own = board.takers > 1 and len(tricks) > sides
            name = f"own-{place % sides}-{place // sides}" if own else f"took-{place % sides}"
            count = tricks[place] if own else sum(tricks[place % sides :: sides])
            cells[board.at(name, at)] = count
        return Change(cells, line.position, facts)
    bids = list(facts.get("bids") or [])
    if not bids:
        return Change({board.at("took-0", at): 99}, line.position, facts | {"tricks": [99, 0]})
    place = chance.randrange(len(bids))
    cards = line.written.cards or 0
    prices = sure(board.prices)
    dealt = cards if prices.by_cards else 0
    words = [word for of, word in prices.tariff.calls if of == dealt and word and word != line.written.bids[place]]
    word = chance.choice(words)
    bids[place] = word.lower().replace(" + ", "+").replace(" ", "-")
    facts["bids"] = bids
    name = f"bid-{place % sides}-{place // sides if board.bidders > 1 else 0}"
    return Change({board.at(name, at): typed_as(word)}, line.position, facts)


def _refolded(sheet: GameSheet, change: Change) -> ScoredGame:
    """The game with the changed entry, as far as the rules take what follows."""
    scored = ScoredGame(sheet.rules, sheet.scored.first_dealer, sheet.scored.begin, (), sheet.scored.opening)
    with contextlib.suppress(NotPossible):
        for line in sheet.scored.lines:
            facts = change.facts if line.position == change.position else line.facts
            scored = scored.with_line(line.position, facts)
    return scored


@pytest.mark.office
def test_every_workbook_is_the_fold_and_follows_what_is_changed(dana: User) -> None:
    chance = Random(7)
    evenings = [evening(club_24(dana)), *(played(sheet, dana) for sheet in SHEETS)]
    files = recalculated_all(
        [*(one.content for one in evenings), *(changed(one, chance) for one in evenings[1:])],
    )
    for one, file in zip(evenings, files, strict=False):
        agrees(one, read_lists(file))
    counts = [follows(one, read_lists(file)) for one, file in zip(evenings[1:], files[len(evenings) :], strict=True)]
    changes, refused, ended = (sum(found) for found in zip(*counts, strict=True))
    assert changes >= 200
    # Most changes are legal and leave the end of the game where it was: those are compared to the last count.
    assert changes - refused - ended > changes / 3, (changes, refused, ended)


def agrees(one: Evening, pages: Lists) -> None:
    """An unchanged workbook is what the page shows, and says so of every game."""
    names = ("Place", "No.", "Won", "Points", "Sets")
    title = one.whole.book.standings.title
    found = [(*(row[name] for name in names), row.get("Bostons") or 0) for row in pages[title]]
    lines = one.whole.book.standings.lines
    assert found == [(line.label, line.number, line.won, line.points, line.sets, line.bostons) for line in lines]
    for row, team in zip(pages.get("Boston pot", ()), one.whole.pot.teams, strict=False):
        assert (row["No."], row["Bostons"], round((row["Gets"] or 0) * 100)) == (team.number, team.bostons, team.cents)
    games = {row["Game"]: row for row in pages["Games"]}
    hands = pages["Every hand"]
    for key, sheet in one.sheets.items():
        game, mine = games[key], [row for row in hands if row["Game"] == key]
        assert game["In this workbook"] == AGREES, (one.event.sheet, key)
        assert game["Winner no."] == (sheet.winner_side.number if sheet.winner_side else None)
        for side in sheet.sides:
            at, name = side.index, NAMES[side.index]
            assert [game[f"{what} {name}"] for what in ("No.", "Points", "Sets")] == [
                side.number, sheet.points[at], sheet.sets[at],
            ], key  # fmt: skip
            assert (game[f"Bostons {name}"] or 0) == (sheet.bostons[at] if "bostons" in counted(one) else 0)
            shown = [(row[f"± {name}"], row[f"Score {name}"], row[f"Sets {name}"]) for row in mine]
            assert shown == [(row.deltas[at], row.scores[at], row.sets[at]) for row in sheet.rows], key
            if "bags" in counted(one):
                assert [row[f"Bags {name}"] for row in mine] == [row.bags[at] for row in sheet.rows], key


def counted(one: Evening) -> tuple[str, ...]:
    return one.whole.formulas.counters


def follows(one: Evening, pages: Lists) -> tuple[int, int, int]:
    """What stands in the changed workbook; how many were changed, refused by the rules, or ended otherwise."""
    games, refused, ended = {row["Game"]: row for row in pages["Games"]}, 0, 0
    for key, sheet in one.sheets.items():
        change = one.changes.get(key)
        assert games[key]["In this workbook"] == (CHANGED if change else AGREES), (one.event.sheet, key)
        if change is None:
            continue
        at = next(at for at, line in enumerate(sheet.rows) if line.position == change.position)
        scored = _refolded(sheet, change)
        if len(scored.lines) <= at:
            refused += 1
            continue
        mine = [row for row in pages["Every hand"] if row["Game"] == key]
        line, before = scored.lines[at], sheet.scored.lines[at]
        if _untold(change, line):
            continue
        for side in sheet.sides:
            # The hand itself, and beside it whatever else the sheet says of this line.
            rest = sheet.rows[at].deltas[side.index] - _of_hand(before, side.index)
            bags = _bags(line, side.index) - _bags(before, side.index)
            expected = (0 if line.before.deciding else _of_hand(line, side.index)) + rest + bags
            if not before.before.deciding:
                assert mine[at][f"± {NAMES[side.index]}"] == expected, (one.event.sheet, key, change)
            assert mine[at][f"Sets {NAMES[side.index]}"] == line.after.sets[side.index], (one.event.sheet, key, change)
        if not _same_end(sheet.scored, scored):
            ended += 1
            continue
        for side in sheet.sides:
            name = NAMES[side.index]
            for row, step in zip(mine, scored.lines, strict=True):
                figures = [row[f"Score {name}"], row[f"Sets {name}"]]
                assert figures == [step.after.scores[side.index], step.after.sets[side.index]], (key, change)
                if "bags" in counted(one):
                    assert row[f"Bags {name}"] == step.after.bags[side.index], (key, change)
                if "bostons" in counted(one):
                    assert row[f"Bostons {name}"] == step.after.bostons[side.index], (key, change)
            assert games[key][f"Points {name}"] == scored.points[side.index], (key, change)
    return len(one.changes), refused, ended


def _of_hand(line: Any, side: int) -> int:
    return sum(one.points for one in line.lines if one.side == side and not one.beside_the_hand)


def _bags(line: Any, side: int) -> int:
    return sum(one.points for one in line.lines if one.side == side and one.kind == "bags")


def _untold(change: Change, line: Any) -> bool:
    """What no table can tell: boards that the order of speaking raised, and a hand in which nobody bids any more."""
    bids = [str(bid) for bid in change.facts.get("bids") or ()]
    return sum("board" in bid for bid in bids) > 1 or (bool(bids) and not line.lines)


def _same_end(old: ScoredGame, new: ScoredGame) -> bool:
    ends = [(one.verdict and (one.verdict.winner, one.verdict.how, one.verdict.rule)) for one in (old, new)]
    paid = [
        [[(one.side, one.points) for one in line.lines if one.kind == "bonus"] for line in game.lines]
        for game in (old, new)
    ]
    return ends[0] == ends[1] and paid[0] == paid[1] and len(old.lines) == len(new.lines)
