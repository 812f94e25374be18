"""What waits for the desk: the list “To do”, and what finishing would leave open, which is part of it.

Each line has the act that settles it. Calls, late teams, a round's time, and unsigned sheets come first; then open
matters of the whole event.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

from django.template.defaultfilters import pluralize
from django.urls import reverse

from scoring.ledger import listed
from tournament.models import Call, Event, Team
from tournament.models.team import PAYOUT, POT, PRIZE
from tournament.queries.checkin import absent_teams, no_shows
from tournament.queries.decisions import open_questions
from tournament.queries.desk import LATE, PLAYING, TO_SIGN, DeskRound, TableCard
from tournament.queries.door import owed_words
from tournament.queries.keep_or_replay import KeepOrReplay
from tournament.queries.leaving import Seats, leaving_teams, leaving_words
from tournament.queries.ledger import Cash, Payee, Payouts, cash, payouts
from tournament.queries.playoffs import MOST_NAMED
from tournament.queries.pot import PotFacts
from tournament.queries.registrations import Untold, entries_to_do, untold_words
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.rulings import LATE as LATE_RULES
from tournament.queries.rulings import known_rule, rule_for_call
from tournament.queries.standings import full_standings
from tournament.queries.todo_next import absent_words, checklist
from tournament.queries.typed_sheets import waiting_sheets
from tournament.words.phrases import money

# The director hears of a missing team only when its time is nearly up.
WARN_SECONDS = 120


class Press(NamedTuple):
    """Another act that settles a line: a button that sends `fields`."""

    words: str
    to: str
    action: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Need:
    """One line of the list. `link` says what it leads to: ruling, award, game, verify, time, bracket, money.

    `to` is the address of the act, which `action` must allow; for other users, `look` shows what it is about. `left`
    are the seconds of a running clock, `call` a call that can be answered without a ruling; `fields` is sent with an
    act that `posts`. `others` are other acts that settle it.
    """

    tone: str
    place: str
    text: str
    link: str
    words: str
    to: str
    action: str = "see-desk"
    posts: bool = False
    look: str = ""
    query: str = ""
    call: int | None = None
    left: int | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    others: tuple[Press, ...] = ()


def needs_of(event: Event, desk: DeskRound, rules: Ruleset, pool: PotFacts | None = None) -> tuple[Need, ...]:
    """What waits in a round, the most urgent first; then what waits in the event.

    `pool` is its pot, if that is known.
    """
    needs = [
        *_calls(event, desk, rules),
        *_late_teams(event, desk, rules),
        *_time(event, desk),
        *_unsigned_sheets(event, desk),
        *_entries(event),
    ]
    if event.stage == "setup":
        needs += _before_the_start(event, rules)
    game, missed = no_shows(event)
    needs += [_missed(event, team, game) for team in missed]
    calls = [card.call for card in desk.tables if card.call is not None]
    needs += open_needs(event, desk.to_verify, calls, pool)
    return tuple(needs)


def _calls(event: Event, desk: DeskRound, rules: Ruleset) -> list[Need]:
    """The tables that have called, in the order of their calls."""
    calling = [card for card in desk.tables if card.call is not None]
    calling.sort(key=lambda card: (card.call or 0, card.table))
    return [_call(event, card, rule_for_call(rules, card.call_kind)) for card in calling]


def _late_teams(event: Event, desk: DeskRound, rules: Ruleset) -> list[Need]:
    """The tables at which a team is late, then those at which one will soon be."""
    rule = known_rule(rules, LATE_RULES)
    waiting = [card for card in desk.tables if card.state == LATE and card.left <= WARN_SECONDS]
    waiting.sort(key=lambda card: not card.overdue)
    return [_late(event, card, rule) for card in waiting]


def _unsigned_sheets(event: Event, desk: DeskRound) -> list[Need]:
    waiting = [card for card in desk.tables if card.state == TO_SIGN]
    # The last signature may come between the queries that read the round.
    return [_unsigned(event, card) for card in waiting if card.unsigned]


def _entries(event: Event) -> list[Need]:
    """Entries that wait for the desk, mails that could not be sent, and teams that want to leave."""
    needs = []
    entries = entries_to_do(event)
    if entries.asked:
        text = f"{entries.asked} {pluralize(entries.asked, 'entry waits,entries wait')}."
        to = _page_of(event, "desk-entries")
        needs.append(Need("gold", "Entries", text, "entries", "Look at them", to, "change-teams"))
    needs += [_untold(event, entry) for entry in entries.untold]
    needs += [_leaving(event, team) for team in leaving_teams(event)]
    return needs


def _before_the_start(event: Event, rules: Ruleset) -> list[Need]:
    """What keeps the event from opening, seats of teams that do not play, and who has not come yet."""
    found = checklist(event)
    needs = []
    for item in found.missing:
        # Teams that want to leave have lines of their own.
        if item.key != "leaving":
            needs.append(Need("gold", "Setup", item.text, "setup", "Mend", _page_of(event, item.page), "set-up"))
    needs += [_gone(event, team, found.seats) for team in found.seats.gone]
    absent = absent_teams(event).count()
    if absent:
        text, page = f"{absent_words(absent, rules.unit)}.", _page_of(event, "desk-check-in")
        needs.append(Need("gold", "Check-in", text, "check-in", "Check in", page, "check-in-desk"))
    return needs


def card_query(card: TableCard, rules: Ruleset) -> str:
    """The ruling page's initial values when it is reached from a table's card: its call, or who is late."""
    if card.call is not None:
        return _query(rule=rule_for_call(rules, card.call_kind))
    if card.overdue and card.missing:
        return _late_query(card, known_rule(rules, LATE_RULES))
    return ""


def _untold(event: Event, entry: Untold) -> Need:
    """A mail that could not be sent: somebody has to tell the player."""
    to = reverse("entry-told", args=[event.slug, entry.position])
    return Need("heart", "Entries", untold_words(entry), "entries", "They know", to, "change-teams", True)


def _leaving(event: Event, team: Team) -> Need:
    """Who wants to leave after the draw: what the desk can do about it."""
    to = reverse("team-leaving", args=[event.slug, team.number])
    others = (
        Press("Let them go", to, "change-teams", {"what": "go"}),
        Press("They stay", to, "change-teams", {"what": "stay"}),
    )
    return Need(
        tone="heart",
        place="Entries",
        text=f"{leaving_words(event, [team])}:",
        link="leaving",
        words="Let them go and draw again",
        to=to,
        action="change-teams",
        posts=True,
        fields={"what": "again"},
        others=others,
    )


def _gone(event: Event, team: Team, seats: Seats) -> Need:
    """A team with a seat in game 1 that does not play: another draw, or another team there."""
    text = f"Withdrawn, with a seat in game 1: {team.full_name}. At the start their game is awarded."
    there = reverse("draw-seat", args=[event.slug, team.number])
    others = tuple(
        Press(f"Seat {one.full_name} there", there, "draw", {"number": str(one.number)}) for one in seats.without
    )
    return Need("gold", "Draw", text, "draw", "Draw again", _page_of(event, "desk-draw"), "draw", others=others)


def _missed(event: Event, team: Team, game: int) -> Need:
    """A team that did not come to the last game: still in, or withdrawn."""
    there = reverse("team-withdrawal", args=[event.slug, team.number])
    withdraw = Press("Withdraw", there, "change-teams", {"after_round": str(game)})
    return Need(
        tone="gold",
        place="Check-in",
        text=f"{team.full_name} did not come to game {game}: still in?",
        link="check-in",
        words="Still in",
        to=_page_of(event, "desk-check-in"),
        action="check-in-desk",
        posts=True,
        fields={"number": str(team.number)},
        others=(withdraw,),
    )


def _call(event: Event, card: TableCard, rule: str) -> Need:
    text = f"{card.call_words}, called {card.call_age}"
    others: tuple[Press, ...] = ()
    if card.coming:
        text += f"; {card.coming}"
    else:
        others = (Press("On my way", reverse("call-way", args=[event.slug, card.call]), "answer", {}),)
    query = _query(rule=rule)
    return Need(
        tone="heart",
        place=_place(card),
        text=f"{text}.",
        link="ruling",
        words="Make a ruling",
        to=_ruling_page(event, card, query),
        action="rule",
        look=_sheet(event, card),
        query=query,
        call=card.call,
        others=others,
    )


def _late(event: Event, card: TableCard, rule: str) -> Need:
    names = listed(side.name for side in card.missing)
    is_awarded = card.overdue and len(card.sides) == 2 and len(card.missing) == 1
    query = _late_query(card, rule)
    return Need(
        tone="heart" if card.overdue else "gold",
        place=_place(card),
        text=f"Late: {names}." if card.overdue else f"Not seated yet: {names}.",
        link="award",
        words="Award the game" if is_awarded else "Make a ruling",
        to=_ruling_page(event, card, query),
        action="rule",
        look=_sheet(event, card),
        query=query,
        left=None if card.overdue else card.left,
    )


def _late_query(card: TableCard, rule: str) -> str:
    """If three or more play, a game that one of them loses is over for all: there the director chooses."""
    if len(card.sides) != 2:
        return _query(rule=rule)
    if len(card.missing) > 1:
        return _query(rule=rule, choice="both-late")
    return _query(rule=rule, choice="award", side=str(card.missing[0].index))


def _ruling_page(event: Event, card: TableCard, query: str) -> str:
    """Where a ruling about a table is made."""
    page = reverse("game-ruling", args=[event.slug, card.game])
    return f"{page}?{query}" if query else page


def _time(event: Event, desk: DeskRound) -> list[Need]:
    """The end of a round by the clock, in one line for all its tables."""
    clock = desk.clock
    if clock is None:
        return []
    playing = [card for card in desk.tables if card.state in (PLAYING, LATE)]
    if clock.called and playing:
        where = f"Table {playing[0].table}" if len(playing) == 1 else f"{len(playing)} tables"
        numbers = listed(str(card.table) for card in playing)
        which = f" Still playing: table{'s' if len(playing) > 1 else ''} {numbers}." if len(playing) > 1 else ""
        text = f"Time was called. The hand in play is finished; where none was, write the end on the sheet.{which}"
        return [Need("gold", where, text, "game", "See the sheet", _sheet(event, playing[0]))]
    if clock.up and not clock.called and desk.in_play:
        to = reverse("round-time", args=[event.slug, desk.number])
        words = "Call time at all tables"
        return [Need("gold", desk.title, "Time for this game is up.", "time", words, to, "run-rounds", True)]
    return []


def _unsigned(event: Event, card: TableCard) -> Need:
    text = f"Not signed yet: {listed(side.name for side in card.unsigned)}."
    return Need("sky", _place(card), text, "game", "See the sheet", _sheet(event, card))


def _query(**params: str) -> str:
    """The ruling page's initial values; empty if the sheet has no such rule."""
    return urlencode(params) if params["rule"] else ""


