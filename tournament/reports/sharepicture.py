"""The picture to share: 1200 × 630, the champion and the podium on felt, or the event before there is a champion."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from unicodedata import combining

from PIL import Image, ImageDraw, ImageFont, features

from tournament.queries.pictures import Share
from tournament.queries.places import Step
from tournament.reports.pdf.lettering import BOLD, FONTS, PLAIN, SERIF, block, runs, text_width

SIZE = WIDTH, HEIGHT = 1200, 630
LIGHT, DEEP, GOLD, WHITE, PALE, DARK = "#19795f", "#0a3b2e", "#f1c15b", "#ffffff", "#cfe3da", "#2b2005"
STEP = "#2c6c58"
MARGIN, GAP, PAD = 60, 14, 14
# From left to right; how high the smallest of each is.
ORDER, LOWEST = (2, 1, 3), {1: 150, 2: 118, 3: 96}
STEP_WIDTH, LEADING = 330, 1.28
# A name on one line is not smaller than this: rather it goes on in a second one, in larger letters.
ONE_LINE = 0.62
# A word of more letters may be broken.
LONGEST = 24
# Arabic is written from the right, in letters that join, where the library for it is there.
LAYOUT = ImageFont.Layout.RAQM if features.check("raqm") else ImageFont.Layout.BASIC


@lru_cache(maxsize=32)
def share_picture(share: Share) -> bytes:
    """The picture as a PNG; the same facts give the same bytes."""
    image = _felt().copy()
    pen = _Pen(ImageDraw.Draw(image))
    floor = _draw_podium(pen, share.steps) if share.steps else HEIGHT - 40
    pen.write(share.event if share.steps else "", MARGIN, 62, WIDTH - 2 * MARGIN, 34, SERIF, PALE)
    pen.write(share.under, MARGIN, 98 if share.steps else HEIGHT - 70, WIDTH - 2 * MARGIN, 24, PLAIN, PALE)
    _draw_name(pen, share, 128 if share.steps else 60, floor - 20)
    file = BytesIO()
    image.quantize(128, dither=Image.Dither.FLOYDSTEINBERG).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_name(pen: _Pen, share: Share, top: int, floor: int) -> None:
    """Whoever won, in the middle between head and podium."""
    width = WIDTH - 2 * MARGIN
    texts = [
        (f"★ {share.word.upper()} ★" if share.steps else share.word, 26, BOLD, GOLD, 1),
        (share.name, 92, SERIF, WHITE, 2),
        (share.players, 36, PLAIN, WHITE, 2),
        (share.by, 26, PLAIN, PALE, 2),
    ]
    said = [(_fit(text, font, size, width, most), font, color) for text, size, font, color, most in texts if text]
    high = sum(len(lines) * size * 1.14 for (lines, size), _, _ in said)
    # A few points smaller where two lines of everything would not fit.
    smaller = min(1.0, (floor - top) / high)
    y = top + (floor - top - high * smaller) / 2
    for (lines, size), font, color in said:
        for line in lines:
            y += size * smaller * 1.14
            pen.line(line, MARGIN, y - size * smaller * 0.24, width, size * smaller, font, color)


def _draw_podium(pen: _Pen, steps: tuple[Step, ...]) -> int:
    """Draw the podium on the lower edge and return where its highest step begins."""
    by_place = {step.place: step for step in steps}
    shown = [by_place[place] for place in ORDER if place in by_place]
    said = [_on_step(step) for step in shown]
    heights = [max(LOWEST[step.place], _height(lines)) for step, lines in zip(shown, said, strict=True)]
    # The first step is the highest, however much stands on the others.
    heights[shown.index(by_place[1])] = max(*heights, max(heights) + 24 if len(shown) > 1 else 0)
    left = (WIDTH - len(shown) * (STEP_WIDTH + GAP) + GAP) / 2
    for index, (step, lines) in enumerate(zip(shown, said, strict=True)):
        x, top = left + index * (STEP_WIDTH + GAP), HEIGHT - heights[index]
        box = (x, top, x + STEP_WIDTH, HEIGHT + 20)
        pen.draw.rounded_rectangle(box, 16, fill=GOLD if step.place == 1 else STEP)
        y: float = top + 8
        for line, size, font in lines:
            y += size * LEADING
            pen.line(line, x + PAD, y, STEP_WIDTH - 2 * PAD, size, font, DARK if step.place == 1 else WHITE)
    return HEIGHT - max(heights)


def _on_step(step: Step) -> list[tuple[str, float, str]]:
    """What stands on a step, line by line: the place, each name and how it did, and how many more share it."""
    said: list[tuple[str, float, str]] = [(step.ordinal, 20, PLAIN)]
    for line in step.lines:
        names, size = _fit(line.team, SERIF, 30 if len(step.lines) == 1 else 24, STEP_WIDTH - 2 * PAD, 2)
        said += [(name, size, SERIF) for name in names]
        under = line.record if step.place == 1 else ", ".join(line.players)
        if under and len(step.lines) == 1:
            players, size = _fit(under, PLAIN, 19, STEP_WIDTH - 2 * PAD, 2)
            said += [(text, size, PLAIN) for text in players]
    return [*said, (f"and {step.more} more", 19, PLAIN)] if step.more else said


def _height(lines: list[tuple[str, float, str]]) -> int:
    return int(sum(size * LEADING for _, size, _ in lines)) + 26


def _fit(text: str, font: str, size: float, width: float, most: int) -> tuple[tuple[str, ...], float]:
    """The lines of a text and their size: first smaller on one line, then over several; never cut."""
    wide = text_width(text, font, size)
    if wide <= width or most == 1 or width / wide >= ONE_LINE:
        return (text,), size * min(1.0, width / max(wide, 1.0))
    return max(
        block(text, font, size, width, most), block(_broken(text), font, size, width, most), key=lambda fit: fit[1]
    )


def _broken(text: str) -> str:
    """With its longest word in two: forty letters without a space would be too small to read in one."""
    longest = max(text.split(), key=len, default="")
    middle = len(longest) // 2
    hyphens = [at for at, letter in enumerate(longest, start=1) if letter == "-" and abs(at - middle) <= middle // 2]
    half = min(hyphens, key=lambda at: abs(at - middle), default=middle)
    while half < len(longest) and combining(longest[half]):
        half += 1
    return text if len(longest) < LONGEST else text.replace(longest, f"{longest[:half]} {longest[half:]}", 1)


class _Pen:
    """Writes on the picture, in the letters of our papers. `y` is the base line of a text."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self.draw = draw

    def write(self, text: str, x: float, y: float, width: float, size: float, font: str, color: str) -> None:
        """Write a text in the middle of a width, smaller where it is long."""
        if text:
            lines, fits = _fit(text, font, size, width, 1)
            self.line(lines[0], x, y, width, fits, font, color)

    def line(self, text: str, x: float, y: float, width: float, size: float, font: str, color: str) -> None:
        """Write one line in the middle of a width, each word in a font that has its signs."""
        x += (width - text_width(text, font, size)) / 2
        for part, known in runs(text, font):
            self.draw.text((x, y), part, font=_font(known, round(size, 1)), fill=color, anchor="ls")
            x += text_width(part, font, size)


@lru_cache(maxsize=64)
def _font(name: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"{name}.ttf", size, layout_engine=LAYOUT)


@lru_cache(maxsize=1)
def _felt() -> Image.Image:
    """Green felt, lightest in the middle of the upper edge."""
    away = Image.radial_gradient("L").resize((2 * WIDTH, 4 * HEIGHT))
    mask = away.crop((WIDTH // 2, 2 * HEIGHT, WIDTH // 2 + WIDTH, 3 * HEIGHT))
    return Image.composite(Image.new("RGB", SIZE, DEEP), Image.new("RGB", SIZE, LIGHT), mask)
