"""Sheets filled in by a drawn pencil: `python -m tests.tournament.reports.pencil PICTURES KEYS`.

A game of each shape is drawn onto its blank sheet, cell by cell, as a table would circle and write it. Somebody who has
not seen the game can type it from the picture; the entries as they were stand in a folder of their own. Needs pdftoppm.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from tournament.queries.sheet import GameSheet
    from tournament.queries.sheetcells import SheetCell

DPI = 150
SCALE = DPI / 72
GRAPHITE = (70, 70, 78)
# Six hands that count and, in one of them, a void hand.
GAMES: dict[str, list[dict[str, Any]]] = {
    "bid_whist/no-kitty-2021": [
        {"entry": "hand", "bidder": 1, "bid": "2-special", "books": 8},
        {"entry": "hand", "bidder": 0, "bid": "4", "books": 9},
        {"entry": "void", "rule": "17"},
        {"entry": "hand", "bidder": 0, "bid": "1-no", "books": 7},
        {"entry": "hand", "bidder": 1, "bid": "1", "books": 7},
        {"entry": "hand", "bidder": 0, "bid": "3-special", "books": 10},
        {"entry": "hand", "bidder": 1, "bid": "2-no", "books": 8},
    ],
    "spades/standard": [
        {"entry": "hand", "bids": ["4", "3", "2", "3"], "tricks": [4, 3, 3, 3]},
        {"entry": "hand", "bids": ["nil", "5", "4", "2"], "tricks": [0, 5, 5, 3]},
        {"entry": "hand", "bids": ["3", "4", "1", "4"], "tricks": [4, 5, 2, 2]},
        {"entry": "hand", "bids": ["5", "nil", "3", "4"], "tricks": [5, 1, 3, 4]},
        {"entry": "hand", "bids": ["2", "2", "6", "2"], "tricks": [2, 1, 5, 5]},
        {"entry": "hand", "bids": ["3", "5", "3", "1"], "tricks": [3, 6, 3, 1]},
    ],
}


class Pencil:
    """Draws on the picture of a sheet; `frame` is the upper left corner of the sheet's frame, in points."""

    def __init__(self, picture: Image.Image, frame: tuple[float, float], chance: Random) -> None:
        self.picture, self.frame, self.chance = picture, frame, chance
        self.pen = ImageDraw.Draw(picture)

    def fill(self, cell: SheetCell, figure: str = "") -> None:
        """Circle a printed answer, or write into a box."""
        left, top = (self.frame[0] + cell.x) * SCALE, (self.frame[1] + cell.y) * SCALE
        width, height = cell.width * SCALE, cell.height * SCALE
        if figure == "−":
            slope = self.chance.uniform(-3, 3)
            ends = (left + width * 0.15, top + height / 2 - slope, left + width * 0.85, top + height / 2 + slope)
            return self.pen.line(ends, fill=GRAPHITE, width=4)
        if figure:
            return self._write(figure, left + width / 2, top + height / 2, height * 0.62)
        turn, grow = self.chance.uniform(0, 6), self.chance.uniform(1.02, 1.14)
        points = []
        for step in range(44):
            angle = turn + step / 40 * 2 * math.pi
            reach = grow + self.chance.uniform(-0.025, 0.025) + step * 0.002
            points.append(
                (
                    left + width / 2 + math.cos(angle) * reach * width / 2,
                    top + height / 2 + math.sin(angle) * reach * height / 2,
                )
            )
        return self.pen.line(points, fill=GRAPHITE, width=3, joint="curve")

    def _write(self, figure: str, x: float, y: float, size: float) -> None:
        font = ImageFont.load_default(size=size)
        tile = Image.new("RGBA", (int(size * 3), int(size * 2)), (0, 0, 0, 0))
        ImageDraw.Draw(tile).text((size * 1.5, size), figure, font=font, fill=GRAPHITE, anchor="mm", stroke_width=1)
        tile = tile.rotate(self.chance.uniform(-9, 9), resample=Image.Resampling.BICUBIC)
        at = (int(x - size * 1.5 + self.chance.uniform(-2, 2)), int(y - size + self.chance.uniform(-2, 2)))
        self.picture.paste(tile, at, tile)


