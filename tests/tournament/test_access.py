"""Every address, every way of asking, every role: allowed or refused. A new address without a row here fails."""

from __future__ import annotations

from collections.abc import Iterator
from http.cookies import SimpleCookie
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.template import Engine
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from tests.factories import make_event, make_round, make_teams, make_user
from tests.messages import send
from tests.sure import sure
from tests.tournament.archive.test_import import demo
from tournament.access import ACCOUNT, ACTIONS, PUBLIC, ROLES, Actor, may, require
from tournament.access import TABLE as TABLE_ROLE
from tournament.archive.store import import_event
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Entry, Event, Game, Journal, Official, Player, Registration, Season
from tournament.queries.devices import fingerprint
from tournament.queries.sheet import GAME, sheet_address_code
from tournament.services.devices import issue_card, pair_device
from tournament.services.rounds import call_director

EVERYBODY = {"anonymous", "stranger", "verifier", "director", "owner", "foreign-director", "table", "foreign-table"}
OFFICIALS = {"verifier", "director"}
DIRECTOR = {"director"}
OWNER = {"owner"}
ACCOUNTS = {"stranger", "verifier", "director", "owner", "foreign-director"}
TABLE = {"table"}
TABLES = {"table", "foreign-table"}
# The code of a second factor is asked between password and sign-in: test_accounts.py.
# A tablet's messages name it in a header; a browser's cookies count for nothing there.
NOBODY: set[str] = set()

