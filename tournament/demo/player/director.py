"""Dana at the desk: what the evening needs next, done with the desk's own forms, one at a time."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from tournament.demo.player.line import Connection
from tournament.demo.player.table import RENEGE
from tournament.models import Call, Event
from tournament.queries.next_act import next_act
from tournament.queries.playoffs import PlayoffsFacts, playoffs
from tournament.queries.rules import ruleset_of
from tournament.queries.rulings import likely_rulings
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet

Fields = Mapping[str, Any]
DONE = 302
WITNESS = "The players at the cut"
# A ruling that asks for more than it needs gets more than it asks for.
CONTRACT = {"bid": "2", "books": "7", "reason": "Both sides saw it"}


class Pace(NamedTuple):
    """How long the player waits, all in seconds.

    Between two hands; how long one table may hold the round alone before it is played, too; how late the late team
    comes; how long a call is open before somebody answers it.
    """

    hand: float
    alone: float = 60
    late: float = 90
    call: float = 9

    @property
    def words(self) -> str:
        return f"1 hand every {self.hand:g} s"


LOOKING_ON, DIRECTING, AT_ONCE = Pace(4), Pace(3), Pace(0, 0, 0, 0)


def open_calls(event: Event) -> QuerySet[Call]:
    """The calls that nobody has answered, by table; a game that is over may have one, too."""
    calls = Call.objects.filter(game__round__event=event, game__round__state="running", answered_at=None)
    return calls.select_related("game").order_by("game__table")


class Director:
    """Somebody who directs the event, with name and password. Pages and forms are those of everybody who directs."""

    def __init__(self, line: Connection, event: Event, person: tuple[str, str], pace: Pace) -> None:
        self.line, self.slug, self.person, self.pace = line, event.slug, person, pace
        self.chance = Random(event.slug)
        self.cookies: dict[str, str] = {}

    def act(self, event: Event) -> str:
        """Do the one thing that comes first; what it was, or nothing where nothing is to be done."""
        for call in open_calls(event):
            if said := self._answer(event, call):
                return said
        act = next_act(event)
        if act.waits:
            return ""
        if act.posts:
            return act.words if self._press(act.address, {}) else ""
        facts = playoffs(event)
        choose = CHOICES.get(facts.step)
        return act.words if choose and self._send(*choose(self, event, facts)) else ""

    def _answer(self, event: Event, call: Call) -> str:
        """Go to a table that has called for a while."""
        if (timezone.now() - call.called_at).total_seconds() < self.pace.call:
            return ""
        if call.kind == RENEGE and self._rule(event, game_sheet(sheet_games().get(pk=call.game_id))):
            return f"Table {call.game.table}: the director ruled on a renege"
        self._send("call-answer", {}, call.pk)
        return f"Table {call.game.table}: the director answered the call"

    def _rule(self, event: Event, sheet: GameSheet) -> bool:
        """Rule on the renege: the first choice of the sheet that fits what happened."""
        side = self.chance.randrange(len(sheet.sides))
        said = {"side": side, "bidder": 1 - min(side, 1), "position": sheet.next_position, **CONTRACT}
        for rule in likely_rulings(ruleset_of(event), RENEGE).first if not sheet.over else ():
            for choice in rule.choices:
                chosen = {"rule": rule.rule, "choice": choice.key, "client_key": uuid.uuid4()}
                if self._send("game-ruling", said | chosen, sheet.pk):
                    return True
        return False

    def _cut(self, event: Event, facts: PlayoffsFacts) -> tuple[str, Fields]:
        teams = sum(not line.gone for line in facts.table.lines)
        size = min(event.cut or 4, teams) if facts.has_matches else 1
        said = {"size": size, "best_of": event.best_of} | ({"third_place": "on"} if event.third_place else {})
        return "cut", said

    def _break_tie(self, event: Event, facts: PlayoffsFacts) -> tuple[str, Fields]:
        """Two play one game; between more the lot decides."""
        if len(facts.level) == 2 and facts.has_matches:
            return "tiebreak", {"method": "game"}
        return "tiebreak", {"method": "lots", "witness": WITNESS, "seed": self.chance.randrange(1_000_000)}

    def _finish(self, event: Event, facts: PlayoffsFacts) -> tuple[str, Fields]:
        """What cannot be undone asks for a password that was typed just now."""
        self.cookies = {}
        return "ending", {}

    def _keep(self, event: Event, facts: PlayoffsFacts) -> tuple[str, Fields]:
        """A correction changed who should have met: what was played is kept."""
        return "placing", {"source": facts.drawn.asked[0].source if facts.drawn else "", "kind": "keep"}

    def _send(self, name: str, fields: Fields, *where: int) -> bool:
        return self._press(self._at(name, *where), fields)

    def _at(self, name: str, *where: int) -> str:
        return reverse(name, args=[self.slug, *where])

    def _press(self, path: str, fields: Fields) -> bool:
        """Whoever is not signed in (any more) signs in first."""
        if self.cookies and self._is_taken(path, fields):
            return True
        return self._sign_in() and self._is_taken(path, fields)

    def _is_taken(self, path: str, fields: Fields) -> bool:
        answer = self.line.send(path, fields, self.cookies)
        self.cookies |= answer.cookies
        return answer.status == DONE and not answer.place.startswith(reverse("sign-in"))

    def _sign_in(self) -> bool:
        name, password = self.person
        answer = self.line.send(reverse("sign-in"), {"username": name, "password": password}, {})
        self.cookies = answer.cookies
        return answer.status == DONE


# What a director chooses on a page of its own; everything else is the desk's one green button.
CHOICES: dict[str, Callable[[Director, Event, PlayoffsFacts], tuple[str, Fields]]] = {
    "cut": Director._cut,
    "tie": Director._break_tie,
    "decide": Director._keep,
    "finish": Director._finish,
}
