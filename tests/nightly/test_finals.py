"""Some walks to a final game; a hundred thousand: `python -m tests.nightly.finals`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.nightly.walks import ACTS, Look, Step, Table, Walks, a_table, unsigned
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Game, Signature
from tournament.services.entries import record_entry
from tournament.services.signatures import sign_for_all


def half_an_act(actor: Actor, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(version=99)
    raise Conflict("Only half of it.")


def end(actor: Actor, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state="final", version=99)


@pytest.mark.django_db
def test_no_walk_ends_without_both_signatures() -> None:
    walks = Walks(a_table(), 7)
    assert walks.go(60) == []
    assert {"sign_sheet", "note_paper_signatures"} <= set(walks.ways)
    # What many of them do at the beginning is done once: alone each of them would do about eleven acts.
    assert 60 < walks.refused < walks.done < 60 * 9


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("service", "sentence"),
    [(half_an_act, "it was refused, and yet something is different: "), (end, "side 0 has not signed")],
)
def test_a_walk_that_goes_wrong_is_noticed(service: Callable[[Actor, Game], None], sentence: str) -> None:
    def act(look: Look) -> Step:
        return Step(service, look.table.desk, {})

    assert Walks(a_table(), 7, [act, *ACTS[:3]]).go(9)[0].startswith(sentence)


@pytest.mark.django_db
def test_a_final_game_with_less_than_that_is_noticed() -> None:
    table: Table = a_table()
    record_entry(table.desk, table.game, {"entry": "hand", "seat": 0, "bid": "4", "books": 11})
    Game.objects.update(state="final")
    assert unsigned(table.game).startswith("side 0 has not signed")
    sign_for_all(table.desk, table.game, "nobody could")
    assert unsigned(table.game) == ""
    # Rows are only added to: who changes one goes around the models.
    super(type(Signature.objects.all()), Signature.objects.all()).update(reason="")
    assert unsigned(table.game) == "a witness of side 0 gave no reason"
