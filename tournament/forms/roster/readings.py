"""Read a whole list that has no headings: there are a few readings, and those that fit are kept.

A reading says what each place of a line holds: the team, its players, their town. All lines together judge it: on most
lines, a place holds people, or towns, or neither. If only one reading fits, it is taken; if two fit, the list asks once
and shows both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from tournament.forms.roster.names import are_no_people, are_people, are_towns, is_no_person, is_person, is_town

WORDS = {"name": "team", "city": "town", "player": "player", "players": "players"}


class NoneFits(Exception):
    """No order of team, players and town fits the places of a list."""


class Reading(NamedTuple):
    """What each place of a line holds: name, player, players (all of a team in one place) or city."""

    roles: tuple[str, ...]

    @property
    def key(self) -> str:
        return "-".join(self.roles)


@dataclass(frozen=True, slots=True)
class Choice:
    """Two or more readings that fit: the one that was taken, and each in words, with the first line as it reads it."""

    taken: str
    options: tuple[tuple[str, str], ...]
    is_made: bool = False


def readings_of(
    places: Sequence[Sequence[str]], wanted: int, together: int | None = None, aside: Set[int] = frozenset()
) -> list[Reading]:
    """The readings that fit, the likeliest first; none if no order gives every team its players.

    `places` are the texts of each place on all lines; `together` is the place that holds all players of a team, if
    there is one; the places `aside` hold no players. Raises NoneFits if there are orders with more than players, but
    each contradicts the texts in the places.
    """
    listed = [list(filter(None, texts)) for texts in places]
    candidates = [reading for reading in _orders(len(places), wanted, together) if not _plays(reading, aside)]
    fitting = [reading for reading in candidates if _may_be(reading, listed)]
    sure = [reading for reading in fitting if _is_sure(reading, listed)]
    if sure:
        return sure
    # Players alone are taken only if they are clearly people.
    fitting = [reading for reading in fitting if not _is_bare(reading)]
    has_more_than_players = any(not _is_bare(reading) for reading in candidates)
    if not fitting and has_more_than_players:
        raise NoneFits
    usual = [reading for reading in fitting if _is_usual(reading)]
    others = [reading for reading in fitting if reading not in usual]
    if not usual:
        return _likeliest(others, listed)
    # The usual order is taken. Another is offered beside it if it suits the people on the lines better, or if the first
    # place hardly holds names of teams.
    likelier = [reading for reading in others if _is_likelier(reading, usual[0], listed)]
    if likelier:
        return [*usual, *_likeliest(likelier, listed)]
    if _may_name_teams(listed[0]):
        return usual
    return [*usual, *_likeliest(others, listed)]


def _may_name_teams(texts: Sequence[str]) -> bool:
    """Whether the first place of a line may well name the team."""
    return are_no_people(texts) and not are_towns(texts) and not _comes_again(texts)


def _is_bare(reading: Reading) -> bool:
    """Whether a reading sees players and nothing else."""
    return not {"name", "city"} & {*reading.roles}


def _plays(reading: Reading, aside: Set[int]) -> bool:
    """Whether a reading sees a player in one of these places."""
    return any(reading.roles[place] == "player" for place in aside)


def _people_in(reading: Reading, places: Sequence[Sequence[str]]) -> int:
    """How many texts look like people where a reading sees players."""
    players = [texts for role, texts in zip(reading.roles, places, strict=True) if role in ("player", "players")]
    return sum(is_person(text) for texts in players for text in texts)


def _likeliest(readings: Sequence[Reading], places: Sequence[Sequence[str]]) -> list[Reading]:
    """The readings with nearly as many plausible places as the best one."""
    right = {reading: _right_in(reading, places) for reading in readings}
    return [reading for reading in readings if right[reading] + 1 >= max(right.values())]


def _right_in(reading: Reading, places: Sequence[Sequence[str]]) -> int:
    """How many places look right under a reading."""
    return sum(_looks_like(role, texts) for role, texts in zip(reading.roles, places, strict=True))


def _is_likelier(reading: Reading, usual: Reading, places: Sequence[Sequence[str]]) -> bool:
    """Whether a reading finds more people among its players than the usual one, or as many elsewhere."""
    people, most = _people_in(reading, places), _people_in(usual, places)
    if people > most:
        return True
    has_others = [role == "player" for role in reading.roles] != [role == "player" for role in usual.roles]
    return people == most > 0 and has_others and _has_no_people(usual, places)


def _has_no_people(reading: Reading, places: Sequence[Sequence[str]]) -> bool:
    """Whether a place where a reading sees a player holds no people at all."""
    players = [texts for role, texts in zip(reading.roles, places, strict=True) if role == "player"]
    return any(not any(map(is_person, texts)) for texts in players)


def _orders(count: int, wanted: int, together: int | None) -> Iterator[Reading]:
    """Every order of team, players and town for this number of places; players are next to each other."""
    players = ("player",) * wanted if together is None else ("players",)
    others = count - len(players)
    if not 0 <= others <= 2:
        return
    starts = range(others + 1) if together is None else [together]
    for start in starts:
        for roles in permutations(("name", "city"), others):
            yield Reading((*roles[:start], *players, *roles[start:]))


def _is_usual(reading: Reading) -> bool:
    """The order in which clubs write: the team first, then its players, then the town."""
    return reading.roles[0] == "name" and reading.roles[1] != "city"


def _is_sure(reading: Reading, places: Sequence[Sequence[str]]) -> bool:
    """Whether every place looks right under the reading.

    After the players, one word may just as well be an unknown town: a team there needs a name that no town has.
    """
    told = dict(zip(reading.roles, places, strict=True))
    if "name" in told and reading.roles[0] != "name" and not _are_no_towns(told["name"]):
        return False
    return _right_in(reading, places) == len(places)


def _are_no_towns(texts: Sequence[str]) -> bool:
    """Whether most texts have the words of a team's name, and none is a known town."""
    return sum(len(text.split()) > 1 for text in texts) * 2 > len(texts) and not any(map(is_town, texts))


def _may_be(reading: Reading, places: Sequence[Sequence[str]]) -> bool:
    """Whether no place looks like something else."""
    return not any(_contradicts(role, texts) for role, texts in zip(reading.roles, places, strict=True))


def _looks_like(role: str, texts: Sequence[str]) -> bool:
    if role == "name":
        return _may_name_teams(texts)
    if role == "city":
        return are_towns(texts)
    return are_people(texts)


def _comes_again(texts: Sequence[str]) -> bool:
    return len({text.casefold() for text in texts}) < len(texts)


def _contradicts(role: str, texts: Sequence[str]) -> bool:
    if role == "name":
        # A team that is listed twice by mistake is a separate fault.
        return are_people(texts) or (_comes_again(texts) and are_towns(texts))
    if role == "city":
        return are_people(texts) and not are_towns(texts)
    if role == "player" and sum(map(is_no_person, texts)) * 2 >= len(texts) > 0:
        return True
    # “Gary” and “Cleveland” are people and towns.
    return are_towns(texts) and sum(map(is_town, texts)) >= sum(map(is_person, texts))
