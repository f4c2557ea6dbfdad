"""Groups the inputs, runs the groups in threads, and puts the results in their places.

Inputs whose arrays have equal lengths are grouped in lanes; if there are too few, they run one at a time. The
last group is filled up with its last input. If one input of a group fails, each is called separately, so that
the exception is that of the first input that fails. Nothing else is observable, because only functions that
store to nothing but their own arrays run in this way.
"""

from __future__ import annotations

import os
import threading
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

from ....bindings import ring as runtime
from ....bindings.call import give_columns
from ...ir.form import Array
from ...machine.lanes import Refusal
from .. import marshal
from ..marshal import EntryParameter, Nodes
from .columns import HEAD, Buffers, Column, Given, Memory, Uniform, bits_of, empty, plain, shared
from .loops import NARROW, ONE, WIDE, Loops, VectorLoop

# Work that takes longer than this, in seconds, is split between threads.
LONG = 2e-3
# A group runs in lanes if at least this part of it is filled.
WORTH = 4


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Work:
    """One call for `count` inputs. `one` calls the function for one of them, and returns its results."""

    def __init__(
        self,
        loops: Loops,
        one: Callable[[int], Sequence],
        args: list[Given],
        count: int,
        threads: int,
        gives: Nodes | None = None,
    ):
        self.entry = loops.entry
        self.gives = gives or tuple(map(marshal.gives, self.entry.results))
        self.one = one
        self.args = args
        self.count = count
        self.threads = threads
        self.error: Exception | None = None
        self.failed = count  # the first input that has failed
        self.lock = threading.Lock()
        self.results: list[Memory | list] = [
            [None] * count if isinstance(passed.type, Array) else empty(count, passed)
            for passed in self.entry.results
        ]
        self.batches = list(self._batches(loops))

    def _batches(self, loops: Loops) -> Iterator[VectorBatch]:
        differ = tuple(not isinstance(arg, Uniform) for arg in self.args)
        for inputs in self._alike():
            rest = inputs
            loop = _lanes(loops, differ, len(inputs), self.threads)
            if loop:
                full = len(inputs) - len(inputs) % loop.count
                if full:
                    yield VectorBatch(self, loop, inputs[:full])
                rest = inputs[full:]
                if len(rest) * WORTH > loop.count and len(rest) > 1:
                    filled = [*rest, *[rest[-1]] * (loop.count - len(rest))]
                    yield VectorBatch(self, loop, filled)
                    continue
            if len(rest):
                yield VectorBatch(self, loops.loop(differ, ONE), rest)

    def _alike(self) -> list[Sequence[int]]:
        """The inputs, grouped by the lengths of their arrays."""
        buffers = [arg for arg in self.args if isinstance(arg, Buffers)]
        lengths = [arg.of(arg.lengths, range(self.count)) for arg in buffers]
        if all(each.count(each[0]) == self.count for each in lengths if each):
            return [range(self.count)]
        groups: dict[tuple[int, ...], list[int]] = {}
        for at, key in enumerate(zip(*lengths, strict=True)):
            groups.setdefault(key, []).append(at)
        return list(groups.values())

    def run(self) -> list[Sequence]:
        """The columns of results, in the order of the inputs."""
        todo = [(batch, 0, batch.groups) for batch in self.batches]
        if todo:
            batch, _, groups = todo[0]
            began = time.perf_counter()
            batch.drive(self, 0, 1, None)
            took = time.perf_counter() - began
            todo[0] = batch, 1, groups
            total = sum(stop - start for _, start, stop in todo)
            if self.threads > 1 and total > 1 and took * total > LONG:
                self._in_threads(todo, total)
            else:
                for batch, start, stop in todo:
                    batch.drive(self, start, stop, None)
        if self.error:
            raise self.error
        for batch in self.batches:
            batch.put(self)
        return [
            result if isinstance(result, list) else plain(result, passed)
            for result, passed in zip(self.results, self.entry.results, strict=True)
        ]

    def _in_threads(self, todo: list[tuple[VectorBatch, int, int]], total: int) -> None:
        piece = max(total // (4 * self.threads), 1)
        stop = runtime.Stop()
        futures: list[Future] = []
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                # an interrupt may arrive while threads are started
                for batch, begin, end in todo:
                    for at in range(begin, end, piece):
                        futures.append(pool.submit(batch.drive, self, at, min(at + piece, end), stop))
                wait(futures)
            except BaseException:
                stop.stop()
                for future in futures:
                    future.cancel()
                raise
        for future in futures:
            future.result()

    def again(self, inputs: Sequence[int]) -> dict[int, Sequence]:
        """The results of each input of a group, called separately; none after the first that fails."""
        done = {}
        for at in sorted(set(inputs)):
            if at >= self.failed:
                break
            try:
                done[at] = self.one(at)
            except Exception as error:
                with self.lock:
                    if at < self.failed:
                        self.failed, self.error = at, error
                break
        return done


def _lanes(loops: Loops, differ: tuple[bool, ...], count: int, threads: int) -> VectorLoop | None:
    """The loop in lanes for this many inputs; None if they are too few, or lanes are impossible."""
    if count < 2:
        return None
    try:
        narrow = loops.loop(differ, NARROW)
        # a wider loop takes at most twice as many inputs
        if count >= 2 * narrow.count * threads:
            return loops.loop(differ, WIDE)
    except Refusal:
        return None
    return narrow if count * WORTH > narrow.count else None


class VectorBatch:
    """Inputs for one loop, filled up to whole groups with the last input."""

    def __init__(self, work: Work, loop: VectorLoop, inputs: Sequence[int]):
        self.loop = loop
        self.inputs = inputs
        self.groups = len(inputs) // loop.count
        self.done: dict[int, Sequence] = {}  # the results of inputs that were called separately
        self.kept: list = []
        self.addresses = [
            self._column(param, arg, f"{work.entry.name}: {param.name}")
            for param, arg in zip(work.entry.params, work.args, strict=True)
        ]
        self.found: list[Memory | runtime.Slots] = []
        for passed, result in zip(work.entry.results, work.results, strict=True):
            if isinstance(result, list):
                found = runtime.Slots(self.groups)
            else:
                found = result if isinstance(inputs, range) else empty(len(inputs), passed)
            skipped = inputs.start * result.bits // 8 if found is result else 0
            self.found.append(found)
            self.addresses.append(found.address + skipped)

    def _column(self, param: EntryParameter, arg: Given, where: str) -> int:
        """The address of an argument's column."""
        count = self.loop.count
        if not isinstance(param.passed.type, Array):
            bits = bits_of(param.passed)
            if isinstance(arg, Column):
                return self._kept(arg.taken(self.inputs, bits))
            word = arg.value & (1 << bits) - 1
            return self._kept(Memory(word.to_bytes(bits // 8, "little"), bits))
        if isinstance(arg, Uniform):
            held = shared(param, arg, where)
            self.kept.append(held)
            return self._kept(Memory(array("Q", (*HEAD, held.length, held.address)), 64))
        addresses, lengths = (arg.of(words, self.inputs) for words in (arg.addresses, arg.lengths))
        if count > 1:
            # one table per group, whose arrays are equally long
            first = self._kept(Memory(addresses, 64))
            addresses, lengths = range(first, first + 8 * len(addresses), 8 * count), lengths[::count]
        heads = array("Q")
        for address, length in zip(addresses, lengths, strict=True):
            heads.extend((*HEAD, length, address))
        return self._kept(Memory(heads, 64))

    def _kept(self, memory: Memory) -> int:
        self.kept.append(memory)
        return memory.address

    def drive(self, work: Work, start: int, stop: int, how: runtime.Stop | None) -> None:
        """Runs the groups from `start` to before `stop`; a group that fails, each input separately."""
        count = self.loop.count
        while start < stop:
            if work.failed < work.count and min(self.inputs[start * count : stop * count]) > work.failed:
                return
            group = runtime.drive(self.loop.address, [start, stop, *self.addresses], how)
            if group is None:
                return
            self.done.update(work.again(self.inputs[group * count : (group + 1) * count]))
            start = group + 1

    def put(self, work: Work) -> None:
        """Puts each result in its input's place."""
        for at, (found, result, gives) in enumerate(zip(self.found, work.results, work.gives, strict=True)):
            if isinstance(result, list):
                values = self._arrays(found, gives)
                if isinstance(self.inputs, range):
                    result[self.inputs.start : self.inputs.stop] = values
                else:
                    for place, value in zip(self.inputs, values, strict=True):
                        result[place] = value
            elif found is not result and result.bits == 128:
                for at_, place in enumerate(self.inputs):
                    result.held[16 * place : 16 * place + 16] = found.held[16 * at_ : 16 * at_ + 16]
            elif found is not result:
                for place, value in zip(self.inputs, found.held, strict=True):
                    result.held[place] = value
            for place, values in self.done.items():
                if isinstance(result, list):
                    result[place] = values[at]
                elif result.bits == 128:
                    word = int(values[at]) & (1 << 128) - 1
                    result.held[16 * place : 16 * place + 16] = word.to_bytes(16, "little")
                else:
                    result.held[place] = int(values[at])

    def _arrays(self, found: runtime.Slots, gives: tuple) -> list:
        count, whole = self.loop.count, []
        for group in range(self.groups):
            if found.values[group]:
                whole += give_columns(*runtime.array(found.values[group]), count, gives)
            else:
                # a check has failed in this group
                whole += [None] * count
        return whole
