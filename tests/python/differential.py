"""Drives random programs, each made of a number, its seed: in processes of their own, and says which differ.

What is driven is a function of a range of seeds; it gives the seeds whose programs differ, with how they do,
and what is told of all, which can be added up. It and what it gives are sent from process to process.
"""

import gc
import os
import signal
import sys
import time
from argparse import ArgumentParser, Namespace, RawTextHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress

Found = tuple[list[tuple[int, object]], object]
ENDED = "the process ended"
ROUNDS = 8  # batches of a process: it does not live long, as what is compiled is kept until it ends
SAID = 10  # batches from one word to the next


def parser(about: str, programs: int) -> ArgumentParser:
    made = ArgumentParser(description=about, formatter_class=RawTextHelpFormatter)
    made.add_argument("--programs", type=int, default=programs)
    made.add_argument("--first", type=int, default=0)
    made.add_argument("--jobs", type=int, default=os.cpu_count())
    made.add_argument("--no-shrink", action="store_true")
    return made


def _alone() -> None:
    """A worker: Ctrl-C is for who started it; and nothing is collected until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()


def _apart(work: Callable, *args) -> object:
    """BrokenProcessPool, if that is the end of its process."""
    with ProcessPoolExecutor(1, initializer=_alone) as pool:
        return pool.submit(work, *args).result()


def _singly(work: Callable[[range], Found], seeds: range) -> Iterator[tuple[range, Found]]:
    """Each in a process of its own, since there is one that ends it."""
    for seed in seeds:
        one = range(seed, seed + 1)
        try:
            yield one, _apart(work, one)
        except BrokenProcessPool:
            yield one, ([(seed, ENDED)], None)


def _shares(work: Callable[[range], Found], batches: list[range], jobs: int) -> Iterator[tuple[range, Found]]:
    """What comes of the batches, in their order."""
    while batches:
        now = batches[: ROUNDS * jobs]
        with ProcessPoolExecutor(jobs, initializer=_alone) as pool:
            futures = [pool.submit(work, seeds) for seeds in now]
            try:
                for seeds, future in zip(now, futures, strict=True):
                    batches = batches[1:]
                    yield seeds, future.result()
            except BrokenProcessPool:
                yield from _singly(work, seeds)
            except GeneratorExit:
                pool.shutdown(cancel_futures=True)
                raise


def drive(
    options: Namespace,
    batches: list[range],
    work: Callable[[range], Found],
    keep: Callable[[int, object], None],
    summary: Callable[[object, Counter], str],
) -> None:
    """Ends the program: with 1, if any differ. `keep` is asked to write those down, made smaller."""
    # what is compiled here is not worth keeping; the workers start later
    os.environ["XDG_CACHE_HOME"] = os.devnull
    wrong: Counter = Counter()
    told, done, next_ = None, 0, options.first
    began = time.monotonic()
    try:
        for number, (seeds, (differing, one)) in enumerate(_shares(work, batches, options.jobs), 1):
            for seed, how in differing:
                wrong[str(how)] += 1
                print(f"{seed} differs: {how}", flush=True)
                if not options.no_shrink:
                    with suppress(BrokenProcessPool):
                        _apart(keep, seed, how)
            if one is not None:
                told = one if told is None else told + one
            done, next_ = done + len(seeds), seeds.stop
            if number % SAID == 0:
                print(f"{done} programs, {time.monotonic() - began:.0f} s", flush=True)
    except KeyboardInterrupt:
        print(f"stopped; it goes on with --first {next_}")
    if told is not None:
        print(summary(told, wrong))
    sys.exit(bool(wrong))
