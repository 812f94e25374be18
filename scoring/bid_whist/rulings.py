"""Rulings of Bid Whist: what happened, the choices the sheet grants and to whom, and the effect on the sheet."""

from __future__ import annotations

from dataclasses import replace

from scoring.bid_whist.rules import CITES, Rules
from scoring.bid_whist.sheet import BOOKS, NO, bid_problems, parse_bid
from scoring.game import Ruling, RulingChoice, RulingRule, Void, VoidChoice
from scoring.ledger import Problem, said, side_name
from scoring.tricks import cited

DIRECTOR, OFFENDED, BIDDERS = "the director", "the other side", "the bidding side"
CONTRACT = ("side", "bidder", "bid")

# A ruling as it stands on the sheet: who broke the rule, and who gains.
BREAKS, GAINS = side_name(0), side_name(1)
LATE_SAID = f"{BREAKS} late: game to {GAINS}"
WRONG_NUMBER = f"Wrong number of cards in play at {BREAKS}"

PLAY_ON = RulingChoice("play-on", "Play on, no penalty", OFFENDED, "none", also=("waived",))
REDEAL_TOO = ("dealt-again",)
REDEAL = RulingChoice("void", "The hand is void and dealt again", OFFENDED, "void", also=REDEAL_TOO)
MUST_REDEAL = RulingChoice(
    "void", "The hand is void and dealt again by the right player", DIRECTOR, "void", (), REDEAL_TOO
)
SET = RulingChoice("set", "Set for the bid", DIRECTOR, "set", CONTRACT)
WARNING = RulingChoice("warning", "Warning, no points", DIRECTOR, "none")
ADJUSTMENT = RulingChoice("adjustment", "Adjust points, sets or the game", DIRECTOR, "adjustment", ("reason",))
FORFEIT = RulingChoice(
    "forfeit",
    "All remaining games forfeited to their opponents",
    DIRECTOR,
    "game",
    ("side",),
    ("game", "disqualified"),
)

RULINGS_2021 = (
    RulingRule(
        "13",
        "Not in their seats five minutes after the start",
        (
            RulingChoice("award", "They lose the game", DIRECTOR, "game", ("side",), ("game",), LATE_SAID),
            RulingChoice("wait", "Wait for them", DIRECTOR, "none"),
            RulingChoice("both-late", "Both late: nobody wins", DIRECTOR, "nobody", ()),
        ),
    ),
    RulingRule("16", "The wrong player dealt", (MUST_REDEAL,)),
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
                "none",
                ("side",),
                ("partner-silenced", "bid-made-progressive"),
            ),
        ),
    ),
    RulingRule(
        "29",
        "A bid out of turn",
        (
            RulingChoice("they-bid", "The other side bids; the partner is silenced", OFFENDED, "none", ("side",)),
            REDEAL,
            RulingChoice(
                "bid-stands",
                "The bid stands; the partner is silenced",
                OFFENDED,
                "none",
                ("side",),
            ),
        ),
    ),
    RulingRule(
        "31",
        "A No bidder led without naming a direction",
        (SET._replace(who=OFFENDED, said=f"{BREAKS} led a No without a direction: set for the bid"), PLAY_ON),
    ),
    RulingRule(
        "32",
        "A card exposed or played out of turn after the bids",
        (
            SET._replace(who=OFFENDED, said=f"Card exposed or played out of turn by {BREAKS}: set for the bid"),
            PLAY_ON,
        ),
    ),
    RulingRule(
        "34",
        "The bidding side holds a wrong number of cards in play",
        (SET._replace(said=f"{WRONG_NUMBER}: set for the bid"),),
    ),
    RulingRule(
        "35",
        "The other side holds a wrong number of cards in play",
        (
            RulingChoice(
                "take-points",
                "Take the points of the bid",
                BIDDERS,
                "take-points",
                CONTRACT,
                ("take-the-points", "points-taken"),
                f"{WRONG_NUMBER}: points of the bid to {GAINS}",
            ),
            PLAY_ON._replace(who=BIDDERS, said=f"{WRONG_NUMBER}: play on, no penalty"),
        ),
    ),
    RulingRule("36", "A player of each side holds a wrong number of cards", (MUST_REDEAL,)),
    RulingRule(
        "41",
        "A renege was called",
        (
            RulingChoice("game", "Renege", DIRECTOR, "renege", CONTRACT, ("renege", "set", "three-books")),
            RulingChoice("no-renege", "No renege, or the book was open: play on", DIRECTOR, "none", ()),
            RulingChoice("void", "Both reneged: the hand is void", DIRECTOR, "void", (), ("both-reneged",)),
        ),
    ),
    RulingRule("46", "A player left and has no substitute", (FORFEIT,)),
    RulingRule(
        "47",
        "Disorderly conduct",
        (
            RulingChoice(
                "disqualified",
                "Disqualified, no refund",
                DIRECTOR,
                "game",
                ("side",),
                ("forfeit", "game"),
            ),
        ),
    ),
)
OTHER = RulingRule("other", "Anything else (no penalty in the rules)", (WARNING, ADJUSTMENT))

