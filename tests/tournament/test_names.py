"""Names as everybody reads them: no channel tells a hidden one; people are matched, merged, parted, deleted."""

from __future__ import annotations

import io
import itertools
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from tests.factories import MADE_FIVE, make_event, make_user, page_of, signed_in
from tests.sure import fresh, sure
from tests.tournament.results.evenings import played_round, sign_all, win
from tournament.access import NOBODY, Actor, Names, shown_name
from tournament.archive.export import event_file
from tournament.archive.store import import_event
from tournament.errors import Conflict, ValidationFailed
from tournament.middleware import TABLE_COOKIE
from tournament.models import (
    Device,
    Event,
    Game,
    Person,
    Player,
    Registration,
    Round,
    SiteAct,
    Substitution,
    Team,
)
from tournament.queries.people import people_in, person_facts, person_title
from tournament.queries.pictures import share
from tournament.queries.roster import RosterRow, look_up, row_of
from tournament.queries.sheet import sheet_now
from tournament.services.corrections import correct_sheet
from tournament.services.devices import issue_card, pair_device
from tournament.services.draws import draw_rounds
from tournament.services.entries import record_entry
from tournament.services.events import change_event, copy_event
from tournament.services.people import choose_person, delete_person, find_people, merge_persons, part_person, set_wish
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import close_round, start_round
from tournament.services.signatures import sign_for_all, sign_sheet
from tournament.services.substitutions import substitute, swap_teams
from tournament.services.teams import add_team, change_team, enter_roster, merge_teams
from tournament.services.verifying import findings

TEAMS = {
    "Zebedee / Quimby": ("Alaric Zebedee", "Bartho Quimby"),
    "Night Owls": ("Cosmo Xenakis", "Dorian Yarrow"),
    "The Wexfords": ("Evander Wexford", "Fergus Wexford"),
    "Full Deck": ("Gideon Vandermeer", "Hector Uxbridge"),
}
SITS_IN = "Ignatz Thackeray"
EVERY_NAME = [*itertools.chain(*TEAMS.values()), SITS_IN]
STATES = ("drawn", "playing", "playoffs", "over")
VISIBLE = ("live", "after-round", "at-end")


def rows_of(teams: Any) -> list[RosterRow]:
    return [RosterRow(0, None, name, players) for name, players in teams.items()]


def person(name: str) -> Person:
    return Person.objects.get(name=name)


def names_of(event: Event) -> dict[str, list[str]]:
    """What everybody reads."""
    return {team.name: [player.name for player in team.players.all()] for team in event.teams.all()}


# The walk.


def evening(dana: User, state: str, visible: str) -> Event:
    """Four teams, with every text that is copied: signatures, a substitute, a correction, two who were swapped."""
    actor, event = Actor(dana), make_event(director=dana, rounds_planned=1, options={"standings_visible": visible})
    enter_roster(actor, event, rows_of(TEAMS))
    draw_rounds(actor, fresh(event))
    if state == "drawn":
        return fresh(event)
    start_round(actor, fresh(event), 1)
    substitute(actor, event, 4, position=1, into=SITS_IN, from_round=1, reason="ill")
    first, other = Game.objects.filter(round__event=event).order_by("table")
    pair_device(actor, issue_card(actor, event, 1))
    tablet = Actor(device=Device.objects.get(event=event))
    record_entry(tablet, first, MADE_FIVE, source="table")
    for side in (0, 1):
        sheet = sheet_now(first)
        sign_sheet(tablet, first, side=side, name=sheet.sides[side].players[-1], code=sheet.code)
    teams = [side.team.number for side in first.sides.order_by("index")]
    swap_teams(actor, event, 1, *teams, "sat the wrong way round")
    if state == "playing":
        return fresh(event)
    sign_for_all(actor, fresh(first), "swapped")
    record_entry(actor, other, MADE_FIVE, source="desk")
    sign_for_all(actor, fresh(other), "no tablet")
    close_round(actor, fresh(event), 1)
    make_cut(actor, fresh(event), 2)
    start_playoff_round(actor, fresh(event))
    if state == "over":
        final = sure(event.rounds.filter(stage="playoff").first())
        game = sure(final.games.first())
        record_entry(actor, game, MADE_FIVE, source="desk")
        sign_for_all(actor, fresh(game), "no tablet")
        close_round(actor, fresh(event), final.number)
        finish_event(actor, fresh(event))
    return fresh(event)


def said(content: bytes) -> str:
    """All that a page or a file says, its properties included."""
    if content.startswith(b"%PDF"):
        reader = PdfReader(io.BytesIO(content))
        outline = " ".join(str(mark) for mark in reader.outline)
        return " ".join([*(page.extract_text() for page in reader.pages), str(reader.metadata), outline])
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            return " ".join(book.read(name).decode(errors="replace") for name in book.namelist())
    return content.decode(errors="replace")


