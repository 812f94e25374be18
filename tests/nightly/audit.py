"""Look every installed package up among known weaknesses, with pip-audit: `python -m tests.nightly.audit`.

Exits with 0 if none is known, with 1 if one is, and with 3 (not checked) if nothing could be looked up. The
advisories are those of osv.dev, or of another place that answers like it: `--osv-url`. What is typed goes to pip-audit.
"""

from __future__ import annotations

import json
import subprocess
import sys

from tests.nightly.__main__ import NOT_CHECKED


def main(words: list[str]) -> int:
    """Say what was found, the verdict on the last line."""
    asked = "-m pip_audit --vulnerability-service osv --format json --progress-spinner off".split()
    done = subprocess.run([sys.executable, *asked, *words], capture_output=True, text=True, check=False)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except ValueError:
        print(done.stderr.strip(), file=sys.stderr)
        print("not checked: there are no advisories to look into")
        return NOT_CHECKED
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    if skipped:
        print(f"skipped: {', '.join(skipped)}")
    if len(skipped) == len(packages):
        print("not checked: every package was skipped")
        return NOT_CHECKED
    weaknesses = [
        (package["name"], package["version"], weak) for package in packages for weak in package.get("vulns", ())
    ]
    for name, version, weak in weaknesses:
        print(f"{name} {version}: {weak['id']}, mended in {', '.join(weak['fix_versions']) or 'no version yet'}")
    print(f"{len(weaknesses) or 'no'} known weakness{'es' if len(weaknesses) > 1 else ''}")
    return 1 if weaknesses else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
