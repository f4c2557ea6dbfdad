"""The suite integer: carrychain.Integer and other Python integers, timed in Python, calls included.

The size is in decimal digits. Integers cache their hashes, as gmpy2's do.
"""

import random
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from timeit import Timer

from carrychain.bindings.integer import Integer

from . import constants
from .timing import ANY, Only, row

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
# by methods that flint.fmpz has, too
PI, E = "str(constants.pi(T, digits, T.isqrt))", "str(constants.e(T, digits))"
# ours and the peers' own: xz is the product of x and z, power is 3 to half as many digits, times z
THEORY = {
    "iroot 3": ("x.iroot(3)", {"gmpy2.mpz": "lib.iroot(x, 3)", "flint.fmpz": "x.root(3)"}),
    "iroot_rem 5": ("x.iroot_rem(5)", {"gmpy2.mpz": "lib.iroot_rem(x, 5)"}),
    "is_power": ("x.is_power()", {"gmpy2.mpz": "lib.is_power(x)", "flint.fmpz": "x.is_perfect_power()"}),
    "divexact": ("xz.divexact(z)", {"gmpy2.mpz": "lib.divexact(xz, z)"}),
    "is_prime": ("prime.is_prime()", {"gmpy2.mpz": "lib.is_prime(prime)"}),
    "next_prime": ("x.next_prime()", {"gmpy2.mpz": "lib.next_prime(x)"}),
    "factorial": ("T.factorial(digits)", {"gmpy2.mpz": "lib.fac(digits)", "flint.fmpz": "T.fac_ui(digits)"}),
    "primorial": (
        "T.primorial(digits)",
        {"gmpy2.mpz": "lib.primorial(digits)", "flint.fmpz": "T.primorial_ui(digits)"},
    ),
    "binomial": ("T.binomial(digits, digits // 2)", {"gmpy2.mpz": "lib.comb(digits, digits // 2)"}),
    "lucas": ("T.lucas(digits)", {"gmpy2.mpz": "lib.lucas(digits)"}),
    "remove 3": ("power.remove(3)", {"gmpy2.mpz": "lib.remove(power, 3)"}),
    # the digits as text
    "pi": (
        PI,
        {"gmpy2.mpz": "str(constants.pi(T, digits, lib.isqrt))", "flint.fmpz": PI},
    ),
    "e": (E, dict.fromkeys(("gmpy2.mpz", "flint.fmpz"), E)),
}
# a power takes as long as so many products as it has bits
LONGEST = {"powmod": 1000, "is_prime": 1000, "next_prime": 1000}
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


@cache
def _prime(digits: int) -> int:
    """The first prime of so many digits; 2 where none is timed."""
    return int((Integer(10) ** (digits - 1)).next_prime()) if digits <= LONGEST["is_prime"] else 2


def _timer(statement: str, of: type, digits: int) -> Timer:
    source = random.Random(digits)
    x, y, m = (source.randrange(10 ** (digits - 1), 10**digits) for _ in range(3))
    z = y >> y.bit_length() // 2
    names = {"x": of(x), "y": of(y), "z": of(z), "m": of(m | 1), "same": of(x)}
    products = {"xz": of(x * z), "power": of(3**digits * z), "prime": of(_prime(digits))}
    others = {
        "T": of,
        "constants": constants,
        "lib": import_module(of.__module__),
        "number": x,
        "digits": digits,
        "text": str(Integer(x)),
    }
    return Timer(statement, globals={**names, **products, **others})


def rows(*, quick: bool = False, only: Only = ANY) -> Iterator[dict]:
    """Rows as the bench program's, one per peer; without peers, only ours."""
    peers = present() or {None: None}
    statements = {case: (ours, dict.fromkeys(peers, ours)) for case, ours in CASES.items()} | THEORY
    for case, (ours, theirs) in statements.items():
        for digits in SIZES:
            if digits > LONGEST.get(case, digits) or not only.wants(case, digits):
                continue
            for peer in peers:
                if peer and peer not in theirs:
                    continue
                timers = [_timer(ours, Integer, digits)]
                if peer:
                    timers.append(_timer(theirs[peer], peers[peer], digits))
                times = row(timers, ROUNDS_QUICK if quick else ROUNDS, BATCH_NS)
                yield {"suite": NAME, "case": case, "size": digits, "impl": "Integer", "peer": peer} | times
