"""Template tags for a game's sheet, its entry form, and its table: they look things up, no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html, format_html_join

from tournament.queries.clocks import age_words
from tournament.queries.rulings import FieldQuestion, HandQuestions
from tournament.queries.rulings import asked as asked_of
from tournament.queries.sheetfacts import GameSheet, Line, Row
from tournament.queries.wording import Written
from tournament.words.phrases import clause

register = template.Library()


@register.simple_tag
def asked(sheet: GameSheet, ahead: object = None) -> HandQuestions | None:
    """The questions of the next hand: `{% asked sheet as ask %}`; for a form sent in advance, for any dealer."""
    return asked_of(sheet, whoever_deals=bool(ahead))


@register.simple_tag(takes_context=True)
def pad(context: Context, question: FieldQuestion, needs: tuple[int, ...], values: Mapping[str, Any]) -> str:
    """The buttons of a question that names nobody: `{% pad question ask.needs values %}`.

    A caller that writes the forms of many hands passes `pads`, which caches those that are written already.
    """
    chosen = str(values.get(question.name, ""))
    pads = cast("dict[object, str]", context.get("pads", {}))
    key = (question, needs, chosen)
    if key not in pads:
        about = {"question": question, "ask": {"needs": needs}, "values": {question.name: chosen}}
        pads[key] = render_to_string(question.pad, about)
    return pads[key]


@register.filter
def met_by(needs: Iterable[int], count: str) -> str:
    """The needs that a count meets: “7 8 9”."""
    return " ".join(str(need) for need in needs if need <= int(count))


CHECKED = format_html(" {}", "checked")


@register.simple_tag
def radio(question: str, answer: str, values: Mapping[str, Any]) -> str:
    """What makes an input the button of an answer: `<input {% radio question.name choice.value values %}>`."""
    mark = CHECKED if values.get(question) == answer else ""
    return format_html('type="radio" name="{0}" id="{0}-{1}" value="{1}"{2}', question, answer, mark)


SELECTED = format_html(" {}", "selected")


@register.simple_tag
def options(choices: tuple[Any, ...], chosen: str) -> str:
    """The choices of a list: `{% options question.choices "4" %}`."""
    marked = ((choice.value, SELECTED if choice.value == chosen else "", choice.short) for choice in choices)
    return format_html_join("\n        ", '<option value="{}"{}>{}</option>', marked)


# The content of a column of the sheet, by the kind of field; everything else is below the line.
CELLS: dict[str, Callable[[Written], str]] = {
    "grid": lambda written: (
        format_html("<b>{} {}</b> {}", written.bid, written.trump, written.who_name) if written.bid else ""
    ),
    "count": lambda written: "" if written.took is None else str(written.took),
}


@register.simple_tag
def heads_of(sheet: GameSheet) -> list[Any]:
    """The fields with a column of their own: `{% heads_of sheet as heads %}`."""
    return [field for field in sheet.rules.columns if field.layout in CELLS and not field.everybody]


@register.simple_tag
def line(row: Row, sheet: GameSheet, heads: list[Any]) -> str:
    """A line of a sheet as players read it: `{% line row sheet heads %}`."""
    about = {"row": row, "sheet": sheet, "heads": heads, "wide": len(heads) + len(sheet.sides)}
    return render_to_string("components/sheet_line.html", about)


@register.filter
def cells(row: Row, heads: Iterable[Any]) -> list[tuple[Any, str]]:
    """What a line says in the columns of these fields: `{% for field, cell in row|cells:heads %}`."""
    return [(field, CELLS[field.layout](row.written)) for field in heads]


@register.filter
def reasons(row: Row, sheet: GameSheet) -> list[tuple[str, str, int]]:
    """Why a line gave its points: (sentence, rule, points). The side is named if it is not the one that bid.

    Points are shown if several reasons gave some; a single one equals the change of the score next to it. A hand
    without points says what became of it.
    """
    if row.kind == "hand" and not row.lines and row.written.rule:
        return [(row.written.text, row.written.rule, 0)]
    several = sum(1 for line in row.lines if line.points) > 1
    return [(_reason(row, line, sheet), line.rule, line.points if several else 0) for line in row.lines]


@register.filter
def faults_of(faults: Iterable[Any], field: str) -> list[Any]:
    """The faults of a field, or of several: `faults|faults_of:"seat bidder"`."""
    return [fault for fault in faults or () if fault.field in field.split()]


@register.filter
def other_faults(faults: Iterable[Any], fields: str) -> list[Any]:
    """The faults that belong to none of the fields: `faults|other_faults:"bid books"`."""
    shown = fields.split()
    return [fault for fault in faults or () if fault.field not in shown]


@register.filter
def dash(field: str, index: object) -> str:
    """The name of a field of one seat or side: `"bid"|dash:2` is bid-2."""
    return f"{field}-{index}"


@register.filter
def numbered(clause: str) -> str:
    """“rule 13” if the sheet numbers its rules; otherwise empty, because the sentence says it all."""
    return f"rule {clause}" if str(clause)[:1].isdigit() else ""


register.filter("clause", clause)


@register.filter
def ago(moment: datetime) -> str:
    """“just now”, “2 min ago”."""
    return age_words(moment, timezone.now())


def _reason(row: Row, line: Line, sheet: GameSheet) -> str:
    """With columns for them, the bid and the books are not repeated."""
    if line.side != row.written.who:
        return f"{sheet.sides[line.side].name}: {line.text}"
    return line.brief
