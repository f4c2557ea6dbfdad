"""libpcap, if the system has it: what captures from interfaces, and compiles tcpdump's expressions.

It is loaded when it is used: no other part of the package needs it, or anything that it brings.
"""

import ctypes
import os
import struct
from collections.abc import Iterable
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_uint, c_void_p
from functools import cache

from ._carrychain import ffi

# Its names by Debian, by others, and where it is built for developers.
NAMES = ("libpcap.so.0.8", "libpcap.so.1", "libpcap.so")
ERRBUF = 256
NO_DEVICE, NO_PERMISSION, DOWN = -5, -8, -9
NANOSECONDS, NETMASK_UNKNOWN = 1, 0xFFFFFFFF
FULLY_BUFFERED = 0
# As long as libpcap captures at all.
SNAPSHOT = 262144
# The kernel's buffer of a capture: a quarter of a second of a million short frames a second.
KERNEL_BUFFER = 64 << 20
# A frame waits so long for others, so that the kernel wakes us for many at once.
WAIT_MS = 100
# libpcap's buffered output is written in pieces of this size.
PIECE = 1 << 18
# Link types on which an expression is tried that must mean something somewhere: Ethernet, raw IP, Linux
# cooked, radiotap.
TRIED = (1, 101, 113, 127)


class LibpcapError(ValueError):
    """What libpcap says of what it cannot do, on one line."""


class _Program(Structure):
    _fields_ = [("length", c_uint), ("code", c_void_p)]


class _Statistics(Structure):
    _fields_ = [("received", c_uint), ("dropped", c_uint), ("interface_dropped", c_uint)]


_FUNCTIONS = {
    "pcap_create": (c_void_p, [c_char_p, c_char_p]),
    "pcap_set_snaplen": (c_int, [c_void_p, c_int]),
    "pcap_set_promisc": (c_int, [c_void_p, c_int]),
    "pcap_set_timeout": (c_int, [c_void_p, c_int]),
    "pcap_set_buffer_size": (c_int, [c_void_p, c_int]),
    "pcap_set_tstamp_precision": (c_int, [c_void_p, c_int]),
    "pcap_activate": (c_int, [c_void_p]),
    "pcap_geterr": (c_char_p, [c_void_p]),
    "pcap_statustostr": (c_char_p, [c_int]),
    "pcap_snapshot": (c_int, [c_void_p]),
    "pcap_setnonblock": (c_int, [c_void_p, c_int, c_char_p]),
    "pcap_get_selectable_fd": (c_int, [c_void_p]),
    "pcap_compile": (c_int, [c_void_p, POINTER(_Program), c_char_p, c_int, c_uint]),
    "pcap_setfilter": (c_int, [c_void_p, POINTER(_Program)]),
    "pcap_freecode": (None, [POINTER(_Program)]),
    "pcap_dispatch": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "pcap_stats": (c_int, [c_void_p, POINTER(_Statistics)]),
    "pcap_dump_fopen": (c_void_p, [c_void_p, c_void_p]),
    "pcap_dump_flush": (c_int, [c_void_p]),
    "pcap_dump_close": (None, [c_void_p]),
    "pcap_fopen_offline": (c_void_p, [c_void_p, c_char_p]),
    "pcap_close": (None, [c_void_p]),
}


def _declared(library: ctypes.CDLL, functions: dict) -> ctypes.CDLL:
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


@cache
def _library() -> ctypes.CDLL:
    for name in NAMES:
        try:
            return _declared(ctypes.CDLL(name), _FUNCTIONS)
        except OSError:
            pass
        except AttributeError as error:
            raise LibpcapError(f"this needs libpcap 1.5 or later: {error}") from None
    raise LibpcapError("this needs libpcap: install it (Debian: libpcap0.8)")


@cache
def _libc() -> ctypes.CDLL:
    functions = {
        "fdopen": (c_void_p, [c_int, c_char_p]),
        "setvbuf": (c_int, [c_void_p, c_char_p, c_int, ctypes.c_size_t]),
    }
    return _declared(ctypes.CDLL(None), functions)


def _said(text: bytes | None) -> str:
    return " ".join((text or b"no reason").decode(errors="replace").split())


def _file(descriptor: int, mode: bytes) -> int:
    file = _libc().fdopen(descriptor, mode)
    if not file:
        raise MemoryError("a file: not enough memory")
    return file


