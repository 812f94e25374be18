"""What 250 tablets that wait and 500 phones with nothing new cost, asking as often as their pages do.

Run from the project folder: python -m tests.benchmarks waiting. 500 teams have played five games; the sixth is drawn
and not started. Goals, in processor time: 5% of a core for the tablets, 12% for the phones.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial

from tests.benchmarks.hall import Caller, machine, measured, version_shown
from tests.evenings import evening_text, write_evening
from tests.factories import make_user
from tournament.access import NOBODY, Actor
from tournament.gate.middleware import TABLE_COOKIE, TABLE_PAGE
from tournament.services.devices import issue_cards, pair_device
from tournament.services.draws import draw_rounds
from tournament.site.polling import CALMLY

TEAMS, TABLETS, PHONES, RUNS = 500, 250, 500, 5
TABLETS_GOAL, PHONES_GOAL = 0.05, 0.12
POLL = {"HTTP_HX_REQUEST": "true", "HTTP_ACCEPT_ENCODING": "gzip"}


def main() -> int:
    dana = Actor(make_user("dana"))
    event = write_evening(evening_text(TEAMS, 5) | {"rounds_planned": 6}, dana.person)
    draw_rounds(dana, event, seed=7)
    codes = issue_cards(dana, event, list(range(1, TABLETS + 1)))
    tokens = [pair_device(NOBODY, code) for code in codes.values()]
    caller = Caller()
    cookies = [{"HTTP_COOKIE": f"{TABLE_COOKIE}={token}"} for token in tokens]
    shown = [version_shown(caller.get(TABLE_PAGE, **POLL, **cookie)) for cookie in cookies]
    tablets = [
        partial(caller.get, TABLE_PAGE, f"version={version}", 204, **POLL, **cookie)
        for version, cookie in zip(shown, cookies, strict=True)
    ]
    page = f"/e/{event.slug}/"
    phone = partial(caller.get, page, f"version={version_shown(caller.get(page))}", 204, **POLL)
    share_of_tablets = share_of_a_core(tablets)
    share_of_phones = share_of_a_core([phone] * PHONES)
    print(f"{machine()}; median of {RUNS} in processor time; each asks every {CALMLY / 1000:g} s")
    print(f"{len(tablets)} tablets that wait: {share_of_tablets:.1%} of a core (goal {TABLETS_GOAL:.0%})")
    print(f"{PHONES} phones with nothing new: {share_of_phones:.1%} of a core (goal {PHONES_GOAL:.0%})")
    return int(share_of_tablets > TABLETS_GOAL) + int(share_of_phones > PHONES_GOAL)


def share_of_a_core(asking: Sequence[Callable[[], bytes]]) -> float:
    """How much of a core it takes that each of them asks once in the time that lies between two polls."""

    def all_ask() -> None:
        for ask in asking:
            ask()

    all_ask()
    used = statistics.median(measured(all_ask)[0] for _ in range(RUNS))
    return used / (CALMLY / 1000)
