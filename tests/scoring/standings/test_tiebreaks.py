"""Each key of the order alone: what it says about those it leaves tied, and about who is ahead."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.options import EventRules, every_option
from scoring.standings.tiebreaks import BY_KEY, QUALIFYING, TIEBREAKS, Competitors, GameRecord, Record, Tiebreak
from tests.scoring.standings.cast import ACES, BOOKS, CROWNS, record

# The sentences about two that both have the value 2, and about Aces ahead of Books, with the better of 2 and 1.
SENTENCES = {
    "games-won": ("won 2 games", "Aces won 2 games to 1"),
    "points": ("have 2 points", "Aces: 2 points to 1"),
    "playoff": ("tied in the playoff", "Aces won the playoff, Books came 2nd"),
    "head-to-head": (
        "won 2 games in the games among those tied",
        "Aces won 2 games to 1 in the games among those tied",
    ),
    "who-beat-whom": (
        "beat 2 of those tied, directly or through others",
        "Aces beat Books, directly or through others who are tied",
    ),
    "opponents-wins": ("have opponents who won 2 games in all", "the opponents of Aces won 2 games to 1"),
    "won-by-5": ("won 2 games by more than 5 points", "Aces won 2 games by more than 5 points, Books 1"),
    "won-by-20": ("won 2 games by more than 20 points", "Aces won 2 games by more than 20 points, Books 1"),
    "won-by-100": ("won 2 games by more than 100 points", "Aces won 2 games by more than 100 points, Books 1"),
    "bostons": ("have 2 Bostons", "Aces: 2 Bostons to 1"),
    "fewest-sets": ("have 2 sets", "Aces: fewer sets, 1 to 2"),
    "lots": ("drew lot 2", "Aces drew lot 1, Books lot 2"),
}


@pytest.mark.parametrize("entry", TIEBREAKS, ids=BY_KEY)
def test_both_sentences_of_every_key_are_as_they_are_read(entry: Tiebreak) -> None:
    assert (entry.direction < 0) == (entry.key in ("playoff", "fewest-sets", "lots"))
    better, worse = (2, 1) if entry.direction > 0 else (1, 2)
    level, decision = entry.level(2), entry.decision("Aces", "Books", better, worse)
    assert (level, decision) == SENTENCES[entry.key]
    assert "team" not in f"{level} {decision} {entry.words} {entry.advantage} {entry.awaited}", "players may be single"


def test_a_key_stands_once_and_its_words_are_the_choices_of_the_rule_sheet() -> None:
    order = next(item for item in every_option(EventRules(), EventRules()) if item.key == "tiebreak_order")
    assert order.choices == {entry.key: entry.words for entry in TIEBREAKS}
    assert len(BY_KEY) == len(TIEBREAKS)
    assert SENTENCES.keys() == BY_KEY.keys()


def test_a_field_knows_what_every_team_won() -> None:
    field = Competitors([record(ACES, 5, 6), record(BOOKS, 2, 5)])
    assert [field.won[team] for team in (ACES, BOOKS, CROWNS)] == [2, 1, 0]


def test_a_stage_that_a_database_said_is_the_stage_all_the_same() -> None:
    """Its word is no object of the program's."""
    stage = "".join(list(QUALIFYING))
    level = [
        Record(number, (GameRecord(1, (other,), number == ACES, 0, stage=stage),)) for number, other in ((1, 2), (2, 1))
    ]
    assert BY_KEY["head-to-head"].values(level, Competitors(level)).values == (1, 0)


@settings(max_examples=3 * settings().max_examples)
@given(st.integers(2, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.tuples(*[st.integers(1, n)] * 2)))))
def test_who_beat_whom_orders_as_following_every_way_does(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    teams, played = drawn
    numbers = range(1, teams + 1)
    won = {(winner, other) for winner, other in played if winner != other}
    level = [
        Record(team, tuple(GameRecord(1, (other,), (team, other) in won, 0) for other in numbers if other != team))
        for team in numbers
    ]
    reached = set(won)
    for through in numbers:
        reached |= {(a, b) for a in numbers for b in numbers if {(a, through), (through, b)} <= reached and a != b}
    all_met = all((a, b) in reached or (b, a) in reached for a in numbers for b in numbers if a < b)
    values = BY_KEY["who-beat-whom"].values(level, Competitors(level))
    assert bool(values.silent) == (not all_met)
    assert values.values == (tuple(sum((team, b) in reached for b in numbers) for team in numbers) if all_met else ())