def _sheet(event: Event, card: TableCard) -> str:
    return reverse("desk-game", args=[event.slug, card.game])


def _place(card: TableCard) -> str:
    return f"Table {card.table}"


# Open matters of a whole event: the list “To do” has them, and finishing shows them again.


def open_needs(
    event: Event, sheets: int | None = None, calls: Collection[int] = (), pool: PotFacts | None = None
) -> tuple[Need, ...]:
    """What the officials still have to settle, the most urgent first. None of it keeps anybody from finishing.

    `sheets` are those to verify, if they are counted already, `calls` those that are listed already, and `pool` is the
    pot, if it is known.
    """
    needs = [_decision(event, question) for question in open_questions(event)]
    sheets = len(waiting_sheets(event)) if sheets is None else sheets
    if sheets:
        text = f"{sheets} sheet{pluralize(sheets)} {pluralize(sheets, 'was,were')} typed from paper and not verified."
        compare = f"Compare {'it' if sheets == 1 else 'them'}"
        needs.append(Need("gold", "Paper", text, "verify", compare, _page_of(event, "desk-verify")))
    for call in Call.objects.filter(game__round__event=event, answered_at=None).exclude(pk__in=calls):
        to, text = reverse("desk-game", args=[event.slug, call.game_id]), f"{call}: call not answered."
        needs.append(Need("heart", "Call", text, "game", "See the sheet", to, call=call.pk))
    table = full_standings(event) if event.stage == "playoffs" else None
    if table and table.cut and table.cut.level:
        to = _page_of(event, "desk-playoffs")
        needs.append(Need("heart", "Tie at the cut", table.cut.text, "bracket", "Decide", to, "run-playoffs"))
    return (*needs, *_of_the_books(event, pool))


