"""A kept evening or season as a running site: the desk, a visitor and a tablet, who open pages and press buttons.

Everything goes by the site's addresses and forms, because these stay: so the same figures can be taken of an older
program.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from tournament.access import Actor
from tournament.models import Game, Result
from tournament.queries.scored import active_entries
from tournament.services.devices import issue_card, pair_device

# A hand that ends no game, and one that does.
HAND = {"seat": "0", "bid": "1", "books": "7"}
LAST_HAND = {"seat": "0", "bid": "4", "books": "13"}
POLL = {"HX-Request": "true"}
NOTHING: Mapping[str, str] = {}


class Clubhouse:
    """Who is there. `answer` is the latest page; the others are what an item's step leaves for its next one."""

    def __init__(self) -> None:
        self.dana = User.objects.get(username="dana")
        self.desk, self.visitor = Client(), Client()
        # Passwords are typed just now.
        self.desk.force_login(self.dana)
        self.tablet: Tablet | None = None
        self.answer = self.version = self.path = self.file = ""
        self.finals: list[Game] = []
        self.changes = 0

    def get(self, who: Client, path: str, *expected: int, **headers: str) -> str:
        response = who.get(path, headers=headers)
        assert response.status_code in (expected or (200,)), (path, response.status_code)
        self.answer = content_of(response)
        return self.answer

    def post(self, path: str, said: Mapping[str, Any] = NOTHING, *expected: int, who: Client | None = None) -> str:
        response = (who or self.desk).post(path, said)
        assert response.status_code in (expected or (302,)), (path, response.status_code, words_in(response))
        self.answer = content_of(response)
        return self.answer

    def confirm(self, path: str) -> str:
        """Press the button of the page that asks whether an act is to be done."""
        action, fields = asking_form(self.answer)
        return self.post(action or path, fields)

    def change(self, slug: str) -> None:
        """Something happens at an event that every page of it may show: in play a game is signed, or is not after all.

        It can be done as often as one likes.
        """
        self.changes += 1
        is_first = self.changes % 2 == 1
        if slug == "next-open":
            self.post(f"/desk/{slug}/check-in/", {"number": "2", "here": "yes" if is_first else "no"})
        elif slug == "swiss":
            self.post(f"/desk/{slug}/teams/2/pot/", {"on": "no" if is_first else "yes", "reason": "said so"})
        else:
            if self.changes == 1:
                self.post(f"/desk/{slug}/games/{untouched_game(slug).pk}/entries/", LAST_HAND)
            self.sign(slug, back=not is_first)

    def sign(self, slug: str, *, back: bool = False) -> None:
        """Both sides have signed the game that is over on paper; or this is taken back."""
        game = untouched_game(slug)
        path = f"/desk/{slug}/games/{game.pk}/signatures/paper/{'return/' if back else ''}"
        self.post(path, {"code": Result.objects.get(game=game).code})

    def hand(self, slug: str) -> None:
        self.post(f"/desk/{slug}/games/{untouched_game(slug).pk}/entries/", HAND)

    def undo(self, slug: str) -> None:
        game = untouched_game(slug)
        last = max(game.entries.values_list("position", flat=True))
        self.post(f"/desk/{slug}/games/{game.pk}/undo/", {"position": str(last)})


def games_in_play(slug: str) -> list[Game]:
    """The games of the round in play by their tables; as `databases` wrote them, one of four has no hand yet."""
    return list(Game.objects.filter(round__event__slug=slug, round__state="running").order_by("table"))


def untouched_game(slug: str) -> Game:
    return next(game for game in games_in_play(slug) if game.table % 4 == 0)


class Tablet:
    """A tablet bound to a table: its page by the browser, its messages by its script."""

    def __init__(self, dana: User, game: Game) -> None:
        self.game, self.browser, self.last = game, Client(), ""
        self.token = pair_device(Actor(), issue_card(Actor(dana), game.round.event, game.table))
        self.browser.cookies["uptown_table"] = self.token

    def ask(self, name: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Table {self.token}"}
        path = f"/t/api/{name}/"
        if body is None:
            response: Any = self.browser.get(path, headers=headers)
        else:
            response = self.browser.post(path, json.dumps(body), content_type="application/json", headers=headers)
        assert response.status_code == 200, (path, response.status_code, response.content)
        return response.json()

    def lines(self) -> list[str]:
        """The keys of the lines on the sheet, as a signature names them."""
        return [str(entry.client_key) for entry in active_entries(self.game.entries.all())]

    def send(self, kind: str, **fields: Any) -> None:
        """Send one message, and get the page after it with the answer."""
        item = {"uid": str(uuid.uuid4()), "kind": kind, "game": self.game.pk, "after": self.last or None, **fields}
        answer = self.ask("submissions", {"items": [item], "unsent": 1, "battery": 50, "page": True})
        assert answer["results"][0]["status"] == "applied", answer["results"]
        self.last = item["uid"]


def content_of(response: Any) -> str:
    return b"".join(response).decode(errors="replace")


def words_in(response: Any) -> str:
    text = re.sub(r"<(script|style|head).*?</\1>|<[^>]+>", " ", content_of(response), flags=re.DOTALL)
    return " ".join(text.split())[:2000]


class Forms(HTMLParser):
    """The forms of a page: where each is sent, and the values of its fields."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], set[str]]] = []
        self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append((said.get("action", ""), {}, set()))
        if not self.found:
            return
        _action, fields, hidden = self.found[-1]
        name, kind = said.get("name", ""), said.get("type", "text")
        if tag == "textarea":
            self.area = name
            fields[name] = ""
        if tag == "input" and name and (kind not in ("radio", "checkbox", "submit", "file") or "checked" in said):
            fields[name] = said.get("value", "on" if kind == "checkbox" else "")
            if kind == "hidden":
                hidden.add(name)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.area = ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.found[-1][1][self.area] += data


def forms_of(page: str) -> list[tuple[str, dict[str, str], set[str]]]:
    forms = Forms()
    forms.feed(page)
    return forms.found


def asking_form(page: str) -> tuple[str, dict[str, str]]:
    """The form that sends again what was typed: it has the most hidden fields, and a key among them."""
    asking = [form for form in forms_of(page) if form[2] & {"announced", "confirmed", "read", "sure"}]
    assert asking, f"No form asks on this page: {page[:2000]}"
    action, fields, _hidden = max(asking, key=lambda form: len(form[2]))
    return action, fields
