"""The members of a season, by its page: ticks, fixed teams, those who played, last season's, a pasted list."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import page_of, signed_in, words_of
from tests.sure import statements_of
from tests.tournament.season.clubs import FOUR, MORE, evening, make_season, members, person
from tournament.access import Actor
from tournament.models import Ledger, Membership, Person, Season, SiteAct
from tournament.queries.dues import members_of
from tournament.services.dues import take_dues
from tournament.services.people import delete_person, merge_persons
from tournament.words.texts import name_key, near_key

PAGE = "/seasons/fall/members/"


@pytest.fixture
def season(dana: User) -> Season:
    season = make_season()
    evening(dana, season, "March", FOUR + MORE)
    return season


@pytest.fixture
def owner(otis: User) -> Client:
    return signed_in(otis)


def somebody(name: str) -> Person:
    return Person.objects.create(name=name, key=name_key(name), near=near_key(name))


def names_of(season: Season) -> list[str]:
    return sorted(row.person.name for row in season.memberships.select_related("person"))


def teams_of(season: Season) -> dict[str, str]:
    return {row.person.name: row.team for row in season.memberships.select_related("person")}


def for_teams(season: Season) -> Season:
    season.scheme = {"for": "team"}
    season.save()
    return season


def paste(owner: Client, text: str, **answers: Any) -> Any:
    """Paste a list; `answers` as the page's selects send them, “who_2” with what line 2 said."""
    lines = text.split("\n")
    sent = {"names": text}
    for name, value in answers.items():
        number = int(name.removeprefix("who_"))
        sent |= {f"who-{number}": str(value), f"of-{number}": lines[number - 1].strip()}
    return owner.post(PAGE, sent)


def test_the_page_is_found_from_the_season_and_says_that_there_are_none(owner: Client, season: Season) -> None:
    assert PAGE in page_of(owner.get("/seasons/fall/setup/"))
    assert "No members yet." in words_of(owner.get(PAGE))


def test_all_who_have_played_are_members_in_one_press(dana: User, owner: Client, season: Season) -> None:
    outsider, merged = somebody("Zed Zoe"), somebody("Ann Hall")
    merge_persons(Actor(dana), person("Ann Hill"), merged)
    delete_person(Actor(dana), person("Jo Pike"))
    answer = owner.post(PAGE, {"played": "yes"}, follow=True)
    assert "7 members added." in words_of(answer)
    assert names_of(season) == ["Ann Hall", "Cy Dill", "Flo Kay", "Gus Poe", "Hal Orr", "Ida Low", "Otis Reed"]
    again = owner.post(PAGE, {"played": "yes"}, follow=True)
    assert "Nobody added. 7 of them were members already." in words_of(again)
    assert outsider.name not in page_of(again)


def test_events_of_a_season_within_count_as_played(dana: User, owner: Client, season: Season) -> None:
    month = make_season(slug="may", name="May", within=season)
    evening(dana, month, "May 1", (("Eights", "Liv Moss", "Max Nye"),))
    owner.post(PAGE, {"played": "yes"})
    assert {"Liv Moss", "Max Nye", "Otis Reed"} <= set(names_of(season))
    owner.post("/seasons/may/members/", {"played": "yes"})
    assert names_of(month) == ["Liv Moss", "Max Nye"]


def test_last_seasons_members_come_with_their_teams(owner: Client, season: Season) -> None:
    assert "Take last season" not in page_of(owner.get(PAGE))
    old = make_season(slug="old", name="Fall 2025", scheme={"for": "team"})
    make_season(slug="empty", name="Empty")
    Membership.objects.create(season=old, person=person("Otis Reed"), team="Aces")
    assert "Take last season’s (Fall 2025)" in words_of(owner.get(PAGE))
    assert "1 member added." in words_of(owner.post(PAGE, {"last": "yes"}, follow=True))
    assert teams_of(season) == {"Otis Reed": ""}
    for_teams(season).memberships.all().delete()
    owner.post(PAGE, {"last": "yes"})
    assert teams_of(season) == {"Otis Reed": "Aces"}
    old.delete()
    season.memberships.all().delete()
    refused = owner.post(PAGE, {"last": "yes"})
    assert (refused.status_code, "No other season has members." in words_of(refused)) == (409, True)