def _decision(event: Event, question: KeepOrReplay) -> Need:
    """The question; or a match that was paired again without asking, with the way back."""
    if question.about == "draw":
        words = "Draw again or keep"
        return Need("heart", question.title, question.text, "draw", words, _page_of(event, "desk-draw"), "draw")
    if question.undo:
        to, fields = _page_of(event, "placing"), {"source": question.source, "kind": "keep"}
        text = f"{question.text} The next game is paired again."
        return Need("sky", "Playoffs", text, "bracket", "Undo", to, "run-playoffs", True, fields=fields)
    to = _page_of(event, "desk-playoffs")
    return Need("heart", "Playoffs", question.text, "bracket", "Decide what counts", to, "run-playoffs")


def _of_the_books(event: Event, pool: PotFacts | None) -> list[Need]:
    """Money that has to move: what was paid above what was due; from the last game of the pot on also what is due."""
    kinds = set(event.ledger.values_list("kind", flat=True))
    is_due = event.stage in ("playoffs", "over") or _is_pot_over(event)
    if is_due or PAYOUT in kinds:
        facts = payouts(event, pool)
        returns = [_return(event, payee) for payee in facts.payees if payee.left < 0]
        due = _due(event, facts) if is_due else []
        return [*returns, *_paid_too_much(event, facts.books), *due, *_owed(event, facts.books)]
    if kinds or _asks_for_money(event):
        books = cash(event)
        return [*_paid_too_much(event, books), *_owed(event, books)]
    return []


