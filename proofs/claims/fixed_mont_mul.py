# SPDX-License-Identifier: MIT
"""B^w r = a b modulo m, and r < m, where a b < B^w m and m is odd; r may be a or b, and b be a.

With B^w t = a b + q m, 0 <= q < B^w, it is t < 2m; of it m is subtracted, unless that borrows.
"""

import re

KERNELS = r"cc_fixed_mont_(mul|sqr)_\d_\w+"
APART, A, BOTH, SQUARE = range(4)  # where r is; and b, which a square takes for a in any case
CASES = [(APART,), (A,), (BOTH,), (SQUARE,)]


def prove(path, function, place):
    n = int(re.search(r"_(\d)_", function)[1])
    m, m0 = path.odd("m", n)
    a = path.array("a", n, writable=place in (A, BOTH), below=m)
    b = a if place in (BOTH, SQUARE) or "sqr" in function else path.array("b", n)
    r = path.output("r", n) if place in (APART, SQUARE) else a
    path.call(function, r, a, b, m, path.anything(), m0)
    path.reduced(r, a.before() * b.before(), m, n)
