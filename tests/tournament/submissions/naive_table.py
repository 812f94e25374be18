"""One table on the sheet of 2021 as a child would keep it: lines on a piece of paper, names under it, a pile of notes.

It knows straight bids that are made or set, odd, hands that do not count and warnings; nothing of the program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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
        """Write a line anew (None takes it off); lines behind the end go aside, and come back when it goes on."""
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
    """The first line that stands behind the one that won the game."""
    for place in sorted(lines):
        if score({at: facts for at, facts in lines.items() if at < place})[1] is not None:
            return place
    return None
