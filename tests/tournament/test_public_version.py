"""Whatever changes a public page raises the event's public version; what no public page shows leaves it alone."""

from __future__ import annotations

import ast
import json
import re
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import resolve, reverse
from django.utils import timezone

from tests.factories import MADE_FIVE, code_of, make_event, make_round, make_teams, make_user, pairs_of, play
from tests.public import READ, addresses_in, asked_in, phone_of
from tests.sure import sure
from tournament import services
from tournament.access import Actor
from tournament.forms.messages import read_batch
from tournament.models import Call, Device, Event, Notice, Registration
from tournament.queries.standings import shown_standings, standings
from tournament.services import corrections, devices, draws, entries, events, mail, rounds, signatures
from tournament.services.corrections import acknowledge_notice
from tournament.services.submissions import receive
from tournament.services.transactions import Shown, writing
from tournament.urls import PUBLIC

SERVICES = Path(sure(services.__file__)).parent
# What differs each time: the version itself, and what a page of Django has of its own.
VERSION = re.compile(r"version=\d+")
# What is no page: nobody keeps it open.
FILES = {"event-picture"}


class Evening:
    """Game 1 is over, game 2 begins at three tables; a tablet is at table 1."""

    def __init__(self, dana: User) -> None:
        self.dana = Actor(dana)
        self.event = make_event("Watched", dana, rounds_planned=3, checks_in=True)
        pairs = pairs_of(make_teams(self.event, 6))
        self.event.teams.filter(number=1).update(here_at=timezone.now())
        self.stranger = phone_of(self.event.teams.get(number=1))
        first = make_round(self.event, pairs)
        for game in first.games.all():
            play(dana, game, MADE_FIVE)
        first.state = "closed"
        first.save()
        self.one, self.two, self.three = list(make_round(self.event, pairs, number=2).games.order_by("table"))
        self.old = first.games.get(table=1)
        self.entry = Registration.objects.create(
            event=self.event, position=1, name="Blues", key="blues", state="in", team=self.event.teams.first()
        )
        self.cards = list[str]()

    def tablet(self) -> Actor:
        return Actor(None, Device.objects.select_related("event").get(table=1, writes=True, revoked_at=None))

    def send(self, kind: str, uid: int, **fields: Any) -> None:
        item = {"uid": str(uuid.UUID(int=uid)), "kind": kind, "game": self.one.pk, "after": None, "at": 0, "n": 0}
        receive(self.tablet(), read_batch(json.dumps({"items": [item | fields]}).encode()).items)

    def pages(self) -> dict[str, str]:
        """What a stranger is shown now, everywhere."""
        paths = list(addresses_in(self.event, READ).values())
        paths += [f"{reverse('schedule', args=[self.event.slug])}?round=1"]
        paths += [reverse("team", args=[self.event.slug, number]) for number in (1, 2, 3, 5)]
        paths += [reverse("public-game", args=[self.event.slug, game.pk]) for game in (self.old, self.one, self.two)]
        paths += asked_in(self.event).values()
        return {path: VERSION.sub("", self.stranger.get(path).content.decode("latin-1")) for path in paths}

    def versions(self) -> tuple[int, int]:
        event = Event.objects.get(pk=self.event.pk)
        return event.version, event.public_version


def acts(evening: Evening) -> Iterator[tuple[str, Callable[[], object]]]:
    """What people do while a game is in play, one after the other."""
    dana, first, two = evening.dana, evening.one, evening.two
    yield "a first card", lambda: devices.issue_cards(dana, evening.event, [1])
    yield "another card", lambda: evening.cards.append(devices.issue_card(dana, evening.event, 1))
    yield "a tablet at its table", lambda: devices.pair_device(Actor(), evening.cards[-1])
    yield "a second card", lambda: devices.issue_second_card(dana, evening.event, 1)
    yield "a further tablet", lambda: devices.bind_further(Actor(), evening.event, 1)
    yield "the other one keeps score", lambda: devices.take_over(evening.tablet(), evening.tablet().tablet)
    yield "another code on the wall", lambda: events.change_wall_code(dana, evening.event)
    yield "a mail that could not be sent", lambda: mail.note_unsent(evening.event.pk, evening.entry)
    yield "told at the desk", lambda: mail.note_told(dana, evening.event, evening.entry)
    yield "a side sits down", lambda: rounds.seat_side(dana, first, 0)
    yield "the last side sits down", lambda: evening.send("seat", 1, side=1)
    yield "the last side gets up", lambda: rounds.unseat_side(dana, first, 1)
    yield "it sits down again", lambda: rounds.seat_side(dana, first, 1)
    yield "a first dealer", lambda: rounds.choose_first_dealer(dana, first, 1)
    yield "a call", lambda: rounds.call_director(dana, first, "renege")
    yield "a call taken back", lambda: rounds.withdraw_call(dana, first)
    yield "another call", lambda: rounds.call_director(dana, first, "renege")
    yield "on the way", lambda: rounds.go_to_call(dana, Call.objects.get(answered_at=None))
    yield "a call answered", lambda: rounds.answer_call(dana, Call.objects.get(answered_at=None))
    yield "a hand", lambda: evening.send("hand", 2, position=1, facts=hand(0))
    yield "the same hand again", lambda: evening.send("hand", 2, position=1, facts=hand(0))
    yield "another hand by that name", lambda: evening.send("hand", 2, position=1, facts=hand(1))
    yield "a hand in the wrong place", lambda: evening.send("hand", 3, position=7, facts=hand(0))
    yield "a hand at the desk", lambda: entries.record_entry(dana, first, hand(1))
    yield "an undo", lambda: entries.undo_entry(dana, first, position=2)
    # A lock that is taken has its own test, in submissions/test_bids.py: here one side wins an auction.
    yield "bids at a table that locks none", lambda: evening.send("bids", 4, position=2, bids=["2", "3"], agreed=False)
    yield "a hand at a table that sits", lambda: entries.record_entry(dana, first, hand(1))
    yield "a first hand at a table that does not sit", lambda: entries.record_entry(dana, two, hand(0))
    yield "the last hand", lambda: entries.record_entry(dana, first, MADE_FIVE)
    yield "a signature", lambda: signatures.sign_sheet(evening.tablet(), first, **signing(evening, 0))
    yield "a signature taken back", lambda: signatures.take_signature_back(evening.tablet(), first, 0)
    yield "it is given again", lambda: signatures.sign_sheet(evening.tablet(), first, **signing(evening, 0))
    yield "the last signature", lambda: signatures.sign_sheet(evening.tablet(), first, **signing(evening, 1))
    yield "the last hand of another table", lambda: entries.record_entry(dana, two, MADE_FIVE)
    yield "the director signs for all", lambda: signatures.sign_for_all(dana, two, "the team has left")
    correction: dict[str, Any] = {"position": 1, "revision": 0, "reason": "as on paper"}
    yield (
        "a result corrected",
        lambda: corrections.correct_sheet(dana, evening.old, facts=MADE_FIVE | {"bidder": 1}, **correction),
    )
    yield "a notice read", lambda: acknowledge_notice(dana, sure(Notice.objects.first()))
    yield "the desk types a game from paper", lambda: rounds.begin_from_paper(dana, evening.three, 0)
    yield "tablets withdrawn", lambda: devices.revoke_device(dana, evening.event, 1)
    yield "tablets put back", lambda: devices.put_back(dana, evening.event, 1)
    yield "the rest of the last table", lambda: play(sure(dana.person), evening.three, MADE_FIVE)
    yield "the game is closed", lambda: rounds.close_round(dana, evening.event, 2)
    yield "the next game is drawn", lambda: draws.draw_rounds(dana, evening.event, seed=1)
    yield "the next game starts", lambda: rounds.start_round(dana, evening.event, 3)


