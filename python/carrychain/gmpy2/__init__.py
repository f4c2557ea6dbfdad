"""gmpy2 on carrychain's arithmetic: its integers and fractions, under its names.

``install()`` puts this module in the place of gmpy2 for what is imported later: SymPy and mpmath then
compute with it. Arithmetic with ints and Fractions gives mpz and mpq, as in gmpy2. Where gmpy2's result is an
mpfr or an mpc, as by ``/`` or with a float, it is a float or a complex here, with Python's errors. What can't
do without MPFR or MPC is missing: ``MISSING`` names it.
"""

import sys
from numbers import Integral, Rational

from ._gmpy2 import (
    _mpmath_create,
    _mpmath_normalize,
    bincoef,
    bit_clear,
    bit_count,
    bit_flip,
    bit_length,
    bit_scan0,
    bit_scan1,
    bit_set,
    bit_test,
    c_div,
    c_divmod,
    c_mod,
    comb,
    divexact,
    f_div,
    f_divmod,
    f_mod,
    fac,
    fib,
    gcd,
    gcdext,
    invert,
    iroot,
    iroot_rem,
    is_even,
    is_odd,
    is_power,
    is_prime,
    is_square,
    is_strong_prp,
    isqrt,
    isqrt_rem,
    jacobi,
    kronecker,
    lcm,
    legendre,
    lucas,
    mpq,
    mpz,
    next_prime,
    popcount,
    powmod,
    primorial,
    remove,
    t_div,
    t_divmod,
    t_mod,
)
from .binary import from_binary, mpq_from_old_binary, mpz_from_old_binary, to_binary
from .bits import bit_mask, hamdist, pack, unpack
from .division import (
    c_div_2exp,
    c_divmod_2exp,
    c_mod_2exp,
    divm,
    f_div_2exp,
    f_divmod_2exp,
    f_mod_2exp,
    is_congruent,
    is_divisible,
    powmod_base_list,
    powmod_exp_list,
    powmod_sec,
    t_div_2exp,
    t_divmod_2exp,
    t_mod_2exp,
)
from .generic import (
    add,
    cmp,
    cmp_abs,
    denom,
    digits,
    div,
    div_2exp,
    floor_div,
    is_finite,
    is_infinite,
    is_integer,
    is_nan,
    is_regular,
    is_signed,
    is_zero,
    mod,
    mul,
    mul_2exp,
    num_digits,
    numer,
    qdiv,
    sign,
    square,
    sub,
)
from .missing import MISSING
from .primes import (
    is_bpsw_prp,
    is_euler_prp,
    is_extra_strong_lucas_prp,
    is_fermat_prp,
    is_fibonacci_prp,
    is_lucas_prp,
    is_probab_prime,
    is_selfridge_prp,
    is_strong_bpsw_prp,
    is_strong_lucas_prp,
    is_strong_selfridge_prp,
    prev_prime,
)
from .random import mpz_random, mpz_rrandomb, mpz_urandomb, random_state
from .sequences import double_fac, fib2, lucas2, lucasu, lucasu_mod, lucasv, lucasv_mod, multi_fac
from .xmpz import xbit_mask, xmpz

__all__ = [
    "MISSING",
    "_mpmath_create",
    "_mpmath_normalize",
    "add",
    "bincoef",
    "bit_clear",
    "bit_count",
    "bit_flip",
    "bit_length",
    "bit_mask",
    "bit_scan0",
    "bit_scan1",
    "bit_set",
    "bit_test",
    "c_div",
    "c_div_2exp",
    "c_divmod",
    "c_divmod_2exp",
    "c_mod",
    "c_mod_2exp",
    "cmp",
    "cmp_abs",
    "comb",
    "denom",
    "digits",
    "div",
    "div_2exp",
    "divexact",
    "divm",
    "double_fac",
    "f_div",
    "f_div_2exp",
    "f_divmod",
    "f_divmod_2exp",
    "f_mod",
    "f_mod_2exp",
    "fac",
    "fib",
    "fib2",
    "floor_div",
    "from_binary",
    "gcd",
    "gcdext",
    "hamdist",
    "install",
    "invert",
    "iroot",
    "iroot_rem",
    "is_bpsw_prp",
    "is_congruent",
    "is_divisible",
    "is_euler_prp",
    "is_even",
    "is_extra_strong_lucas_prp",
    "is_fermat_prp",
    "is_fibonacci_prp",
    "is_finite",
    "is_infinite",
    "is_integer",
    "is_lucas_prp",
    "is_nan",
    "is_odd",
    "is_power",
    "is_prime",
    "is_probab_prime",
    "is_regular",
    "is_selfridge_prp",
    "is_signed",
    "is_square",
    "is_strong_bpsw_prp",
    "is_strong_lucas_prp",
    "is_strong_prp",
    "is_strong_selfridge_prp",
    "is_zero",
    "isqrt",
    "isqrt_rem",
    "jacobi",
    "kronecker",
    "lcm",
    "legendre",
    "license",
    "lucas",
    "lucas2",
    "lucasu",
    "lucasu_mod",
    "lucasv",
    "lucasv_mod",
    "mod",
    "mp_limbsize",
    "mp_version",
    "mpc_version",
    "mpfr_version",
    "mpq",
    "mpq_from_old_binary",
    "mpz",
    "mpz_from_old_binary",
    "mpz_random",
    "mpz_rrandomb",
    "mpz_urandomb",
    "mul",
    "mul_2exp",
    "multi_fac",
    "next_prime",
    "num_digits",
    "numer",
    "pack",
    "popcount",
    "powmod",
    "powmod_base_list",
    "powmod_exp_list",
    "powmod_sec",
    "prev_prime",
    "primorial",
    "qdiv",
    "random_state",
    "remove",
    "sign",
    "square",
    "sub",
    "t_div",
    "t_div_2exp",
    "t_divmod",
    "t_divmod_2exp",
    "t_mod",
    "t_mod_2exp",
    "to_binary",
    "unpack",
    "version",
    "xbit_mask",
    "xmpz",
]

Integral.register(mpz)
Rational.register(mpq)

# The version of gmpy2 whose behaviour this module has.
__version__ = "2.3.2"


def version() -> str:
    """The version of gmpy2 whose behaviour this module has."""
    return __version__


def license() -> str:
    """The licence of this module: nothing of gmpy2 or GMP is in it."""
    return "carrychain is licensed under the MIT licence."


def mp_version() -> str:
    """The library that computes: carrychain, in GMP's place."""
    from .. import __version__ as of_the_library

    return f"carrychain {of_the_library}"


def mp_limbsize() -> int:
    """The number of bits of a word."""
    from ..bindings.limbs import WORD_BITS

    return WORD_BITS


def mpfr_version() -> None:
    """None: MPFR is not here."""


def mpc_version() -> None:
    """None: MPC is not here."""


def install() -> None:
    """Puts this module in gmpy2's place for later imports; RuntimeError if gmpy2 has been imported."""
    there = sys.modules.get("gmpy2")
    if there not in (None, sys.modules[__name__]):
        raise RuntimeError(
            "gmpy2 has been imported: install() must come before it, and before SymPy and mpmath"
        )
    sys.modules["gmpy2"] = sys.modules[__name__]


def __getattr__(name: str):
    if name in MISSING:
        raise AttributeError(
            f"carrychain.gmpy2 has no {name}: it has gmpy2's integers and fractions, without MPFR and MPC"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
