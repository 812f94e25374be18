"""What a browser asks for: requests and bytes of a first and a second visit, counted at the server.

Run from the project folder: python -m tests.benchmarks wire (needs Chromium; --each lists them). Each page is opened in
a new browser, left for two seconds after it has loaded, closed and opened again. Asking for news is not counted; what
the tablet's worker fetches is. Bytes are headers and content as they go over the wire.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from playwright.sync_api import sync_playwright

from tests.benchmarks.hall import machine
from tests.factories import signed_in
from tests.programs import CHROMIUM, Application, program, served
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.gate.middleware import TABLE_COOKIE
from tournament.services.accounts import ensure_user
from tournament.services.devices import issue_card, pair_device

# The most that a visit may ask for, first and second.
GOALS = {"desk": (12, 3), "standings": (12, 3), "projector": (12, 3), "tablet": (20, 6)}
PAGE_BYTES, FIRST_BYTES = 5_000, 150_000
SECONDS = 2
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


class Fetched(NamedTuple):
    """A request, and what its answer weighs: its headers, and its content as it was sent."""

    path: str
    head: int
    content: int


class Counter:
    """The site, and a list of what was asked of it."""

    def __init__(self, site: Application) -> None:
        self.site, self.asked = site, list[Fetched]()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterator[bytes]:
        heads: list[int] = []

        def counted(status: str, headers: list[tuple[str, str]], fault: Any = None) -> Any:
            heads.append(len(status) + 13 + sum(len(name) + len(value) + 4 for name, value in headers))
            return start(status, headers, fault)

        answer = self.site(environ, counted)
        content = 0
        try:
            for part in answer:
                content += len(part)
                yield part
        finally:
            if hasattr(answer, "close"):
                answer.close()
        if "HTTP_HX_REQUEST" not in environ:
            self.asked.append(Fetched(environ["PATH_INFO"], heads[0], content))


def main() -> int:
    places = prepared()
    counter = Counter(get_wsgi_application())
    missed = []
    with served(counter) as server:
        print(f"{machine()}; requests and bytes until {SECONDS} s after the page has loaded")
        for name, path, cookies in places:
            visits = list(visited(f"http://localhost:{server.server_port}", path, cookies, counter))
            for words, goal, asked in zip(("first", "second"), GOALS[name], visits, strict=True):
                weight = sum(answer.head + answer.content for answer in asked)
                print(f"{name}, {words} visit: {len(asked)} requests (goal {goal}), {weight:,} bytes")
                if "--each" in sys.argv:
                    print("".join(f"    {answer.content:7,}  {answer.path}\n" for answer in asked), end="")
                missed += [f"{name}, {words} visit"] * (len(asked) > goal)
            page, first = visits[0][0].content, sum(visit.head + visit.content for visit in visits[0])
            print(f"{name}: the page itself {page:,} bytes")
            if name == "standings":
                missed += ["the page of standings"] * (page > PAGE_BYTES) + ["its first visit"] * (first > FIRST_BYTES)
    print(f"not met: {', '.join(missed)}" if missed else "all goals are met")
    return len(missed)


def prepared() -> list[tuple[str, str, dict[str, str]]]:
    """The sample evening of 24 teams in its fourth game; for each page its address and the cookies of who opens it."""
    dana = ensure_user("dana")[0]
    file = settings.ROOT / "fixtures" / "demo" / "autumn-evening.json"
    event = import_event(Actor(dana), json.loads(file.read_text(encoding="utf-8")))
    client = signed_in(dana)
    session = {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    token = pair_device(Actor(), issue_card(Actor(dana), event, 6))
    return [
        ("desk", f"/desk/{event.slug}/", session),
        ("standings", f"/e/{event.slug}/", {}),
        ("projector", f"/e/{event.slug}/board/", {}),
        ("tablet", "/t/table/", {TABLE_COOKIE: token}),
    ]


def visited(site: str, path: str, cookies: dict[str, str], counter: Counter) -> Iterator[list[Fetched]]:
    """What was asked by a first and by a second visit of one browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("REQUIRE_BROWSER", *CHROMIUM), args=FLAGS)
        context = browser.new_context(viewport={"width": 1180, "height": 820})
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies.items()])
        for _ in range(2):
            counter.asked.clear()
            page = context.new_page()
            page.goto(f"{site}{path}", wait_until="load")
            page.wait_for_timeout(SECONDS * 1000)
            yield list(counter.asked)
            page.close()
        browser.close()
