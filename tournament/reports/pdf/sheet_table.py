"""The table of a score sheet: its columns, rows to fill in with a pencil, and rows that were played.

Coordinates are points from the upper left corner of the frame, downwards. A line that needs more than its row continues
in the next one, so nothing is cut off and no row is moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tournament.queries.rules import Field, Ruleset
from tournament.queries.sheetfacts import GameSheet, Line, Row, Struck
from tournament.reports.pdf.colors import GREY, INK, LINE, MUTED
from tournament.reports.pdf.lettering import BOLD, PLAIN, Pen, text_width, wrapped
from tournament.reports.pdf.paper import SHEET_WIDTH, Pages
from tournament.words.phrases import clause, minus, signed

LETTERS = "ABCDEF"
GLYPHS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
# The totals that are written below the table.
COUNTED_BELOW = ("sets", "bostons")
# The distances of headings and rows from the top, the number of rows on a page, their height, and the width of a
# hand's number.
HEADS, TABLE, ROWS, ROW, NUMBER = 151.5, 155.0, 14, 34.0, 26.0
# The widths and height of the boxes for numbers and signs; the least width and the height of a circle, and the
# distance between lines of circles.
BOX, WIDE, TALL, SIGN, SCORE, ROUND, FLAT, LEAD = 17.0, 22.0, 25.0, 11.0, 29.0, 13.0, 11.0, 15.5
# The distances between circles, from a box to its circles, between columns (least and most), and between sides; the
# least room for notes.
NEAR, INNER, LEAST, MOST_GAP, BETWEEN, NOTES = 3.5, 2.0, 2.0, 20.0, 8.0, 40.0
# Words to circle are printed in a gray that is lighter than pencil.
CIRCLED, SUIT = 6.8, 9.0
SIZE, FIRST, LEADING, LINES, MOST_MARKS = 9.0, 11.0, 10.2, 3, 3
# If there are more dealers than this, there is no room to circle one.
MOST_CIRCLED = 4


class Column(NamedTuple):
    """What a row asks for below one heading: boxes to write in, by their widths, and lines of words to circle.

    `who` is printed below the heading and says whose column it is; `side` is None if it is about the hand.
    """

    key: str
    head: str
    who: str = ""
    side: int | None = None
    boxes: tuple[float, ...] = ()
    circles: tuple[tuple[str, ...], ...] = ()
    x: float = 0.0
    width: float = 0.0

    @property
    def natural(self) -> float:
        """The least width that the column needs."""
        lines = [sum(widths) + NEAR * max(len(widths) - 1, 0) for widths in _circle_widths(self.circles)]
        circles = max(lines, default=0.0)
        return sum(self.boxes) + circles + (INNER if self.boxes and circles else 0.0)


OTHER = Column("other", "Other", circles=(("void",), ("ruling",)))
# The left and right edges of text that is about all sides.
WHOLE = (NUMBER, SHEET_WIDTH)
YES_NO = (("Yes",), ("No",))


class Table(NamedTuple):
    """The columns of a sheet, and the left and right edges of the text of every side, or of all sides together.

    `short` says what abbreviations mean.
    """

    columns: tuple[Column, ...]
    rooms: tuple[tuple[float, float], ...]
    short: tuple[tuple[str, str], ...] = ()

    @property
    def by_bidder(self) -> bool:
        """Whether only one side bids, so that a line is about the hand and not about each side."""
        return len(self.rooms) == 1


def sheet_table(rules: Ruleset, *, simple: bool = False) -> Table:
    """The table of a rule sheet; a `simple` one has room only for bids and scores."""
    fields = [field for field in rules.game.columns(rules.rules) if not (simple and field.layout == "count")]
    if any(field.everybody and field.needed for field in fields):
        return _table_by_side(rules, [field for field in fields if field.needed], simple=simple)
    return _table_by_bidder(rules, fields)


def _table_by_bidder(rules: Ruleset, fields: Sequence[Field]) -> Table:
    """The table if one side bids: who, what, how many books it took, trumps, the dealer, and every side's score."""
    seats, sides = rules.seating
    columns = []
    for field in fields:
        choices = field.offered()
        shown = tuple(choice.short for choice in choices)
        if field.layout == "seats":
            columns.append(Column(field.key, field.heading, circles=tuple((LETTERS[side],) for side in range(sides))))
        elif field.layout == "grid":
            numbers = tuple(dict.fromkeys(words.split()[0] for words in shown))
            kinds = tuple(row.words for row in field.rows if any(choice.row == row.key for choice in choices))
            columns.append(Column(field.key, "Bid and kind", circles=(numbers, kinds)))
        elif field.layout == "count":
            half = (len(shown) + 1) // 2
            halves = (shown[:half], (*shown[half:], "")[:half])
            columns.append(Column(field.key, f"{field.heading} of the bidders", circles=halves))
        elif field.key == "trump":
            columns.append(_trump(field, fields))
    columns += [_dealer(seats, sides), *(_score(side) for side in range(sides)), OTHER]
    columns = _spread(columns, NUMBER, SHEET_WIDTH)
    if (notes := columns[-1].x + columns[-1].width + MOST_GAP) < SHEET_WIDTH - NOTES:
        columns.append(Column("notes", "Notes", x=notes, width=SHEET_WIDTH - notes))
    end = next(column.x for column in columns if column.key == "score-0") - BETWEEN
    return Table(tuple(columns), ((NUMBER, end),))


