"""Which inputs go together, how results are put in their places, and the threads.

Inputs whose arrays are equally long go together, in lanes; too few of them go one at a time. What is left of
the last group is filled up with its last input. In a group of which one fails each is called by itself, so
that what is raised is what the first of all inputs that fails raises: nothing else is seen to happen, since
only functions that store to nothing but what they make run so.
"""

from __future__ import annotations

import os
import threading
import time
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait

from ...bindings import ring as runtime
from ..ir import Array
from ..lower.passed import storage
from ..program import Entry
from ..words.lanes import Refusal
from .columns import (
    HEAD,
    Buffers,
    Column,
    Given,
    Memory,
    Same,
    bits_of,
    elements,
    empty,
    plain,
    shared,
)
from .loops import NARROW, ONE, WIDE, Loop, Loops

# Of what takes longer, in seconds, threads do parts.
LONG = 2e-3
# Of a group that is not full, at least this part is worth it.
WORTH = 4


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Work:
    """One call for `count` inputs. `one` calls the function for the arguments of one."""

    def __init__(self, loops: Loops, one: Callable, args: list[Given], count: int, threads: int):
        self.entry = loops.entry
        self.one = one
        self.args = args
        self.count = count
        self.threads = threads
        self.differ = tuple(not isinstance(arg, Same) for arg in args)
        self.results: list[Sequence | list] = []
        self.error: Exception | None = None
        self.failed = count  # the first input that has
        self.lock = threading.Lock()
        self.batches = list(self._batches(loops))

    def _batches(self, loops: Loops):
        for inputs in self._alike():
            rest = inputs
            loop = _lanes(loops, self.differ, len(inputs), self.threads)
            if loop:
                full = len(inputs) - len(inputs) % loop.count
                if full:
                    yield Batch(self, loop, inputs[:full])
                rest = inputs[full:]
                if len(rest) * WORTH > loop.count and len(rest) > 1:
                    filled = [*rest, *[rest[-1]] * (loop.count - len(rest))]
                    yield Batch(self, loop, filled)
                    continue
            if len(rest):
                yield Batch(self, loops.loop(self.differ, ONE), rest)

    def _alike(self) -> list[Sequence[int]]:
        """The inputs, those together whose arrays are equally long."""
        buffers = [arg for arg in self.args if isinstance(arg, Buffers)]
        if not buffers:
            return [range(self.count)]
        groups: dict[tuple[int, ...], list[int]] = {}
        for at in range(self.count):
            groups.setdefault(tuple(arg.place(at)[1] for arg in buffers), []).append(at)
        return [range(self.count)] if len(groups) == 1 else list(groups.values())

    def arguments(self, at: int) -> list:
        return [arg.of(at) for arg in self.args]

    def run(self) -> list[Sequence]:
        """The results' columns."""
        self.results = [[None] * self.count for _ in self.entry.results]
        todo = [(batch, 0, batch.groups) for batch in self.batches]
        if todo:
            batch, _, groups = todo[0]
            began = time.perf_counter()
            batch.drive(0, 1, None)
            took = time.perf_counter() - began
            todo[0] = batch, 1, groups
            total = sum(stop - start for _, start, stop in todo)
            if self.threads > 1 and total > 1 and took * total > LONG:
                self._in_threads(todo, total)
            else:
                for batch, start, stop in todo:
                    batch.drive(start, stop, None)
        if self.error:
            raise self.error
        return self._columns()

    def _in_threads(self, todo: list[tuple[Batch, int, int]], total: int) -> None:
        piece = max(total // (4 * self.threads), 1)
        stop = runtime.Stop()
        with ThreadPoolExecutor(self.threads) as pool:
            futures = [
                pool.submit(batch.drive, at, min(at + piece, end), stop)
                for batch, begin, end in todo
                for at in range(begin, end, piece)
            ]
            try:
                wait(futures)
            except BaseException:
                stop.stop()
                for future in futures:
                    future.cancel()
                raise
        for future in futures:
            future.result()

    def _columns(self) -> list[Sequence]:
        """In the inputs' order; that which is in memory as it is, if all of it is."""
        if len(self.batches) == 1 and self.batches[0].whole():
            (batch,) = self.batches
            return [batch.column(at) for at in range(len(self.entry.results))]
        for batch in self.batches:
            for at, result in enumerate(self.results):
                for place, value in zip(batch.inputs, batch.column(at), strict=True):
                    if place not in batch.done:
                        result[place] = value
        for batch in self.batches:
            for place, values in batch.done.items():
                for result, value in zip(self.results, values, strict=True):
                    result[place] = value
        return self.results

    def again(self, batch: Batch, inputs: Sequence[int]) -> bool:
        """Calls each of a group by itself; whether one has failed."""
        for at in sorted(set(inputs)):
            if at >= self.failed:
                return True
            try:
                value = self.one(*self.arguments(at))
            except Exception as error:
                with self.lock:
                    if at < self.failed:
                        self.failed, self.error = at, error
                return True
            batch.done[at] = value if len(self.entry.results) > 1 else (value,)
        return False


def _lanes(loops: Loops, differ: tuple[bool, ...], count: int, threads: int) -> Loop | None:
    """For so many inputs; None if they are too few, or lanes cannot be."""
    if count < 2:
        return None
    try:
        wide = loops.loop(differ, WIDE)
        if count >= wide.count * threads:
            return wide
        narrow = loops.loop(differ, NARROW)
    except Refusal:
        return None
    return narrow if count * WORTH > narrow.count else None


class Batch:
    """Inputs for one loop: as many groups as fill it, the last input perhaps more than once."""

    def __init__(self, work: Work, loop: Loop, inputs: Sequence[int]):
        self.work = work
        self.loop = loop
        self.inputs = inputs
        self.groups = len(inputs) // loop.count
        self.done: dict[int, tuple] = {}  # those that were called by themselves
        self.kept: list = []
        self.addresses = [
            self._column(param, arg) for param, arg in zip(work.entry.params, work.args, strict=True)
        ]
        self.found: list[Memory | runtime.Slots] = []
        for passed in work.entry.results:
            if isinstance(passed.type, Array):
                self.found.append(runtime.Slots(self.groups))
            else:
                self.found.append(empty(len(inputs), bits_of(passed)))
        self.addresses += [each.address for each in self.found]

    def _column(self, param, arg: Given) -> int:
        """The address of an argument's column."""
        work, count = self.work, self.loop.count
        where = f"{work.entry.name}: {param.name}"
        if not isinstance(param.passed.type, Array):
            bits = bits_of(param.passed)
            if isinstance(arg, Column):
                return self._kept(arg.taken(self.inputs, bits))
            word = arg.value & (1 << bits) - 1
            return self._kept(Memory(word.to_bytes(bits // 8, "little"), bits))
        if isinstance(arg, Same):
            address, length = shared(param, arg, where, self.kept)
            return self._kept(Memory(array("Q", (*HEAD, length, address)), 64))
        places = [arg.place(at) for at in self.inputs]
        if count == 1:
            heads = array("Q", [word for address, length in places for word in (*HEAD, length, address)])
        else:
            table = Memory(array("Q", [address for address, _ in places]), 64)
            first = self._kept(table)
            heads = array("Q")
            for group in range(self.groups):
                heads.extend((*HEAD, places[group * count][1], first + 8 * group * count))
        return self._kept(Memory(heads, 64))

    def _kept(self, memory: Memory) -> int:
        self.kept.append(memory)
        return memory.address

    def drive(self, start: int, stop: int, how: runtime.Stop | None) -> None:
        """Groups from `start` to before `stop`; those of which one fails, each input by itself."""
        count, work = self.loop.count, self.work
        while start < stop:
            if work.failed < work.count and min(self.inputs[start * count : stop * count]) > work.failed:
                return
            arguments = runtime.Words(2 + len(self.addresses))
            for at, word in enumerate((start, stop, *self.addresses)):
                arguments[at] = word
            called = runtime.call(self.loop.address, arguments, runtime.Slots(1), how)
            if called.raised:
                raise called.raised
            if not called.status:
                return
            group = arguments[0]
            work.again(self, self.inputs[group * count : (group + 1) * count])
            start = group + 1

    def whole(self) -> bool:
        """Whether it is all inputs, in their order."""
        return isinstance(self.inputs, range) and len(self.inputs) == self.work.count and not self.done

    def column(self, at: int) -> Sequence:
        passed, found = self.work.entry.results[at], self.found[at]
        if isinstance(found, Memory):
            return plain(found, passed)
        column, size = [], storage(passed.type.element) // 8
        for group in range(self.groups):
            if not found[group]:
                column += [None] * self.loop.count
                continue
            length, address = runtime.array(found[group])
            column += elements(runtime.read(address, length * size * self.loop.count), self.loop.count, passed)
        return column
