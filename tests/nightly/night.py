"""A whole evening of a site on the internet, with mistakes and errors: nothing in it is secret from its visitors."""

from __future__ import annotations

import datetime
import json
import re
import sqlite3
import ssl
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from socket import socket
from socketserver import StreamRequestHandler, ThreadingTCPServer
from string import ascii_uppercase
from typing import Any
from urllib.parse import parse_qsl, quote

from django.db import connection

from tests.halls import Hall
from tests.hosted.browser import KEY, TOKEN, Browser, Page
from tests.journeys.server import Connection
from tournament.demo.tablet import JSON, Answer, read_message
from tournament.serving.certificates import hall_certificates

FORMS, TABLET = "__Host-csrftoken", "uptown_table"
COOKIES = {"__Host-sessionid": "session", FORMS: "token of forms", TABLET: "tablet"}
RECOVERY, CARD = re.compile(r"<code>(\w+)</code>"), re.compile(r'table-code">([\w-]+)<')
SHOWN = {"authenticator": KEY, "recovery code": RECOVERY, "card": CARD}


class Secrets(dict[str, str]):
    """What each of them is; without the spaces and dashes in it, it is one, too."""

    def note(self, kind: str, *seen: str) -> None:
        for secret in filter(None, seen):
            self.setdefault(secret, kind)
            self.setdefault(re.sub(r"[\s-]", "", secret), kind)


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
        return read_message(self.director.tell(path, token, body).content)

    def send(self, path: str, fields: Mapping[str, Any], cookies: Mapping[str, str]) -> Answer:
        """A form of the desk; the browser has cookies of its own."""
        if path == "/sign-in/":
            self.director.cookies.clear()
            return Answer(self.director.sign_in(fields["username"], self.password).status, "", {"signed": "in"}, "")
        page = self.director.press(path, **fields)
        return Answer(page.status, page.headers.get("location", ""), {}, page.text)


HERE = "127.0.0.1"
REFUSED = b"refused@"
LINK = re.compile(r"/password/new/\S+")


