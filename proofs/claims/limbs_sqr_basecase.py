# SPDX-License-Identifier: MIT
"""z = x^2; both are below B^2n, so that it is enough that they are congruent modulo that."""

from ..path import B

KERNELS = r"cc_limbs_sqr_basecase_(?!avx512ifma)\w+"
CASES = [*((n,) for n in range(1, 41)), (64,)]


def prove(path, function, n):
    z, x = path.output("z", 2 * n), path.array("x", n)
    path.call(function, z, x, n)
    path.equal(z.after(), x.before() * x.before(), B ** (2 * n))
