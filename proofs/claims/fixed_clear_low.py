# SPDX-License-Identifier: MIT
"""B^n (t[n .. 2n - 1] + B^n carry) = t + q m, for a q of 0 ... B^n - 1; the low words are anything then."""

from ..path import B

KERNELS = r"cc_fixed_clear_low_\w+"
CASES = [(n,) for n in range(8, 65, 8)]


def prove(path, function, n):
    t = path.array("t", 2 * n, writable=True)
    m, m0 = path.odd("m", n)
    carry = path.call(function, t, m, n, m0).polynomial
    total = (t.after(n) + carry * B**n) * B**n - t.before()
    path.multiple(total, m.before(), B**n)
