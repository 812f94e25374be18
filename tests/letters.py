"""Cut the letters of every screen and paper from the variable outlines of Source Sans 3 and Source Serif 4.

    npm pack source-sans@3.52.0 source-serif@4.5.1     (unpack each into a folder of its own)
    python -m tests.letters SANS-FOLDER SERIF-FOLDER

For screens one small file a typeface, in woff2; for paper static TrueType, which reportlab and Pillow read. The licence
(SIL Open Font License 1.1) keeps the name “Source” for the uncut files, so these bear another one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from tournament.reports.pdf.lettering import FONTS

SCREEN = Path(__file__).parents[1] / "tournament/static/tournament/fonts"
OUTLINES = ("package/VF/SourceSans3VF-Upright.ttf", "package/VAR/SourceSerif4Variable-Roman.ttf")
# Letters of the languages that are written in Latin ones, punctuation, currencies; then the signs of pages and suits.
LATIN = [*range(0x20, 0x180), *range(0x218, 0x21C), *range(0x2010, 0x2040), 0x20AC, 0x2122, *range(0x2190, 0x2194)]
SIGNS = [0x2197, 0x2212, 0x221A, 0x2260, 0x2264, 0x2265, *map(ord, "⌫■▲▴▸▼▾○●☐☑♠♣♥♦✓✔")]
# The serif is the letter of headings, at one size of drawing.
HEADING = {"wght": 600, "opsz": 20}
# The letters are drawn small in their squares of 1,000 units: in smaller squares they are as tall as those of the
# systems and of the other scripts' fonts, on screens and on paper alike.
SQUARES = {False: 943, True: 962}
FEATURES = ["ccmp", "locl", "mark", "mkmk", "kern", "liga"]


class Cut(NamedTuple):
    """One file: which letters and which weights of the outlines it holds."""

    file: Path
    family: str
    style: str
    serif: bool
    axes: dict[str, Any]
    signs: list[int] | None
    features: list[str]


CUTS = [
    Cut(SCREEN / "uptown-sans.woff2", "Uptown Sans", "Regular", False, {}, LATIN + SIGNS, FEATURES),
    Cut(SCREEN / "uptown-serif.woff2", "Uptown Serif", "Semibold", True, HEADING, LATIN + SIGNS, FEATURES),
    Cut(FONTS / "UptownSans.ttf", "Uptown Sans", "Regular", False, {"wght": 400}, None, []),
    Cut(FONTS / "UptownSans-Semibold.ttf", "Uptown Sans", "Semibold", False, {"wght": 600}, None, []),
    Cut(FONTS / "UptownSerif.ttf", "Uptown Serif", "Semibold", True, HEADING, None, []),
]


def main(*folders: str) -> None:
    for cut in CUTS:
        source = Path(folders[cut.serif]) / OUTLINES[cut.serif]
        font = made(source, cut)
        font.save(cut.file)
        print(f"{cut.file.name}: {cut.file.stat().st_size:,} bytes, {len(font.getBestCmap())} signs")


def made(source: Path, cut: Cut) -> TTFont:
    """The outlines with the wanted letters alone, at the wanted weight, under their own name."""
    # The same outlines make the same bytes, whenever this runs.
    font = TTFont(source, recalcTimestamp=False)
    options = Options(hinting=False, layout_features=cut.features, notdef_outline=True, name_IDs=["*"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap() if cut.signs is None else cut.signs)
    subsetter.subset(font)
    font = instantiateVariableFont(font, cut.axes) if cut.axes else font
    font["head"].unitsPerEm = SQUARES[cut.serif]
    rename(font, cut)
    font.flavor = "woff2" if cut.file.suffix == ".woff2" else None
    return font


def rename(font: TTFont, cut: Cut) -> None:
    """Give it its own name; who made the outlines, and under which licence, stays in it."""
    names = font["name"]
    texts = {number: names.getDebugName(number) for number in (0, 13, 14)}
    whole = f"{cut.family} {cut.style}"
    given = {1: cut.family, 2: cut.style, 3: f"{whole} 1", 4: whole, 5: "Version 1.000", 6: whole.replace(" ", "")}
    names.names = []
    for number, text in sorted({**texts, **given}.items()):
        if text:
            names.setName(text, number, 3, 1, 0x409)


if __name__ == "__main__":
    main(*sys.argv[1:])
