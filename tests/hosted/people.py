"""People before a hosted site whose parts are killed: a director at the desk, a phone, somebody who guesses codes."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Callable
from functools import partial
from http.client import HTTPException
from types import TracebackType

from django.core.cache import cache

from tests.factories import make_event, make_round, make_teams, make_user
from tests.hosted.browser import VERSION, Browser, Page
from tests.hosted.stack import Stack
from tournament.models import Event
from tournament.services.devices import FAILURES_A_MINUTE

# nginx, for a process that was killed while it had the request.
GONE = (502, 503, 504)


class People:
    """What they saw that they must not see is in `faults()`, once they have left."""

    def __init__(self, stack: Stack) -> None:
        self.stack, self.over = stack, threading.Event()
        self.seen: Counter[str] = Counter()
        # What nginx said of its cache to the phone, and to the director.
        self.phone, self.person = Counter[str](), Counter[str]()
        self.papers = 0
        name = f"Dana {uuid.uuid4().hex[:6]}"
        self.director = make_user(name)
        self.event: Event = make_event(f"{name} Open", self.director)
        make_round(self.event, [tuple(make_teams(self.event, 2))])
        self.desk = Browser(stack.port)
        self.desk.sign_in(name)
        self.threads = [threading.Thread(target=run) for run in (self._direct, self._follow)]

    def __enter__(self) -> People:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()

    def faults(self) -> list[str]:
        """What went wrong for them; after it somebody has used up this minute's wrong codes."""
        faults = [f"{count} × {what}" for what, count in self.seen.items()]
        faults += ["no paper was made"] * (not self.papers)
        print(f"nginx answered {self.phone['HIT']} of {self.phone.total()} questions of the phone", flush=True)
        if not self.phone["HIT"] or self.person["HIT"]:
            faults.append(f"from nginx's cache: phone {self.phone['HIT']}, director {self.person['HIT']}")
        allowed = self._guess()
        if allowed != FAILURES_A_MINUTE:
            faults.append(f"{allowed} wrong codes were allowed, not {FAILURES_A_MINUTE}")
        return faults

    def _direct(self) -> None:
        """Look at the desk, and ask for a paper of the event now and then."""
        slug, turn = self.event.slug, 0
        while not self.over.wait(0.1):
            turn += 1
            for path in (f"/desk/{slug}/", f"/e/{slug}/"):
                page = self._asked(partial(self.desk.get, path))
                if page is not None and page.status not in (200, *GONE):
                    self.seen[f"{path.split('/')[1]}/ answered {page.status} to a director who is signed in"] += 1
                self.person[page.headers.get("x-cache", "") if page else ""] += 1
            if turn % 20 == 1:
                page = self._asked(partial(self.desk.get, f"/desk/{slug}/papers/book.pdf"))
                if page is not None and page.status not in (200, *GONE):
                    self.seen[f"the book answered {page.status}"] += 1
                self.papers += page is not None and page.status == 200

    def _follow(self) -> None:
        """Ask for the standings as a phone does, and remember how new they were."""
        phone, newest = Browser(self.stack.port), 0
        path = f"/e/{self.event.slug}/"
        while not self.over.wait(0.1):
            page = self._asked(partial(phone.get, f"{path}?version={newest}", **{"HX-Request": "true"}))
            self.phone[page.headers.get("x-cache", "") if page else ""] += 1
            if page is None or page.status in (204, *GONE):
                continue
            if page.status != 200:
                self.seen[f"the standings answered {page.status}"] += 1
            elif version := VERSION.search(page.text):
                if int(version[1]) < newest:
                    self.seen["older standings after newer ones"] += 1
                newest = int(version[1])

    def _guess(self) -> int:
        """How many wrong codes are looked at, of twenty more than one minute allows, all sent to any process."""
        stranger, looked = Browser(self.stack.port), 0
        token = stranger.token_of("/t/")
        # What was counted in the evening before counts no longer. All tries are made within the minute.
        cache.clear()
        for _ in range(FAILURES_A_MINUTE + 20):
            page = self._asked(partial(stranger.send, "/t/", token, code="WRONGONE"))
            looked += page is not None and page.status == 422
        return looked

    def _asked(self, ask: Callable[[], Page]) -> Page | None:
        try:
            return ask()
        except (OSError, HTTPException):
            return None
