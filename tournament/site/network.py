"""The names and addresses under which this machine can be reached in the hall."""

from __future__ import annotations

import socket
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network


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


def networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Addresses and networks with commas between them. Raises ValueError."""
    return tuple(ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


def is_in(address: str, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    """Whether an address is in one of these networks; what is not an address is in none."""
    try:
        asking = ip_address(address)
    except ValueError:
        return False
    asking = (isinstance(asking, IPv6Address) and asking.ipv4_mapped) or asking
    return any(asking in network for network in networks)


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
