"""The ``carrychain`` command."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    try:
        # Ctrl-C may come while the imports run, too.
        from .run import run
    except KeyboardInterrupt:
        print("carrychain: interrupted", file=sys.stderr)
        sys.exit(1)
    sys.exit(run(sys.argv[1:]))
