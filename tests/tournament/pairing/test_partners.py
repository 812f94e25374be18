"""Partners by lot: everybody once, nobody with the last partner again where that can be avoided."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pairing.draw import Partners, draw_partners

MEMBERS = st.sets(st.integers(1, 60), min_size=2, max_size=9)


def test_the_same_seed_draws_the_same_pairs() -> None:
    drawn = draw_partners([5, 3, 1, 6, 2, 4], [(1, 2)], 8)
    assert drawn == draw_partners([1, 2, 3, 4, 5, 6], [(2, 1)], 8)
    assert sorted(number for pair in drawn.pairs for number in pair) == [1, 2, 3, 4, 5, 6]
    assert (drawn.alone, drawn.again) == (None, ())
    assert len({draw_partners(range(1, 9), [], seed).pairs for seed in range(50)}) > 40


def test_one_member_too_many_is_left_over_and_not_twice_running() -> None:
    first = draw_partners([1, 2, 3], [], 1)
    assert first.alone in (1, 2, 3)
    assert {draw_partners([1, 2, 3], [(0, 1)], seed).alone for seed in range(40)} == {2, 3}


def test_what_cannot_be_avoided_is_said() -> None:
    # Member 1 was the partner of everybody.
    drawn = draw_partners([1, 2, 3, 4], [(1, 2), (1, 3), (4, 1)], 3)
    assert len(drawn.again) == 1 and 1 in drawn.again[0]
    assert draw_partners([7, 9], [(9, 7)], 1) in (
        Partners(((7, 9),), None, ((7, 9),)),
        Partners(((9, 7),), None, ((9, 7),)),
    )


@pytest.mark.parametrize("members", [[], [4], [4, 4], [0, 4], [-1, 2]])
def test_who_cannot_be_drawn(members: list[int]) -> None:
    with pytest.raises(ValueError, match="each of them once"):
        draw_partners(members, [], 1)


def fewest(left: frozenset[int], barred: set[frozenset[int]]) -> int:
    """The fewest barred pairs, by trying every pairing."""
    if not left:
        return 0
    first = min(left)
    rest = left - {first}
    return min(fewest(rest - {other}, barred) + (frozenset({first, other}) in barred) for other in rest)


@given(MEMBERS, st.data(), st.integers(0, 999))
def test_no_drawing_repeats_fewer(members: set[int], data: st.DataObject, seed: int) -> None:
    everybody = frozenset(members | {0} if len(members) % 2 else members)
    pairs = list(combinations(sorted(everybody), 2))
    before = data.draw(st.sets(st.sampled_from(pairs)))
    drawn, barred = draw_partners(sorted(members), before, seed), {frozenset(pair) for pair in before}
    left_over = [drawn.alone] if drawn.alone else []
    assert sorted([*(number for pair in drawn.pairs for number in pair), *left_over]) == sorted(members)
    again = len(drawn.again) + (frozenset({0, drawn.alone or 0}) in barred)
    assert again == fewest(everybody, barred)
