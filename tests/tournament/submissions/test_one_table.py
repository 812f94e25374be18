"""One table, its two tablets and the desk do as they please, step by step, beside a naive table on paper.

UPTOWN_STEPS=20000 walks that many steps, different ones in every run."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tests.factories import make_round, make_teams, seat_all
from tournament.access import Actor
from tournament.errors import Conflict, ValidationFailed
from tournament.forms.messages import read_batch
from tournament.models import Call, Device, Entry, Event, Game, Signature, Submission
from tournament.queries.scored import active_entries
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.services.corrections import apply_ruling, bring_back, correct_sheet, withdraw_ruling
from tournament.services.devices import OutOfOrder, issue_card, issue_second_card, pair_device, take_over
from tournament.services.entries import record_entry, undo_entry
from tournament.services.rounds import answer_call, close_round
from tournament.services.signatures import rebuild_results
from tournament.services.submissions import decide, receive

Facts = dict[str, Any]
WRITTEN = ("hand", "void", "undo")
VOID: Facts = {"entry": "void", "rule": "18"}


@dataclass
class NaiveTable:
    """`lines` are the lines that count, by position; `aside` those that a correction put behind the end of the game.

    `signed` holds side and sheet of every signature; `notes` every message by uid, `parked` why it waits.
    """

    lines: dict[int, Facts] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    aside: dict[int, Facts] = field(default_factory=dict)
    signed: set[tuple[int, str]] = field(default_factory=set)
    notes: dict[str, dict[str, Any]] = field(default_factory=dict)
    parked: dict[str, str] = field(default_factory=dict)
    writer: str = "A"
    called: bool = False
    running: bool = True

    @property
    def sheet(self) -> str:
        return repr(sorted(self.lines.items()))

    @property
    def due(self) -> int:
        return max(self.lines, default=0) + 1

    @property
    def last(self) -> int:
        return max(self.lines, default=0)

    @property
    def winner(self) -> int | None:
        return score(self.lines)[1]

    @property
    def state(self) -> str:
        if self.winner is None:
            return "playing"
        return "final" if {(0, self.sheet), (1, self.sheet)} <= self.signed else "to-sign"

    # Each act says why it cannot be done; "" means that it is done.

    def receive(self, uid: str, note: dict[str, Any], tablet: str) -> str:
        """A message arrives; it is done, or put on the pile of what waits for the desk."""
        self.notes[uid] = note | {"tablet": tablet}
        self._try(uid)
        if uid not in self.parked:
            self._release(uid)
        return self.parked.get(uid, "")

    def record(self, facts: Facts, key: str = "") -> str:
        if not self._open():
            return "changed"
        if self.winner is not None:
            return "refused"
        place = self.due
        self.lines[place], self.keys[place] = facts, key
        self.aside.pop(place, None)
        return ""

    def undo(self) -> str:
        if not self._open() or not self.lines or self.lines[self.last]["entry"] == "ruling":
            return "changed"
        del self.lines[self.last]
        return ""

    def sign(self, side: int) -> str:
        if self.winner is None:
            return "changed"
        self.signed.add((side, self.sheet))
        return ""

    def call(self) -> str:
        if not self.running:
            return "changed"
        self.called = True
        return ""

    def correct(self, place: int, facts: Facts | None) -> str:
        """Replace a line (None removes it); lines after the end are set aside, and come back if the game goes on."""
        before, aside, was_final = dict(self.lines), dict(self.aside), self.state == "final"
        wanted = {at: one for at, one in (before | {place: facts}).items() if one is not None}
        behind = first_behind_the_end(wanted)
        for at in [one for one in wanted if behind is not None and one >= behind]:
            self.aside[at] = self.lines.pop(at)
        was_over = self.winner is not None
        self.lines = {at: one for at, one in wanted.items() if at in self.lines}
        self.keys[place] = ""
        if was_over and self.winner is None:
            self.bring_back()
        if was_final and self.winner is None and not self.running:
            self.lines, self.aside = before, aside
            return "refused"
        if was_final and self.winner is not None:
            self.signed |= {(0, self.sheet), (1, self.sheet)}
        return ""

    def bring_back(self) -> int:
        for count, place in enumerate(sorted(self.aside)):
            if place in self.lines or first_behind_the_end(self.lines | {place: self.aside[place]}) is not None:
                return count
            self.lines[place], self.keys[place] = self.aside.pop(place), ""
        return len(self.lines)

    def decide(self, uid: str, choice: str) -> str:
        note = self.notes[uid]
        if choice == "replace":
            if note["kind"] not in ("hand", "void"):
                return "refused"
            if note["position"] not in self.lines:
                return "changed"
            refused = self.correct(note["position"], note["facts"])
        else:
            refused = self._carry_out(uid, here=True) if choice == "apply" else ""
        if not refused:
            del self.parked[uid]
            self._release(uid)
        return refused

    def _try(self, uid: str) -> None:
        note = self.notes[uid]
        kind, before = note["kind"], note["after"]
        if not self.running:
            self.parked[uid] = "closed"
        elif self.state == "final" and kind in WRITTEN:
            self.parked[uid] = "final"
        elif note["tablet"] != self.writer and kind in WRITTEN:
            self.parked[uid] = "not-writer"
        elif kind != "call" and before is not None and (before not in self.notes or before in self.parked):
            self.parked[uid] = "waiting"
        elif code := self._carry_out(uid, here=False):
            self.parked[uid] = code

    def _carry_out(self, uid: str, here: bool) -> str:
        note = self.notes[uid]
        kind = note["kind"]
        if kind in ("hand", "void"):
            if not here and note["position"] != self.due:
                return "gap" if note["position"] > self.due else "conflict"
            return self.record(note["facts"], uid)
        if kind == "undo":
            if not self.lines or self.keys[self.last] != note["of"]:
                return "conflict"
            return "changed" if note["position"] != self.last else self.undo()
        if kind == "sign":
            if not here and note["lines"] != [self.keys[place] for place in sorted(self.lines)]:
                return "changed"
            return self.sign(note["side"])
        return self.call()

    def _release(self, uid: str) -> None:
        ready = [uid]
        for done in ready:
            for waits in [one for one, code in self.parked.items() if code == "waiting"]:
                if self.notes[waits]["after"] == done:
                    del self.parked[waits]
                    self._try(waits)
                    ready += [] if waits in self.parked else [waits]

    def _open(self) -> bool:
        return self.running and self.state != "final"


def score(lines: dict[int, Facts]) -> tuple[tuple[int, int], int | None]:
    """Points of both sides and who has won, hand by hand."""
    points, sets = [0, 0], [0, 0]
    winner, bonus = None, 0
    for _, facts in sorted(lines.items()):
        if facts["entry"] != "hand":
            continue
        side, bid, books = facts["seat"] % 2, int(facts["bid"]), facts["books"]
        if books >= 6 + bid:
            points[side] += books - 6
        else:
            points[side] -= bid
            sets[side] += 1
        if (bid == 1 and books < 7) or sets[side] == 2:
            winner, bonus = 1 - side, 5
        elif points[side] >= 5:
            winner = side
    if winner is not None:
        points[winner] += bonus
    return (points[0], points[1]), winner


def first_behind_the_end(lines: dict[int, Facts]) -> int | None:
    """The first line after the one that won the game."""
    for place in sorted(lines):
        if score({at: facts for at, facts in lines.items() if at < place})[1] is not None:
            return place
    return None


STEPS = int(os.environ.get("UPTOWN_STEPS", "0"))
IN_A_WALK = 40
WALKS = STEPS // IN_A_WALK if STEPS else 10
WARNING = {"entry": "ruling", "rule": "20", "choice": "warning", "side": 0}

hands = st.builds(
    lambda seat, bid: {"entry": "hand", "seat": seat, "bid": bid[0], "books": bid[1]},
    st.integers(0, 3),
    st.sampled_from([("1", 7), ("2", 8), ("2", 7), ("3", 9), ("4", 8), ("4", 11), ("1", 6)]),
)
tablets = st.sampled_from("AAB")
chance = st.floats(0, 1)


class OneTable(RuleBasedStateMachine):
    """The services beside the naive table; after every step both must say the same."""

    dana: Actor
    game: Game

    def __init__(self) -> None:
        super().__init__()
        self.block = transaction.atomic()
        self.block.__enter__()
        self.model = NaiveTable()
        self.uids = 0
        self.devices = {device.letter: device for device in Device.objects.all()}
        self.chain: dict[str, str | None] = {"A": None, "B": None}
        self.sent: list[tuple[str, dict[str, Any], str]] = []

    def teardown(self) -> None:
        """Entries and signatures alone decide: what was counted on the way is what a new count says."""
        rebuild_results(self.game.round.event)
        self.both_say_the_same()
        transaction.set_rollback(True)
        self.block.__exit__(None, None, None)

    # What comes from the tablets

    @rule(tablet=tablets, facts=hands, off=st.sampled_from([0, 0, 0, 0, -1, 1]), chained=chance)
    def hand(self, tablet: str, facts: dict[str, Any], off: int, chained: float) -> None:
        self._send(tablet, chained, "hand", position=max(0, self.model.due + off), facts=facts)

    @rule(tablet=tablets, chained=chance)
    def void(self, tablet: str, chained: float) -> None:
        self._send(tablet, chained, "void", position=self.model.due, rule="18")

    @rule(tablet=tablets, chained=chance, right=chance)
    def undo(self, tablet: str, chained: float, right: float) -> None:
        place = self.model.last
        of = self.model.keys[place] if self.model.lines and right < 0.8 else self._uid()
        self._send(tablet, chained, "undo", position=place, of=of)

    @rule(tablet=tablets, chained=chance, sides=st.sampled_from([[0], [1], [0, 1], [1, 0]]), right=chance)
    def sign(self, tablet: str, chained: float, sides: list[int], right: float) -> None:
        lines = [self.model.keys[place] for place in sorted(self.model.lines)]
        seen = lines if right < 0.9 else lines[1:]
        for side in sides:
            self._send(tablet, chained, "sign", side=side, name=f"Ann {side + 1}", lines=seen)

    @rule(tablet=tablets)
    def call(self, tablet: str) -> None:
        self._send(tablet, 1, "call", about="renege")

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        uid, item, tablet = data.draw(st.sampled_from(self.sent))
        [answer] = self._receive(tablet, item)
        stored = Submission.objects.get(uid=uid)
        assert (answer.status, answer.duplicate) == (stored.status, True)
        assert answer.code == self.model.parked.get(uid, "")

    @rule(tablet=tablets)
    def take_over(self, tablet: str) -> None:
        take_over(Actor(None, self.devices[tablet]), self.devices[tablet])
        self.model.writer = tablet

    # What the desk does

    @rule(facts=hands)
    def record_at_the_desk(self, facts: dict[str, Any]) -> None:
        self._same(self.model.record(facts), lambda: record_entry(self.dana, self.game, facts, source="desk"))

    @rule()
    def undo_at_the_desk(self) -> None:
        place = self.model.last
        self._same(self.model.undo(), lambda: undo_entry(self.dana, self.game, position=place, source="desk"))

    @rule()
    def warn(self) -> None:
        refused = self.model.record(WARNING)
        self.model.called &= bool(refused)
        self._same(refused, lambda: apply_ruling(self.dana, self.game, WARNING))

    @precondition(lambda self: WARNING in self.model.lines.values())
    @rule()
    def withdraw_the_warning(self) -> None:
        place = next(place for place, facts in sorted(self.model.lines.items()) if facts == WARNING)
        correction: dict[str, Any] = {"position": place, "revision": self._revision(place), "reason": "not said"}
        self._same(self.model.correct(place, None), lambda: withdraw_ruling(self.dana, self.game, **correction))

    @precondition(lambda self: self.model.lines)
    @rule(data=st.data(), facts=st.one_of(hands, st.just(VOID), st.none()))
    def correct(self, data: st.DataObject, facts: dict[str, Any] | None) -> None:
        place = data.draw(st.sampled_from(sorted(self.model.lines)))
        correction: dict[str, Any] = {"position": place, "revision": self._revision(place), "reason": "as on paper"}
        self._same(
            self.model.correct(place, facts), lambda: correct_sheet(self.dana, self.game, facts=facts, **correction)
        )

    @precondition(lambda self: self.model.aside and self.model.state != "final")
    @rule()
    def bring_back(self) -> None:
        refused = "" if self.model.bring_back() else "changed"
        self._same(refused, lambda: bring_back(self.dana, self.game, "they were played"))

    @precondition(lambda self: self.model.parked)
    @rule(data=st.data(), choice=st.sampled_from(["apply", "apply", "replace", "discard"]))
    def decide(self, data: st.DataObject, choice: str) -> None:
        uid = data.draw(st.sampled_from(sorted(self.model.parked, key=list(self.model.notes).index)))
        row = Submission.objects.get(uid=uid)
        self._same(self.model.decide(uid, choice), lambda: decide(self.dana, row, choice, "asked the table"))

    @precondition(lambda self: self.model.called)
    @rule()
    def answer(self) -> None:
        answer_call(self.dana, Call.objects.get(answered_at=None))
        self.model.called = False

    @precondition(lambda self: self.model.state == "final" and self.model.running)
    @rule()
    def close_the_round(self) -> None:
        close_round(self.dana, self.game.round.event, 1)
        self.model.running = False

    # What must be the same

    @invariant()
    def both_say_the_same(self) -> None:
        model = self.model
        entries = active_entries(Entry.objects.filter(game=self.game))
        assert {entry.position: _said(entry.facts) for entry in entries} == {
            place: _said(facts) for place, facts in model.lines.items()
        }
        for entry in entries:
            model.keys[entry.position] = model.keys[entry.position] or str(entry.client_key)
            assert model.keys[entry.position] == str(entry.client_key)
        game = sheet_games().get(pk=self.game.pk)
        points, winner = score(model.lines)
        assert (game.state, tuple(game.result.scores), game.result.winner) == (model.state, points, winner)
        signed = set(Signature.objects.filter(game=game, code=game_sheet(game).code).values_list("side", flat=True))
        assert signed == {side for side, sheet in model.signed if sheet == model.sheet}
        pending = Submission.objects.filter(status="parked").values_list("uid", "code")
        assert {str(uid): code for uid, code in pending} == model.parked
        assert Submission.objects.count() == len(model.notes)
        assert Call.objects.filter(answered_at=None).exists() == model.called
        assert Device.objects.get(writes=True).letter == model.writer

    def _send(self, tablet: str, chained: float, kind: str, **fields: Any) -> None:
        uid = self._uid()
        after = self.chain[tablet] if chained < 0.5 else None
        item = {"uid": uid, "kind": kind, "game": self.game.pk, "after": after, "at": 0, "n": 0, **fields}
        code = self.model.receive(uid, item | ({"facts": VOID} if kind == "void" else {}), tablet)
        [answer] = self._receive(tablet, item)
        assert (answer.status, answer.code) == (("parked", code) if code else ("applied", "")), answer
        if kind != "call":
            self.chain[tablet] = uid
        self.sent.append((uid, item, tablet))

    def _uid(self) -> str:
        self.uids += 1
        return str(uuid.UUID(int=self.uids))

    def _receive(self, tablet: str, item: dict[str, Any]) -> list[Any]:
        device = Device.objects.select_related("event").get(pk=self.devices[tablet].pk)
        return receive(Actor(None, device), read_batch(json.dumps({"items": [item]}).encode()).items)

    def _same(self, refused: str, act: Callable[[], object]) -> None:
        """The services do it, too; or refuse it for the same reason."""
        said = ""
        try:
            act()
        except OutOfOrder as refusal:
            said = refusal.code
        except Conflict:
            said = "changed"
        except ValidationFailed:
            said = "refused"
        assert said == refused

    def _revision(self, place: int) -> int:
        return next(
            entry.revision for entry in active_entries(Entry.objects.filter(game=self.game)) if entry.position == place
        )


def _said(facts: dict[str, Any]) -> dict[str, Any]:
    """The site adds a void hand's reason in words, and the dealer of a hand."""
    return {key: value for key, value in facts.items() if key not in ("reason", "dealer")}


@pytest.mark.long
def test_one_table_is_what_a_naive_table_says(dana: User, event: Event) -> None:
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    seat_all(game)
    pair_device(Actor(), issue_card(Actor(dana), event, 1))
    pair_device(Actor(), issue_second_card(Actor(dana), event, 1))
    OneTable.dana, OneTable.game = Actor(dana), Game.objects.select_related("round__event").get(pk=game.pk)
    run_state_machine_as_test(
        OneTable,
        settings=settings(
            max_examples=WALKS,
            stateful_step_count=IN_A_WALK,
            deadline=None,
            database=None,
            derandomize=not STEPS,
            suppress_health_check=list(HealthCheck),
        ),
    )
