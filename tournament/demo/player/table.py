"""What a table does next: sit down, name the dealer, write a hand, call the director, sign.

It follows from the sheet, so that whoever plays on after somebody else does the same.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import NamedTuple

from tournament.demo.player.hands import after, choose_hand
from tournament.demo.player.tablet import Messages
from tournament.models import Game
from tournament.queries.scored import active_entries
from tournament.queries.sheet import game_sheet
from tournament.queries.sheetfacts import GameSheet

RENEGE, SCORE = "renege", "score"
# What takes no time beside the hands of a hall: several of it happen between two hands.
HAND = "hand"


class Incidents(NamedTuple):
    """Each a table, or 0 for none."""

    late: int = 0
    call: int = 0
    renege: int = 0
    boston: int = 0


def incidents(seed: str, tables: Collection[int]) -> Incidents:
    """One of each at different tables, where there are enough of them."""
    drawn = Random(seed).sample(sorted(tables), min(len(tables), len(Incidents._fields)))
    return Incidents(*drawn) if len(drawn) == len(Incidents._fields) else Incidents()


class Table(NamedTuple):
    """A table in play, with what the round has in store for it. `game` comes from `sheet_games()`."""

    game: Game
    sheet: GameSheet
    seed: str
    incidents: Incidents
    is_time_for_late: bool

    @property
    def number(self) -> int:
        return self.sheet.table

    @property
    def waits_for_director(self) -> bool:
        """Whether the table cannot play on before the director was there."""
        return self.sheet.call is not None and self.sheet.call.kind == RENEGE and not self.sheet.over


def table_of(game: Game, seed: str, incidents: Incidents, *, is_time_for_late: bool) -> Table:
    return Table(game, game_sheet(game), f"{seed}/{game.round.number}/{game.table}", incidents, is_time_for_late)


def next_messages(table: Table, tries: int = 0) -> Messages:
    """What the table's tablet sends next; nothing where it waits. `tries` counts what was not taken before."""
    sheet = table.sheet
    said = Messages(sheet.pk, f"{table.seed}/{sheet.version}/{tries}")
    chance = Random(f"{table.seed}/{len(sheet.rows)}")
    if table.waits_for_director:
        return said
    if sheet.over:
        _sign(table, said, chance)
    elif sheet.unbegun and not sheet.begun:
        _sit_down(table, said, chance)
    elif about := _call_due(table):
        said.add("call", about=about)
    else:
        _write_hand(table, said, chance)
    return said


def _sit_down(table: Table, said: Messages, chance: Random) -> None:
    """Everybody but the late team; when all sit, the first dealer is named."""
    missing = [side.index for side in table.sheet.sides if side.seated_at is None]
    last = len(table.sheet.sides) - 1
    late = [last] if table.incidents.late == table.number and not table.is_time_for_late else []
    for side in missing:
        if side not in late:
            said.add("seat", side=side)
    if not set(missing) & set(late):
        said.add("dealer", seat=chance.randrange(len(table.sheet.seats)))


def _call_due(table: Table) -> str:
    """After the first hand, once a game: a renege holds the table until the director was there, a question does not."""
    if len(table.sheet.rows) != 1 or table.game.calls.all():
        return ""
    return {table.incidents.renege: RENEGE, table.incidents.call: SCORE}.get(table.number, "")


def _write_hand(table: Table, said: Messages, chance: Random) -> None:
    rules, carry = table.sheet.rules, table.sheet.scored.carry
    first = not table.sheet.rows
    facts = choose_hand(rules, carry, chance, boston=table.incidents.boston == table.number and not first)
    while first and table.number in table.incidents and after(rules, carry, facts).verdict is not None:
        # Something is to happen at this table after its first hand.
        facts = choose_hand(rules, carry, chance)
    said.add(HAND, position=table.sheet.next_position, facts=facts)


def _sign(table: Table, said: Messages, chance: Random) -> None:
    """One side after the other, as people do."""
    side = table.sheet.unsigned[0]
    lines = [str(entry.client_key) for entry in active_entries(table.game.entries.all())]
    said.add("sign", side=side.index, name=chance.choice(side.players or (side.name,)), lines=lines)
