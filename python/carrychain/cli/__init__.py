"""The ``carrychain`` command."""

import sys


def main():
    # Ctrl-C may come while the imports run, this first one among them.
    try:
        from .interrupts import end_at_once

        end_at_once()
        from .run import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        from .interrupts import interrupted

        interrupted()
    sys.exit(status)
