"""The printed report of an event, and the results as a poster for the wall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from math import ceil
from typing import NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.platypus import Flowable

from tournament.lists.catalog import rules_list
from tournament.lists.column import Listing, where
from tournament.lists.money import cash_lists
from tournament.lists.schedule import results_list
from tournament.lists.sheets import corrections_list, rulings_list
from tournament.lists.standings import places_list, pot_list, standings_list
from tournament.lists.teams import desk_teams_list
from tournament.queries.final_places import PlaceLine, Step
from tournament.queries.pictures import WholeBook
from tournament.queries.schedule import Played as TeamRound
from tournament.queries.schedule import played_by_team
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.standings import StandingsLine
from tournament.reports.pdf.bracket import draw_bracket
from tournament.reports.pdf.colors import FAINT, GOLD, GREEN, INK, MUTED, PALE
from tournament.reports.pdf.flowing import Drawn, heading
from tournament.reports.pdf.lettering import BOLD, LEADING, PLAIN, SERIF, Pen, fitted, in_pairs, text_width, wrapped
from tournament.reports.pdf.lists import Section, draw_sections
from tournament.reports.pdf.paper import (
    Area,
    Halves,
    Papers,
    draw_picture,
    draw_printed,
    draw_qr,
    draw_whole_picture,
    picture_height,
)
from tournament.reports.pdf.score_sheet import draw_score_sheet
from tournament.reports.pictures import PAPER, Picture, Played, all_pictures, games_picture
from tournament.words.phrases import counted, day, money

# The results as a poster for the wall: the champion, the places, and who won the pot.


PLACES = 8
# The height of a place, usual and least; the height of a one-line fact of the evening, its size, and the width of its
# figure.
PLACE, LOWEST, FACT, TOLD, FIGURE = 24.0, 19.0, 20.0, 11.0, 52.0
# The height of a share of the pot, and the width of its amount.
SHARE, SUM = 20.0, 50.0
# An event's name that would be smaller than this takes two lines; its size there.
TWO_LINES, LARGE = 22.0, 26.0
# The least and greatest height of a line of the standings, and its size at the usual height.
LEAST, HIGHEST, LINE = 20.0, 40.0, 17.0
QR, HALF = 84.0, 0.6
# The steps from left to right; how far each step is below the first.
ORDER, LOWER = (2, 1, 3), {1: 0.0, 2: 20.0, 3: 34.0}
WIDEST, GAP, PAD, TEAM, SMALL = 190.0, 8.0, 10.0, 15.0, 10.5
FILL = {1: HexColor("#f6dfac"), 2: HexColor("#eef3f0"), 3: HexColor("#eef3f0")}


def draw_poster(papers: Papers, whole: WholeBook) -> None:
    """Draw the poster: podium, places and evening once there is a champion, the standings before that.

    A QR code leads to the public page, if the site's address is known.
    """
    pen, area, event = papers.pen, papers.area, whole.event
    live = papers.live("standings", event.slug)
    qr_width = QR if live else 0.0
    left, width = area.left + qr_width, area.width - 2 * qr_width
    if text_width(event.name, SERIF, TWO_LINES) > width:
        pen.block(left, area.top - 16, event.name, width=width, size=LARGE, font=SERIF, align="center")
    else:
        pen.text(left, area.top - 40, event.name, size=38, font=SERIF, width=width, align="center")
    entered = f"{len(whole.teams)} {whole.rules.unit}s"
    under = " · ".join(part for part in (day(event.date), event.place, entered) if part)
    y = pen.block(left, area.top - 62, under, size=13, width=width, align="center", color=MUTED) - 16
    if live:
        draw_qr(pen, area.right - QR + 8, area.top - QR + 22, QR, live)
    pen.rule(area.left, y, area.right, y, weight=2, color=GREEN)
    y -= 30
    if whole.finale.exists:
        y = _champion(pen, area, whole, y)
        y = draw_podium(pen, area, whole, y - 16)
        y = _places(pen, area, whole, y - 28)
        below = y - 30
        _evening(pen, area._replace(right=area.left + area.width * (HALF - 0.04)), whole, below)
        _pot(pen, area._replace(left=area.left + area.width * HALF), whole, below)
    else:
        y = _standings(pen, area, whole, y)
        _pot(pen, area, whole, y - 32)
    draw_printed(papers, event.time_zone)
    papers.next_page()


def _champion(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    places = whole.finale.places
    first = places.lines[0]
    text = f"★ {places.title} ★"
    pen.text(area.left, y, text, size=14, font=BOLD, width=area.width, align="center", color=GOLD)
    y = pen.block(
        area.left, y - 42, first.team, size=40, font=SERIF, width=area.width, most=2, align="center", color=GREEN
    )
    y = pen.block(area.left, y - 24, in_pairs(first.players), size=16, width=area.width, most=2, align="center")
    return pen.block(area.left, y - 20, places.won_by, size=12, color=MUTED, width=area.width, align="center")


def _places(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    """The first places, with a shared place kept together, and how many teams are not named."""
    # Below them come the facts of the evening and the time of printing.
    facts = _facts(whole, area.width * (HALF - 0.04) - FIGURE)
    room = y - area.bottom - 50 - sum(FACT + (len(lines) - 1) * size * LEADING for lines, size in facts)
    lines = whole.finale.places.lines
    pitch = max(LOWEST, min(PLACE, room / (min(len(lines), PLACES) + 1)))
    shown = in_groups([line.rank for line in lines], int(room / pitch + 0.01), PLACES)
    pen.text(area.left, y, "Final places", size=12, font=BOLD, color=MUTED)
    for line in lines[:shown]:
        y -= pitch
        low = y - 0.3 * pitch
        pen.text(area.left, y, line.label or "–", size=15, font=SERIF, width=36, align="right")
        pen.middle(area.left + 48, low, line.team, size=14, font=BOLD, width=area.width * 0.55 - 48, high=pitch)
        how = area.left + area.width * 0.57
        pen.middle(how, low, line.how, size=10.5, width=area.right - how, high=pitch, align="right", color=MUTED)
        pen.rule(area.left, low, area.right, low, color=FAINT)
    if rest := len(lines) - shown:
        y -= pitch
        pen.text(area.left + 48, y, f"and {rest} more", size=12, color=MUTED)
    return y


def in_groups(ranks: Sequence[int | None], room: int, most: int) -> int:
    """How many lines a list shows first, so that a shared place is not split.

    `room` is the number of lines that fit, including the one that says how many more there are. The list shows `most`
    lines, or more if a shared place would be split.
    """
    if len(ranks) <= min(room, most):
        return len(ranks)
    ends = [index for index in range(1, len(ranks)) if ranks[index] != ranks[index - 1]] + [len(ranks)]
    fits = [end for end in ends if end + (end < len(ranks)) <= room]
    return next((end for end in fits if end >= most - 1), fits[-1] if fits else 0)


def _facts(whole: WholeBook, width: float) -> Iterator[tuple[Sequence[str], float]]:
    """The lines of each fact of the evening, and their size; facts of up to two lines have the same size."""
    for fact in whole.finale.facts:
        lines = wrapped(fact.words, TOLD, width)
        yield (lines, TOLD) if len(lines) < 3 else fitted(fact.words, PLAIN, TOLD, width)


def _evening(pen: Pen, area: Area, whole: WholeBook, y: float) -> None:
    width = area.width - FIGURE
    for fact, (lines, size) in zip(whole.finale.facts, _facts(whole, width), strict=True):
        pen.text(area.left, y, fact.figure, size=14, font=SERIF, color=GOLD, width=FIGURE - 6)
        for number, line in enumerate(lines):
            y -= size * LEADING * (number > 0)
            pen.text(area.left + FIGURE, y, line, size=size, width=width)
        y -= FACT


def _standings(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    table = whole.standings
    words = f"Standings · {table.state}" if table.lines else "No games yet."
    pen.text(area.left, y, words, size=16, color=MUTED, width=area.width, align="center")
    room = y - area.bottom - 90
    pitch = max(LEAST, min(HIGHEST, room / max(len(table.lines), 1)))
    # A short list is larger: everything in its lines grows by the same factor.
    size = max(LINE, pitch * LINE / 27)
    much = size / LINE
    shown = in_groups([line.rank for line in table.lines], int(room / pitch + 0.01), len(table.lines))
    for line in table.lines[:shown]:
        y -= pitch
        low = y - 0.3 * pitch
        pen.text(area.left, y, line.label, size=size, font=SERIF, width=40 * much, align="right")
        pen.middle(
            area.left + 54 * much, low, line.team, size=size, font=BOLD, width=area.width - 200 * much, high=pitch
        )
        figures, wide = f"{line.won} won, {counted(line.points, 'point')}", 140 * much
        pen.text(area.right - wide, y, figures, size=12 * much, width=wide, align="right", color=MUTED)
        pen.rule(area.left, low, area.right, low, color=FAINT)
    if rest := len(table.lines) - shown:
        y -= pitch
        pen.text(area.left + 54 * much, y, f"and {rest} more", size=12, color=MUTED)
    return y


def _pot(pen: Pen, area: Area, whole: WholeBook, y: float) -> None:
    """Who won the pot, with a line for each winner if there is room; before it is settled, its current state."""
    pot = whole.pot
    if not pot.exists:
        return
    pen.text(area.left, y, f"★ Boston pot {money(pot.cents, pot.currency)}", size=12, font=BOLD, color=GOLD)
    winners, wide = [team for team in pot.teams if team.cents] if pot.settled else [], area.width - SUM
    more = [_more(team.team, BOLD, 11.5, wide) for team in winners]
    if not winners or SHARE * len(winners) + sum(more) > y - area.bottom - 14:
        pen.block(area.left, y - 18, f"Shared {len(winners)} ways." if winners else pot.text, size=11,
                  width=area.width, most=3)  # fmt: skip
        return
    for team in winners:
        pen.text(area.left, y - SHARE, money(team.cents, pot.currency), size=12, font=SERIF, width=SUM - 6)
        y = pen.block(area.left + SUM, y - SHARE, team.team, size=11.5, font=BOLD, width=wide)


class StepLine(NamedTuple):
    """A line on a step: the distance from the line above it, and its style."""

    text: str
    down: float
    size: float
    font: str
    color: Color = INK


def draw_podium(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    """Draw the podium below `y` and return where it ends."""
    steps = {step.rank: step for step in whole.finale.places.podium}
    shown = [steps[rank] for rank in ORDER if rank in steps]
    width = min(WIDEST, (area.width - GAP * (len(shown) - 1)) / len(shown))
    left = area.left + (area.width - width * len(shown) - GAP * (len(shown) - 1)) / 2
    texts = [list(_step_lines(step, whole, width - 2 * PAD)) for step in shown]
    depths = [LOWER[step.rank] + sum(line.down for line in lines) for step, lines in zip(shown, texts, strict=True)]
    foot = y - max(depths) - 12
    for index, (step, lines) in enumerate(zip(shown, texts, strict=True)):
        x, top = left + index * (width + GAP), y - LOWER[step.rank]
        pen.box(x, foot, width, top - foot, fill=FILL[step.rank], radius=6)
        for line in lines:
            top -= line.down
            pen.text(
                x + PAD,
                top,
                line.text,
                size=line.size,
                font=line.font,
                width=width - 2 * PAD,
                align="center",
                color=line.color,
            )
    return foot


def _step_lines(step: Step, whole: WholeBook, width: float) -> Iterator[StepLine]:
    yield StepLine(step.ordinal, 16, SMALL, PLAIN, MUTED)
    for line in step.lines:
        yield from _lines(line.team, SERIF, TEAM, 17, width)
        yield from _lines(line.record if step.rank == 1 else ", ".join(line.players), PLAIN, SMALL, 13, width)
        if prize := whole.finale.prizes.get(line.number):
            yield from _lines(money(prize, whole.event.currency), BOLD, SMALL, 13, width)
    if step.more:
        yield StepLine(f"and {step.more} more", 13, SMALL, PLAIN)


def _lines(text: str, font: str, size: float, down: float, width: float) -> Iterator[StepLine]:
    """Set a long text smaller and on two lines, so that all of it is readable."""
    lines, fits = fitted(text, font, size, width) if text else ((), size)
    for number, line in enumerate(lines):
        yield StepLine(line, down if number == 0 else fits * LEADING, fits, font)


# The event book: everything that is printed for an event in one file, with contents, page numbers and every team.

LINES = 30
DOWN = 20.0
# The height of a team's card, and the share of its width for text.
CARD, WORDS = 112.0, 0.34


class Part(NamedTuple):
    """A part of the book: its title and level, and what draws its pages, or the content that shares pages."""

    title: str
    inset: bool = False
    draw: Callable[[Callable[[], None]], None] | None = None
    shared: Listing | Sequence[Flowable] = ()


def draw_event_book(papers: Papers, whole: WholeBook, sheets: Sequence[GameSheet], *, with_money: bool = False) -> None:
    """Draw the book after what is already in the file, and continue its page numbers."""
    parts = list(_parts(papers, whole, sheets, with_money=with_money))
    papers.foot = whole.event.name
    _cover(papers, whole)
    # The contents come before the parts that they list, so they are filled in once every page number is known.
    each = ceil(len(parts) / ceil(len(parts) / LINES))
    pages = [parts[start : start + each] for start in range(0, len(parts), each)]
    for number, listed in enumerate(pages):
        _links(papers, number * each, listed)
        papers.canvas.doForm(f"contents-{number}")
        papers.next_page()
    first: dict[int, int] = {}

    def begun(index: int) -> None:
        first[index] = papers.pages + 1
        papers.canvas.bookmarkPage(f"part-{index}")
        papers.bookmark(parts[index].title, int(parts[index].inset))

    for own, group in groupby(enumerate(parts), key=lambda part: part[1].draw is not None):
        if own:
            for index, part in group:
                assert part.draw is not None
                part.draw(partial(begun, index))
        else:
            draw_sections(papers, whole.event, [Section(part.shared, partial(begun, index)) for index, part in group])
    for number, listed in enumerate(pages):
        papers.canvas.beginForm(f"contents-{number}")
        _contents(papers, number * each, listed, first)
        papers.canvas.endForm()


def _parts(papers: Papers, whole: WholeBook, sheets: Sequence[GameSheet], *, with_money: bool) -> Iterator[Part]:
    event = whole.event
    yield Part("Results", draw=_own(lambda: draw_poster(papers, whole)))
    if whole.finale.exists:
        yield Part("Final places", shared=places_list(event, whole.finale))
    yield Part(whole.standings.title, shared=standings_list(event, whole.standings))
    if whole.bracket is not None:
        yield Part("Playoffs", draw=_own(lambda: draw_bracket(papers, event, whole.bracket)))
    if pictures := all_pictures(whole.pictures, PAPER):
        yield Part("Stats", shared=[*heading("Stats"), *(_pictured(papers, picture) for picture in pictures)])
    if with_money:
        balance, *others = cash_lists(event, whole.cash)
        yield Part(balance.title, shared=balance)
        for listing in others:
            yield Part(listing.title, inset=True, shared=listing)
    if whole.pot.exists:
        yield Part("Boston pot", shared=pot_list(event, whole.pot))
    teams = desk_teams_list(event, whole.cash).seen(with_money)
    yield Part(teams.title, shared=teams)
    if any(round_.done for round_ in whole.rounds):
        title = f"{teams.title} and their games"
        yield Part(title, inset=True, shared=[*heading(title), *_cards(papers, whole)])
    for round_ in whole.rounds:
        yield Part(round_.title, shared=results_list(event, round_))
    yield from _sheets(papers, whole, sheets)
    yield Part("Rulings", shared=rulings_list(event, whole.rulings))
    yield Part("Corrections", shared=corrections_list(event, whole.corrected))
    yield Part("The rules of this event", shared=rules_list(event))


def _own(draw: Callable[[], None]) -> Callable[[Callable[[], None]], None]:
    """Parts with pages of their own; each starts on a new page."""

    def drawn(begun: Callable[[], None]) -> None:
        begun()
        draw()

    return drawn


def _pictured(papers: Papers, picture: Picture) -> Flowable:
    height = picture_height(picture, papers.area.width)
    return Drawn(height, lambda area: draw_whole_picture(papers.pen, picture, area))


def _sheets(papers: Papers, whole: WholeBook, sheets: Sequence[GameSheet]) -> Iterator[Part]:
    """The sheets of each round; the first one shares the last page of the round before."""
    rounds = [round_ for round_ in whole.rounds if any(sheet.round.number == round_.number for sheet in sheets)]
    halves: list[Halves] = []

    def draw(number: int, begun: Callable[[], None]) -> None:
        if not halves:
            halves.append(Halves(papers, "sheets"))
        halves[0].begun = begun
        for sheet in sheets:
            if sheet.round.number == number:
                draw_score_sheet(halves[0], sheet, whole.event.time_zone)
        if number == rounds[-1].number:
            halves[0].finish()

    for round_ in rounds:
        yield Part(f"{round_.title}: score sheets", inset=True, draw=partial(draw, round_.number))


def _cover(papers: Papers, whole: WholeBook) -> None:
    pen, area = papers.pen, papers.area
    y = area.top - 220
    pen.text(area.left, y + 60, "Event book", size=14, color=MUTED, width=area.width, align="center")
    name = whole.event.name
    y = pen.block(area.left, y, name, size=44, font=SERIF, width=area.width, most=3, align="center", color=GREEN)
    pen.text(area.left, y - 36, where(whole.event), size=15, width=area.width, align="center")
    ending = "" if len(whole.rounds) == 1 else "s"
    facts = f"{len(whole.teams)} {whole.rules.unit}s · {len(whole.rounds)} game{ending} · {whole.rules.sheet.title}"
    pen.text(area.left, y - 62, facts, size=11, color=MUTED, width=area.width, align="center")
    officials = ", ".join(f"{role}: {name}" for name, role in whole.officials)
    pen.block(area.left, y - 84, officials, size=11, color=MUTED, width=area.width, most=4, align="center")
    papers.next_page()


def _contents(papers: Papers, start: int, listed: list[Part], first: dict[int, int]) -> None:
    pen, area = papers.pen, papers.area
    pen.text(area.left, area.top - 20, "Contents", size=20, font=SERIF)
    for line, part in enumerate(listed):
        y = _line(papers, line)
        left = area.left + (18 if part.inset else 0)
        font = PLAIN if part.inset else BOLD
        pen.text(left, y, part.title, size=10.5, font=font, width=area.width - 80)
        page = str(first[start + line])
        pen.text(area.right - 50, y, page, size=10.5, width=50, align="right")
        pen.rule(area.left, y - 6, area.right, y - 6, color=FAINT)


def _links(papers: Papers, start: int, listed: list[Part]) -> None:
    area = papers.area
    for line, part in enumerate(listed):
        y = _line(papers, line)
        papers.canvas.linkAbsolute(part.title, f"part-{start + line}", (area.left, y - 6, area.right, y + 12))


def _line(papers: Papers, line: int) -> float:
    return papers.area.top - 54 - line * DOWN


class Card(NamedTuple):
    """A team's card: its players, its places, and its games in order."""

    number: int
    name: str
    players: tuple[str, ...]
    standing: tuple[str, ...]
    games: tuple[Played, ...]


