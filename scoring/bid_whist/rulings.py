"""Rulings of Bid Whist: what happened, which choices the sheet grants to whom, and what each does to the score."""

from __future__ import annotations

from dataclasses import replace

from scoring.bid_whist.rules import CITES, Rules
from scoring.bid_whist.sheet import BOOKS, NO, bid_problems, parse_bid
from scoring.decisions import (
    BOTH_LATE,
    DIRECTOR,
    FORFEIT,
    HOW_AWARDED,
    WAIT,
    WARNING,
    Ruling,
    RulingChoice,
    RulingRule,
    Void,
    VoidChoice,
    cited,
    complete,
    find_ruling,
)
from scoring.laid import Laid
from scoring.ledger import Carry, Problem, side_name

OFFENDED, BIDDERS = "the other side", "the bidding side"
CONTRACT = ("side", "bidder", "bid")

# In the sentence of a ruling: the side that broke the rule, and the side that gains.
BREAKS, GAINS = side_name(0), side_name(1)
LATE_SAID = f"Game to {GAINS}: {BREAKS} came late"
WRONG_NUMBER = f"Wrong number of cards held by {BREAKS}"

PLAY_ON = RulingChoice("play-on", "Play on, no penalty", OFFENDED, (), other_names=("waived",))
DEALT_AGAIN = ("dealt-again",)
REDEAL = RulingChoice("void", "The hand is void and dealt again", OFFENDED, ("void",), other_names=DEALT_AGAIN)
MUST_REDEAL = REDEAL._replace(words="The hand is void and dealt again by the right player", who=DIRECTOR, needs=())
SET = RulingChoice("set", "Set for the bid", DIRECTOR, ("set",), CONTRACT, of_hand=True)
ADJUSTMENT = RulingChoice("adjustment", "Adjust points, sets or the game", DIRECTOR, ("adjustment",), ("reason",))
REMAINING = FORFEIT._replace(
    words="All remaining games forfeited to their opponents", other_names=("game", "disqualified")
)
LATE = (FORFEIT._replace(key="award", words="They lose the game", sentence=LATE_SAID), WAIT, BOTH_LATE)
# What a renege costs is an option of the sheet.
NO_RENEGE = RulingChoice("no-renege", "No renege: play on", DIRECTOR, (), ())
BOTH_RENEGED = RulingChoice(
    "void", "Both reneged: the hand is void", DIRECTOR, ("void",), (), other_names=("both-reneged",)
)
RENEGES = {
    "game": RulingChoice(
        "renege",
        "Renege: they lose the game",
        DIRECTOR,
        ("game",),
        ("side",),
        f"Renege by {BREAKS}: game to {GAINS}",
        of_hand=True,
    ),
    "set": RulingChoice(
        "renege",
        "Renege: set for the bid",
        DIRECTOR,
        ("set",),
        CONTRACT,
        f"Renege by {BREAKS}: set for the bid",
        of_hand=True,
    ),
    "three-books": RulingChoice(
        "renege",
        "Renege: they lose three books, or all 13 if they have fewer than three",
        DIRECTOR,
        ("three-books",),
        (*CONTRACT, "books"),
        f"Renege by {BREAKS}: three books, or all 13, to {GAINS}",
        of_hand=True,
    ),
}

