"""The suite integer: carrychain.Integer and other Python integers, timed in Python, calls included.

The size is in decimal digits. Integers cache their hashes, as gmpy2's do.
"""

import random
from collections.abc import Iterator
from importlib import import_module
from timeit import Timer

from carrychain.bindings.integer import Integer

from .timing import row

NAME = "integer"
SIZES = (10, 100, 1000, 10_000, 100_000, 1_000_000)
# T is the type; x, y and m have so many digits, z half of them; m is odd; number is the int of x
CASES = {
    "add": "x + y",
    "add int": "x + number",
    "add 1": "x + 1",
    "sub": "x - y",
    "mul": "x * y",
    "sqr": "x * x",
    "mul 3": "x * 3",
    "divmod": "divmod(x, z)",
    "mod 7": "x % 7",
    "neg": "-x",
    "and": "x & y",
    "shl": "x << 7",
    "shr": "x >> 7",
    "eq": "x == same",
    "eq int": "x == number",
    "less 1": "x < 1",
    "hash": "hash(x)",
    "from int": "T(number)",
    "int": "int(x)",
    "str": "str(x)",
    "parse": "T(text)",
    "powmod": "pow(x, y, m)",
}
# a power takes as long as so many products as it has bits
LONGEST = {"powmod": 1000}
PEERS = {"gmpy2.mpz": "gmpy2", "flint.fmpz": "python-flint"}
ROUNDS, ROUNDS_QUICK = 15, 5
BATCH_NS = 1_000_000


def _type(peer: str):
    module, name = peer.split(".")
    return getattr(import_module(module), name)


def present() -> dict[str, type]:
    found = {}
    for peer in PEERS:
        try:
            found[peer] = _type(peer)
        except ImportError:
            continue
    return found


def absent() -> list[str]:
    """The peers that are missing, and how to get them."""
    return [f"{peer} (pip install {package})" for peer, package in PEERS.items() if peer not in present()]


def _timer(statement: str, of: type, digits: int) -> Timer:
    source = random.Random(digits)
    x, y, m = (source.randrange(10 ** (digits - 1), 10**digits) for _ in range(3))
    names = {"x": of(x), "y": of(y), "z": of(y >> y.bit_length() // 2), "m": of(m | 1), "same": of(x)}
    return Timer(statement, globals={**names, "T": of, "number": x, "text": str(Integer(x))})


def rows(*, quick: bool = False) -> Iterator[dict]:
    """Rows as the bench program's, one per peer; without peers, only ours."""
    peers = present() or {None: None}
    for case, statement in CASES.items():
        for digits in SIZES:
            if digits > LONGEST.get(case, digits):
                continue
            for peer, theirs in peers.items():
                timers = [_timer(statement, each, digits) for each in (Integer, theirs) if each]
                times = row(timers, ROUNDS_QUICK if quick else ROUNDS, BATCH_NS)
                yield {"suite": NAME, "case": case, "size": digits, "impl": "Integer", "peer": peer} | times
