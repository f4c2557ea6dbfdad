"""Captures spread over a cluster: each Dask worker walks whole files; results are reported here in order.

A fragmented datagram may continue from one file of a series into the next. A file may be walked while
earlier files are still being walked; it is then walked as if nothing came before it. If datagrams left open
by the earlier files could have changed the result, the file is walked again with them. The output is
therefore the same as if one process had walked all files.
"""

import logging
import os
import pickle
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import distributed
from distributed.utils import silence_logging_cmgr

from carrychain.bindings.capture import DATAGRAMS

from .datagrams import Datagrams
from .entries import Entries
from .pipeline import Pipeline, Report, ended, groups, settings_of
from .settled import settled

# Files on their way, for each thread of the cluster: one is walked, and the next waits.
AHEAD = 2


class EngineError(Exception):
    """The cluster cannot be reached or failed. The message says why."""


@dataclass
class Walked:
    """A worker's result for one capture."""

    report: Report
    entries: list[Entries]
    datagrams: Datagrams  # still open
    keys: set[int]  # of all fragments' datagrams


def walk(
    name: str, number: int, settings: dict[str, int], limit: int | None, pickled: bytes | None
) -> Walked:
    """Walks a capture in one thread: the cluster has as many workers as cores.

    ``pickled`` holds the Datagrams that are still open, if any. They are pickled here because the scheduler
    would otherwise unpickle what it passes on, and keep it for a while.
    """
    datagrams = pickle.loads(pickled) if pickled else Datagrams()
    entries, keys = [], set()
    pipeline = Pipeline([name], settings, first=number, threads=1)
    for each, part, _ in settled(pipeline, datagrams, limit, keys=keys, first=number):
        report = each
        entries.append(part)
    return Walked(report, entries, datagrams, keys)


def verify_on(
    address: str | None,
    names: list[str],
    tell: tuple[str, ...],
    limit: int | None,
    heuristics: bool,
    by: str | None,
    plot: bool,
    vantage: str | None = None,
) -> Iterator[tuple[Report, Entries, bool]]:
    """As ``settled.verify``, on the cluster whose scheduler is at ``address``, or on a new local one."""
    settings = settings_of(tell, heuristics, by, plot, vantage)
    # of what is lost and can't be mended, one line is said here
    with silence_logging_cmgr(logging.CRITICAL), _client(address) as client:
        yield from _verify(client, names, settings, limit)


def _client(address: str | None) -> distributed.Client:
    if address is None:
        return distributed.Client(
            n_workers=len(os.sched_getaffinity(0)),
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            # a terminal's Ctrl-C reaches the workers, too: it is this process that ends them
            preload="import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)",
        )
    try:
        return distributed.Client(address)
    except (OSError, ValueError) as error:
        raise EngineError(f"no Dask scheduler at {address}: {error}") from None


def _verify(
    client: distributed.Client, names: list[str], settings: dict[str, int], limit: int | None
) -> Iterator[tuple[Report, Entries, bool]]:
    def submit(number: int, pickled: bytes | None = None) -> distributed.Future:
        # the client is where the standard input and relative names are
        name = names[number] if "://" in names[number] else os.path.abspath(names[number])
        return client.submit(walk, name, number, settings, limit, pickled, pure=False)

    waiting: deque[distributed.Future] = deque()
    submitted = 0
    datagrams = Datagrams()
    for number, name in enumerate(names):
        most = max(1, AHEAD * sum(client.nthreads().values()))
        while submitted < len(names) and len(waiting) < most:
            waiting.append(submit(submitted))
            submitted += 1
        walked = _result(waiting.popleft(), name)
        if len(datagrams):
            if walked.keys & datagrams.keys() or walked.datagrams.most + len(datagrams) > DATAGRAMS:
                walked = _result(submit(number, pickle.dumps(datagrams)), name)
            else:
                walked.datagrams = Datagrams([datagrams, walked.datagrams])
        report, datagrams = walked.report, walked.datagrams
        report.name = name
        for entries in walked.entries:
            yield from groups(report, entries, names)
        yield from ended(report, datagrams, names, number, settings, limit)


def _result(future: distributed.Future, name: str) -> Walked:
    try:
        return future.result()
    except distributed.KilledWorker:
        raise EngineError(f"{name}: each worker that began to read it was lost") from None
    except distributed.client.FutureCancelledError:
        raise EngineError(f"{name}: the Dask scheduler was lost before it was read") from None
    except Exception as error:
        # a worker of another Carrychain, or with none
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise EngineError(f"{name}: a worker could not read it: {what}") from None
