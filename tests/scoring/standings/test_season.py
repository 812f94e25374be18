"""The points of a season: every sentence, and a second scorer written from the page against random seasons."""

from __future__ import annotations

import os
from random import Random

import pytest

from scoring.standings.season import TEAM, WINS, Clause, Part, Scheme, SeasonPlace, Showing, scheme_of, season_table

SEASONS = int(os.environ.get("RANDOM_SEASONS", "300"))
NAMES = {1: "Ann", 2: "Bob", 3: "Cal"}


def part_of(rank: int | None, games: int = 3, wins: int = 0, shared: int = 1) -> Part:
    return Part(rank, shared, games, wins, rank == 1)


def labels(lines: tuple[SeasonPlace, ...]) -> list[tuple[str, str, int]]:
    return [(line.label, NAMES[line.key], line.total) for line in lines]  # type: ignore[index]


def test_every_point_is_explained() -> None:
    scheme = Scheme(champion=2, attendance=1, best=2)
    march = Showing("March", 12, {1: part_of(1), 2: part_of(2), 3: part_of(3, shared=2)})
    april = Showing("April", 12, {1: part_of(11), 2: part_of(None), 3: part_of(2)})
    may = Showing("May", 12, {1: part_of(1), 3: part_of(4, games=0)})
    ann, cal, bob = season_table([march, april, may], scheme, NAMES)
    assert labels((ann, cal, bob)) == [("1", "Ann", 18), ("2", "Cal", 6), ("3", "Bob", 5)]
    assert [credit and credit.text for credit in (*ann.credits, *cal.credits, *bob.credits)] == [
        "1st of 12 at March: 9 points (6 for the place, 2 as champion and 1 for playing)",
        "11th of 12 at April: 1 point; not among the best 2",
        "1st of 12 at May: 9 points (6 for the place, 2 as champion and 1 for playing)",
        "3rd of 12, shared by 2, at March: 2 points (1 for the place and 1 for playing)",
        "2nd of 12 at April: 4 points (3 for the place and 1 for playing)",
        "4th of 12 at May: no points; not among the best 2",
        "2nd of 12 at March: 4 points (3 for the place and 1 for playing)",
        "No place at April: 1 point",
        None,
    ]


def test_games_won_bring_points() -> None:
    scheme = scheme_of({"by": "wins", "win": 2, "places": [], "for": "team"})
    assert scheme == Scheme(by=WINS, places=(), win=2, whose=TEAM)
    [ann, bob] = season_table([Showing("March", 4, {1: part_of(2, wins=3), 2: part_of(1)})], scheme, NAMES)
    assert [ann.credits[0], bob.credits[0]] == [
        (6, True, "2nd of 4 at March: 6 points (6 for 3 games won)", (Clause.GAMES_WON,)),
        (0, True, "1st of 4 at March: no points", ()),
    ]


def test_ties_are_decided_by_better_places_or_shared() -> None:
    march = Showing("March", 4, {1: part_of(1), 2: part_of(2), 3: part_of(2)})
    april = Showing("April", 4, {2: part_of(2), 3: part_of(2)})
    ann, bob, cal = season_table([march, april], Scheme(), NAMES)
    assert labels((ann, bob, cal)) == [("1", "Ann", 6), ("2=", "Bob", 6), ("2=", "Cal", 6)]
    words = "Ann and Bob both have 6 points; Ann has more 1st places, 1 to 0."
    decided = (Clause.MORE_PLACES, words)
    words = "Bob and Cal both have 6 points; still tied: the same points and places, so they share the rank."
    shared = (Clause.SHARED_RANK, words)
    assert [ann.ties, bob.ties, cal.ties] == [(decided,), (decided, shared), (shared,)]


def test_the_scheme_is_said_in_words() -> None:
    assert scheme_of({}).words == (
        "Points by final place: 1st place 6, 2nd place 3 and 3rd place 1.",
        "All who share a place get its points.",
        "Every event counts.",
        "Tied on points, more first places decide, then more second places, and so on.",
    )
    assert Scheme(by=WINS, champion=2, attendance=1, best=3).words[:-1] == (
        "Each game won: 1 point.",
        "The champion gets 2 more.",
        "For playing a game at all: 1 point.",
        "The best 3 events of each count.",
    )


def test_nobody_and_nothing() -> None:
    assert season_table([], Scheme()) == ()
    [line] = season_table([Showing("March", 1, {7: part_of(1)})], Scheme())
    assert (line.label, line.key, line.total, line.ties) == ("1", 7, 6, ())


# The second scorer: as the page says it, with nothing from the first.


def naive(events: list[Showing], scheme: Scheme) -> list[tuple[int, int, int, list[tuple[int, bool] | None]]]:
    people = {key for event in events for key in event.parts}
    lines = []
    for key in people:
        brought: list[tuple[int, int, int]] = []
        for number, event in enumerate(events):
            if key not in event.parts:
                continue
            part, points = event.parts[key], 0
            if scheme.by == "wins":
                points += scheme.win * part.wins
            elif part.rank and part.rank - 1 < len(scheme.places):
                points += scheme.places[part.rank - 1]
            if part.champion:
                points += scheme.champion
            if part.games:
                points += scheme.attendance
            brought.append((points, part.rank or 1000, number))
        best = list(brought)
        while scheme.best and len(best) > scheme.best:
            # Away with the worst: fewest points, then the worse place, then the later event.
            best.remove(min(best, key=lambda line: (line[0], -line[1], -line[2])))
        total = sum(points for points, _, _ in best)
        medals = tuple(sum(rank == wanted for _, rank, _ in best) for wanted in range(1, 40))
        counting = {number for _, _, number in best}
        points_of = {number: points for points, _, number in brought}
        row = [(points_of[n], n in counting) if n in points_of else None for n in range(len(events))]
        lines.append((key, total, medals, row))
    return sorted(
        (1 + sum((other[1], other[2]) > (total, medals) for other in lines), key, total, row)
        for key, total, medals, row in lines
    )


def random_season(chance: Random) -> tuple[list[Showing], Scheme]:
    people, events = range(chance.randint(1, 12)), []
    for number in range(chance.randint(0, 7)):
        playing = chance.sample(people, chance.randint(0, len(people)))
        parts, rank = {}, 1
        while playing:
            level, playing = playing[: (share := chance.choice((1, 2, 2, 3)))], playing[share:]
            for key in level:
                games = chance.randint(0, 4)
                out = chance.random() < 0.1
                parts[key] = Part(None if out else rank, len(level), games, chance.randint(0, games), rank == 1)
            rank += len(level)
        events.append(Showing(f"Event {number}", len(parts), parts))
    places = sorted((chance.randint(0, 6) for _ in range(chance.randint(0, 5))), reverse=True)
    win, champion, attendance = (chance.randint(0, 2) for _ in range(3))
    by, best = chance.choice(("places", "wins")), chance.choice((None, 1, 2, 3))
    return events, Scheme(by, tuple(places), win, champion, attendance, best)


@pytest.mark.parametrize("part", range(4))
def test_random_seasons_are_as_the_page_says(part: int) -> None:
    chance = Random(f"season {part}")
    for _ in range(SEASONS // 4):
        events, scheme = random_season(chance)
        rows = sorted(
            (line.rank, line.key, line.total, [each and (each.points, each.counts) for each in line.credits])
            for line in season_table(events, scheme)
        )
        assert rows == naive(events, scheme), (events, scheme)