def _paid_too_much(event: Event, books: Cash) -> list[Need]:
    needs = []
    for account in books.accounts:
        if account.over:
            text = f"{account.team.full_name} paid {money(account.over, event.currency)} too much."
            page = reverse("money-team", args=[event.slug, account.team.number])
            needs.append(Need("gold", "Money", text, "money", "Give it back", page, "pay"))
    return needs


def _asks_for_money(event: Event) -> bool:
    """Whether something may be owed that To do should name: from the first start on."""
    return event.frozen_at is not None and bool(event.fee_cents or event.pot_cents or event.season_id)


def _owed(event: Event, books: Cash) -> list[Need]:
    """What is owed, as a quiet line, from the first start until nothing is."""
    if not _asks_for_money(event) or not (words := owed_words(event, books, ruleset_of(event).unit)):
        return []
    page = _page_of(event, "desk-check-in" if event.checks_in and event.stage != "over" else "desk-money")
    return [Need("plain", "Money", f"{words}.", "money", "Take it", page, "pay")]


def _is_pot_over(event: Event) -> bool:
    """Whether the last game that counts for the pot is closed; without a pot, the last of all."""
    window = ruleset_of(event).rules.boston_window if event.pot_cents else None
    closed = event.rounds.filter(stage="qualifying", state="closed").count()
    return closed >= min(window or event.rounds_planned, event.rounds_planned)


def _due(event: Event, facts: Payouts) -> list[Need]:
    """Shares of pot and prizes that wait."""
    needs, to, unit = [], _page_of(event, "desk-money"), ruleset_of(event).unit
    for purpose, title in ((POT, "Pot"), (PRIZE, "Prizes")):
        due = [payee for payee in facts.due if payee.purpose == purpose]
        if not due:
            continue
        cents = money(sum(payee.left for payee in due), event.currency)
        who = listed(payee.team for payee in due) if len(due) <= MOST_NAMED else f"{len(due)} {unit}s"
        needs.append(Need("gold", title, f"Pay {cents} to {who}.", "money", "Pay out", to, "pay"))
    if event.stage in ("playoffs", "over") and facts.pot.exists and not facts.pot.settled:
        text = "The Boston pot is not settled."
        needs.append(Need("gold", "Pot", text, "money", "Boston pot", _page_of(event, "desk-pot")))
    return needs


def _return(event: Event, payee: Payee) -> Need:
    """A share that no longer belongs to a team."""
    words = "the Boston pot" if payee.purpose == POT else "the prizes"
    text = f"{payee.team} must return {money(-payee.left, event.currency)} of {words} (receipt {payee.receipt})."
    act = f"Take {money(payee.receipt_cents, event.currency)} back"
    return Need(
        "heart", "Money", text, "money", act, reverse("money-reversal", args=[event.slug, payee.receipt]), "pay"
    )


def _page_of(event: Event, page: str) -> str:
    return reverse(page, args=[event.slug])
