"""gmpy2's names that are not here: what needs MPFR or MPC, and what reaches into GMP's memory."""

# Real and complex numbers of any precision, their contexts, and functions of them.
_FLOATING = """
Default DivisionByZeroError InexactResultError InvalidOperationError OverflowResultError RangeError
RoundAwayZero RoundDown RoundToNearest RoundToZero RoundUp UnderflowResultError acos acosh agm ai asin asinh
atan atan2 atanh can_round cbrt ceil check_range const_catalan const_euler const_log2 const_pi context
copy_sign cos cosh cot coth csc csch degrees digamma eint erf erfc exp exp10 exp2 expm1 f2q factorial floor
fma fmma fmms fmod fms frac free_cache frexp fsum gamma gamma_inc get_context get_emax_max get_emin_min
get_exp get_max_precision hypot ieee inf is_lessgreater is_unordered j0 j1 jn lgamma li2 lngamma
local_context log log10 log1p log2 maxnum minnum modf mpc mpc_random mpfr mpfr_from_old_binary mpfr_grandom
mpfr_nrandom mpfr_random nan next_above next_below next_toward norm phase polar proj radians rec_sqrt rect
reldiff remainder remquo rint rint_ceil rint_floor rint_round rint_trunc root root_of_unity rootn round2
round_away sec sech set_context set_exp set_sign sin sin_cos sinh sinh_cosh sqrt tan tanh trunc y0 y1 yn
zero zeta
"""
# For C and Cython extensions.
_MEMORY = "_C_API"
MISSING = frozenset(_FLOATING.split() + _MEMORY.split())
