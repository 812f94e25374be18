"""What a draw could not avoid, counted where it is much."""

from collections.abc import Sequence

from tests.tournament.pairing.field import entrants
from tournament.pairing.draw import Draw, DrawOptions, Entrant, draw_all
from tournament.pairing.notes import Line, in_short
from tournament.pairing.redraw import RE_SEATED


def noted(draws: Sequence[Draw]) -> tuple[str, ...]:
    return tuple(note for draw in draws for note in draw.notes)


def test_few_sentences_stand_by_themselves() -> None:
    notes = (RE_SEATED, *noted(draw_all("round-robin", entrants(2), 3)))
    assert in_short(notes) == tuple(Line(note) for note in notes)


def test_many_rematches_and_byes_are_counted_by_kind() -> None:
    notes = noted(draw_all("groups", entrants(4), 6))
    (line,) = in_short(notes)
    assert (line.text, line.details) == ("30 rematches in rounds 2–6", notes)
    short = in_short((RE_SEATED, *noted(draw_all("round-robin", entrants(3), 9))))
    assert [line.text for line in short] == [RE_SEATED, "6 rematches in rounds 4–9", "6 second byes in rounds 4–9"]


def test_rounds_are_named_one_by_one_where_some_are_missing() -> None:
    neighbours = [Entrant(number, city="Dayton") for number in range(1, 9)]
    first, *_, last = draw_all("round-robin", neighbours, 4, options=DrawOptions(apart=("city",)))
    assert [line.text for line in in_short(first.notes)] == ["4 meetings within a city or club in round 1"]
    both = in_short((*first.notes, *last.notes))
    assert [line.text for line in both] == ["8 meetings within a city or club in rounds 1, 4"]
