# SPDX-License-Identifier: MIT
"""z = x y, or x^2, of one width; congruent modulo B^2w, below which both are."""

import re

from ..path import B

KERNELS = r"cc_fixed_(mul|sqr)_\d+_(x86_64|bmi2adx)"
CASES = [()]


def prove(path, function):
    n = int(re.search(r"_(\d+)_", function)[1])
    z, x = path.output("z", 2 * n), path.array("x", n)
    y = path.array("y", n) if "mul" in function else x
    path.call(function, z, x, *([y, n] if "mul" in function else [n]))
    path.equal(z.after(), x.before() * y.before(), B ** (2 * n))
