"""The standings page of 500 teams, or of N, after 6 games, against bare Django views in the same run.

Run from the project folder: python -m tests.benchmarks pages [--teams N]. A change is another winner of a game in play.
Goals: after it at most 2.5 times a bare view of 500 rows, and at most 8 queries (the ratio to a view of as many rows as
the page has is printed, too); nothing changed (204): at least 70% of the rate of a “hello” view; on the wire 24 KB at
first, and 0.5 KB again unchanged.
"""

from __future__ import annotations

import statistics
import sys
from functools import partial

from django.db.models import F

from tests.benchmarks.hall import Caller, machine, measured, seconds, side_by_side, teams_asked
from tests.evenings import evening_text, write_evening
from tournament.models import Event, Game, Result, Round
from tournament.site.polling import CALMLY
from tournament.tables import LONGEST_PAGE

TEAMS, RUNS = teams_asked(), 21


def main() -> int:
    event = write_evening(evening_text(TEAMS))
    caller, page = Caller(), f"/e/{event.slug}/"
    Round.objects.filter(event=event, number=6).update(state="running")
    result = Result.objects.filter(game__round__event=event, game__round__number=6, winner__isnull=False)[0]

    def only_the_change() -> None:
        """As `refresh_result` writes it."""
        result.winner = 1 - int(result.winner or 0)
        result.save(update_fields=["winner"])
        Game.objects.filter(pk=result.game_id).update(version=F("version") + 1)
        Event.objects.filter(pk=event.pk).update(public_version=F("public_version") + 1)

    def changed() -> bytes:
        only_the_change()
        return caller.get(page)

    rows = min(TEAMS, LONGEST_PAGE)
    assert changed().count(b'id="team-') == rows
    asked = measured(changed)[1]
    pages = page, f"/rows/{rows}/", f"/rows/{TEAMS}/"
    taken: dict[str, list[float]] = {path: [] for path in pages}
    for _ in range(RUNS):
        only_the_change()
        for path in pages:
            taken[path].append(measured(partial(caller.get, path))[0])
    after, bare, whole = (statistics.median(taken[path]) for path in pages)
    again = seconds(lambda: caller.get(page), 9)

    event.refresh_from_db()
    new = {"HTTP_HX_REQUEST": "true"}
    poll = f"version={event.public_version}"
    packed = len(caller.get(page, HTTP_ACCEPT_ENCODING="gzip"))
    nothing, hello = side_by_side(
        lambda: caller.get(page, poll, 204, **new), lambda: caller.get("/hello/"), runs=9, times=200
    )
    print(f"{machine()}; median of {RUNS} in processor time; {TEAMS} teams × 6 games, {rows} rows on the page")
    print(f"after a change: {after * 1000:.1f} ms, bare view {bare * 1000:.1f} ms: {after / bare:.2f} times")
    print(f"a bare view of {TEAMS} rows: {whole * 1000:.1f} ms; the standings: {after / whole:.2f} times (goal 2.5)")
    print(
        f"on the wire: {packed:,} bytes (goal 24,000); again unchanged 304, see tests/tournament/test_public_pages.py"
    )
    if "--queries" in sys.argv:
        print("\n".join(sql[:400] for sql in asked))
    print(f"queries after a change: {sum(sql.startswith('SELECT') for sql in asked)} (goal 8)")
    print(f"looked at again, unchanged: {again * 1000:.1f} ms")
    rate, reference = 1 / nothing, 1 / hello
    print(f"nothing new, 204: {rate:,.0f} a second, hello {reference:,.0f}: {rate / reference:.0%} (goal 70%)")
    every = CALMLY / 1000
    print(f"500 phones every {every:g} s: {500 / every * nothing:.0%} of one core (goal 12%)")
    return 0
