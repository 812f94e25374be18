"""Pictures in the book: the shapes of `reports.pictures` drawn with the pen."""

from __future__ import annotations

from itertools import pairwise

from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen
from tournament.reports.pdf.paper import Papers
from tournament.reports.pictures import Picture, Shape

MUTED = "#5d6762"
COLORS = {
    "grid": "#d8d2c2",
    "label": MUTED,
    "count": "#111111",
    "group": "#111111",
    "won": "#0f5b46",
    "made": "#0f5b46",
    "lost": "#c9a24a",
    "set": "#a81d29",
    "other": "#b9b9b9",
    "series-0": "#0f5b46",
    "series-1": "#a81d29",
    "series-2": "#1f5f99",
    "series-3": "#83560a",
    "series-4": "#6b3f8f",
    "series-5": "#b0387f",
    "series-6": "#b3541e",
    "series-7": "#555555",
}
# What was lost is drawn hollow: red and green are one gray.
HOLLOW, STRIPE = ("set", "lost"), 4.0
# Half of the lines are dashed: eight colours alone cannot be told apart, and paper may be grey.
DASHED = ("series-4", "series-5", "series-6", "series-7")


def draw_pictures(papers: Papers, title: str, pictures: list[Picture]) -> None:
    """Draw pictures, two to a page, each with its title and sentence."""
    for start in range(0, len(pictures), 2):
        area = papers.area
        papers.pen.text(area.left, area.top - 16, title, size=18, font=SERIF, width=area.width)
        y = area.top - 44
        for picture in pictures[start : start + 2]:
            papers.pen.text(area.left, y, picture.title, size=12, font=BOLD)
            papers.pen.text(area.left, y - 14, picture.words, size=9, color=MUTED, width=area.width)
            scale = area.width / picture.width
            y -= 26
            draw_picture(papers.pen, picture, area.left, y, scale)
            y -= picture.height * scale + 36
        papers.next_page()


def draw_picture(pen: Pen, picture: Picture, left: float, top: float, scale: float) -> None:
    """Draw one picture with its upper left corner at this place."""
    for shape in picture.shapes:
        _draw(pen, shape, left, top, scale)


def _bar(pen: Pen, x: float, top: float, width: float, height: float, color: str, *, hollow: bool) -> None:
    """A full bar; or one of an outline and stripes, which a gray print tells from a full one."""
    canvas = pen.canvas
    if not hollow:
        canvas.setFillColor(color)
        canvas.rect(x, top - height, width, height, stroke=0, fill=1)
        return
    if height <= 0:
        return
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(x, top - height, width, height)
    canvas.clipPath(path, stroke=0, fill=0)
    for step in range(int((width + height) / STRIPE) + 1):
        pen.rule(x, top - height + step * STRIPE, x + width, top - height + step * STRIPE - width, color=color)
    canvas.restoreState()
    canvas.setLineWidth(1)
    canvas.setStrokeColor(color)
    canvas.rect(x + 0.5, top - height, width - 1, height, stroke=1, fill=0)


def _draw(pen: Pen, shape: Shape, left: float, top: float, scale: float) -> None:
    points = [(left + x * scale, top - y * scale) for x, y in shape.points]
    color = COLORS[shape.look.rpartition(" ")[2]]
    x, y = points[0]
    if shape.kind == "line":
        weight = 0.5 if shape.look == "grid" else 1.6
        pen.canvas.setDash(5, 3) if shape.look in DASHED else pen.canvas.setDash()
        for (x1, y1), (x2, y2) in pairwise(points):
            pen.rule(x1, y1, x2, y2, weight=weight, color=color)
        pen.canvas.setDash()
    elif shape.kind == "bar":
        _bar(pen, x, y, shape.size[0] * scale, shape.size[1] * scale, color, hollow=shape.look in HOLLOW)
    elif shape.kind == "dot":
        pen.canvas.setFillColor(color)
        pen.canvas.circle(x, y, shape.size[0] * scale, stroke=0, fill=1)
    elif shape.text:
        font = BOLD if shape.look.startswith(("name", "group")) else PLAIN
        width = 150.0
        start = {"start": x, "middle": x - width / 2, "end": x - width}[shape.anchor]
        align = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
        pen.text(start, y, shape.text, size=11 * scale, font=font, width=width, align=align, color=color)
