"""Pictures as plain shapes: the same race chart is an SVG on the page and a drawing in the book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.queries.pictures import BidCount, Bin, Pictures, Race

WIDTH, HEIGHT = 640, 300
KINDS = {"straight": "Straight", "special": "Special", "no": "No", "": ""}


class Shape(NamedTuple):
    """A part of a picture. `kind` is line, bar, dot or text; `look` is its class on the page and its pen in the book.

    `points` are the corners of a line; a bar has its upper left corner and its size; a text its place and anchor.
    """

    kind: str
    look: str
    points: tuple[tuple[float, float], ...]
    size: tuple[float, float] = (0.0, 0.0)
    text: str = ""
    anchor: str = "start"

    @property
    def path(self) -> str:
        """The points as SVG writes them."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)

    @property
    def x(self) -> str:
        return f"{self.points[0][0]:.1f}"

    @property
    def y(self) -> str:
        return f"{self.points[0][1]:.1f}"

    @property
    def width(self) -> str:
        return f"{self.size[0]:.1f}"

    @property
    def height(self) -> str:
        return f"{self.size[1]:.1f}"


class Picture(NamedTuple):
    """A picture from the upper left corner, with a title and a sentence for those who do not see it."""

    title: str
    words: str
    width: float
    height: float
    shapes: tuple[Shape, ...]


def all_pictures(facts: Pictures) -> list[Picture]:
    """Every picture that there is anything to draw for."""
    drawn = []
    if facts.race.rounds and facts.race.runners:
        drawn.append(race_picture(facts.race))
    if facts.points:
        drawn.append(points_picture(facts.points))
    if facts.bids:
        drawn.append(bids_picture(facts.bids))
    return drawn


def race_picture(race: Race) -> Picture:
    """The places of the leading teams after every game, the best on top."""
    left, right, top, bottom = 40.0, 200.0, 16.0, 28.0
    worst = max(max(runner.places) for runner in race.runners)
    count = len(race.rounds)
    across = (WIDTH - left - right) / max(count - 1, 1)
    down = (HEIGHT - top - bottom) / max(worst - 1, 1)
    shapes = []
    for index, number in enumerate(race.rounds):
        x = left + index * across
        shapes.append(Shape("line", "grid", ((x, top), (x, HEIGHT - bottom))))
        shapes.append(Shape("text", "label", ((x, HEIGHT - 8),), text=f"Game {number}", anchor="middle"))
    for place in _ticks(worst):
        y = top + (place - 1) * down
        shapes.append(Shape("text", "label", ((left - 14, y + 4),), text=str(place), anchor="end"))
    ends = _spread([top + (runner.places[-1] - 1) * down for runner in race.runners], 14.0, HEIGHT - bottom)
    for index, (runner, end) in enumerate(zip(race.runners, ends, strict=True)):
        points = tuple((left + at * across, top + (place - 1) * down) for at, place in enumerate(runner.places))
        shapes.append(Shape("line", f"series-{index}", points))
        shapes += [Shape("dot", f"series-{index}", (point,), (4.0, 4.0)) for point in points]
        name = f"{runner.number}  {_short(runner.team)}"
        shapes.append(Shape("text", f"name series-{index}", ((points[-1][0] + 12, end + 4),), text=name))
    leader = race.runners[0]
    words = f"Places after each game of the {len(race.runners)} leaders of {race.teams}. {leader.team} leads."
    return Picture("The race for the top", words, WIDTH, HEIGHT, tuple(shapes))


def points_picture(bins: Sequence[Bin]) -> Picture:
    """With how many points games were won and lost."""
    bars = [(one.words, one.won, one.lost) for one in bins]
    games = sum(one.won for one in bins)
    words = f"Game points of the winners and the losers of {games} games."
    return _bars("Points per game", words, [("", bars)], ("won", "lost"))


def bids_picture(bids: Sequence[BidCount]) -> Picture:
    """How often each bid was made and set."""
    groups: dict[str, list[tuple[str, int, int]]] = {}
    for bid in bids:
        groups.setdefault(bid.kind, []).append((bid.words, bid.made, bid.missed))
    made, missed = sum(bid.made for bid in bids), sum(bid.missed for bid in bids)
    words = f"{made} bids were made and {missed} were set."
    return _bars("Bids made and set", words, [(KINDS[kind], rows) for kind, rows in groups.items()], ("made", "set"))


def _bars(
    title: str, words: str, groups: Sequence[tuple[str, Sequence[tuple[str, int, int]]]], looks: tuple[str, str]
) -> Picture:
    """Pairs of bars side by side, in groups; the numbers stand on the bars."""
    left, right, top, bottom, gap = 8.0, 8.0, 34.0, 44.0, 24.0
    count = sum(len(rows) for _, rows in groups)
    each = (WIDTH - left - right - gap * (len(groups) - 1)) / count
    most = max((number for _, rows in groups for _, *pair in rows for number in pair), default=1) or 1
    scale = (HEIGHT - top - bottom) / most
    floor, x = HEIGHT - bottom, left
    shapes = [Shape("line", "grid", ((left, floor), (WIDTH - right, floor)))]
    shapes += _legend(looks)
    width = min(each * 0.4, 28.0)
    for name, rows in groups:
        start = x
        for label, *pair in rows:
            middle = x + each / 2
            for side, (number, look) in enumerate(zip(pair, looks, strict=True)):
                at = middle - width + side * width
                shapes.append(Shape("bar", look, ((at, floor - number * scale),), (width - 1, number * scale)))
                if number:
                    place = (at + width / 2, floor - number * scale - 4)
                    shapes.append(Shape("text", "count", (place,), text=str(number), anchor="middle"))
            shapes.append(Shape("text", "label", ((middle, floor + 15),), text=_short(label, 12), anchor="middle"))
            x += each
        shapes.append(Shape("text", "group", (((start + x) / 2, floor + 34),), text=name, anchor="middle"))
        x += gap
    return Picture(title, words, WIDTH, HEIGHT, tuple(shapes))


def _legend(looks: tuple[str, str]) -> list[Shape]:
    shapes = []
    for index, look in enumerate(looks):
        x = WIDTH - 130.0 + 66 * index
        shapes.append(Shape("bar", look, ((x, 8.0),), (12.0, 12.0)))
        shapes.append(Shape("text", "label", ((x + 17, 18.0),), text=look))
    return shapes


def _ticks(worst: int) -> range:
    return range(1, worst + 1, max(1, worst // 8))


def _spread(wanted: Sequence[float], gap: float, bottom: float) -> list[float]:
    """Places for names beside the ends of lines: in the same order, at least `gap` apart, none on another."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = [0.0] * len(wanted)
    last = -gap
    for index in order:
        last = placed[index] = max(wanted[index], last + gap)
    over = max(0.0, last - bottom)
    for index in reversed(order):
        if over <= 0:
            break
        placed[index] = min(placed[index], bottom)
        bottom = placed[index] - gap
    return placed


def _short(text: str, most: int = 24) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