RENEGE = RulingRule(
    "bw.renege",
    "A renege",
    (
        RulingChoice("renege", "Renege", DIRECTOR, "renege", CONTRACT, ("game", "set", "three-books")),
        RulingChoice("no-renege", "No renege: play on", DIRECTOR, "none", ()),
        RulingChoice("void", "Both reneged: the hand is void", DIRECTOR, "void", (), ("both-reneged",)),
    ),
)
RULINGS_OTHER = (
    RENEGE,
    RulingRule("misdeal", "A misdeal", (MUST_REDEAL,)),
    RulingRule("late", "Not in their seats in time", RULINGS_2021[0].choices),
    RulingRule("forfeit", "A side leaves or is sent away", (FORFEIT,)),
)

HOW_AWARDED = {
    "13": "late",
    "late": "late",
    "41": "renege",
    "bw.renege": "renege",
    "46": "forfeit",
    "47": "forfeit",
    "forfeit": "forfeit",
}
# What the other sheets call a ruling that the tournament sheet numbers.
SAME_AS = {"renege": "bw.renege", "41": "bw.renege", "13": "late", "46": "forfeit", "47": "forfeit"}
SAME_AS |= dict.fromkeys(("16", "17", "18", "23", "36"), "misdeal")
RENEGE_NEEDS = {"game": ("side",), "set": CONTRACT, "three-books": (*CONTRACT, "books")}
# A choice may be named by the price that the sheet charges, never by another.
OTHER_PRICES = {"game": ("set", "three-books"), "set": ("three-books",), "three-books": ("set",)}
RENEGE_WORDS = {
    "game": "Renege: they lose the game",
    "set": "Renege: set for the bid",
    "three-books": "Renege: they lose three books, or all 13 if they have fewer",
}

RENEGE_SAID = {
    "game": f"Renege by {BREAKS}: game to {GAINS}",
    "set": f"Renege by {BREAKS}: set for the bid",
    "three-books": f"Renege by {BREAKS}: three books, or all 13, to {GAINS}",
}


def rulings(rules: Rules) -> tuple[RulingRule, ...]:
    """List the rulings of a sheet in the sheet's own order, with what each needs to be told."""
    table = RULINGS_2021 if rules.book == "2021" else RULINGS_OTHER
    return tuple(_priced(rule, rules.renege_price) for rule in (*table, OTHER))


def find_choice(rules: Rules, ruling: Ruling) -> RulingChoice | None:
    """Find the choice that a ruling names; with one choice only, it need not be named."""
    rule = find_rule(rules, ruling.rule)
    if rule is None:
        return None
    asked = ruling.choice.strip().lower().replace(" ", "-").replace("_", "-")
    if not asked and len(rule.choices) == 1:
        return rule.choices[0]
    return next((choice for choice in rule.choices if asked == choice.key or asked in choice.also), None)


def find_rule(rules: Rules, rule: str) -> RulingRule | None:
    """Find a rule of the table; a printed rule without a price can still be ruled on."""
    table = {entry.rule: entry for entry in rulings(rules)}
    if rules.book != "2021":
        rule = SAME_AS.get(rule, rule)
    if rule in table:
        return table[rule]
    ruled = is_printed(rule) if rules.book == "2021" else bool(rule)
    return table["other"]._replace(rule=rule) if ruled else None


def is_printed(rule: str) -> bool:
    """Return whether the sheet of 2021 has a rule of this number."""
    return rule.isascii() and rule.isdigit() and 1 <= int(rule) <= 47 and not rule.startswith("0")


def effect_of(rules: Rules, ruling: Ruling) -> str:
    """Say what a ruling does to the sheet, in one word of `RulingChoice.effect`."""
    return said(find_choice(rules, ruling)).effect


def how_awarded(rule: str) -> str:
    """Name the way in which a game given under a rule ended."""
    return HOW_AWARDED.get(SAME_AS.get(rule, rule), "award")


def complete(rules: Rules, ruling: Ruling) -> Ruling:
    """Add what a rule tells by itself: its name on this sheet, and who must have bid or erred.

    Rules 31 and 34 are about the bidding side, rule 35 about the other.
    """
    found = find_rule(rules, ruling.rule)
    if found is None:
        return ruling
    side, bidder = ruling.side, ruling.bidder
    if found.rule in ("31", "34"):
        side, bidder = (bidder if side is None else side), (side if bidder is None else bidder)
    elif found.rule == "35":
        side, bidder = (_other(bidder) if side is None else side), (_other(side) if bidder is None else bidder)
    return replace(ruling, rule=found.rule, side=side, bidder=bidder)


