"""The score sheet on paper: blank, pre-filled, so far, or final, with every reason, mark and signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import NamedTuple

from django.utils import timezone

from tournament.models import Signature
from tournament.queries.rules import Ruleset
from tournament.queries.sheetfacts import GameSheet, SideFacts
from tournament.reports.pdf.colors import MUTED
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, TIED, Pen, text_width, wrapped
from tournament.reports.pdf.paper import SHEET_HEIGHT, SHEET_WIDTH, Halves, Pages, Papers, draw_qr
from tournament.reports.pdf.sheet_table import (
    LETTERS,
    ROW,
    ROWS,
    TABLE,
    Item,
    Table,
    cited_text,
    coming_items,
    draw_empty_row,
    draw_heads,
    draw_item,
    items_of,
    seat_label,
    sheet_table,
    varies,
)
from tournament.words.phrases import BY_IMPORT, clause, clock_time, day, day_time, minus

# The distance from the top to the boxes of the sides, their least height, the distance to the hint and to the lines
# of rules, and how many of these lines there may be.
SIDES, HIGH, HINT, RULES, MOST_RULES = 76.0, 34.0, 121.0, 51.0, 3
# The size of the QR code, the width of the words beside it, and the width of the text before them.
QR, WHERE = 70.0, 132.0
HEAD = SHEET_WIDTH - QR - 8
# An event's name that would be smaller than this takes two lines.
TWO_LINES = 11.0
# Below the table: a note of two lines, the three lines of boxes and their height, and the foot.
NOTE, BELOW, BOXED, FOOT = 641.0, (655.0, 679.0, 703.0), 21.0, 735.0
CIRCLE = "Circle one in each group; cross out mistakes. Write the score after each hand, with − at ± if below zero."
BOXES = (
    "The tricks of all sides add up to the cards dealt. Cross out mistakes. "
    "Write the score after each hand, with − at ± if below zero."
)
# Somebody who began a new row for a hand that was dealt again was off by one card from then on.
DEALS = (
    "Tricks add up to the cards (c). Cross out mistakes. A void hand is dealt again in its row. "
    "Write the score after each hand, − at ± below zero."
)
# The groups of options that a table calculates with; the other options are on the rules page.
FIGURES = ("end", "scoring")


class Box(NamedTuple):
    """A box below the table: its label, its share of the width, and its possible texts, the longest first."""

    label: str
    share: float
    words: tuple[str, ...] = ()


def score_sheets(
    sheets: Iterable[GameSheet],
    *,
    paper: str = "letter",
    zone: str = "UTC",
    title: str = "Score sheets",
    simple: bool = False,
    site: str = "",
    printed_at: datetime | None = None,
) -> bytes:
    """The sheets in a file of their own; `simple` sheets have room only for bids and scores."""
    papers = Papers(title, paper, site=site)
    draw_score_sheets(papers, sheets, zone, title=title, simple=simple, printed_at=printed_at)
    return papers.finish()


def draw_score_sheets(
    papers: Papers,
    sheets: Iterable[GameSheet],
    zone: str,
    *,
    title: str = "",
    level: int = 0,
    simple: bool = False,
    printed_at: datetime | None = None,
) -> None:
    """Draw a page for each sheet that people still write on or sign; finished sheets share pages, two on each."""
    for is_final, group in groupby(sheets, key=lambda sheet: sheet.game.state == "final"):
        run = list(group)
        halves = Halves(papers, f"sheets-{papers.pages}") if is_final and len(run) > 1 else None
        for sheet in run:
            words = str(sheet.game) if sheet.game.table else title
            if halves is None:
                papers.bookmark(words, level)
            else:
                halves.begun = partial(papers.bookmark, words, level)
            draw_score_sheet(halves or papers, sheet, zone, simple=simple, printed_at=printed_at)
        if halves is not None:
            halves.finish()


def draw_score_sheet(
    papers: Pages, sheet: GameSheet, zone: str, *, simple: bool = False, printed_at: datetime | None = None
) -> None:
    """Draw a game's sheet on as many pages as its lines need."""
    table, pen = sheet_table(sheet.rules, simple=simple), papers.pen
    x, top = (papers.size[0] - SHEET_WIDTH) / 2, (papers.size[1] + SHEET_HEIGHT) / 2
    # Nobody fills in a sheet that shares its page in a book.
    coming = () if isinstance(papers, Halves) else coming_items(sheet, table)
    pages = _pages(sheet, (*items_of(sheet, table), *coming))
    form = _form_of_rows(sheet, simple=simple)
    for number, items in enumerate(pages, start=1):
        page = f"Page {number} of {len(pages)}" if len(pages) > 1 else ""
        _draw_head(pen, x, top, sheet, table, page)
        if papers.site and sheet.short:
            # Capitals and digits make a smaller code.
            draw_qr(pen, x + SHEET_WIDTH - QR, top - QR, QR, f"{papers.site.rstrip('/')}/s/{sheet.short}".upper(), "Q")
        high = _draw_sides(pen, x, top - SIDES, sheet)
        # Long names need the line of the hint.
        if not sheet.over and high == HIGH:
            pen.text(x, top - HINT, hint_of(table, varies=varies(sheet)), width=SHEET_WIDTH)
        draw_heads(pen, x, top, table)
        y = top - TABLE
        for item in items:
            if item.dealer is not None:
                draw_empty_row(papers, x, y, table, form, item.dealer)
            draw_item(pen, x, y, item, table)
            y -= item.slots * ROW
        papers.close_up(y, top - TABLE - ROWS * ROW)
        if number < len(pages):
            pen.text(x, top - BELOW[0] - 12, f"Continued on page {number + 1}", size=10, font=BOLD)
        else:
            pen.block(x, top - NOTE, _note_of_signatures(sheet), width=SHEET_WIDTH)
            for down, boxes in zip(BELOW, _boxes(sheet, zone), strict=True):
                _draw_boxes(pen, x, top - down, boxes)
        _draw_foot(pen, x, top - FOOT, sheet, table, zone, printed_at or timezone.now())
        papers.next_page()


