"""What people do at the door and at the desk, as presses of the buttons that they see."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse

from tests.tournament.persons.visitor import Page, Visitor, confirmed, with_password
from tests.tournament.season.clubs import evening
from tournament.models import Event, Person, Player, Registration, Season

TEAM, ALONE = "Enter the team", "Enter alone"


# At the door.


def door(event: Event, code: str = "") -> str:
    return reverse("enter", args=[event.slug]) + (f"?code={code}" if code else "")


def enter_team(event: Event, name: str, *players: str, by: Visitor | None = None, **typed: Any) -> Page:
    """A stranger enters a team; the page is where that led to."""
    page = (by or Visitor()).open(door(event))
    return page.press(TEAM, **team_typed(name, *players, **typed))


def team_typed(name: str, *players: str, **typed: Any) -> dict[str, Any]:
    seats = {f"player{seat}": player for seat, player in enumerate(players, start=1)}
    return {"name": name, **seats, "contact": "555-0100", **typed}


def enter_alone(event: Event, player: str, by: Visitor | None = None, **typed: Any) -> Page:
    """A stranger enters who looks for a partner."""
    page = (by or Visitor()).open(door(event))
    given = {"player1": player, "contact": "555-0100"} | typed
    return page.press(ALONE, **{f"alone-{name}": value for name, value in given.items()})


def join(*pages: Page) -> None:
    """The only two who came alone press for each other."""
    for page in pages:
        assert again(page).press("what=choose").status == 302


def again(page: Page) -> Page:
    """The same page, opened again."""
    return page.visitor.open(page.address)


# At the desk.


def desk_page(event: Event, name: str, *keys: int) -> str:
    return reverse(name, args=[event.slug, *keys])


def accept(by: Visitor, event: Event, *positions: int) -> Page:
    return confirmed(by.open(desk_page(event, "desk-entries")).press("accept", entry=[*positions]))


def refuse(by: Visitor, event: Event, *positions: int) -> Page:
    return confirmed(by.open(desk_page(event, "desk-entries")).press("refuse", entry=[*positions]))


def links_in(page: Page) -> list[str]:
    """The addresses of private links that a page tells, each once."""
    return [*dict.fromkeys(re.findall(r"/e/[-\w]+/entry/[-\w]+/", page.answer.content.decode()))]


# A person's own page.


def to_delete(by: Visitor, person: Person) -> Page:
    """What an owner sees before a person is deleted."""
    deletion = reverse("person-deletion", args=[person.pk])
    page = by.open(reverse("person", args=[person.pk]))
    form = page.form_to(deletion)
    if "sure" in form.names or any(button.name == "sure" for button in form.buttons):
        return page
    return with_password(page.send(form, form.buttons[0]))


def delete(preview: Page, person: Person, *rows: int) -> Page:
    """Delete it, and with it the rows that are ticked."""
    form = preview.form_to(reverse("person-deletion", args=[person.pk]))
    ticks: dict[str, Any] = {"row": [*rows]} if rows else {}
    return with_password(preview.send(form, form.buttons[0], **ticks))


# What is stored, and what everybody reads.


def states(event: Event) -> list[str]:
    """Every entry in its place: what became of it."""
    return [f"{row.position} {row.state}" for row in event.registrations.order_by("position")]


def entry_at(event: Event, position: int) -> Registration:
    return event.registrations.get(position=position)


def rows_of_entry(event: Event, position: int) -> list[Player]:
    return list(Player.objects.filter(entry__event=event, entry__position=position).order_by("position"))


def seats(event: Event, number: int) -> list[Player]:
    """Who plays for a team."""
    return list(Player.objects.filter(team__event=event, team__number=number).order_by("position"))


def shown(rows: list[Player]) -> list[str]:
    """Names as everybody reads them."""
    return [row.name for row in rows]


def persons_of(rows: list[Player]) -> list[str]:
    """Who they are; nothing of whom nobody has said it."""
    return [row.person.name if row.person else "" for row in rows]


def wish_of(name: str) -> str:
    return Person.objects.get(name=name).show


def table_of(season: Season) -> list[tuple[Any, ...]]:
    """The season's lines: place, name, points."""
    answer = Visitor().client.get(reverse("season-file", args=[season.slug, "json"]))
    return [(row["place"], row["name"], row["points"]) for row in answer.json()]


def read_by_all(event: Event) -> list[str]:
    """The public pages of an event that tell who plays."""
    names = ("standings", "teams", "schedule", "cross-table")
    pages = [reverse(name, args=[event.slug]) for name in names]
    pages += [reverse("team", args=[event.slug, number]) for number in event.teams.values_list("number", flat=True)]
    return [Visitor().open(page).words for page in pages]


def add_person(dana: User, name: str) -> Person:
    """Somebody whom the club knows from an earlier evening."""
    evening(dana, None, f"Evening of {name}", (("Guests", name, f"Partner of {name}"),))
    return Person.objects.get(name=name)
