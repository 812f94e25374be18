"""Every game on one screen: on the tablet, by every rule sheet, each question of a hand fits the window with all
its answers and “Record”, uncovered and without scrolling, and what was answered is one tap away."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string

from scoring.document import all_sheets
from tests.browser.conftest import PHONE, TABLET, TURN, Counted, look, tap
from tests.browser.test_desk import at_desk
from tests.browser.test_offline import ahead, hand, unsent
from tests.browser.test_tablet import bind, sit_down
from tests.factories import MADE_FIVE, make_event, make_round, make_teams, play
from tests.sure import sure
from tests.tournament.games.play import random_entry
from tests.tournament.tablet.hands import legal_hand
from tournament.access import Actor
from tournament.forms.hand import read_hand
from tournament.models import Event, Game, Notice, Player, Team
from tournament.queries.outcomes import coming_sheets
from tournament.queries.rules import ruleset_at, ruleset_of
from tournament.queries.rulings import asked
from tournament.queries.scored import begin
from tournament.queries.sheet import game_sheet, sheet_games, sheet_now
from tournament.queries.tablet import Practice, practice_game
from tournament.services.devices import facts_of, issue_card
from tournament.services.entries import record_entry
from tournament.services.rounds import seat_side
from tournament.words.texts import name_key

pytestmark = pytest.mark.nightly

SIZES = ((1180, 820), (1180, 720), (1080, 810), (820, 1180))
TABLES: list[tuple[str, dict[str, Any]]] = [(sheet.key, {}) for _, sheet in all_sheets()]
TABLES += [("back_alley/partnership", {"players": 6, "sides": 3})]
HANDS = 14
LONG = "Alexandria Featherstonehaugh-Sanderson"
# The form is filled in as it asks. What is not at its own centre, or not in the window, is told.
WALK = """() => {
  const found = [];
  const form = document.getElementById("entry");
  const place = (one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (!box.width || box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
      return `ends at ${Math.round(box.bottom)} of ${innerHeight}`;
    return one.contains(document.elementFromPoint(x, y)) ? "" : "is covered";
  };
  const tell = (when, name, one) => place(one) && found.push(`${when}: ${name} ${place(one)}`);
  const words = (one) => one.innerText.trim().replace(/\\s+/g, " ");
  const check = (asked) => {
    scrollTo(0, 0);
    const group = asked.closest("[role=radiogroup]");
    tell(asked.name, "the question", group.querySelector(".ask-words"));
    // What another score would allow is sent along, hidden.
    const picks = [...group.querySelectorAll(".pick")].filter((pick) => getComputedStyle(pick).display !== "none");
    for (const pick of picks) tell(asked.name, words(pick), pick);
    tell(asked.name, "Record", document.getElementById("record"));
    for (const line of form.querySelectorAll(".line")) tell(asked.name, words(line), line);
  };
  const asked = () => [...form.querySelectorAll(".ask input")].filter((one) => one.checkVisibility());
  const answered = (one) => form.querySelector(`[name="${one.name}"]:checked`);
  const names = [];
  for (let next; (next = asked().find((one) => !answered(one))); ) {
    if (names.includes(next.name)) return [...found, `${next.name} is asked twice`];
    names.push(next.name);
    check(next);
    next.closest("label").click();
  }
  const play = form.querySelector(".contract.open .primary[form=lock]");
  if (play) tell("the bids", "Play", play);
  const count = new Set([...form.querySelectorAll(".ask input:not([type=hidden])")].map((one) => one.name)).size;
  for (const line of form.querySelectorAll(".line")) {
    line.click();
    if (!asked().length) found.push(`${words(line)} opens nothing`);
    else check(asked()[0]);
    if (new Set(asked().map((one) => one.name)).size !== 1) found.push(`${words(line)} is not alone`);
    names.push(asked()[0]?.name);
  }
  if (new Set(names).size !== count) found.push(`${new Set(names).size} of ${count} questions were asked`);
  return found;
}"""
PUT = """(html) => {
  const box = document.getElementById("next-hand");
  box.innerHTML = html;
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
}"""


@pytest.fixture
def table(dana: User, request: pytest.FixtureRequest) -> Game:
    """A table of the sheet in play: fourteen lines, a notice, and everybody has a name of 38 letters."""
    sheet, options = request.param
    event = make_event("Long evening", dana, sheet=sheet, options=options)
    rules = ruleset_of(event)
    make_teams(event, rules.seating.sides)
    if rules.singles:
        Player.objects.filter(team__event=event, position__gt=0).delete()
    named: list[Team | Player] = [*Team.objects.filter(event=event), *Player.objects.filter(team__event=event)]
    for row in named:
        row.name = f"{row.pk}{LONG}"[: len(LONG)]
        row.key = name_key(row.name)
        row.save()
    game = make_round(event, [tuple(event.teams.all())]).games.get()
    sit_down(game)
    write_lines(dana, game)
    words = "Game 1 was corrected: hand 3 counts for the other side. The score is now 5 to 3."
    Notice.objects.create(team=sure(event.teams.first()), game=game, code="text", facts={"text": words})
    return game


def write_lines(dana: User, game: Game) -> None:
    """As many hands as fit while the game goes on, at most fourteen; then hands that do not count."""
    scored, chance = begin(ruleset_at(game)), Random(7)
    for _ in range(HANDS * 30):
        after = scored.with_entry(random_entry(scored, chance))
        if after.verdict is None and len(scored.lines) < HANDS:
            scored = after
    play(dana, game, *(line.facts for line in scored.lines), sign=False)
    void = facts_of(game, "void", {"rule": sheet_now(game).voids[0].choice.rule})
    play(dana, game, *[void] * (HANDS - len(scored.lines)), sign=False)


def forms_of(game: Game) -> list[str]:
    """The form of every hand from the first to the last, one for each number of cards."""
    page = sheet_games().get(pk=game.pk)
    page._prefetched_objects_cache["entries"] = []
    forms = {sure(sheet.next).cards: sheet for sheet in coming_sheets(game_sheet(page))}
    context = {"entry_action": "/", "preview_action": "/", "values": {}, "faults": (), "position": 15}
    return [render_to_string("components/entry_form.html", {"sheet": sheet, **context}) for sheet in forms.values()]


@pytest.mark.parametrize("table", TABLES, indirect=True, ids=[f"{key}{len(more) or ''}" for key, more in TABLES])
def test_every_question_stands_on_one_screen(table_page: Any, table: Game) -> None:
    page = table_page(SIZES[0], of=table.round.event, service_workers="block")
    with TURN:
        forms = forms_of(table)
    name, found = table.round.event.sheet.replace("/", "-"), {}
    own = page.locator("#next-hand").inner_html()
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        look(page, f"one-{name}-{size[0]}x{size[1]}")
        for number, form in enumerate([own, *forms]):
            page.evaluate(PUT, form)
            if wrong := page.evaluate(WALK):
                found[f"{size}, form {number}"] = wrong
    assert found == {}


# What is read and tapped across a table: the question is the largest text, a kind of bid fits its button, the
# books that are taken are the big ones, sides sign far apart, the next table comes first; and no tap answers nothing.
SIZE = "(one) => parseFloat(getComputedStyle(one).fontSize)"
TOPS = "(all) => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect().top)))].length"


def size(page: Any, what: str) -> float:
    return page.locator(what).first.evaluate(SIZE)


def test_the_link_of_another_card_in_the_same_tab_fills_its_code_in(page: Any, dana: User, event: Event) -> None:
    first, second = issue_card(Actor(dana), event, 1), issue_card(Actor(dana), event, 2)
    page.goto(f"/t/#{first}")
    page.goto(f"/t/#{second}")
    # Only the part after the “#” was different: the page is the same, its field and its address are not.
    page.wait_for_url(lambda address: "#" not in address)
    assert page.locator("#code").input_value() == f"{second[:4]}-{second[4:]}"


AWAKE = """window.awake = [];
    Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
      window.awake.push(kind);
      return new EventTarget();
    } } });"""


def test_the_question_is_the_largest_text_and_big_letters_enlarge_all(table_page: Any, game: Game) -> None:
    sit_down(game)
    seated = table_page(script=AWAKE)
    assert seated.evaluate("window.awake") == ["screen"]
    asked = size(seated, ".ask-words")
    assert asked >= 20
    assert all(asked > size(seated, what) for what in (".due", ".team", ".pick-words", ".sheet th", "#record"))
    texts = (".ask-words", ".due", ".team", ".score-side .why", ".sheet th", ".pick-words", "#record", ".row-name")
    before = {what: size(seated, what) for what in (*texts, ".sheet-points")}
    seated.locator(".display summary").click()
    seated.get_by_role("button", name="Big letters").click()
    seated.get_by_role("button", name="Strong contrast").click()
    seated.reload()
    assert [what for what, old in before.items() if size(seated, what) <= old] == []
    colors = "() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    assert seated.evaluate(colors) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    box = seated.locator("#record").bounding_box()
    assert box["y"] + box["height"] <= TABLET[1]


def test_digits_of_the_score_cover_nothing_of_the_name_above_them(seated: Any) -> None:
    """Where the system picks the colors each line of text has a ground of its own, as high as its letters."""
    seated.emulate_media(forced_colors="active")
    name = seated.locator(".score-side .team").first
    beside_digits = name.screenshot(caret="initial")
    seated.evaluate("() => { document.querySelector('.sheet-points').hidden = true; }")
    seated.locator(".sheet-points").first.wait_for(state="hidden")
    assert name.screenshot(caret="initial") == beside_digits


def test_until_when_and_the_press_to_be_seated_are_the_largest(
    page: Any, live_server: Any, dana: User, event: Event, game: Game
) -> None:
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
    assert size(page, ".table-title") >= 1.5 * size(page, ".table-words")
    buttons = page.locator(".side-card .btn")
    assert [button.bounding_box()["height"] >= 90 for button in buttons.all()] == [True, True]


def test_the_kind_stands_in_the_button_of_the_bid_and_the_row_of_no_is_tinted(seated: Any) -> None:
    words = [seated.locator(f"label:has(#bid-3{kind})").inner_text().strip() for kind in ("", "-special", "-no")]
    assert words == ["3", "3\u00a0S", "3\u00a0No"]
    tints = [
        seated.locator(f"label:has(#bid-3{kind})").evaluate("(one) => getComputedStyle(one).backgroundColor")
        for kind in ("", "-special", "-no")
    ]
    assert tints[0] == tints[1] != tints[2]


def test_seven_to_twelve_are_the_big_ones_in_a_row_of_their_own(table_page: Any, seated: Any, dana: User) -> None:
    few, many = (size(seated, f"label:has(#books-{books}) .pick-words") for books in (6, 7))
    assert many >= 1.5 * few
    rows = seated.locator("#books-7, #books-8, #books-9, #books-10, #books-11, #books-12, #books-13")
    assert rows.evaluate_all(TOPS) == 1
    # Also where zero is not offered.
    event = make_event("Kitty night", dana, sheet="bid_whist/standard")
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    sit_down(game)
    other = table_page(of=event)
    rows = other.locator("#books-7, #books-8, #books-9, #books-10, #books-11, #books-12, #books-13")
    assert rows.evaluate_all(TOPS) == 1


def test_a_question_mark_leads_to_the_call_in_two_more_keys(seated: Any, game: Game) -> None:
    seated.keyboard.press("?")
    assert seated.evaluate("document.activeElement.innerText") == "Renege"
    seated.keyboard.press("Tab")
    seated.keyboard.press("Enter")
    seated.get_by_text("▲ Director called").first.wait_for()
    with TURN:
        assert game.calls.get().kind == "exposed"


def test_nothing_fails_unheard_without_a_connection_or_a_storage(table_page: Any, game: Game) -> None:
    """What was refused by the network or the browser is said on the page, not thrown into its console."""
    sit_down(game)
    unheard = """
      window.unheard = [];
      addEventListener("unhandledrejection", (event) => unheard.push(String(event.reason)));
      const refuse = () => { throw new DOMException("no", "SecurityError"); };
      if (location.search === "?blocked") IDBFactory.prototype.open = refuse;
    """
    page = table_page(script=unheard, service_workers="block")
    with TURN:
        record_entry(Actor(), game, {"entry": "hand", "seat": 0, "bid": "2", "books": 8})
    # The hand is cut off on its way, and so is any page that is asked for.
    page.route("**/t/{table,api/submissions}/", lambda route: route.abort("internetdisconnected"))
    tap(page, "seat-1", "bid-2", "books-8")
    with page.expect_event("requestfailed"):
        page.locator("#record").click()
    page.wait_for_timeout(300)
    assert page.evaluate("unheard") == []
    page.unroute("**/t/{table,api/submissions}/")
    page.goto("/t/table/?blocked")
    page.locator("#entry").wait_for()
    tap(page, "seat-1", "bid-2", "books-8")
    page.wait_for_timeout(300)
    assert page.evaluate("unheard") == []


@pytest.mark.parametrize("where", [TABLET, PHONE])
def test_the_next_table_comes_first_and_is_the_largest(table_page: Any, dana: User, where: tuple[int, int]) -> None:
    event = make_event("Two rounds", dana, rounds_planned=2)
    teams = make_teams(event, 4)
    game = make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])]).games.get(table=1)
    make_round(event, [(teams[2], teams[1]), (teams[0], teams[3])], 2, "planned")
    play(dana, game, MADE_FIVE)
    page = table_page(where, of=event)
    following = page.locator(".onward li").first
    assert following.inner_text().split("\n")[:2] == ["Aces", "Next: table 2"]
    assert following.bounding_box()["y"] + following.bounding_box()["height"] < where[1] * 0.6
    places = {what: page.locator(what).bounding_box()["y"] for what in (".onward", ".signing", ".sheet-card")}
    assert places[".onward"] == min(places.values())
    largest = size(page, ".onward strong")
    assert largest >= 32 and largest > size(page, ".signing h2")


def test_what_shows_the_page_otherwise_is_one_quiet_button(seated: Any) -> None:
    foot = seated.locator(".table-foot > details > summary:visible").all_inner_texts()
    assert foot == ["Call the director", "Void this hand", "Keys", "Display"]
    assert size(seated, ".table-foot .display summary") <= size(seated, ".table-foot .call-director summary")
    assert seated.locator(".modes:visible").count() == 0


def test_fourteen_bids_are_two_full_rows_and_the_name_stands_in_the_question(table_page: Any, dana: User) -> None:
    event = make_event("Spades night", dana, sheet="spades/standard")
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    sit_down(game)
    page = table_page(of=event)
    bids = page.locator(".ask.open .pick")
    boxes = [bid.bounding_box() for bid in bids.all()]
    rows = [round(box["y"]) for box in boxes]
    assert [rows.count(top) for top in sorted(set(rows))] == [7, 7]
    assert len({round(box["width"]) for box in boxes}) == 1
    # The question starts where its first answer does.
    words = page.locator(".ask.open .ask-words")
    assert words.inner_text().startswith("What did Ann 2 bid?")
    assert abs(words.bounding_box()["x"] - boxes[0]["x"]) < 2


def test_a_rule_and_its_number_stay_on_one_line(seated: Any, dana: User, game: Game) -> None:
    with TURN:
        play(dana, game, {"entry": "hand", "seat": 0, "bid": "1", "books": 7}, sign=False)
    seated.reload()
    rules = seated.locator(".sheet .why .nowrap")
    rules.first.wait_for()
    assert rules.first.inner_text() == "rule 4"
    seated.evaluate("() => { document.querySelector('.sheet td .why').style.width = '1.5rem'; }")
    heights = "(all) => all.map((one) => one.getClientRects().length)"
    assert set(rules.evaluate_all(heights)) == {1}


# How many taps and keys a hand takes, counted in Chromium on the practice table by every rule sheet.
# Where one side wins the bid: at most 4 taps and 6 keys. Where everybody bids: one tap a fact and one for “Record”; the
# last number of tricks is counted by the form. The output shows the counts (`pytest -s`).
SHEETS = [sheet.key for _, sheet in all_sheets()]
MOST_TAPS, MOST_KEYS = 4, 6


class Practising(Counted):
    """Somebody at the practice table of a sheet."""

    def __init__(self, page: Any, sheet: str) -> None:
        super().__init__(page)
        page.goto(f"/practice/?sheet={sheet}")
        page.locator(".chair").first.click()
        page.locator("#entry").wait_for()

    def written(self) -> list[dict[str, Any]]:
        """The lines of the game that the page carries, once there is one."""
        self.page.locator(".sheet tbody tr:has(td.num)").first.wait_for()
        return self.page.evaluate("JSON.parse(document.querySelector('[name=document]').value).entries")


def facts_typed(sheet: str, form: dict[str, str]) -> dict[str, Any]:
    """The hand as it is written: with who dealt it, too."""
    return read_hand(game_sheet(practice_game(Practice(sheet, 0))), form).facts | {"dealer": 0}


def hand_of(sheet: str) -> dict[str, str]:
    return legal_hand(practice_game(Practice(sheet, 0)))


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_hand_by_taps_and_by_keys(page: Any, sheet: str) -> None:
    form = hand_of(sheet)
    by_bidder = "books" in form
    written = [facts_typed(sheet, form)]
    player = Practising(page, sheet)
    # The form counts the last number of tricks out itself.
    for field, value in list(form.items())[: None if by_bidder else -1]:
        player.tap(f"label:has(#{field}-{value})")
    player.tap("#record")
    assert player.written() == written
    typist = Practising(page, sheet)
    typist.press(*keys_of(form, sheet))
    assert typist.written() == written
    print(f"{sheet}: {len(form)} facts, {player.taps} taps, {typist.keys} keys")
    assert player.taps <= (MOST_TAPS if by_bidder else len(form) + 1)
    assert typist.keys <= (MOST_KEYS if by_bidder else 2 * len(form) + 1)


def keys_of(form: dict[str, str], sheet: str) -> list[str]:
    """The keys for a hand, Enter at its end: a letter for the seat, S or N before a bid of that kind, then digits.
    Where everybody bids, the least that tells an answer from the others, and a blank where a number could grow."""
    if "books" in form:
        level, _, kind = form["bid"].partition("-")
        return ["abcd"[int(form["seat"])], *([kind[0]] if kind else []), level, *form["books"], "Enter"]
    ask = sure(asked(game_sheet(practice_game(Practice(sheet, 0)))))
    offered = {question.name: [choice.value for choice in question.choices] for question in ask.deal.asked}
    keys: list[str] = []
    for field, value in list(form.items())[:-1]:
        typed = next(value[:n] for n in range(1, len(value) + 1) if found(offered[field], value[:n]) == value)
        grows = sum(one.startswith(typed) for one in offered[field]) > 1
        keys += [*typed, *([" "] if grows else [])]
    return [*keys, "Enter"]


def found(values: list[str], typed: str) -> str | None:
    """What the form takes when this much is typed."""
    matching = [value for value in values if value.startswith(typed)]
    return typed if typed in matching else matching[0] if len(matching) == 1 else None


@pytest.mark.parametrize("sheet", [key for key in SHEETS if key.startswith("bid_whist/")])
def test_no_bid_of_any_kind_takes_more(page: Any, sheet: str) -> None:
    """Every kind of bid that the sheet offers, at its highest, with two digits of books."""
    ask = sure(asked(game_sheet(practice_game(Practice(sheet, 0)))))
    for _, choices in ask.of("bid")[0].rows:
        bid = choices[-1]
        table = Practising(page, sheet)
        table.press(*keys_of({"seat": "3", "bid": bid.value, "books": "10"}, sheet))
        assert table.written()[0]["bid"] == bid.value
        assert table.keys <= MOST_KEYS


# Two rules by which Safari differs, put into Chromium by a script: what was tapped counts anyway.
# Before 16.4 `FormData` knows no second argument; after a sleep one write to the tablet's storage fails.
NO_SECOND_ARGUMENT = """{
  const Ours = window.FormData;
  window.FormData = class extends Ours { constructor(form) { super(form); } };
}"""
# As many writes as `faults` says are lost.
LOST_WRITES = """{
  window.faults = 0;
  const add = IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = function (...given) {
    if (window.faults-- > 0) throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
    return add.apply(this, given);
  };
}"""


def test_the_dealer_that_was_tapped_deals_and_the_director_hears_what_it_is_about(table_page: Any, game: Game) -> None:
    for side in (0, 1):
        seat_side(Actor(), game, side)
    page = table_page(script=NO_SECOND_ARGUMENT, service_workers="block")
    page.get_by_role("button", name="Bea 1").click()
    page.get_by_text("Hand 1 · Bea 1 deals").wait_for()
    page.locator(".call-director > summary").click()
    page.get_by_role("button", name="Exposed card").click()
    page.get_by_text("Director is called").wait_for()
    with TURN:
        game.refresh_from_db()
        assert (game.first_dealer, list(game.calls.values_list("kind", flat=True))) == (2, ["exposed"])


def test_a_lost_write_is_tried_again_and_after_the_banner_the_next_hand_is_kept(table_page: Any, game: Game) -> None:
    sit_down(game)
    page = table_page(script=LOST_WRITES, service_workers="block")
    ahead(page)
    page.context.set_offline(True)
    page.evaluate("() => { faults = 1; }")
    hand(page, 0, "3", 9)
    unsent(page, 1)
    page.evaluate("() => { faults = 2; }")
    hand(page, 1, "2", 8)
    page.locator("#not-stored").wait_for()
    page.locator("#record").click()
    unsent(page, 2)
    assert page.locator("#not-stored").is_hidden()


def test_a_desk_that_comes_from_memory_after_signing_out_is_asked_for_again(
    new_page: Any, dana: User, event: Event
) -> None:
    page = at_desk(new_page, dana, TABLET)
    page.goto(f"/desk/{event.slug}/money/")
    page.context.clear_cookies()
    page.evaluate("() => { dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }")
    page.wait_for_url("**/sign-in/**")


def test_a_browser_without_our_styles_is_told_that_it_is_too_old(new_page: Any, dana: User) -> None:
    page = new_page(TABLET, service_workers="block")
    page.goto("/t/")
    notice = page.get_by_text("This tablet’s browser is too old to keep score.")
    assert notice.is_hidden()
    # Safari before 15.4 does not support layers, and all the styles are in layers.
    page.route("**/*.css", lambda route: route.fulfill(body="", content_type="text/css"))
    page.reload()
    assert notice.is_visible()
