"""Score sheets in a book, two to a page: what nobody wrote on is left out between a sheet and its signatures."""

from __future__ import annotations

from tournament.queries.sheetcells import HEIGHT
from tournament.reports.pdf.paper import MARGIN, Area, Papers

# A sheet that would have to be smaller than this for half a page gets a page of its own.
SMALLEST, GAP = 0.72, 18.0


class Halves:
    """Takes the place of `Papers` for what draws a sheet: each of its pages is kept until its height is known."""

    def __init__(self, papers: Papers, name: str) -> None:
        self._papers, self._name = papers, name
        self.canvas, self.pen, self.size, self.site = papers.canvas, papers.pen, papers.size, papers.site
        self._drawn, self._left_out, self._waiting = 0, 0.0, False
        self._begin()

    @property
    def area(self) -> Area:
        """The printable part of a whole page."""
        return self._papers.area

    def close_up(self, top: float, bottom: float) -> None:
        """Move what follows up by an empty band."""
        self._left_out = max(0.0, top - bottom)
        self.canvas.translate(0, self._left_out)

    def next_page(self) -> None:
        """Place the page that was drawn: in the upper half, in the lower one, or alone."""
        self.canvas.endForm()
        high = HEIGHT - self._left_out
        room = (self.size[1] - 2 * MARGIN - GAP) / 2
        if (scale := min(1.0, room / high)) < SMALLEST:
            self._turn()
            self._place(1.0, (self.size[1] + HEIGHT) / 2)
            self._papers.next_page()
        elif self._waiting:
            self.pen.rule(MARGIN, MARGIN + room + GAP / 2, self.size[0] - MARGIN, MARGIN + room + GAP / 2)
            self._place(scale, MARGIN + room)
            self._papers.next_page()
            self._waiting = False
        else:
            self._place(scale, self.size[1] - MARGIN)
            self._waiting = True
        self._drawn += 1
        self._begin()

    def finish(self) -> None:
        """Finish the last page; what was begun for a further sheet is not shown."""
        self.canvas.endForm()
        self._turn()

    def _begin(self) -> None:
        self._left_out = 0.0
        self.canvas.beginForm(self._form, 0, 0, *self.size)

    @property
    def _form(self) -> str:
        return f"{self._name}-{self._drawn}"

    def _turn(self) -> None:
        if self._waiting:
            self._papers.next_page()
            self._waiting = False

    def _place(self, scale: float, top: float) -> None:
        """Show the page that was drawn, its upper edge here and in the middle of the paper."""
        self.canvas.saveState()
        edge = (self.size[1] + HEIGHT) / 2
        self.canvas.translate(self.size[0] * (1 - scale) / 2, top - edge * scale)
        self.canvas.scale(scale, scale)
        self.canvas.doForm(self._form)
        self.canvas.restoreState()


# On what a score sheet is drawn.
Pages = Papers | Halves