def test_who_is_not_ticked_is_no_member_and_what_was_paid_stays(dana: User, owner: Client, season: Season) -> None:
    members(season)
    otis, ann, cy = person("Otis Reed"), person("Ann Hill"), person("Cy Dill")
    take_dues(Actor(dana), season, otis.pk, None)
    assert "Otis Reed paid $20" in words_of(owner.get(PAGE))
    # Cy came on the list after this page was opened.
    shown = [one.pk for one in Person.objects.exclude(pk=cy.pk)]
    kept = [pk for pk in shown if pk not in (otis.pk, ann.pk)]
    answer = owner.post(PAGE, {"shown": shown, "member": kept, "save": "yes"}, follow=True)
    words = words_of(answer)
    assert "2 members removed. Otis Reed paid $20: that stays in the dues, and can be given back there." in words
    assert names_of(season) == ["Cy Dill", "Flo Kay", "Gus Poe", "Hal Orr", "Ida Low", "Jo Pike"]
    assert Ledger.objects.filter(season=season, member=otis).count() == 1
    assert SiteAct.objects.first().event == f"Members, No. {otis.pk} and No. {ann.pk} out: Fall 2026"  # type: ignore[union-attr]
    acts = SiteAct.objects.count()
    nothing = owner.post(PAGE, {"shown": kept, "member": kept, "save": "yes"}, follow=True)
    assert ("Nothing changed." in words_of(nothing), SiteAct.objects.count()) == (True, acts)


def test_who_was_merged_is_one_member_and_who_was_deleted_is_not_listed(
    dana: User, owner: Client, season: Season
) -> None:
    hall = somebody("Ann Hall")
    members(season)
    merge_persons(Actor(dana), person("Ann Hill"), hall)
    delete_person(Actor(dana), person("Jo Pike"))
    page = page_of(owner.get(PAGE))
    shown = sorted(int(pk) for pk in re.findall(r'name="shown" value="(\d+)"', page))
    assert shown == sorted(Person.objects.filter(deleted_at=None, merged_into=None).values_list("pk", flat=True))
    assert ("Ann Hall" in page, "Ann Hill" in page, "a player" in page) == (True, False, False)
    owner.post(PAGE, {"shown": shown, "member": [pk for pk in shown if pk != hall.pk], "save": "yes"})
    assert [one.person.name for one in members_of(season) if one.is_member and one.person == hall] == []


def test_a_list_of_names_that_are_certain_is_taken_at_once(owner: Client, season: Season) -> None:
    answer = owner.post(PAGE, {"names": "1. Otis Reed\r\n- ann hill\r\n\r\nZoe Fox\r\n"}, follow=True)
    assert "3 members added. New in the club: Zoe Fox." in words_of(answer)
    assert names_of(season) == ["Ann Hill", "Otis Reed", "Zoe Fox"]
    assert Person.objects.get(name="Zoe Fox").near == "fox zoe"
    again = owner.post(PAGE, {"names": "Zoe Fox"}, follow=True)
    assert "Nobody added. 1 of them was a member already." in words_of(again)
    assert Person.objects.filter(name="Zoe Fox").count() == 1


