"""Options of Bid Whist that mean nothing beside others: nobody is asked about a kitty that the sheet does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.bid_whist.rules import Rules

OF_NO = ("no_doubled", "no_over_same", "boston_bid_no_points", "jokers_at_no")
OF_JOKERS = ("jokers_at_no", "deuce_of_spades")


def moot_options(rules: Rules) -> frozenset[str]:
    """Name the options on which, as the others stand, nothing depends."""
    moot = {
        "jokers": rules.kitty_goes_to == "none",
        "kitty_sported": rules.kitty_goes_to != "bidder",
        "special_over_straight": not {"straight", "special"} <= set(rules.kinds) or not rules.kind_is_bid,
        "no_over_same": not rules.kind_is_bid,
        "signals": rules.lowest_bid > 1,
        "score_basis": rules.made_pays != "above-six",
        "win_rule": rules.win_at is None,
        "sets_consecutive": rules.set_limit is None,
        "odd_scope": not rules.odd_loses,
        "backdoor_scope": rules.lose_at is None,
        "rubber_games": not _can_be_won(rules),
    }
    named = {option for option, means_nothing in moot.items() if means_nothing}
    if "no" not in rules.kinds:
        named.update(OF_NO)
    if not rules.jokers:
        named.update(OF_JOKERS)
    return frozenset(named)


def _can_be_won(rules: Rules) -> bool:
    """Whether anything but the clock ends a game: without that there is no second game at the table."""
    ends = (rules.win_at, rules.lose_at, rules.set_limit)
    others = rules.odd_loses or rules.boston_bid_is_game or rules.renege_price == "game"
    return others or any(end is not None for end in ends)
