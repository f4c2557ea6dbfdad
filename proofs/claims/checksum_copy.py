# SPDX-License-Identifier: MIT
"""to = from, and its sum as in checksum_sum.py."""

from . import SIZES

KERNELS = r"cc_checksum_copy_(avx2|avx512)"
CASES = [case for case in SIZES if len(case) == 1]


def prove(path, function, n):
    to = path.array("to", n, grain=1, align=1, known=False, writable=True)
    data = path.array("from", n, grain=1, align=1)
    total = path.low(path.call(function, to, data, n), 32).polynomial
    path.equal(to.after(), data.before())
    path.equal(total, data.words(), 65535)
    path.only_zeros(total, data)
