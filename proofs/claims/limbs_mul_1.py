# SPDX-License-Identifier: MIT
"""z + B^n carry = x w, z + x w, or z - B^n borrow = z - x w; z may be x."""

from ..path import B
from . import LENGTHS

KERNELS = r"cc_limbs_(mul|addmul|submul)_1_\w+"
CASES = [(n, alias) for alias in range(2) for n in LENGTHS]


def prove(path, function, n, alias):
    sign = -1 if "submul" in function else 1
    x, w = path.array("x", n, writable=alias), path.word("w")
    adds = "addmul" in function or "submul" in function
    z = x if alias else path.array("z", n, known=adds, writable=True)
    carry = path.call(function, z, x, n, w).polynomial
    product = x.before() * w.polynomial * sign
    path.equal(z.after() + carry * (sign * B**n), product + z.before() if adds else product)
