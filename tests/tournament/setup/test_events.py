"""Setting an event up: the form, options in words, what is pinned, officials, the check list, a copy."""

from __future__ import annotations

import datetime
import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.factories import PASSWORD, begin, make_event, make_round, make_teams, page_of, signed_in
from tests.sure import fresh, refusal_of, statements_of, sure
from tournament.access import NOBODY, Actor
from tournament.archive.store import import_event
from tournament.models import Event, Game, Journal, Official
from tournament.queries.events import directed_events, listed_events
from tournament.queries.home import SHOWN, day_words, example, home_events
from tournament.queries.rules import ruleset_of
from tournament.queries.todo_next import checklist
from tournament.services.events import (
    appoint_official,
    change_event,
    change_options,
    copy_event,
    create_event,
    dismiss_official,
    free_slug,
)


def fields(**changed: Any) -> dict[str, Any]:
    """What the form of a new event sends."""
    return {
        "name": "Autumn Open",
        "date": "2026-11-21",
        "place": "Elks Lodge",
        "time_zone": "America/New_York",
        "sheet": "bid_whist/no-kitty-2021",
        "rounds_planned": "6",
        "movement": "moving",
        "fee_cents": "20",
        "pot_cents": "10.50",
        "currency": "$",
        "cut": "",
        "best_of": "1",
        "paper": "letter",
    } | changed


def test_event_new_makes_an_event_and_its_director(otis: User) -> None:
    answer = signed_in(otis).post("/new/", fields())
    assert (answer.status_code, answer["Location"]) == (302, "/desk/autumn-open/setup/")
    event = Event.objects.get()
    assert (event.name, event.fee_cents, event.pot_cents, event.cut) == ("Autumn Open", 2000, 1050, None)
    assert list(event.officials.values_list("user__username", "role")) == [("otis", "director")]
    assert Journal.objects.get().text == "Autumn Open set up"


def test_event_new_asks_for_a_short_name_and_no_pot_until_one_is_typed(otis: User) -> None:
    form = signed_in(otis).get("/new/").context["form"]
    assert (form["pot_cents"].value(), form["name"].field.widget.attrs["maxlength"]) == ("", 60)
    signed_in(otis).post("/new/", fields(pot_cents="", fee_cents=""))
    assert Event.objects.values_list("pot_cents", "fee_cents").get() == (0, 0)


OF_BEFORE = ["spades/four-hand-tournament", "spades/two-sets"]


def test_a_new_event_is_offered_the_newest_sheet_of_each_and_an_event_keeps_its_own(dana: User, otis: User) -> None:
    def offered(page: Any) -> list[str]:
        return [key for key, _ in page.context["form"].fields["sheet"].choices]

    new = offered(signed_in(otis).post("/new/", fields(name="", game="spades", sheet="spades/standard")))
    assert {"spades/four-hand-tournament-2026", "spades/two-sets-2026"} <= set(new) and not set(OF_BEFORE) & set(new)
    for sheet in OF_BEFORE:
        event = make_event(name=sheet.replace("/", " "), director=dana, sheet=sheet)
        theirs = offered(signed_in(dana).get(f"/desk/{event.slug}/setup/"))
        assert sorted(theirs) == sorted([*new, sheet])
        sent = fields(name=event.name, sheet=sheet, pot_cents="", rounds_planned="4")
        assert signed_in(dana).post(f"/desk/{event.slug}/setup/", sent).status_code == 302
        assert fresh(event).sheet == sheet
    refused = signed_in(otis).post("/new/", fields(game="spades", sheet=OF_BEFORE[0], pot_cents=""))
    assert refused.status_code == 422 and not Event.objects.filter(name="Autumn Open").exists()


