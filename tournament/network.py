"""The names and addresses under which this machine can be reached in the hall."""

from __future__ import annotations

import socket


def lan_address() -> str:
    """The address of this machine in its network, or 127.0.0.1 without one. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def own_hosts() -> list[str]:
    """Every host name that a browser in the hall may use for this machine."""
    name = socket.gethostname()
    return sorted({"localhost", "127.0.0.1", "[::1]", lan_address(), name, f"{name}.local"})


def free_port(wanted: int, host: str = "127.0.0.1") -> int:
    """The wanted port, or the next one that nobody listens on."""
    for port in range(wanted, min(wanted + 100, 65536)):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise OSError(f"No free port from {wanted} on.")
