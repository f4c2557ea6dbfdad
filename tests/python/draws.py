"""Where random cases come from: CC_TEST_SEED and a name, so that no two tests share a stream.

The same number gives the same cases, whichever tests run, in which order and in which process.  Without one
it is drawn once; what this process starts has it from the environment.
"""

import hashlib
import os
import random
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

# all cases, where a test else draws some
LONG = bool(os.environ.get("CC_TEST_LONG"))
GIVEN = int(os.environ.setdefault("CC_TEST_SEED", str(int.from_bytes(os.urandom(8), "little"))), 0)


def seed(name: str) -> int:
    """64 bits for what has this name."""
    return int.from_bytes(hashlib.sha256(f"{GIVEN} {name}".encode()).digest()[:8], "little")


def random_for(name: str) -> random.Random:
    return random.Random(seed(name))


def share(name: str, cases: Iterable[Case], of: int) -> list[Case]:
    """One in ``of`` cases, and at least one, in their order; all where tests are long."""
    every = list(cases)
    some = range(len(every)) if LONG else random_for(name).sample(range(len(every)), -(-len(every) // of))
    return [every[i] for i in sorted(some)]
