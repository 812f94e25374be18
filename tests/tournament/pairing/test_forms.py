"""Forms of playoffs: every place, consolation, two losses, a second bracket; each list as it was worked out by hand."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Collection
from typing import NamedTuple

import pytest

from tournament.pairing.bracket import PLACES_TO, Bracket, Form, Losers, Slot, build_bracket, place_word
from tournament.pairing.final_places import final_places, finish
from tournament.pairing.progress import NOBODY, Decided, MatchGame, Progress, follow, team_in

Pick = Callable[[int, int], int]
BETTER: Pick = min
WORSE: Pick = max
EVERY_PLACE = Form(Losers.PLACES, 16)


def by_chance(chance: random.Random) -> Pick:
    return lambda one, two: chance.choice((one, two))


DOUBLE, ONE_FINAL, CONSOLATION = Form(Losers.DOUBLE), Form(Losers.ONE_FINAL), Form(Losers.CONSOLATION)


def short(slot: Slot) -> str:
    if slot.seed is not None and slot.loser_of:
        return f"{slot.seed} if it loses {slot.loser_of}"
    if slot.seed is not None:
        return str(slot.seed)
    return f"W {slot.winner_of}" if slot.winner_of else f"L {slot.loser_of}"


def listed(size: int, form: Form) -> str:
    """Every match by round of the hall, those of a round by key: “M1 1–4, M2 2–3 / M3 W M1–W M2, L1 L M1–L M2”."""
    bracket = build_bracket(range(1, size + 1), form=form)
    rounds: dict[int, list[tuple[str, int, str]]] = {}
    for match in bracket.matches:
        first, second = match.slots
        part, _, number = match.key.partition("-")
        letter, digits = part[:1], "".join(sign for sign in part if sign.isdigit())
        order = (letter.replace("M", " "), int(digits or 0) * 100 + int(number or 0))
        rounds.setdefault(match.round, []).append((*order, f"{match.key} {short(first)}–{short(second)}"))
    return " / ".join(", ".join(words for *_, words in sorted(rounds[number])) for number in sorted(rounds))


DOUBLE_LISTS = {
    2: "M1 1–2 / M2 W M1–L M1",
    3: "M1 2–3 / M2 1–W M1 / L1 L M1–L M2 / M3 W M2–W L1",
    4: "M1 1–4, M2 2–3 / M3 W M1–W M2, L1 L M1–L M2 / L2 W L1–L M3 / M4 W M3–W L2",
    5: "M1 4–5 / M2 1–W M1, M3 2–3 / M4 W M2–W M3, L1 L M1–L M3 / L2 W L1–L M2 / L3 W L2–L M4 / M5 W M4–W L3",
    6: "M1 4–5, M2 3–6 / M3 1–W M1, M4 2–W M2 / M5 W M3–W M4, L1 L M1–L M4, L2 L M2–L M3 / L3 W L1–W L2"
    " / L4 W L3–L M5 / M6 W M5–W L4",
    8: "M1 1–8, M2 4–5, M3 2–7, M4 3–6 / M5 W M1–W M2, M6 W M3–W M4, L1 L M1–L M2, L2 L M3–L M4"
    " / M7 W M5–W M6, L3 W L1–L M6, L4 W L2–L M5 / L5 W L3–W L4 / L6 W L5–L M7 / M8 W M7–W L6",
    12: "M1 8–9, M2 5–12, M3 7–10, M4 6–11 / M5 1–W M1, M6 4–W M2, M7 2–W M3, M8 3–W M4"
    " / M9 W M5–W M6, M10 W M7–W M8, L1 L M1–L M8, L2 L M2–L M7, L3 L M3–L M6, L4 L M4–L M5"
    " / M11 W M9–W M10, L5 W L1–W L2, L6 W L3–W L4 / L7 W L5–L M9, L8 W L6–L M10 / L9 W L7–W L8"
    " / L10 W L9–L M11 / M12 W M11–W L10",
    16: "M1 1–16, M2 8–9, M3 4–13, M4 5–12, M5 2–15, M6 7–10, M7 3–14, M8 6–11"
    " / M9 W M1–W M2, M10 W M3–W M4, M11 W M5–W M6, M12 W M7–W M8, L1 L M1–L M2, L2 L M3–L M4, L3 L M5–L M6,"
    " L4 L M7–L M8 / M13 W M9–W M10, M14 W M11–W M12, L5 W L1–L M12, L6 W L2–L M11, L7 W L3–L M10, L8 W L4–L M9"
    " / M15 W M13–W M14, L9 W L5–W L6, L10 W L7–W L8 / L11 W L9–L M13, L12 W L10–L M14 / L13 W L11–W L12"
    " / L14 W L13–L M15 / M16 W M15–W L14",
}
CONSOLATION_LISTS = {
    5: "M1 4–5 / M2 1–W M1, M3 2–3 / M4 W M2–W M3",
    6: "M1 4–5, M2 3–6 / M3 1–W M1, M4 2–W M2, C1 L M1–L M2 / M5 W M3–W M4",
    7: "M1 4–5, M2 2–7, M3 3–6 / M4 1–W M1, M5 W M2–W M3, C1 L M2–L M3 / M6 W M4–W M5, C2 L M1–W C1",
    8: "M1 1–8, M2 4–5, M3 2–7, M4 3–6 / M5 W M1–W M2, M6 W M3–W M4, C1 L M1–L M2, C2 L M3–L M4"
    " / M7 W M5–W M6, C3 W C1–W C2",
    9: "M1 8–9 / M2 1–W M1, M3 4–5, M4 2–7, M5 3–6 / M6 W M2–W M3, M7 W M4–W M5, C1 1 if it loses M2–L M1,"
    " C2 L M4–L M5 / M8 W M6–W M7, C3 W C1–L M3 / C4 W C3–W C2",
    12: "M1 8–9, M2 5–12, M3 7–10, M4 6–11 / M5 1–W M1, M6 4–W M2, M7 2–W M3, M8 3–W M4"
    " / M9 W M5–W M6, M10 W M7–W M8, C1 1 if it loses M5–L M1, C2 4 if it loses M6–L M2, C3 2 if it loses M7–L M3,"
    " C4 3 if it loses M8–L M4 / M11 W M9–W M10, C5 W C1–W C2, C6 W C3–W C4 / C7 W C5–W C6",
    16: "M1 1–16, M2 8–9, M3 4–13, M4 5–12, M5 2–15, M6 7–10, M7 3–14, M8 6–11"
    " / M9 W M1–W M2, M10 W M3–W M4, M11 W M5–W M6, M12 W M7–W M8, C1 L M1–L M2, C2 L M3–L M4, C3 L M5–L M6,"
    " C4 L M7–L M8 / M13 W M9–W M10, M14 W M11–W M12, C5 W C1–W C2, C6 W C3–W C4 / M15 W M13–W M14, C7 W C5–W C6",
}
PLACE_LISTS = {
    4: "M1 1–4, M2 2–3 / M3 W M1–W M2, M3P L M1–L M2",
    5: "M1 4–5 / M2 1–W M1, M3 2–3 / M3P L M2–L M3, M4 W M2–W M3",
    6: "M1 4–5, M2 3–6 / M3 1–W M1, M4 2–W M2, P5 L M1–L M2 / M3P L M3–L M4, M5 W M3–W M4",
    7: "M1 4–5, M2 2–7, M3 3–6 / M4 1–W M1, M5 W M2–W M3, P5-1 L M2–L M3 / M3P L M4–L M5, M6 W M4–W M5,"
    " P5-2 L M1–W P5-1",
    8: "M1 1–8, M2 4–5, M3 2–7, M4 3–6 / M5 W M1–W M2, M6 W M3–W M4, P5-1 L M1–L M2, P5-2 L M3–L M4"
    " / M3P L M5–L M6, M7 W M5–W M6, P5-3 W P5-1–W P5-2, P7 L P5-1–L P5-2",
    12: "M1 8–9, M2 5–12, M3 7–10, M4 6–11 / M5 1–W M1, M6 4–W M2, M7 2–W M3, M8 3–W M4, P9-1 L M1–L M2,"
    " P9-2 L M3–L M4 / M9 W M5–W M6, M10 W M7–W M8, P5-1 L M5–L M6, P5-2 L M7–L M8, P9-3 W P9-1–W P9-2,"
    " P11 L P9-1–L P9-2 / M3P L M9–L M10, M11 W M9–W M10, P5-3 W P5-1–W P5-2, P7 L P5-1–L P5-2",
}


@pytest.mark.parametrize(
    ("form", "size", "matches"),
    [
        *((DOUBLE, size, matches) for size, matches in DOUBLE_LISTS.items()),
        *((ONE_FINAL, size, matches) for size, matches in DOUBLE_LISTS.items()),
        *((CONSOLATION, size, matches) for size, matches in CONSOLATION_LISTS.items()),
        *((EVERY_PLACE, size, matches) for size, matches in PLACE_LISTS.items()),
    ],
)
def test_every_match_is_the_one_that_was_worked_out(form: Form, size: int, matches: str) -> None:
    assert listed(size, form) == matches


def test_slots_are_said_in_words() -> None:
    slots = (Slot(seed=3), Slot(winner_of="M3"), Slot(loser_of="M3"), Slot(seed=1, loser_of="M5"))
    assert [slot.words for slot in slots] == ["seed 3", "winner of M3", "loser of M3", "seed 1 if it loses M5"]


def test_sixteen_for_every_place_play_thirty_two_matches_in_four_rounds_at_eight_tables() -> None:
    bracket = build_bracket(range(1, 17), form=EVERY_PLACE)
    assert Counter(match.round for match in bracket.matches) == {1: 8, 2: 8, 3: 8, 4: 8}


def test_a_second_bracket_takes_the_seeds_behind_the_cut() -> None:
    assert listed(12, Form(second=4)) == (
        "M1 1–8, M2 4–5, M3 2–7, M4 3–6, B1 9–12, B2 10–11 / M5 W M1–W M2, M6 W M3–W M4, B3 W B1–W B2 / M7 W M5–W M6"
    )
    bracket = build_bracket(range(1, 15), form=Form(second=6))
    assert [(part.key, part.title, part.best) for part in bracket.parts] == [
        ("M", "Main bracket", 1),
        ("B", "Second bracket", 9),
    ]
    assert [short(bye.slot) for bye in bracket.byes if bye.part == "B"] == ["9", "10"]
    assert {match.title for match in bracket.in_part("B")} == {
        "Second bracket quarterfinal",
        "Second bracket semifinal",
        "Second bracket final",
    }


def test_one_round_of_the_hall_holds_both_brackets_with_nobody_in_it_twice() -> None:
    """24 teams: 16 after the cut with places down to the eighth, and 8 in the second bracket."""
    form = Form(Losers.PLACES, 8, 8)
    end = play(24, form, BETTER)
    assert [{key[0] for key in keys} for keys in end.rounds] == [{"M", "B"}, {"M", "B"}, {"M", "P", "B"}, {"M", "P"}]
    assert end.places().startswith("1 1 · 2 2 · 3 3 · 4 4 · 5 5 · 6 6 · 7 7 · 8 8 · 9= 9 10 11 12 13 14 15 16 · 17 17")


def test_parts_are_named_and_ordered_by_their_best_place() -> None:
    def parts(size: int, form: Form) -> list[tuple[str, str]]:
        return [(part.key, part.title) for part in build_bracket(range(size), form=form).parts]

    assert parts(8, EVERY_PLACE) == [
        ("M", "Main bracket"),
        ("P3", "For third place"),
        ("P5", "For fifth place"),
        ("P7", "For seventh place"),
    ]
    assert parts(8, DOUBLE) == [("M", "Winners’ bracket"), ("L", "Losers’ bracket")]
    assert parts(2, DOUBLE) == [("M", "Winners’ bracket")]
    plain = [build_bracket(range(8), form=form).is_plain for form in (Form(), Form(Losers.PLACES, 4), CONSOLATION)]
    assert plain == [True, True, False]
    assert parts(8, Form(Losers.CONSOLATION, 4)) == [
        ("M", "Main bracket"),
        ("P3", "For third place"),
        ("C", "Consolation"),
    ]
    assert parts(19, Form(Losers.PLACES, 4, 11, Losers.CONSOLATION))[2:] == [
        ("B", "Second bracket"),
        ("BC", "Second bracket, consolation"),
    ]
    assert [place_word(place) for place in (3, 5, 7, 9, 11, 13, 21, 22, 23, 25)] == [
        "Third", "Fifth", "Seventh", "Ninth", "11th", "13th", "21st", "22nd", "23rd", "25th",
    ]  # fmt: skip


def test_matches_have_titles_in_words() -> None:
    def titles(size: int, form: Form) -> dict[str, str]:
        return {match.key: match.title for match in build_bracket(range(size), form=form).matches}

    assert titles(5, DOUBLE) == {
        "M1": "Winners’ quarterfinal",
        "M2": "Winners’ semifinal",
        "M3": "Winners’ semifinal",
        "M4": "Winners’ final",
        "M5": "Final",
        "L1": "Losers’ round 1",
        "L2": "Losers’ round 2",
        "L3": "Losers’ final",
    }
    eight = titles(8, EVERY_PLACE)
    assert [eight[key] for key in ("M3P", "P5-1", "P5-3", "P7")] == [
        "Third place",
        "Fifth-place semifinal",
        "Fifth place",
        "Seventh place",
    ]
    assert [titles(8, CONSOLATION)[key] for key in ("C1", "C3")] == ["Consolation semifinal", "Consolation final"]
    longest = titles(1024, Form(Losers.CONSOLATION, 4, 500, Losers.CONSOLATION)).values()
    assert max(len(title) for title in longest) <= 40


def test_answers_of_a_director_are_read_and_said_again() -> None:
    for losers, places_to in itertools.product(Losers, PLACES_TO):
        form = Form(losers, places_to)
        again = Form.from_answer(form.answer)
        assert again.answer == form.answer
        assert build_bracket(range(16), form=again) == build_bracket(range(16), form=form)
    assert Form.from_answer("", 6, "places") == Form(Losers.OUT, 2, 6, Losers.PLACES)


@pytest.mark.parametrize(("size", "form"), [(3, Form(second=1)), (3, Form(second=2)), (1, DOUBLE)])
def test_bracket_of_one_is_refused(size: int, form: Form) -> None:
    with pytest.raises(ValueError, match="at least two teams"):
        build_bracket(range(size), form=form)


# Whole playoffs, game by game.


class Playoffs(NamedTuple):
    bracket: Bracket
    progress: Progress
    games: dict[str, list[MatchGame]]
    rounds: list[list[str]]

    @property
    def played(self) -> int:
        return sum(len(games) for games in self.games.values())

    def losses(self) -> Counter[int]:
        return Counter(
            team for games in self.games.values() for game in games for team in game.teams if team != game.winner
        )

    def places(self) -> str:
        words, rank = [], 1
        for teams in finish(self.progress):
            words.append(f"{rank}{'=' if len(teams) > 1 else ''} {' '.join(map(str, teams))}")
            rank += len(teams)
        return " · ".join(words)

    def meetings(self) -> dict[tuple[int, int], list[str]]:
        """The matches in which each two teams met, in the order of play."""
        met: dict[tuple[int, int], list[str]] = {}
        for match in self.bracket.matches:
            for game in self.games.get(match.key, ())[:1]:
                met.setdefault((min(game.teams), max(game.teams)), []).append(match.key)
        return met


def play(
    size: int,
    form: Form,
    pick: Pick,
    *,
    best_of: int = 1,
    gone: Collection[int] = (),
    leaves: Callable[[list[int]], list[int]] | None = None,
) -> Playoffs:
    """Play a bracket through, a round of the hall after another. Nobody may be in a round twice, or be waited for."""
    bracket = build_bracket(range(1, size + 1), form=form, best_of=best_of)
    games: dict[str, list[MatchGame]] = {}
    away = set(gone)
    rounds: list[list[str]] = []
    while True:
        progress = follow(bracket, games, gone=away)
        waiting = [state for state in progress.states if not state.is_decided]
        if not waiting:
            return Playoffs(bracket, progress, games, rounds)
        number = min(state.match.round for state in waiting)
        due = [state for state in waiting if state.match.round == number]
        assert all(state.teams[0] and state.teams[1] for state in due), f"round {number} waits for nobody"
        here = [team for state in due for team in state.teams if team]
        assert max(Counter(here).values()) == 1, f"a team is in round {number} twice"
        away.update(leaves(here) if leaves else ())
        for state in due:
            first, second = state.teams
            assert first and second
            come = [team for team in (first, second) if team not in away]
            winner = pick(first, second) if len(come) == 2 else come[0] if come else None
            games.setdefault(state.match.key, []).append(MatchGame((first, second), winner))
        rounds.append([state.match.key for state in due])


@pytest.mark.parametrize(
    ("size", "form", "pick", "places", "played"),
    [
        (3, DOUBLE, WORSE, "1 3 · 2 2 · 3 1", 4),
        (4, DOUBLE, BETTER, "1 1 · 2 2 · 3 3 · 4 4", 6),
        (4, DOUBLE, WORSE, "1 4 · 2 3 · 3 2 · 4 1", 6),
        (5, DOUBLE, WORSE, "1 5 · 2 4 · 3 3 · 4 1 · 5 2", 8),
        (6, DOUBLE, BETTER, "1 1 · 2 2 · 3 3 · 4 4 · 5= 5 6", 10),
        (8, DOUBLE, BETTER, "1 1 · 2 2 · 3 3 · 4 4 · 5= 5 6 · 7= 7 8", 14),
        (8, DOUBLE, WORSE, "1 8 · 2 7 · 3 6 · 4 5 · 5= 3 4 · 7= 1 2", 14),
        (12, DOUBLE, BETTER, "1 1 · 2 2 · 3 3 · 4 4 · 5= 5 6 · 7= 7 8 · 9= 9 10 11 12", 22),
        (6, CONSOLATION, BETTER, "1 1 · 2 2 · 3= 3 4 · 5 5 · 6 6", 6),
        (8, CONSOLATION, BETTER, "1 1 · 2 2 · 3= 3 4 · 5 5 · 6 6 · 7= 7 8", 10),
        (12, CONSOLATION, BETTER, "1 1 · 2 2 · 3= 3 4 · 5= 5 6 7 8 · 9 9 · 10 10 · 11= 11 12", 14),
        (12, CONSOLATION, WORSE, "1 12 · 2 11 · 3= 9 10 · 5 8 · 6 7 · 7= 5 6 · 9= 1 2 3 4", 18),
        (5, EVERY_PLACE, BETTER, "1 1 · 2 2 · 3 3 · 4 4 · 5 5", 5),
        (8, EVERY_PLACE, WORSE, "1 8 · 2 7 · 3 6 · 4 5 · 5 4 · 6 3 · 7 2 · 8 1", 12),
        (14, Form(second=6), BETTER, "1 1 · 2 2 · 3= 3 4 · 5= 5 6 7 8 · 9 9 · 10 10 · 11= 11 12 · 13= 13 14", 12),
    ],
)
def test_places_are_those_that_were_worked_out(size: int, form: Form, pick: Pick, places: str, played: int) -> None:
    end = play(size, form, pick)
    assert (end.places(), end.played) == (places, played)


@pytest.mark.parametrize(("size", "rounds", "matches"), [(6, 6, 10), (12, 8, 22), (16, 8, 30), (24, 10, 46)])
def test_double_elimination_takes_two_rounds_for_each_halving(size: int, rounds: int, matches: int) -> None:
    bracket = build_bracket(range(size), form=DOUBLE)
    assert (max(match.round for match in bracket.matches), len(bracket.matches)) == (rounds, matches)


def test_eight_for_every_place_play_three_games_each() -> None:
    end = play(8, EVERY_PLACE, BETTER)
    games = Counter(team for rows in end.games.values() for game in rows for team in game.teams)
    assert games == dict.fromkeys(range(1, 9), 3)
    assert [len(keys) for keys in end.rounds] == [4, 4, 4]


@pytest.mark.parametrize(("size", "first"), [(6, 2), (8, 3), (16, 4)])
def test_nobody_meets_an_opponent_again_early_in_the_losers_bracket(size: int, first: int) -> None:
    """The crossing puts a second meeting off: with 8 teams to losers’ round 3, with 16 to round 4."""
    for number in range(60):
        chance = random.Random(number)
        end = play(size, DOUBLE, by_chance(chance))
        columns = {match.key: match.column for match in end.bracket.in_part("L")}
        again = [keys[1] for keys in end.meetings().values() if len(keys) > 1]
        assert all(columns[key] >= first for key in again if key in columns), (number, again)


# The final of a double elimination is a head start.

FOUR = build_bracket(range(1, 5), form=DOUBLE)
TO_THE_FINAL = {
    "M1": [MatchGame((1, 4), 1)],
    "M2": [MatchGame((2, 3), 2)],
    "M3": [MatchGame((1, 2), 1)],
    "L1": [MatchGame((4, 3), 3)],
    "L2": [MatchGame((3, 2), 2)],
}


def final_after(*winners: int, bracket: Bracket = FOUR) -> Progress:
    return follow(bracket, TO_THE_FINAL | {"M4": [MatchGame((1, 2), winner) for winner in winners]})


def test_who_has_not_lost_needs_one_game_the_other_side_two() -> None:
    final = FOUR.final
    assert (final.key, final.best_of, final.head_start) == ("M4", 3, 1)
    assert (final_after().state("M4").wins, final_after().champion) == ((1, 0), None)
    assert (final_after(1).champion, final_after(1).state("M4").wins) == (1, (2, 0))
    assert (final_after(2).champion, final_after(2).state("M4").wins) == (None, (1, 1))
    assert (final_after(2, 2).champion, final_after(2, 1).champion) == (2, 1)
    assert [final_after(*winners).state("M4").asked for winners in ((2,), (2, 2))] == [None, None]


def test_with_one_final_its_first_game_decides() -> None:
    bracket = build_bracket(range(1, 5), form=ONE_FINAL)
    assert (bracket.final.best_of, bracket.final.head_start) == (1, 0)
    assert final_after(2, bracket=bracket).champion == 2


def test_game_one_of_the_final_corrected_after_game_two_makes_the_other_champion() -> None:
    corrected = final_after(1, 2)
    assert corrected.champion == 1
    assert [stale.text for stale in corrected.stale] == [
        "Final, M4: game 2 does not count, the match was decided before it."
    ]
    assert finish(corrected)[:2] == ((1,), (2,))


def test_best_of_three_final_is_first_to_three_with_one_ahead() -> None:
    bracket = build_bracket(range(1, 5), form=DOUBLE, best_of=3)
    assert (bracket.final.best_of, bracket.final.head_start) == (5, 1)
    assert {match.best_of for match in bracket.matches if match is not bracket.final} == {3}


def test_two_teams_play_two_or_three_games() -> None:
    assert [play(2, DOUBLE, pick).played for pick in (BETTER, WORSE)] == [2, 2]
    bracket = build_bracket((1, 2), form=DOUBLE)
    back = {"M1": [MatchGame((1, 2), 1)], "M2": [MatchGame((1, 2), 2), MatchGame((1, 2), 2)]}
    assert (follow(bracket, back).champion, sum(map(len, back.values()))) == (2, 3)


def test_a_match_corrected_after_both_sides_played_on_asks_one_question() -> None:
    games = {
        "M1": [MatchGame((1, 4), 4)],
        "M2": [MatchGame((2, 3), 2)],
        "M3": [MatchGame((1, 2), 1)],
        "L1": [MatchGame((4, 3), 4)],
    }
    progress = follow(FOUR, games)
    assert [(state.match.key, state.asked) for state in progress.states if state.asked] == [("M1", 1)]
    assert (progress.state("M3").teams, progress.state("L1").teams) == ((1, 2), (4, 3))
    replayed = follow(FOUR, games, decisions={"M1": Decided(1, 4, keep=False)})
    assert (replayed.state("M3").teams, replayed.state("L1").teams) == ((4, 2), (1, 3))
    assert len(replayed.stale) == 2
    kept = follow(FOUR, games, decisions={"M1": Decided(1, 4, keep=True)})
    assert (kept.state("M3").winner, kept.state("L1").winner, kept.stale) == (1, 4, ())


def test_no_question_before_a_hand_is_written() -> None:
    games = {
        "M1": [MatchGame((1, 4), 4)],
        "M2": [MatchGame((2, 3), 2)],
        "M3": [MatchGame((1, 2), None, written=False)],
        "L1": [MatchGame((4, 3), None, written=False)],
    }
    progress = follow(FOUR, games)
    assert (progress.state("M1").undecided, progress.state("M3").teams) == (False, (4, 2))


def test_a_seed_corrected_out_of_the_consolation_is_asked_about() -> None:
    """Seed 1 lost M5 by the first sheet, and played the consolation; by the corrected one it has won."""
    bracket = build_bracket(range(1, 13), form=CONSOLATION)
    games = {
        "M1": [MatchGame((8, 9), 9)],
        "M5": [MatchGame((1, 9), 1)],
        "C1": [MatchGame((1, 8), 1)],
    }
    progress = follow(bracket, games)
    assert (progress.state("M5").asked, progress.state("C1").teams) == (9, (1, 8))
    assert [team_in(progress, slot) for slot in (Slot(winner_of="M5"), Slot(seed=1, loser_of="M5"))] == [9, 1]
    replayed = follow(bracket, games, decisions={"M5": Decided(9, 1, keep=False)})
    assert (replayed.state("C1").teams, replayed.state("M9").teams[0]) == ((NOBODY, 8), 1)


# Leavers.


def test_who_leaves_loses_its_next_match_by_default_and_shares_the_place() -> None:
    """6 teams, seed 5 leaves after losing M1: L1 goes to its opponent; 5= with the other loser of that round."""
    end = play(6, DOUBLE, BETTER, gone=(5,))
    assert end.games["L1"] == [MatchGame((5, 4), 4)] or end.games["L1"][0].winner != 5
    assert end.places().split(" · ")[-1] == "5= 5 6"
    disqualified = final_places(end.progress, [], {5})
    assert [(one.team, one.rank) for one in disqualified if one.team in (5, 6)] == [(6, 5), (5, None)]


@pytest.mark.parametrize("form", [CONSOLATION, DOUBLE, EVERY_PLACE])
def test_both_gone_in_two_matches_that_feed_one_stand_last_together(form: Form) -> None:
    end = play(8, form, BETTER, gone=(1, 8, 4, 5))
    assert finish(end.progress)[-1] == (1, 4, 5, 8)
    nobody = {state.match.key for state in end.progress.states if state.teams == (NOBODY, NOBODY)}
    assert nobody == {"M5", {"consolation": "C1", "double": "L1", "places": "P5-1"}[form.losers]} | (
        {"P7"} if form is EVERY_PLACE and "P7" in nobody else set()
    )
    assert end.progress.champion == 2


FORMS = [
    *(Form(losers, places_to) for losers in Losers for places_to in PLACES_TO),
    *(
        Form(losers, 4, second, second_losers)
        for losers in Losers
        for second in (2, 5, 11)
        for second_losers in (Losers.OUT, Losers.PLACES, Losers.CONSOLATION)
    ),
]


@pytest.mark.parametrize("size", range(2, 34))
def test_every_form_places_everybody_once(size: int) -> None:
    """With random results, games of several, and teams that leave; `play` sees that nobody is in a round twice."""
    chance = random.Random(size)

    def one_leaves(here: list[int]) -> list[int]:
        return [chance.choice(here)] if chance.random() < 0.3 else []

    for index, form in enumerate(FORMS):
        if size - form.second < 2:
            continue
        # Each form as a whole, with leavers, or with games of several: all three over the sizes.
        for leaves, best_of in ((None, 1), ((one_leaves, 1), (one_leaves, 3))[(size + index) % 2]):
            end = play(size, form, by_chance(chance), best_of=best_of, leaves=leaves)
            if end.progress.champion is None:
                continue
            placed = [team for teams in finish(end.progress) for team in teams]
            assert sorted(placed) == list(range(1, size + 1)), form
            if leaves is None and form.losers == Losers.DOUBLE and not form.second:
                losses = end.losses()
                assert losses.pop(end.progress.champion, 0) < 2
                assert losses == {team: 2 for team in range(1, size + 1) if team != end.progress.champion}
            if leaves is None:
                assert not [state for state in end.progress.states if state.teams == (NOBODY, NOBODY)], form


def test_second_bracket_places_its_teams_when_it_is_won() -> None:
    form = Form(second=2)
    bracket = build_bracket(range(1, 5), form=form)
    games = {"M1": [MatchGame((1, 2), 1)]}
    assert finish(follow(bracket, games)) == ((1,), (2,))
    assert finish(follow(bracket, games | {"B1": [MatchGame((3, 4), 4)]})) == ((1,), (2,), (4,), (3,))


def test_places_that_were_not_played_for_are_shared() -> None:
    """The event ended after the final and one match for fifth place: who won it stands for fifth with the others."""
    end = play(8, EVERY_PLACE, BETTER)
    games = {key: rows for key, rows in end.games.items() if key[:1] == "M" or key == "P5-1"}
    assert Playoffs(end.bracket, follow(end.bracket, games), games, []).places() == (
        "1 1 · 2 2 · 3 3 · 4 4 · 5= 5 6 7 · 8 8"
    )
