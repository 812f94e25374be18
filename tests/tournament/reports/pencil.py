"""Sheets filled in by a drawn pencil: `python -m tests.tournament.reports.pencil PICTURES KEYS [SEED]`.

A game of each kind, made by chance, is drawn onto its blank sheet, cell by cell, as a table would circle and write it.
Somebody who has not seen the game can type it from the picture; the entries as they were stand in a folder of their
own. Needs pdftoppm.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from tournament.queries.sheetcells import SheetCell
    from tournament.queries.sheetfacts import GameSheet

DPI = 150
SCALE = DPI / 72
GRAPHITE = (70, 70, 78)
SHEETS = ("bid_whist/no-kitty-2021", "spades/standard", "back_alley/partnership", "okinawa/standard")
# Of a game that goes on for longer, only so many hands are written.
HANDS = 9


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
        if row.kind == "hand" and "bid" in facts:
            level, _, kind = str(facts["bid"]).partition("-")
            circled |= {("side", str(bidder(facts))), ("bid.number", level), ("bid.kind", kind or "straight")}
            circled |= {("books", str(facts["books"])), ("result", row.written.outcome)}
        elif row.kind == "hand":
            for place, bid in enumerate(facts["bids"]):
                circled |= {(f"bid-{place}", bid.replace("-", " ").capitalize())}
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


def bidder(facts: dict[str, Any]) -> int:
    """The side that bid, also where its seat was written down."""
    return int(facts["bidder"]) if "bidder" in facts else int(facts["seat"]) % 2


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


def made_up(key: str, chance: Random) -> list[dict[str, Any]]:
    """Hands of a game from its first one on, and between them a void hand where the paper has a circle for it."""
    from tests.factories import play_out
    from tournament.queries.rules import ruleset
    from tournament.queries.sheetcells import sheet_layout

    rules = ruleset(key)
    # The longest of several: there is more to read in it.
    hands = max((list(islice(play_out(rules, chance), HANDS)) for _ in range(20)), key=len)
    reasons = rules.game.voids(rules.rules, rules.game.begin(rules.rules))
    if reasons and sheet_layout(rules).column("other"):
        hands.insert(chance.randrange(1, len(hands)), {"entry": "void", "rule": reasons[0].rule})
    return hands


def main(pictures: Path, keys: Path, seed: str = "pencil") -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tournament.settings"
    os.environ["UPTOWN_DATA"] = tempfile.mkdtemp()
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from tests.factories import make_event, make_round, make_teams, play
    from tournament.queries.sheet import sheet_now
    from tournament.reports.pdf.score_sheet import score_sheets

    call_command("migrate", verbosity=0)
    dana = User.objects.create_user("dana")
    for key in SHEETS:
        name, hands = key.replace("/", "-"), made_up(key, Random(f"{key} {seed}"))
        event = make_event("Autumn Evening", dana, sheet=key, slug=name.replace("_", "-"))
        game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
        empty = Path(tempfile.mkdtemp()) / "empty"
        empty.with_suffix(".pdf").write_bytes(score_sheets([sheet_now(game)]))
        command = ["pdftoppm", "-r", str(DPI), "-png", "-singlefile", str(empty.with_suffix(".pdf")), str(empty)]
        subprocess.run(command, check=True)
        played = sheet_now(play(dana, game, *hands, sign=False))
        drawn(played, empty.with_suffix(".png"), pictures / f"{name}.png")
        answer = {"sheet": key, "entries": hands, "scores": [list(row.scores) for row in played.rows]}
        (keys / f"{name}.json").write_text(json.dumps(answer, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
