"""A capture from an interface, as a pipe from which a pcap file is read while it is captured."""

import fcntl
import os
import select
import socket
import struct
import threading
from time import monotonic

from carrychain.bindings.libpcap import WAIT_MS, LibpcapError, NetworkInterface

# Between two looks at whether to end, and at what was dropped.
PAUSE_MS = 100
# What the kernel still holds at the end is read for so long at most: more may always come.
GRACE_S = 0.5
PIPE_BYTES = 1 << 20
# linux/sockios.h; and a link layer's header with some tags before what the MTU counts.
SIOCGIFMTU, SIOCGIFHWADDR, HEADERS = 0x8921, 0x8927, 64
ETHER = 1


class Live:
    """LibpcapError if ``name`` can't be captured from, or frames would be cut.

    ``mac`` is the address of a network card, or empty: what a virtual interface receives may come from this
    very machine, which finishes no sums for itself. ``dropped`` counts the frames that were lost before they
    could be read, and ``error`` is what ended the capture before ``until`` was set.
    """

    def __init__(
        self, name: str, until: threading.Event, promiscuous: bool = True, expression: str | None = None
    ) -> None:
        self.name = name
        self.error: str | None = None
        self._until = until
        self._interface = NetworkInterface(name, promiscuous)
        self.mac = _mac(name) if _is_card(name) else b""
        longest = _longest(name)
        if longest > self._interface.snapshot:
            raise LibpcapError(
                f"its frames of up to {longest:,} bytes would be cut to {self._interface.snapshot:,}: "
                "lower its MTU"
            )
        if expression is not None:
            self._interface.filter(expression)

    @property
    def dropped(self) -> int:
        return self._interface.dropped

    def open(self):
        """Begins to capture: the file's end to read from."""
        reading, writing = os.pipe()
        # a user may be allowed none so large
        for size in (PIPE_BYTES, PIPE_BYTES // 4):
            try:
                fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, size)
                break
            except OSError:
                pass
        self._interface.write_to(writing)
        threading.Thread(target=self._capture, daemon=True).start()
        return open(reading, "rb", buffering=0)

    def _capture(self) -> None:
        poll = select.poll()
        poll.register(self._interface.descriptor, select.POLLIN)
        try:
            while not self._until.is_set():
                poll.poll(PAUSE_MS)
                self._interface.dispatch()
                self._interface.count()
            end = monotonic() + GRACE_S
            # the last ones may still wait for others
            while monotonic() < end and poll.poll(2 * WAIT_MS):
                self._interface.dispatch()
            self._interface.count()
        except LibpcapError as error:
            self.error = str(error)
        finally:
            self._interface.close()


def _asked(name: str, what: int) -> bytes:
    """The kernel's answer about an interface; OSError if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        return fcntl.ioctl(any_socket, what, struct.pack("16s24x", os.fsencode(name)))[16:]


def _longest(name: str) -> int:
    """The longest frame by the interface's MTU; 0 if it has none, as "any"."""
    try:
        return struct.unpack_from("i", _asked(name, SIOCGIFMTU))[0] + HEADERS
    except OSError:
        return 0


def _is_card(name: str) -> bool:
    return os.path.exists(f"/sys/class/net/{name}/device")


def _mac(name: str) -> bytes:
    """Of Ethernet; empty for others."""
    try:
        kind, mac = struct.unpack_from("H6s", _asked(name, SIOCGIFHWADDR))
    except OSError:
        return b""
    return mac if kind == ETHER else b""
