"""`manage.py venue`: the site for a hall, without internet: on https with its own certificates, or on plain http."""

from __future__ import annotations

import os
import socket
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from granian.constants import SSLProtocols
from rich.console import Console

from tournament.management.commands import serve as plain
from tournament.serving.certificates import hall_certificates
from tournament.serving.server import announce, certificate_folder, choose_port, hall_trust, serve
from tournament.site.network import lan_address

PUBLIC = (
    "{} is an internet address, and this laptop’s own certificates are for a hall’s network only. "
    "Use --http, or a proxy with a certificate of its own."
)
INSTALL = "The certificate is new: every tablet has to install it, once."
KNOWN = "Tablets that installed this laptop’s certificate need nothing more."


class Command(plain.Command):
    help = "Run the site for a hall, on https with its own certificates: tablets then also work without a network."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--http", action="store_true", help="plain http: nothing to install, but tablets must keep their pages open"
        )

    def answer(self, console: Console, port: int, people: plain.People, options: dict[str, Any]) -> None:
        if options["http"]:
            super().answer(console, port, people, options)
            return
        address = lan_address()
        hosts = [address, *(host for host in settings.ALLOWED_HOSTS if host != address)]
        try:
            made = hall_certificates(certificate_folder(), hosts, f"Uptown at {socket.gethostname()}", timezone.now())
        except ValueError as fault:
            raise CommandError(PUBLIC.format(fault)) from fault
        trust = f"http://{address}:{choose_port(console, port + 1)}/trust/"
        self.secure(f"https://{address}:{port}/", trust)
        console.print(INSTALL if made.new else KNOWN, soft_wrap=True)
        if seen := hall_trust():
            console.print(f"Its SHA-256 fingerprint: {seen.fingerprint}\n", highlight=False, soft_wrap=True)
        announce(console, port, people, plain.PLACES, trust, host=options["host"])
        self.before_doors_open(console, f"https://{address}:{port}/")
        serve(port, options["host"], ssl_cert=made.site, ssl_key=made.site_key, ssl_protocol_min=SSLProtocols.tls12)

    def secure(self, site: str, trust: str) -> None:
        """For the server's process, whether it is forked from this one or starts fresh and reads the environment."""
        os.environ.update({"UPTOWN_HTTPS": "1", "UPTOWN_SITE": site, "UPTOWN_TRUST": trust})
        settings.HALL_SITE, settings.HALL_TRUST = site, trust
        settings.HTTPS = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
        settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = settings.HOST_COOKIES