class Mails(ThreadingTCPServer):
    """Takes mail for everybody but `refused@…`. The sender trusts `root`."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        made = hall_certificates(folder, [HERE], "Mail", datetime.datetime.now(datetime.UTC))
        self.root = folder / "root.pem"
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(made.site, made.site_key)
        self.taken: list[str] = []
        super().__init__((HERE, 0), _Talk)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self) -> tuple[socket, Any]:
        line, address = super().get_request()
        return self.context.wrap_socket(line, server_side=True), address

    def link(self) -> str:
        """Where the last mail leads."""
        return LINK.findall(self.taken[-1])[-1]


class _Talk(StreamRequestHandler):
    server: Mails

    def handle(self) -> None:
        self._say("220 mail")
        for said in self.rfile:
            match said[:4].upper():
                case b"EHLO":
                    self._say("250-mail\r\n250 AUTH PLAIN")
                case b"AUTH":
                    self._say("235 welcome")
                case b"RCPT" if REFUSED in said:
                    self._say("550 nobody of that name")
                case b"DATA":
                    self._say("354 go on")
                    self.server.taken.append(b"".join(iter(self.rfile.readline, b".\r\n")).decode())
                    self._say("250 taken")
                case b"QUIT":
                    self._say("221 bye")
                    break
                case _:
                    self._say("250 yes")

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


# Signs that an address and base64 write otherwise.
OWN, DANAS, LATER = "Größe & Würde: 7/7 = 1?", "anders+als:vorher, 100%!", "und <zum> dritten, ~2"
WRONG_CODE, WRONG_CARD = "918273", "WRNG2345"
STORED = {"session": "session_key FROM django_session", "hash of a password": "password FROM auth_user"}
STORED |= {"authenticator": "key FROM otp_totp_totpdevice"}
KEPT = ("tournament_journal", "tournament_submission")
FILES = ("papers/workbook.xlsx", "papers/book.pdf", "file/", "log/?format=csv", "papers/standings.json")
# Steps of the player: when everything is saved, and when it is put back.
SAVED, PUT_BACK, MOST = 4, 8, 3000


class Night:
    """The evening. `printed` is what the commands beside the site said."""

    def __init__(self, hall: Hall, mails: Mails) -> None:
        self.hall, self.mails, self.printed = hall, mails, ""
        self.known, self.seen = Secrets(), Counter[int]()
        self.owner, self.dana = self.somebody(), self.somebody()
        self.tables: list[Visitor] = []
        (self.first,) = re.findall(r"^owner\s+(\S+)", hall.said(), re.MULTILINE)

    def somebody(self) -> Visitor:
        return Visitor(self.hall.port, self.known, self.seen)

    def sign_in(self) -> None:
        """The owner changes the password that was shown. Others guess, and type a password as the name."""
        self.owner.sign_in("owner", self.first)
        form = {"old_password": self.first, "new_password1": OWN, "new_password2": OWN, "email": "refused@example.org"}
        self.owner.post("/password/", **form)
        self.somebody().post("/password/forgotten/", email=form["email"])
        for name, password in (("owner", "wrong & wrong again"), (OWN, OWN), ("owner", OWN)):
            guest = self.somebody()
            guest.post("/sign-in/", username=name, password=password)
        guest.post("/sign-in/code/", code=WRONG_CODE)

    def set_up(self, teams: int, rounds: int) -> None:
        """An event; somebody is invited to direct it, and forgets the password at once."""
        from tests.tournament.setup.test_events import fields

        letters = ascii_uppercase[:teams]
        names = "\n".join(
            f"{number}. {a}llies – Ann {a}lston / Bea {a}lder" for number, a in enumerate(letters, start=1)
        )
        form = fields(rounds_planned=str(rounds), cut="2", text=names, draw="yes")
        self.desk = self.owner.post("/new/", **form).headers["location"]
        mail = {"email": "dana@example.org"}
        self.owner.post(f"{self.desk}setup/officials/", f"{self.desk}setup/", username="dana", role="director", **mail)
        self._choose(DANAS)
        self.dana.sign_in("dana", DANAS)
        self.somebody().post("/password/forgotten/", **mail)
        self._choose(LATER)
        self.dana.sign_in("dana", LATER)

    def hand_out(self) -> None:
        """Cards. Somebody types the code of one behind the site's address."""
        self.dana.press(f"{self.desk}tablets/cards/")
        for code in CARD.findall(self.dana.get(f"{self.desk}tablets/").text):
            tablet = self.somebody()
            tablet.get(f"/t/{code}")
            tablet.post("/t/", code=WRONG_CARD)
            tablet.post("/t/", code=code)
            self.tables.append(tablet)

    def play(self) -> None:
        """The demo's player plays and directs to the end; on the way everything goes back to a backup."""
        from tournament.access import Actor
        from tournament.demo.player import Evening, Pace
        from tournament.demo.tablet import Tablet
        from tournament.models import Event

        line = Line(self.dana, LATER)
        evening = Evening(Event.objects.get(), line, Pace(0, 0, 0, 0), ("dana", LATER), Actor(), left=0)
        evening.directs, evening.director.cookies = True, {"signed": "in"}
        tablets = {
            str(number): Tablet(client.cookies[TABLET], line) for number, client in enumerate(self.tables, start=1)
        }
        evening.tablets.known.update(tablets)
        backup, step = "", 0
        while not (made := evening.step()).over:
            if step == SAVED:
                backup = self._run("backup").split()[0]
                self._go_wrong()
            if step == PUT_BACK:
                self._put_back(backup)
            if (step := step + 1) == MOST:
                raise SystemExit(f"The evening does not end: {made}")

    def leave(self) -> bool:
        """Files are taken home; whether the password that was shown at first still opens anything."""
        for file in FILES:
            self.dana.get(f"{self.desk}{file}")
        return self.somebody().post("/sign-in/", username="owner", password=self.first).status == 302

    def log(self) -> str:
        """Everything that says what happened."""
        files = [file.read_text(encoding="utf-8", errors="replace") for file in self.hall.folder.rglob("*.log")]
        rows = [str(row) for table in KEPT for row in self.hall.lists(f"SELECT * FROM {table}")]
        return "\n".join([self.hall.said(), self.printed, *files, *rows])

    def secrets(self) -> dict[str, str]:
        """Everything that was secret but the password that was shown at first."""
        self.known.note("key of the site", (self.hall.folder / "secret-key").read_text(encoding="ascii"))
        for kind, column in STORED.items():
            self.known.note(kind, *self.hall.rows(f"SELECT {column}"))
        return {secret: kind for secret, kind in self.known.items() if secret != self.first}

    def _choose(self, password: str) -> None:
        """By the link of the last mail. A mail program took the full stop behind it for a part of it."""
        self.link = self.mails.link()
        self.known.note("link of a mail", self.link.split("/")[-2])
        self.somebody().get(f"{self.link}.")
        self.somebody().choose(self.link, password)

    def _go_wrong(self) -> None:
        """A call, signatures that are refused, and every kind of error page, each asked for with something secret."""
        from tournament.models import Event, Game

        game = Game.objects.filter(round__state="running").values_list("pk", flat=True)[0]
        table, guest, at = self.tables[0], self.somebody(), f"/t/table/games/{game}/"
        signs = {"side": "0", "name": "Ann 1"}
        table.press(f"{at}calls/", kind="score")
        table.press(f"{at}signatures/", **signs)
        guest.get(f"/sign-in/?username=owner&password={quote(OWN)}")
        guest.send("/sign-in/", "no token", username="owner", password=OWN)
        guest.send(self.link, "no token", new_password1=OWN)
        guest.tell("submissions", table.cookies[TABLET], {"items": [{"kind": "sign"} | signs]})
        self.dana.get(f"{self.desk}tablets/cards/")
        sheet = Event.objects.get().sheet
        # No program writes such a row: whatever reads it breaks.
        self._change("no/sheet")
        table.press(f"{at}signatures/", **signs)
        self.dana.press(f"{self.desk}games/{game}/signatures/", again_password=LATER)
        self._change(sheet)

    def _put_back(self, backup: str) -> None:
        """Go back to a backup: the site is stopped for it, and this process opens the file again."""
        self.printed += self.hall.said()
        self.hall.kill()
        self._run("restore", backup)
        connection.close()
        self.hall.start()

    def _change(self, sheet: str) -> None:
        with closing(sqlite3.connect(self.hall.folder / "uptown.sqlite3", timeout=20)) as opened, opened:
            opened.execute("UPDATE tournament_event SET sheet = ?", [sheet])

    def _run(self, *words: str) -> str:
        done = self.hall.run("manage.py", *words)
        self.printed += done.stdout + done.stderr
        assert done.returncode == 0, self.printed
        return done.stdout
