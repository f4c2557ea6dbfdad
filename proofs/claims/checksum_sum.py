# SPDX-License-Identifier: MIT
"""The sum of the 16-bit words, modulo 65535, and 0 only if all bytes are; an odd last one is a lower half.

Data begin at any address; but where it decides of the path, so far from a multiple of 64.
"""

from . import ANYWHERE, SIZES, data_of

KERNELS = r"cc_checksum_(mot|ibm|deferred)\w*_(avx2|avx512|avx512vnni)"
CASES = SIZES


def prove(path, function, n, offset=ANYWHERE):
    data = data_of(path, function, n, offset)
    total = path.low(path.call(function, data, n), 32).polynomial
    path.equal(total, data.words(), 65535)
    path.only_zeros(total, data)
