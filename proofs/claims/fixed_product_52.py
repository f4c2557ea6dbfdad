# SPDX-License-Identifier: MIT
"""z = x y, or x^2, of n words by digits of 52 bits: of vectors in registers, above 32 words of tiles.

Congruent modulo B^2n, below which both are.  Eight words and less are another's.
"""

from ..path import B

KERNELS = r"cc_fixed_(mul|sqr)_avx512ifma"
CASES = [(n,) for n in (*range(9, 65), 96, 128)]


def prove(path, function, n):
    z, x = path.output("z", 2 * n), path.array("x", n)
    y = path.array("y", n) if "mul" in function else x
    path.call(function, z, x, *([y, n] if "mul" in function else [n]))
    path.equal(z.after(), x.before() * y.before(), B ** (2 * n))
