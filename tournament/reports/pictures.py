"""Pictures as plain shapes: the charts of an event, and the picture to share.

The same chart is an SVG on the page and a drawing in the book. For phones it is drawn a second time, narrower, because
lettering that shrinks with its picture cannot be read there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import NamedTuple
from unicodedata import combining

from django.template.defaultfilters import pluralize
from PIL import Image, ImageDraw, ImageFont, features

from tournament.queries.final_places import Step
from tournament.queries.pictures import BidCount, Bin, Pictures, Race, Share
from tournament.reports.pdf.lettering import BOLD, FONTS, PLAIN, SERIF, fitted, runs, text_width
from tournament.words.phrases import result

CHART_HEIGHT = 300
# The approximate width of a letter in the drawings.
LETTER = 7.0
# The width of a team's games: up to six of them; more are drawn narrower.
GAMES_WIDE = 400.0
# At most this many letters of a label are written below a bar.
LONGEST_LABEL = 12
# A kind of bid with its name; for each bar, its label and how often the one and the other happened.
Group = tuple[str, Sequence[tuple[str, int, int]]]


class Shape(NamedTuple):
    """A part of a picture. `kind` is line, bar, dot or text; `look` is its class on the page and its pen in the book.

    `points` are the corners of a line, the upper left corner of a bar (with its size), or the place of a text (with its
    anchor).
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


class Picture(NamedTuple):
    """A picture, from its upper left corner, with a title and a sentence for people who cannot see it.

    `key` says what each look means, for a page that writes this below a narrow drawing.
    """

    title: str
    words: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    key: tuple[tuple[str, str], ...]


class Room(NamedTuple):
    """The width of a drawing, the width kept free for the names beside the race, and whether its key is inside it."""

    width: float
    names: float
    key_inside: bool


WIDE = Room(640, 200, True)
NARROW = Room(340, 40, False)
# In print the names are below the race, in full.
PAPER = Room(640, 40, True)


def wide_and_narrow(facts: Pictures) -> list[tuple[Picture, Picture]]:
    """Every picture twice: for a page, and for a phone."""
    return list(zip(all_pictures(facts), all_pictures(facts, NARROW), strict=True))


def all_pictures(facts: Pictures, room: Room = WIDE) -> list[Picture]:
    """Every picture for which there is something to draw."""
    drawn = []
    if facts.race.rounds and facts.race.runners:
        drawn.append(race_picture(facts.race, room))
    if facts.points:
        drawn.append(points_picture(facts.points, room))
    if facts.bids:
        drawn.append(bids_picture(facts.bids, room))
    return drawn


def race_picture(race: Race, room: Room = WIDE) -> Picture:
    """The places of the leading teams after every game, the best on top."""
    left, right, top, bottom = 40.0, room.names, 16.0, 28.0
    worst = max(max(runner.places) for runner in race.runners)
    count = len(race.rounds)
    across = (room.width - left - right) / max(count - 1, 1)
    down = (CHART_HEIGHT - top - bottom) / max(worst - 1, 1)
    shapes = []
    for index, number in enumerate(race.rounds):
        x = left + index * across
        shapes.append(Shape("line", "grid", ((x, top), (x, CHART_HEIGHT - bottom))))
        words = f"Game {number}" if index == 0 or across > LETTER * 7 else str(number)
        shapes.append(Shape("text", "label", ((x, CHART_HEIGHT - 8),), text=words, anchor="middle"))
    for rank in _ticks(worst):
        y = top + (rank - 1) * down
        shapes.append(Shape("text", "label", ((left - 14, y + 4),), text=str(rank), anchor="end"))
    ends = _spread([top + (runner.places[-1] - 1) * down for runner in race.runners], 14.0, CHART_HEIGHT - bottom)
    for index, (runner, end) in enumerate(zip(race.runners, ends, strict=True)):
        points = tuple((left + index * across, top + (rank - 1) * down) for index, rank in enumerate(runner.places))
        shapes.append(Shape("line", f"series-{index}", points))
        shapes += [Shape("dot", f"series-{index}", (point,), (4.0, 4.0)) for point in points]
        name = f"{runner.number}  {_short(runner.team)}" if room.names == WIDE.names else str(runner.number)
        shapes.append(Shape("text", f"name series-{index}", ((points[-1][0] + 12, end + 4),), text=name))
    leader = race.runners[0]
    words = f"Places after each game of the {len(race.runners)} leaders of {race.teams}. In the lead: {leader.team}."
    key = tuple((f"series-{index}", f"{runner.number} {runner.team}") for index, runner in enumerate(race.runners))
    return Picture("The race for the top", words, room.width, CHART_HEIGHT, tuple(shapes), key)