def _form_of_rows(sheet: GameSheet, *, simple: bool) -> str:
    """The name under which empty rows are drawn once for all sheets that have the same ones."""
    # A round with rules of its own has rows of its own.
    own_round = sheet.round.number if sheet.rules.own else 0
    return f"row-{sheet.sheet_key}-{len(sheet.sides)}-{simple}-{own_round}".replace("/", "-")


def _note_of_signatures(sheet: GameSheet) -> str:
    """Why somebody else signed for a side on a screen, each reason once."""
    notes = []
    for signature in sheet.signatures:
        if not signature.reason or signature.on_paper:
            continue
        note = f"Signed by {signature.words}" if signature.seen_by else signature.reason
        if note not in notes:
            notes.append(note)
    return "; ".join(notes)


def _pages(sheet: GameSheet, rows: Iterable[Item]) -> list[list[Item]]:
    """Divide the rows into pages: first what is written, then the hands to come.

    The hands to come go on to the end of the schedule, or of the page that is being written; a full page is followed by
    another one.
    """
    pages: list[list[Item]] = [[]]
    used = 0
    for item in rows:
        if used + item.slots > ROWS and used:
            if sheet.endless and pages[-1][-1].dealer is not None:
                break
            pages.append([])
            used = 0
        pages[-1].append(item)
        used += item.slots
    return pages


def _draw_head(pen: Pen, x: float, y: float, sheet: GameSheet, table: Table, page: str) -> None:
    """Draw the event, round and table, the rule sheet with its options, and how far the game is."""
    game = sheet.game
    where = (
        f"{sheet.words.title or sheet.round}{f' · {game.leg}' if game.leg > 1 else ''}"
        if game.table
        else sheet.round.title or "Game _______"
    )
    number = f"Table {game.table}" if game.table else "Table _______"
    state = " · ".join(filter(None, (_state(sheet) or sheet.words.to, page)))
    room = HEAD - WHERE - 8
    for line, words, size in ((15, where, 13), (30, number, 13), (42, state, 9)):
        pen.text(x + room + 8, y - line, words, size=size, font=BOLD, width=WHERE, align="right")
    title = sheet.event.name or "Score sheet"
    if text_width(title, SERIF, TWO_LINES) > room:
        pen.block(x, y - 6, title, size=TWO_LINES, font=SERIF, width=room)
    else:
        pen.text(x, y - 15, title, size=17, font=SERIF, width=room)
    under = [part for part in (day(sheet.event.date) if sheet.event.date else "", sheet.event.place) if part]
    # If the place would make the line too small, the day is enough.
    words = next((part for part in (" · ".join(under), *under) if text_width(part, PLAIN, 9) <= room), "")
    pen.text(x, y - 29, words, color=MUTED, width=room)
    pen.text(x, y - 41, sheet.sheet_title, font=BOLD, width=room)
    for line, text in enumerate(_rules(sheet.rules, table.short)):
        pen.text(x, y - RULES - 9.8 * line, text, width=HEAD, color=MUTED)


def _state(sheet: GameSheet) -> str:
    if sheet.over:
        return "Final" if sheet.game.state == "final" else "To sign"
    if sheet.rows and sheet.hands:
        return f"So far after hand {sheet.hands}"
    return "So far" if sheet.rows or sheet.opening is not None else ""


