"""Two hosts in network namespaces, and a relay between them that is their cards and wires, and may corrupt.

A thread belongs to a namespace by itself, and so does each socket and each process that it makes: what is
``within`` a namespace is done by a thread of its own. All ends with the test: nothing has a name outside.
"""

import ctypes
import fcntl
import os
import select
import socket
import struct
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import pytest
from captures import checked, sum16

CLONE_NEWNET = 0x40000000
SOL_PACKET, PACKET_VNET_HDR, ETH_P_ALL = 263, 15, 3
# linux/ethtool.h
SIOCETHTOOL, SET_TX, SET_SEGMENTATION, SET_GRO = 0x8946, 0x17, 0x1F, 0x2C
VNET = struct.Struct("<BBHHHH")
NEEDS_SUM = 1
LONGEST = 1 << 17
PATIENCE_S = 0.15
Result = TypeVar("Result")

libc = ctypes.CDLL(None, use_errno=True)


class Namespace:
    def __init__(self) -> None:
        self.descriptor = -1
        self.descriptor = self._threaded(self._make)
        self.ip("link set lo up")

    @staticmethod
    def _make() -> int:
        if libc.unshare(CLONE_NEWNET):
            pytest.skip(f"no network namespaces: {os.strerror(ctypes.get_errno())}")
        return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)

    @staticmethod
    def _threaded(work: Callable[[], Result]) -> Result:
        outcome = []

        def run() -> None:
            try:
                outcome.append((work(), None))
            except BaseException as error:
                outcome.append((None, error))

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        result, error = outcome[0]
        if error is not None:
            raise error
        return result

    def within(self, work: Callable[..., Result], *arguments, **options) -> Result:
        def enter() -> Result:
            if libc.setns(self.descriptor, CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
            return work(*arguments, **options)

        return self._threaded(enter)

    def ip(self, *lines: str) -> None:
        """What `ip` is to do, which is skipped aloud if this kernel can't."""
        result = self.within(
            subprocess.run, ["ip", "-batch", "-"], input="\n".join(lines), capture_output=True, text=True
        )
        if result.returncode:
            pytest.skip(f"ip: {result.stderr.splitlines()[0]}")

    def offload(self, device: str, *, sums: bool, segments: bool = False) -> None:
        """As `ethtool -K DEVICE tx ... tso ...`."""

        def set_both() -> None:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
                for command, value in ((SET_TX, sums), (SET_SEGMENTATION, segments and sums)):
                    asked = ctypes.create_string_buffer(struct.pack("=II", command, value))
                    request = struct.pack("16sP16x", device.encode(), ctypes.addressof(asked))
                    fcntl.ioctl(any_socket, SIOCETHTOOL, request)

        self.within(set_both)

    def close(self) -> None:
        os.close(self.descriptor)


def root_with_ip() -> None:
    """Skips aloud what can't have namespaces."""
    if os.geteuid():
        pytest.skip("network namespaces take root")
    try:
        subprocess.run(["ip", "-V"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("ip (Debian: iproute2) is missing")


def _link(left: Namespace, device: str, right: Namespace, other: str) -> None:
    left.ip(
        f"link add {device} type veth peer name {other} netns /proc/{os.getpid()}/fd/{right.descriptor}",
        f"link set {device} up",
    )
    right.ip(f"link set {other} up")


ADDRESSES = {"a0": ("192.0.2.1", "2001:db8::1"), "b0": ("192.0.2.2", "2001:db8::2")}


def _address(namespace: Namespace, device: str) -> None:
    four, six = ADDRESSES[device]
    namespace.ip(f"addr add {four}/24 dev {device}", f"addr add {six}/64 dev {device} nodad")


def packet_socket(device: str) -> socket.socket:
    it = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    # what a card is told: which sum is left to it
    it.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    it.bind((device, 0))
    return it


class Relay:
    """Between r0, where a host's frames leave it, and r1; what it passes on is also at the mirror port m0.

    ``card``: whether sums that were left to the first host's network card are finished. ``damage`` changes a
    frame's bytes behind that card.
    """

    def __init__(self, namespace: Namespace) -> None:
        self.card = True
        self.damage: Callable[[bytes], bytes] = bytes
        self._left, self._right, self._mirror = (
            namespace.within(packet_socket, device) for device in ("r0", "r1", "m0")
        )
        self._stopping, self._stop = os.pipe()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def __str__(self) -> str:
        return f"{self.damage.__name__} behind a {'card' if self.card else 'broken card'}"

    def _run(self) -> None:
        poll = select.poll()
        for each in (self._left, self._right, self._stopping):
            poll.register(each, select.POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in poll.poll()]
            if self._stopping in ready:
                return
            if self._left.fileno() in ready:
                frame = self._read(self._left, self.card)
                self._write(self._right, frame and self.damage(frame))
            if self._right.fileno() in ready:
                self._write(self._left, self._read(self._right, True))

    @staticmethod
    def _read(one: socket.socket, finish: bool) -> bytes | None:
        try:
            data, (*_, kind, _, _) = one.recvfrom(LONGEST)
        except OSError:
            # its device has gone
            return None
        # what it sent itself
        if kind == socket.PACKET_OUTGOING:
            return None
        flags, _, _, _, start, at = VNET.unpack_from(data)
        frame = data[VNET.size :]
        if flags & NEEDS_SUM and finish:
            at += start
            total = ~sum16(frame[start:]) & 0xFFFF
            # the field has the pseudo-header's sum
            frame = frame[:at] + struct.pack(">H", total or 0xFFFF) + frame[at + 2 :]
        return frame

    def _write(self, one: socket.socket, frame: bytes | None) -> None:
        if frame:
            for each in (one, self._mirror):
                # longer than the device's frames, or it is down
                with suppress(OSError):
                    each.send(bytes(VNET.size) + frame)

    def close(self) -> None:
        os.write(self._stop, b".")
        self._thread.join()
        for each in (self._left, self._right, self._mirror):
            each.close()
        os.close(self._stop)
        os.close(self._stopping)


class Network:
    """Hosts A and B, with their devices a0 and b0: through the relay, or directly, as two containers."""

    def __init__(self, relayed: bool = True) -> None:
        self._open: list = []
        self.a, self.b, self.between = (self._kept(Namespace()) for _ in range(3))
        if relayed:
            _link(self.a, "a0", self.between, "r0")
            _link(self.b, "b0", self.between, "r1")
            self.between.ip("link add m0 type veth peer name m1", "link set m0 up", "link set m1 up")
            self.relay = self._kept(Relay(self.between))
        else:
            _link(self.a, "a0", self.b, "b0")
        _address(self.a, "a0")
        _address(self.b, "b0")

    def _kept(self, it):
        self._open.append(it)
        return it

    def close(self) -> None:
        for each in reversed(self._open):
            each.close()


def _bound(family: int, kind: int) -> socket.socket:
    it = socket.socket(family, kind)
    it.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    it.bind(("", 9999))
    if kind == socket.SOCK_STREAM:
        it.listen()
    return it


def talk(client: Namespace, server: Namespace, to: str, kinds: str, size: int = 200) -> None:
    """Three datagrams to a server, and one stream of so many bytes, as far as these arrive; no one is waited
    for that does not come."""
    family = socket.AF_INET6 if ":" in to else socket.AF_INET
    if "UDP" in kinds:
        with server.within(_bound, family, socket.SOCK_DGRAM) as there:
            with client.within(socket.socket, family, socket.SOCK_DGRAM) as here:
                for _ in range(3):
                    here.sendto(bytes(range(size % 256)), (to, 9999))
            there.settimeout(PATIENCE_S)
            with suppress(TimeoutError):
                for _ in range(3):
                    there.recv(LONGEST)
    if "TCP" in kinds:
        with (
            server.within(_bound, family, socket.SOCK_STREAM) as listening,
            client.within(socket.socket, family, socket.SOCK_STREAM) as here,
        ):
            listening.settimeout(PATIENCE_S)
            here.settimeout(PATIENCE_S)
            # at the end a reset, in place of a handshake that may take long
            here.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            with suppress(TimeoutError):
                here.connect((to, 9999))
                there, _ = listening.accept()
                with there:
                    there.settimeout(PATIENCE_S)
                    here.sendall(bytes(size))
                    left = size
                    while left and (got := there.recv(LONGEST)):
                        left -= len(got)


# What may happen to a frame behind the sender's card.


def _is_to_be_damaged(frame: bytes) -> bool:
    """TCP and UDP with data."""
    return len(frame) > 150 and (
        (frame[12:14] == b"\x08\0" and frame[23] in (6, 17)) or frame[20:21] in (b"\6", b"\x11")
    )


def flipped(frame: bytes) -> bytes:
    """A bit of the last byte."""
    return frame[:-1] + bytes([frame[-1] ^ 4]) if _is_to_be_damaged(frame) else frame


def hop(frame: bytes) -> bytes:
    """A router that forgets IPv4's sum as it decrements the time to live."""
    return frame[:22] + bytes([frame[22] - 1]) + frame[23:] if frame[12:14] == b"\x08\0" else frame


def translated(frame: bytes) -> bytes:
    """A translator that rewrites the sender's address, and only the header's sum."""
    if frame[12:14] != b"\x08\0" or not _is_to_be_damaged(frame):
        return frame
    header = checked(frame[14:26] + bytes([198, 51, 100, 7]) + frame[30:34], 10)
    return frame[:14] + header + frame[34:]
