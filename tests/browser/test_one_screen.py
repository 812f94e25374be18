"""Every game on one screen: on the tablet, by every rule sheet, each question of a hand stands in the window with all
its answers and “Record”, uncovered and without scrolling, and what was answered is one tap away."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string

from scoring.document import all_sheets
from tests.browser.conftest import look
from tests.browser.test_tablet import bind, sit_down
from tests.browser.turns import TURN
from tests.factories import make_event, make_round, make_teams, play
from tests.sure import sure
from tests.tournament.games.play import random_entry
from tournament.models import Game, Notice, Player, Team
from tournament.queries.outcomes import coming_sheets
from tournament.queries.rules import ruleset_at, ruleset_of
from tournament.queries.scored import begin
from tournament.queries.sheet import game_sheet, sheet_games, sheet_now
from tournament.services.devices import facts_of
from tournament.texts import name_key

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
    for (const pick of group.querySelectorAll(".pick")) tell(asked.name, words(pick), pick);
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
  const count = new Set([...form.querySelectorAll(".ask input")].map((one) => one.name)).size;
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
    event = make_event("Columbus Open", dana, sheet=sheet, options=options)
    rules = ruleset_of(event)
    make_teams(event, rules.seating.sides)
    if rules.singles:
        Player.objects.filter(team__event=event, position__gt=0).delete()
    named: list[Team | Player] = [*Team.objects.filter(event=event), *Player.objects.filter(team__event=event)]
    for one in named:
        one.name = f"{one.pk}{LONG}"[: len(LONG)]
        one.key = name_key(one.name)
        one.save()
    game = make_round(event, [tuple(event.teams.all())]).games.get()
    sit_down(game)
    write_lines(dana, game)
    words = "Game 1 was corrected: hand 3 counts for the other side. The score is now 5 to 3."
    Notice.objects.create(team=sure(event.teams.first()), game=game, code="text", facts={"text": words})
    return game


def write_lines(dana: User, game: Game) -> None:
    """Hands, as many as can stand there while the game goes on, at most fourteen; then hands that do not count."""
    scored, chance = begin(ruleset_at(game)), Random(7)
    for _ in range(HANDS * 30):
        after = scored.with_entry(random_entry(scored, chance))
        if after.verdict is None and len(scored.lines) < HANDS:
            scored = after
    play(dana, game, *(line.facts for line in scored.lines), sign=False)
    void = facts_of(game, "void", {"rule": sheet_now(game).voids[0].rule})
    play(dana, game, *[void] * (HANDS - len(scored.lines)), sign=False)


def forms_of(game: Game) -> list[str]:
    """The form of every hand from the first to the last, one for each number of cards."""
    page = sheet_games().get(pk=game.pk)
    page._prefetched_objects_cache["entries"] = []
    forms = {sure(sheet.next).cards: sheet for sheet in coming_sheets(game_sheet(page))}
    said = {"entry_action": "/", "preview_action": "/", "values": {}, "faults": (), "position": 15}
    return [render_to_string("components/entry_form.html", {"sheet": sheet, **said}) for sheet in forms.values()]


@pytest.mark.parametrize("table", TABLES, indirect=True, ids=[f"{key}{len(more) or ''}" for key, more in TABLES])
def test_every_question_stands_on_one_screen(new_page: Any, live_server: Any, dana: User, table: Game) -> None:
    page = new_page(SIZES[0], service_workers="block")
    bind(page, live_server, dana, table.round.event)
    page.goto("/t/table/")
    page.locator("#mode:not([hidden])").wait_for()
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
