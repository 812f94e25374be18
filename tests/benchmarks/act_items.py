"""The acts of an evening: at a tablet, at the desk, before it begins; and its event file out and in."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F

from tests.benchmarks.clubhouse import LAST_HAND, Clubhouse, Tablet, forms_of, games_in_play, untouched_game
from tests.benchmarks.items import ENTERED, IN_PLAY, SWISS, Item, Step, after_change, look, nothing
from tests.sure import sure
from tournament.models import Event, Game, Registration, Round, Team

# A tablet.


def with_tablet(house: Clubhouse, done: int) -> None:
    """Bind a tablet, and let somebody write a hand at its table, so that its page is news."""
    if house.tablet is None:
        house.tablet = Tablet(house.dana, untouched_game(IN_PLAY))
    if done % 2:
        house.undo(IN_PLAY)
    else:
        house.hand(IN_PLAY)


def send_hand(house: Clubhouse, done: int) -> None:
    facts = {"entry": "hand", "seat": 0, "bid": "1", "books": 7}
    sure(house.tablet).send("hand", position=1, facts=facts)


def at_first_hand(house: Clubhouse, done: int) -> None:
    if house.tablet is None:
        house.tablet = Tablet(house.dana, untouched_game(IN_PLAY))
    if done:
        house.undo(IN_PLAY)
        house.tablet.last = ""


def signed_by_tablet(house: Clubhouse, done: int) -> None:
    tablet = sure(house.tablet)
    player = sure(tablet.game.sides.get(index=0).team.players.first())
    tablet.send("sign", side=0, name=player.name, lines=tablet.lines())


def over_at_tablet(house: Clubhouse, done: int) -> None:
    if house.tablet is None:
        game = untouched_game(IN_PLAY)
        house.tablet = Tablet(house.dana, game)
        house.post(f"/desk/{IN_PLAY}/games/{game.pk}/entries/", LAST_HAND)
    else:
        house.tablet.send("unsign", side=0)


def tablet_items() -> list[Item]:
    def page(house: Clubhouse, done: int) -> None:
        house.get(sure(house.tablet).browser, "/t/table/")

    def ask(name: str) -> Step:
        return lambda house, done: sure(house.tablet).ask(name)

    return [
        Item("tablet: page", page, with_tablet, "/t/table/"),
        Item("tablet: state, polled after a change", ask("state"), with_tablet, "/t/api/state/"),
        Item("tablet: ping, polled", ask("ping"), with_tablet, "/t/api/ping/"),
        Item("act: a hand of the tablet, with its page", send_hand, at_first_hand),
        Item("act: a signature of the tablet, with its page", signed_by_tablet, over_at_tablet),
    ]


# Acts at the desk of an evening.


def write_hand(house: Clubhouse, done: int) -> None:
    house.hand(IN_PLAY)


def before_hand(house: Clubhouse, done: int) -> None:
    if done:
        house.undo(IN_PLAY)


def before_undo(house: Clubhouse, done: int) -> None:
    house.hand(IN_PLAY)


def undo_hand(house: Clubhouse, done: int) -> None:
    house.undo(IN_PLAY)


def sheet_to_sign(house: Clubhouse, done: int) -> None:
    """A game that is over and not signed."""
    if done:
        house.sign(IN_PLAY, back=True)
    else:
        house.post(f"/desk/{IN_PLAY}/games/{untouched_game(IN_PLAY).pk}/entries/", LAST_HAND)


def sign_paper(house: Clubhouse, done: int) -> None:
    house.sign(IN_PLAY)


def rule(house: Clubhouse, done: int) -> None:
    game = games_in_play(IN_PLAY)[done]
    house.post(f"/desk/{IN_PLAY}/games/{game.pk}/rulings/", {"rule": "17", "side": "1", "choice": "void"})


def announce_correction(house: Clubhouse, slug: str, game: Game) -> str:
    """Ask for one book more in the last hand of a final game; gives the address, or nothing where rules refuse it."""
    last = game.entries.order_by("-position")[0]
    path = f"/desk/{slug}/games/{game.pk}/entries/{last.position}/revisions/"
    said = {name: str(value) for name, value in last.facts.items()} | {"revision": str(last.revision)}
    said |= {"books": str(last.facts["books"] + 1), "reason": "as on paper"}
    house.post(path, said, 200, 422)
    return path if 'name="announced"' in house.answer or 'name="confirmed"' in house.answer else ""


def next_correction(house: Clubhouse, slug: str) -> str:
    """Announce a correction of the next final game that can be corrected so."""
    while house.finals:
        if path := announce_correction(house, slug, house.finals.pop(0)):
            return path
    raise SystemExit("No game can be corrected any more.")


def find_correction(slug: str) -> Step:
    def find(house: Clubhouse, done: int) -> None:
        if not done:
            games = Game.objects.filter(round__event__slug=slug, round__state="closed", round__stage="qualifying")
            house.finals = list(games.filter(state="final").order_by("round__number", "table"))
        house.path = next_correction(house, slug)

    return find


def correction_to_announce(slug: str) -> Step:
    """Find a game, by announcing it once; then let nothing be remembered of its event."""

    def find(house: Clubhouse, done: int) -> None:
        find_correction(slug)(house, done)
        versions = {"version": F("version") + 1, "public_version": F("public_version") + 1}
        Event.objects.filter(slug=slug).update(**versions)

    return find


def announce_again(slug: str) -> Step:
    def announce(house: Clubhouse, done: int) -> None:
        game = Game.objects.get(pk=int(house.path.split("/games/")[1].split("/")[0]))
        assert announce_correction(house, slug, game)

    return announce


def confirm(house: Clubhouse, done: int) -> None:
    house.confirm(house.path)


def first_look_after_correction(slug: str, path: str) -> Item:
    """A page, looked at first after a correction of a closed round."""

    def correct(house: Clubhouse, done: int) -> None:
        find_correction(slug)(house, done)
        house.confirm(house.path)

    return Item(f"public: {path}, after a correction", look(f"/e/{slug}/", slug, public=True), correct)


def ask_to_leave(house: Clubhouse, done: int) -> None:
    """A team of a game in play asks to leave before that game."""
    number = sure(games_in_play(IN_PLAY)[done].sides.order_by("index").first()).team.number
    house.path = f"/desk/{IN_PLAY}/teams/{number}/withdrawal/"
    house.post(house.path, {"after_round": "5"}, 200)


def ask_to_leave_before(house: Clubhouse, done: int) -> None:
    """The same before the first game, when all rounds are drawn."""
    if not done:
        house.post(f"/desk/{ENTERED}/draw/", {"seats": "lot", "seed": "7"})
    house.path = f"/desk/{ENTERED}/teams/{done + 1}/withdrawal/"
    house.post(house.path, {"after_round": "0"}, 200)


def draw(house: Clubhouse, done: int) -> None:
    house.post(f"/desk/{SWISS}/draw/", {"seats": "lot", "seed": "7"})


def before_draw(house: Clubhouse, done: int) -> None:
    if done:
        house.post(f"/desk/{SWISS}/draw/removal/", {}, 200)
        house.confirm(f"/desk/{SWISS}/draw/removal/")


def before_start(house: Clubhouse, done: int) -> None:
    if done:
        house.post(f"/desk/{SWISS}/rounds/3/start/return/")
    else:
        draw(house, done)


def start(house: Clubhouse, done: int) -> None:
    house.post(f"/desk/{SWISS}/rounds/3/start/")


def before_close(house: Clubhouse, done: int) -> None:
    """Nobody can open a round again, so its row is written."""
    Round.objects.filter(event__slug=SWISS, number=2).update(state="running", closed_at=None)
    house.change(SWISS)


def close(house: Clubhouse, done: int) -> None:
    house.post(f"/desk/{SWISS}/rounds/2/closure/")


def seat_everybody(house: Clubhouse, done: int) -> None:
    house.post(f"/desk/{SWISS}/rounds/3/seats/")


def before_seats(house: Clubhouse, done: int) -> None:
    if done:
        house.post(f"/desk/{SWISS}/rounds/3/seats/return/")
    else:
        draw(house, done)
        start(house, done)


# Acts before an evening.


def pasted(done: int) -> str:
    count = Event.objects.get(slug=IN_PLAY).teams.count()
    return "\n".join(
        f"Pair {number}, Zoe Nash{number}{done}, Yul Marsh{number}{done}" for number in range(1, count + 1)
    )


def paste_list(house: Clubhouse, done: int) -> None:
    house.post(f"/desk/{ENTERED}/roster/", {"text": pasted(done), "replace": "on"}, 200)


def accept_list(house: Clubhouse, done: int) -> None:
    fields = next(fields for _, fields, _ in forms_of(house.answer) if "text" in fields)
    house.post(f"/desk/{ENTERED}/roster/", fields | {"accept": "yes"})


def enter(house: Clubhouse, done: int) -> None:
    typed = {"name": f"Entry N{done}", "player1": f"Zoe Nash{done}", "player2": f"Yul Marsh{done}", "show": "full"}
    house.post(f"/e/{ENTERED}/enter/", typed | {"contact": "555-0100"}, who=house.visitor)


def nobody_accepted(house: Clubhouse, done: int) -> None:
    entries = Registration.objects.filter(event__slug=ENTERED)
    if done:
        Team.objects.filter(pk__in=entries.values("team")).delete()
        entries.update(state="asked", team=None)
        house.change(ENTERED)


def accept_all(house: Clubhouse, done: int) -> None:
    entries = Registration.objects.filter(event__slug=ENTERED)
    house.post(f"/desk/{ENTERED}/entries/acceptance/", {"entry": "1", "until": str(entries.count())})


def check_in(house: Clubhouse, done: int) -> None:
    house.post(f"/desk/{ENTERED}/check-in/", {"number": str(done + 3), "here": "yes"})


def pay_fee(house: Clubhouse, done: int) -> None:
    house.post(f"/desk/{ENTERED}/teams/2/paid/", {"on": "no" if done % 2 else "yes"})


def mark_unpaid(house: Clubhouse, done: int) -> None:
    if not done:
        house.post(f"/desk/{ENTERED}/teams/2/paid/", {"on": "no"})


# The event file.


def file_out(house: Clubhouse, done: int) -> None:
    house.get(house.desk, f"/desk/{IN_PLAY}/file/")


def file_in(house: Clubhouse, done: int) -> None:
    file = SimpleUploadedFile("event.json", house.file.encode(), "application/json")
    # The form that was told of an event of this name and day; with another answer it is another import.
    house.post("/import/", {"file": file, "beside": str(done + 1)})


def file_written(house: Clubhouse, done: int) -> None:
    if not done:
        house.file = house.get(house.desk, f"/desk/{IN_PLAY}/file/")


def evening_acts() -> list[Item]:
    return [
        Item("act: a hand at the desk", write_hand, before_hand),
        Item("act: a hand undone", undo_hand, before_undo),
        Item("act: signed on paper", sign_paper, sheet_to_sign),
        Item("act: a ruling", rule, nothing),
        Item("act: a correction, announced", announce_again(IN_PLAY), correction_to_announce(IN_PLAY)),
        Item("act: a correction, done", confirm, find_correction(IN_PLAY)),
        first_look_after_correction(IN_PLAY, "standings"),
        Item("act: a withdrawal in play, announced", ask_to_leave, nothing),
        Item("act: a withdrawal in play, done", confirm, ask_to_leave),
        Item("act: a withdrawal and a new draw, announced", ask_to_leave_before, nothing),
        Item("act: a withdrawal and a new draw, done", confirm, ask_to_leave_before),
        Item("act: the next round drawn", draw, before_draw),
        Item("act: a round started", start, before_start),
        Item("act: everybody seated", seat_everybody, before_seats),
        Item("act: a round closed", close, before_close),
        Item("act: a list pasted", paste_list, nothing),
        Item("act: a pasted list accepted", accept_list, paste_list),
        Item("act: an entry by a player", enter, nothing),
        Item("act: all entries accepted", accept_all, nobody_accepted),
        Item("act: a team checked in", check_in, nothing),
        Item("act: a fee marked", pay_fee, mark_unpaid),
        Item("file: event file out", file_out, after_change(IN_PLAY), f"/desk/{IN_PLAY}/file/"),
        Item("file: event file in", file_in, file_written),
    ]
