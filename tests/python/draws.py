"""Where random cases come from: CC_TEST_SEED and a name, so that no two tests share a stream.

The same number gives the same cases, whichever tests run, in which order and in which process.  Without one
it is drawn once; what this process starts has it from the environment.
"""

import hashlib
import os
import random

GIVEN = int(os.environ.setdefault("CC_TEST_SEED", str(int.from_bytes(os.urandom(8), "little"))), 0)


def seed(name: str) -> int:
    """64 bits for what has this name."""
    return int.from_bytes(hashlib.sha256(f"{GIVEN} {name}".encode()).digest()[:8], "little")


def random_for(name: str) -> random.Random:
    return random.Random(seed(name))
