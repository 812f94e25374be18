"""The entry form of every game: what was posted becomes facts of the game document, or faults at their fields.

One module a way of writing: `bidder` where one side wins the auction, `tricks` where everybody bids. Which one is used,
and which fields there are, comes from the rules' `next_hand` (queries.asking).
"""

from tournament.forms.entry.posted import Posted, read_hand, read_key, read_position, typed_values

__all__ = ["Posted", "read_hand", "read_key", "read_position", "typed_values"]
