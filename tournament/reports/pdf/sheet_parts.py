"""What stands around the table of a score sheet: head, sides, ending, signatures, foot."""

from __future__ import annotations

import re

from tournament.phrases import day, minus, rule
from tournament.queries.sheet import GameSheet, SideFacts
from tournament.reports.pdf.columns import set_marks
from tournament.reports.pdf.lettering import BOLD, SERIF, TIED, Pen
from tournament.reports.pdf.paper import Area
from tournament.times import clock_time

MUTED, RED, GREEN, GOLD = "#5d6762", "#a81d29", "#0f5b46", "#83560a"
# Names longer than this take a second line.
LONG = 24


def draw_head(pen: Pen, area: Area, sheet: GameSheet, page: str) -> float:
    """Event, round and table, rule sheet."""
    right = 190.0
    pen.text(area.left, area.top - 16, sheet.event or "Score sheet", size=18, font=SERIF, width=area.width - right - 10)
    where = f"{sheet.round} · Table {sheet.table}" if sheet.table else "Game ____ · Table ____"
    where += f" · {sheet.leg}" if sheet.leg > 1 else ""
    pen.text(area.right - right, area.top - 14, where, size=13, font=BOLD, width=right, align="right")
    under = " · ".join(part for part in (day(sheet.date) if sheet.date else "", sheet.place, page) if part)
    pen.text(area.left, area.top - 31, under, size=9, color=MUTED, width=area.width - right - 10)
    pen.text(area.right - right, area.top - 31, sheet.sheet_title, size=9, color=MUTED, width=right, align="right")
    pen.rule(area.left, area.top - 38, area.right, area.top - 38, weight=1.2, color=GREEN)
    return area.top - 46


def draw_sides(pen: Pen, area: Area, sheet: GameSheet, top: float) -> float:
    """A box per side: number and name, players, sets, and the score as it stands."""
    count, gap = len(sheet.sides), 8.0
    width, height = (area.width - gap * (count - 1)) / count, 52.0
    if any(len(side.name) > LONG and sum(map(len, side.players)) > LONG for side in sheet.sides):
        height += 14
    for side in sheet.sides:
        x = area.left + side.index * (width + gap)
        won = sheet.winner == side.index
        pen.box(x, top - height, width, height, fill="#eef5f1" if won else "#ffffff", radius=5)
        _side(pen, sheet, side, x, top, width)
    return top - height - 8


def _side(pen: Pen, sheet: GameSheet, side: SideFacts, x: float, top: float, width: float) -> None:
    scored = bool(sheet.rows or sheet.opening)
    room = width - (66 if scored else 14)
    if not side.name:
        who = "Player" if sheet.single else "Team"
        pen.text(x + 8, top - 16, f"{who} {'ABCDEF'[side.index]}", size=8, color=MUTED, width=room)
        return
    number = f"{side.number}  " if side.number else ""
    # A single player has the box alone; where players stand under a long name, the box is higher.
    alone, long = not side.players, len(side.name) > LONG
    size, most = (10, 3) if alone and long else (12, 2)
    y = pen.block(x + 8, top - 15, f"{number}{side.name}", size=size, font=BOLD, width=room, most=most)
    players = " and ".join(side.players)
    pen.block(x + 8, y - 11.5, players, size=8.5, color=MUTED, width=room, most=3 if long else 2)
    if not scored:
        return
    score = sheet.points if sheet.over else sheet.scores
    pen.text(x + width - 54, top - 28, minus(score[side.index]), size=23, font=SERIF, width=46, align="right")
    counted = [words for key, words in sheet.counted[side.index] if key not in ("", "bostons")]
    said = " ".join(filter(None, (set_marks(sheet.sets[side.index]), ", ".join(counted))))
    pen.text(x + width - 54, top - 40, said, size=7, width=46, align="right", color=RED)
    if sheet.winner == side.index:
        pen.text(x + width - 54, top - 49, "winner", size=7.5, font=BOLD, width=46, align="right", color=GREEN)