def filled_cells(sheet: GameSheet) -> Iterator[tuple[int, SheetCell, str]]:
    """The cells that a table fills in for the lines of a sheet: their row, and a figure where it is a box."""
    from tournament.queries.sheetcells import sheet_layout

    layout = sheet_layout(sheet.rules)
    for slot, row in enumerate(sheet.rows, start=1):
        cells = [cell for one, cell in layout.placed() if one == slot]
        facts = row.facts
        circled = {("other", "void")} if row.kind == "void" else set()
        numbers: dict[str, int] = {}
        if row.kind == "hand" and "bidder" in facts:
            level, _, kind = str(facts["bid"]).partition("-")
            circled |= {("side", str(facts["bidder"])), ("bid.number", level), ("bid.kind", kind or "straight")}
            circled |= {("books", str(facts["books"])), ("result", row.written.outcome)}
        elif row.kind == "hand":
            for place, bid in enumerate(facts["bids"]):
                circled |= {(f"bid-{place}", bid.capitalize())}
                numbers |= {f"bid-{place}": int(bid)} if bid.isdigit() else {}
            numbers |= {f"tricks-{place}": count for place, count in enumerate(facts["tricks"])}
            numbers |= {f"bags-{side}": bags for side, bags in enumerate(row.bags)}
        if row.kind == "hand":
            numbers |= {f"score-{side}": score for side, score in enumerate(row.scores)}
        for cell in cells:
            if cell.is_circle and (cell.group, cell.value) in circled:
                yield slot, cell, ""
            elif not cell.is_circle and cell.group in numbers and (figure := figure_of(cell, numbers[cell.group])):
                yield slot, cell, figure


def figure_of(cell: SheetCell, number: int) -> str:
    """What of a number is written in a box; nothing in those before its first figure."""
    if cell.value == "sign":
        return "−" if number < 0 else ""
    if cell.value in ("number", "words"):
        return str(number)
    power = int(cell.value)
    return str(abs(number) // power % 10) if abs(number) >= power or power == 1 else ""


def drawn(sheet: GameSheet, blank: Path, target: Path) -> None:
    """Draw the lines of a sheet onto the picture of the empty one."""
    picture = Image.open(blank).convert("RGB")
    chance = Random(sheet.sheet_key)
    frame = ((picture.width / SCALE - 540) / 2, (picture.height / SCALE - 736) / 2)
    pencil = Pencil(picture, frame, chance)
    for _, cell, figure in filled_cells(sheet):
        pencil.fill(cell, figure)
    picture.save(target)


def main(pictures: Path, keys: Path) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tournament.settings"
    os.environ["UPTOWN_DATA"] = tempfile.mkdtemp()
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from tests.factories import make_event, make_round, make_teams, play
    from tournament.queries.sheet import game_sheet, sheet_games
    from tournament.reports.pdf.score_sheet import score_sheets

    call_command("migrate", verbosity=0)
    dana = User.objects.create_user("dana")
    for key, hands in GAMES.items():
        name = key.replace("/", "-")
        event = make_event(f"Evening of {name}", dana, sheet=key)
        game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
        empty = Path(tempfile.mkdtemp()) / "empty"
        empty.with_suffix(".pdf").write_bytes(score_sheets([game_sheet(sheet_games().get(pk=game.pk))]))
        command = ["pdftoppm", "-r", str(DPI), "-png", "-singlefile", str(empty.with_suffix(".pdf")), str(empty)]
        subprocess.run(command, check=True)
        played = game_sheet(sheet_games().get(pk=play(dana, game, *hands, sign=False).pk))
        drawn(played, empty.with_suffix(".png"), pictures / f"{name}.png")
        answer = {"sheet": key, "entries": hands, "scores": [list(row.scores) for row in played.rows]}
        (keys / f"{name}.json").write_text(json.dumps(answer, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