def test_a_new_event_is_today_where_it_is_played(otis: User, monkeypatch: pytest.MonkeyPatch) -> None:
    # Half past eight on Friday evening in New York, which is Saturday in Greenwich.
    evening = datetime.datetime(2026, 11, 21, 1, 30, tzinfo=datetime.UTC)
    make_event("The Last One", time_zone="America/New_York")
    monkeypatch.setattr("django.utils.timezone.now", lambda: evening)
    context = signed_in(otis).get("/new/").context
    friday = datetime.date(2026, 11, 20)
    assert (context["form"]["date"].value(), context["copy"]["date"].value()) == (friday, friday)
    context = signed_in(otis).post("/new/copy/", {}).context
    assert context["form"]["date"].value() == friday


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "Please fill this in."),
        ("name", "Open\u202e", "cannot be used"),
        ("date", "someday", "Please enter a date."),
        ("sheet", "bid_whist/none", "Please choose from the list."),
        ("rounds_planned", "0", "At least 1."),
        ("rounds_planned", "61", "At most 60."),
        ("pot_cents", "ten", "An amount is needed, like 10 or 12.50."),
        ("fee_cents", "-5", "An amount is needed, like 10 or 12.50."),
        ("cut", "0", "At least 1."),
        ("time_zone", "Moon/Tycho", "Please choose from the list."),
        *((name, "", "Please fill this in.") for name in ("movement", "time_zone", "currency", "best_of", "paper")),
    ],
)
def test_event_new_with_a_bad_field_keeps_what_was_typed(otis: User, field: str, value: str, sentence: str) -> None:
    answer = signed_in(otis).post("/new/", fields(**{field: value}))
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert "Elks Lodge" in answer.content.decode()
    assert not Event.objects.exists()


@pytest.mark.parametrize(("currency", "time_zone"), [("CHF", "Europe/Zurich"), ("$", "Japan"), ("R$", "US/Eastern")])
def test_an_imported_event_keeps_its_currency_and_time_zone_when_it_is_saved(
    event: Event, dana: User, currency: str, time_zone: str
) -> None:
    Event.objects.filter(pk=event.pk).update(currency=currency, time_zone=time_zone)
    client, to = signed_in(dana), f"/desk/{event.slug}/setup/"
    form = client.get(to).context["form"]
    said = {name: value for name in form.fields if (value := form[name].value()) not in (None, False)}
    assert client.post(to, said | {"place": "Union Hall"}).status_code == 302
    assert (fresh(event).place, event.currency, event.time_zone) == ("Union Hall", currency, time_zone)
    assert client.post(to, said | {"currency": "¥"}).status_code == 422


def test_free_slug_is_never_taken(event: Event) -> None:
    assert free_slug("Columbus Open") == "columbus-open-2"
    assert free_slug("秋の大会") == "event"


def test_checklist_says_what_is_missing(event: Event) -> None:
    texts = {item.key: item.text for item in checklist(event).missing}
    assert texts == {"teams": "At least 2 teams are needed; there are none.", "draw": "Game 1 is not drawn."}


def test_checklist_is_ready_with_teams_and_a_draw(event: Event) -> None:
    aces, books, owls = make_teams(event, 3)
    make_round(event, [(aces, books)], state="planned")
    assert [item.text for item in checklist(event).missing] == ["Not in game 1: Night Owls. Draw again."]
    owls.delete()
    assert checklist(event).ready


def test_setup_page_shows_the_check_list(event: Event, dana: User) -> None:
    assert "Game 1 is not drawn." in signed_in(dana).get(f"/desk/{event.slug}/setup/").content.decode()


def test_setup_changes_the_event_and_notes_before_and_after(event: Event, dana: User) -> None:
    answer = signed_in(dana).post(f"/desk/{event.slug}/setup/", fields(name="Columbus Open", rounds_planned="4"))
    assert answer.status_code == 302
    assert fresh(event).rounds_planned == 4
    line = Journal.objects.filter(action="change").get()
    assert (sure(line.before)["rounds_planned"], sure(line.after)["rounds_planned"]) == (6, 4)


