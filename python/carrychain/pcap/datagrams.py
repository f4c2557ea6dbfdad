"""Datagrams in fragments, from one batch, capture and process to the next."""

import zlib
from collections.abc import Iterable

from carrychain.bindings.capture import DatagramTable


class Datagrams(DatagramTable):
    """Datagrams that are still in fragments. The object can be sent to another process."""

    def __init__(self, parts: Iterable["Datagrams"] = ()) -> None:
        """The datagrams of ``parts``, least recently touched first."""
        super().__init__()
        for part in parts:
            self._add(part._bytes())

    def __len__(self) -> int:
        return self.c.open

    @property
    def most(self) -> int:
        """The largest number that were open at the same time."""
        return self.c.most

    def keys(self) -> set[int]:
        """A key per datagram, computed from what its fragments share. Two datagrams may have the same key."""
        return {key for key in self.c.key if key}

    def _bytes(self) -> list[tuple[int, bytes]]:
        c = self.c
        places = sorted((i for i, key in enumerate(c.key) if key), key=lambda i: c.touched[i])
        return [(c.key[i], self.read(i)) for i in places]

    def _add(self, datagrams: Iterable[tuple[int, bytes]]) -> None:
        c = self.c
        for key, data in datagrams:
            self.write(c.open, data)
            c.key[c.open], c.touched[c.open] = key, c.seen
            c.open += 1
            c.seen += 1
        c.most = max(c.most, c.open)

    def __getstate__(self) -> tuple:
        # mostly zeros
        return self.most, [(key, zlib.compress(data, 1)) for key, data in self._bytes()]

    def __setstate__(self, state: tuple) -> None:
        self.__init__()
        most, datagrams = state
        self._add((key, zlib.decompress(data)) for key, data in datagrams)
        self.c.most = most
