"""The pages of an evening, what open pages ask all the time, and papers, workbooks and lists."""

from __future__ import annotations

import re
from functools import partial

from tests.benchmarks.clubhouse import POLL, Clubhouse
from tests.benchmarks.items import ENTERED, IN_PLAY, PLAYOFFS, SWISS, Item, after_change, seen
from tests.sure import sure
from tournament.lists.catalog import LISTS
from tournament.reports.pdf.catalog import PAPERS

# Pages. Their addresses contain the keys of the rows that `keys_of` finds.

PUBLIC_PAGES = {
    "standings": "",
    "schedule": "schedule/",
    "schedule, one game": "schedule/?round=3",
    "search": "search/?team=team",
    "teams": "teams/",
    "team": "teams/1/",
    "cross table": "cross-table/",
    "bracket": "bracket/",
    "pictures": "pictures/",
    "picture to share": "picture.png",
    "rules": "rules/",
    "corrections": "corrections/",
    "projector": "board/",
    "sheet, final": "games/{final}/",
    "sheet, in play": "games/{playing}/",
}
DESK_PAGES = {
    "desk": "",
    "desk, an earlier round": "?round=1",
    "next act": "next-act/?version=0",
    "game, final": "games/{final}/",
    "game, in play": "games/{playing}/",
    "game, preview of a hand": "games/{playing}/preview/?seat=0&bid=1&books=7",
    "game, correction": "games/{final}/entries/{line}/revisions/",
    "game, ruling on a line": "games/{final}/entries/{line}/rulings/",
    "game, typed again": "games/{final}/sheet/",
    "game, ruling": "games/{playing}/rulings/",
    "sheets to verify": "verify/",
    "rulings": "rulings/",
    "log": "log/",
    "setup": "setup/",
    "options": "setup/options/",
    "archive": "archive/",
    "teams": "teams/",
    "team": "teams/1/",
    "people": "people/",
    "swap": "rounds/6/swaps/",
    "list to paste": "roster/",
    "draw": "draw/",
    "standings": "standings/",
    "pot": "pot/",
    "playoffs": "playoffs/",
    "papers": "papers/",
    "score workbooks": "papers/boards/",
    "money": "money/",
    "money, one team": "money/teams/1/",
    "tablets": "tablets/",
    "messages that wait": "tablets/parked/",
}
SITE_PAGES = {
    "front page": "/",
    "new event": "/new/",
    "import": "/import/",
    "sign-ins": "/sign-ins/",
    "archive": "/archive/",
    "accounts": "/accounts/",
    "people": "/people/",
    "person": "/people/{person}/",
    "seasons": "/seasons/",
    "practice": "/practice/",
    "tablet, to be bound": "/t/",
    "worker of the tablet": "/sw.js",
    "alive": "/alive/",
    "ready": "/ready/",
}


def evening_pages() -> list[Item]:
    items = [
        seen(f"public: {name}", f"/e/{IN_PLAY}/{path}", IN_PLAY, public=True) for name, path in PUBLIC_PAGES.items()
    ]
    items += [seen(f"desk: {name}", f"/desk/{IN_PLAY}/{path}", IN_PLAY) for name, path in DESK_PAGES.items()]
    items += [seen(f"site: {name}", path, IN_PLAY) for name, path in SITE_PAGES.items()]
    for name, slug, path, public in (
        ("public: standings, playoffs", PLAYOFFS, f"/e/{PLAYOFFS}/", True),
        ("public: bracket, playoffs", PLAYOFFS, f"/e/{PLAYOFFS}/bracket/", True),
        ("public: projector, playoffs", PLAYOFFS, f"/e/{PLAYOFFS}/board/", True),
        ("public: teams, playoffs", PLAYOFFS, f"/e/{PLAYOFFS}/teams/", True),
        ("public: entering", ENTERED, f"/e/{ENTERED}/enter/", True),
        ("public: check-in", ENTERED, f"/e/{ENTERED}/check-in/", True),
        ("desk: desk, playoffs", PLAYOFFS, f"/desk/{PLAYOFFS}/", False),
        ("desk: playoffs, in play", PLAYOFFS, f"/desk/{PLAYOFFS}/playoffs/", False),
        ("desk: standings, playoffs", PLAYOFFS, f"/desk/{PLAYOFFS}/standings/", False),
        ("desk: draw, Swiss", SWISS, f"/desk/{SWISS}/draw/", False),
        ("desk: draw by hand", SWISS, f"/desk/{SWISS}/draw/3/by-hand/", False),
        ("desk: desk, before the event", ENTERED, f"/desk/{ENTERED}/", False),
        ("desk: check-in", ENTERED, f"/desk/{ENTERED}/check-in/", False),
        ("desk: entries", ENTERED, f"/desk/{ENTERED}/entries/", False),
    ):
        items.append(seen(name, path, slug, public=public))
    return items