# name: (who may GET, who may POST); None where that way of asking has no meaning of its own.
ADDRESSES: dict[str, tuple[set[str] | None, set[str] | None]] = {
    "events": (EVERYBODY, None),
    "sign-in": (EVERYBODY, EVERYBODY),
    "sign-in-code": (NOBODY, NOBODY),
    "second-factor": (NOBODY, NOBODY),
    "sign-out": (None, EVERYBODY),
    "sign-ins": (ACCOUNTS, ACCOUNTS),
    "password": (ACCOUNTS, ACCOUNTS),
    "archive": (EVERYBODY, None),
    "manifest": (EVERYBODY, None),
    "rehearsal": (None, DIRECTOR),
    "event-archive": (DIRECTOR | OWNER, DIRECTOR | OWNER),
    "event-deletion": (None, OWNER),
    "hall-word": (None, DIRECTOR),
    "this-laptop": (None, DIRECTOR),
    "copy-checked": (None, DIRECTOR),
    "accounts": (OWNER, None),
    "people": (OWNER, None),
    "season-dues": (OWNER, OWNER),
    "season-dues-file": (OWNER, None),
    "season-dues-reversal": (None, OWNER),
    "season-members": (OWNER, OWNER),
    "season-partners": (OWNER, OWNER),
    "partners-entries": (None, OWNER),
    "partners-board": (EVERYBODY, None),
    "season-invite": (OWNER, OWNER),
    "season-dues-payment": (None, OWNER),
    "door-all-paid": (None, DIRECTOR),
    "team-note": (OFFICIALS, OFFICIALS),
    "person": (EVERYBODY, None),
    "seasons": (OWNER, OWNER),
    "season": (EVERYBODY, None),
    "season-file": (EVERYBODY, None),
    "season-setup": (OWNER, OWNER),
    "season-events": (None, OWNER),
    "season-deletion": (None, OWNER),
    "season-team": (None, OWNER),
    "season-told": (None, OWNER),
    "person-name": (None, OWNER),
    "person-own-wish": (None, OWNER),
    "person-merger": (None, OWNER),
    "person-parting": (None, OWNER),
    "person-deletion": (None, OWNER),
    "account-closing": (None, OWNER),
    "account-opening": (None, OWNER),
    "account-factor": (None, OWNER),
    "password-forgotten": (EVERYBODY, EVERYBODY),
    "password-sent": (EVERYBODY, None),
    "password-new": (EVERYBODY, EVERYBODY),
    "alive": (EVERYBODY, None),
    "ready": (EVERYBODY, None),
    "trust": (EVERYBODY, None),
    "trust-certificate": (EVERYBODY, None),
    "event-new": (OWNER, OWNER),
    "event-draft": (None, OWNER),
    "event-copy": (None, OWNER),
    "event-import": (OWNER, OWNER),
    "event-imported": (DIRECTOR, None),
    "standings": (EVERYBODY, None),
    "enter": (EVERYBODY, EVERYBODY),
    "entry": (EVERYBODY, EVERYBODY),
    "desk-entries": (OFFICIALS, None),
    "entries-acceptance": (None, DIRECTOR),
    "entries-joining": (None, DIRECTOR),
    "entry-let-in": (None, DIRECTOR),
    "entry-partner": (None, DIRECTOR),
    "entry-told": (None, DIRECTOR),
    "team-leaving": (None, DIRECTOR),
    "draw-seat": (None, DIRECTOR),
    "schedule": (EVERYBODY, None),
    "search": (EVERYBODY, None),
    "check-in": (EVERYBODY, EVERYBODY),
    "desk-check-in": (OFFICIALS, OFFICIALS),
    "wall-code": (None, DIRECTOR),
    "leave-out": (None, DIRECTOR),
    "team-came": (None, DIRECTOR),
    "teams": (EVERYBODY, None),
    "team": (EVERYBODY, None),
    "cross-table": (EVERYBODY, None),
    "bracket": (EVERYBODY, None),
    "rules": (EVERYBODY, None),
    "board": (EVERYBODY, None),
    "event-picture": (EVERYBODY, None),
    "public-game": (EVERYBODY, None),
    "sheet-code": (EVERYBODY, None),
    "corrections": (EVERYBODY, None),
    "desk": (OFFICIALS, None),
    "next-act": (OFFICIALS, None),
    "round-seats": (None, OFFICIALS),
    "round-seats-return": (None, OFFICIALS),
    "call-answer": (None, DIRECTOR),
    "call-way": (None, DIRECTOR),
    "desk-game": (OFFICIALS, None),
    "game-entry": (None, OFFICIALS),
    "game-preview": (OFFICIALS, None),
    "game-undo": (None, OFFICIALS),
    "game-opening": (None, OFFICIALS),
    "game-revision": (OFFICIALS, OFFICIALS),
    "game-sheet": (OFFICIALS, OFFICIALS),
    "game-ruling": (DIRECTOR, DIRECTOR),
    "game-line-ruling": (DIRECTOR, DIRECTOR),
    "game-witness": (None, OFFICIALS),
    "game-paper-signatures": (None, OFFICIALS),
    "game-paper-signatures-return": (None, OFFICIALS),
    "game-seat": (None, OFFICIALS),
    "game-set-aside": (None, OFFICIALS),
    "game-verification": (OFFICIALS, OFFICIALS),
    "desk-verify": (OFFICIALS, None),
    "run-alone": (None, DIRECTOR),
    "desk-rulings": (OFFICIALS, None),
    "desk-log": (OFFICIALS, None),
    "desk-setup": (DIRECTOR, DIRECTOR),
    "desk-options": (DIRECTOR, DIRECTOR),
    "officials": (None, DIRECTOR),
    "official-dismissal": (None, DIRECTOR),
    "desk-teams": (DIRECTOR, DIRECTOR),
    "team-numbers": (None, DIRECTOR),
    "desk-team": (DIRECTOR, DIRECTOR),
    "team-paid": (None, DIRECTOR),
    "team-pot": (None, DIRECTOR),
    "team-withdrawal": (None, DIRECTOR),
    "team-comeback": (None, DIRECTOR),
    "team-removal": (None, DIRECTOR),
    "team-substitute": (None, DIRECTOR),
    "team-merger": (None, DIRECTOR),
    "round-clock": (None, DIRECTOR),
    "round-time": (None, DIRECTOR),
    "round-late": (None, DIRECTOR),
    "round-swap": (DIRECTOR, DIRECTOR),
    "desk-people": (DIRECTOR, None),
    "people-search": (None, DIRECTOR),
    "player-link": (None, DIRECTOR),
    "player-person": (None, DIRECTOR),
    "person-wish": (None, DIRECTOR),
    "row-wish": (None, DIRECTOR),
    "kept-wish": (None, DIRECTOR),
    "desk-roster": (DIRECTOR, DIRECTOR),
    "desk-draw": (DIRECTOR, DIRECTOR),
    "draw-removal": (None, DIRECTOR),
    "draw-by-hand": (DIRECTOR, DIRECTOR),
    "round-start": (None, DIRECTOR),
    "round-start-return": (None, DIRECTOR),
    "round-close": (None, DIRECTOR),
    "event-export": (DIRECTOR, None),
    "desk-standings": (OFFICIALS, None),
    "desk-pot": (OFFICIALS, None),
    "desk-playoffs": (OFFICIALS, None),
    "cut": (None, DIRECTOR),
    "tiebreak": (None, DIRECTOR),
    "tie-round": (None, DIRECTOR),
    "tie-end": (None, DIRECTOR),
    "placing": (None, DIRECTOR),
    "board-section": (None, DIRECTOR),
    "bracket-round": (None, DIRECTOR),
    "match-again": (None, DIRECTOR),
    "match-out": (None, DIRECTOR),
    "ending": (None, DIRECTOR),
    "desk-money": (DIRECTOR, None),
    "money-cash": (None, DIRECTOR),
    "money-team": (DIRECTOR, None),
    "money-payment": (None, DIRECTOR),
    "money-charge": (None, DIRECTOR),
    "money-refund": (None, DIRECTOR),
    "money-reversal": (DIRECTOR, DIRECTOR),
    "money-prizes": (None, DIRECTOR),
    "money-payout": (None, DIRECTOR),
    "receipt-pdf": (DIRECTOR, None),
    "desk-papers": (OFFICIALS, None),
    "sheets-pdf": (OFFICIALS, None),
    "blank-pdf": (OFFICIALS, None),
    "round-pdf": (OFFICIALS, None),
    "seating-pdf": (OFFICIALS, None),
    "game-pdf": (OFFICIALS, None),
    "workbook": (OFFICIALS, None),
    "event-list": (OFFICIALS, None),
    "event-pdf": (OFFICIALS, None),
    "unprinted-pdf": (None, OFFICIALS),
    "print-choice": (None, OFFICIALS),
    "print-job": (OFFICIALS, None),
    "one-paper": (OFFICIALS, None),
    "order-gone": (EVERYBODY, EVERYBODY),
    "desk-boards": (OFFICIALS, OFFICIALS),
    "blank-boards": (OFFICIALS, None),
    "round-boards": (OFFICIALS, None),
    "boards-entry": (None, OFFICIALS),
    "pictures": (EVERYBODY, None),
    "desk-tablets": (OFFICIALS, None),
    "desk-tablet-cards": (None, OFFICIALS),
    "desk-tablet-card": (None, OFFICIALS),
    "desk-tablet-further": (None, OFFICIALS),
    "desk-parked": (OFFICIALS, None),
    "parked-decision": (None, OFFICIALS),
    "desk-tablet-revocation": (None, OFFICIALS),
    "desk-tablet-return": (None, OFFICIALS),
    "practice": (EVERYBODY, None),
    "practice-entry": (None, EVERYBODY),
    "practice-preview": (None, EVERYBODY),
    "practice-undo": (None, EVERYBODY),
    "practice-seats": (None, EVERYBODY),
    "practice-signature": (None, EVERYBODY),
    "worker": (EVERYBODY, None),
    "pair": (EVERYBODY, EVERYBODY),
    "tablet": (TABLES, None),
    "tablet-key": (None, TABLES),
    "tablet-writer": (None, TABLES),
    "api-ping": (NOBODY, NOBODY),
    "api-state": (NOBODY, None),
    "api-known": (None, NOBODY),
    "api-submissions": (None, NOBODY),
    "tablet-preview": (TABLE, None),
    "tablet-time": (None, TABLE),
    "tablet-before": (None, TABLE),
    "tablet-notice": (None, TABLE | OFFICIALS),
}
# action: where it is done. A table's own address comes beside the desk's.
DONE_AT: dict[str, tuple[tuple[str, str], ...]] = {
    "see-event": (("get", "standings"),),
    "enter": (("get", "enter"), ("get", "entry")),
    "see-sign-ins": (("get", "sign-ins"),),
    "manage-accounts": (("get", "accounts"), ("post", "account-factor")),
    "manage-people": (("get", "people"), ("post", "person-merger")),
    "create-event": (("get", "event-new"),),
    "see-season": (("get", "season"), ("get", "season-file"), ("get", "partners-board")),
    "manage-seasons": (
        ("get", "seasons"),
        ("post", "season-events"),
        ("get", "season-dues"),
        ("get", "season-partners"),
    ),
    "archive": (("get", "event-archive"),),
    "delete": (("post", "event-deletion"),),
    "see-desk": (("get", "desk"),),
    "set-up": (("get", "desk-setup"),),
    "change-teams": (("get", "desk-teams"),),
    "check-in": (("get", "check-in"),),
    "check-in-desk": (("get", "desk-check-in"),),
    "draw": (("get", "desk-draw"),),
    "run-rounds": (("post", "round-close"),),
    "pair-tablets": (("get", "desk-tablets"),),
    "see-table": (("get", "desk-game"), ("get", "tablet-preview")),
    "record": (("post", "game-entry"), ("post", "tablet-time")),
    "seat": (("post", "game-seat"),),
    "seat-round": (("post", "round-seats"), ("post", "round-seats-return")),
    "call": (),
    "answer": (("post", "call-answer"), ("post", "call-way")),
    "sign": (),
    "paper-signatures": (("post", "game-paper-signatures"), ("post", "game-paper-signatures-return")),
    "witness": (("post", "game-witness"),),
    "rule": (("get", "game-ruling"),),
    "verify": (("get", "desk-verify"),),
    "correct": (("get", "game-revision"), ("get", "game-sheet")),
    "run-playoffs": (("post", "cut"),),
    "pay": (("get", "desk-money"),),
    "print": (("get", "desk-papers"),),
    "export": (("get", "event-export"),),
    "go-on": (("post", "copy-checked"), ("post", "this-laptop")),
    "see-log": (("get", "desk-log"),),
}
# What a table does by a message, with the key of its tablet: it has no page's address.
BY_MESSAGE = {"seat", "call", "sign"}
# The browser of each role of the table.
BROWSERS = {PUBLIC: "anonymous", TABLE_ROLE: "table", ACCOUNT: "stranger"}
REFUSED = {401, 403}