def draw_ending(pen: Pen, area: Area, sheet: GameSheet, top: float) -> float:
    """Who won and how, the game points, Bostons; the whole sentence with its rule."""
    y = top - 16
    if not sheet.over:
        if sheet.rows:
            pen.text(area.left, y, "The game goes on.", size=10, color=MUTED)
        elif not sheet.begun:
            pen.text(area.left, y, "Deals first: ______________________", size=9, color=MUTED)
        return y - 10
    winner = sheet.winner_side
    who = f"{winner.name} won" if winner else "Nobody won"
    said = pen.block(area.left, y, who, size=12, font=BOLD, width=area.width * 0.56, most=2)
    left, room = area.left + area.width * 0.58, area.width * 0.42
    under = pen.block(left, y, f"Game points: {_points(sheet)}", size=9, width=room, align="right", most=3)
    y = min(under, said - 2) - 11
    y = pen.block(area.left, y, _why(sheet), size=9, color=MUTED, width=area.width, most=2)
    stars = [f"{side.name}: {sheet.bostons[side.index]}" for side in sheet.sides if sheet.bostons[side.index]]
    if stars:
        y -= 13
        pen.text(area.left, y, "★ Boston  " + ", ".join(stars), size=9, font=BOLD, color=GOLD, width=area.width)
    return y - 8


def _points(sheet: GameSheet) -> str:
    """The game points of each side; a number never begins a line, and a name is not broken unless it is long."""
    names = [side.name.replace(" ", TIED) if len(side.name) <= LONG else side.name for side in sheet.sides]
    return ", ".join(
        f"{name}{TIED}{minus(sheet.points[side.index])}" for side, name in zip(sheet.sides, names, strict=True)
    )


def _why(sheet: GameSheet) -> str:
    """The sentence of the ending, with the rule of the printed sheet where it does not name it itself."""
    cited = rule(sheet.rule)
    if not sheet.rule[:1].isdigit() or re.search(rf"\b{re.escape(cited)}\b", sheet.text):
        return sheet.text
    return f"{sheet.text.rstrip('.')} ({cited})."


def draw_signatures(pen: Pen, area: Area, sheet: GameSheet, zone: str) -> None:
    """A line to sign for each side, at the same place on every sheet; filled in where it was signed on a tablet."""
    y = area.bottom + 54
    count, gap = len(sheet.sides), 18.0
    width = (area.width - gap * (count - 1)) / count
    signed = {signature.side: signature for signature in sheet.signatures}
    for side in sheet.sides:
        x = area.left + side.index * (width + gap)
        signature = signed.get(side.index)
        if signature is not None:
            if not signature.paper:
                pen.text(x + 2, y + 5, signature.name, size=11, font=SERIF, width=width - 4)
            how = signature.words if signature.paper else f"witness: {signature.reason}"
            note = f"{clock_time(signature.at, zone)} · {how if signature.witness else 'on the tablet'}"
            pen.text(x + 2, y + 18, note, size=6.5, color=MUTED, width=width - 4)
        pen.rule(x, y, x + width, y, weight=0.8, color="#111111")
        pen.text(x, y - 10, f"Signed for {side.name or '______________'}", size=7.5, color=MUTED, width=width)


def draw_foot(pen: Pen, area: Area, sheet: GameSheet, zone: str) -> None:
    """House rules in words, the code of the sheet, who typed it from paper, and what the marks mean."""
    if sheet.options:
        text = "House rules: " + "; ".join(f"{title.lower()} {words}" for title, words in sheet.options) + "."
        pen.block(area.left, area.bottom + 30, text, width=area.width, size=6.5, most=3, color=MUTED)
    code = " ".join(sheet.code[start : start + 4] for start in range(0, len(sheet.code), 4))
    if sheet.rows:
        pen.text(area.left, area.bottom, f"Sheet code {code}", size=7.5, color=MUTED)
    if sheet.paper is not None:
        pen.text(area.left, area.bottom - 10, sheet.paper.said(zone), size=7.5, width=area.width, color=MUTED)
    pen.text(
        area.right - 200, area.bottom, "■ set   ✓ leads   ○ Boston", size=7.5, width=200, align="right", color=MUTED
    )
