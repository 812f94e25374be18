"""A small game that the site was not written for: partners meld before play, then take tricks.

A side that wins a trick scores its meld, and every trick counts 10 points. Who first has the points to win wins.
"""

from tests.games.melds.game import GAME

__all__ = ["GAME"]
