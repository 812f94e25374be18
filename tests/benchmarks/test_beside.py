"""What goes wrong in a thread of a measurement ends it."""

from __future__ import annotations

import sys
import threading

import pytest

from tests.beside import beside


def test_all_acts_are_done_side_by_side_and_a_fault_of_one_is_heard() -> None:
    met, done = threading.Barrier(3), list[int]()

    def act() -> None:
        met.wait(20)
        done.append(1)

    with beside([act, act]):
        met.wait(20)
    assert done == [1, 1]
    with pytest.raises(SystemExit, match="a message was lost"), beside([lambda: sys.exit("a message was lost")]):
        pass
