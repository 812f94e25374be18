"""A printed file read back word by word: what was cut, what lies on something else, and pages that hold too little."""

from __future__ import annotations

import html
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.programs import program

# How much higher the box of a word of letters is than its type; signs of other fonts have boxes of their own.
TALL = 1.406
# What is circled on a sheet is the smallest type there is.
SMALLEST = 6.8
# What of the box of a word is ink at most: accents and tails of neighbors may meet.
UPPER, LOWER, ASIDE = 0.3, 0.24, 0.6


class Word(NamedTuple):
    """A word and the box around it, from the upper left corner of its page."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> float:
        return (self.bottom - self.top) / TALL


class Page(NamedTuple):
    width: float
    height: float
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return "".join(word.text for word in self.words)


RANGE = re.compile(r"(?<=\d)…(?=−?\d)")
PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.S)
WORD = re.compile(r'<word xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*?)</word>', re.S)


def pages_of(content: bytes) -> list[Page]:
    """Every page with its words and their positions."""
    return [
        Page(float(width), float(height), tuple(_word(*found) for found in WORD.findall(words)))
        for width, height, words in PAGE.findall(_told(content, "-bbox"))
    ]


def missing(content: bytes, names: Iterable[str]) -> list[str]:
    """The names that are not found on a paper as they are written, over several lines or not."""
    # In the order in which it was drawn: the second line of a name follows the first.
    text = "".join(_told(content, "-raw").split())
    return sorted(name for name in names if "".join(name.split()) not in text)


def _told(content: bytes, *how: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "paper.pdf"
        file.write_bytes(content)
        command = [program("REQUIRE_OFFICE", "pdftotext"), *how, str(file), "-"]
        return subprocess.run(command, check=True, capture_output=True, timeout=120).stdout.decode()


def _word(left: str, top: str, right: str, bottom: str, text: str) -> Word:
    return Word(html.unescape(text), float(left), float(top), float(right), float(bottom))


def faults_of(page: Page) -> Iterator[str]:
    """What is wrong with a page that a reader sees: cut, off the paper, one word on another."""
    for word in page.words:
        # Between two numbers it means from one to the other.
        if "…" in RANGE.sub("", word.text):
            yield f"cut: {word.text}"
        if word.text.isascii() and re.search(r"\w", word.text) and word.size < SMALLEST - 0.05:
            yield f"in {word.size:.1f} points: {word.text}"
        if word.left < 8 or word.right > page.width - 8 or word.top < 4 or word.bottom > page.height - 4:
            yield f"off the paper: {word}"
    for one, two in overprinted(page.words):
        yield f"{one.text!r} on {two.text!r} at {one.left:.0f}, {one.top:.0f}"


def is_thin(pages: Sequence[Page]) -> bool:
    """Whether the last page has fewer than a third of the lines of the fullest."""
    lines = [len({round(word.bottom) for word in page.words}) for page in pages]
    return lines[-1] * 3 < max(lines)


def overprinted(words: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """Pairs of words of which one lies on the other."""
    inked = sorted((_ink(word) for word in words), key=lambda word: word.left)
    for index, one in enumerate(inked):
        for two in inked[index + 1 :]:
            if two.left >= one.right:
                break
            if one.top < two.bottom and two.top < one.bottom:
                yield one, two


def _ink(word: Word) -> Word:
    high = word.bottom - word.top
    return word._replace(
        left=word.left + ASIDE, right=word.right - ASIDE, top=word.top + UPPER * high, bottom=word.bottom - LOWER * high
    )