def _trump(trump: Field, fields: Sequence[Field]) -> Column:
    """Trumps, and beside them the ranks for a No, which a bidder names before the first card as part of the bid.

    If a sheet has both, “aces bad” is circled beside “Down”.
    """
    suits = ("♠", "♥"), ("♦", "♣")
    direction = next((field for field in fields if field.key == "direction"), None)
    if direction is None:
        return Column(trump.key, trump.heading, circles=suits)
    said = [choice.short.partition(", ") for choice in direction.offered()]
    up, down = dict.fromkeys(way.removesuffix("town") for way, _, _ in said)
    others = tuple(aces for _, _, aces in said if aces)[1:]
    no = next(field for field in fields if field.layout == "grid").offered()[-1].short.split()[-1]
    circles = ((*suits[0], up, *[""] * len(others)), (*suits[1], down, *others))
    return Column(trump.key, f"{trump.heading} or {no}", circles=circles)


def _dealer(seats: int, sides: int) -> Column:
    """The dealer, to be circled: a side's seats side by side, single players on two lines; written if too many."""
    if seats > MOST_CIRCLED:
        return Column("dealer", "Dealer", boxes=(BOX,))
    labels = [dealer_label(seat, seats, sides) for side in range(sides) for seat in range(side, seats, sides)]
    half = (len(labels) + 1) // 2
    return Column("dealer", "Dealer", circles=(tuple(labels[:half]), (*labels[half:], *[""] * (len(labels) % 2))))


def _table_by_side(rules: Ruleset, fields: Sequence[Field], *, simple: bool) -> Table:
    """The table if everybody bids: the answers of every side beside its score, with the same room for each side.

    If there is room, the words of bids are circled; otherwise their initials are written into the box.
    """
    seats, sides = rules.seating
    words = _bid_words([choice.words for choice in rules.game.answers(rules.rules, "bids")])
    counted = (
        [] if simple else [counter for counter in rules.game.counters(rules.rules) if counter.key not in COUNTED_BELOW]
    )
    last = [_dealer(seats, sides)]
    last += [Column(field.key, field.heading, circles=YES_NO) for field in fields if field.layout == "yes-no"]
    # In a game with a fixed schedule a row belongs to one deal, so a void hand is dealt again in its row.
    last += [] if rules.game.hands_planned(rules.rules) else [OTHER]
    right = SHEET_WIDTH - sum(column.natural + BETWEEN for column in last)
    each = (right + BETWEEN - NUMBER) / sides
    rooms = tuple((NUMBER + side * each, NUMBER + (side + 1) * each - BETWEEN) for side in range(sides))

    def own(side: int, circles: tuple[tuple[str, ...], ...], bid_box: float) -> list[Column]:
        columns = []
        for field in fields:
            count = {"seat": seats, "side": sides}.get(field.of, 0)
            for index in range(side, count, sides):
                who = seat_label(index, sides) if count > sides else LETTERS[side]
                bid = field.layout == "row"
                shape = ((bid_box,), circles) if bid else ((BOX,), ())
                columns.append(Column(f"{field.key}-{index}", field.heading, who, side, *shape))
        columns.append(_score(side))
        for counter in counted:
            columns.append(Column(f"{counter.key}-{side}", counter.key.capitalize(), LETTERS[side], side, (BOX,)))
        return columns

    marks = _marks(words, initials=False)
    upper, lower, box = tuple(marks.values())[::2], (*marks.values(), "")[1::2], BOX
    if sum(column.natural + LEAST for column in own(0, (upper, lower), box)) > each - BETWEEN:
        marks, upper, lower, box = _marks(words, initials=True), (), (), WIDE
    columns = [column for side, room in enumerate(rooms) for column in _spread(own(side, (upper, lower), box), *room)]
    columns += _spread(last, right + BETWEEN, SHEET_WIDTH)
    return Table(tuple(columns), rooms, tuple((mark, word) for word, mark in marks.items() if mark != word))


