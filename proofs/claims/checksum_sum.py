# SPDX-License-Identifier: MIT
"""The sum of the 16-bit words, modulo 65535; an odd last byte is the lower half of one.

Data are at any address: none of the paths that is taken depends on it.
"""

KERNELS = r"cc_checksum_(mot|ibm|deferred)\w*_(avx2|avx512|avx512vnni)"
CASES = [(n,) for n in range(1025)]


def prove(path, function, n):
    data = path.array("data", n, grain=1, align=1)
    total = path.low(path.call(function, data, n), 32).polynomial
    path.equal(total, data.words(), 65535)
