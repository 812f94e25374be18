"""What stands on a score sheet, as printed lines: each hand with its reasons, points and clauses, in equal rows.

A line that needs more than its row takes the next one too, so that nothing is cut off and no row is moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tournament.phrases import clause, minus, signed
from tournament.queries.rules import Field
from tournament.queries.sheetcells import LEFT, LETTERS, NUMBER, RIGHT, ROW, TABLE, Layout, SheetColumn
from tournament.queries.sheetfacts import GameSheet, Line, Row, Struck
from tournament.reports.pdf.lettering import BOLD, PLAIN, Pen, text_width, wrapped
from tournament.reports.pdf.sheet_below import is_short, signed_note
from tournament.reports.pdf.sheet_parts import INK, MUTED, Frame, draw_number

SIZE, SCORE, FIRST, LEADING, LINES = 9.0, 11.0, 11.0, 10.2, 3
SUITS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
MOST_MARKS = 3
# Between the columns of two sides, and how far an answer may reach into it.
SPACE, REACH = 10.0, 4.0


class Piece(NamedTuple):
    """A line of text at its place in an item: which line, from where, and how wide it may be."""

    x: float
    line: int
    text: str
    width: float
    font: str = PLAIN
    size: float = SIZE
    align: str = "left"
    color: str = INK
    struck: bool = False
    ring: bool = False


class Item(NamedTuple):
    """One line of the sheet. `under` stands below the number of its hand."""

    number: str
    under: tuple[str, ...]
    pieces: tuple[Piece, ...]

    @property
    def slots(self) -> int:
        """How many rows it takes."""
        return max((one.line for one in self.pieces), default=0) // LINES + 1

    def crosses(self, x: float) -> bool:
        """Whether a text of it may go on beyond this place."""
        return any(one.x + REACH < x < one.x + one.width - REACH for one in self.pieces)


def items_of(sheet: GameSheet, layout: Layout) -> list[Item]:
    """Every line of a sheet in order, the games of a rubber between their hands.

    At last come what was struck, and why an official signed where that is too long for the line above the boxes.
    """
    items = []
    if sheet.opening is not None:
        sure = "" if sheet.paper is None or not sheet.paper.flagged else " (not verified)"
        text = f"Continued from paper{sure}: {' to '.join(minus(score) for score in sheet.opening)}"
        items.append(Item("", (), _paragraph(text, 0, *_whole(layout), font=BOLD)))
    for row in sheet.rows:
        items += _items(sheet, layout, row)
    note = signed_note(sheet, layout)
    signed_by = [] if is_short(note) else [Item("", (), _paragraph(note, 0, *_whole(layout)))]
    return items + _struck(sheet, layout) + signed_by


def finished(layout: Layout, sides: int) -> Layout:
    """The columns of a sheet on which nothing is left to be written: every side has as much room, the reasons most."""
    left = LEFT + NUMBER
    if layout.circles:
        widths = (
            ("bid", "Bid", 112.0),
            ("books", "Books", 96.0),
            *((f"score-{side}", "Score", 36.0) for side in range(sides)),
        )
        columns: list[SheetColumn] = []
        for group, head, width in widths:
            side = int(group[-1]) if head == "Score" else None
            columns.append(SheetColumn(group, head, "" if side is None else LETTERS[side], left, width, side))
            left += width + 6
        columns.append(SheetColumn("why", "Why", "", left, RIGHT - left))
        return layout._replace(columns=tuple(columns))
    each = (RIGHT - left + SPACE) / sides
    columns = []
    for side in range(sides):
        own = [column for column in layout.columns if column.side == side]
        begin, scale = own[0].x, (each - SPACE) / (own[-1].x + own[-1].width - own[0].x)
        start = left + side * each
        columns += [one._replace(x=start + (one.x - begin) * scale, width=one.width * scale) for one in own]
    return layout._replace(columns=tuple(columns))


def draw_item(pen: Pen, frame: Frame, slot: int, item: Item) -> None:
    """Write an item from its row on."""
    draw_number(pen, frame, slot, item.number, item.under, FIRST)
    for piece in item.pieces:
        x, y = frame.x(piece.x), frame.y(TABLE + slot * ROW + FIRST + piece.line * LEADING)
        wide = pen.text(
            x, y, piece.text, size=piece.size, font=piece.font, width=piece.width, align=piece.align, color=piece.color
        )
        if piece.struck:
            pen.rule(x, y + 2.8, x + wide, y + 2.8, weight=0.7, color=INK)
        if piece.ring:
            pen.ring(x + (piece.width - wide) / 2 - 5, y - 2, wide + 10, 12)


def _items(sheet: GameSheet, layout: Layout, row: Row) -> list[Item]:
    over = [line for line in row.lines if line.kind == "rubber"]
    scores = _scores_before(row, over)
    number = "" if row.number is None else f"{row.number}*" if row.struck else str(row.number)
    if row.number is None and row.struck:
        number = "*"
    lines = [line for line in row.lines if line.kind != "rubber"]
    if row.kind != "hand":
        pieces = _decision(sheet, layout, row, lines, scores)
    elif layout.circles:
        pieces = _bid_hand(sheet, layout, row, lines, scores)
    else:
        pieces = _answers(sheet, layout, row, lines, scores)
    items = [Item(number, _under(sheet, layout, row), tuple(pieces))]
    if over:
        items.append(Item("", (), _paragraph(_rubber(over), 0, *_whole(layout), font=BOLD)))
    return items


def _scores_before(row: Row, over: Sequence[Line]) -> tuple[int, ...]:
    """The running scores of a hand; those of the game of a rubber that it ended, before the next begins at 0."""
    cleared = [sum(line.points for line in over if line.side == side) for side in range(len(row.scores))]
    return tuple(score - more for score, more in zip(row.scores, cleared, strict=True))


def _rubber(over: Sequence[Line]) -> str:
    text = "; ".join(line.text for line in over if not line.points)
    cited = clause(over[0].rule)
    return f"{text[:1].upper()}{text[1:]}{f' ({cited})' if cited and cited not in text else ''}."


def _under(sheet: GameSheet, layout: Layout, row: Row) -> tuple[str, ...]:
    """How many cards were dealt, where that changes, and trumps, where no bid names them."""
    if layout.circles or row.kind != "hand":
        return ()
    cards = f"{row.written.cards}c" if row.written.cards and varies(sheet) else ""
    return tuple(filter(None, (cards, SUITS.get(row.written.trump, ""))))


def varies(sheet: GameSheet) -> bool:
    """Whether the number of cards changes from hand to hand."""
    dealt = {row.written.cards for row in sheet.rows if row.kind == "hand"} | {deal.cards for deal in sheet.coming}
    return len(dealt - {None}) > 1


def _decision(
    sheet: GameSheet, layout: Layout, row: Row, lines: Sequence[Line], scores: Sequence[int]
) -> Iterator[Piece]:
    """A void hand, a ruling, an award: its own words over the width of the row, then its points and the scores."""
    cited = clause(row.written.rule)
    text = f"{row.written.text} ({cited})" if cited and cited not in row.written.text else row.written.text
    bid = f"Bid: {row.written.who_name}, {row.written.bid}" if row.written.who_name else ""
    offender = f"Offender: {row.written.offender}" if row.written.offender else ""
    text = ". ".join(filter(None, (text.rstrip("."), bid, offender)))
    why = _reasons(sheet, lines, said=text)
    if layout.circles:
        left, right = layout.columns[0].x, layout.span(["score-0"])[0] - 6
        yield from _paragraph(text, 0, left, right - left, font=BOLD)
        yield from _paragraph(why, 0, *_rest(layout))
        yield from _score_pieces(layout, row, scores, 0)
        return
    told = [*_paragraph(text, 0, *_whole(layout), font=BOLD)]
    told += _paragraph(why, len(told), *_whole(layout))
    yield from told
    if any(row.deltas):
        yield from _score_pieces(layout, row, scores, len(told))


def _bid_hand(
    sheet: GameSheet, layout: Layout, row: Row, lines: Sequence[Line], scores: Sequence[int]
) -> Iterator[Piece]:
    """Who bid what, what was taken and whether that made the bid, the running scores, and why."""
    written = row.written
    left, middle, end = layout.columns[0].x, layout.span(["books"])[0], layout.span(["score-0"])[0] - 6
    yield Piece(left, 0, written.bid, middle - left - 4, BOLD, SCORE)
    said = text_width(written.bid, BOLD, SCORE) + 7
    yield Piece(left + said, 0, written.trump, middle - left - said - 4)
    letter = "" if written.who is None else LETTERS[written.who]
    bidder = f"{letter}: {written.who_name}"
    yield from _name(sheet, bidder, row.facts.get("seat"), 1, left, middle - left - 4, most=2)
    took = "" if written.took is None else f"{written.took}"
    need = f", needed {written.need}" if written.need else ""
    yield Piece(middle, 0, f"{took}{need}", end - middle)
    yield Piece(middle, 1, written.outcome, end - middle, BOLD)
    if row.dealer:
        yield from _name(sheet, f"Dealer: {row.dealer.name}", row.dealer.seat, 2, middle, end - middle, most=1)
    yield from _score_pieces(layout, row, scores, 0)
    yield from _paragraph(_reasons(sheet, lines) or written.text, 0, *_rest(layout))


def _name(
    sheet: GameSheet, text: str, seat: int | None, line: int, x: float, width: float, *, most: int
) -> tuple[Piece, ...]:
    """A player in a few words; by the place at the table where the name is too long for its lines."""
    pieces = _paragraph(text, line, x, width)
    if len(pieces) <= most or seat is None:
        return pieces[:most]
    sides = len(sheet.sides)
    before = f"{text.partition(':')[0]}: " if most == 1 else ""
    return (Piece(x, line, f"{before}{LETTERS[seat % sides]}, player {seat // sides + 1}", width),)


def _answers(
    sheet: GameSheet, layout: Layout, row: Row, lines: Sequence[Line], scores: Sequence[int]
) -> Iterator[Piece]:
    """What every side or seat bid and took in its own column, and below it made or set, points and why."""
    answers = [
        piece for field in sheet.rules.columns if field.everybody for piece in _answered(sheet, layout, row, field)
    ]
    yield from answers
    yield from _score_pieces(layout, row, scores, 0, marks=False)
    below = max((piece.line for piece in answers), default=0) + 1
    if not lines:
        cited = clause(row.written.rule)
        yield from _paragraph(f"{row.written.text}{f' ({cited})' if cited else ''}", below, *_whole(layout))
    for side in sheet.sides:
        own = [one for one in layout.columns if one.side == side.index]
        left, right = own[0].x, own[-1].x + own[-1].width
        why = _reasons(sheet, [line for line in lines if line.side == side.index], letters=False)
        word = row.written.words[side.index] if row.written.words else ""
        word = f"{word}, " if word and word not in why else ""
        yield from _paragraph(word + why, below, left, right - left)


def _answered(sheet: GameSheet, layout: Layout, row: Row, field: Field) -> Iterator[Piece]:
    name, said = field.name or field.key, row.written.answers.get(field.key, ())
    columns = [one for one in layout.columns if one.group.rpartition("-")[0] == name]
    sides = len(sheet.sides)
    if len(said) == sides < len(columns):
        # Written by side where the paper has a place for each player.
        for side in range(sides):
            left, right = layout.span([one.group for one in columns if one.side == side])
            yield Piece(left - 2, 0, said[side], right - left + 4, size=10, align="center")
        return
    for column in columns:
        place = int(column.group.rpartition("-")[2])
        text = " + ".join(said[place::sides]) if len(said) > len(columns) else said[place] if said else ""
        for line, part in enumerate(_shortened(text, layout, column.width + 6)):
            yield Piece(column.x - 3, line, part, column.width + 6, size=10, align="center")


def _shortened(text: str, layout: Layout, width: float) -> Sequence[str]:
    """A bid in the lines that its column has room for; in short words where a word alone is too wide."""
    marks = {word: mark for mark, word in layout.short.items()}
    parts = text.split(" + ")
    if len(parts) == 1 and text.split() and max(text_width(one, PLAIN, 10) for one in text.split()) <= width:
        return wrapped(text, 10, width)
    short = [marks.get(part[:1].upper() + part[1:], part) for part in parts]
    words = parts if max(text_width(one, PLAIN, 10) for one in parts) <= width else short
    return wrapped(" + ".join(words), 10, width)


def _score_pieces(layout: Layout, row: Row, scores: Sequence[int], line: int, *, marks: bool = True) -> Iterator[Piece]:
    for side, score in enumerate(scores):
        column = layout.column(f"score-{side}")
        if column is None:
            continue
        x, width = column.x, column.width
        ring = row.boston == side
        yield Piece(x, line, minus(score), width, BOLD, SCORE, "center", ring=ring)
        if marks:
            earned = sum(one.points for one in row.lines if one.side == side and one.kind != "rubber")
            yield Piece(x, line + 1, signed(earned) if earned else "", width, align="center")
            led = "✓" if row.leader == side else ""
            yield Piece(x, line + 2, f"{set_marks(row.sets[side])} {led}".strip(), width, align="center")
        bags = layout.column(f"bags-{side}")
        if bags is not None:
            yield Piece(bags.x - 2, line, str(row.bags[side]), bags.width + 4, size=10, align="center")


def set_marks(sets: int) -> str:
    """A mark for every set; a number where there would be too many."""
    return "■" * sets if sets <= MOST_MARKS else f"■×{sets}"


def _reasons(sheet: GameSheet, lines: Sequence[Line], *, letters: bool = True, said: str = "") -> str:
    """Why points were given or taken: for whom, how many, what happened, and the clause."""
    parts = []
    for line in lines:
        cited = clause(line.rule)
        why = "" if line.brief in said else line.brief
        cited = "" if not cited or cited in why or cited in said else f"({cited})"
        points = signed(line.points) if line.points or len(lines) == 1 else ""
        letter = LETTERS[line.side] if letters and line.points else ""
        points += ":" * bool(points and why)
        parts.append(" ".join(filter(None, (letter, points, why, cited))))
    return "; ".join(filter(None, parts))


def _struck(sheet: GameSheet, layout: Layout) -> list[Item]:
    """What no longer counts, with who struck it and why, as many lines to a row as it holds."""
    old = [(f"* Line {row.position} was", one) for row in sheet.rows for one in row.struck]
    old += [("* Off the sheet", one) for one in sheet.removed]
    lines: list[list[Piece]] = []
    for place, one in old:
        lines += _correction(place, one)
    return [
        Item(
            "",
            (),
            tuple(piece._replace(line=at) for at, line in enumerate(lines[start : start + LINES]) for piece in line),
        )
        for start in range(0, len(lines), LINES)
    ]


def _correction(place: str, old: Struck) -> list[list[Piece]]:
    left, text = LEFT + 4, old.written.headed
    why = ", ".join(part for part in (old.struck_reason or "written again", old.struck_by) if part)
    start = left + text_width(place, BOLD, SIZE) + 6
    struck = wrapped(text, SIZE, RIGHT - start)
    lines = [[Piece(start, 0, one, RIGHT - start, struck=True)] for one in struck]
    lines[0].insert(0, Piece(left, 0, place, start - left, BOLD))
    reached = start + text_width(struck[-1], PLAIN, SIZE) + 8
    first, *more = (
        wrapped(why, SIZE, RIGHT - reached) if RIGHT - reached > 120 else ("", *wrapped(why, SIZE, RIGHT - start))
    )
    lines[-1].append(Piece(reached, 0, first, RIGHT - reached, color=MUTED))
    rest = wrapped(" ".join(more), SIZE, RIGHT - start) if more else ()
    return lines + [[Piece(start, 0, one, RIGHT - start, color=MUTED)] for one in rest]


def _whole(layout: Layout) -> tuple[float, float]:
    """From where, and how wide: the row behind its number."""
    return LEFT + NUMBER, RIGHT - LEFT - NUMBER


def _rest(layout: Layout) -> tuple[float, float]:
    """The same of what is right of the scores."""
    _, end = layout.span([one.group for one in layout.columns if one.group.startswith("score")])
    return end + 6, RIGHT - end - 6


def _paragraph(text: str, line: int, x: float, width: float, font: str = PLAIN) -> tuple[Piece, ...]:
    return tuple(
        Piece(x, line + at, one, width, font) for at, one in enumerate(wrapped(text, SIZE, width, font) if text else ())
    )
