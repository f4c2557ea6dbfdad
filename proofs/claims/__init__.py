# SPDX-License-Identifier: MIT
"""What each kernel computes: one file an operation.

A claim's module has

    KERNELS         a pattern of the names of the functions that it is about
    CASES           the widths at which it is proven, each a tuple of integers
    prove(path, function, *case)    makes the arguments, calls, and says what holds; Refused if it does not

The same module is given a Path, over which what holds is proven, or an Emulated, whose contents are known and
with which it is tried (emulated.py).
"""

import functools
import importlib
import pkgutil
import re

LENGTHS = [*range(41), 64, 128, 256]

# of bytes, and of how many beyond a multiple of 64 they begin where that decides
ALIGNED_FROM = 1024
ANYWHERE = -1
SIZES = [*((n,) for n in range(ALIGNED_FROM)), *((ALIGNED_FROM, offset) for offset in range(64))]


def data_of(path, function, n, offset):
    """A checksum's bytes: only one tier looks at where they begin."""
    decides = offset != ANYWHERE and "avx512vnni" in function
    return path.array("data", n, grain=1, **({"align": 64, "offset": offset} if decides else {"align": 1}))


@functools.cache
def claims():
    """{name: module}"""
    return {
        found.name: importlib.import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
    }


@functools.cache
def claim(function):
    """The module whose claim is about this function, or None."""
    for module in claims().values():
        if re.fullmatch(module.KERNELS, function):
            return module
    return None


# what has no claim yet, and why
UNCLAIMED = {
    r"cc_fixed_many_\w+_avx2": "doubles are not followed",
    r"cc_fixed_powmod_odd_\w+": "no claim for the exponentiations that are built on products yet",
}


def unclaimed(function):
    """Why a function has no claim, or None."""
    return next((why for pattern, why in UNCLAIMED.items() if re.fullmatch(pattern, function)), None)
