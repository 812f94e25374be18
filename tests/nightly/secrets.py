"""A whole evening over HTTP, and then every secret of it is looked for in the log (G26).

    python -m tests.nightly.secrets [--teams 24] [--rounds 6]

The site is one on the internet, with mail and second factors, in a process of its own. The log is what it and the
commands beside it print, every `*.log` in its folder, the log of the desk, and what is kept of the tablets' messages.
A secret is looked for as it is, as in an address, and in base64 wherever that begins; the control writes one into the
log in each of these forms. Only the first owner's password may be there, once: it is shown to whoever starts the site,
and opens nothing any more when the evening is over. Ends with 1 where another secret is in the log, or the control is
not found.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from tests.benchmarks.hall import open_site
from tests.halls import Hall, options
from tests.nightly.night import COOKIES, OWN, SHOWN, Mails, Night

OF_MAIL = "p@st & 50%"
SEEN = {200, 302, 400, 403, 404, 405, 422, 500}


def forms(secret: str) -> set[str]:
    """How it may stand in a log; in base64 the signs that are made of nothing else."""
    content = secret.encode()
    coded = [(lead, b64encode(bytes(lead) + content).decode()) for lead in range(3)]
    inside = {code[-(-lead * 8 // 6) : (lead + len(content)) * 8 // 6] for lead, code in coded}
    in_addresses = {text.replace("+", "-").replace("/", "_") for text in inside}
    return {secret, quote(secret), quote(secret, safe=""), quote_plus(secret)} | inside | in_addresses


def found(log: str, known: Mapping[str, str]) -> list[str]:
    """Each line with a secret in it, which is not shown. Six digits are also a part of other numbers."""
    lines = []
    for secret, kind in known.items():
        for form in forms(secret):
            hit = re.search(rf"(?<![\w.]){form}(?!\w)" if form.isdigit() else re.escape(form), log)
            if hit:
                before, after = log[: hit.start()].rpartition("\n")[2], log[hit.end() :].partition("\n")[0]
                lines.append(f"{kind}: {before}…{after}")
    return lines


def main() -> int:
    chosen = options(__doc__, teams=24, rounds=6)
    folder = open_site()
    mails = Mails(folder / "mail")
    mail = f"smtps://uptown:{quote(OF_MAIL, safe='')}@127.0.0.1:{mails.server_address[1]}/?from=uptown@example.org"
    settings_of_site = {"UPTOWN_PROFILE": "internet", "UPTOWN_BEHIND_PROXY": "1", "UPTOWN_MAIL": mail}
    hall = Hall(folder, SSL_CERT_FILE=str(mails.root), **settings_of_site)
    hall.start("--http")
    try:
        night = Night(hall, mails)
        night.sign_in()
        night.set_up(chosen.teams, chosen.rounds)
        night.hand_out()
        night.play()
        opens = night.leave()
    finally:
        hall.kill()
    night.known.note("password of the mail", OF_MAIL)
    log, known = night.log(), night.secrets()
    kinds, hits = Counter(known.values()), found(log, known)
    missing = [str(one) for one in (*SEEN - night.seen.keys(), *{*SHOWN, *COOKIES.values()} - kinds.keys())]
    control = [form for form in forms(OWN) if not found(f"{log}\n{form}\n", {OWN: ""})]
    print(*hits[:20], _counted(night.seen), _counted(kinds), sep="\n")
    print(
        f"first password: {log.count(night.first)} times, opens: {opens}; not seen: {', '.join(missing) or 'nothing'}"
    )
    print(f"{len(known):,} secrets, {log.count(chr(10)):,} lines: {len(hits)} found; control: {len(control)} missed")
    return 1 if hits or control or missing or opens or log.count(night.first) != 1 else 0


def _counted(what: Counter[Any]) -> str:
    return ", ".join(f"{count} × {one}" for one, count in what.most_common())


if __name__ == "__main__":
    sys.exit(main())
