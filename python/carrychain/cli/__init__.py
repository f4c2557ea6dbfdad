"""The ``carrychain`` command."""

import os
import sys

INTERRUPTED = 130


def ends():
    """The signals that end a command as Ctrl-C does: of who stops it, and of a terminal that is closed."""
    import signal

    return signal.SIGINT, signal.SIGTERM, signal.SIGHUP


def interrupted(*_):
    """Ends the process at once, with one line: Ctrl-C, where there is nothing to clean up."""
    try:
        os.write(2, b"carrychain: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


def main():
    # Ctrl-C may come while the imports run, this first one among them.
    try:
        import signal

        for number in ends():
            # who started us may have had it ignored
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, interrupted)
        from .run import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        interrupted()
    sys.exit(status)
