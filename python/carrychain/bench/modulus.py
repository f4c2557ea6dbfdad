"""The suite modulus: carrychain.Modulus, Python's pow and gmpy2, timed in Python, calls included.

The size is in bits: of an odd modulus, of bases and, unless stated otherwise, of exponents.  Inverses are
of many numbers in turn: of a single one the processor learns the branches, which is half of gmpy2's time
for 256 bits.
"""

import random
from collections.abc import Iterator
from itertools import cycle
from math import gcd
from timeit import Timer

from carrychain.bindings.modulus import Modulus

from .timing import ANY, Only, row

try:
    import gmpy2
except ImportError:
    gmpy2 = None

NAME = "modulus"
SIZES = (256, 1024, 2048, 4096)
# ours, and the peers'
CASES = {
    "pow": ("M.pow(b, e)", "pow(b, e, m)", "gmpy2.powmod_sec(b, e, m)", "gmpy2.powmod(b, e, m)"),
    "pow_many 8": (
        "M.pow_many(bs, e)",
        "[pow(b, e, m) for b in bs]",
        "[gmpy2.powmod_sec(b, e, m) for b in bs]",
        "gmpy2.powmod_base_list(bs, e, m)",
    ),
    "pow_public 65537": ("M.pow_public(b, 65537)", "pow(b, 65537, m)", "gmpy2.powmod(b, 65537, m)"),
    "inverse": ("M.inverse(next(every))", "pow(next(every), -1, m)", "gmpy2.invert(next(every), m)"),
    "inverse_public": (
        "M.inverse_public(next(every))",
        "pow(next(every), -1, m)",
        "gmpy2.invert(next(every), m)",
    ),
}
NUMBERS = 512
ROUNDS, ROUNDS_QUICK = 15, 5
BATCH_NS = 1_000_000


def absent() -> list[str]:
    """The peers that are missing, and how to get them."""
    return [] if gmpy2 else ["gmpy2 (pip install gmpy2)"]


def _timer(statement: str, bits: int) -> Timer:
    source = random.Random(bits)
    m = source.getrandbits(bits) | 1 << bits - 1 | 1
    e, *others = (source.getrandbits(bits) for _ in range(2 * NUMBERS))
    bs = [each % m for each in others if gcd(each, m) == 1][:NUMBERS]
    of = gmpy2.mpz if "gmpy2" in statement else int
    names = {
        "b": of(bs[0]),
        "bs": [of(b) for b in bs[:8]],
        "every": cycle([of(b) for b in bs]),
        "e": of(e),
        "m": of(m),
        "M": Modulus(m),
        "gmpy2": gmpy2,
    }
    return Timer(statement, globals=names)


def rows(*, quick: bool = False, only: Only = ANY) -> Iterator[dict]:
    """Rows as the bench program's, one per peer."""
    for case, (ours, *peers) in CASES.items():
        for bits in SIZES:
            for peer in peers:
                if ("gmpy2" in peer and not gmpy2) or not only.wants(case, bits):
                    continue
                timers = [_timer(each, bits) for each in (ours, peer)]
                times = row(timers, ROUNDS_QUICK if quick else ROUNDS, BATCH_NS)
                name = peer.removeprefix("[").partition("(")[0]
                yield {"suite": NAME, "case": case, "size": bits, "impl": "Modulus", "peer": name} | times
