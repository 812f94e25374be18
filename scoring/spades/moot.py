"""Options of Spades that mean nothing beside others: nobody is asked about nil where partners bid together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.spades.rules import Rules


def moot_options(rules: Rules) -> frozenset[str]:
    """Name the options on which, as the others stand, nothing depends."""
    by_side, by_seat = rules.bids_by == "side", rules.bids_by == "seat"
    has_nil, has_blind = rules.knows_nil or rules.knows_blind_nil, rules.lowest_blind is not None
    has_ten = rules.highest_bid >= 10 or by_seat
    moot = {
        "nil_points": by_side,
        "blind_nil_points": by_side,
        "failed_nil": not has_nil,
        "failed_nil_trick_points": not has_nil,
        "blind_nil_exchange": not rules.knows_blind_nil,
        "lowest_blind": by_seat,
        "blind_behind": not (has_blind or rules.knows_blind_nil),
        "come_out": not has_blind,
        "blind_set": not has_blind,
        "bag_penalty": rules.bag_limit is None,
        "ten_points": not has_ten,
        "ten_set": not has_ten,
        "level_at_game": rules.game_at is None,
        "level_at_end": rules.hand_limit is None,
    }
    return frozenset(option for option, means_nothing in moot.items() if means_nothing)
