"""A moving picture from single shots of a page: with a line of words below, a finger where somebody taps, and a camera
that goes near and away again."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from tournament.reports.pdf.lettering import BOLD, FONTS

WIDTH, WORDS_HEIGHT = 1000, 46
GROUND, INK = "#0f1915", "#f6f3ea"
FINGER, FINGER_SIZE = (241, 193, 91), 34
# Between two places the camera is seen this often.
ON_THE_WAY, STEP_MS = 4, 70
QUALITY, MOST_BYTES = 66, 2 * 1024 * 1024


class Box(NamedTuple):
    """A part of the window, in its own measure."""

    x: float
    y: float
    width: float
    height: float

    def toward(self, other: Box, share: float) -> Box:
        """The place between this one and another."""
        return Box(*(one + (two - one) * share for one, two in zip(self, other, strict=True)))


class Film:
    """Shots of one page, whose window is `window` wide and high; what it is photographed with is up to the page."""

    def __init__(self, page: Any, window: tuple[int, int]) -> None:
        self.page, self.whole = page, Box(0, 0, *window)
        self.camera, self.size = self.whole, (WIDTH, round(WIDTH * window[1] / window[0]))
        self.frames: list[tuple[Image.Image, int]] = []

    def shot(self, words: str, ms: int, *, near: Box | None = None, finger: tuple[float, float] | None = None) -> None:
        """What the page shows now; the camera goes `near` to a part first, or back to all of it."""
        photo = Image.open(io.BytesIO(self.page.screenshot(caret="initial"))).convert("RGB")
        to = self._framed(near) if near else self.whole
        for step in range(1, ON_THE_WAY if to != self.camera else 1):
            self._add(photo, self.camera.toward(to, _eased(step / ON_THE_WAY)), words, STEP_MS, None)
        self.camera = to
        self._add(photo, to, words, ms, finger)

    def save(self, path: Path) -> int:
        """Write it; how many bytes it takes. Raises SystemExit where that is more than a code host should load."""
        first, *others = [frame for frame, _ in self.frames]
        times = [ms for _, ms in self.frames]
        first.save(path, save_all=True, append_images=others, duration=times, loop=0, quality=QUALITY, method=6)
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise SystemExit(f"{path.name} has {size:,} bytes: more than {MOST_BYTES:,}.")
        return size

    def _framed(self, near: Box) -> Box:
        """A part in the shape of the window, within it."""
        width = min(max(near.width, near.height * self.whole.width / self.whole.height), self.whole.width)
        height = width * self.whole.height / self.whole.width
        x = min(max(near.x + near.width / 2 - width / 2, 0), self.whole.width - width)
        y = min(max(near.y + near.height / 2 - height / 2, 0), self.whole.height - height)
        return Box(x, y, width, height)

    def _add(self, photo: Image.Image, seen: Box, words: str, ms: int, finger: tuple[float, float] | None) -> None:
        scale = photo.width / self.whole.width
        left, top, right, low = (edge * scale for edge in (seen.x, seen.y, seen.x + seen.width, seen.y + seen.height))
        part = photo.resize(self.size, Image.Resampling.LANCZOS, box=(left, top, right, low))
        frame = Image.new("RGB", (self.size[0], self.size[1] + WORDS_HEIGHT), GROUND)
        frame.paste(part)
        if finger:
            zoom = self.size[0] / seen.width
            _press(frame, ((finger[0] - seen.x) * zoom, (finger[1] - seen.y) * zoom))
        letters = ImageFont.truetype(FONTS / f"{BOLD}.ttf", 22)
        middle = (self.size[0] / 2, self.size[1] + WORDS_HEIGHT / 2)
        ImageDraw.Draw(frame).text(middle, words, INK, letters, anchor="mm")
        self.frames.append((frame, ms))


def _press(frame: Image.Image, at: Sequence[float]) -> None:
    x, y, size = *at, FINGER_SIZE
    draw = ImageDraw.Draw(frame, "RGBA")
    draw.ellipse((x - size, y - size, x + size, y + size), (*FINGER, 90), (*FINGER, 255), 4)


def _eased(share: float) -> float:
    return share * share * (3 - 2 * share)
