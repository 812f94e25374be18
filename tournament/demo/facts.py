"""What stands on the doors of the demo: how far the evening is, who is calling, who sits at the table."""

from __future__ import annotations

from typing import NamedTuple

from tournament.demo.evenings import TABLE, is_over
from tournament.models import Call, Event, Game, Side


class Doors(NamedTuple):
    """The evening behind the doors; `over` says that it can be begun again."""

    event: Event
    over: bool
    desk: str
    table: int
    tablet: str


def doors_of(event: Event) -> Doors:
    """The doors as they are at this moment: a constant number of queries."""
    return Doors(event, is_over(event), _at_the_desk(event), TABLE, _at_the_table(event))


def phone_of(event: Event) -> int:
    """The team whose page a player looks at: one of the table's, or else the first of the list."""
    sides = Side.objects.filter(game__round__event=event, game__table=TABLE, game__round__state="running")
    found = sides.order_by("index").values_list("team__number", flat=True).first()
    return found or event.teams.order_by("number").values_list("number", flat=True)[0]


def _at_the_desk(event: Event) -> str:
    running = event.rounds.filter(state="running").first()
    state = f"in {_small(str(running))}" if running else event.get_stage_display().lower()
    call = Call.objects.filter(game__round__event=event, answered_at=None).select_related("game").first()
    calling = f" Table {call.game.table} is calling you: {call.get_kind_display().lower()}." if call else ""
    return f"{event.teams.count()} teams, {state}.{calling}"


def _at_the_table(event: Event) -> str:
    games = Game.objects.filter(round__event=event, round__state="running", table=TABLE).select_related("result")
    game = games.prefetch_related("sides__team").first()
    if game is None or game.state == "final":
        return "The next game begins here as soon as it is started at the desk."
    names = " against ".join(side.team.name for side in sorted(game.sides.all(), key=lambda side: side.index))
    if game.state == "to-sign":
        return f"{names}: the game is over, both sides sign."
    return f"{names}, hand {game.result.hands + 1}. Four taps a hand."


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]