PAGES = "standings schedule teams cross-table bracket pictures rules corrections board event-picture".split()
# Lists and papers that hang or are passed on; those of teams and of money are the officials' own.
FILES = "standings cross-table games hands final-places rounds bracket pot rulings corrections".split()
PAPERS = "standings final-places rounds bracket slips poster book rulings".split()


def channels(event: Event, dana: User) -> Iterator[tuple[str, str]]:
    """Everything that strangers, tablets and the hall read, by where it stands."""
    anybody, slug = Client(), event.slug
    pages = [reverse(name, args=[slug]) for name in PAGES]
    pages += [reverse("team", args=[slug, number]) for number in (1, 2, 3, 4)]
    pages += [reverse("public-game", args=[slug, pk]) for pk in Game.objects.values_list("pk", flat=True)]
    pages += [reverse("person", args=[pk]) for pk in Person.objects.values_list("pk", flat=True)]
    pages += ["/", "/archive/", f"/e/{slug}/board/?section=seating", f"/e/{slug}/board/?section=champion"]
    for path in pages:
        for headers in ({}, {"HX-Request": "true"}):
            answer = anybody.get(path, headers=headers)
            if answer.status_code == 200:
                yield path, said(answer.content) + str(answer.headers)
    for name in EVERY_NAME:
        for word in (name, *name.split()):
            found = anybody.get(reverse("search", args=[slug]), {"team": word})
            yield (
                f"search {word}",
                page_of(found).replace(word, "").replace(word.lower(), "") + found.get("Location", ""),
            )
    yield "share", repr(share(fresh(event)))
    if token := getattr(event, "tablet", ""):
        table = Client()
        table.cookies[TABLE_COOKIE] = token
        yield "tablet", page_of(table.get("/t/table/"))
        yield "state", said(table.get("/api/state/", headers={"Authorization": token}).content)
    desk = signed_in(dana)
    files = [f"{name}.{kind}" for name in FILES for kind in ("csv", "json", "xlsx")]
    files += [f"{name}.pdf" for name in PAPERS] + [
        "score-sheets.pdf",
        "rounds/1/seating.pdf",
        "rounds/1/score-sheets.pdf",
    ]
    for name in files:
        answer = desk.get(f"/desk/{slug}/papers/{name}")
        if answer.status_code == 200:
            yield name, said(answer.content) + str(answer.headers)


def hide(dana: User, event: Event, how: str) -> set[str]:
    """Hide names one way; gives the words that nobody may read any more."""
    actor, surnames = Actor(dana), {name.split()[-1] for name in EVERY_NAME}
    if how in ("initial", "hidden"):
        change_event(actor, event, {"names": how}, confirmed=True)
        return surnames if how == "initial" else surnames | {name.split()[0] for name in EVERY_NAME}
    hidden: set[str] = set()
    for name, show in {
        "wish": (("Alaric Zebedee", "initial"), ("Cosmo Xenakis", "hidden"), (SITS_IN, "initial")),
        "deleted": (("Alaric Zebedee", ""), ("Evander Wexford", ""), ("Hector Uxbridge", ""), (SITS_IN, "")),
    }[how]:
        if found := Person.objects.filter(name=name).first():
            set_wish(actor, event, found, show) if show else delete_person(actor, found)
            hidden |= set(name.split()[1:] if show == "initial" else name.split())
    # The brother has the surname, too, and does not mind.
    return hidden - ({"Wexford"} if how == "deleted" else set())


EVERY_CASE = list(itertools.product(STATES, VISIBLE, ("initial", "hidden", "wish", "deleted")))
IN_PAIRS = [
    *(("drawn", "live", "initial"), ("drawn", "at-end", "deleted"), ("playing", "live", "wish")),
    *(("playing", "after-round", "hidden"), ("playoffs", "live", "deleted"), ("playoffs", "at-end", "initial")),
    *(("over", "live", "hidden"), ("over", "after-round", "deleted"), ("over", "at-end", "wish")),
]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[] if case in IN_PAIRS else [pytest.mark.nightly]) for case in EVERY_CASE],
    ids=str,
)
def test_no_channel_tells_a_hidden_name(dana: User, case: tuple[str, str, str]) -> None:
    event = evening(dana, *case[:2])
    before = " ".join(text for _, text in channels(event, dana))
    assert all(word in before for word in ("Alaric", "Zebedee", "Wexfords"))
    hidden = hide(dana, event, case[2])
    # Pictures and stores call a hand or a player by codes; whole words alone are names.
    told = [
        (where, word, text[max(0, found.start() - 60) : found.end() + 30])
        for where, text in channels(fresh(event), dana)
        for word in hidden
        if (found := re.search(word, text, re.IGNORECASE)) and not (case[2] == "deleted" and word == "Wexford")
    ]
    assert told == [], "\n".join(map(str, told))
    assert [line for line in findings() if "no longer refuses" not in line] == []
    at_desk = page_of(signed_in(dana).get(f"/desk/{event.slug}/teams/"))
    assert ("Alaric Zebedee" in at_desk) == (case[2] != "deleted")