def _score(side: int) -> Column:
    return Column(f"score-{side}", "Score", LETTERS[side], side, (SIGN, SCORE))


def _spread(columns: Sequence[Column], left: float, right: float) -> list[Column]:
    """Place columns side by side; the width that they do not need is divided into gaps."""
    spare = right - left - sum(column.natural for column in columns)
    gap = min(spare / max(len(columns), 1), MOST_GAP)
    spread, x = [], left
    for column in columns:
        spread.append(column._replace(x=x, width=column.natural))
        x += column.natural + gap
    return spread


def _bid_words(bids: Sequence[str]) -> list[str]:
    """The words that bids consist of, each once: “Rainbow + 3” is “Rainbow” and a number."""
    parts = [part.rstrip("0123456789 ") for words in bids for part in words.split(" + ")]
    return list(dict.fromkeys(part[:1].upper() + part[1:] for part in parts if part))


def _marks(words: Sequence[str], *, initials: bool) -> dict[str, str]:
    """The short form of each word: the word itself, or its initials if it consists of several words."""
    marks: dict[str, str] = {}
    for word in words:
        mark = "".join(part[0].upper() for part in word.split()) if initials or " " in word else word
        marks[word] = mark if mark not in marks.values() else word[:2]
    return marks


def _circle_widths(circles: Sequence[Sequence[str]], width: float = 0.0) -> list[list[float]]:
    """The widths of the circles on each line: the same on lines with equally many, else each line is filled."""
    wide = [[max(ROUND, text_width(words, PLAIN, CIRCLED) + 6) for words in line] for line in circles]
    if len({len(line) for line in circles}) == 1:
        return [[max(column) for column in zip(*wide, strict=True)]] * len(circles)
    return [[max(max(line), (width + NEAR) / len(line) - NEAR)] * len(line) for line in wide]


def draw_heads(pen: Pen, x: float, y: float, table: Table) -> None:
    """Write the headings of the columns, and below them whose columns they are."""
    for (head, _), group in groupby(table.columns, key=lambda column: (column.head, column.side)):
        columns = list(group)
        width = columns[-1].x + columns[-1].width - columns[0].x + 14
        lift = 9.0 if any(column.who for column in columns) else 0.0
        pen.text(x + columns[0].x - 7, y - HEADS + lift, head, font=BOLD, width=width, align="center")
        for column in columns:
            pen.text(x + column.x - 7, y - HEADS, column.who, font=BOLD, width=column.width + 14, align="center")
    pen.rule(x, y - TABLE, x + SHEET_WIDTH, y - TABLE, weight=0.8, color=INK)


def draw_empty_row(papers: Pages, x: float, y: float, table: Table, form: str, dealer: str) -> None:
    """Draw a row to fill in. It is a form of the file, drawn once for all the rows and sheets that show it."""
    canvas, name = papers.canvas, f"{form}-{dealer}"
    if not canvas.hasForm(name):
        canvas.beginForm(name, -1, 0, SHEET_WIDTH + 1, ROW)
        for column in table.columns:
            _draw_cell(papers.pen, column, dealer)
        canvas.endForm()
    canvas.saveState()
    canvas.translate(x, y - ROW)
    canvas.doForm(name)
    canvas.restoreState()


