# SPDX-License-Identifier: MIT
"""z + B^n carry = x + y, or z - B^n borrow = x - y; z may be x or y."""

from ..path import B
from . import LENGTHS

KERNELS = r"cc_limbs_(add|sub)_\w+"
APART, X, Y = range(3)  # where z is
CASES = [(n, place) for place in (APART, X, Y) for n in LENGTHS]


def prove(path, function, n, place):
    sign = 1 if "add" in function else -1
    x, y = (path.array(label, n, writable=place == at) for label, at in (("x", X), ("y", Y)))
    z = (path.output("z", n), x, y)[place]
    carry = path.call(function, z, x, y, n).polynomial
    path.equal(z.after() + carry * (sign * B**n), x.before() + y.before() * sign)
