"""Epochs are ordered whatever the clocks say, and only the installation's own rows can make one."""

from __future__ import annotations

from uuid import UUID, uuid4

from tournament.site.epochs import is_later, is_of, moment_of, new_epoch

SECRET = "of this installation"
FAR = 1 << 47


def far_away() -> UUID:
    """An epoch of a laptop whose clock stood in the year 6429."""
    return UUID(int=FAR << 80 | 7 << 76 | 0b10 << 62)


def test_an_epoch_is_later_than_all_that_are_known() -> None:
    first = new_epoch(SECRET)
    second = new_epoch(SECRET, [None, uuid4(), first, far_away()])
    third = new_epoch(SECRET, [second])
    assert [moment_of(epoch) for epoch in (second, third)] == [FAR + 1, FAR + 2]
    assert is_later(first, None) and is_later(first, uuid4()) and is_later(second, first) and not is_later(first, first)


def test_an_epoch_is_known_by_the_secret_it_was_made_with() -> None:
    epoch = new_epoch(SECRET)
    assert (epoch.version, is_of(SECRET, epoch)) == (7, True)
    assert not any(
        is_of(*given) for given in (("another", epoch), ("", epoch), (SECRET, uuid4()), (SECRET, far_away()))
    )
