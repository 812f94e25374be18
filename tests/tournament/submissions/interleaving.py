"""Two tablets at one table that do as they please at the same moment, and what must be true whatever came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

from tests.tournament.submissions.conftest import FOUR, THREE, TWO_SET, Tablet
from tournament.access import Actor
from tournament.models import Call, Device, Entry, Game, Signature, Submission
from tournament.queries.pending import pending
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import active_entries, score_rows
from tournament.queries.sheet import sheet_games, sheet_now
from tournament.services.devices import take_over
from tournament.services.signatures import refresh_result

ODD = {"entry": "hand", "seat": 0, "bid": "1", "books": 6}
STEPS = 3
Item = dict[str, Any]


@dataclass
class Scribe:
    """Somebody with a tablet. `sees` is the sheet as this tablet believes it to be."""

    tablet: Tablet
    chance: Random
    sent: dict[str, Item] = field(default_factory=dict)
    answers: dict[str, tuple[str, str]] = field(default_factory=dict)
    waiting: list[Item] = field(default_factory=list)
    sees: list[str] = field(default_factory=list)

    def act(self) -> None:
        """A few steps: look, write, undo, call, sign, take over; and send, some of it twice."""
        for _ in range(STEPS):
            if self.chance.random() < 0.5:
                self.sees = lines_of(self.tablet.game)
            self.chance.choice([self.write, self.write, self.void, self.undo, self.sign, self.call, self.take])()
            if self.chance.random() < 0.6:
                self.send()
        self.send()

    def write(self) -> None:
        facts = self.chance.choice([THREE, TWO_SET, FOUR, ODD])
        self.sees = [*self.sees, self._add("hand", position=len(self.sees) + 1, facts=facts)]

    def void(self) -> None:
        self.sees = [*self.sees, self._add("void", position=len(self.sees) + 1, rule="18")]

    def undo(self) -> None:
        """The last line; of an empty sheet one that was never written."""
        self._add("undo", position=max(1, len(self.sees)), of=self.sees[-1] if self.sees else str(uuid4()))
        self.sees = self.sees[:-1]

    def sign(self) -> None:
        for side in self.chance.sample([0, 1], self.chance.choice([1, 2])):
            self._add("sign", side=side, name=f"Ann {side + 1}", lines=list(self.sees))

    def call(self) -> None:
        self._add("call", about="renege")

    def take(self) -> None:
        take_over(Actor(None, self.tablet.device), self.tablet.device)

    def send(self) -> None:
        """Send what waits, and sometimes an earlier message again."""
        again = self.chance.sample(sorted(self.sent), min(len(self.sent), self.chance.choice([0, 0, 1, 2])))
        batch = [self.sent[uid] for uid in again] + self.waiting
        self.sent |= {item["uid"]: item for item in self.waiting}
        self.waiting = []
        if batch:
            for item, answer in zip(batch, self.tablet.results(*batch), strict=True):
                self.answers[item["uid"]] = answer

    def _add(self, kind: str, **fields: Any) -> str:
        # The tablet names what it wrote before as long as that is not with the desk.
        mine = [item for item in [*self.sent.values(), *self.waiting] if item["kind"] != "call"]
        good = [one for one in mine if self.answers.get(one["uid"], ("applied", ""))[0] == "applied"]
        item = self.tablet.item(kind, **fields) | {"after": good[-1]["uid"] if good else None}
        self.waiting.append(item)
        return str(item["uid"])


def lines_of(game: Game) -> list[str]:
    return [str(entry.client_key) for entry in active_entries(Entry.objects.filter(game=game))]


def begin_again(game: Game, writer: Tablet) -> None:
    """An empty sheet, nothing received; this tablet writes."""
    Submission.objects.all().delete()
    Call.objects.all().delete()
    Signature.objects.all()._raw_delete("default")
    Entry.objects.all()._raw_delete("default")
    Device.objects.update(writes=False)
    Device.objects.filter(pk=writer.device.pk).update(writes=True)
    refresh_result(game)


def check(game: Game, *scribes: Scribe) -> Counter[str]:
    """Everything that was sent is in one place, and the sheet is what was applied, in order; gives what came of all."""
    sent = {uid: item for scribe in scribes for uid, item in scribe.sent.items()}
    answers = {uid: answer for scribe in scribes for uid, answer in scribe.answers.items()}
    rows = {str(row.uid): row for row in Submission.objects.all()}
    assert set(rows) == set(sent) == set(answers)
    assert {row.status for row in rows.values()} <= {"applied", "parked"}
    applied = {uid for uid, row in rows.items() if row.status == "applied"}
    waiting = {uid: row for uid, row in rows.items() if row.status == "parked"}
    assert all(row.code and row.reason for row in waiting.values())
    assert sum(1 + len(row.behind) for row in pending(game.round.event).rows) == len(waiting)
    for uid, (status, code) in answers.items():
        # Nothing that was received ever goes back to the desk; what waited may have gone on since.
        assert (status, code) == (rows[uid].status, rows[uid].code) or (status, code) == ("parked", "waiting")
    lines = _fold(game, sent, applied)
    _check_sheet(game, sent, lines)
    _check_signatures(game, [sent[uid] for uid in applied if sent[uid]["kind"] == "sign"], lines)
    called = any(sent[uid]["kind"] == "call" for uid in applied)
    assert Call.objects.filter(game=game, answered_at=None).count() == called
    return Counter(f"{sent[uid]['kind']} {row.code or row.status}" for uid, row in rows.items())


def _fold(game: Game, sent: dict[str, Item], applied: set[str]) -> list[str]:
    """What the messages say, in the order in which they were written; each one fits at its place."""
    lines: list[str] = []
    written = [str(entry.client_key) for entry in Entry.objects.filter(game=game).order_by("pk")]
    assert sorted(written) == sorted(uid for uid in applied if sent[uid]["kind"] in ("hand", "void", "undo"))
    for uid in written:
        item = sent[uid]
        if item["kind"] == "undo":
            assert (item["position"], item["of"]) == (len(lines), lines[-1])
            lines.pop()
        else:
            assert item["position"] == len(lines) + 1
            lines.append(uid)
    return lines


def _check_sheet(game: Game, sent: dict[str, Item], lines: list[str]) -> None:
    loaded = sheet_games().get(pk=game.pk)
    rules = ruleset_of(game.round.event)
    void = {"entry": "void", "rule": "18"}
    alone = [
        Entry(position=number, kind=(facts := sent[uid].get("facts", void))["entry"], facts=facts)
        for number, uid in enumerate(lines, 1)
    ]
    carry = score_rows(game, rules, alone).carry
    assert lines_of(game) == lines
    assert (tuple(loaded.result.scores), loaded.result.over) == (tuple(carry.scores), carry.verdict is not None)


def _check_signatures(game: Game, signs: list[Item], lines: list[str]) -> None:
    """One signature for every side and sheet that was signed; a game is final when both signed the current sheet."""
    sheets = {(item["side"], tuple(item["lines"])) for item in signs}
    assert Signature.objects.filter(game=game).count() <= len(sheets)
    # What both have signed is final: nothing that came later was applied.
    assert [list(seen) for side, seen in sheets if side == 0 and (1, seen) in sheets] in ([], [lines])
    here = {side for side, seen in sheets if list(seen) == lines}
    game = Game.objects.get(pk=game.pk)
    sheet = sheet_now(game)
    signed = set(Signature.objects.filter(game=game, code=sheet.code).values_list("side", flat=True))
    assert here <= signed
    assert (game.state == "final") == (sheet.over and signed == {0, 1})
