"""Single elimination: seeds, byes, slots derived from games, and results that no longer count."""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.pairing.bracket import Bracket, Form, Losers, Match, Part, Slot, build_bracket, round_title, seed_order
from tournament.pairing.final_places import Placed, final_places, finish
from tournament.pairing.progress import NOBODY, Decided, MatchGame, Progress, Stale, follow

THIRD = Form(Losers.PLACES, 4)

SIX = build_bracket((101, 102, 103, 104, 105, 106), form=THIRD)
NAMES = {101: "Aces", 104: "Books", 105: "Crowns"}


def won(winner: int, loser: int) -> MatchGame:
    return MatchGame((winner, loser), winner)


def test_bracket_of_two_is_a_final() -> None:
    final = Match("M1", 1, 1, (Slot(seed=1), Slot(seed=2)), "Final", lost=2, won=1)
    assert build_bracket((7, 3)) == Bracket((7, 3), (final,), 1, (Part("M", "Main bracket", 1),))


def test_bracket_of_six_gives_byes_to_the_top_seeds() -> None:
    assert [(match.key, match.title, *(slot.words for slot in match.slots)) for match in SIX.matches] == [
        ("M1", "Quarterfinal", "seed 4", "seed 5"),
        ("M2", "Quarterfinal", "seed 3", "seed 6"),
        ("M3", "Semifinal", "seed 1", "winner of M1"),
        ("M4", "Semifinal", "seed 2", "winner of M2"),
        ("M3P", "Third place", "loser of M3", "loser of M4"),
        ("M5", "Final", "winner of M3", "winner of M4"),
    ]
    assert [match.position for match in SIX.matches] == [2, 4, 1, 2, 1, 1]
    assert SIX.final.key == "M5"


def test_rounds_have_names_in_words() -> None:
    assert [round_title(number, 5) for number in range(1, 6)] == [
        "Round of 32", "Round of 16", "Quarterfinal", "Semifinal", "Final",
    ]  # fmt: skip


def test_seeds_meet_as_in_every_bracket() -> None:
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)


def test_third_place_needs_four_teams() -> None:
    assert [match.title for match in build_bracket((1, 2, 3), form=THIRD).matches] == ["Semifinal", "Final"]


@pytest.mark.parametrize("teams", [(1,), (1, 1)])
def test_impossible_fields_are_refused(teams: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="at least two teams"):
        build_bracket(teams)


@pytest.mark.parametrize("best_of", [2, 4, -1])
def test_even_number_of_games_is_refused(best_of: int) -> None:
    with pytest.raises(ValueError, match="odd number"):
        build_bracket((1, 2), best_of=best_of)


def test_slots_fill_from_games() -> None:
    progress = follow(SIX, {"M1": [won(105, 104)]}, NAMES)
    assert progress.state("M3").teams == (101, 105)
    assert progress.state("M4").teams == (102, None)
    assert (progress.champion, progress.stale) == (None, ())


def test_whole_bracket_gives_champion_and_places() -> None:
    games = {
        "M1": [won(104, 105)], "M2": [won(106, 103)], "M3": [won(101, 104)], "M4": [won(106, 102)],
        "M3P": [won(102, 104)], "M5": [won(106, 101)],
    }  # fmt: skip
    progress = follow(SIX, games)
    assert progress.champion == 106
    assert finish(progress) == ((106,), (101,), (102,), (104,), (103, 105))
    assert finish(follow(SIX, {**games, "M3P": []})) == ((106,), (101,), (102, 104), (103, 105))
    assert finish(follow(SIX, {**games, "M5": []})) == ()
    without = build_bracket(SIX.teams)
    assert finish(follow(without, {key: games[key] for key in games if key != "M3P"}))[2] == (102, 104)


def test_corrected_result_waits_for_a_decision_and_the_later_games_stand_until_then() -> None:
    games = {"M1": [won(105, 104)], "M3": [won(104, 101)]}
    progress = follow(SIX, games, NAMES)
    first = progress.state("M1")
    assert (first.winner, first.through, first.out, first.asked, first.undecided) == (105, 104, 105, 104, True)
    assert (progress.stale, progress.state("M3").teams, progress.state("M3").winner) == ((), (101, 104), 104)


def test_corrected_result_with_nothing_written_since_lets_the_winner_go_on_at_once() -> None:
    games = {"M1": [won(105, 104)], "M3": [MatchGame((104, 101), None, written=False)]}
    progress = follow(SIX, games, NAMES)
    first = progress.state("M1")
    assert (first.through, first.asked, first.undecided, len(progress.stale)) == (105, 104, False, 1)
    assert progress.state("M3").teams == (101, 105)
    undone = follow(SIX, games, NAMES, {"M1": Decided(104, 105, True)})
    assert (undone.state("M1").stays, undone.stale, undone.state("M3").teams) == (True, (), (101, 104))


