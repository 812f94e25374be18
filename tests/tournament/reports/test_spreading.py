"""Rows over pages: never more pages than they need, and no last page that is nearly empty."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tournament.reports.pdf.spreading import Piece, spread


def rows_of(starts: list[int], count: int) -> list[int]:
    return [end - start for start, end in pairwise([*starts, count])]


def test_rows_are_spread_evenly() -> None:
    rows = [Piece(20.0)] * 43
    # Forty on a page, and three on a page of their own, was how it was.
    assert rows_of(spread(rows, lambda _page: 800.0), 43) == [22, 21]
    assert rows_of(spread([Piece(20.0)] * 101, lambda _page: 220.0), 101) == [11, 10, 10, 10, 10, 10, 10, 10, 10, 10]


def test_heads_that_are_repeated_need_their_room() -> None:
    rows = [Piece(20.0, head=30.0)] * 10
    assert rows_of(spread(rows, lambda _page: 130.0), 10) == [5, 5]
    assert rows_of(spread(rows, lambda _page: 129.0), 10) == [4, 3, 3]


def test_what_is_higher_than_a_page_has_one_of_its_own() -> None:
    assert spread([Piece(20.0), Piece(900.0), Piece(20.0)], lambda _page: 800.0) == [0, 1, 2]
    assert spread([], lambda _page: 800.0) == []


PIECES = st.lists(st.builds(Piece, st.floats(1, 90), st.sampled_from([0.0, 12.0]), st.sampled_from([0.0, 18.0])))


@given(PIECES, st.floats(110, 400))
def test_everything_fits_and_no_page_is_wasted(pieces: list[Piece], room: float) -> None:
    starts = spread(pieces, lambda _page: room)
    assert starts == sorted(set(starts))
    for begin, end in pairwise([*starts, len(pieces)]):
        first, *others = pieces[begin:end]
        assert first.head + first.height + sum(piece.above + piece.height for piece in others) <= room + 0.02


@given(st.integers(1, 400), st.integers(3, 40))
def test_rows_of_one_height_never_leave_a_thin_last_page(count: int, to_a_page: int) -> None:
    rows = rows_of(spread([Piece(10.0)] * count, lambda _page: 10.0 * to_a_page), count)
    assert len(rows) == -(-count // to_a_page) and sum(rows) == count
    assert max(rows) - min(rows) <= 1
