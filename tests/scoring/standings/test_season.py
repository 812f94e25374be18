"""The points of a season: every sentence, its properties, and a second scorer written from the page."""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.standings.season import (
    BEST_EVENINGS,
    TEAM,
    Clause,
    Credit,
    Part,
    Scheme,
    SeasonPlace,
    Showing,
    figure,
    in_points,
    moved_up,
    scheme_of,
    season_table,
)

SEASONS = int(os.environ.get("RANDOM_SEASONS", "300"))
NAMES = {1: "Ann", 2: "Bob", 3: "Cal"}


def part_of(rank: int | None, games: int = 3, wins: int = 0, shared: int = 1) -> Part:
    return Part(rank, shared, games, wins, rank == 1)


def labels(lines: tuple[SeasonPlace, ...]) -> list[tuple[str, str, int | float]]:
    return [(line.label, NAMES[line.key], figure(line.total)) for line in lines]  # type: ignore[index]


def texts_of(*lines: SeasonPlace) -> list[str | None]:
    return [credit and credit.text for line in lines for credit in line.credits]


def test_every_point_is_explained() -> None:
    scheme = Scheme(champion=2, attendance=1, best=2)
    march = Showing("March", 12, {1: part_of(1), 2: part_of(2), 3: part_of(3, shared=2)})
    april = Showing("April", 12, {1: part_of(11), 2: part_of(None), 3: part_of(2)})
    may = Showing("May", 12, {1: part_of(1), 3: part_of(4)})
    ann, cal, bob = season_table([march, april, may], scheme, NAMES)
    assert labels((ann, cal, bob)) == [("1", "Ann", 18), ("2", "Cal", 6), ("3", "Bob", 5)]
    assert texts_of(ann, cal, bob) == [
        "1st of 12 at March: 9 points (6 for the place, 2 as champion and 1 for playing)",
        "11th of 12 at April: 1 point; not among the best 2",
        "1st of 12 at May: 9 points (6 for the place, 2 as champion and 1 for playing)",
        "3rd of 12, shared by 2, at March: 2 points (1 for the place and 1 for playing)",
        "2nd of 12 at April: 4 points (3 for the place and 1 for playing)",
        "4th of 12 at May: 1 point; not among the best 2",
        "2nd of 12 at March: 4 points (3 for the place and 1 for playing)",
        "No place at April: 1 point",
        None,
    ]


def test_games_won_bring_points() -> None:
    scheme = scheme_of({"win": 2, "places": [], "for": "team"})
    assert scheme == Scheme(places=(), win=2, whose=TEAM)
    [ann, bob] = season_table([Showing("March", 4, {1: part_of(2, wins=3), 2: part_of(1)})], scheme, NAMES)
    assert [ann.credits[0], bob.credits[0]] == [
        Credit(Fraction(6), True, "2nd of 4 at March: 6 points (6 for 3 games won)", (Clause.GAMES_WON,)),
        Credit(Fraction(0), True, "1st of 4 at March: no points", ()),
    ]


def test_places_and_games_won_bring_points_together() -> None:
    scheme = Scheme(win=1)
    [ann, bob] = season_table([Showing("March", 9, {1: part_of(2, wins=3), 2: part_of(7, wins=2)})], scheme, NAMES)
    assert texts_of(ann, bob) == [
        "2nd of 9 at March: 6 points (3 for the place and 3 for 3 games won)",
        "7th of 9 at March: 2 points (2 for 2 games won)",
    ]


def test_the_size_of_the_field_prices_the_places() -> None:
    """22 teams, a point for every 5, rounded up: first place has 5."""
    parts = {rank: part_of(rank) for rank in range(1, 8)}
    lines = season_table([Showing("March", 22, parts)], Scheme(places=(), field=5))
    assert [(line.key, figure(line.total)) for line in lines] == [
        (1, 5),
        (2, 4),
        (3, 3),
        (4, 2),
        (5, 1),
        (6, 0),
        (7, 0),
    ]
    assert texts_of(*lines)[:1] == ["1st of 22 at March: 5 points"]
    assert [line.rules for line in lines[:1]] == [{Clause.FIELD}]


def test_who_share_a_place_split_the_points_of_those_places() -> None:
    two = Showing("March", 4, {1: part_of(1), 2: part_of(2, shared=2), 3: part_of(2, shared=2)})
    ann, bob, cal = season_table([two], Scheme(split=True), NAMES)
    assert labels((ann, bob, cal)) == [("1", "Ann", 6), ("2=", "Bob", 2), ("2=", "Cal", 2)]
    assert texts_of(bob) == ["2nd of 4, shared by 2, at March: 2 points (2 as a share of 4)"]
    three = Showing("April", 4, {1: part_of(2, shared=3)})
    [once] = season_table([three], Scheme(split=True), NAMES)
    assert (once.total, figure(once.total)) == (Fraction(4, 3), 1.33)
    assert texts_of(once) == ["2nd of 4, shared by 3, at April: 1.33 points (1.33 as a share of 4)"]
    [thrice] = season_table([three] * 3, Scheme(split=True), NAMES)
    assert thrice.total == 4
    field = replace(Scheme(split=True), places=(), field=5)
    [level] = season_table([Showing("May", 22, {1: part_of(2, shared=3)})], field, NAMES)
    assert (figure(level.total), level.rules) == (3, {Clause.SPLIT})