def named_patterns(patterns: list[Any]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from named_patterns(pattern.url_patterns)
        else:
            yield pattern


EVERY_PATTERN = list(named_patterns(get_resolver().url_patterns))
PATTERNS = {pattern.name: pattern for pattern in EVERY_PATTERN}


@pytest.fixture(scope="module")
def cookies(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, SimpleCookie]]:
    """A browser per role, made once: what a test does is taken back to here. The foreign ones are of another event."""
    with django_db_blocker.unblock(), transaction.atomic():
        dana, ray, vic, stranger = map(make_user, ("dana", "ray", "vic", "stranger"))
        people = {"stranger": stranger, "verifier": vic, "director": dana, "foreign-director": ray}
        browsers = {role: Client() for role in EVERYBODY}
        for role, user in {**people, "owner": make_user("otis", is_staff=True)}.items():
            browsers[role].force_login(user)
        season = Season.objects.create(slug="season-2026", name="Season 2026", dues_cents=2000)
        for role, name, director in (("table", "Columbus Open", dana), ("foreign-table", "Other Open", ray)):
            event = make_event(name, director=director, entries_from=timezone.now(), checks_in=True, season=season)
            facts = {"position": 1, "name": "Al Single", "key": "al single", "state": "asked"}
            entry = Registration.objects.create(event=event, **facts)
            token = fingerprint(f"{event.slug}-a-private-link")
            Player.objects.create(entry=entry, position=0, name="Al Single", key="al single", token_hash=token)
            make_round(event, [tuple(make_teams(event, 2))])
            browsers[role].cookies[TABLE_COOKIE] = pair_device(Actor(), issue_card(Actor(director), event, 1))
        Official.objects.create(event=Event.objects.get(name="Columbus Open"), user=vic, role="verifier")
        yield {role: browser.cookies for role, browser in browsers.items()}
        transaction.set_rollback(True)


