# SPDX-License-Identifier: MIT
"""log2 of R, which is whole digits of 52 bits, and not below 2 B^n."""

from ..identity import Refused

KERNELS = r"cc_fixed_radix_(8_)?(avx2|avx512ifma)"
CASES = [(n,) for n in range(1, 129)]


def prove(path, function, n):
    bits = path.known(path.call(function, n))
    if bits % 52 or bits <= 64 * n:
        raise Refused(f"{bits} bits for {n} words")
