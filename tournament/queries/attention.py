"""What waits for the desk: the list “To do”, what finishing would leave open, and rounds by their state."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Count
from django.template.defaultfilters import pluralize
from django.urls import reverse

from scoring.ledger import listed
from tournament.errors import Fault
from tournament.models import Call, Event, Game, Round
from tournament.models.team import PAYOUT, POT
from tournament.phrases import DONE, money
from tournament.queries.bracket import bracket
from tournament.queries.desk import LATE, PLAYING, TO_SIGN, DeskRound, TableCard
from tournament.queries.ledger import cash, payouts
from tournament.queries.parked import parked_count
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.rulings import LATE as LATE_RULES
from tournament.queries.rulings import known_rule, rule_for_call
from tournament.queries.scored import sides_with_teams, standing_signatures, waiting_sheets

# The list “To do”: all that waits for the desk, each line with the act that settles it.
#
# Calls, late teams, a round's time, unsigned sheets, sheets to verify, what the bracket waits for, money to give
# back.


# A missing team is news for the director only when its time is nearly up.
WARN_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Need:
    """One line of the list. `link` says what it leads to: ruling, award, game, verify, time, closing, bracket, money.

    `to` is the address of the act, which `action` must allow; for whoever may not, `look` shows what it is about.
    `left` are the seconds of a running clock, `call` a call that can be answered without a ruling.
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


def needs_of(event: Event, desk: DeskRound, rules: Ruleset) -> tuple[Need, ...]:
    """What waits in a round, the most urgent first; then what waits in the event."""
    late = known_rule(rules, LATE_RULES)
    needs = [
        _call(event, card, rule_for_call(rules, card.call_kind))
        for card in sorted(desk.tables, key=lambda card: (card.call or 0, card.table))
        if card.call is not None
    ]
    waiting = [card for card in desk.tables if card.state == LATE and card.left <= WARN_SECONDS]
    needs += [_late(event, card, late) for card in sorted(waiting, key=lambda card: not card.overdue)]
    needs += _time(event, desk)
    # The last signature may come between the statements that read the round.
    needs += [_unsigned(event, card) for card in desk.tables if card.state == TO_SIGN and card.unsigned]
    needs += _of_the_bracket(event)
    needs += _of_the_books(event)
    if desk.to_verify:
        what = "1 sheet was" if desk.to_verify == 1 else f"{desk.to_verify} sheets were"
        compare = "Compare it" if desk.to_verify == 1 else "Compare them"
        text = f"{what} typed from paper and not verified."
        needs.append(Need("gold", "Paper", text, "verify", compare, reverse("desk-verify", args=[event.slug])))
    if desk.act == "close" and not desk.refusal:
        to = reverse("round-close", args=[event.slug, desk.number])
        needs.append(
            Need("", desk.title, "Every table is final.", "closing", f"Close {desk.title}", to, "run-rounds", True)
        )
    return tuple(needs)


def card_query(card: TableCard, rules: Ruleset) -> str:
    """What the ruling page opens with when it is reached from a table's card: its call, or who is late."""
    if card.call is not None:
        return _query(rule=rule_for_call(rules, card.call_kind))
    return _late_query(card, known_rule(rules, LATE_RULES)) if card.overdue and card.missing else ""


def _call(event: Event, card: TableCard, rule: str) -> Need:
    text = f"{card.call_words}, called {card.call_age}."
    link = _ruling(event, card, _query(rule=rule))
    return Need("heart", _place(card), text, "ruling", "Make a ruling", *link, call=card.call)


def _late(event: Event, card: TableCard, rule: str) -> Need:
    names, several = listed(side.name for side in card.missing), len(card.missing) > 1
    two = len(card.sides) == 2
    there = _ruling(event, card, _late_query(card, rule))
    if card.overdue:
        words = "Award the game" if two and not several else "Make a ruling"
        return Need("heart", _place(card), f"Late: {names}.", "award", words, *there)
    return Need("gold", _place(card), f"Not seated yet: {names}.", "award", "Make a ruling", *there, left=card.left)


def _late_query(card: TableCard, rule: str) -> str:
    """Where three or more play, a game that one of them loses is over for all: there the director chooses."""
    several = len(card.missing) > 1
    params = {"choice": "both-late"} if several else {"choice": "award", "side": str(card.missing[0].index)}
    return _query(rule=rule, **(params if len(card.sides) == 2 else {}))


def _ruling(event: Event, card: TableCard, query: str) -> tuple[str, str, bool, str, str]:
    """Where a ruling about a table is made, and what whoever may not rule sees instead."""
    page = reverse("game-ruling", args=[event.slug, card.game])
    return f"{page}?{query}" if query else page, "rule", False, _sheet(event, card), query


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


def _of_the_bracket(event: Event) -> list[Need]:
    """What a correction leaves to the director: slots of the bracket that have other teams now."""
    drawn = bracket(event) if event.stage in ("playoffs", "over") else None
    to = reverse("desk-playoffs", args=[event.slug])
    asked = drawn.asked if drawn else ()
    return [
        Need("heart", "Playoffs", question.text, "bracket", "Decide what counts", to, "run-playoffs")
        for question in asked
    ]