def points_picture(bins: Sequence[Bin], room: Room = WIDE) -> Picture:
    """The points with which games were won and lost."""
    bars = [(bar.words, bar.won, bar.lost) for bar in bins]
    games = sum(bar.won for bar in bins)
    words = f"Game points of the winners and the losers of {games} game{pluralize(games)}."
    return _bars("Points per game", words, [("", bars)], ("won", "lost"), room)


def bids_picture(bids: Sequence[BidCount], room: Room = WIDE) -> Picture:
    """How often each bid was made and set."""
    groups: dict[str, list[tuple[str, int, int]]] = {}
    for bid in bids:
        groups.setdefault(bid.kind, []).append((bid.words, bid.made, bid.missed))
    times_made, times_set = sum(bid.made for bid in bids), sum(bid.missed for bid in bids)
    words = f"{times_made} bid{pluralize(times_made)} made, {times_set} set."
    return _bars("Bids made and set", words, list(groups.items()), ("made", "set"), room)


class Played(NamedTuple):
    """A team's game: its title, “W★”, its opponents' numbers, and the points, its own first; no points for a bye."""

    title: str
    outcome: str
    against: str
    points: tuple[int, ...]


def games_picture(games: Sequence[Played], most: int) -> Picture:
    """The games of a team: a bar for its points, full if it won, beside a bar for each opponent's points."""
    each = max(62.0, GAMES_WIDE / max(len(games), 6))
    floor, up = 50.0, 34.0 / most
    low = floor - min((0, *(points for game in games for points in game.points))) * up
    shapes = [Shape("line", "grid", ((0.0, floor), (each * len(games), floor)))]
    for index, game in enumerate(games):
        middle = (index + 0.5) * each
        wide = min(16.0, (each - 12) / max(len(game.points), 1))
        left = middle - wide * len(game.points) / 2
        for side, points in enumerate(game.points):
            look = ("won" if game.outcome[0] == "W" else "lost") if side == 0 else "other"
            top = floor - max(points, 0) * up
            shapes.append(Shape("bar", look, ((left + side * wide, top),), (wide - 2, abs(points) * up)))
        high = floor - max((*game.points, 0)) * up - 5
        shapes.append(Shape("text", "count", ((middle, high),), text=result(game.points), anchor="middle"))
        words = (f"{game.outcome} v. {game.against}".removesuffix(" v. "), game.title)
        for down, look, text in zip((14, 26), ("group", "label"), words, strict=True):
            shapes.append(Shape("text", look, ((middle, low + down),), text=text, anchor="middle"))
    return Picture("Games", "", max(each * len(games), GAMES_WIDE), 122, tuple(shapes), ())


def _bars(title: str, words: str, groups: Sequence[Group], fills: tuple[str, str], room: Room) -> Picture:
    """Pairs of bars side by side, in groups. A narrow drawing has the groups below each other."""
    margin, top, bottom, gap = 8.0, 34.0, 44.0, 24.0
    lines = [groups] if room.key_inside else [[group] for group in groups]
    height = CHART_HEIGHT if len(lines) == 1 else CHART_HEIGHT * 0.6
    most = max((number for _, rows in groups for _, *pair in rows for number in pair), default=1) or 1
    scale = (height - top - bottom) / most
    each = min((room.width - 2 * margin - gap * (len(line) - 1)) / sum(len(rows) for _, rows in line) for line in lines)
    shapes = _key(fills, room.width) if room.key_inside else []
    for number, line in enumerate(lines, start=1):
        floor, x = number * height - bottom, margin
        shapes.append(Shape("line", "grid", ((margin, floor), (room.width - margin, floor))))
        for group in line:
            shapes += _group(group, fills, (x, floor), each, scale)
            x += each * len(group[1]) + gap
    key = tuple((look, look) for look in fills)
    return Picture(title, words, room.width, height * len(lines), tuple(shapes), key)