def _draw_cell(pen: Pen, column: Column, dealer: str) -> None:
    """Draw a column's boxes and the words to circle beside them; a known dealer is already circled."""
    x = column.x
    for width in column.boxes:
        pen.box(x, (ROW - TALL) / 2, width, TALL)
        pen.text(x + 3, (ROW + TALL) / 2 - 7, "±" if width == SIGN else "", size=CIRCLED, width=width, color=GREY)
        pen.text(x, ROW / 2 - 4, dealer if column.key == "dealer" else "", size=11, width=width, align="center")
        x += width
    start = x + (INNER if column.boxes else 0.0)
    y = (ROW + LEAD * (len(column.circles) - 1) - FLAT) / 2
    for line, widths in zip(column.circles, _circle_widths(column.circles, column.width), strict=True):
        x = start
        for word, width in zip(line, widths, strict=True):
            deals = column.key == "dealer" and word == dealer
            if deals:
                pen.ring(x, y, width, FLAT)
            elif word:
                pen.box(x, y, width, FLAT, radius=FLAT / 2)
            size, low = (SUIT, 2.4) if word in GLYPHS.values() else (CIRCLED, 3.3)
            color = INK if deals else GREY
            pen.text(x + 1, y + low, word, size=size, width=width - 2, align="center", color=color)
            x += width + NEAR
        y -= LEAD


class Piece(NamedTuple):
    """A piece of text in an item: its line, its left edge, and its greatest width."""

    x: float
    line: int
    text: str
    width: float
    font: str = PLAIN
    size: float = SIZE
    align: str = "left"
    struck: bool = False
    ring: bool = False


class Item(NamedTuple):
    """A line of the sheet. `under` is below the number of its hand; `split` says whether a rule separates the sides.

    `dealer` is the seat that deals in a row to fill in, or empty if it is not known; None in other rows.
    """

    number: str = ""
    under: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    split: bool = False
    dealer: str | None = None

    @property
    def slots(self) -> int:
        """How many rows the item takes."""
        return max((piece.line for piece in self.pieces), default=0) // LINES + 1


def items_of(sheet: GameSheet, table: Table) -> Iterator[Item]:
    """Every line of a sheet in order, with games of a rubber in between; then what was struck, and by whom."""
    if sheet.opening is not None:
        unsure = " (not verified)" if sheet.paper is not None and sheet.paper.flagged else ""
        text = ": ".join(filter(None, (f"Continued from paper{unsure}", sheet.carried_words)))
        yield Item(pieces=_paragraph(text, 0, WHOLE, BOLD))
    for row in sheet.rows:
        yield _item(sheet, table, row)
        rubber = [line for line in row.lines if line.kind == "rubber"]
        if rubber:
            text = "; ".join(line.text for line in rubber if not line.points)
            yield Item(pieces=_paragraph(cited_text(text[:1].upper() + text[1:], rubber[0].rule), 0, WHOLE, BOLD))
    for row in sheet.rows:
        for struck in row.struck:
            yield _struck_item(f"* Line {row.position} was", struck)
    for struck in sheet.removed:
        yield _struck_item("* Off the sheet", struck)


def _struck_item(label: str, struck: Struck) -> Item:
    """What a line said before, struck through, below the reason and the name of who did it."""
    why = ", ".join(filter(None, (struck.struck_reason or "written again", struck.struck_by)))
    pieces = _paragraph(f"{label} ({why}):", 0, WHOLE, BOLD)
    gone = _paragraph(struck.written.headed, len(pieces), WHOLE)
    return Item(pieces=pieces + tuple(piece._replace(struck=True) for piece in gone))


def coming_items(sheet: GameSheet, table: Table) -> Iterator[Item]:
    """The hands to come, with their cards if these vary, and with their dealers once the first dealer is known."""
    for deal in sheet.coming:
        seat = sheet.seats[deal.dealer].seat if sheet.begun else None
        dealer = "" if seat is None else dealer_label(seat, len(sheet.seats), len(sheet.sides))
        under = (f"{deal.cards}c",) if varies(sheet) else ()
        yield Item(str(deal.number), under, split=True, dealer=dealer)


def draw_item(pen: Pen, x: float, y: float, item: Item, table: Table) -> None:
    """Write an item; `x` and `y` are the upper left corner of its row."""
    base = y - (FIRST if item.dealer is None else 16 if item.under else 21)
    pen.text(x, base, item.number, size=12, font=BOLD, width=NUMBER - 4, align="center")
    for line, words in enumerate(item.under, start=1):
        pen.text(x, base - 9.5 * line, words, width=NUMBER - 4, align="center", color=MUTED)
    for piece in item.pieces:
        left, base = x + piece.x, y - FIRST - piece.line * LEADING
        wide = pen.text(left, base, piece.text, size=piece.size, font=piece.font, width=piece.width, align=piece.align)
        if piece.struck:
            pen.rule(left, base + 2.8, left + wide, base + 2.8, weight=0.7, color=INK)
        if piece.ring:
            pen.ring(left + (piece.width - wide) / 2 - 5, base - 2, wide + 10, 12)
    end = y - item.slots * ROW
    pen.rule(x, end, x + SHEET_WIDTH, end, weight=0.6, color=LINE)
    for left, _ in table.rooms[1:] if item.split else ():
        pen.rule(x + left - BETWEEN / 2, y, x + left - BETWEEN / 2, end, weight=0.6, color=LINE)