def _of_the_books(event: Event) -> list[Need]:
    """Money that has to move: shares that are no longer a team's, and what was paid above what was due."""
    kinds = set(event.ledger.values_list("kind", flat=True))
    if not kinds:
        return []
    facts = payouts(event) if PAYOUT in kinds else None
    books = facts.books if facts else cash(event)
    needs = []
    for payee in facts.payees if facts else ():
        if payee.left < 0:
            words = "the Boston pot" if payee.purpose == POT else "the prizes"
            text = (
                f"{payee.team} must return {money(-payee.left, event.currency)} of {words} (receipt {payee.receipt})."
            )
            to = reverse("money-reversal", args=[event.slug, payee.receipt])
            act = f"Take {money(payee.receipt_cents, event.currency)} back"
            needs.append(Need("heart", "Money", text, "money", act, to, "pay"))
    for account in books.accounts:
        if account.over:
            text = f"{account.team.name} paid {money(account.over, event.currency)} too much."
            to = reverse("money-team", args=[event.slug, account.team.number])
            needs.append(Need("gold", "Money", text, "money", "Give it back", to, "pay"))
    return needs


def _query(**params: str) -> str:
    """What the ruling page opens with; nothing where the sheet has no such rule."""
    return urlencode(params) if params["rule"] else ""


def _sheet(event: Event, card: TableCard) -> str:
    return reverse("desk-game", args=[event.slug, card.game])


def _place(card: TableCard) -> str:
    return f"Table {card.table}"


# What is still open when an event is about to be finished: nothing of it keeps anybody from finishing.


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """One thing that is still open when the event is to be finished, with the page where it can be settled."""

    text: str
    words: str
    to: str


def open_ends(event: Event) -> tuple[OpenEnd, ...]:
    """Sheets, conflicts, calls, and money that nobody has settled yet."""
    ends = []
    if sheets := len(waiting_sheets(event)):
        text = f"{sheets} sheet{pluralize(sheets)} from paper not verified."
        ends.append(OpenEnd(text, "Compare", _page_of(event, "desk-verify")))
    if cases := parked_count(event):
        text = f"{cases} conflict{pluralize(cases)} between tablets."
        ends.append(OpenEnd(text, "Decide", _page_of(event, "desk-parked")))
    if calls := Call.objects.filter(game__round__event=event, answered_at=None).count():
        ends.append(OpenEnd(f"{calls} call{pluralize(calls)} not answered.", "To do", _page_of(event, "desk-parked")))
    return (*ends, *_unsettled_money(event))


def _unsettled_money(event: Event) -> list[OpenEnd]:
    facts, to = payouts(event), _page_of(event, "desk-money")
    owing = [account.team.name for account in facts.books.accounts if account.owes]
    ends = []
    if owing:
        who = owing[0] if len(owing) == 1 else f"{len(owing)} {ruleset_of(event).unit}s"
        ends.append(OpenEnd(f"Still owed: {money(facts.books.owed, event.currency)} by {who}.", "Money", to))
    if facts.books.over:
        ends.append(OpenEnd(f"Paid too much: {money(facts.books.over, event.currency)}.", "Give it back", to))
    if facts.pot.exists and not facts.pot.settled:
        ends.append(OpenEnd("The Boston pot is not settled.", "Boston pot", _page_of(event, "desk-pot")))
    if facts.left:
        ends.append(OpenEnd(f"Not paid out yet: {money(facts.left, event.currency)}.", "Pay out", to))
    if back := -sum(min(0, payee.left) for payee in facts.payees):
        ends.append(OpenEnd(f"Must be returned: {money(back, event.currency)}.", "Money", to))
    return ends


def _page_of(event: Event, page: str) -> str:
    return reverse(page, args=[event.slug])


# The rounds of an event: which tables keep one from being started or closed, and why.


def wrong_tables(event: Event, round_: Round) -> list[Fault]:
    """The tables of a drawn round at which more or fewer sit than the rule sheet knows."""
    rules = ruleset_of(event)
    sizes = " or ".join(str(size) for size in rules.table_sizes)
    text = "Table {} is drawn for {} {}s, and by this rule sheet {} play at a table. Draw again."
    tables = round_.games.annotate(count=Count("sides")).order_by("table").values_list("table", "count")
    return [
        Fault(f"table-{table}", text.format(table, sides, rules.unit, sizes))
        for table, sides in tables
        if sides not in rules.table_sizes
    ]


def open_tables(round_: Round) -> list[Fault]:
    """The tables of a round whose game is not final, in order."""
    games = round_.games.exclude(state__in=DONE).select_related("result")
    games = games.prefetch_related(sides_with_teams(), "signatures")
    return [Fault(f"table-{game.table}", f"Table {game.table}: {_why(game)}") for game in games]


def _why(game: Game) -> str:
    sides = list(game.sides.all())
    teams = " – ".join(side.team.name for side in sides)
    if game.state != "to-sign":
        hands = game.result.hands if hasattr(game, "result") else 0
        written = f"{hands} hand{'' if hands == 1 else 's'} so far" if hands else "no hand yet"
        return f"still playing, {written} ({teams})."
    signed = {signature.side for signature in standing_signatures(game.signatures.all(), game.result.code)}
    missing = " and ".join(side.team.name for side in sides if side.index not in signed)
    return f"no signature yet from {missing}."
