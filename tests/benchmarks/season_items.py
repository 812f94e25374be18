"""The pages, files and acts of a season. Its first evening is over, its last is in play."""

from __future__ import annotations

from tests.benchmarks.act_items import announce_again, confirm, correction_to_announce, find_correction
from tests.benchmarks.clubhouse import Clubhouse
from tests.benchmarks.items import Item, Step, nothing
from tournament.models import Event, Person

SEASON_PAGES = {
    "table": "",
    "setup": "setup/",
    "dues": "dues/",
    "partners": "partners/",
    "partners, projector": "partners/board/?pair=1",
    "members": "members/",
    "invite": "invite/?size=8",
}


def last_evening() -> str:
    return Event.objects.order_by("-date")[0].slug


def season_look(path: str, *, public: bool = False) -> Step:
    def open_page(house: Clubhouse, done: int) -> None:
        known = {"person": Person.objects.order_by("pk")[0].pk, "last": last_evening()}
        house.get(house.visitor if public else house.desk, path.format(**known))

    return open_page


def correct_first(house: Clubhouse, done: int) -> None:
    """A game of the first evening, which is over, is corrected."""
    find_correction("evening-1")(house, done)
    house.confirm(house.path)


def change_last(house: Clubhouse, done: int) -> None:
    house.change(last_evening())


def pay_dues(house: Clubhouse, done: int) -> None:
    person = Person.objects.filter(dues=None).order_by("pk")[0]
    key = f"00000000-0000-0000-0001-{person.pk:012}"
    house.post("/seasons/season/dues/payments/", {"person": str(person.pk), "key": key})


# What a correction in an evening that is over makes slow.
COLD = ("season: table", "season: person", "season: projector in play", "season: standings of another evening")


def season_items() -> list[Item]:
    season = "/seasons/season/"
    paths = {f"season: {name}": (f"{season}{path}", name == "table") for name, path in SEASON_PAGES.items()}
    paths |= {
        "season: person": ("/people/{person}/", True),
        "season: people": ("/people/", False),
        "season: seasons": ("/seasons/", False),
        "season: front page": ("/", True),
        "season: projector in play": ("/e/{last}/board/", True),
        "season: standings in play": ("/e/{last}/", True),
        "season: standings of another evening": ("/e/evening-2/", True),
        "season: desk in play": ("/desk/{last}/", False),
        "season: people of an event": ("/desk/{last}/people/", False),
        "season: money of an event": ("/desk/{last}/money/", False),
    }
    paths |= {f"list: season dues.{kind}": (f"{season}dues.{kind}", False) for kind in ("csv", "json", "xlsx")}
    items = [Item(name, season_look(path, public=public), change_last, path) for name, (path, public) in paths.items()]
    for kind in ("pdf", "xlsx", "csv", "json"):
        path = f"{season}standings.{kind}"
        items.append(Item(f"list: season table.{kind}", season_look(path, public=True), correct_first, path))
    for name in COLD:
        path, public = paths[name]
        items.append(Item(f"{name}, after a correction", season_look(path, public=public), correct_first))
    announced = Item(
        "act: a correction in a season, announced", announce_again("evening-1"), correction_to_announce("evening-1")
    )
    items.append(announced)
    items.append(Item("act: a correction in a season, done", confirm, find_correction("evening-1")))
    items.append(Item("act: dues paid", pay_dues, nothing))
    return items