def _group(
    group: Group, fills: tuple[str, str], corner: tuple[float, float], each: float, scale: float
) -> Iterator[Shape]:
    """The bars of a group from its lower left corner, with numbers. Labels without room are left out evenly."""
    name, rows = group
    left, floor = corner
    width = min(each * 0.4, 28.0)
    every = 1 + int(max(len(_short(label, LONGEST_LABEL)) for label, *_ in rows) * LETTER / each)
    for index, (label, *pair) in enumerate(rows):
        middle = left + (index + 0.5) * each
        for side, (number, look) in enumerate(zip(pair, fills, strict=True)):
            x, top = middle - width + side * width, floor - number * scale
            yield Shape("bar", look, ((x, top),), (width - 1, number * scale))
            # Over thin bars the two numbers are rotated away from each other.
            thin = width < 2 * LETTER
            anchor_x, anchor = (middle, ("end", "start")[side]) if thin else (x + width / 2, "middle")
            if number:
                yield Shape("text", "count", ((anchor_x, top - 4),), text=str(number), anchor=anchor)
        if index % every == 0:
            yield Shape("text", "label", ((middle, floor + 15),), text=_short(label, LONGEST_LABEL), anchor="middle")
    yield Shape("text", "group", ((left + len(rows) * each / 2, floor + 34),), text=name, anchor="middle")


def _key(fills: tuple[str, str], width: float) -> list[Shape]:
    shapes = []
    for index, look in enumerate(fills):
        x = width - 130.0 + 66 * index
        shapes.append(Shape("bar", look, ((x, 8.0),), (12.0, 12.0)))
        shapes.append(Shape("text", "label", ((x + 17, 18.0),), text=look))
    return shapes