# What open pages ask all the time.

POLLED = {
    "public: standings": f"/e/{IN_PLAY}/",
    "public: schedule": f"/e/{IN_PLAY}/schedule/",
    "public: team": f"/e/{IN_PLAY}/teams/1/",
    "public: projector": f"/e/{IN_PLAY}/board/",
    "desk: desk": f"/desk/{IN_PLAY}/",
    "desk: standings": f"/desk/{IN_PLAY}/standings/",
    "desk: pot": f"/desk/{IN_PLAY}/pot/",
}


def polls() -> list[Item]:
    items = []
    for name, path in POLLED.items():
        items.append(Item(f"{name}, polled after a change", partial(poll_news, path), after_change(IN_PLAY)))
        items.append(Item(f"{name}, polled, nothing new", partial(poll_nothing, path), partial(open_whole, path)))
    return items


def poll_news(path: str, house: Clubhouse, done: int) -> None:
    who = house.visitor if path.startswith("/e/") else house.desk
    house.get(who, f"{path}?version=0", **POLL)


def open_whole(path: str, house: Clubhouse, done: int) -> None:
    who = house.visitor if path.startswith("/e/") else house.desk
    house.get(who, path)
    house.version = sure(re.search(re.escape(path) + r'\?[^"]*?version=([^"&]+)', house.answer))[1]


def poll_nothing(path: str, house: Clubhouse, done: int) -> None:
    who = house.visitor if path.startswith("/e/") else house.desk
    house.get(who, f"{path}?version={house.version}", 204, **POLL)


# Papers, workbooks and lists.


def evening_files() -> list[Item]:
    papers = f"/desk/{IN_PLAY}/papers/"
    paths = {f"list: {name}.{kind}": f"{papers}{name}.{kind}" for name in LISTS for kind in ("csv", "json", "xlsx")}
    paths |= {f"paper: {name}": f"{papers}{name}.pdf" for name in PAPERS}
    paths |= {
        "paper: score sheets": f"{papers}score-sheets.pdf",
        "paper: score sheets of a round": f"{papers}rounds/6/score-sheets.pdf",
        "paper: seating": f"{papers}rounds/6/seating.pdf",
        "paper: blank sheet": f"{papers}blank.pdf",
        "paper: one sheet": papers + "games/{final}.pdf",
        "paper: job tonight": f"{papers}tonight.pdf",
        "paper: job between": f"{papers}between.pdf",
        "paper: log": f"/desk/{IN_PLAY}/log/?format=pdf",
        "list: log.csv": f"/desk/{IN_PLAY}/log/?format=csv",
        "workbook: event": f"{papers}workbook.xlsx",
        "workbook: score sheets, blank": f"{papers}boards/blank.xlsx",
        "workbook: score sheets of a round": f"{papers}boards/rounds/6.xlsx",
    }
    items = [seen(name, path, IN_PLAY) for name, path in paths.items()]
    return [*items, seen("paper: bracket, playoffs", f"/desk/{PLAYOFFS}/papers/bracket.pdf", PLAYOFFS)]