def test_change_event_to_another_sheet_drops_the_options(event: Event, dana: User) -> None:
    change_options(Actor(dana), event, {"grace_minutes": 10})
    changed = change_event(Actor(dana), event, {"sheet": "bid_whist/standard"})
    assert (changed.sheet, changed.options) == ("bid_whist/standard", {})


def test_options_page_lists_every_option_in_words(event: Event, dana: User) -> None:
    page = page_of(signed_in(dana).get(f"/desk/{event.slug}/setup/options/"))
    assert [option.title for option in ruleset_of(event).options if option.title not in page] == []
    assert [f"<legend>{title}</legend>" in page for title in ("Bidding", "Scoring", "End of the game", "Cards")] == [
        True
    ] * 4


def options_as_sent(client: Client, event: Event) -> dict[str, Any]:
    """What the form sends when nothing is touched."""
    form = client.get(f"/desk/{event.slug}/setup/options/").context["form"]
    sent: dict[str, Any] = {}
    for bound in form:
        value = bound.value()
        if bound.name == "tiebreak_order":
            sent |= {f"option-{bound.name}_{place}": one for place, one in enumerate(value)}
        else:
            sent[bound.html_name] = "" if value is None else value
    return sent


def test_options_sent_untouched_change_nothing(event: Event, desk: Client) -> None:
    assert desk.post(f"/desk/{event.slug}/setup/options/", options_as_sent(desk, event)).status_code == 302
    assert (fresh(event).options, Journal.objects.count()) == ({}, 0)


def test_options_keep_only_what_differs(event: Event, desk: Client) -> None:
    sent = options_as_sent(desk, event) | {
        "option-set_limit": "3",
        "option-round_minutes": "50",
        "option-boston_window": "",
        "option-sets_consecutive": "yes",
        "option-tiebreak_order_1": "head-to-head",
        "option-tiebreak_order_2": "lots",
    }
    assert desk.post(f"/desk/{event.slug}/setup/options/", sent).status_code == 302
    assert fresh(event).options == {
        "boston_window": None,
        "round_minutes": 50,
        "set_limit": 3,
        "sets_consecutive": True,
        "tiebreak_order": ["games-won", "head-to-head", "lots"],
    }


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("set_limit", "99", "99 is not from 1 to 13."),
        ("set_limit", "two", "A whole number is needed."),
        ("bye", "double", "Please choose from the list."),
        ("tiebreak_order_1", "games-won", "each may be chosen only once"),
        ("kitty_goes_to", "none", "Jokers need a kitty"),
    ],
)
def test_options_refused_are_shown_at_their_field(
    event: Event, key: str, value: str, sentence: str, desk: Client
) -> None:
    Event.objects.update(sheet="bid_whist/standard")
    sent = options_as_sent(desk, event) | {f"option-{key}": value}
    answer = desk.post(f"/desk/{event.slug}/setup/options/", sent)
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert fresh(event).options == {}


def test_three_teams_of_two_at_a_table_are_chosen_on_the_options_page(dana: User) -> None:
    event = make_event("Six", dana, sheet="back_alley/partnership")
    client, address = signed_in(dana), f"/desk/{event.slug}/setup/options/"
    sent = options_as_sent(client, event) | {"option-players": "6", "option-sides": "4"}
    answer = client.post(address, sent)
    assert (answer.status_code, "6 players do not make 4 sides." in answer.content.decode()) == (422, True)
    assert client.post(address, sent | {"option-sides": "3"}).status_code == 302
    assert fresh(event).options == {"players": 6, "sides": 3}
    words = {option.key: option.words for option in ruleset_of(event).chosen}
    assert words == {"players": "6", "sides": "three players, or (with six players) three partnerships of two"}


def test_options_that_mean_nothing_are_not_offered(event: Event, dana: User) -> None:
    shown = signed_in(dana).get(f"/desk/{event.slug}/setup/options/").content.decode()
    assert "option-kitty_goes_to" in shown and "option-jokers" not in shown