def test_an_event_counts_by_its_weight() -> None:
    cup = Showing("Cup", 4, {1: part_of(1), 2: part_of(3)}, counts=2)
    practice = Showing("Practice", 4, {1: part_of(1), 2: part_of(1)}, counts=0)
    scheme = Scheme(places=(35, 20), attendance=1, evenings=1)
    ann, bob = season_table([cup, practice], scheme, NAMES)
    assert labels((ann, bob)) == [("1", "Ann", 72), ("2", "Bob", 2)]
    assert texts_of(ann, bob) == [
        "1st of 4 at Cup: 72 points (35 for the place and 1 for playing, times 2)",
        "1st of 4 at Practice: no points; this event does not count",
        "3rd of 4 at Cup: 2 points (1 for playing, times 2)",
        "1st of 4 at Practice: no points; this event does not count",
    ]
    assert ann.credits[1] == Credit(Fraction(0), False, str(texts_of(ann)[1]), (Clause.WEIGHT,))
    # It is not an event: not for the best, not for the average, and not for who is ranked.
    [only] = season_table([practice], replace(scheme, average=True), {1: "Ann"})[:1]
    assert (only.label, figure(only.total), [remark.text for remark in only.remarks]) == (
        "–",
        0,
        ["Not ranked: 0 events played, at least 1 event to be ranked"],
    )


def test_an_average_and_a_least_number_of_evenings() -> None:
    """Case 24: Alicia third twice, Dave third and second, Eve first once and below both."""
    march = Showing("March", 4, {1: part_of(3), 2: part_of(3), 3: part_of(1)})
    april = Showing("April", 4, {1: part_of(3), 2: part_of(2)})
    dave, alicia, eve = season_table([march, april], Scheme(average=True, evenings=2), {1: "Al", 2: "Dave", 3: "Eve"})
    assert [(line.label, line.key, figure(line.total)) for line in (dave, alicia, eve)] == [
        ("1", 2, 2),
        ("2", 1, 1),
        ("–", 3, 6),
    ]
    assert [[*map(tuple, line.remarks)] for line in (dave, eve)] == [
        [(Clause.AVERAGE, "4 points in 2 events that count")],
        [
            (Clause.AVERAGE, "6 points in 1 event that count"),
            (Clause.TOO_FEW, "Not ranked: 1 event played, at least 2 events to be ranked"),
        ],
    ]
    assert eve.ties == ()


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


def test_ties_are_decided_by_the_best_evening_counted_or_not() -> None:
    """5 + 1 before 3 + 3; if the best events are equal, the next decides, even if only two count."""
    scheme = Scheme(places=(), win=1, ties=BEST_EVENINGS, best=2)
    won = {1: (5, 1, 0), 2: (3, 3, 0), 3: (5, 1, 1)}
    events = [
        Showing(f"Evening {night}", 9, {key: part_of(9, wins=wins[night]) for key, wins in won.items()})
        for night in range(3)
    ]
    cal, ann, bob = season_table(events, scheme, NAMES)
    assert labels((cal, ann, bob)) == [("1", "Cal", 6), ("2", "Ann", 6), ("3", "Bob", 6)]
    assert [tie.text for tie in ann.ties] == [
        "Cal and Ann both have 6 points; Cal’s 3rd best event has 1 point, Ann’s 0.",
        "Ann and Bob both have 6 points; Ann’s best event has 5 points, Bob’s 3.",
    ]
    # A missed event is worth as much as one that brought nothing.
    short = [Showing("One", 9, {1: part_of(9, wins=2), 2: part_of(9, wins=2)}), Showing("Two", 9, {1: part_of(9)})]
    lines = season_table(short, scheme, NAMES)
    assert [line.label for line in lines] == ["1=", "1="]
    words = "Ann and Bob both have 2 points; still tied: the same results in every event, so they share the rank."
    assert lines[0].ties == ((Clause.SHARED_RANK, words),)


