"""One thing only: which papers and lists there are, of what, and as what kind of file."""

from __future__ import annotations

from typing import NamedTuple

from django.http import QueryDict
from django.urls import reverse

from tournament.lists.catalog import LISTS
from tournament.models import Event
from tournament.queries.rules import ruleset_of

KINDS = {"pdf": "PDF", "xlsx": "Excel", "csv": "CSV", "json": "JSON"}
EVERY = tuple(KINDS)


class Thing(NamedTuple):
    """A paper or a list: the kinds of the whole evening, and those of one round."""

    key: str
    words: str
    whole: tuple[str, ...] = ()
    each: tuple[str, ...] = ()


class Asked(NamedTuple):
    """What was asked for; `of` is the number of a round, or empty for the whole evening."""

    thing: str
    of: str
    kind: str


def things(event: Event) -> tuple[Thing, ...]:
    """Everything that can be printed or downloaded singly."""
    unit = ruleset_of(event).unit
    own = {"teams": f"{unit.capitalize()}s", "pot": "Boston pot", "money": "Money (cash sheet)"}
    lists = [Thing(name, own.get(name, name.replace("-", " ").capitalize()), EVERY) for name in LISTS]
    return (
        Thing("score-sheets", "Score sheets", ("pdf",), ("pdf", "xlsx")),
        Thing("seating", "Seating", (), ("pdf",)),
        Thing("slips", f"{unit.capitalize()} slips", ("pdf",)),
        Thing("rules", "Rules in words", ("pdf",)),
        *lists,
        Thing("poster", "Results poster", ("pdf",)),
        Thing("book", "Event book", ("pdf",)),
    )


def one_asked(sent: QueryDict) -> Asked:
    """What a form asks for; the score sheets of the evening where it asks for nothing."""
    return Asked(sent.get("thing", "score-sheets"), sent.get("of", ""), sent.get("as", "pdf"))


def one_address(event: Event, asked: Asked) -> tuple[str, str]:
    """Where the file is; or no address, and why there is none."""
    thing = next((one for one in things(event) if one.key == asked.thing), None)
    if thing is None or asked.kind not in KINDS:
        return "", "Choose what to print, and as what."
    if asked.of and not (asked.of.isdecimal() and event.rounds.filter(number=int(asked.of)).exists()):
        return "", "There is no such game."
    if asked.kind not in (thing.each if asked.of else thing.whole):
        return "", _missing(thing, asked)
    return _address(event.slug, asked), ""


def _missing(thing: Thing, asked: Asked) -> str:
    if asked.of and not thing.each:
        return f"{thing.words}: of the whole evening only."
    if not asked.of and asked.kind in thing.each:
        return f"{thing.words}: choose a game."
    kinds = thing.each if asked.of else thing.whole
    return f"{thing.words}: as {' or '.join(KINDS[kind] for kind in kinds)}."


def _address(slug: str, asked: Asked) -> str:
    if asked.of:
        names = {("score-sheets", "pdf"): "round-pdf", ("score-sheets", "xlsx"): "round-boards"}
        return reverse(names.get((asked.thing, asked.kind), "seating-pdf"), args=[slug, int(asked.of)])
    if asked.thing == "score-sheets":
        return reverse("sheets-pdf", args=[slug])
    if asked.kind == "pdf":
        return reverse("event-pdf", args=[slug, "cash" if asked.thing == "money" else asked.thing])
    return reverse("event-list", args=[slug, asked.thing, asked.kind])
