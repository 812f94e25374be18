"""After every act, the caches of a season, its projectors and its people say what a fresh computation says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_teams
from tests.sure import fresh, sure
from tests.tournament.season.played import new_person, person, play
from tests.tournament.season.test_cases import season_of, told
from tests.tournament.season.test_version import correct, statements
from tests.tournament.test_public_version import Evening
from tests.tournament.test_public_version import acts as acts_in_play
from tournament.access import Actor
from tournament.models import Event, Season
from tournament.queries import events as kept_of_events
from tournament.queries import season as kept_of_seasons
from tournament.queries import season_parts
from tournament.queries.events import once_a_version
from tournament.queries.roster import RosterRow
from tournament.services.draws import draw_rounds, take_back_draw
from tournament.services.dues import set_dues
from tournament.services.events import archive_event, change_event
from tournament.services.members import add_who_played
from tournament.services.people import delete_person, merge_persons, part_person, rename_person, renew, set_wish
from tournament.services.season import change_season, put_in, take_out, weigh
from tournament.services.teams import add_team
from tournament.site import cache

pytestmark = pytest.mark.usefixtures("own_file")
VERSION = re.compile(r"version=[\d.]+")
KEPT = (cache.answers, kept_of_events._shown, kept_of_seasons._seasons, season_parts._brought)


class Club:
    """A season with two events that are over, one in play and one that is set up; a month and another season."""

    def __init__(self, dana: User, otis: User) -> None:
        self.dana, self.otis = Actor(dana), Actor(otis)
        self.season = season_of({"places": [6, 3, 1]})
        self.month = season_of({"places": [2, 1]}, "month", within=self.season)
        self.other = season_of({"places": [5]}, "other")
        self.january = play(dana, told(1), self.season)
        self.february = play(dana, told(2), self.month)
        self.elsewhere = play(dana, told(3), self.other)
        self.evening = Evening(dana)
        Event.objects.filter(pk=self.evening.event.pk).update(season=self.month)
        self.evening.event.refresh_from_db()
        self.new = make_event("Next", dana, season=self.season, rounds_planned=2)
        make_teams(self.new, 4)
        self.addresses = [f"/seasons/{slug}/" for slug in ("fall", "month", "other")]
        self.addresses += [reverse("board", args=[slug]) for slug in ("january", "watched")]
        self.addresses += [reverse("person", args=[person("Ann Lee").pk])]
        self.twin = new_person("Ann Leigh")

    def pages(self) -> dict[str, tuple[int, str]]:
        """What a stranger reads now, from what is kept."""
        answers = {address: Client().get(address) for address in self.addresses}
        return {
            address: (answer.status_code, VERSION.sub("", answer.content.decode()) if answer.status_code == 200 else "")
            for address, answer in answers.items()
        }


def forget() -> None:
    for each in KEPT:
        each.clear()


def acts_of_season(club: Club) -> Iterator[tuple[str, Callable[[], object]]]:
    """What changes a table, its names, or which events it is about."""
    dana, otis, season = club.dana, club.otis, club.season

    def change(event: Event, **fields: Any) -> Callable[[], object]:
        return lambda: change_event(dana, fresh(event), fields, confirmed=True)

    def of_season(**fields: Any) -> Callable[[], object]:
        return lambda: change_season(otis, fresh(season), fields)

    yield "a correction", lambda: correct(sure(dana.person), club.january)
    yield "a correction in the month", lambda: correct(sure(dana.person), club.february)
    yield "a correction in another season", lambda: correct(sure(dana.person), club.elsewhere)
    yield "a team is added before the draw", lambda: add_team(dana, club.new, RosterRow(name="Late"))
    yield "a draw", lambda: draw_rounds(dana, fresh(club.new), seed=1)
    yield "a draw taken back", lambda: take_back_draw(dana, fresh(club.new))
    yield "another draw", lambda: draw_rounds(dana, fresh(club.new), seed=2)
    yield "the name of an event in play", change(club.evening.event, name="Late Night")
    yield "how its names are shown", change(club.evening.event, names="initial")
    yield "and in full again", change(club.evening.event, names="full")
    yield "the place of an event that is over", change(club.january, place="Elks Lodge")
    yield "a wish", lambda: set_wish(otis, None, person("Ann Lee"), "initial")
    yield "the wish taken back", lambda: set_wish(otis, None, person("Ann Lee"), "full")
    yield "a name", lambda: rename_person(otis, person("Cal Day"), "Calvin Day")
    yield "a merge", lambda: merge_persons(otis, fresh(club.twin), person("Ann Lee"))
    yield "a merge taken back", lambda: part_person(otis, fresh(club.twin))
    yield "points", of_season(scheme={"places": [9, 3, 1]})
    yield "the name of the season", of_season(name="Autumn")
    yield "only members are ranked", of_season(scheme={"places": [9, 3, 1], "members": True})
    yield "members", lambda: add_who_played(otis, fresh(season))
    yield "dues", lambda: set_dues(otis, fresh(season), 500)
    yield "an event counts double", lambda: weigh(otis, season, fresh(club.january), 2)
    yield "an event leaves", lambda: take_out(otis, season, fresh(club.january))
    yield "an event comes back", lambda: put_in(otis, season, fresh(club.january))
    yield "the month leaves the season", lambda: change_season(otis, fresh(club.month), {"within": None})
    yield "the month comes back", lambda: change_season(otis, fresh(club.month), {"within": fresh(season)})
    yield "a person is deleted", lambda: delete_person(otis, person("Calvin Day"))
    yield "an event is archived", lambda: archive_event(dana, fresh(club.january), archived=True)


@pytest.fixture
def club(dana: User, otis: User) -> Club:
    return Club(dana, otis)


def stale(club: Club, acts: Iterator[tuple[str, Callable[[], object]]]) -> list[str]:
    """The acts after which a cached value differs from a fresh one; at least one act must change something."""
    found, changed, before = [], 0, club.pages()
    for name, act in acts:
        act()
        kept = club.pages()
        forget()
        anew = club.pages()
        found += [f"{name}: {address}" for address in anew if anew[address] != kept.get(address)]
        changed += anew != before
        before = anew
    assert changed
    return found


def test_what_is_kept_is_what_would_be_made_anew(club: Club) -> None:
    assert stale(club, acts_of_season(club)) == []


def test_acts_of_an_evening_in_play_leave_nothing_stale(club: Club) -> None:
    assert stale(club, acts_in_play(club.evening)) == []


def test_without_the_season_s_version_pages_would_be_stale(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: acts that raise it alone are found."""
    for module in ("transactions", "season", "members", "people", "events"):
        monkeypatch.setattr(f"tournament.services.{module}.raise_seasons", lambda *changed: None)
    chosen = {"a correction", "a draw", "a draw taken back", "a wish", "points", "an event leaves"}
    acts = ((name, act) for name, act in acts_of_season(club) if name in chosen)
    assert {line.partition(":")[0] for line in stale(club, acts)} == chosen