@pytest.fixture
def game(cookies: dict[str, SimpleCookie], db: None) -> Game:
    return Game.objects.get(round__event__name="Columbus Open")


@pytest.fixture
def clients(game: Game, cookies: dict[str, SimpleCookie]) -> dict[str, Client]:
    browsers = {role: Client() for role in cookies}
    for role, browser in browsers.items():
        browser.cookies.update(cookies[role])
    return browsers


def address(name: str, event: Event, game: Game) -> str:
    known = {"slug": event.slug, "pk": game.pk, "number": 1, "position": 1, "table": 1, "user": 1, "kind": "csv"}
    if name in ("call-answer", "call-way") and (call := game.calls.first()):
        known["pk"] = call.pk
    known |= {
        "name": "standings",
        "job": "tonight",
        "form": "entries",
        "uidb64": "MQ",
        "token": f"{event.slug}-a-private-link" if name.startswith("entry") else "a-b",
    }
    known |= {"slug": "season-2026"} if name.startswith(("season-", "partners-")) or name == "season" else {}
    known |= {"key": "M1", "code": sheet_address_code(GAME, game.pk)}
    needed = PATTERNS[name].pattern.converters or PATTERNS[name].pattern.regex.groupindex
    given = {key: known[key] for key in known if key in needed}
    try:
        return reverse(name, kwargs=given)
    except NoReverseMatch:
        return reverse(name, kwargs=given | {"slug": event.slug})


