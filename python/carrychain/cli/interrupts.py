"""What ends a command early: Ctrl-C, a termination signal, and a closed terminal."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupted(*_):
    """Ends the process at once with one line. Used while there is nothing to clean up."""
    try:
        os.write(2, b"carrychain: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


def end_at_once():
    for number in SIGNALS:
        # who started us may have had it ignored
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupted)


@contextmanager
def first_signal() -> Iterator[Event]:
    """An event that the first Ctrl-C or termination signal sets. The second one acts as usual."""
    event = Event()
    # whoever started us may have ignored it
    before = {
        number: handler for number in SIGNALS if (handler := signal.getsignal(number)) != signal.SIG_IGN
    }

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def interrupt(*_) -> None:
        restore()
        event.set()

    for number in before:
        signal.signal(number, interrupt)
    try:
        yield event
    finally:
        restore()