def versions(club: Club) -> dict[str, int]:
    events = dict(Event.objects.values_list("name", "public_version"))
    return events | dict(Season.objects.values_list("slug", "version"))


def raised(club: Club, act: Callable[[], object]) -> set[str]:
    before = versions(club)
    act()
    return {name for name, number in versions(club).items() if number != before.get(name)}


def test_each_act_raises_what_it_changes_and_nothing_else(club: Club) -> None:
    assert set().union(*(raised(club, act) for _, act in acts_in_play(club.evening))) == {"Watched"}
    acts = dict(acts_of_season(club))
    assert raised(club, acts["a correction"]) == {"January", "fall", "month"}
    assert raised(club, acts["a correction in the month"]) == {"February", "fall", "month"}
    assert raised(club, acts["a correction in another season"]) == {"March", "other"}
    assert raised(club, acts["a team is added before the draw"]) == {"Next"}
    assert raised(club, acts["a draw"]) == {"Next", "fall", "month"}
    assert raised(club, acts["dues"]) == set()
    assert raised(club, acts["members"]) == {"fall", "month"}
    assert raised(club, acts["points"]) == {"fall", "month"}
    # Its name is on the pages of its events.
    assert raised(club, acts["the name of the season"]) == {"January", "Next", "fall", "month"}


def test_a_long_season_leaves_the_evening_in_play_where_it_is(club: Club) -> None:
    made = []

    def make() -> str:
        made.append("standings")
        return "kept"

    def look() -> None:
        once_a_version(club.evening.event, "tested", None, make)

    forget()
    look()
    for number in range(80):
        event = Event.objects.get(pk=club.january.pk)
        event.public_version += 1000 + number
        season_parts.brought_by(event)
    look()
    assert made == ["standings"]
    # The control: where each of them were kept beside it, it would have to go.
    for number in range(80):
        once_a_version(club.january, f"other {number}", None, make)
    before = len(made)
    look()
    assert len(made) == before + 1


def test_a_merge_asks_the_same_of_few_and_of_many_events(club: Club, dana: User) -> None:
    ann, asked = person("Ann Lee"), []
    for months in ((4, 5), (6, 7, 8, 9, 10, 11)):
        for month in months:
            play(dana, told(month), club.season)
        asked.append(statements(lambda: merge_persons(club.otis, fresh(club.twin), fresh(ann))))
        assert fresh(club.twin).merged_into == ann
        part_person(club.otis, fresh(club.twin))
    few, many = asked
    assert (few, few < 40) == (many, True), asked

    def one_after_the_other() -> None:
        for event in Event.objects.filter(teams__players__person=ann):
            renew(event)

    # The control: each event for itself.
    assert statements(one_after_the_other) > many