def test_two_of_one_name_are_asked_about_with_where_they_played(dana: User, owner: Client, season: Season) -> None:
    other = somebody("Ann Hill")
    refused = paste(owner, "Ann Hill\nOtis Reed")
    words = words_of(refused)
    assert refused.status_code == 422 and "Line 1: who is Ann Hill? 2 people have this name." in words
    first = person_numbers("Ann Hill")[0]
    assert f"Ann Hill, No. {first}, Aces at March" in words and f"Ann Hill, No. {other.pk}, played nowhere yet" in words
    assert "Somebody new" in words and "Ann Hill\nOtis Reed</textarea>" in page_of(refused)
    assert names_of(season) == []
    assert paste(owner, "Ann Hill\nOtis Reed", who_1="").status_code == 422
    assert paste(owner, "Ann Hill\nOtis Reed", who_1=person("Otis Reed").pk).status_code == 422
    # What was said of a line does not count for another one.
    moved = owner.post(PAGE, {"names": "Ann Hill", "who-1": str(other.pk), "of-1": "Otis Reed"})
    assert (moved.status_code, names_of(season)) == (422, [])
    assert paste(owner, "Ann Hill\nOtis Reed", who_1=other.pk).status_code == 302
    assert set(season.memberships.values_list("person", flat=True)) == {other.pk, person("Otis Reed").pk}


def person_numbers(name: str) -> list[int]:
    return list(Person.objects.filter(name=name).order_by("pk").values_list("pk", flat=True))


def test_names_that_are_only_near_are_asked_about(owner: Client, season: Season) -> None:
    otis = person("Otis Reed")
    refused = paste(owner, "Reed, Otis\nÍda Low\nGus Poe Jr.")
    words = words_of(refused)
    assert (refused.status_code, names_of(season)) == (422, [])
    assert "Line 1: who is Reed, Otis? Somebody has a similar name." in words and "Line 3: who is Gus Poe Jr.?" in words
    # “Reed, Otis” has the same words in another order: that is suggested, and nothing else is.
    assert page_of(refused).count(" selected") == 1
    answer = paste(owner, "Reed, Otis\nÍda Low\nGus Poe Jr.", who_1=otis.pk, who_2=person("Ida Low").pk, who_3="new")
    assert (answer.status_code, names_of(season)) == (302, ["Gus Poe Jr.", "Ida Low", "Otis Reed"])
    assert paste(owner, "Reed, Otis\nZoe Fox", who_1="skip").status_code == 302
    assert names_of(season) == ["Gus Poe Jr.", "Ida Low", "Otis Reed", "Zoe Fox"]


@pytest.mark.parametrize(
    ("text", "answers", "said"),
    [
        ("Otis Reed\nOtis Reed", {}, "Line 1: who is Otis Reed? This name is on the list more than once"),
        ("Zoe Fox\nzoe fox", {}, "Line 2: who is zoe fox? This name is on the list more than once"),
        ("Otis Reed\nReed, Otis", {"who_2": "Otis Reed"}, "Lines 1 and 2 are the same person."),
        ("Player 1\nOtis Reed", {}, "Line 1: “Player 1” is shown in place of a hidden"),
        ("a player", {}, "Line 1: “a player” is shown in place of a hidden"),
        ("Otis Reed\n---", {}, "Line 2: “---” has no letter and no digit"),
        ("Otis Reed / Aces", {}, "Line 1: one name on a line. This season has no fixed teams."),
        ("", {}, "There are no names in this list."),
        ("x" * 90, {}, "Line 1: At most 40 characters"),
        ("Ann\x07Hill", {}, "Line 1: The character U+0007"),
        ("\n".join(f"Ann {i}" for i in range(1001)), {}, "Paste at most 1,000 names at once; this list has 1,001."),
    ],
)
def test_a_list_that_cannot_be_taken(
    owner: Client, season: Season, text: str, answers: dict[str, str], said: str
) -> None:
    before = Person.objects.count()
    answer = paste(owner, text, **{name: person(who).pk for name, who in answers.items()})
    assert (answer.status_code, said in words_of(answer)) == (422, True), words_of(answer)
    assert (names_of(season), Person.objects.count()) == ([], before)


def test_two_new_people_of_one_name_are_two_members(owner: Client, season: Season) -> None:
    assert paste(owner, "Zoe Fox\nZoe Fox", who_1="new", who_2="new").status_code == 302
    assert names_of(season) == ["Zoe Fox", "Zoe Fox"]


