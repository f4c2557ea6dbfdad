"""Writes primes.txt, beside it: composites that pass a test, from published lists, and some primes.

Each list is checked as it is written, by CPython's integers: that its numbers are what they are said to be,
and that none is missing below the last.
"""

from pathlib import Path

HEAD = """\
# Composites that are primes to one test, and primes, all hexadecimal, written by primes.py:
#	strong k n: composite, and a strong probable prime to the first k primes as bases
#	lucas n: composite, and a strong Lucas probable prime by Selfridge's parameters
#	carmichael n: composite, and n divides b^n - b for every b
#	prime n
"""

A001262 = """
2047, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141, 52633, 65281, 74665, 80581, 85489, 88357, 90751,
104653, 130561, 196093, 220729, 233017, 252601, 253241, 256999, 271951, 280601, 314821, 357761, 390937,
458989, 476971, 486737"""

A217255 = """
5459, 5777, 10877, 16109, 18971, 22499, 24569, 25199, 40309, 58519, 75077, 97439, 100127, 113573, 115639,
130139, 155819, 158399, 161027, 162133, 176399, 176471, 189419, 192509, 197801, 224369, 230691, 231703,
243629, 253259, 268349, 288919, 313499, 324899"""

A002997 = """
561, 1105, 1729, 2465, 2821, 6601, 8911, 10585, 15841, 29341, 41041, 46657, 52633, 62745, 63973, 75361,
101101, 115921, 126217, 162401, 172081, 188461, 252601, 278545, 294409, 314821, 334153, 340561, 399001,
410041, 449065, 488881, 512461"""

A014233 = """
2047, 1373653, 25326001, 3215031751, 2152302898747, 3474749660383, 341550071728321, 341550071728321,
3825123056546413051, 3825123056546413051, 3825123056546413051, 318665857834031151167461,
3317044064679887385961981"""

# p1 of Arnault's composite p1 (313 (p1 - 1) + 1) (353 (p1 - 1) + 1)
ARNAULT = int(
    "29674495668685510550154174642905332730771991799853043350995075531276838753171770199594238596428121188033664754"
    "218345562493168782883"
)

# exponents of Mersenne primes, and primes in use
MERSENNE = (2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279)
PRIMES = {
    "2^255 - 19": 2**255 - 19,
    "2^448 - 2^224 - 1": 2**448 - 2**224 - 1,
    "P-192": 2**192 - 2**64 - 1,
    "P-224": 2**224 - 2**96 + 1,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "P-384": 2**384 - 2**128 - 2**96 + 2**32 - 1,
    "secp256k1": 2**256 - 2**32 - 977,
    "2^64 - 59": 2**64 - 59,
    "2^32 - 5": 2**32 - 5,
}


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def sieve(bound: int) -> list[bool]:
    prime = [False, False] + [True] * (bound - 2)
    for p in range(2, bound):
        if prime[p]:
            prime[p * p :: p] = [False] * len(range(p * p, bound, p))
    return prime


BASES = [p for p, prime in enumerate(sieve(307)) if prime]


def odd_part(n: int) -> tuple[int, int]:
    twos = (n & -n).bit_length() - 1
    return n >> twos, twos


def is_strong(n: int, base: int) -> bool:
    d, s = odd_part(n - 1)
    x = pow(base, d, n)
    return x == 1 or any(pow(x, 1 << i, n) == n - 1 for i in range(s))


def jacobi(a: int, n: int) -> int:
    a %= n
    symbol = 1
    while a:
        a, twos = odd_part(a)
        if twos % 2 and n % 8 in (3, 5):
            symbol = -symbol
        if a % 4 == n % 4 == 3:
            symbol = -symbol
        a, n = n % a, a
    return symbol if n == 1 else 0


def is_strong_lucas(n: int) -> bool:
    """By powers of the matrix that takes (U(k+1), U(k)) to the next pair."""
    if round(n**0.5) ** 2 == n:
        return False
    d = 5
    while jacobi(d, n) == 1:
        d = -d - 2 if d > 0 else -d + 2
    if not jacobi(d, n):
        return False
    q = (1 - d) // 4

    def times(x, y):
        (a, b), (c, e) = x
        (f, g), (h, i) = y
        return ((a * f + b * h) % n, (a * g + b * i) % n), ((c * f + e * h) % n, (c * g + e * i) % n)

    def lucas(k):
        result, power = ((1, 0), (0, 1)), ((1, -q), (1, 0))
        while k:
            if k & 1:
                result = times(result, power)
            power = times(power, power)
            k >>= 1
        (above, _), (u, _) = result
        return u, (2 * above - u) % n

    odd, s = odd_part(n + 1)
    return not lucas(odd)[0] or any(not lucas(odd << r)[1] for r in range(s))


def is_carmichael(n: int) -> bool:
    """Korselt's criterion."""
    rest = n
    for p in range(2, n):
        if p * p > rest:
            break
        if rest % p == 0:
            rest //= p
            if rest % p == 0 or (n - 1) % (p - 1):
                return False
    return rest < n and (rest == 1 or (n - 1) % (rest - 1) == 0)


def main() -> None:
    lines = [HEAD]

    def source(text: str) -> None:
        lines.append(f"\n# {text}\n")

    prime = sieve(520_000)
    odd = range(3, len(prime), 2)

    def complete(listed: list[int], passes) -> list[int]:
        assert listed == [n for n in odd if n <= listed[-1] and not prime[n] and passes(n)]
        return listed

    source("Strong pseudoprimes to base 2: OEIS A001262")
    lines += [f"strong 1 {n:x}\n" for n in complete(numbers(A001262), lambda n: is_strong(n, 2))]
    source("The least strong pseudoprimes to the first k primes (psi_k of Jaeschke 1993): OEIS A014233")
    for k, n in enumerate(numbers(A014233), 1):
        assert all(is_strong(n, base) for base in BASES[:k])
        lines.append(f"strong {k:x} {n:x}\n")
    source("Arnault 1995, Constructing Carmichael numbers which are strong pseudoprimes to several bases")
    n = ARNAULT * (313 * (ARNAULT - 1) + 1) * (353 * (ARNAULT - 1) + 1)
    assert len(str(n)) == 397
    assert all(is_strong(n, base) for base in BASES)
    lines.append(f"strong {len(BASES):x} {n:x}\n")
    source("Strong Lucas pseudoprimes: OEIS A217255")
    lines += [f"lucas {n:x}\n" for n in complete(numbers(A217255), is_strong_lucas)]
    source("Carmichael numbers: OEIS A002997")
    lines += [f"carmichael {n:x}\n" for n in complete(numbers(A002997), is_carmichael)]
    source("Mersenne primes: OEIS A000043")
    lines += [f"prime {2**p - 1:x}\n" for p in MERSENNE]
    source("Moduli in use (SP 800-186, RFC 7748, SEC 2), and the last primes of a word")
    lines += [f"prime {n:x}\n" for n in PRIMES.values()]

    Path(__file__).with_suffix(".txt").write_text("".join(lines))


if __name__ == "__main__":
    main()