class NetworkInterface:
    """A capture from an interface, all of whose frames are whole.

    ``dispatch`` passes what has come to the pcap file that ``write_to`` began. One thread uses it at a time.
    """

    def __init__(self, name: str, promiscuous: bool) -> None:
        self._pcap = self._dumper = None
        self._library = _library()
        said = ctypes.create_string_buffer(ERRBUF)
        self._pcap = self._library.pcap_create(os.fsencode(name), said)
        if not self._pcap:
            raise LibpcapError(_said(said.value))
        for setting, value in (
            ("snaplen", SNAPSHOT),
            ("promisc", promiscuous),
            ("timeout", WAIT_MS),
            ("buffer_size", KERNEL_BUFFER),
            ("tstamp_precision", NANOSECONDS),
        ):
            # what an interface does not have, it goes without
            getattr(self._library, f"pcap_set_{setting}")(self._pcap, value)
        status = self._library.pcap_activate(self._pcap)
        if status < 0:
            raise LibpcapError(self._why(status))
        if self._library.pcap_setnonblock(self._pcap, 1, said) < 0:
            raise LibpcapError(_said(said.value))
        self.descriptor = self._library.pcap_get_selectable_fd(self._pcap)
        self.snapshot = self._library.pcap_snapshot(self._pcap)
        self._before = 0
        self.dropped = 0

    def _why(self, status: int) -> str:
        if status == NO_DEVICE:
            return "there is no such interface"
        if status == NO_PERMISSION:
            return "no permission to capture: it takes root or CAP_NET_RAW"
        if status == DOWN:
            return "the interface is down"
        said = _said(self._library.pcap_statustostr(status))
        more = _said(self._library.pcap_geterr(self._pcap))
        return more if status == -1 else f"{said}: {more}" if more else said

    def filter(self, expression: str) -> None:
        """Only passes the frames that tcpdump would."""
        program = _compiled(self._pcap, expression)
        status = self._library.pcap_setfilter(self._pcap, byref(program))
        self._library.pcap_freecode(byref(program))
        if status < 0:
            raise LibpcapError(_said(self._library.pcap_geterr(self._pcap)))

    def write_to(self, descriptor: int) -> None:
        """Which is closed in the end."""
        file = _file(descriptor, b"wb")
        _libc().setvbuf(file, None, FULLY_BUFFERED, PIECE)
        self._dumper = self._library.pcap_dump_fopen(self._pcap, file)
        if not self._dumper:
            raise LibpcapError(_said(self._library.pcap_geterr(self._pcap)))
        self._library.pcap_dump_flush(self._dumper)

    def dispatch(self) -> int:
        """The number of frames."""
        dump = ctypes.cast(self._library.pcap_dump, c_void_p)
        count = self._library.pcap_dispatch(self._pcap, -1, dump, self._dumper)
        if count < 0:
            raise LibpcapError(_said(self._library.pcap_geterr(self._pcap)))
        if count:
            self._library.pcap_dump_flush(self._dumper)
        return count

    def count(self) -> None:
        """Adds to ``dropped`` what the kernel and the interface have lost since the last time."""
        found = _Statistics()
        if self._library.pcap_stats(self._pcap, byref(found)) < 0:
            return
        # of 32 bits each
        now = found.dropped + found.interface_dropped
        self.dropped += now - self._before & 0xFFFFFFFF
        self._before = now

    def close(self) -> None:
        if self._dumper:
            self._library.pcap_dump_close(self._dumper)
        if self._pcap:
            self._library.pcap_close(self._pcap)
        self._pcap = self._dumper = None

    def __del__(self) -> None:
        self.close()


def _compiled(pcap: int, expression: str) -> _Program:
    """To be freed by ``pcap_freecode``."""
    program = _Program()
    if _library().pcap_compile(pcap, byref(program), os.fsencode(expression), 1, NETMASK_UNKNOWN) < 0:
        raise LibpcapError(_said(_library().pcap_geterr(pcap)))
    return program


class Expression:
    """tcpdump's expression, compiled for one link type after the other.

    LibpcapError if it means nothing on any. libpcap numbers some link types otherwise than files do, and only
    knows by a file's head which is which.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._programs: dict[int, _Program] = {}
        self._tables: dict[tuple[int, ...], object] = {}
        self._kept: list = []
        refused = []
        for link in TRIED:
            try:
                self._compile(link)
                return
            except LibpcapError as error:
                refused.append(error)
        raise refused[0]

    def _compile(self, link: int) -> None:
        reading, writing = os.pipe()
        os.write(writing, struct.pack("=IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, SNAPSHOT, link))
        os.close(writing)
        said = ctypes.create_string_buffer(ERRBUF)
        # which owns the file from here on
        pcap = _library().pcap_fopen_offline(_file(reading, b"rb"), said)
        if not pcap:
            raise LibpcapError(_said(said.value))
        try:
            self._programs[link] = _compiled(pcap, self.text)
        finally:
            _library().pcap_close(pcap)

    def table(self, links: Iterable[int]):
        """A ``struct batch_filter`` for these link types; it lives as long as the expression."""
        key = tuple(sorted(set(links)))
        if key not in self._tables:
            for link in key:
                if link not in self._programs:
                    self._compile(link)
            programs = ffi.new(
                "struct batch_program[]",
                [(link, ffi.cast("void *", self._programs[link].code)) for link in key],
            )
            table = ffi.new("struct batch_filter *", {"count": len(key), "program": programs})
            run = ctypes.cast(_library().bpf_filter, c_void_p).value
            table.run = ffi.cast(ffi.typeof(table.run), run)
            self._kept.append(programs)
            self._tables[key] = table
        return self._tables[key]
