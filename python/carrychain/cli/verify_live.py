"""What carrychain verify takes from libpcap: an interface, an expression; and what it tells meanwhile."""

import os
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from threading import Event

import click

from carrychain.bindings.libpcap import Expression, LibpcapError
from carrychain.files import expect_writable, replacing
from carrychain.pcap.last_bad import LastBad
from carrychain.pcap.live import Live
from carrychain.texts import printable

from .failures import Failure, shown

NAMED = 8


def expression_of(text: str) -> Expression:
    try:
        return Expression(text)
    except LibpcapError as error:
        raise Failure(printable(f"-f {shown(text)}: {error}")) from None


def live_from(name: str, until: Event, promiscuous: bool, text: str | None) -> Live:
    try:
        return Live(name, until, promiscuous, text)
    except LibpcapError as error:
        why = str(error)
    there = [each for _, each in socket.if_nameindex()]
    if name not in (*there, "any"):
        more = f" and {len(there) - NAMED} more" if len(there) > NAMED else ""
        why = f"no such interface; there are {', '.join(there[:NAMED])}{more}"
    raise Failure(printable(f"-i {shown(name)}: {why}"))


class Ring:
    """The file with the last bad frames."""

    def __init__(self, ctx: click.Context, most: int, path: str, captures: Iterable[str]) -> None:
        expect_writable(path)
        for name in captures:
            with suppress(OSError):
                if os.path.samestat(os.stat(0 if name == "-" else name), os.stat(path)):
                    raise click.UsageError(
                        f"--ring never overwrites its input {path!r}: give a new name", ctx
                    )
        self.frames = LastBad(most)
        self._path = path

    def write(self) -> None:
        with replacing(self._path) as file:
            for piece in self.frames.pieces():
                file.write(piece)


class Clock:
    """When the next summary is due."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        # those that were missed are not made up for
        self._next = max(self._next + self._seconds, now)
        return True

    @staticmethod
    def now() -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
