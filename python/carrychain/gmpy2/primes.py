"""Probable primes: each test as gmpy2 documents it, and what is_prime() does not say."""

from ._gmpy2 import bit_scan1, gcd, is_prime, is_square, jacobi, mpz, powmod
from .sequences import lucas_pair, natural
from .taken import members, whole


def is_probab_prime(x, n=25, /) -> int:
    """2 if x is prime for certain, 1 if it is prime by is_prime(), 0 if it is not prime."""
    x = whole(x)
    natural(n)
    if not is_prime(x):
        return 0
    return 2 if x >> 64 == 0 else 1


def prev_prime(x, /) -> mpz:
    """The greatest prime below x, by the test of is_prime(); ValueError if there is none."""
    x = whole(x, "prev_prime() requires 'mpz' argument")
    if x < 3:
        raise ValueError("x must be >= 3")
    if x == 3:
        return mpz(2)
    x -= 2 if x.is_odd() else 1
    while not is_prime(x):
        x -= 2
    return x


def _candidate(name: str, n: mpz) -> None:
    if n <= 0:
        raise ValueError(f"{name}() requires 'n' be greater than 0")


def _decided(n: mpz) -> bool | None:
    """Of 1 and even numbers, whether they are prime."""
    if n == 1:
        return False
    return n == 2 if n.is_even() else None


def _of_base(name: str, n, a) -> tuple[mpz, mpz, bool | None]:
    n, a = members(name, n, a)
    if a < 2:
        raise ValueError(f"{name}() requires 'a' greater than or equal to 2")
    _candidate(name, n)
    known = _decided(n)
    if known is None and gcd(n, a) != 1:
        raise ValueError(f"{name}() requires gcd(n,a) == 1")
    return n, a, known


def is_fermat_prp(n, a, /) -> bool:
    """Whether a**(n - 1) is 1 modulo n."""
    n, a, known = _of_base("is_fermat_prp", n, a)
    return powmod(a, n - 1, n) == 1 if known is None else known


def is_euler_prp(n, a, /) -> bool:
    """Whether a**((n - 1) / 2) is the Jacobi symbol (a / n) modulo n."""
    n, a, known = _of_base("is_euler_prp", n, a)
    return powmod(a, n >> 1, n) == jacobi(a, n) % n if known is None else known


def is_fibonacci_prp(n, p, q, /) -> bool:
    """Whether V(n) of the Lucas sequence of p and q is p modulo n."""
    n, p, q = members("is_fibonacci_prp", n, p, q)
    if p * p == 4 * q or q not in (1, -1) or p <= 0:
        raise ValueError("invalid values for p,q in is_fibonacci_prp()")
    _candidate("is_fibonacci_prp", n)
    known = _decided(n)
    return lucas_pair(p, q, n, n)[1] == p % n if known is None else known


def _of_sequence(name: str, n, p, q) -> tuple[mpz, mpz, mpz, mpz, bool | None]:
    n, p, q = members(name, n, p, q)
    d = p * p - 4 * q
    if not d:
        raise ValueError(f"invalid values for p,q in {name}()")
    _candidate(name, n)
    known = _decided(n)
    if known is None and gcd(n, 2 * q * d) not in (1, n):
        raise ValueError(f"{name}() requires gcd(n,2*q*D) == 1")
    return n, p, q, d, known


def is_lucas_prp(n, p, q, /) -> bool:
    """Whether U(n - (D / n)) of the Lucas sequence of p and q is 0 modulo n."""
    n, p, q, d, known = _of_sequence("is_lucas_prp", n, p, q)
    return _passes_lucas(n, p, q, d) if known is None else known


def _passes_lucas(n: mpz, p, q, d) -> bool:
    return not lucas_pair(p, q, n - jacobi(d, n), n)[0]


def is_strong_lucas_prp(n, p, q, /) -> bool:
    """The same with the last doublings: of n - (D / n) = s 2**r, whether U(s) or a V(s 2**t) is 0, t < r."""
    n, p, q, d, known = _of_sequence("is_strong_lucas_prp", n, p, q)
    return _passes_lucas_strongly(n, p, q, d) if known is None else known


def _passes_lucas_strongly(n: mpz, p, q, d) -> bool:
    k = n - jacobi(d, n)
    twos = bit_scan1(k)
    k >>= twos
    u, v = lucas_pair(p, q, k, n)
    if not u:
        return True
    power = powmod(q, k, n)
    for _ in range(twos):
        if not v:
            return True
        v, power = (v * v - 2 * power) % n, power * power % n
    return False


def is_extra_strong_lucas_prp(n, p, /) -> bool:
    """The strong test with q = 1, where V(s) must be 2 or -2 beside U(s) = 0."""
    n, p = members("is_extra_strong_lucas_prp", n, p)
    d = p * p - 4
    if not d:
        raise ValueError("invalid value for p in is_extra_strong_lucas_prp()")
    _candidate("is_extra_strong_lucas_prp", n)
    known = _decided(n)
    if known is not None:
        return known
    if gcd(n, 2 * d) not in (1, n):
        raise ValueError("is_extra_strong_lucas_prp() requires gcd(n,2*D) == 1")
    k = n - jacobi(d, n)
    twos = bit_scan1(k)
    u, v = lucas_pair(p, mpz(1), k >> twos, n)
    if not u and v in (2 % n, n - 2):
        return True
    for _ in range(twos):
        if not v:
            return True
        v = (v * v - 2) % n
    return False


def _selfridge(n: mpz) -> mpz | None:
    """The first D of 5, -7, 9, -11 ... with (D / n) = -1; None if n is a square or shares a factor with D."""
    if is_square(n):
        return None
    d = mpz(5)
    while (symbol := jacobi(d, n)) != -1:
        if not symbol and abs(d) % n:
            return None
        d = -d - 2 if d > 0 else -d + 2
    return d


def _by_selfridge(name: str, n, passes) -> bool:
    (n,) = members(name, n)
    _candidate(name, n)
    # a prime passes, and so does what is_prime() takes for one: it has passed the strong test
    if is_prime(n):
        return True
    if n == 1 or n.is_even():
        return False
    d = _selfridge(n)
    return d is not None and passes(n, mpz(1), (1 - d) // 4, d)


def is_selfridge_prp(n, /) -> bool:
    """is_lucas_prp() with p = 1 and q = (1 - D) / 4 for the first D of 5, -7, 9 ... with (D / n) = -1."""
    return _by_selfridge("is_selfridge_prp", n, _passes_lucas)


def is_strong_selfridge_prp(n, /) -> bool:
    """is_strong_lucas_prp() with the parameters of is_selfridge_prp()."""
    return _by_selfridge("is_strong_selfridge_prp", n, _passes_lucas_strongly)


def is_bpsw_prp(n, /) -> bool:
    """Whether n passes is_strong_prp() to the base 2 and is_selfridge_prp(); no composite known does."""
    (n,) = members("is_bpsw_prp", n)
    _candidate("is_bpsw_prp", n)
    return is_prime(n)


def is_strong_bpsw_prp(n, /) -> bool:
    """Whether n passes is_strong_prp() to the base 2 and is_strong_selfridge_prp()."""
    (n,) = members("is_strong_bpsw_prp", n)
    _candidate("is_strong_bpsw_prp", n)
    return is_prime(n)