def test_fixed_teams_are_typed_and_pasted(owner: Client, season: Season) -> None:
    for_teams(season)
    text = "Otis Reed / Aces\nAnn Hill\tAces\nHill, Zoe; Aces\nGus Poe"
    assert paste(owner, text).status_code == 302
    assert teams_of(season) == {"Otis Reed": "Aces", "Ann Hill": "Aces", "Hill, Zoe": "Aces", "Gus Poe": ""}
    shown = list(season.memberships.values_list("person", flat=True))
    gus = person("Gus Poe").pk
    typed = {"shown": shown, "member": shown, "save": "yes"} | {f"team-{pk}": "Aces" for pk in shown}
    refused = owner.post(PAGE, typed | {f"team-{gus}": "Team 3"})
    assert (refused.status_code, 'value="Team 3"' in page_of(refused)) == (422, True)
    assert teams_of(season)["Gus Poe"] == ""
    answer = owner.post(PAGE, typed | {f"team-{gus}": " Clubs "}, follow=True)
    assert "1 team changed." in words_of(answer)
    assert teams_of(season) == {"Otis Reed": "Aces", "Ann Hill": "Aces", "Hill, Zoe": "Aces", "Gus Poe": "Clubs"}
    assert paste(owner, "Otis Reed / Aces / Books").status_code == 422
    assert paste(owner, "Otis Reed / Books").status_code == 302
    assert teams_of(season)["Otis Reed"] == "Books"


def test_a_member_who_is_deleted_and_owes_is_named(dana: User, owner: Client, season: Season) -> None:
    owing, paid, outsider = person("Otis Reed"), person("Ann Hill"), person("Gus Poe")
    Season.objects.update(dues_cents=3000)
    members(season, "Otis Reed", "Ann Hill")
    take_dues(Actor(dana), season, paid.pk, None)
    said = [
        "Owes $30 dues of Fall 2026; the debt goes with the name."
        in words_of(owner.post(reverse("person-deletion", args=[one.pk])))
        for one in (owing, paid, outsider)
    ]
    assert said == [True, False, False]
    delete_person(Actor(dana), owing)
    assert "Otis Reed" not in page_of(owner.get(PAGE)) and [one.owes for one in members_of(season)] == [0]


def test_the_page_asks_no_more_for_two_hundred_members(owner: Client, season: Season) -> None:
    def count() -> int:
        return statements_of(lambda: owner.get(PAGE))

    members(season)
    count()
    few = count()
    people = Person.objects.bulk_create(Person(name=f"Ann {i}", key=f"ann {i}", near=f"ann {i}") for i in range(200))
    Membership.objects.bulk_create(Membership(season=season, person=one) for one in people)
    assert count() == few
    asked = statements_of(lambda: owner.post(PAGE, {"names": "Hill, Ann"}), 422)
    text = "\n".join(f"Zed {i}" for i in range(50))
    assert statements_of(lambda: owner.post(PAGE, {"names": f"Hill, Ann\n{text}"}), 422) == asked
    one = statements_of(lambda: owner.post(PAGE, {"names": "Zoe Fox"}), 302)
    assert statements_of(lambda: owner.post(PAGE, {"names": text}), 302) == one


def test_a_season_with_members_alone_can_be_deleted_and_one_with_dues_cannot(
    dana: User, owner: Client, season: Season
) -> None:
    members(season)
    line = take_dues(Actor(dana), season, person("Otis Reed").pk, None)
    refused = owner.post("/seasons/fall/deletion/")
    assert (refused.status_code, season.memberships.count(), line.season_id) == (409, 8, season.pk)
    other = make_season(slug="spring", name="Spring")
    members(other)
    assert owner.post("/seasons/spring/deletion/").status_code == 302
    assert not Season.objects.filter(pk=other.pk).exists() and Person.objects.count() == 8