def varies(sheet: GameSheet) -> bool:
    """Whether the number of cards changes from hand to hand."""
    dealt = {row.written.cards for row in sheet.rows if row.kind == "hand"} | {deal.cards for deal in sheet.coming}
    return len(dealt - {None}) > 1


def _item(sheet: GameSheet, table: Table, row: Row) -> Item:
    """A line of the sheet: values in their columns, and below them the result, the points and the reasons."""
    number = f"{row.number or ''}{'*' if row.struck else ''}"
    lines = [line for line in row.lines if line.kind != "rubber"]
    if row.kind != "hand":
        return Item(number, pieces=tuple(_ruling(table, row, lines)))
    if table.by_bidder:
        return Item(number, pieces=tuple(_hand_by_bidder(sheet, table, row, lines)), split=bool(lines))
    written = row.written
    cards = f"{written.cards}c" if written.cards and varies(sheet) else ""
    under = tuple(filter(None, (cards, GLYPHS.get(written.trump, ""))))
    return Item(number, under, tuple(_hand_by_side(sheet, table, row, lines)), split=bool(lines))


def _ruling(table: Table, row: Row, lines: Sequence[Line]) -> list[Piece]:
    """The ruling, and the bid and the player that it is about."""
    written = row.written
    whole = table.rooms[0] if table.by_bidder else WHOLE
    bid = f"Bid: {written.who_name}, {written.bid}" if written.who_name else ""
    offender = f"Offender: {written.offender}" if written.offender else ""
    ruled = cited_text(written.text.rstrip("."), written.rule)
    text = ". ".join(filter(None, (ruled, bid, offender)))
    pieces = list(_paragraph(text, 0, whole, BOLD))
    pieces += _paragraph(_reasons(lines, text), len(pieces), whole)
    if table.by_bidder:
        pieces += _scores(table, row, 0)
    elif any(row.deltas):
        # The columns of scores overlap the text, so the scores are written below it.
        pieces += _scores(table, row, len(pieces))
    return pieces


def _hand_by_bidder(sheet: GameSheet, table: Table, row: Row, lines: Sequence[Line]) -> list[Piece]:
    """A hand in which one side bids: its bid, and the result below it."""
    ranked = ", ".join(words for words in row.written.trump.split(", ") if words not in GLYPHS)
    text = ". ".join(filter(None, (ranked, _reasons(lines) or row.written.text)))
    return [
        *_bid_hand(table, row, len(sheet.sides)),
        *_paragraph(text, 1, table.rooms[0]),
        *_scores(table, row, 0),
    ]


def _hand_by_side(sheet: GameSheet, table: Table, row: Row, lines: Sequence[Line]) -> list[Piece]:
    """A hand in which every side bids: their answers, and the result below each side."""
    written = row.written
    pieces = [piece for side in sheet.sides for piece in _answers(table, row, side.index)]
    below = max((piece.line for piece in pieces), default=0) + 1
    if not lines:
        pieces += _paragraph(cited_text(written.text, written.rule), below, WHOLE)
    pieces += _dealt(sheet, table, row)
    pieces += _scores(table, row, 0)
    for side, room in enumerate(table.rooms):
        why = _reasons([line for line in lines if line.side == side], letters=False)
        word = written.words[side] if written.words else ""
        if word and word not in why:
            why = f"{word}, {why}"
        pieces += _paragraph(why, below, room)
    return pieces


