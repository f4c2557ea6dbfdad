# SPDX-License-Identifier: MIT
"""z + B^n out = x 2^c; or B z + out = B x / 2^c, out the bits that left at the top of a word.

Left, z may be @above words above x; right, as many below.
"""

from ..path import B

KERNELS = r"cc_limbs_[lr]shift_\w+"
CASES = [
    *((n, count, -1) for n in range(41) for count in range(64)),
    *((n, count, above) for n in range(1, 17) for count in (0, 1, 63) for above in range(n + 1)),
    *((n, count, 0) for n in (64, 128, 256) for count in (0, 1, 63)),
]
APART = -1


def prove(path, function, n, count, above):
    left = "lshift" in function
    if above == APART:
        x, z, first_x, first_z = path.array("x", n), path.output("z", n), 0, 0
    else:
        x = z = path.array("x", n + above)
        first_x, first_z = (0, above) if left else (above, 0)
        x.stores = range(8 * first_z, 8 * (first_z + n))
    out = path.call(function, z.at(first_z), x.at(first_x), n, path.integer(count, 32)).polynomial
    before, after = x.before(first_x, first_x + n), z.after(first_z, first_z + n)
    if left:
        path.equal(after + out * B**n, before * (1 << count))
    elif n:
        path.equal(after * B + out, before * (B >> count))
    else:
        path.equal(out, path.number(0))
