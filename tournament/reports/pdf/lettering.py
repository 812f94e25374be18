"""Fonts, text and QR codes on paper: every text fits its box, and every character in it can be printed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.lib.colors import Color
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tournament.reports.pdf.colors import FRAME, INK

FONTS = Path(__file__).parent / "fonts"
PLAIN, BOLD, SERIF = "UptownSans", "UptownSans-Semibold", "UptownSerif"
# This font has the most characters: a character that it lacks cannot be printed. The serif font takes suits from the
# sans font.
LAST, LAST_BOLD = "DejaVuSans", "DejaVuSans-Bold"
SPARE = {PLAIN: (LAST,), BOLD: (LAST_BOLD, LAST), SERIF: (BOLD, LAST_BOLD, LAST)}
# The least readable size; text that may be long is never smaller.
LEAST = 8.0
# A text shrinks to this share of its size before it takes a second line.
ONE_LINE = 0.75
# The distance between lines of a block, as a multiple of the type size.
LEADING = 1.12
# Keeps two words on one line; it is printed as a space.
TIED = "\u00a0"


@cache
def register_fonts() -> dict[str, set[int]]:
    """Load the bundled fonts, with the set of characters of each."""
    characters = {}
    for name in (PLAIN, BOLD, SERIF, LAST, LAST_BOLD):
        font = TTFont(name, str(FONTS / f"{name}.ttf"))
        pdfmetrics.registerFont(font)
        characters[name] = set(font.face.charToGlyph)
    return characters


class Line(NamedTuple):
    """A text ready to write: its parts with their fonts, and its width at a size of one point."""

    parts: tuple[tuple[str, str], ...]
    width: float


@lru_cache(maxsize=20_000)
def line_of(text: str, font: str) -> Line:
    """A text with each word in the first font that has all of its characters."""
    parts = _parts(text, font)
    return Line(parts, sum(pdfmetrics.stringWidth(part, part_font, 1.0) for part, part_font in parts))


def runs(text: str, font: str) -> tuple[tuple[str, str], ...]:
    """A text in parts with their fonts."""
    return line_of(text, font).parts


def text_width(text: str, font: str, size: float) -> float:
    """The width of a text in points, which is proportional to the size."""
    return line_of(text, font).width * size


def words_of(text: str, font: str, size: float, width: float) -> list[str]:
    """The words of a text; tied words are one word, unless together they are wider than the line."""
    words: list[str] = []
    for word in re.split(rf"[^\S{TIED}]+", text.strip()):
        words += word.split(TIED) if TIED in word and text_width(word, font, size) > width else [word]
    return [word for word in words if word]


def wrapped(text: str, size: float, width: float, font: str = PLAIN) -> tuple[str, ...]:
    """A text broken into lines between words; a word that is wider than the line is broken itself."""
    words = words_of(text, font, size, width)
    if words and text_width(whole := " ".join(words), font, size) <= width:
        return (whole,)
    lines: list[str] = []
    used = 0.0
    for word in words:
        more = text_width(f" {word}", font, size)
        if lines and used + more <= width:
            lines[-1] += f" {word}"
            used += more
            continue
        while text_width(word, font, size) > width and len(word) > 1:
            room = width - text_width(lines[-1] + " ", font, size) if lines else 0.0
            if room > 4 * size:
                fits = _fitting(word, font, size, room)
                lines[-1] += f" {word[:fits]}"
            else:
                fits = _fitting(word, font, size, width)
                lines.append(word[:fits])
            word = word[fits:]
        lines.append(word)
        used = text_width(word, font, size)
    return tuple(lines)


@lru_cache(maxsize=20_000)
def fitted(
    text: str, font: str, size: float, width: float, most: int = 2, high: float = 0.0
) -> tuple[tuple[str, ...], float]:
    """The lines of a whole text and their size, so that a name fits its box.

    First the text shrinks by up to a quarter, on one line. Then it takes the largest size at which it has at most
    `most` lines, or as many as fit in `high`, down to the smallest readable size. Words are broken only if they would
    otherwise be half as large. A text that is still too long takes more lines: a name is never cut.
    """
    least, whole_line = min(size, LEAST), text_width(text, font, size)
    if whole_line * max(least / size, ONE_LINE) <= width:
        return (text,), min(size, size * width / whole_line)
    sizes = [max(least, size - step / 2) for step in range(int(2 * (size - least)) + 2)]
    # The widest word at a size of one point, because widths are proportional to the size.
    widest = max((text_width(word, font, 1.0) for word in words_of(text, font, size, width)), default=0.0)
    whole = [smaller for smaller in sizes if smaller >= size / 2 and widest * smaller <= width]
    for smaller in (*whole, *sizes):
        allowed = lines_in(high, smaller) if high else most
        # If the letters alone are longer than the allowed lines, there is no need to break the text.
        if (
            whole_line * smaller / size <= allowed * width
            and len(lines := wrapped(text, smaller, width, font)) <= allowed
        ):
            return lines, smaller
    return wrapped(text, least, width, font), least


def in_pairs(names: Iterable[str]) -> str:
    """Names joined by “and”; a line ends between two names rather than within one."""
    return " and ".join(name.replace(" ", TIED) for name in names)


def lines_in(high: float, size: float) -> int:
    """How many lines fit in a height; the descenders of the last line need at most a fifth of the size."""
    return max(1, int((high - 1.2 * size) / (LEADING * size) + 1.001))


def _parts(text: str, font: str) -> tuple[tuple[str, str], ...]:
    fonts = register_fonts()
    if text and fonts[font].issuperset(map(ord, text)):
        return ((text, font),)
    parts: list[tuple[str, str]] = []
    for word in re.findall(r"\s*\S+|\s+$", text):
        fitting_font = next(
            (name for name in (font, *SPARE.get(font, ())) if fonts[name].issuperset(map(ord, word))), LAST
        )
        if parts and parts[-1][1] == fitting_font:
            parts[-1] = (parts[-1][0] + word, fitting_font)
        else:
            parts.append((word, fitting_font))
    return tuple(parts)


def _fitting(word: str, font: str, size: float, width: float) -> int:
    """How many letters of a word fit a line; at least one."""
    fits = 1
    while fits < len(word) and text_width(word[: fits + 1], font, size) <= width:
        fits += 1
    return fits


class Pen:
    """Writes on one canvas. Coordinates are points from the lower left corner; `y` is the base line of a text."""

    def __init__(self, canvas: Canvas) -> None:
        register_fonts()
        self.canvas = canvas

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 9,
        font: str = PLAIN,
        width: float | None = None,
        align: str = "left",
        color: Color = INK,
    ) -> float:
        """Write one line and return its width. `align` is left, right or center within `width`, which it never exceeds.

        Texts that may be long are written with `block`.
        """
        if not text:
            return 0.0
        text = text.replace(TIED, " ")
        parts, wide = line_of(text, font)
        wide *= size
        if width is not None and wide > width + 0.01:
            size *= width / wide
            wide = width
        if align == "right":
            x += (width or 0) - wide
        elif align == "center":
            x += ((width or 0) - wide) / 2
        canvas = self.canvas
        canvas.setFillColor(color)
        if len(parts) == 1:
            canvas.setFont(parts[0][1], size)
            canvas.drawString(x, y, text)
            return wide
        line = canvas.beginText(x, y)
        for part, part_font in parts:
            line.setFont(part_font, size)
            line.textOut(part)
        canvas.drawText(line)
        return wide

    def block(
        self,
        x: float,
        y: float,
        text: str,
        *,
        width: float,
        size: float = 9,
        most: int = 2,
        font: str = PLAIN,
        align: str = "left",
        color: Color = INK,
    ) -> float:
        """Write a text that must be completely readable, with lines and size from `fitted`.

        `y` is the base line of the first line; returns the base line of the last one.
        """
        lines, size = fitted(text, font, size, width, most) if text else ((), size)
        return self._lines(x, y, lines, width=width, size=size, font=font, align=align, color=color)

    def middle(
        self,
        x: float,
        y: float,
        text: str,
        *,
        width: float,
        high: float,
        size: float = 9,
        font: str = PLAIN,
        align: str = "left",
        color: Color = INK,
    ) -> None:
        """Write a text vertically centered in a box; `y` is the lower edge of the box."""
        lines, size = fitted(text, font, size, width, high=high) if text else ((), size)
        tall = LEADING * size * (len(lines) - 1)
        # Capitals are about seven tenths of a line high.
        self._lines(
            x, y + (high + tall - 0.7 * size) / 2, lines, width=width, size=size, font=font, align=align, color=color
        )

    def _lines(
        self,
        x: float,
        y: float,
        lines: tuple[str, ...],
        *,
        width: float,
        size: float,
        font: str,
        align: str,
        color: Color,
    ) -> float:
        for number, line in enumerate(lines):
            y -= LEADING * size if number else 0.0
            self.text(x, y, line, size=size, font=font, width=width, align=align, color=color)
        return y

    def rule(self, x1: float, y1: float, x2: float, y2: float, *, weight: float = 0.5, color: Color = FRAME) -> None:
        """Draw a straight line."""
        self.canvas.setLineWidth(weight)
        self.canvas.setStrokeColor(color)
        self.canvas.line(x1, y1, x2, y2)

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: Color | None = None, radius: float = 0
    ) -> None:
        """Draw a frame, filled or not."""
        canvas = self.canvas
        canvas.setLineWidth(0.6)
        canvas.setStrokeColor(FRAME)
        if fill:
            canvas.setFillColor(fill)
        canvas.roundRect(x, y, width, height, radius, stroke=1, fill=1 if fill else 0)

    def ring(self, x: float, y: float, width: float, height: float) -> None:
        """Draw a ring: on paper a Boston is circled."""
        self.canvas.setLineWidth(0.9)
        self.canvas.setStrokeColor(INK)
        self.canvas.roundRect(x, y, width, height, height / 2, stroke=1, fill=0)


# QR codes as runs of dark modules, which are sharp at any size, on screens and on paper.

QUIET = 4
# The mask that is laid over the modules so that few of them form blocks. Readers accept each of the eight masks, and
# trying them all takes eight times as long as the code. For web addresses this mask leaves the fewest blocks of all
# fixed ones, hardly more than the best choice.
MASK = 2


class QrRuns(NamedTuple):
    """The runs of dark modules: column, row and length; `size` is the side with its quiet border."""

    runs: list[tuple[int, int, int]]
    size: int


class QrPath(NamedTuple):
    """The QR code for `<path d=…>`; `size` is the side of the viewBox with its quiet border."""

    d: str
    size: int


def qr_runs(text: str, level: str = "M") -> QrRuns:
    """The QR code of a text. A text of capitals and digits makes a smaller code."""
    code: Any = QrCodeWidget(text, barLevel=level).qr  # type: ignore[attr-defined]  # missing in the stub
    code.version = code.calculate_version()
    code.makeImpl(False, MASK)
    dark = []
    for row, modules in enumerate(code.modules, start=QUIET):
        column = QUIET
        for is_dark, run in groupby(modules):
            count = len(list(run))
            if is_dark:
                dark.append((column, row, count))
            column += count
    return QrRuns(dark, code.getModuleCount() + 2 * QUIET)


def qr_path(text: str, level: str = "M") -> QrPath:
    """The QR code of a text as the outline of an SVG element."""
    code = qr_runs(text, level)
    return QrPath("".join(f"M{column} {row}h{count}v1h-{count}z" for column, row, count in code.runs), code.size)
