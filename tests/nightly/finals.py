"""Random walks of a table and the desk to a final game: never without both signatures under its sheet.

    python -m tests.nightly.finals [--walks 100000] [--seed 1]

A signature is a player's own on the tablet, or an official's who says why, or who has seen it on paper. After every
act, carried out or refused, it is asked of the rows alone.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tournament.access import Actor
    from tournament.models import Game

LONGEST = 14
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
    chance: random.Random

    @property
    def code(self) -> str:
        """Of the sheet as it stands, or sometimes of another one."""
        from tournament.models import Result

        real = Result.objects.get(game=self.game).code
        return real if self.chance.random() < 0.9 else "0" * len(real)


def write(table: Table) -> None:
    from tournament.services.entries import record_entry

    record_entry(table.chance.choice((table.tablet, table.desk)), table.game, table.chance.choice(HANDS))


def undo(table: Table) -> None:
    from tournament.services.entries import undo_entry

    undo_entry(table.tablet, table.game, position=table.game.entries.count())


def sign(table: Table) -> None:
    from tournament.services.signatures import sign_at_table

    side = table.chance.randrange(2)
    name = table.chance.choice((f"Ann {side + 1}", f"Ann {side + 1}", f"Ann {2 - side}", "Nobody"))
    sign_at_table(table.tablet, table.game, side=side, name=name, code=table.code)


def take_back(table: Table) -> None:
    from tournament.services.signatures import take_signature_back

    take_signature_back(table.tablet, table.game, table.chance.randrange(2))


def witness(table: Table) -> None:
    from tournament.services.signatures import sign_sheet

    side, reason = table.chance.randrange(2), table.chance.choice(("", " ", "the tablet broke"))
    sign_sheet(table.desk, table.game, side=side, name="dana", code=table.code, reason=reason)


def on_paper(table: Table) -> None:
    from tournament.services.signatures import note_paper_signatures

    note_paper_signatures(table.desk, table.game, table.code)


def paper_back(table: Table) -> None:
    from tournament.services.signatures import take_paper_signatures_back

    take_paper_signatures_back(table.desk, table.game, table.code)


def rule(table: Table) -> None:
    from tournament.services.rulings import apply_ruling

    apply_ruling(table.desk, table.game, table.chance.choice(RULINGS))


def correct(table: Table) -> None:
    from tournament.models import Entry
    from tournament.queries.scored import active_entries
    from tournament.services.corrections import correct_sheet

    lines = active_entries(Entry.objects.filter(game=table.game))
    if not lines:
        return
    line, reason = table.chance.choice(lines), table.chance.choice(("", "as on the film"))
    facts = table.chance.choice((*HANDS, None))
    correct_sheet(table.desk, table.game, position=line.position, revision=line.revision, facts=facts, reason=reason)


ACTS: tuple[Callable[[Table], None], ...] = (
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
    from tournament.models import Game, Player, Result, Signature

    if Game.objects.values_list("state", flat=True).get(pk=game.pk) != "final":
        return ""
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


def walk(table: Table, ways: Counter[str]) -> str:
    """Act until the game is final, and sometimes on; what was wrong, or nothing. Everything is taken back."""
    from django.db import transaction

    from tournament.models import Game
    from tournament.refusals import Refusal

    path: list[str] = []
    with transaction.atomic():
        for _ in range(LONGEST):
            act = table.chance.choice(ACTS)
            path.append(act.__name__)
            try:
                act(table)
            except Refusal:
                path[-1] += "!"
            if wrong := unsigned(table.game):
                return f"{wrong}: {' '.join(path)}"
            if Game.objects.filter(pk=table.game.pk, state="final").exists():
                ways[act.__name__] += 1
                if table.chance.random() < 0.7:
                    break
        transaction.set_rollback(True)
    return ""


def a_table(seed: int) -> Table:
    from tests.factories import make_event, make_round, make_teams, make_user
    from tournament.access import Actor
    from tournament.models import Device, Game
    from tournament.services.devices import issue_card, pair_device
    from tournament.services.seating import begin_from_paper

    desk = Actor(make_user("dana"))
    event = make_event("Walks", desk.account)
    one, two = make_teams(event, 2)
    game = make_round(event, [(one, two)]).games.get()
    begin_from_paper(desk, game, 0)
    pair_device(Actor(), issue_card(desk, event, 1))
    tablet = Actor(device=Device.objects.select_related("event").get())
    loaded = Game.objects.select_related("round__event").get(pk=game.pk)
    return Table(loaded, tablet, desk, random.Random(seed))


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.nightly.finals")
    options.add_argument("--walks", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    from tests.benchmarks.hall import open_site

    open_site()
    table, ways = a_table(chosen.seed), Counter[str]()
    wrong = [said for _ in range(chosen.walks) if (said := walk(table, ways))]
    print(*wrong[:5], sep="\n")
    ended = ", ".join(f"{count:,} by {name}" for name, count in sorted(ways.items()))
    print(f"{chosen.walks:,} walks, seen final after {ended}: {len(wrong)} without both signatures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
