# SPDX-License-Identifier: MIT
"""r R = x y + Σ q_j b^j (b n - 1) + q_(d - 1) b^(d - 1) m, j < d - 1, in eight lanes; b = 2^52, R = b^d.

Digits are the lowest 52 bits of words; r's topmost is all of its word, and the m above the last is 0.  As
b n = 1 + k m, r R is x y + s m, congruent to x y modulo m, where s = Σ q_j k b^j + q_(d - 1) b^(d - 1); and
s < 2 R, since q_j and k are below b: so r < x y / R + 2 m.
"""

KERNELS = r"cc_fixed_many_(mul|sqr)_avx512ifma"
APART, X = range(2)  # where r is
CASES = [*((d, APART) for d in (10, 20, 40, 60, 80)), *((d, X) for d in (10, 20, 40))]
LANES, BITS = 8, 52


def prove(path, function, d, place):
    def vectors(label, count, **options):
        return path.array(label, LANES * count, align=64, **options)

    def digits(array, lane, first=0, last=0):
        return [path.part(array, LANES * j + lane, BITS) for j in range(first, last)]

    def number(found):
        return sum((digit * (1 << BITS * j) for j, digit in enumerate(found)), path.number(0))

    m, n = vectors("m", d + 1), vectors("n", d)
    q = vectors("q", d, known=False, writable=True)
    x = vectors("x", d, writable=place == X)
    y = vectors("y", d) if "mul" in function else x
    r = x if place == X else vectors("r", d, known=False, writable=True)
    moduli = path.array("moduli", 16, align=64)
    for index, value in enumerate([d, m, n, q]):
        path.fill(moduli, index, value)
    for lane in range(LANES):
        path.fill(m, LANES * d + lane, 0)
        path.inverse(moduli, 8 + lane, m, lane, BITS)
    products = [number(digits(x, lane, 0, d)) * number(digits(y, lane, 0, d)) for lane in range(LANES)]
    path.call(function, moduli, r, x, *([y] if "mul" in function else []))
    for lane, product in enumerate(products):
        top = path.part(r, LANES * (d - 1) + lane, 64)
        result = number([*digits(r, lane, 0, d - 1), top])
        quotient = digits(q, lane, 0, d)
        reduced = number(quotient[:-1]) * (number(digits(n, lane, 0, d)) * (1 << BITS) - 1)
        last = quotient[-1] * number(digits(m, lane, 0, d)) * (1 << BITS * (d - 1))
        path.equal(result * (1 << BITS * d), product + reduced + last)
