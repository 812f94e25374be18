"""Lists made from known teams in every shape: the same teams come back, or a question; never other teams."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.tournament.setup.shapes import Listed, made
from tournament.forms.roster.reader import read_roster
from tournament.forms.roster.records import Roster

SOME, ALL = range(1000), range(20_000)
# Of a hundred lists, this many may ask a question: most of these say of somebody that they are out, or have paid half.
MOST_ASKED = 12


def told(roster: Roster) -> list[tuple[str, tuple[str, ...], str]]:
    """What was read: name, players and town of each team; a player without a partner gives the name."""
    if roster.wanted > 1:
        return [(row.name, row.players, row.city) for row in roster.rows]
    return [(row.name or "".join(row.players), (), row.city) for row in roster.rows]


def is_right(roster: Roster, listed: Listed) -> bool:
    """Whether the teams that were made came back; a name or a town that the list does not say may be anything."""
    read = told(roster)
    if len(read) != len(listed.teams):
        return False
    return all(
        name in ("", read_name) and players == read_players and town in (read_town, read_town.removesuffix(", OH"))
        for (name, players, town), (read_name, read_players, read_town) in zip(listed.teams, read, strict=True)
    )


def judged(seeds: range) -> tuple[Counter[str], list[str]]:
    """How often lists were right or wrong, asked about or not; and those that were wrong in silence."""
    counts: Counter[str] = Counter()
    silent = []
    for seed in seeds:
        listed = made(seed)
        roster = read_roster(listed.text, listed.wanted)
        is_asked = bool(roster.guesses or roster.faults)
        right = is_right(roster, listed)
        counts[f"{'right' if right else 'wrong'}, {'asked' if is_asked else 'silent'}"] += 1
        if not right and not is_asked:
            silent.append(f"seed {seed}, {listed.shape}, {listed.noise}:\n{listed.text}\n{told(roster)}")
    return counts, silent


def check(seeds: range) -> None:
    counts, silent = judged(seeds)
    assert silent == []
    asked = counts["right, asked"] + counts["wrong, asked"]
    assert asked * 100 <= len(seeds) * MOST_ASKED, counts
    assert counts["wrong, asked"] * 100 <= len(seeds) * 2, counts


def test_no_list_is_read_as_other_teams_in_silence() -> None:
    check(SOME)


@pytest.mark.nightly
def test_no_list_of_twenty_thousand_is_read_as_other_teams_in_silence() -> None:
    check(ALL)


def test_the_check_sees_a_team_that_is_lost_swapped_or_called_otherwise() -> None:
    """A negative control: what would be wrong in silence is seen."""
    plain = (listed for listed in map(made, ALL) if (listed.shape, listed.noise) == ("{n} - {a} & {b}", "_plain"))
    listed = next(plain)
    for text in (
        "\n".join(listed.text.splitlines()[1:]),
        listed.text.replace(listed.teams[0][1][0], "Zed Zimmer", 1),
        listed.text.replace(listed.teams[0][0], "Other Name", 1),
    ):
        assert not is_right(read_roster(text, 2), listed)
    assert is_right(read_roster(listed.text, 2), listed)