def team_cards(whole: WholeBook) -> list[Card]:
    """The cards of all teams, in the order of their numbers."""
    played = played_by_team(whole.rounds)
    places, lines = whole.finale.places.index_lines(), whole.standings.index_lines()
    return [
        Card(
            team.number,
            team.name,
            team.player_names,
            tuple(_standing_of(whole, places.get(team.number), lines.get(team.number))),
            _games(played[team.number]),
        )
        for team in whole.teams
    ]


def _cards(papers: Papers, whole: WholeBook) -> list[Flowable]:
    """The cards, with all bars on one scale."""
    cards = team_cards(whole)
    most = max((abs(points) for card in cards for game in card.games for points in game.points), default=1) or 1

    def drawn(card: Card) -> Flowable:
        return Drawn(_card_height(card, papers.area.width), lambda area: _draw(papers.pen, area, card, most))

    return [drawn(card) for card in cards]


def _card_height(card: Card, width: float) -> float:
    """The height of a card: that of its picture, or more if its text takes many lines."""
    words = width * WORDS
    y = 16 + _more(card.name, BOLD, 13, words - 52) + 13 + _more(" and ".join(card.players), PLAIN, 10, words - 52)
    y = max(y, 34) + 4 + sum(13 + _more(text, PLAIN, 9.5, words - 12) for text in card.standing)
    return max(CARD, y + 22)