# Addresses whose view names no action, and why not.
FOR_EVERYBODY = "everybody may see it"
BY_A_LINK = "whoever has its private link"
BY_A_TABLET = "the tablet's own key, or what it finds on the way"
SIGNING_IN = "whoever signs in"
WITHOUT_ACTION = {
    **dict.fromkeys(("events", "archive", "person", "manifest", "worker", "order-gone"), FOR_EVERYBODY),
    **dict.fromkeys(("alive", "ready", "trust", "trust-certificate"), FOR_EVERYBODY),
    **dict.fromkeys(("practice", "practice-entry", "practice-preview"), FOR_EVERYBODY),
    **dict.fromkeys(("practice-undo", "practice-seats", "practice-signature"), FOR_EVERYBODY),
    **dict.fromkeys(("sign-in", "sign-in-code", "second-factor", "sign-out"), SIGNING_IN),
    **dict.fromkeys(("password-forgotten", "password-sent", "password-new"), SIGNING_IN),
    **dict.fromkeys(("pair", "tablet", "tablet-key", "tablet-writer", "tablet-notice"), BY_A_TABLET),
    **dict.fromkeys(("api-submissions", "api-known", "api-state", "api-ping"), BY_A_TABLET),
    "entry": BY_A_LINK,
    "sheet-code": "its event is found by the code on the paper, then asked for",
}


def test_every_view_names_the_action_it_asks_for() -> None:
    asked = {str(pattern.name): getattr(pattern.callback, "action", None) for pattern in EVERY_PATTERN}
    without = sorted(name for name, action in asked.items() if action is None)
    decorators = "@on_site, @in_event, @in_season, @on_game, @at_desk, @on_form, @on_sheet or @at_table"
    assert without == sorted(WITHOUT_ACTION), f"Name the action above the view with {decorators}, or say why not."
    assert {action for action in asked.values() if action} <= set(ACTIONS)


