"""What a draw could not avoid, counted where it is much."""

import json
from collections.abc import Sequence

import pytest

from tests.tournament.pairing.field import entrants
from tournament.pairing.draw import Draw, DrawOptions, Entrant, draw_all
from tournament.pairing.plan import RE_SEATED, Note, ShortNote, in_short


def noted(draws: Sequence[Draw]) -> tuple[Note, ...]:
    return tuple(note for draw in draws for note in draw.notes)


def test_few_sentences_stand_by_themselves() -> None:
    notes = (Note(RE_SEATED), *noted(draw_all("round-robin", entrants(2), 3)))
    assert in_short(notes) == tuple(ShortNote(str(note)) for note in notes)


def test_many_rematches_and_byes_are_counted_by_kind() -> None:
    notes = noted(draw_all("groups", entrants(4), 6))
    (line,) = in_short(notes)
    assert (line.text, line.details) == ("30 rematches in rounds 2–6", tuple(map(str, notes)))
    short = in_short((Note(RE_SEATED), *noted(draw_all("round-robin", entrants(3), 9))))
    assert [line.text for line in short] == [
        str(Note(RE_SEATED)),
        "6 rematches in rounds 4–9",
        "6 second byes in rounds 4–9",
    ]


def test_rounds_are_named_one_by_one_where_some_are_missing() -> None:
    neighbours = [Entrant(number, city="Dayton") for number in range(1, 9)]
    first, *_, last = draw_all("round-robin", neighbours, 4, options=DrawOptions(apart=("city",)))
    assert [line.text for line in in_short(first.notes)] == ["4 meetings within a city or club in round 1"]
    both = in_short((*first.notes, *last.notes))
    assert [line.text for line in both] == ["8 meetings within a city or club in rounds 1, 4"]


@pytest.mark.parametrize(
    "note",
    [
        Note("rematch", 4, ("Aces", "Books"), (1, 3)),
        Note("rematch", 12, ("Aces", "Books"), (1,)),
        Note("second-bye", 3, ("Night Owls",)),
        Note("together", 2, ("Aces", "Books"), home="Dayton, Ohio"),
        Note("instead", 2),
        Note("instead", 13),
        Note(RE_SEATED),
        Note("no-winner", 7),
        Note("unseated", teams=("Aces",)),
        Note("had-bye", teams=("Aces",)),
        Note("text", teams=("What another program said.",)),
    ],
)
def test_a_note_is_stored_as_values(note: Note) -> None:
    assert Note.from_row(json.loads(json.dumps(note.row))) == note