def _bid_hand(table: Table, row: Row, sides: int) -> Iterator[Piece]:
    """Who bid what, what was taken, trumps and dealer, each in its column."""
    written, seat = row.written, row.facts.get("seat")
    needed = f" of {written.need}" if written.need else ""
    values = {
        "seat": seat_label(written.who or 0, sides)[0] if seat is None else seat_label(seat, sides),
        "bid": written.bid,
        "books": "" if written.took is None else f"{written.took}{needed}: {written.outcome}",
        "trump": GLYPHS.get(row.facts.get("trump", ""), ""),
        "dealer": seat_label(row.dealer.seat, sides) if row.dealer else "",
    }
    for column in table.columns:
        yield Piece(column.x - 3, 0, values.get(column.key, ""), column.width + 6, BOLD, 10, "center")


def _dealt(sheet: GameSheet, table: Table, row: Row) -> Iterator[Piece]:
    for column in table.columns:
        if column.key == "dealer" and row.dealer:
            label = dealer_label(row.dealer.seat, len(sheet.seats), len(sheet.sides))
            yield Piece(column.x - 3, 0, label, column.width + 6, size=10, align="center")


def _answers(table: Table, row: Row, side: int) -> Iterator[Piece]:
    """What a side or its players bid and took; one joint answer goes into the first of several columns."""
    own = [column for column in table.columns if column.side == side]
    for key, group in groupby(own, key=lambda column: column.key.partition("-")[0]):
        columns, words = list(group), row.written.said(key, side, len(table.rooms))
        words = words if len(words) == len(columns) else (" + ".join(words),)
        for column, text in zip(columns, words, strict=False):
            for line, part in enumerate(_shortened(text, table, column.width + 6)):
                yield Piece(column.x - 3, line, part, column.width + 6, size=10, align="center")


def _shortened(text: str, table: Table, width: float) -> Sequence[str]:
    """A bid on the lines of its column; abbreviated if one of its words is too wide."""
    if max((text_width(word, PLAIN, 10) for word in text.split()), default=0.0) > width:
        marks = {word.lower(): mark for mark, word in table.short}
        text = " + ".join(marks.get(part.lower(), part) for part in text.split(" + "))
    return wrapped(text, 10, width)


def _scores(table: Table, row: Row, line: int) -> Iterator[Piece]:
    """The running scores, before a new game of a rubber resets them; if one side bids, also its sets and the lead."""
    for column in table.columns:
        key, _, _ = column.key.partition("-")
        side = column.side or 0
        if key == "score":
            cleared = sum(reason.points for reason in row.lines if reason.side == side and reason.kind == "rubber")
            score, ring = minus(row.scores[side] - cleared), row.boston == side
            yield Piece(column.x, line, score, column.width, BOLD, 11, "center", ring=ring)
            sets = "■" * row.sets[side] if row.sets[side] <= MOST_MARKS else f"■×{row.sets[side]}"
            marks = f"{sets} {'✓' if row.leader == side else ''}" if table.by_bidder else ""
            yield Piece(column.x, line + 1, marks.strip(), column.width, align="center")
        elif key == "bags":
            yield Piece(column.x, line, str(row.bags[side]), column.width, size=10, align="center")


def seat_label(seat: int, sides: int) -> str:
    """A seat as its side and player: A1."""
    return f"{LETTERS[seat % sides]}{seat // sides + 1}"


def dealer_label(seat: int, seats: int, sides: int) -> str:
    """The dealer's seat; a player without a partner is only the letter of the side."""
    return seat_label(seat, sides) if seats > sides else LETTERS[seat]


def _reasons(lines: Sequence[Line], known_text: str = "", *, letters: bool = True) -> str:
    """Why points were given or taken: to whom, how many, what happened, and the clause."""
    parts = []
    for line in lines:
        why = "" if line.brief in known_text else line.brief
        points = signed(line.points) if line.points or len(lines) == 1 else ""
        points += ":" if points and why else ""
        letter = LETTERS[line.side] if letters and line.points else ""
        why = why if clause(line.rule) in known_text else cited_text(why, line.rule).strip()
        parts.append(" ".join(filter(None, (letter, points, why))))
    return "; ".join(filter(None, parts))


def cited_text(text: str, rule: str) -> str:
    """A text, followed by the clause it is based on, unless the text already names it."""
    cited = clause(rule)
    return f"{text} ({cited})" if cited and cited not in text else text


def _paragraph(text: str, line: int, room: tuple[float, float], font: str = PLAIN) -> tuple[Piece, ...]:
    left, right = room
    parts = wrapped(text, SIZE, right - left, font) if text else ()
    return tuple(Piece(left, line + more, part, right - left, font) for more, part in enumerate(parts))
