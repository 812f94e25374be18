"""The cells of a results workbook that may be changed in a spreadsheet, put into the line that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tournament.forms.filled import side_named, whole_number, words
from tournament.queries.boards import said
from tournament.queries.resultsbook import NAMES, bid_cells, places_of, side_cells
from tournament.queries.sheet import GameSheet
from tournament.queries.wording import Written
from tournament.refusals import Fault

AT_THE_DESK = "correct this hand at the desk."


class Changed(NamedTuple):
    """A line with its changed cells: the facts as they are now, what was changed by column, what cannot be read."""

    facts: dict[str, Any]
    columns: dict[str, str]
    faults: list[Fault]


def changed_line(
    sheet: GameSheet, facts: dict[str, Any], written: Written, cells: Mapping[str, Any], allowed: frozenset[str]
) -> Changed:
    """A line as its cells say it now. `written` is what the facts say, `allowed` what may be bid in words."""
    bidder = "Level" in cells
    shown = dict(_bidder_shown(facts, written) if bidder else _sides_shown(sheet, written))
    columns = {
        title: f"{words(old) or 'nothing'} → {words(cells.get(title)) or 'nothing'}"
        for title, old in shown.items()
        if words(cells.get(title)).casefold() != words(old).casefold()
    }
    change = Changed(dict(facts), columns, [])
    if columns and facts["entry"] != "hand":
        change.faults.append(Fault(next(iter(columns)), "This line is not a hand: change it at the desk."))
    elif columns and bidder:
        _change_bidder(change, cells)
    elif columns:
        _change_sides(sheet, change, cells, allowed)
    if "Bid by" in cells and facts["entry"] == "hand" and "Side" not in columns:
        _look_who(sheet, change, written, cells)
    return change


def _bidder_shown(facts: Mapping[str, Any], written: Written) -> Iterator[tuple[str, Any]]:
    typed = bid_cells(facts["entry"], written)
    yield from zip(("Side", "Level", "Kind", "Bid", "Books"), typed, strict=True)


def _sides_shown(sheet: GameSheet, written: Written) -> Iterator[tuple[str, Any]]:
    yield "Cards", written.cards
    for side, name in zip(sheet.sides, NAMES, strict=False):
        typed = side_cells(written, side.index, len(sheet.sides))
        yield f"Bids {name}", " + ".join(typed.bids)
        yield f"Bid {name}", typed.bid
        yield f"Tricks {name}", typed.tricks


def _change_bidder(change: Changed, cells: Mapping[str, Any]) -> None:
    facts, columns, faults = change
    if "Side" in columns:
        side = "AB".find(words(cells["Side"]).upper() or "-")
        if side < 0:
            faults.append(Fault("Side", "Who won the bid? Write A or B."))
        else:
            facts["bidder"] = side
            # Which of the two partners bid is not told by the workbook.
            facts.pop("seat", None)
    bid = said(words(cells["Bid"]))
    if "Level" in columns or "Kind" in columns:
        level = whole_number(cells["Level"], "Level", "How high was the bid?", faults)
        kind = said(words(cells["Kind"])) or "straight"
        facts["bid"] = str(level) if kind == "straight" else f"{level}-{kind}"
        if "Bid" in columns and bid != facts["bid"]:
            faults.append(Fault("Bid", "This bid does not agree with Level and Kind. Which is right?"))
    elif "Bid" in columns:
        facts["bid"] = bid
    if "Books" in columns:
        facts["books"] = whole_number(cells["Books"], "Books", "How many books did the bidding side take?", faults)


def _look_who(sheet: GameSheet, change: Changed, written: Written, cells: Mapping[str, Any]) -> None:
    """A name of the other side in the column of the bidder, while the side was left as it was."""
    who = side_named(sheet, words(cells["Bid by"]))
    if words(cells["Bid by"]) != written.who_name and who is not None and who != written.who:
        change.faults.append(Fault("Bid by", f"Did side {NAMES[who]} win the bid? Change the column “Side”, too."))


def _change_sides(sheet: GameSheet, change: Changed, cells: Mapping[str, Any], allowed: frozenset[str]) -> None:
    facts, columns, faults = change
    if "Cards" in columns:
        facts["cards"] = whole_number(cells["Cards"], "Cards", "How many cards were dealt?", faults)
    bids, tricks = list(facts.get("bids") or ()), list(facts.get("tricks") or ())
    for side, name in zip(sheet.sides, NAMES, strict=False):
        places = places_of(side.index, len(sheet.sides), len(bids))
        if f"Bids {name}" in columns:
            _bids_in_words(change, cells, name, bids, places)
        elif f"Bid {name}" in columns:
            _bid_in_number(change, cells, name, bids, places, allowed)
        if f"Tricks {name}" in columns:
            taken = places_of(side.index, len(sheet.sides), len(tricks))
            title, question = f"Tricks {name}", "How many tricks were taken?"
            if len(taken) == 1:
                tricks[taken[0]] = whole_number(cells[title], title, question, faults)
            else:
                faults.append(Fault(title, f"This cell holds the tricks of two partners: {AT_THE_DESK}"))
    facts["bids"] = bids
    if tricks or "tricks" in facts:
        facts["tricks"] = tricks


def _bids_in_words(change: Changed, cells: Mapping[str, Any], name: str, bids: list[str], places: range) -> None:
    """Bids as they are said, partners’ bids with a plus between them: “Nil + 4”."""
    title = f"Bids {name}"
    text = words(cells[title])
    parts = [text] if len(places) == 1 else text.split(" + ")
    if len(parts) != len(places):
        change.faults.append(Fault(title, f"This cell does not show which partner bid what: {AT_THE_DESK}"))
        return
    for place, part in zip(places, parts, strict=True):
        bids[place] = said(part)[:30]
    total = sum(int(bids[place]) for place in places if bids[place].isdecimal())
    if f"Bid {name}" in change.columns and words(cells[f"Bid {name}"]) != str(total):
        change.faults.append(Fault(f"Bid {name}", "This number does not agree with the bid in words. Which is right?"))


def _bid_in_number(
    change: Changed, cells: Mapping[str, Any], name: str, bids: list[str], places: range, allowed: frozenset[str]
) -> None:
    title = f"Bid {name}"
    if len(places) != 1:
        change.faults.append(Fault(title, f"This cell holds the bids of two partners: {AT_THE_DESK}"))
        return
    bid = whole_number(cells[title], title, "How much was bid?", change.faults)
    bids[places[0]] = "pass" if bid == 0 and "pass" in allowed else str(bid)
