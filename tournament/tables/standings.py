"""The columns of the standings; CSV and Excel read the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from tournament.phrases import minus
from tournament.queries.records import Mark
from tournament.queries.standings import Line, Standings
from tournament.tables.listing import Cell, Listing

SIGNS = {"W": "w", "L": "l", "B": "b", "N": "n"}
SHORT = {"in": "In", "open": "Open", "level": "Tied", "out": "Out"}
MOST_WRITTEN = 4000
_written: dict[tuple[str, tuple[str, ...], Line, bool], str] = {}
CHIPS = {"in": "", "open": "sky", "level": "gold", "out": "plain"}


class StandingsTable(Listing):
    """One line per team, best first."""

    order = tables.Column(verbose_name="Place", attrs={"td": {"class": "rank"}})
    number = tables.Column(verbose_name="No.", attrs={"th": {"class": "num"}, "td": {"class": "num no"}})
    team = tables.Column(verbose_name="Team", attrs={"td": {"class": "name"}})
    marks = tables.Column(verbose_name="Games", orderable=False, empty_values=(), attrs={"td": {"class": "marks"}})
    won = tables.Column(verbose_name="Won", attrs={"th": {"class": "num"}, "td": {"class": "num won"}})
    points = tables.Column(verbose_name="Points", attrs={"th": {"class": "num"}, "td": {"class": "num points"}})
    bostons = tables.Column(verbose_name="Bostons", attrs={"th": {"class": "num"}, "td": {"class": "num bostons"}})
    sets = tables.Column(verbose_name="Sets", attrs={"th": {"class": "num sets"}, "td": {"class": "num sets"}})
    chance = tables.Column(verbose_name="Advances", attrs={"td": {"class": "chance"}}, empty_values=())

    class Meta:
        attrs = {"class": "list standings"}
        row_attrs = {"class": lambda record: _row_class(record), "id": lambda record: f"team-{record.number}"}

    def __init__(self, table: Standings, slug: str, **options: Any) -> None:
        shown = {"chance": any(line.chance for line in table.lines), "bostons": table.bostons}
        self.left_out = tuple(name for name, is_shown in shown.items() if not is_shown)
        super().__init__(table.lines, exclude=self.left_out, **options)
        self.slug = slug
        self.explained = _explained(table.lines)
        count = len(table.lines)
        self.columns["team"].column.verbose_name = table.unit.capitalize()
        self.caption = f"{count} {table.unit}{'' if count == 1 else 's'}, {table.state}"
        self.empty = f"No {table.unit}s yet."

    def line(self, columns: list[Cell], record: Line) -> str:
        """A line that is already written is not written again: a game changes a few lines of many."""
        key = self.slug, self.left_out, record, record.number in self.explained
        if (written := _written.get(key)) is None:
            if len(_written) > MOST_WRITTEN:
                _written.clear()
            written = _written[key] = super().line(columns, record)
        return written

    def render_order(self, record: Line) -> str:
        return record.label

    def render_team(self, record: Line) -> str:
        link = format_html('<a href="{}">{}</a>', reverse("team", args=[self.slug, record.number]), record.team)
        gone = format_html(' <span class="chip plain">{}</span>', record.gone) if record.gone else ""
        if record.number not in self.explained:
            return format_html("{}{}", link, gone)
        why = format_html_join("", "<p>{}</p>", ((text,) for text in record.ties))
        summary = "shared: why" if record.label.endswith("=") else "tied: why"
        return format_html('{}{}<details class="tie"><summary>{}</summary>{}</details>', link, gone, summary, why)

    def render_marks(self, record: Line) -> str:
        return format_html_join(" ", "{}", ((mark_html(mark),) for mark in record.marks))

    def render_points(self, record: Line) -> str:
        return minus(record.points)

    def render_bostons(self, record: Line) -> str:
        if not record.bostons:
            return ""
        return format_html('<span class="boston">★ {}</span>', record.bostons)

    def render_chance(self, record: Line) -> str:
        if not record.chance:
            return ""
        words = record.chance_words, SHORT[record.chance]
        chip = '<span class="chip {}"><span class="wide">{}</span><span class="tight">{}</span></span>'
        return format_html(chip, CHIPS[record.chance], *words)


def _explained(lines: Sequence[Line]) -> frozenset[int]:
    """The teams whose tie matters: they share a place, or the cut falls between two who won as many games."""
    at_cut = {
        one.number for last, first in pairwise(lines) if last.last_in and last.won == first.won for one in (last, first)
    }
    shared = {line.number for line in lines if line.label.endswith("=") or line.chance == "level"}
    return frozenset(line.number for line in lines if line.ties and line.number in at_cut | shared)


def mark_html(mark: Mark | None) -> str:
    """A game as a letter with a star for each Boston, readable without seeing its colour."""
    if mark is None:
        return format_html('<span class="mark n"><span aria-hidden="true">{}</span></span>', "·")
    return _letter(mark.sign, mark.words, mark.bostons)


@lru_cache(maxsize=1024)
def _letter(sign: str, words: str, bostons: int) -> str:
    return format_html(
        '<span class="mark {}" title="{}"><span aria-hidden="true">{}<b class="boston">{}</b></span>'
        '<span class="hidden-text">{}.</span></span>',
        SIGNS[sign],
        words,
        "–" if sign == "N" else sign,
        "★" * bostons,
        words,
    )


def _row_class(line: Line) -> str:
    classes = [f"is-{line.chance}"] if line.chance else []
    return " ".join([*classes, "cut"] if line.last_in else classes)
