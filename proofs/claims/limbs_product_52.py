# SPDX-License-Identifier: MIT
"""z = x y, or x^2, by digits of 52 bits: of vectors in registers, of tiles, and, by few words, of columns.

Congruent modulo B^(m + n), below which both are.  Of few words they are another's.
"""

from ..path import B

KERNELS = r"cc_limbs_(mul|sqr)_basecase_avx512ifma"
CASES = [
    *((m, 3) for m in range(16, 48)),
    *((m, n) for n in range(4, 9) for m in (16, 18, 20, 23, 26, 29, 33, 34, 36, 39, 43, 66)),
    *((n, n) for n in (*range(1, 65), 96, 128)),
    *((m, n) for n in (7, 13, 19, 20, 26, 27, 33, 40, 60) for m in (n + 1, n + 6, 32, 33, 70) if m > n),
]


def prove(path, function, m, n):
    square = "sqr" in function
    z, x = path.output("z", m + (m if square else n)), path.array("x", m)
    y = x if square else path.array("y", n)
    path.call(function, z, x, m, *([] if square else [y, n]))
    path.equal(z.after(), x.before() * y.before(), B ** (m + (m if square else n)))