RULINGS_2021 = (
    RulingRule("13", "Not in their seats five minutes after the start", LATE),
    RulingRule("16", "The wrong player dealt", (MUST_REDEAL,), by_another=True),
    RulingRule("17", "Wrong number of cards before the bidding", (MUST_REDEAL,)),
    RulingRule("18", "A card was exposed in dealing", (MUST_REDEAL,)),
    RulingRule("22", "A card was exposed after the deal, before the bidding", (PLAY_ON, REDEAL)),
    RulingRule("23", "A player bid with too few or too many cards", (MUST_REDEAL,)),
    RulingRule("25", "Said “uptown”, “downtown” or “no trump” in bidding", (PLAY_ON, REDEAL)),
    RulingRule("26", "Dragged the bid", (PLAY_ON, REDEAL)),
    RulingRule(
        "27",
        "A bid that was not progressive, or gave information away",
        (
            RulingChoice(
                "progressive",
                "The bidder must bid higher; the partner is silenced",
                DIRECTOR,
                (),
                other_names=("partner-silenced", "bid-made-progressive"),
            ),
        ),
    ),
    RulingRule(
        "29",
        "A bid out of turn",
        (
            RulingChoice("they-bid", "The other side bids; the partner is silenced", OFFENDED, ()),
            REDEAL,
            RulingChoice("bid-stands", "The bid stands; the partner is silenced", OFFENDED, ()),
        ),
    ),
    RulingRule(
        "31",
        "A No bidder led without naming a direction",
        (SET._replace(who=OFFENDED, sentence=f"{BREAKS} led a No without a direction: set for the bid"), PLAY_ON),
        about="bidders",
    ),
    RulingRule(
        "32",
        "A card exposed or played out of turn after the bids",
        (
            SET._replace(who=OFFENDED, sentence=f"Card exposed or played out of turn by {BREAKS}: set for the bid"),
            PLAY_ON,
        ),
    ),
    RulingRule(
        "34",
        "The bidding side holds a wrong number of cards in play",
        (SET._replace(sentence=f"{WRONG_NUMBER}: set for the bid"),),
        about="bidders",
    ),
    RulingRule(
        "35",
        "The other side holds a wrong number of cards in play",
        (
            RulingChoice(
                "take-points",
                "Take the points of the bid",
                BIDDERS,
                ("take-points",),
                CONTRACT,
                f"{WRONG_NUMBER}: points of the bid to {GAINS}",
                ("take-the-points", "points-taken"),
                of_hand=True,
            ),
            PLAY_ON._replace(who=BIDDERS, sentence=f"{WRONG_NUMBER}: play on, no penalty"),
        ),
        about="others",
    ),
    RulingRule("36", "A player of each side holds a wrong number of cards", (MUST_REDEAL,)),
    RulingRule(
        "41",
        "A renege was called",
        (
            RENEGES["game"]._replace(key="game"),
            NO_RENEGE._replace(words="No renege, or the book was open: play on"),
            BOTH_RENEGED,
        ),
    ),
    RulingRule("46", "A player left and has no substitute", (REMAINING,)),
    RulingRule(
        "47",
        "Disorderly conduct",
        (FORFEIT._replace(key="disqualified", words="Disqualified, no refund", other_names=("forfeit", "game")),),
    ),
)
RULINGS_OTHER = (
    RulingRule("bw.renege", "A renege", (RENEGES["game"], NO_RENEGE, BOTH_RENEGED)),
    RulingRule("misdeal", "A misdeal", (MUST_REDEAL,)),
    RulingRule("late", "Not in their seats in time", LATE),
    RulingRule("forfeit", "A side leaves or is sent away", (REMAINING,)),
)
OTHER = RulingRule("other", "Anything else (no penalty in the rules)", (WARNING, ADJUSTMENT))

# The names on the other sheets of rulings that the tournament sheet numbers.
SAME_AS = {"renege": "bw.renege", "41": "bw.renege", "13": "late", "46": "forfeit", "47": "forfeit"}
SAME_AS |= dict.fromkeys(("16", "17", "18", "23", "36"), "misdeal")


def rulings(rules: Rules) -> tuple[RulingRule, ...]:
    """List the rulings of a sheet in the sheet’s own order, with what each must say."""
    table = RULINGS_2021 if rules.book == "2021" else RULINGS_OTHER
    return tuple(_priced(rule, rules.renege_price) for rule in (*table, OTHER))


def _priced(rule: RulingRule, price: str) -> RulingRule:
    """Charge for a renege what the option says. The choice can also be called by that price."""
    if not is_renege(rule.rule):
        return rule
    renege, *others = rule.choices
    return rule._replace(
        choices=(RENEGES[price]._replace(key=renege.key, other_names=("renege", "game", price)), *others)
    )


def find_rule(rules: Rules, rule: str) -> RulingRule | None:
    """Find a rule of the table. A printed rule without a penalty can be ruled on, too."""
    if rules.book != "2021":
        rule = SAME_AS.get(rule, rule)
    is_ruled = is_printed(rule) or rule == "other" if rules.book == "2021" else rule
    return find_ruling(rulings(rules), rule) if is_ruled else None


def is_renege(rule: str) -> bool:
    """Return whether a rule is about a renege."""
    return SAME_AS.get(rule, rule) == "bw.renege"


def is_printed(rule: str) -> bool:
    """Return whether the sheet of 2021 has a rule of this number."""
    return rule.isascii() and rule.isdigit() and 1 <= int(rule) <= 47 and not rule.startswith("0")


def rule_problems(rules: Rules, rule: str) -> tuple[Problem, ...]:
    """Refuse a rule that the tournament sheet does not print. Its rules have numbers."""
    if not rule or rules.book != "2021" or is_printed(rule):
        return ()
    return (Problem("rule", "", f"The sheet has no rule “{rule}”: its rules are 1 to 47."),)


def how_awarded(rule: str) -> str:
    """Return how a game ended that was awarded under this rule."""
    return "renege" if is_renege(rule) else HOW_AWARDED.get(SAME_AS.get(rule, rule), "award")


def ruling_problems(rules: Rules, carry: Carry, ruling: Ruling) -> tuple[Problem, ...]:
    """Refuse a ruling that the sheet does not have, and name what it still must say."""
    rule = find_rule(rules, ruling.rule)
    if rule is None:
        return (Problem("rule", "", f"The sheet has no rule “{ruling.rule}”."),)
    choice = rule.choice(ruling.choice)
    if choice is None:
        granted = cited(rule.rule).capitalize() if rule.rule[:1].isdigit() else "The sheet"
        return (Problem("choice", rule.rule, f"{granted} grants: {rule.offered}."),)
    if "adjustment" in choice.effects:
        return (Problem("choice", rule.rule, "Write an adjustment with its points, sets and reason."),)
    ruling = complete(rule, ruling)
    return _missing(ruling, choice) or _contradictions(rules, rule, ruling)