def _rules(rules: Ruleset, short: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """As many as fit: the stage's own rules, short words, the club's options, ranks of cards, other figures."""
    parts = [rules.in_short, ", ".join(f"{mark} = {word.lower()}" for mark, word in short)]
    chosen = [option for option in rules.chosen if option.group != "event" and option.key not in rules.own]
    parts += [f"{option.title.rstrip(':')}: {option.words}" for option in chosen]
    printed = [option for option in rules.said if type(option.value) is int and option not in rules.chosen]
    figures = [
        f"{option.title.rstrip(':')}: {option.words}" for key in FIGURES for option in printed if option.group == key
    ]
    parts = list(filter(None, (*parts, rules.game.ranks(rules.rules), *figures)))
    lines: tuple[str, ...] = ()
    while parts and (not lines or len(lines) > MOST_RULES):
        lines = wrapped(". ".join(parts) + ".", 9, HEAD)
        parts = parts[:-1]
    return lines[:MOST_RULES]


def hint_of(table: Table, *, varies: bool) -> str:
    """How to fill in the table."""
    return DEALS if varies else CIRCLE if table.by_bidder else BOXES


def _draw_sides(pen: Pen, x: float, y: float, sheet: GameSheet) -> float:
    """Draw the boxes of the sides, as high as the longest names need; return their height."""
    width = (SHEET_WIDTH - 8 * (len(sheet.sides) - 1)) / len(sheet.sides)
    lefts = [x + index * (width + 8) for index in range(len(sheet.sides))]
    lowest = min(_draw_side(pen, left, y, width, sheet, side) for left, side in zip(lefts, sheet.sides, strict=True))
    high = max(HIGH, y - lowest + 3)
    for left in lefts:
        pen.box(left, y - high, width, high, radius=5)
    return high


def _draw_side(pen: Pen, x: float, y: float, width: float, sheet: GameSheet, side: SideFacts) -> float:
    """Draw a side (letter, number and name, players, counts, current score) and return its last line."""
    sides = len(sheet.sides)
    scored, won = bool(sheet.rows or sheet.opening), sheet.winner == side.index
    score = minus((sheet.points if sheet.over else sheet.scores)[side.index]) if scored else ""
    counted = "won" if won else ", ".join(words for key, words in sheet.counted[side.index] if key == "bags" and scored)
    # A name has all the room that the score leaves.
    room = width - 32 - min(42.0, max(text_width(score, BOLD, 17), text_width(counted, BOLD, 9)))
    named, names = f"{side.number or ''}  {side.name}".strip(), side.players
    if not side.name:
        line, places = "_" * int(room / text_width("_", PLAIN, 11)), len(sheet.seats) // sides
        named = f"No. ____ {line if sheet.single else line[8:]}"
        names = (line[: len(line) // places],) * places
    players = "  ".join(f"{number}{TIED}{name}" for number, name in enumerate(names, start=1))
    font = BOLD if side.name else PLAIN
    pen.text(x + 7, y - 13, LETTERS[side.index], size=12, font=BOLD)
    if players and not sheet.single:
        base = pen.block(x + 20, y - 12, named, size=12, font=font, width=room, most=1)
        last = pen.block(x + 20, base - 10.2, players, color=MUTED, width=room)
    else:
        size = 11.0 if len(wrapped(named, 11, room, font)) < 3 else 9.0
        last = pen.block(x + 20, y - 2 - size, named, size=size, font=font, width=room, most=3)
    pen.text(x + width - 48, y - 17, score, size=17, font=BOLD, width=42, align="right")
    pen.text(x + width - 48, y - 29, counted, font=BOLD if won else PLAIN, width=42, align="right")
    return last


def _boxes(sheet: GameSheet, zone: str) -> Iterator[list[Box]]:
    """The boxes for the whole game, filled in with what is known."""
    letters = {side.index: LETTERS[side.index] for side in sheet.sides}
    yield [
        Box("Dealt first", 1.1, _first_dealer(sheet, letters)),
        Box("Winner", 1.4, _winner(sheet, letters)),
        Box("Ended by", 1.7, _ended_by(sheet)),
        Box("Remarks", 2.6, _why_it_ended(sheet, letters)),
    ]
    yield _boxes_of_counts(sheet, letters)
    # The reason for a signature by somebody else is printed once below the hands, where there is room for it.
    signed = {signature.side: _signed(signature) for signature in sheet.signatures}
    names = [Box(f"Signed {letter}", 1.5, (signed.get(side, ""),)) for side, letter in letters.items()]
    yield [*names, Box("Verified by", 1.5, _verifier(sheet)), Box("Time", 1.2, _signed_at(sheet, zone))]


def _first_dealer(sheet: GameSheet, letters: Mapping[int, str]) -> tuple[str, ...]:
    if not sheet.begun or not sheet.seats or not sheet.seats[0].name:
        return ()
    dealer = sheet.seats[0]
    place = letters[dealer.side] if sheet.single else seat_label(dealer.seat, len(letters))
    return (dealer.name, place)


def _winner(sheet: GameSheet, letters: Mapping[int, str]) -> tuple[str, ...]:
    if not sheet.over:
        return ()
    winner = sheet.winner_side
    if winner is None:
        return ("Nobody",)
    return (winner.name, f"Side{TIED}{letters[winner.index]}")


def _ended_by(sheet: GameSheet) -> tuple[str, ...]:
    """How the game ended, with its rule unless the rule's name says the same."""
    if not sheet.over:
        return ()
    how = sheet.how_words
    if how in clause(sheet.rule):
        return (how,)
    return (cited_text(how, sheet.rule),)


def _why_it_ended(sheet: GameSheet, letters: Mapping[int, str]) -> tuple[str, ...]:
    """The sentence about the end with the sides' names, or with their letters where names have no room."""
    if not sheet.over:
        return ()
    sentence = f"{cited_text(sheet.text.rstrip('.'), sheet.rule)}."
    short = sentence
    for side in sheet.sides:
        short = short.replace(side.name, f"Side{TIED}{letters[side.index]}")
    return (sentence, short)


def _boxes_of_counts(sheet: GameSheet, letters: Mapping[int, str]) -> list[Box]:
    """A box for each side's points, sets, and Bostons; they are filled in when the game is over."""
    counts = [("Points", sheet.points)]
    # Where sets end nothing, nobody needs to count them with a pencil.
    if sheet.over or sheet.rules.sets_end_games:
        counts.append(("Sets", sheet.sets))
    if has_bostons(sheet):
        counts.append(("Bostons", sheet.bostons))
    boxes = []
    for head, numbers in counts:
        for side, letter in letters.items():
            words = _counts(sheet, head, side, numbers[side]) if sheet.over else ()
            boxes.append(Box(f"{head} {letter}", 1.0, words))
    return boxes


def _verifier(sheet: GameSheet) -> tuple[str, ...]:
    """Who compared the sheet with its paper, and accepted it."""
    if sheet.paper is None or sheet.paper.look is None or not sheet.paper.look.accepted:
        return ()
    return (sheet.paper.look.name,)


def _signed_at(sheet: GameSheet, zone: str) -> tuple[str, ...]:
    if not sheet.signatures:
        return ()
    last = max(signature.signed_at for signature in sheet.signatures)
    return (clock_time(last, zone),)


def _counts(sheet: GameSheet, head: str, side: int, number: int) -> tuple[str, ...]:
    """A number; for sets that end a game, first how many do, if there is room for that: “1 set of 2”."""
    said = [words for key, words in sheet.counted[side] if key == head.lower() == "sets"]
    return (*said, minus(number))


def _signed(signature: Signature) -> str:
    if signature.on_paper:
        return signature.words
    return signature.official if signature.seen_by else signature.name.removeprefix(BY_IMPORT)


def has_bostons(sheet: GameSheet) -> bool:
    """Whether the rule sheet counts Bostons."""
    return any(counter.key == "bostons" for counter in sheet.rules.game.counters(sheet.rules.rules))


def _draw_boxes(pen: Pen, x: float, y: float, boxes: list[Box]) -> None:
    """Draw boxes side by side, each with its first text that fits on two lines without breaking a word."""
    each = (SHEET_WIDTH - 4 * (len(boxes) - 1)) / sum(box.share for box in boxes)
    for box in boxes:
        width = box.share * each
        pen.box(x, y - BOXED, width, BOXED)
        label = pen.text(x + 3, y - 13.5, box.label, color=MUTED, width=width - 6)
        left, room = x + label + 7, width - label - 10
        words = next((words for words in box.words if _fits(words, room)), box.words[-1] if box.words else "")
        if len(wrapped(words, 9, room)) < 2:
            pen.text(left, y - 13.5, words, size=10, font=BOLD, width=room)
        else:
            pen.block(left, y - 9.2, words, width=room)
        x += width + 4


def _fits(text: str, room: float) -> bool:
    longest = max((text_width(word, PLAIN, 9) for word in text.split()), default=0.0)
    return longest <= room and len(wrapped(text, 9, room)) < 3


def _draw_foot(pen: Pen, x: float, y: float, sheet: GameSheet, table: Table, zone: str, printed_at: datetime) -> None:
    """Write who typed the sheet from paper, what the marks mean, and when it was printed."""
    marks = ["■ set", "✓ leads"] if sheet.rows and table.by_bidder else []
    marks += ["○ Boston"] if sheet.rows and has_bostons(sheet) else []
    marks += ["* corrected"] if any(row.struck for row in sheet.rows) or sheet.removed else []
    typed = sheet.paper.said(zone) if sheet.paper is not None else ""
    parts = (typed, "  ".join(marks), f"Printed {day_time(printed_at, zone)}")
    pen.text(x, y, " · ".join(filter(None, parts)), size=8, color=MUTED, width=SHEET_WIDTH)