def hand(seat: int) -> dict[str, Any]:
    return {"entry": "hand", "seat": seat, "bid": "2", "books": 8}


def signing(evening: Evening, side: int) -> dict[str, Any]:
    return {"side": side, "name": f"Ann {side + 1}", "code": code_of(evening.one)}


@contextmanager
def seen_called(names: set[str]) -> Iterator[None]:
    """Notes the functions of the services that are called."""

    def note(frame: FrameType, event: str, _argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.parent == SERVICES:
            names.add(f"{path.stem}.{frame.f_code.co_name}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


def walk(evening: Evening) -> tuple[dict[str, tuple[set[str], bool]], set[str]]:
    """For each act which pages changed, and whether the public version did; and which services were called."""
    happened, called = {}, set[str]()
    pages, (_, public) = evening.pages(), evening.versions()
    for name, act in acts(evening):
        before = (pages, public)
        with seen_called(called):
            act()
        pages, (_, public) = evening.pages(), evening.versions()
        changed = {str(resolve(path.partition("?")[0]).url_name) for path in pages if pages[path] != before[0][path]}
        happened[name] = (changed, public != before[1])
        event = Event.objects.get(pk=evening.event.pk)
        assert shown_standings(event, Actor()).lines == standings(event).lines, name
    return happened, called


@pytest.fixture
def evening(db: None) -> Evening:
    return Evening(make_user("dana"))


def test_what_changes_a_public_page_raises_the_public_version(evening: Evening) -> None:
    happened, called = walk(evening)
    assert [name for name, (changed, raised) in happened.items() if changed and not raised] == []
    # The control: a version that never rises would keep all of this from the phones.
    assert {name for name, (changed, _) in happened.items() if changed} == {
        "the last side sits down",
        "the last side gets up",
        "it sits down again",
        "a first hand at a table that does not sit",
        "the last hand",
        "the last signature",
        "the last hand of another table",
        "the director signs for all",
        "a result corrected",
        "a notice read",
        "the desk types a game from paper",
        "the rest of the last table",
        "the game is closed",
        "the next game is drawn",
        "the next game starts",
    }
    quiet = {name for name, (_, raised) in happened.items() if not raised}
    assert {"a side sits down", "a hand", "an undo", "a call", "a signature", "a first card"} <= quiet
    # Every act that says how far it is seen was among them.
    assert says_less() - called == set()


def test_every_page_that_shows_a_game_follows(evening: Evening) -> None:
    """Whatever an act at a table or at the desk changed on it, an open page asks for: no list of pages says which."""
    happened, _ = walk(evening)
    changed = set[str]().union(*(pages for pages, _ in happened.values()))
    follows = {str(page.name) for page in PUBLIC if page.follows}
    assert sorted(changed - follows - FILES) == []
    # The control: all of them were changed, but the bracket, which is not drawn.
    assert sorted(follows - changed) == ["bracket"]


def says_less() -> set[str]:
    """The functions of the services that say of their writes that not everybody sees them."""
    found = set()
    for path in sorted(SERVICES.glob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and any(map(is_writing_less, ast.walk(function))):
                found.add(f"{path.stem}.{function.name}")
    return found


def is_writing_less(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "writing" and len(node.args) > 1


def test_every_version_rises_with_an_act_that_says_nothing(evening: Evening) -> None:
    event = Event.objects.get(pk=evening.event.pk)
    before = [getattr(event, name) for name in Shown.PUBLIC.raises]
    with writing(event):
        pass
    after = [getattr(Event.objects.get(pk=event.pk), name) for name in Shown.PUBLIC.raises]
    assert after == [number + 1 for number in before] == [getattr(event, name) for name in Shown.PUBLIC.raises]
