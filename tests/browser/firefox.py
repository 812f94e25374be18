"""Debian's Firefox, driven by its own protocol (Marionette) and the standard library alone: no driver is downloaded.

A message is its length, a colon, and JSON: `[0, number, command, parameters]`; the answer `[1, number, error, result]`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.halls import LONGEST

# A profile of its own; port 0 is any free one, which Firefox writes into the profile.
PREFERENCES = {
    "marionette.port": 0,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
    # Safe browsing, blocklists and extensions would ask the internet while a hall has none.
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "extensions.blocklist.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "services.settings.server": "data:,",
}
# The first thing that is seen and bears the words, found in one go: a page may be swapped meanwhile.
FIND = """
  const [css, words] = arguments;
  const plain = (one) => one.textContent.replace(/\\s+/g, " ");
  const seen = [...document.querySelectorAll(css)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
  return seen.find((one) => plain(one).includes(words)) ?? null;
"""
# Nothing was clicked: what stood there went, moved, or is not in place yet.
AGAIN = (
    "element click intercepted",
    "element not interactable",
    "move target out of bounds",
    "no such element",
    "stale element reference",
)


class Fault(Exception):
    """What Firefox refused, by its name in the protocol."""


class Firefox:
    """A window of Firefox: `goto`, `find`, `click`, `run`; and the browser itself, from `chrome`."""

    def __init__(self, program: str, folder: Path) -> None:
        self.profile, self.output, self.number = folder / "profile", folder / "firefox-output", 0
        self.profile.mkdir(parents=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (self.profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                [*command, "--profile", str(self.profile)],
                env=os.environ | {"HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"},
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        port = self.profile / "MarionetteActivePort"
        self.until(lambda: port.exists() and port.read_text().strip(), self.said)
        self.line = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=2 * LONGEST)
        self.heard = self.line.makefile("rb")
        self.message()
        self.command("WebDriver:NewSession", capabilities={"alwaysMatch": {"unhandledPromptBehavior": "ignore"}})

    def said(self) -> str:
        """What the program printed until now."""
        return self.output.read_text(encoding="utf-8", errors="replace")

    def message(self) -> Any:
        """The next message of the browser."""
        length = b""
        while not length.endswith(b":"):
            one = self.heard.read(1)
            assert one, self.said()
            length += one
        return json.loads(self.heard.read(int(length[:-1])))

    def command(self, name: str, **parameters: Any) -> Any:
        """One command, and what it answers."""
        self.number += 1
        body = json.dumps([0, self.number, name, parameters]).encode()
        self.line.sendall(b"%d:%s" % (len(body), body))
        _, number, fault, result = self.message()
        assert number == self.number
        if fault:
            raise Fault(f"{fault['error']}: {fault['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def goto(self, address: str) -> None:
        self.command("WebDriver:Navigate", url=address)

    def reload(self) -> None:
        """As by F5."""
        self.run("location.reload();")

    def resize(self, width: int, height: int) -> None:
        """Make the page this big; the window has its frame around it."""
        frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight];")
        self.command("WebDriver:SetWindowRect", width=width + frame[0], height=height + frame[1])

    def run(self, script: str, *given: Any) -> Any:
        """What a script of the page returns; of the browser, inside `chrome`."""
        return self.command("WebDriver:ExecuteScript", script=script, args=list(given))

    def run_later(self, script: str, *given: Any) -> Any:
        """The same for what comes later: the last argument is called with it."""
        return self.command("WebDriver:ExecuteAsyncScript", script=script, args=list(given))

    @contextlib.contextmanager
    def chrome(self) -> Iterator[None]:
        """Scripts run in the browser instead of the page."""
        self.command("Marionette:SetContext", value="chrome")
        try:
            yield
        finally:
            self.command("Marionette:SetContext", value="content")

    def until(self, holds: Callable[[], Any], words: Callable[[], object] | None = None) -> Any:
        """Wait until something holds, and return it; a page that is just being left does not answer."""
        end, fault = time.monotonic() + LONGEST, ""
        while True:
            assert self.process.poll() is None, self.said()
            try:
                if found := holds():
                    return found
            except Fault as one:
                fault = str(one)
                if not fault.startswith((*AGAIN, "javascript error", "no such window", "detached", "unknown error")):
                    raise
            assert time.monotonic() < end, (words or self.text)() or fault
            time.sleep(0.05)

    def text(self) -> str:
        """What the page says."""
        return str(self.run("return document.body.innerText;"))

    def seen(self, css: str, words: str = "") -> bool:
        return self.run(FIND, css, words) is not None

    def find(self, css: str, words: str = "") -> Any:
        """The first such thing that is seen and bears the words, as soon as it is there."""
        return self.until(lambda: self.run(FIND, css, words), lambda: f"no {css} “{words}” in: {self.text()}")

    def gone(self, css: str, words: str = "") -> None:
        self.until(lambda: not self.seen(css, words))

    def click(self, css: str, words: str = "") -> None:
        """A real click in its middle, once it stands there uncovered."""

        def clicked() -> bool:
            self.command("WebDriver:ElementClick", id=next(iter(self.find(css, words).values())))
            return True

        self.until(clicked, lambda: f"{css} “{words}” cannot be clicked in: {self.text()}")

    def type(self, css: str, words: str) -> None:
        self.command("WebDriver:ElementSendKeys", id=next(iter(self.find(css).values())), text=words)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.command("WebDriver:TakeScreenshot", full=False)))

    def offline(self, is_offline: bool) -> None:
        """As by “Work Offline” in the menu."""
        with self.chrome():
            self.run("Services.io.offline = arguments[0];", is_offline)

    def trust(self, certificate: str) -> None:
        """Install an authority, as people do under Privacy & Security; `certificate` is PEM."""
        body = "".join(line for line in certificate.splitlines() if "-----" not in line)
        with self.chrome():
            self.run(
                'Cc["@mozilla.org/security/x509certdb;1"].getService(Ci.nsIX509CertDB)'
                '.addCertFromBase64(arguments[0], "C,,");',
                body,
            )

    def complaints(self, address: str) -> list[str]:
        """The errors that pages of this address wrote to the console, those of its policy, too."""
        with self.chrome():
            return list(
                self.run(
                    """return Services.console.getMessageArray()
                      .filter((one) => one instanceof Ci.nsIScriptError && !(one.flags & Ci.nsIScriptError.warningFlag))
                      .filter((one) => one.sourceName.startsWith(arguments[0]))
                      .map((one) => `${one.category}: ${one.errorMessage}`);""",
                    address,
                )
            )

    def kill(self) -> None:
        """End the program and all it started."""
        if hasattr(self, "line"):
            self.line.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
