"""How files and pages go over the wire: files for a year, text compressed."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.middleware import WhiteNoiseMiddleware

from tournament.wire.storage import kept, made_files

TEXT = ("text/", "application/json", "image/svg+xml")


class FilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """Answers with the site's files: those of this version, and of the one before for pages that are still open."""

    # A name holds the hash of the content: what it names never changes. A year is as long as caches keep anything.
    FOREVER = 365 * 24 * 3600

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        if folder := made_files():
            for one in kept(folder):
                self.add_files(str(one), prefix=self.static_prefix)
        elif not self.autorefresh:
            self.add_files_from_finders()


class TextMiddleware(GZipMiddleware):
    """Compresses pages and other text; papers and workbooks are compressed already.

    Sizes of compressed pages tell nothing to somebody who listens: another site cannot make a browser ask here with its
    cookies (they are all SameSite), the token of the forms is masked differently in every answer, and Django lets the
    length vary by chance.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith(TEXT):
            return response
        return super().process_response(request, response)