def test_players_who_play_alone_are_ranked_by_their_total(dana: User) -> None:
    event = create_event(Actor(dana), {"name": "Reunion", "date": "2026-11-21", "sheet": "back_alley/individual"})
    assert event.options == {"tiebreak_order": ["points", "games-won", "lots"]}
    assert change_event(Actor(dana), fresh(event), {"sheet": "spades/standard"}).options == {}


def test_options_that_price_a_hand_are_pinned_in_play(event: Event, game: Game, dana: User) -> None:
    refusal = refusal_of(lambda: change_options(Actor(dana), event, {"set_limit": 3}, confirmed=True))
    assert refusal.faults[0].field == "options.set_limit"


def test_standings_visibility_needs_a_confirmation_in_play_and_keeps_signatures(
    event: Event, game: Game, desk: Client
) -> None:
    sent = options_as_sent(desk, event) | {"option-standings_visible": "at-end"}
    answer = desk.post(f"/desk/{event.slug}/setup/options/", sent)
    assert (answer.status_code, Event.objects.get().options) == (422, {})
    assert desk.post(f"/desk/{event.slug}/setup/options/", sent | {"confirm": "on"}).status_code == 302
    assert fresh(event).options == {"standings_visible": "at-end"}
    assert Journal.objects.filter(noun="options").get().text == "Options changed: Standings can be seen"


def test_change_event_in_play_pins_the_sheet_and_asks_for_the_rest(event: Event, game: Game, dana: User) -> None:
    refusal = refusal_of(lambda: change_event(Actor(dana), event, {"sheet": "bid_whist/standard"}, confirmed=True))
    assert [fault.field for fault in refusal.faults] == ["sheet"]
    refusal = refusal_of(lambda: change_event(Actor(dana), event, {"place": "Somewhere else"}))
    assert [fault.field for fault in refusal.faults] == ["confirm"]
    assert change_event(Actor(dana), event, {"place": "Somewhere else"}, confirmed=True).place == "Somewhere else"


def test_change_event_below_the_rounds_played_is_refused(event: Event, dana: User) -> None:
    teams = make_teams(event, 4)
    make_round(event, [(teams[0], teams[1])], state="closed")
    make_round(event, [(teams[0], teams[2])], number=2)
    begin(event)
    refusal = refusal_of(lambda: change_event(Actor(dana), event, {"rounds_planned": 1}, confirmed=True))
    assert refusal.faults[0].text == "2 games have been played."


def test_appoint_official_makes_an_account_or_takes_the_one_there_is(event: Event, dana: User, stranger: User) -> None:
    office, made = appoint_official(Actor(dana), event, "vera", "verifier", "ten thousand trumps")
    assert (office.role, made, office.user.check_password("ten thousand trumps")) == ("verifier", True, True)
    office, made = appoint_official(Actor(dana), event, "Stranger", "director", "another password")
    assert (office.user, made, stranger.check_password(PASSWORD)) == (stranger, False, True)


@pytest.mark.parametrize(
    ("name", "password", "sentence"),
    [
        ("vera", "", "There is no account “vera” yet: give it a password."),
        ("vera", "short", "This password is too short."),
        ("ve ra!", "ten thousand trumps", "Enter a valid username."),
        ("dana", "", "dana is director already."),
    ],
)
def test_official_page_refuses(event: Event, dana: User, name: str, password: str, sentence: str) -> None:
    said = {"username": name, "role": "director", "password": password}
    answer = signed_in(dana).post(f"/desk/{event.slug}/setup/officials/", said)
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert Official.objects.filter(event=event).count() == 1


def test_dismiss_official_says_who_it_was(event: Event, dana: User, vic: User) -> None:
    assert dismiss_official(Actor(dana), event, vic.pk) == "vic"
    assert list(event.officials.values_list("user__username", flat=True)) == ["dana"]


