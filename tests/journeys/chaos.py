"""Many tablets over a bad network: `python -m tests.journeys.chaos --tables 50 --rounds 6 --seed 7`.

Every tablet plays its games through its queue while requests are dropped, answers are lost and things arrive twice.
The same games are played undisturbed beside it; both must end with the same standings. Prints seed, counts and time.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
import uuid
from typing import Any


def play_evening(seed: int, tables: int, rounds: int, trouble: float) -> tuple[list[Any], dict[str, int]]:
    """One event from the first hand to the last signature; gives its standings and what the network did."""
    from tests.factories import make_event, make_round, make_teams, make_user
    from tournament.access import Actor
    from tournament.models import Entry, Game, Round, Submission
    from tournament.queries.standings import shown_standings
    from tournament.services.devices import issue_card, pair_device
    from tournament.services.seating import choose_first_dealer, seat_side

    name = f"Evening {uuid.uuid4().hex[:8]}"
    director = make_user(name)
    event = make_event(name, director)
    teams = make_teams(event, tables * 2)
    actor = Actor(director)
    tokens = {table: pair_device(Actor(), issue_card(actor, event, table)) for table in range(1, tables + 1)}
    cards, network = random.Random(seed), random.Random(seed + 1)
    counts = {"requests": 0, "dropped": 0, "lost": 0, "doubled": 0, "items": 0}
    for number in range(1, rounds + 1):
        Round.objects.filter(event=event).update(state="closed")
        order = [*teams[:tables], *(teams[tables:][number - 1 :] + teams[tables:][: number - 1])]
        made = make_round(event, list(zip(order[:tables], order[tables:], strict=True)), number=number)
        queues = []
        for game in made.games.select_related("round__event").order_by("table"):
            for side in (0, 1):
                seat_side(Actor(), game, side)
            choose_first_dealer(Actor(), game, 0)
            queues.append((tokens[game.table], queue_of(game, cards)))
        while queues:
            token, items = queues.pop(network.randrange(len(queues)))
            left = send(token, items, network, trouble, counts)
            if left:
                queues.append((token, left))
        assert not made.games.exclude(state="final").exists(), "a game is not final"
    games = Game.objects.filter(round__event=event)
    lines = Entry.objects.filter(game__in=games).count()
    sent = Submission.objects.filter(event=event)
    assert lines == sent.filter(kind__in=["hand", "undo"]).count(), "a line is missing or stands twice"
    assert not sent.exclude(status="applied").exists(), "something was parked"
    counts["items"] = sent.count()
    standing = [(line.label, line.number, line.won, line.points) for line in shown_standings(event, actor).lines]
    return standing, counts


def queue_of(game: Any, cards: random.Random) -> list[dict[str, Any]]:
    """A game as its tablet writes it: a few hands, one of them undone, the winning hand, both signatures."""
    items: list[dict[str, Any]] = []
    keys: list[str] = []

    def add(kind: str, **fields: Any) -> str:
        uid = str(uuid.uuid4())
        after = items[-1]["uid"] if items else None
        items.append({"uid": uid, "kind": kind, "game": game.pk, "after": after, "at": 0, "n": len(items), **fields})
        return uid

    def hand(seat: int, bid: str, books: int) -> None:
        facts = {"entry": "hand", "seat": seat, "bid": bid, "books": books}
        keys.append(add("hand", position=len(keys) + 1, facts=facts))

    hand(cards.randrange(4), "3", 9)
    hand(cards.randrange(4), "1", 13)
    add("undo", position=len(keys), of=keys.pop())
    winner = cards.randrange(4)
    while len(keys) < 2:
        hand(winner, "7", 13)
    players = [[player.name for player in side.team.players.all()] for side in game.sides.order_by("index")]
    for side in (0, 1):
        add("sign", side=side, name=cards.choice(players[side]), lines=list(keys))
    return items


def send(
    token: str, items: list[dict[str, Any]], network: random.Random, trouble: float, counts: dict[str, int]
) -> list[dict[str, Any]]:
    """Post the first items of a queue over the bad network; what was not answered is left."""
    from django.test import Client

    batch = items[: network.randint(1, 4)]
    counts["requests"] += 1
    if network.random() < trouble:
        counts["dropped"] += 1
        return items
    times = 2 if network.random() < trouble else 1
    counts["doubled"] += times - 1
    for _ in range(times):
        answer = Client().post(
            "/t/api/submissions/",
            {"items": batch},
            content_type="application/json",
            headers={"Authorization": f"Table {token}"},
        )
        assert answer.status_code == 200, answer.content
    if network.random() < trouble:
        counts["lost"] += 1
        return items
    answered = {one["uid"] for one in answer.json()["results"]}
    return [item for item in items if item["uid"] not in answered]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--trouble", type=float, default=0.1, help="share of requests dropped, lost and doubled, each")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    chosen = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    os.environ["UPTOWN_DATA"] = tempfile.mkdtemp()
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.ALLOWED_HOSTS = ["*"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    call_command("migrate", verbosity=0)
    start = time.perf_counter()
    calm, _ = play_evening(chosen.seed, chosen.tables, chosen.rounds, 0.0)
    middle = time.perf_counter()
    rough, counts = play_evening(chosen.seed, chosen.tables, chosen.rounds, chosen.trouble)
    end = time.perf_counter()
    print(f"seed {chosen.seed}: {chosen.tables} tables, {chosen.rounds} games each, trouble {chosen.trouble:.0%}")
    print(", ".join(f"{value} {key}" for key, value in counts.items()))
    print(f"undisturbed {middle - start:.1f} s, disturbed {end - middle:.1f} s")
    same = calm == rough
    print("standings identical" if same else "STANDINGS DIFFER")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
