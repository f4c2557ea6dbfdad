"""What ends a command early: Ctrl-C, a termination signal, and a closed terminal."""

import os
import signal

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