def test_dismissing_somebody_with_a_number_that_no_account_has_is_refused(
    event: Event, dana: User, desk: Client
) -> None:
    for number in (2**31, 2**63, 10**30):
        assert desk.post(f"/desk/{event.slug}/setup/officials/{number}/dismissal/").status_code == 409
    assert list(event.officials.values_list("user__username", flat=True)) == ["dana"]


def test_events_are_listed_newest_first_with_everybody_who_entered(otis: User) -> None:
    for name, day in (("Bees", 7), ("Aces", 7), ("Cups", 21)):
        event = make_event(name, director=otis)
        Event.objects.filter(pk=event.pk).update(date=datetime.date(2026, 11, day), stage="playing")
    make_teams(event, 4)
    event.teams.filter(number=4).update(status="left", left_after=1)
    cards = listed_events(Actor(None))
    assert [card.event.name for card in cards] == ["Cups", "Aces", "Bees"]
    assert [words.partition(",")[0] for _, words in directed_events(Actor(otis))] == ["Cups", "Aces", "Bees"]
    assert (cards[0].teams, cards[0].unit) == (4, "team")
    assert "4 teams" in Client().get("/").content.decode()


def test_an_event_is_listed_when_it_opens_for_strangers(otis: User) -> None:
    """From its first draw on, before anything is played."""
    event = make_event("Cups", director=otis)
    first, second = make_teams(event, 2)

    def seen() -> tuple[int, list[Event]]:
        return Client().get(f"/e/{event.slug}/").status_code, [card.event for card in listed_events(NOBODY)]

    assert seen() == (404, [])
    make_round(event, [(first, second)], state="planned")
    assert seen() == (200, [event])


def test_event_of_single_players_is_listed_with_players(otis: User) -> None:
    make_event(director=otis, sheet="back_alley/individual", stage="playing", teams=1)
    assert "1 player<" in Client().get("/").content.decode()


def test_changing_the_name_leaves_the_chosen_options(event: Event, dana: User) -> None:
    change_options(Actor(dana), event, {"score_basis": "bid"})
    assert change_event(Actor(dana), event, {"name": "Dayton Open"}).options == {"score_basis": "bid"}


def test_checklist_of_a_clean_event_names_nothing_else(event: Event) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="planned")
    assert [item.key for item in checklist(event).items] == ["place", "sheet", "officials", "teams", "draw", "cut"]


# A new event like an earlier one.
def test_copy_event_takes_rules_officials_and_unpaid_teams(event: Event, dana: User, vic: User) -> None:
    make_teams(event, 3)
    event.options = {"grace_minutes": 10}
    event.save()
    copy = copy_event(Actor(dana), event, "Columbus Open", datetime.date(2027, 11, 20), with_teams=True)
    assert (copy.slug, copy.options, copy.stage) == ("columbus-open-2", {"grace_minutes": 10}, "setup")
    assert list(copy.teams.values_list("number", "paid", "in_pot")) == [
        (1, False, True),
        (2, False, True),
        (3, False, True),
    ]
    assert copy.teams.get(number=1).players.count() == 2
    assert set(copy.officials.values_list("user__username", "role")) == {("dana", "director"), ("vic", "verifier")}


def test_event_copy_page_copies_and_refuses_events_of_others(event: Event, dana: User, otis: User) -> None:
    said = {"copy-like": event.slug, "copy-name": "Next", "copy-date": "2027-11-20"}
    assert signed_in(otis).post("/new/copy/", said).status_code == 422
    User.objects.filter(pk=dana.pk).update(is_staff=True)
    client = signed_in(User.objects.get(pk=dana.pk))
    like = client.get(f"/new/?like={event.slug}").content.decode()
    assert (like.count("btn primary"), f'value="{event.name}"' in like, "Who plays?" in like) == (1, True, False)
    assert client.post("/new/copy/", said)["Location"] == "/desk/next/setup/"


def test_copy_event_leaves_out_teams_that_had_gone(four: Event, dana: User) -> None:
    four.teams.filter(number=2).update(status="left")
    four.teams.filter(number=3).update(status="disqualified")
    copied = copy_event(Actor(dana), four, "Again", datetime.date(2027, 11, 20), with_teams=True)
    assert list(copied.teams.values_list("number", flat=True)) == [1, 4]


