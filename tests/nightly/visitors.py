"""Browsers that note every secret which is shown to them or typed into them, and the demo's player sending by them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from tests.hosted.browser import KEY, TOKEN, Browser, Page
from tournament.demo.tablet import JSON, Answer, Connection, read_message

FORMS, TABLET = "__Host-csrftoken", "uptown_table"
COOKIES = {"__Host-sessionid": "session", FORMS: "token of forms", TABLET: "tablet"}
RECOVERY, CARD = re.compile(r"<code>(\w+)</code>"), re.compile(r'table-code">([\w-]+)<')
SHOWN = {"authenticator": KEY, "recovery code": RECOVERY, "card": CARD}


class Secrets(dict[str, str]):
    """What each of them is; without the spaces and dashes in it, it is one, too."""

    def note(self, kind: str, *seen: str) -> None:
        for one in filter(None, seen):
            self.setdefault(one, kind)
            self.setdefault(re.sub(r"[\s-]", "", one), kind)


class Visitor(Browser):
    """A browser on https. `known` and `seen`, secrets and answers by status, are those of all of them."""

    def __init__(self, port: int, known: Secrets, seen: Counter[int]) -> None:
        super().__init__(port)
        self.known, self.seen, self.recovery = known, seen, list[str]()

    def another(self) -> Visitor:
        """Somebody else's."""
        return Visitor(self.port, self.known, self.seen)

    def press(self, path: str, **fields: str) -> Page:
        """Send a form of a page that is open."""
        return self.send(path, self.cookies[FORMS], **fields)

    def sign_in(self, name: str, password: str = "a long enough password") -> Page:
        """With the app the first time, and from then on with a recovery code."""
        if not self.recovery:
            page = super().sign_in(name, password)
            self.recovery = RECOVERY.findall(page.text)
            return page
        self.post("/sign-in/", username=name, password=password)
        return self.post("/sign-in/code/", code=self.recovery.pop())

    def choose(self, link: str, password: str) -> Page:
        """Follow the link of a mail to a password of one's own."""
        form = self.get(link).headers["location"]
        return self.post(form, new_password1=password, new_password2=password)

    def tell(self, path: str, token: str, body: Mapping[str, Any]) -> Page:
        """Send what a tablet says."""
        headers = {"Authorization": f"Table {token}", "Content-Type": JSON}
        return self.another()._ask("POST", f"/t/api/{path}/", json.dumps(body), headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Page:
        page = super()._ask(method, path, body, headers | {"X-Forwarded-Proto": "https"})
        self.seen[page.status] += 1
        for name, value in parse_qsl(body or ""):
            if "password" in name or name == "code":
                self.known.note("typed word", value)
        for name, kind in COOKIES.items():
            self.known.note(kind, self.cookies.get(name, ""))
        for kind, pattern in (SHOWN | {COOKIES[FORMS]: TOKEN}).items():
            self.known.note(kind, *pattern.findall(page.text))
        return page


class Line(Connection):
    """What the demo's player sends goes by the director's browser."""

    def __init__(self, director: Visitor, password: str) -> None:
        super().__init__("127.0.0.1", director.port)
        self.director, self.password = director, password

    def post(self, path: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """A tablet's message and its answer."""
        return read_message(self.director.tell(path, token, body).content)

    def send(self, path: str, fields: Mapping[str, Any], cookies: Mapping[str, str]) -> Answer:
        """A form of the desk; the browser has cookies of its own."""
        if path == "/sign-in/":
            self.director.cookies.clear()
            return Answer(self.director.sign_in(fields["username"], self.password).status, "", {"signed": "in"}, "")
        page = self.director.press(path, **fields)
        return Answer(page.status, page.headers.get("location", ""), {}, page.text)