def _ticks(worst: int) -> range:
    return range(1, worst + 1, max(1, worst // 8))


def _spread(wanted: Sequence[float], gap: float, bottom: float) -> list[float]:
    """Places for names beside the ends of lines: in the same order, at least `gap` apart."""
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


# The picture to share: 1200 × 630, the champion and the podium on felt, or the event before there is a champion.

SIZE = SHARE_WIDTH, SHARE_HEIGHT = 1200, 630
LIGHT, DEEP, GOLD, WHITE, PALE, DARK = "#19795f", "#0a3b2e", "#f1c15b", "#ffffff", "#cfe3da", "#2b2005"
STEP = "#2c6c58"
MARGIN, GAP, PAD = 60, 14, 14
# The steps from left to right; the least height of each.
ORDER, LOWEST = (2, 1, 3), {1: 150, 2: 118, 3: 96}
STEP_WIDTH, LEADING = 330, 1.28
# A name on one line is never smaller than this; below that it takes a second line, in larger letters.
ONE_LINE = 0.62
# A longer word may be broken.
LONGEST_TEAM = 24
# Arabic is written from right to left, in joined letters, if the library for it is installed.
LAYOUT = ImageFont.Layout.RAQM if features.check("raqm") else ImageFont.Layout.BASIC


def share_picture(share: Share) -> bytes:
    """The picture as a PNG; the same facts give the same bytes."""
    # Green felt, lightest in the middle of the upper edge: the lower half of a gradient of 256 by 256.
    mask = Image.radial_gradient("L").resize(SIZE, box=(64, 128, 192, 192))
    image = Image.composite(Image.new("RGB", SIZE, DEEP), Image.new("RGB", SIZE, LIGHT), mask)
    pen = _Pen(ImageDraw.Draw(image))
    floor = _draw_podium(pen, share.steps) if share.steps else SHARE_HEIGHT - 40
    pen.write(share.event if share.steps else "", MARGIN, 62, SHARE_WIDTH - 2 * MARGIN, 34, SERIF, PALE)
    pen.write(share.under, MARGIN, 98 if share.steps else SHARE_HEIGHT - 70, SHARE_WIDTH - 2 * MARGIN, 24, PLAIN, PALE)
    _draw_name(pen, share, 128 if share.steps else 60, floor - 20)
    file = BytesIO()
    image.quantize(128, dither=Image.Dither.FLOYDSTEINBERG).save(file, "PNG")
    return file.getvalue()


def _draw_name(pen: _Pen, share: Share, top: int, floor: int) -> None:
    """Draw the winner's name and players, centered between the head and the podium."""
    width = SHARE_WIDTH - 2 * MARGIN
    texts = [
        (f"★ {share.word.upper()} ★" if share.steps else share.word, 26, BOLD, GOLD, 1),
        (share.name, 92, SERIF, WHITE, 2),
        (share.players, 36, PLAIN, WHITE, 2),
        (share.by, 26, PLAIN, PALE, 2),
    ]
    set_in = [(_fit(text, font, size, width, most), font, color) for text, size, font, color, most in texts if text]
    high = sum(len(lines) * size * 1.14 for (lines, size), _, _ in set_in)
    # A few points smaller if everything does not fit on two lines.
    smaller = min(1.0, (floor - top) / high)
    y = top + (floor - top - high * smaller) / 2
    for (lines, size), font, color in set_in:
        for line in lines:
            y += size * smaller * 1.14
            pen.line(line, MARGIN, y - size * smaller * 0.24, width, size * smaller, font, color)


def _draw_podium(pen: _Pen, steps: tuple[Step, ...]) -> int:
    """Draw the podium on the lower edge and return where its highest step begins."""
    by_rank = {step.rank: step for step in steps}
    shown = [by_rank[rank] for rank in ORDER if rank in by_rank]
    texts = [_on_step(step) for step in shown]
    heights = [max(LOWEST[step.rank], _height(lines)) for step, lines in zip(shown, texts, strict=True)]
    # The first step is the highest, even if another one has more text.
    heights[shown.index(by_rank[1])] = max(*heights, max(heights) + 24 if len(shown) > 1 else 0)
    left = (SHARE_WIDTH - len(shown) * (STEP_WIDTH + GAP) + GAP) / 2
    for index, (step, lines) in enumerate(zip(shown, texts, strict=True)):
        x, top = left + index * (STEP_WIDTH + GAP), SHARE_HEIGHT - heights[index]
        box = (x, top, x + STEP_WIDTH, SHARE_HEIGHT + 20)
        pen.draw.rounded_rectangle(box, 16, fill=GOLD if step.rank == 1 else STEP)
        y: float = top + 8
        for line, size, font in lines:
            y += size * LEADING
            pen.line(line, x + PAD, y, STEP_WIDTH - 2 * PAD, size, font, DARK if step.rank == 1 else WHITE)
    return SHARE_HEIGHT - max(heights)


def _on_step(step: Step) -> list[tuple[str, float, str]]:
    """The text on a step, line by line: the place, each name and result, and how many more share the place."""
    texts: list[tuple[str, float, str]] = [(step.ordinal, 20, PLAIN)]
    for line in step.lines:
        names, size = _fit(line.team, SERIF, 30 if len(step.lines) == 1 else 24, STEP_WIDTH - 2 * PAD, 2)
        texts += [(name, size, SERIF) for name in names]
        under = line.record if step.rank == 1 else ", ".join(line.players)
        if under:
            players, size = _fit(under, PLAIN, 19 if len(step.lines) == 1 else 16, STEP_WIDTH - 2 * PAD, 2)
            texts += [(text, size, PLAIN) for text in players]
    return [*texts, (f"and {step.more} more", 19, PLAIN)] if step.more else texts


def _height(lines: list[tuple[str, float, str]]) -> int:
    return int(sum(size * LEADING for _, size, _ in lines)) + 26


def _fit(text: str, font: str, size: float, width: float, most: int) -> tuple[tuple[str, ...], float]:
    """The lines of a text and their size: first smaller on one line, then on several; never cut."""
    wide = text_width(text, font, size)
    if wide <= width or most == 1 or width / wide >= ONE_LINE:
        return (text,), size * min(1.0, width / max(wide, 1.0))
    return max(
        fitted(text, font, size, width, most), fitted(_broken(text), font, size, width, most), key=lambda fit: fit[1]
    )


def _broken(text: str) -> str:
    """The text with its longest word in two: forty letters without a space would be too small to read on one line."""
    longest = max(text.split(), key=len, default="")
    middle = len(longest) // 2
    hyphens = [
        index for index, letter in enumerate(longest, start=1) if letter == "-" and abs(index - middle) <= middle // 2
    ]
    half = min(hyphens, key=lambda index: abs(index - middle), default=middle)
    while half < len(longest) and combining(longest[half]):
        half += 1
    return text if len(longest) < LONGEST_TEAM else text.replace(longest, f"{longest[:half]} {longest[half:]}", 1)


class _Pen:
    """Writes on the picture in the fonts of the papers. `y` is the base line of a text."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self.draw = draw

    def write(self, text: str, x: float, y: float, width: float, size: float, font: str, color: str) -> None:
        """Write a text centered in a width, smaller if it is long."""
        if text:
            lines, fits = _fit(text, font, size, width, 1)
            self.line(lines[0], x, y, width, fits, font, color)

    def line(self, text: str, x: float, y: float, width: float, size: float, font: str, color: str) -> None:
        """Write one line centered in a width, each word in a font that has its characters."""
        x += (width - text_width(text, font, size)) / 2
        for part, part_font in runs(text, font):
            letters = ImageFont.truetype(FONTS / f"{part_font}.ttf", round(size, 1), layout_engine=LAYOUT)
            self.draw.text((x, y), part, font=letters, fill=color, anchor="ls")
            x += text_width(part, font, size)
