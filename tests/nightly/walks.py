"""Walks of a table and the desk by chance, as `finals.py` says it."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count

from tests.factories import make_event, make_round, make_teams, make_user
from tournament.access import Actor
from tournament.errors import DomainError
from tournament.models import Device, Entry, Game, Player, Result, Signature
from tournament.queries.scored import active_entries
from tournament.services.corrections import apply_ruling, correct_sheet
from tournament.services.devices import issue_card, pair_device
from tournament.services.entries import record_entry, undo_entry
from tournament.services.rounds import begin_from_paper
from tournament.services.signatures import (
    note_paper_signatures,
    sign_sheet,
    take_paper_signatures_back,
    take_signature_back,
)

LONGEST = 14
# This many of the walks that reach a final game go on with it.
GO_ON = 0.3
SHOWN = 10_000
HANDS: tuple[dict[str, Any], ...] = (
    {"entry": "hand", "seat": 0, "bid": "4", "books": 11},
    {"entry": "hand", "seat": 1, "bid": "4", "books": 11},
    {"entry": "hand", "seat": 2, "bid": "2", "books": 8},
    {"entry": "void", "rule": "18"},
)
RULINGS: tuple[dict[str, Any], ...] = (
    {"entry": "award", "rule": "46", "to": 1},
    {"entry": "ruling", "rule": "20", "choice": "warning", "side": 0},
    {"entry": "ruling", "rule": "41", "choice": "game", "side": 1},
)


class Table(NamedTuple):
    """A game with its tablet, and the desk."""

    game: Game
    tablet: Actor
    desk: Actor


class Look(NamedTuple):
    """What is seen before an act: the code, position and revision of every line that counts; and what chance brings."""

    table: Table
    stand: Stand
    lines: tuple[tuple[int, int], ...]
    chance: random.Random

    @property
    def code(self) -> str:
        """The code of the current sheet, or sometimes of another one."""
        real = self.stand.code
        return real if self.chance.random() < 0.9 else "0" * len(real)


class Step(NamedTuple):
    """A service, who calls it, and what is said."""

    service: Callable[..., object]
    actor: Actor
    said: dict[str, Any]

    @property
    def name(self) -> str:
        return self.service.__name__

    def __str__(self) -> str:
        return f"{self.name} by {'desk' if self.actor.person else 'tablet'} {self.said}"


class Stand(NamedTuple):
    """The state of a game, and what every act that leaves something changes."""

    state: str
    version: int
    event_version: int
    acts: int
    code: str


def write(look: Look) -> Step:
    actor = look.chance.choice((look.table.tablet, look.table.desk))
    return Step(record_entry, actor, {"facts": look.chance.choice(HANDS)})


def undo(look: Look) -> Step:
    return Step(undo_entry, look.table.tablet, {"position": look.lines[-1][0] if look.lines else 1})


def sign(look: Look) -> Step:
    side = look.chance.randrange(2)
    name = look.chance.choice((f"Ann {side + 1}", f"Ann {side + 1}", f"Ann {2 - side}", "Nobody"))
    return Step(sign_sheet, look.table.tablet, {"side": side, "name": name, "code": look.code})


def take_back(look: Look) -> Step:
    return Step(take_signature_back, look.table.tablet, {"side": look.chance.randrange(2)})


def witness(look: Look) -> Step:
    side, reason = look.chance.randrange(2), look.chance.choice(("", " ", "the tablet broke"))
    return Step(sign_sheet, look.table.desk, {"side": side, "name": "dana", "code": look.code, "reason": reason})


def on_paper(look: Look) -> Step:
    return Step(note_paper_signatures, look.table.desk, {"code": look.code})


def paper_back(look: Look) -> Step:
    return Step(take_paper_signatures_back, look.table.desk, {"code": look.code})


def rule(look: Look) -> Step:
    return Step(apply_ruling, look.table.desk, {"facts": look.chance.choice(RULINGS)})


def correct(look: Look) -> Step:
    position, revision = look.chance.choice(look.lines or ((1, 0),))
    facts, reason = look.chance.choice((*HANDS, None)), look.chance.choice(("", "as on the film"))
    correction = {"position": position, "revision": revision, "facts": facts, "reason": reason}
    return Step(correct_sheet, look.table.desk, correction)


Act = Callable[[Look], Step]
ACTS: tuple[Act, ...] = (
    write,
    write,
    write,
    undo,
    sign,
    sign,
    sign,
    sign,
    take_back,
    witness,
    on_paper,
    paper_back,
    rule,
    correct,
)


def unsigned(game: Game) -> str:
    """Why a final game must not be final, or nothing. Read from the rows, by nothing that the site counts with."""
    result = Result.objects.get(game=game)
    for side in game.sides.all():
        last = Signature.objects.filter(game=game, side=side.index, code=result.code).order_by("revision").last()
        if last is None or last.how == "back":
            return f"side {side.index} has not signed {result.code}"
        players = Player.objects.filter(team=side.team_id).values_list("name", flat=True)
        if last.witness_id is None and last.name not in players:
            return f"{last.name} is no player of side {side.index}"
        if last.witness_id is not None and not last.reason and last.how != "paper":
            return f"a witness of side {side.index} gave no reason"
    return "" if result.over else "the game is not over"


def stand(game: Game) -> Stand:
    acts = Count("round__event__journal")
    return Stand(
        *Game.objects.values_list("state", "version", "round__event__version", acts, "result__code").get(pk=game.pk)
    )


class Walks:
    """Walks of one table. `ways` counts after what a walk stood at a final game; `done` and `refused` count acts."""

    def __init__(self, table: Table, seed: int, acts: Sequence[Act] = ACTS) -> None:
        self.table, self.acts, self.chance = table, acts, random.Random(seed)
        self.ways, self.wrong = Counter[str](), list[str]()
        self.over = self.done = self.refused = 0

    def go(self, walks: int) -> list[str]:
        """What was wrong, each with the way to it. Everything is taken back."""
        with transaction.atomic():
            self._on([LONGEST] * walks, stand(self.table.game), ())
            transaction.set_rollback(True)
        return self.wrong

    def _on(self, left: list[int], before: Stand, path: tuple[Step, ...]) -> None:
        """Go on with walks that have reached the same rows; `left` is how many acts each of them still does."""
        look, same = self._look(before), set[str]()
        while left:
            together: dict[str, tuple[Step, list[int]]] = {}
            for more in left:
                step = self.chance.choice(self.acts)(look)
                together.setdefault(str(step), (step, []))[1].append(more - 1)
            left = []
            for said, (step, those) in together.items():
                if said not in same:
                    with transaction.atomic():
                        carried, way = self._do(step), (*path, step)
                        after = stand(self.table.game)
                        self._ask(before, after, carried, way)
                        if not carried or after == before._replace(event_version=after.event_version):
                            same.add(said)
                        elif rest := self._rest(after.state, those, step):
                            self._on(rest, after, way)
                        transaction.set_rollback(True)
                if said in same:
                    left += self._rest(before.state, those, step)

    def _look(self, before: Stand) -> Look:
        lines = active_entries(Entry.objects.filter(game=self.table.game))
        return Look(self.table, before, tuple((line.position, line.revision) for line in lines), self.chance)

    def _do(self, step: Step) -> bool:
        self.done += 1
        try:
            step.service(step.actor, self.table.game, **step.said)
        except DomainError:
            self.refused += 1
            return False
        return True

    def _ask(self, before: Stand, after: Stand, carried: bool, way: tuple[Step, ...]) -> None:
        wrong = unsigned(self.table.game) if after.state == "final" else ""
        if not carried and after != before:
            wrong = "it was refused, and yet something is different"
        if wrong:
            self.wrong.append(f"{wrong}: {'; '.join(map(str, way))}")

    def _rest(self, state: str, those: list[int], step: Step) -> list[int]:
        """The walks that go on after a step."""
        if state == "final":
            self.ways[step.name] += len(those)
        rest = [more for more in those if more and (state != "final" or self.chance.random() < GO_ON)]
        before, self.over = self.over, self.over + len(those) - len(rest)
        if before // SHOWN != self.over // SHOWN:
            print(f"{self.over:,} walks, {self.done:,} acts", file=sys.stderr, flush=True)
        return rest


def a_table() -> Table:
    desk = Actor(make_user("dana"))
    event = make_event("Walks", desk.account)
    first, two = make_teams(event, 2)
    game = make_round(event, [(first, two)]).games.get()
    begin_from_paper(desk, game, 0)
    pair_device(Actor(), issue_card(desk, event, 1))
    tablet = Actor(device=Device.objects.select_related("event").get())
    loaded = Game.objects.select_related("round__event").get(pk=game.pk)
    return Table(loaded, tablet, desk)
