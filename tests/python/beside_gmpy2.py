"""What carrychain.gmpy2 and gmpy2 make of the same call, in words that do not say whose it is."""

import random

# Numbers around words and powers of two, and of several words.
NUMBERS = [
    *range(-12, 30),
    *(
        sign * (2**k + d)
        for k in (31, 32, 62, 63, 64, 65, 127, 128, 200)
        for d in (-1, 0, 1)
        for sign in (1, -1)
    ),
    *(sign * 3**k * 10**k for k in (20, 60, 150) for sign in (1, -1)),
]


def told(x):
    """A value with its type, in words that do not say whose it is."""
    if isinstance(x, tuple | list):
        return type(x).__name__, [told(each) for each in x]
    kind = type(x).__name__
    if kind in ("mpfr", "float"):
        return "float", str(float(x))
    if kind in ("mpc", "complex"):
        return "complex", complex(x)
    return kind, str(x) if kind in ("mpz", "mpq", "xmpz") else x


def made(module, x):
    """An argument for the module: for a pair, its type of the name before the number."""
    if isinstance(x, tuple):
        kind, *rest = x
        return getattr(module, kind)(*rest)
    return [made(module, each) for each in x] if isinstance(x, list) else x


def outcome(module, function, arguments):
    try:
        return told(function(*[made(module, x) for x in arguments]))
    except Exception as error:
        text = str(error).replace("carrychain.gmpy2.", "gmpy2.")
        return type(error).__name__, text.replace("gmpy2.gmpy2.", "").replace("()", "").replace("gmpy2.", "")


def some(seed, count, numbers=NUMBERS):
    return [random.Random(f"{seed} {i}").choice(numbers) for i in range(count)]
