"""Arguments: what gmpy2's functions take where an integer is expected."""

from ._gmpy2 import mpq, mpz


def whole(x, text: str = "cannot convert object to mpz") -> mpz:
    """The mpz of an mpz, an int or an object with ``__mpz__()``; TypeError with ``text`` for any other."""
    if isinstance(x, mpz):
        return x
    if isinstance(x, int):
        return mpz(x)
    if hasattr(x, "__mpz__") and not hasattr(x, "__mpq__") and not isinstance(x, mpq):
        return mpz(x)
    raise TypeError(text)


def counted(n, text: str = "could not convert object to integer") -> int:
    """A number of bits, from 0 up."""
    n = int(whole(n, text))
    if n < 0:
        raise OverflowError("can't convert negative int to unsigned")
    if n >> 64:
        raise OverflowError("int too big to convert")
    return n


def members(name: str, *arguments) -> list[mpz]:
    """All arguments of a function as mpz."""
    count = len(arguments)
    return [whole(x, f"{name}() requires {count} integer argument{'s'[: count - 1]}") for x in arguments]