def ruling_problems(rules: Rules, ruling: Ruling) -> tuple[Problem, ...]:
    """Refuse a ruling that the sheet does not know, and name what it still must say."""
    rule = find_rule(rules, ruling.rule)
    if rule is None:
        return (Problem("rule", "", f"The sheet has no rule “{ruling.rule}”."),)
    choice = find_choice(rules, ruling)
    if choice is None:
        offered = ", ".join(f"{choice.key} ({choice.words})" for choice in rule.choices)
        granted = cited(rule.rule).capitalize() if rule.rule[:1].isdigit() else "The sheet"
        return (Problem("choice", rule.rule, f"{granted} grants: {offered}."),)
    if choice.effect == "adjustment":
        return (Problem("choice", rule.rule, "Write an adjustment with its points, sets and reason."),)
    ruling = complete(rules, ruling)
    missing = [Problem(field, rule.rule, text) for field, text in _missing(ruling, choice)]
    return tuple(missing) or _misfits(rules, ruling)


def _priced(rule: RulingRule, price: str) -> RulingRule:
    """A renege costs what the option says."""
    return rule._replace(
        choices=tuple(
            choice._replace(
                effect=price,
                words=RENEGE_WORDS[price],
                said=RENEGE_SAID[price],
                needs=RENEGE_NEEDS[price],
                also=tuple(word for word in choice.also if word not in OTHER_PRICES[price]),
            )
            if choice.effect == "renege"
            else choice
            for choice in rule.choices
        )
    )


def _missing(ruling: Ruling, choice: RulingChoice) -> list[tuple[str, str]]:
    missing = []
    if ("side" in choice.needs or ruling.side is not None) and ruling.side not in (0, 1):
        missing.append(("side", "Which side broke the rule? Side 0 or side 1 is needed."))
    if ("bidder" in choice.needs or ruling.bidder is not None) and ruling.bidder not in (0, 1):
        missing.append(("bidder", "Which side won the bid? Side 0 or side 1 is needed."))
    if ("bid" in choice.needs or ruling.bid) and parse_bid(ruling.bid) is None:
        missing.append(("bid", _what_was_bid(ruling.bid)))
    if ("books" in choice.needs or ruling.books is not None) and ruling.books not in range(BOOKS + 1):
        missing.append(("books", "How many books, 0 to 13, did the bidding side have?"))
    return missing


def _what_was_bid(said: str) -> str:
    wrong = f"“{said}” is not a bid. " if said else ""
    return f"{wrong}What was the bid? A bid is a number and a kind: “3”, “3-special”, “3-no”."


def _misfits(rules: Rules, ruling: Ruling) -> tuple[Problem, ...]:
    rule, bid = ruling.rule, parse_bid(ruling.bid)
    found = list(bid_problems(rules, bid)) if bid is not None else []
    if rule == "31" and bid is not None and bid.kind != NO:
        found.append(Problem("bid", rule, "Rule 31 is about a No bid."))
    if rule in ("31", "34") and ruling.side != ruling.bidder:
        found.append(Problem("side", rule, f"Rule {rule} is about the bidding side."))
    if rule == "35" and ruling.side is not None and ruling.side == ruling.bidder:
        found.append(Problem("side", rule, "Rule 35 is about the side that did not bid."))
    if ruling.books == 0 and rules.kitty_goes_to == "bidder":
        text = "The kitty is a book of the bidding side: it has at least one."
        found.append(Problem("books", CITES[rules.book]["hand"], text))
    return tuple(found)


def _other(side: int | None) -> int | None:
    return None if side is None else 1 - side


# Hands of Bid Whist that are dealt again beside misdeals: all passed, or a hand without face cards.

THROWN_IN = "all-pass"
NO_FACE_CARD = "bw52.auction"


def void_choices(rules: Rules) -> tuple[VoidChoice, ...]:
    """List the hands that this sheet has dealt again; the same player deals."""
    choices = []
    if rules.dealer_bids_at_least is None:
        choices.append(VoidChoice(THROWN_IN, "All passed: the same player deals again"))
    if rules.redeal_without_faces:
        text = "A player without a face card called for a redeal: the same player deals again"
        choices.append(VoidChoice(NO_FACE_CARD, text))
    return tuple(choices)


def void_problems(rules: Rules, void: Void) -> tuple[Problem, ...]:
    """Refuse a redeal that this sheet does not grant."""
    forced = rules.dealer_bids_at_least
    if void.rule == THROWN_IN and forced is not None:
        text = f"Not everyone can pass on this sheet: the dealer must bid at least {forced}."
        return (Problem("rule", CITES[rules.book]["dealer"], text),)
    if void.rule == NO_FACE_CARD and not rules.redeal_without_faces:
        return (Problem("rule", NO_FACE_CARD, "A hand without a face card is played on this sheet."),)
    return ()