# The home page: what this is, and the events of the club with how far each one is.
@pytest.mark.parametrize(
    ("day", "hour", "words"),
    [
        (21, 19, "tonight"),
        (21, 9, "today"),
        (20, 9, "yesterday"),
        (22, 19, "tomorrow"),
        (14, 9, "November 14, 2026"),
    ],
)
def test_a_day_is_told_as_people_say_it(day: int, hour: int, words: str) -> None:
    assert day_words(datetime.date(2026, 11, day), datetime.datetime(2026, 11, 21, hour)) == words


def test_a_chip_says_how_far_an_event_is(event: Event, dana: User) -> None:
    def chip() -> tuple[str, str]:
        (card,) = home_events(Actor(dana)).cards
        return card.state, card.tone

    assert chip() == ("Being set up", "gold")
    pair = tuple(make_teams(event, 2))
    first = make_round(event, [pair])
    assert chip() == ("Game 1 of 6", "")
    first.state = "closed"
    first.save()
    assert chip() == ("After game 1 of 6", "sky")
    Event.objects.update(stage="playoffs")
    assert chip() == ("Playoffs", "sky")
    make_round(event, [pair], number=2, stage="playoff", title="Semifinal")
    assert chip() == ("Semifinal", "")
    Event.objects.update(stage="over")
    assert chip() == ("Finished", "plain")


def test_a_finished_event_names_its_champion_with_the_players(dana: User) -> None:
    file = settings.ROOT / "fixtures" / "demo" / "autumn-open.json"
    import_event(Actor(dana), json.loads(file.read_text(encoding="utf-8")))
    (card,) = home_events(NOBODY).cards
    champion = sure(card.champion)
    named = (champion.team, champion.players)
    assert (card.state, named) == ("Finished", ("Blind Board Kings", ("Ted Ivory", "Ray Carver")))
    assert "(Ted Ivory, Ray Carver)" in Client().get("/").content.decode()


def test_the_page_needs_the_same_few_queries_for_thirty_events(dana: User) -> None:
    make_event("First", dana, stage="playing")
    assert statements_of(lambda: home_events(NOBODY)) == 2
    for number in range(29):
        make_event(f"Event {number}", dana, stage="playing")
    assert statements_of(lambda: home_events(NOBODY)) == 2
    found = home_events(NOBODY)
    assert (len(found.cards), len(found.earlier)) == (SHOWN, 30 - SHOWN)
    assert "18 earlier events" in Client().get("/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_champion_is_looked_for_once(dana: User) -> None:
    make_event("Old", dana, stage="over")
    home_events(NOBODY)
    assert statements_of(lambda: home_events(NOBODY)) == 2


def test_the_first_hand_that_a_visitor_sees_is_scored_by_the_rules(db: None) -> None:
    shown = example()
    assert (shown.title, shown.side, shown.points) == (
        "Hand 3 · Cal bid 3-No and took 9 books",
        "Night Owls",
        "+6",
    )
    assert "3 over six, +3 (rule 4); No bid, doubled, +3 (rule 5)" in shown.why[0]


def test_a_club_site_begins_with_its_own_name_and_what_it_plays_tonight(
    dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "CLUB", "Eastside Card Club")
    event = make_event("Fall Classic", dana, stage="playing")
    event.date = timezone.localdate(timezone=ZoneInfo(event.time_zone))
    event.save()
    page = Client().get("/").content.decode()
    assert "<h2>Eastside Card Club</h2>" in page and "from the first deal to the champion" not in page
    assert page.index("Fall Classic") < page.index("home-events")


def test_a_club_without_events_is_told_what_to_do(db: None, otis: User) -> None:
    assert "No events yet." in Client().get("/").content.decode()
    assert "Set up the first one" in signed_in(otis).get("/").content.decode()
