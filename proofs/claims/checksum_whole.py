# SPDX-License-Identifier: MIT
"""The checksum: 65535 less the sum of the 16-bit words, modulo 65535; 65535 only if all bytes are 0.

At least 33 bytes, as its caller sees to; where data begin is as in checksum_sum.py.
"""

from . import ANYWHERE, SIZES, data_of

KERNELS = r"cc_checksum_whole_(avx2|avx512|avx512vnni)"
CASES = [case for case in SIZES if case[0] > 32]


def prove(path, function, n, offset=ANYWHERE):
    data = data_of(path, function, n, offset)
    total = 65535 - path.low(path.call(function, data, n), 16).polynomial
    path.equal(total, data.words(), 65535)
    path.only_zeros(total, data)
