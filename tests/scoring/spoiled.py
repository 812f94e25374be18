"""Sound games with fields of one hand spoiled: each is scored or refused, and many of both."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.document import print_score


def spoil(games: st.SearchStrategy[dict[str, Any]], wild_hands: st.SearchStrategy[dict[str, Any]]) -> None:
    """Draw games and hands of any values; whatever has no problems must be scored whole."""
    count = Counter[bool]()

    @settings(max_examples=3 * settings().max_examples)
    @given(games, st.integers(0, 99), wild_hands, st.sampled_from([0, 0, 1, 2]))
    def typed(document: dict[str, Any], at: int, wild: dict[str, Any], fields: int) -> None:
        entries = list(document["entries"])
        if entries:
            spoiled = dict(list(wild.items())[1 : fields + 1])
            entries[at % len(entries)] = entries[at % len(entries)] | spoiled
        printed = print_score(document | {"entries": entries})
        count[bool(printed["problems"])] += 1
        assert printed["problems"] or len(printed["entries"]) == len(entries)
        assert all(problem["field"] and problem["text"] for problem in printed["problems"])

    typed()
    assert min(count[True], count[False]) >= 20, count