def test_every_address_has_a_row() -> None:
    assert sorted(str(pattern.name) for pattern in EVERY_PATTERN) == sorted(ADDRESSES)


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_address_answers_only_those_who_may(name: str, game: Game, clients: dict[str, Client]) -> None:
    url = address(name, game.round.event, game)
    for method, allowed in zip(("get", "post"), ADDRESSES[name], strict=True):
        before = Journal.objects.count(), Entry.objects.count()
        for role in sorted(EVERYBODY, key=lambda role: (allowed is not None and role in allowed, role)):
            status, location = ask(clients[role], method, url)
            assert status < 500, (method, role, status)
            if allowed is None:
                continue
            if role in allowed:
                assert status not in REFUSED and "/sign-in/" not in location, (method, role, status, location)
            else:
                assert not is_answered(status, location), (method, role, status, location)
                assert (Journal.objects.count(), Entry.objects.count()) == before, (method, role)


class Missing(str):
    """Replaces what a template names but does not get, and notes the name: Django fills its “%s” in."""

    noted: set[str]

    def __mod__(self, name: object) -> str:
        self.noted.add(str(name))
        return ""


def test_every_name_in_a_template_is_there(
    game: Game, clients: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every role, of an event in play and of one that is over."""
    missing, over = Missing("%s"), import_event(Actor(User.objects.get(username="dana")), demo())
    missing.noted = set()
    monkeypatch.setattr(Engine.get_default(), "string_if_invalid", missing)
    visits = [(role, game) for role in ("director", "owner", "table", "anonymous")]
    visits += [("director", sure(Game.objects.filter(round__event=over).first()))]
    pages = [name for name in ADDRESSES if name != "sign-out" and not name.endswith("-pdf")]
    for (role, target), name, method in product(visits, pages, ("get", "post")):
        with transaction.atomic():
            ask(clients[role], method, address(name, target.round.event, target))
            transaction.set_rollback(True)
    optional = "write an optional one {% firstof name %}, or values|at:…"
    assert not missing.noted, f"Templates name what is not there: correct it, or {optional}: {missing.noted}"


@pytest.mark.parametrize("action", ACTIONS)
def test_action_is_done_by_the_roles_of_the_table(action: str, game: Game, clients: dict[str, Client]) -> None:
    call_director(Actor(), game, "renege")
    done = {
        role
        for method, name in DONE_AT[action]
        for role in ROLES
        if is_answered(*ask(clients[BROWSERS.get(role, role)], method, address(name, game.round.event, game)))
    }
    if action in BY_MESSAGE:
        done |= {role for role in ROLES if is_taken(clients[BROWSERS.get(role, role)], action, game)}
    _, allowed = ACTIONS[action]
    assert done == allowed


def test_an_event_that_is_being_set_up_is_not_there_for_strangers(game: Game, clients: dict[str, Client]) -> None:
    """Until its first round is drawn: then phones and projector say who sits where."""
    event = game.round.event
    pages = [reverse(name, args=[event.slug]) for name in ("standings", "teams", "board", "event-picture", "rules")]
    Event.objects.filter(pk=event.pk).update(stage="setup")
    assert {clients["stranger"].get(path).status_code for path in pages} == {200}
    event.rounds.all().delete()
    for role, client in clients.items():
        seen = 200 if role in ("verifier", "director", "table") else 404
        # The event takes entries: its own address leads to the entry page for now.
        first, *others = [client.get(path).status_code for path in pages]
        assert (first, {*others}) == (302 if seen == 404 else 200, {seen}), role
    Event.objects.filter(pk=event.pk).update(entries_from=None)
    assert {clients["stranger"].get(path).status_code for path in pages} == {404}


def test_who_watches_the_site_needs_no_name_and_no_cookie(
    clients: dict[str, Client], monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(settings, "SECURE_SSL_REDIRECT", True)
    for client in clients.values():
        with django_assert_num_queries(0):
            alive = client.get("/alive/", headers={"host": "10.0.0.9:8001"})
        assert (alive.json(), "no-store" in alive["Cache-Control"]) == ({"alive": True}, True)
        with django_assert_num_queries(4):
            ready = client.get("/ready/", headers={"host": "10.0.0.9:8001"})
        parts = dict.fromkeys(("database", "migrations", "folder", "disk"), "ok")
        assert (ready.status_code, ready.json(), len(ready.cookies)) == (200, {"ready": True, **parts}, 0)


@pytest.mark.parametrize(
    ("patched", "value", "part"),
    [
        ("tournament.queries.health.why_other", lambda: "NEWER", "migrations"),
        ("tournament.site.data_folder.LEAST_ROOM", 2**62, "disk"),
        ("os.access", lambda *asked: False, "folder"),
    ],
)
def test_what_cannot_take_a_hand_is_not_ready(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, patched: str, value: Any, part: str
) -> None:
    monkeypatch.setattr(patched, value)
    answer = client.get("/ready/")
    wrong = [name for name, state in answer.json().items() if state not in ("ok", False)]
    assert (answer.status_code, wrong, client.get("/alive/").status_code) == (503, [part], 200)


def test_the_page_about_security_shows_the_table_of_access() -> None:
    lines = ["| action | " + " | ".join(ROLES) + " |", "|---|" + "---|" * len(ROLES)]
    for words, allowed in ACTIONS.values():
        lines.append(f"| {words} | " + " | ".join("yes" if role in allowed else "" for role in ROLES) + " |")
    page = Path(settings.ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "\n".join(lines) in page


@pytest.mark.parametrize(
    ("role", "path", "kept"),
    [
        ("anonymous", "/sign-in/", "max-age=0, no-cache, no-store, must-revalidate, private"),
        ("anonymous", "/no-such-page/", "private, no-cache"),
        ("director", "/desk/columbus-open/", "no-store"),
        ("director", "/no-such-page/", "no-store"),
        ("table", "/t/table/", "no-store"),
    ],
)
def test_what_only_some_may_see_is_kept_nowhere(clients: dict[str, Client], role: str, path: str, kept: str) -> None:
    assert clients[role].get(path)["Cache-Control"] == kept


def test_an_action_that_is_not_listed_is_a_mistake(game: Game) -> None:
    for actor in (Actor(), Actor(make_user("root", is_superuser=True))):
        with pytest.raises(KeyError):
            may(actor, "no-such-action", game.round.event)
        with pytest.raises(KeyError):
            require(actor, "no-such-action", game.round.event)


def is_taken(client: Client, kind: str, game: Game) -> bool:
    """Whether a message comes to the table's game; a browser without a tablet's key has none to send (`api-` above)."""
    if TABLE_COOKIE not in client.cookies:
        return False
    form = {"side": "0", "kind": "renege", "name": "Ann 1"}
    return send(client, kind, game, form)["code"] not in {"no-game", "other-table", "former-device"}


def is_answered(status: int, location: str) -> bool:
    """Whether an answer is more than a refusal, a sign-in page or the way to a tablet's own page."""
    return status not in REFUSED | {404} and "/sign-in/" not in location and "/t/" not in location


def ask(client: Client, method: str, url: str) -> tuple[int, str]:
    """What was answered, and where to. Every answer says whether it may be kept."""
    response = getattr(client, method)(url)
    assert response.headers["Cache-Control"]
    return response.status_code, response.headers.get("Location", "")


def test_the_account_of_the_installation_owns_and_directs_everything(game: Game) -> None:
    """The first start makes it; nobody appointed it to an office."""
    client, event = Client(), game.round.event
    client.force_login(make_user("root", is_superuser=True))
    asked = {name: allowed for name, (allowed, _) in ADDRESSES.items() if allowed is not None}
    let_in = set()
    for name in asked:
        status, location = ask(client, "get", address(name, event, game))
        # What is not there was looked for.
        if status == 404 or is_answered(status, location):
            let_in.add(name)
    assert {"event-new", "desk", "desk-setup", "desk-money"} <= let_in
    assert let_in == {name for name in asked if asked[name] & {"director", "owner"}}