def _more(text: str, font: str, size: float, width: float) -> float:
    """The height of a text below its first line."""
    lines, size = fitted(text, font, size, width) if text else ((), size)
    return max(len(lines) - 1, 0) * size * LEADING


def _draw(pen: Pen, area: Area, card: Card, most: int) -> None:
    pen.rule(area.left, area.top, area.right, area.top, color=PALE)
    area = area._replace(top=area.top - 6, bottom=area.bottom + 8)
    width = area.width * WORDS
    pen.text(area.left, area.top - 24, str(card.number), size=24, font=SERIF, width=44)
    y = pen.block(area.left + 48, area.top - 16, card.name, size=13, font=BOLD, width=width - 52, most=2)
    players = " and ".join(card.players)
    y = pen.block(area.left + 48, y - 13, players, size=10, color=MUTED, width=width - 52, most=2)
    y = min(y, area.top - 34) - 4
    for text in card.standing:
        y = pen.block(area.left, y - 13, text, size=9.5, width=width - 12, most=2)
    if card.games:
        left = area.left + width
        picture = games_picture(card.games, most)
        scale = min((area.right - left) / picture.width, (CARD - 14) / picture.height)
        draw_picture(pen, picture, left, area.top, scale)


def _standing_of(whole: WholeBook, final: PlaceLine | None, line: StandingsLine | None) -> list[str]:
    """A team's final place, and its line of the standings."""
    sentences = []
    if final is not None:
        sentences.append(" · ".join(part for part in (final.ordinal, final.how) if part))
    if line is not None and whole.standings.books.counted:
        if final is None or final.where:
            sentences.append(f"{whole.standings.title}: place {line.label}")
        figures = [f"{line.won} of {line.played} games won", counted(line.points, "point")]
        figures += [f"★ {line.bostons}"] * bool(line.bostons) + [line.gone] * bool(line.gone)
        sentences.append(", ".join(figures))
    return sentences


def _games(rounds: Sequence[TeamRound]) -> tuple[Played, ...]:
    """A team's rounds to show: games with a result, and byes that already count."""
    games = []
    for played in rounds:
        title = f"Game {played.round.number}" if played.round.stage == "qualifying" else played.round.title
        if played.table is not None and played.table.shown:
            points = tuple(seat.points or 0 for seat in (played.seat, *played.opponents))
            against = " ".join(str(seat.number) for seat in played.opponents)
            outcome = played.sign if played.sign != "N" else "–"
            games.append(Played(title, f"{outcome}{'★' * played.seat.bostons}", against, points))
        elif played.table is None and played.round.state == "closed":
            games.append(Played(title, "Bye", "", ()))
    return tuple(games)
