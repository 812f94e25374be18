"""A mail server of a test's own: over TLS, with a certificate for this machine; it refuses some addresses."""

from __future__ import annotations

import datetime
import re
import ssl
import threading
from pathlib import Path
from socket import socket
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

from tournament.serving.certificates import hall_certificates

HERE = "127.0.0.1"
REFUSED = b"refused@"
LINK = re.compile(r"/password/new/\S+")


class Mails(ThreadingTCPServer):
    """Takes mail for everybody but `refused@…`. Whoever sends it trusts `root`."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        made = hall_certificates(folder, [HERE], "Mail", datetime.datetime.now(datetime.UTC))
        self.root = folder / "root.pem"
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(made.site, made.site_key)
        self.taken: list[str] = []
        super().__init__((HERE, 0), _Talk)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self) -> tuple[socket, Any]:
        line, address = super().get_request()
        return self.context.wrap_socket(line, server_side=True), address

    def link(self) -> str:
        """Where the last mail leads."""
        return LINK.findall(self.taken[-1])[-1]


class _Talk(StreamRequestHandler):
    server: Mails

    def handle(self) -> None:
        self._say("220 mail")
        for said in self.rfile:
            match said[:4].upper():
                case b"EHLO":
                    self._say("250-mail\r\n250 AUTH PLAIN")
                case b"AUTH":
                    self._say("235 welcome")
                case b"RCPT" if REFUSED in said:
                    self._say("550 nobody of that name")
                case b"DATA":
                    self._say("354 go on")
                    self.server.taken.append(b"".join(iter(self.rfile.readline, b".\r\n")).decode())
                    self._say("250 taken")
                case b"QUIT":
                    self._say("221 bye")
                    break
                case _:
                    self._say("250 yes")

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())