def test_the_scheme_is_said_in_words() -> None:
    sat = "To count in an event, you have to sit in a game, or be there when one is won by default."
    last = (
        "Tied on points, more first places decide, then more second places, and so on.",
        "Still tied, they share the rank.",
    )
    assert scheme_of({}).words == (
        "Points by final place: 1st place 6, 2nd place 3 and 3rd place 1.",
        "All who share a place get its points.",
        sat,
        "A substitute gets everything that the team gets.",
        "Every event counts.",
        *last,
    )
    assert Scheme(places=(), win=1, champion=2, attendance=1, best=3, whose=TEAM).words == (
        "Each game won: 1 point.",
        "Champion’s bonus: 2 points.",
        "Just for playing: 1 point.",
        sat,
        "Each team’s best 3 events count.",
        *last,
    )
    other = Scheme(
        (), field=5, split=True, average=True, evenings=2, games=2, ties=BEST_EVENINGS, members=True
    )  # fmt: skip
    assert other.words == (
        "First place gets a point for every 5 teams in the event, rounded up; each place below it gets 1 less.",
        "Teams that share a place split the points of those places.",
        "To count in an event, you have to play at least 2 games in it.",
        "A substitute gets everything that the team gets.",
        "Only members are ranked: where guests finish, the members behind them move up.",
        "Every event counts.",
        "The table shows the average points per event played.",
        "To be ranked, play in at least 2 events.",
        "Tied on points, the best single event decides, then the next best, and so on.",
        "Still tied, they share the rank.",
    )
    assert "a point for each team in the event" in Scheme((), field=1).words[0]
    assert "Each player’s best event counts." in Scheme(best=1).words


def test_nobody_and_nothing() -> None:
    assert season_table([], Scheme()) == ()
    [line] = season_table([Showing("March", 1, {7: part_of(1)})], Scheme())
    assert (line.label, line.key, figure(line.total), line.ties) == ("1", 7, 6, ())


@pytest.mark.parametrize(
    ("points", "written"),
    [(Fraction(4), "4 points"), (Fraction(1), "1 point"), (Fraction(0), "0 points"), (Fraction(4, 3), "1.33 points"),
     (Fraction(1, 2), "0.5 points"), (Fraction(5, 8), "0.63 points"), (Fraction(2, 3), "0.67 points")],
)  # fmt: skip
def test_points_are_shown_with_at_most_two_decimals(points: Fraction, written: str) -> None:
    assert in_points(points) == written


@pytest.mark.parametrize(
    ("ranks", "left", "places"),
    [
        ({1: 1, 2: 2, 3: 3}, {2, 3}, {2: (1, 1), 3: (2, 1)}),
        ({1: 1, 2: 2, 3: 2, 4: 2}, {3, 4}, {3: (1, 2), 4: (1, 2)}),
        ({1: 1, 2: 2, 3: 2, 4: 4, 5: None}, {1, 3, 4, 5}, {1: (1, 1), 3: (2, 1), 4: (3, 1), 5: (None, 1)}),
        ({1: 1}, set(), {}),
    ],
)
def test_places_move_up_where_others_take_none(
    ranks: dict[int, int | None], left: set[int], places: dict[int, tuple[int | None, int]]
) -> None:
    assert moved_up(ranks, left) == places


# The second scorer: written from the page, without the first.

Row = tuple[int | None, int, Fraction, list[tuple[Fraction, bool] | None]]


def price(part: Part, event: Showing, scheme: Scheme) -> Fraction:
    def alone(rank: int) -> int:
        if scheme.field is not None:
            first = len(range(0, event.field, scheme.field))
            return max(first - (rank - 1), 0)
        return ([*scheme.places] + [0] * 99)[rank - 1]

    points = Fraction(scheme.win * part.wins + scheme.attendance)
    if part.champion:
        points += scheme.champion
    if part.rank and scheme.split:
        points += sum(Fraction(alone(part.rank + more), part.shared) for more in range(part.shared))
    elif part.rank:
        points += alone(part.rank)
    return points * event.counts


def naive(events: list[Showing], scheme: Scheme) -> list[Row]:
    people = {key for event in events for key in event.parts}
    lines = []
    for key in people:
        brought: list[tuple[Fraction, int, int]] = []
        row: list[tuple[Fraction, bool] | None] = [None] * len(events)
        for number, event in enumerate(events):
            if key in event.parts:
                part = event.parts[key]
                points = price(part, event, scheme)
                row[number] = (points, False)
                if event.counts:
                    brought.append((points, part.rank or 1000, number))
        best = list(brought)
        while scheme.best and len(best) > scheme.best:
            # Drop the worst: fewest points, then the worse place, then the later event.
            best.remove(min(best, key=lambda line: (line[0], -line[1], -line[2])))
        for points, _, number in best:
            row[number] = (points, True)
        total = sum((points for points, _, _ in best), Fraction(0))
        if scheme.average and best:
            total = total / len(best)
        if scheme.ties == "evenings":
            order = sorted([points for points, _, _ in brought] + [Fraction(0)] * (99 - len(brought)), reverse=True)
        else:
            order = [Fraction(sum(rank == wanted for _, rank, _ in best)) for wanted in range(1, 40)]
        is_ranked = not scheme.evenings or len(brought) >= scheme.evenings
        lines.append((key, is_ranked, total, order, row))
    rows: list[Row] = []
    for key, is_ranked, total, order, row in lines:
        before = [other for other in lines if other[1] and (other[2], other[3]) > (total, order)]
        rows.append((len(before) + 1 if is_ranked else None, key, total, row))
    return sorted(rows, key=lambda row: row[1])