def of_hand(laid: Laid) -> Ruling:
    """Return the ruling about a hand that was played, with bidder, bid and books of the hand."""
    hand, ruling = laid.entry, laid.rulings[0].ruling
    return replace(ruling, bidder=hand.bidder, bid=str(hand.contract), books=hand.books)


def ruled_problems(rules: Rules, carry: Carry, laid: Laid) -> tuple[Problem, ...]:
    """Refuse a second ruling on a hand, and a ruling that contradicts the hand."""
    first, *more = laid.rulings
    if more:
        text = "There is a ruling on that hand already: take that one off the sheet first."
        return (Problem("line", more[0].ruling.rule, text, more[0].entry),)
    ruling, whole = first.ruling, of_hand(laid)
    if ruling.bid:
        ruling = replace(ruling, bid=str(parse_bid(ruling.bid) or ruling.bid))
    written = {name: getattr(ruling, name) for name in ("bidder", "bid", "books")}
    problems = [
        Problem(name, ruling.rule, f"That hand says otherwise: leave “{name}” out of the ruling.")
        for name, value in written.items()
        if value not in (None, "", getattr(whole, name))
    ]
    return tuple(problem.of(first.entry) for problem in problems or ruling_problems(rules, carry, whole))


def _missing(ruling: Ruling, choice: RulingChoice) -> tuple[Problem, ...]:
    missing = []
    if ("side" in choice.needs or ruling.side is not None) and ruling.side not in (0, 1):
        missing.append(Problem("side", ruling.rule, "Which side broke the rule? Side 0 or side 1 is needed."))
    if ("bidder" in choice.needs or ruling.bidder is not None) and ruling.bidder not in (0, 1):
        missing.append(Problem("bidder", ruling.rule, "Which side won the bid? Side 0 or side 1 is needed."))
    if ("bid" in choice.needs or ruling.bid) and parse_bid(ruling.bid) is None:
        wrong = f"“{ruling.bid}” is not a bid. " if ruling.bid else ""
        text = "What was the bid? A bid is a number and a kind: “3”, “3-special” (downtown), “3-no” (no trump)."
        missing.append(Problem("bid", ruling.rule, wrong + text))
    if ("books" in choice.needs or ruling.books is not None) and ruling.books not in range(BOOKS + 1):
        missing.append(Problem("books", ruling.rule, "How many books, 0 to 13, did the bidding side have?"))
    return tuple(missing)


def _contradictions(rules: Rules, rule: RulingRule, ruling: Ruling) -> tuple[Problem, ...]:
    bid = parse_bid(ruling.bid)
    problems = list(bid_problems(rules, bid)) if bid is not None else []
    if rule.rule == "31" and bid is not None and bid.kind != NO:
        problems.append(Problem("bid", rule.rule, "Rule 31 is about a No bid."))
    if rule.about == "bidders" and ruling.side != ruling.bidder:
        problems.append(Problem("side", rule.rule, f"Rule {rule.rule} is about the bidding side."))
    if rule.about == "others" and ruling.side is not None and ruling.side == ruling.bidder:
        problems.append(Problem("side", rule.rule, f"Rule {rule.rule} is about the side that did not bid."))
    if ruling.books == 0 and rules.kitty_goes_to == "bidder":
        text = "The kitty is a book of the bidding side: it has at least one."
        problems.append(Problem("books", CITES[rules.book]["hand"], text))
    return tuple(problems)


# Hands of Bid Whist that are dealt again besides misdeals: all passed, or a player without face cards.

THROWN_IN = "all-pass"
NO_FACE_CARD = "bw52.auction"


def void_choices(rules: Rules) -> tuple[VoidChoice, ...]:
    """List the hands that are dealt again on this sheet, by the same player."""
    choices = []
    if rules.dealer_bids_at_least is None:
        choices.append(VoidChoice(THROWN_IN, "All passed: the same player deals again", throws_in=True))
    if rules.redeal_without_faces:
        text = "A player without a face card called for a redeal: the same player deals again"
        choices.append(VoidChoice(NO_FACE_CARD, text))
    return tuple(choices)


def void_problems(rules: Rules, carry: Carry, void: Void) -> tuple[Problem, ...]:
    """Refuse a redeal that this sheet does not grant."""
    forced = rules.dealer_bids_at_least
    if void.rule == THROWN_IN and forced is not None:
        text = f"Not everyone can pass on this sheet: the dealer must bid at least {forced}."
        return (Problem("rule", CITES[rules.book]["dealer"], text),)
    if void.rule == NO_FACE_CARD and not rules.redeal_without_faces:
        return (Problem("rule", NO_FACE_CARD, "A hand without a face card is played on this sheet."),)
    return rule_problems(rules, void.rule)
