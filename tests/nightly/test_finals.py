"""Some walks to a final game; a hundred thousand: `python -m tests.nightly.finals`."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.nightly.finals import a_table, unsigned, walk
from tournament.models import Game, Signature
from tournament.services.entries import record_entry
from tournament.services.signatures import sign_for_all


@pytest.mark.django_db
def test_no_walk_ends_without_both_signatures() -> None:
    table, ways = a_table(7), Counter[str]()
    assert [walk(table, ways) for _ in range(25)] == [""] * 25
    assert {"sign", "on_paper"} <= set(ways)


@pytest.mark.django_db
def test_a_final_game_with_less_than_that_is_noticed() -> None:
    table = a_table(7)
    record_entry(table.desk, table.game, {"entry": "hand", "seat": 0, "bid": "4", "books": 11})
    Game.objects.update(state="final")
    assert unsigned(table.game).startswith("side 0 has not signed")
    sign_for_all(table.desk, table.game, "nobody could")
    assert unsigned(table.game) == ""
    # Rows are only added to: who changes one goes around the models.
    super(type(Signature.objects.all()), Signature.objects.all()).update(reason="")
    assert unsigned(table.game) == "a witness of side 0 gave no reason"