def test_corrected_result_with_a_replay_puts_the_winner_in_and_the_first_game_counts_for_nothing() -> None:
    games = {"M1": [won(105, 104)], "M3": [won(104, 101)]}
    progress = follow(SIX, games, NAMES, {"M1": Decided(104, 105, False)})
    text = "Semifinal, M3: the game of Books and Aces does not count; the match is now Aces and Crowns."
    assert progress.stale == (Stale("M3", 0, text),)
    assert (progress.state("M1").through, progress.state("M3").winner) == (105, None)
    again = follow(SIX, games | {"M3": [won(104, 101), won(101, 105)]}, NAMES, {"M1": Decided(104, 105, False)})
    assert (again.state("M3").winner, len(again.stale)) == (101, 1)


def test_corrected_result_that_is_kept_leaves_the_later_games_as_they_were_played() -> None:
    games = {"M1": [won(105, 104)], "M2": [won(103, 106)], "M3": [won(104, 101)]}
    progress = follow(SIX, games, NAMES, {"M1": Decided(104, 105, True)})
    first = progress.state("M1")
    assert (first.winner, first.through, first.out, first.stays) == (105, 104, 105, True)
    assert (progress.stale, progress.state("M3").winner) == ((), 104)


def test_a_decision_holds_for_the_change_that_it_names_and_no_other() -> None:
    games = {"M1": [won(104, 105)], "M3": [won(105, 101)]}
    assert follow(SIX, games, NAMES, {"M1": Decided(104, 105, True)}).state("M1").asked == 105
    assert follow(SIX, {"M1": [won(104, 105)]}, NAMES, {"M1": Decided(104, 105, True)}).state("M1").through == 104


def test_one_decision_about_a_semi_final_is_for_the_final_and_for_third_place() -> None:
    bracket = build_bracket((1, 2, 3, 4), form=THIRD)
    games = {"M1": [won(4, 1)], "M2": [won(2, 3)], "M3P": [won(4, 3)], "M3": [won(1, 2)]}
    assert follow(bracket, games).stale == ()
    assert follow(bracket, games | {"M3": []}).state("M1").asked == 1, "the game for third place asks as well"
    kept = follow(bracket, games, None, {"M1": Decided(1, 4, True)})
    assert (kept.stale, finish(kept)) == ((), ((1,), (2,), (4,), (3,)))


def test_game_of_a_match_that_is_not_filled_yet_is_stale() -> None:
    text = "Semifinal, M4: the game of Team 102 and Team 103 does not count; the match is now Team 102 and nobody yet."
    assert follow(SIX, {"M4": [won(102, 103)]}).stale == (Stale("M4", 0, text),)


def test_best_of_three_final_goes_on_until_two_are_won() -> None:
    bracket = build_bracket((1, 2), best_of=3)
    games = [won(1, 2), MatchGame((2, 1), None), won(2, 1), won(1, 2), won(2, 1)]
    assert follow(bracket, {"M1": games[:3]}).champion is None
    assert follow(bracket, {"M1": games[:3]}).state("M1").wins == (1, 1)
    progress = follow(bracket, {"M1": games})
    assert (progress.champion, progress.state("M1").wins, progress.state("M1").loser) == (1, (2, 1), 2)
    assert progress.stale == (Stale("M1", 4, "Final, M1: game 5 does not count, the match was decided before it."),)


def test_unknown_match_is_refused() -> None:
    with pytest.raises(KeyError, match="M9"):
        follow(SIX, {"M9": []})
    with pytest.raises(KeyError, match="M9"):
        follow(SIX, {}).state("M9")


@given(st.integers(2, 70), st.booleans(), st.integers(0, 999))
def test_every_seed_appears_once_and_byes_go_to_the_top(size: int, third_place: bool, seed: int) -> None:
    bracket = build_bracket(range(1, size + 1), form=THIRD if third_place else None)
    seeds = sorted(slot.seed for match in bracket.matches for slot in match.slots if slot.seed)
    assert seeds == list(range(1, size + 1))
    byes = 2**bracket.rounds - size
    late = {slot.seed for match in bracket.matches if match.round > 1 for slot in match.slots if slot.seed}
    assert late == set(range(1, byes + 1))
    assert len(bracket.matches) == size - 1 + (third_place and size >= 4)
    chance = random.Random(seed)
    games: dict[str, list[MatchGame]] = {}
    for _, matches in itertools.groupby(bracket.matches, lambda match: match.round):
        progress = follow(bracket, games)
        for match in matches:
            one, other = progress.state(match.key).teams
            assert one is not None and other is not None
            games[match.key] = [MatchGame((one, other), chance.choice((one, other)))]
    progress = follow(bracket, games)
    assert progress.stale == ()
    assert sorted(team for place in finish(progress) for team in place) == list(range(1, size + 1))


def test_no_slot_disagrees_with_the_games_after_corrections_and_decisions() -> None:
    done = Counter[str]()

    @settings(max_examples=3 * settings().max_examples)
    @given(st.integers(2, 12), st.sampled_from([1, 3]), st.integers(0, 99_999))
    def played(size: int, best_of: int, seed: int) -> None:
        play_and_correct(size, best_of, seed, done)

    played()
    assert min(done[act] for act in ("played", "corrected", "decided")) >= 100, done


