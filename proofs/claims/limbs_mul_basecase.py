# SPDX-License-Identifier: MIT
"""z = x y.

Both are below B^(m + n), so that it is enough that they are congruent modulo that.
"""

from ..path import B

KERNELS = r"cc_limbs_mul_basecase_(?!avx512ifma)\w+"
CASES = [
    *((m, n) for n in range(1, 17) for m in range(n, 17)),
    *((m, n) for n in (1, 2) for m in range(17, 40)),
    *((m, n) for n in range(1, 41) for m in (n, n + 1, 40) if 16 < m <= 40 and (m != 40 or n < 39)),
    *((m, n) for m in (40, 41) for n in (39, 40) if m >= n),
]


def prove(path, function, m, n):
    z, x, y = path.output("z", m + n), path.array("x", m), path.array("y", n)
    path.call(function, z, x, m, y, n)
    path.equal(z.after(), x.before() * y.before(), B ** (m + n))