def random_season(chance: Random) -> tuple[list[Showing], Scheme]:
    people, events = range(chance.randint(1, 12)), []
    for number in range(chance.randint(0, 7)):
        playing = chance.sample(people, chance.randint(0, len(people)))
        parts, rank = {}, 1
        while playing:
            level, playing = playing[: (share := chance.choice((1, 2, 2, 3)))], playing[share:]
            for key in level:
                games = chance.randint(1, 4)
                out = chance.random() < 0.1
                shared = 1 if out else len(level)
                parts[key] = Part(None if out else rank, shared, games, chance.randint(0, games), rank == 1)
            rank += len(level)
        events.append(Showing(f"Event {number}", len(parts), parts, chance.choice((1, 1, 1, 2, 0))))
    places = sorted((chance.randint(0, 6) for _ in range(chance.randint(0, 5))), reverse=True)
    win, champion, attendance = (chance.randint(0, 2) for _ in range(3))
    scheme = Scheme(
        places=tuple(places),
        field=chance.choice((None, None, 1, 3)),
        win=win,
        champion=champion,
        attendance=attendance,
        split=chance.random() < 0.5,
        best=chance.choice((None, 1, 2, 3)),
        average=chance.random() < 0.3,
        evenings=chance.choice((None, None, 1, 2)),
        ties=chance.choice(("places", "evenings")),
    )
    return events, scheme


@pytest.mark.parametrize("part", range(4))
def test_random_seasons_are_as_the_page_says(part: int) -> None:
    chance = Random(f"season {part}")
    for _ in range(SEASONS // 4):
        events, scheme = random_season(chance)
        rows = [
            (line.rank, line.key, line.total, [each and (each.points, each.counts) for each in line.credits])
            for line in season_table(events, scheme)
        ]
        assert sorted(rows, key=lambda row: row[1]) == naive(events, scheme), (events, scheme)  # type: ignore[arg-type, return-value]


# What holds for every season.


@given(st.randoms(use_true_random=False))
def test_a_table_ranks_everybody_once_and_who_is_not_ranked_last(chance: Random) -> None:
    events, scheme = random_season(chance)
    lines = season_table(events, scheme)
    assert sorted(line.key for line in lines) == sorted({key for event in events for key in event.parts})  # type: ignore[type-var]
    ranks = [line.rank for line in lines if line.rank is not None]
    assert [line.rank for line in lines] == ranks + [None] * (len(lines) - len(ranks))
    assert ranks == sorted(ranks) and all(rank <= place for place, rank in enumerate(ranks, start=1))
    totals = [line.total for line in lines if line.rank is not None]
    assert totals == sorted(totals, reverse=True)


@given(st.randoms(use_true_random=False))
def test_the_order_in_which_events_are_told_changes_no_total(chance: Random) -> None:
    events, scheme = random_season(chance)
    turned = season_table(events[::-1], scheme)
    same = {line.key: (line.rank, line.total) for line in season_table(events, scheme)}
    assert {line.key: (line.rank, line.total) for line in turned} == same


@given(st.randoms(use_true_random=False))
def test_twice_every_weight_is_twice_every_total_in_the_same_order(chance: Random) -> None:
    events, scheme = random_season(chance)
    doubled = [event._replace(counts=2 * event.counts) for event in events]
    lines, twice = season_table(events, scheme), season_table(doubled, scheme)
    assert [(line.key, line.rank, 2 * line.total) for line in lines] == [
        (line.key, line.rank, line.total) for line in twice
    ]


@given(st.randoms(use_true_random=False))
def test_a_split_place_brings_together_what_its_places_bring(chance: Random) -> None:
    sizes = [chance.randint(1, 4) for _ in range(chance.randint(1, 5))]
    parts, rank = dict[int, Part](), 1
    for size in sizes:
        parts |= {rank + more: part_of(rank, shared=size) for more in range(size)}
        rank += size
    scheme = Scheme(places=tuple(sorted((chance.randint(0, 9) for _ in range(6)), reverse=True)), split=True)
    alone = {key: part_of(key) for key in parts}
    together, apart = ([Showing("March", len(parts), shared)] for shared in (parts, alone))
    assert sum(line.total for line in season_table(together, scheme)) == sum(
        line.total for line in season_table(apart, scheme)
    )