def play_and_correct(size: int, best_of: int, seed: int, done: Counter[str]) -> None:
    chance = random.Random(seed)
    bracket = build_bracket(range(1, size + 1), best_of=best_of, form=THIRD)
    games: dict[str, list[MatchGame]] = {match.key: [] for match in bracket.matches}
    decisions: dict[str, Decided] = {}
    progress = follow(bracket, games)
    for _ in range(60):
        state = progress.state(chance.choice(bracket.matches).key)
        key = state.match.key
        one, other = state.teams
        if one and other and state.winner is None:
            games[key].append(MatchGame((one, other), chance.choice((one, other))))
            done["played"] += 1
        elif games[key] and chance.random() < 0.5:
            index = chance.randrange(len(games[key]))
            game = games[key][index]
            games[key][index] = MatchGame(game.teams, game.teams[game.winner == game.teams[0]])
            done["corrected"] += 1
        elif state.asked is not None and state.winner is not None and chance.random() < 0.7:
            decisions[key] = Decided(state.asked, state.winner, chance.random() < 0.5)
            done["decided"] += 1
        progress = follow(bracket, games, None, decisions)
        check_slots(progress, games, decisions)


def check_slots(progress: Progress, games: dict[str, list[MatchGame]], decisions: dict[str, Decided]) -> None:
    stale = {(one.match, one.game) for one in progress.stale}
    busy: dict[int, list[int]] = {}
    for state in progress.states:
        key = state.match.key
        for team, slot in zip(state.teams, state.match.slots, strict=True):
            if slot.winner_of:
                assert team == progress.state(slot.winner_of).through
            elif slot.loser_of:
                assert team == progress.state(slot.loser_of).out
            busy.setdefault(state.match.round, []).extend([team] if team else [])
        counted = [game for index, game in enumerate(games[key]) if (key, index) not in stale]
        assert all(set(game.teams) == set(state.teams) for game in counted)
        needed = state.match.best_of // 2 + 1
        assert (state.winner is not None) == (max(state.wins) >= needed)
        if state.winner is not None:
            assert sum(game.winner == state.winner for game in counted) == needed
        if state.through != state.winner:
            named = decisions.get(key) == Decided(state.loser or 0, state.winner or 0, True)
            assert (state.stays, state.undecided, state.through) == (named, not named, state.loser)
    for teams in busy.values():
        assert len(teams) == len(set(teams)), "nobody plays twice in a round"


# Final places from a bracket in which sides are gone, and from the qualifying order behind it.
EIGHT = build_bracket(range(1, 9), form=THIRD)


def nobody(one: int, other: int) -> MatchGame:
    return MatchGame((one, other), None)


def test_two_that_are_gone_are_both_out_and_the_next_goes_on_without_a_game() -> None:
    games = {"M1": [nobody(1, 8)], "M2": [won(4, 5)], "M3": [won(2, 7)], "M4": [won(3, 6)], "M6": [won(2, 3)]}
    assert follow(EIGHT, games, gone={1}).state("M1").both_out is False
    progress = follow(EIGHT, games, gone={1, 8})
    assert (progress.state("M1").teams, progress.state("M5").teams) == ((1, 8), (NOBODY, 4))
    assert (progress.state("M5").through, progress.state("M5").loser) == (4, None)
    # Nobody lost to 4 in the semifinal, so 3 is third without a game.
    assert (progress.state("M3P").teams, progress.state("M3P").winner) == ((NOBODY, 3), 3)
    done = follow(EIGHT, games | {"M7": [won(4, 2)]}, gone={1, 8})
    assert [(one.team, one.rank, one.shared, one.ending, one.match) for one in final_places(done, [])] == [
        (4, 1, False, "won-final", "M7"),
        (2, 2, False, "lost-final", "M7"),
        (3, 3, False, "won-part", "M3P"),
        (1, 4, True, "went-out", "M1"),
        (5, 4, True, "went-out", "M2"),
        (6, 4, True, "went-out", "M4"),
        (7, 4, True, "went-out", "M3"),
        (8, 4, True, "went-out", "M1"),
    ]


def test_where_four_are_gone_nobody_comes_to_a_whole_half() -> None:
    games = {"M1": [nobody(1, 8)], "M2": [nobody(4, 5)], "M3": [won(2, 7)], "M4": [won(3, 6)], "M6": [won(2, 3)]}
    progress = follow(EIGHT, games, gone={1, 4, 5, 8})
    assert (progress.state("M5").teams, progress.state("M5").both_out) == ((NOBODY, NOBODY), True)
    assert (progress.champion, progress.state("M3P").through) == (2, 3)


def test_both_finalists_gone_leave_no_champion_and_no_places() -> None:
    two = build_bracket((1, 2))
    assert final_places(follow(two, {"M1": [nobody(1, 2)]}, gone={1, 2}), [(1,), (2,), (3,)]) == ()


def test_without_playoffs_the_qualifying_order_is_the_places() -> None:
    assert final_places(None, [(2,), (1, 4), (3,)], {1}) == (
        Placed(2, 1, False, "qualified"),
        Placed(4, 2, False, "qualified"),
        Placed(3, 3, False, "qualified"),
        Placed(1, None, False, "disqualified"),
    )
