"""CPython's own ints by Integer's algorithms, in the place of the module ``_pylong``.

From 3.12 on, CPython's C calls that module to convert an int of more than some 9,000 digits to text, text
of more than 6,000 digits to an int, and to divide by more than some 9,000 bits. It checks the text and the
limit of digits before the call, and the type of the result after it.
"""

import sys
import threading

from .integer import Integer


def int_to_decimal_string(n: int) -> str:
    return str(Integer(n))


def int_from_string(s: str) -> int:
    return int(Integer(s))


def int_divmod(a: int, b: int) -> tuple[int, int]:
    q, r = divmod(Integer(a), Integer(b))
    return int(q), int(r)


_OURS = {each.__name__: each for each in (int_to_decimal_string, int_from_string, int_divmod)}
# What must be the same in both; it takes no time for numbers as short as these.
_TRIED = (
    ("int_to_decimal_string", (-(10**20),)),
    ("int_from_string", ("0_12_3\n",)),
    ("int_divmod", (-(10**20), 3)),
    ("int_divmod", (10**20, -3)),
)

_lock = threading.Lock()
_replaced: list = []  # of each: the module, the name, the function that was there


def _module():
    """_pylong; RuntimeError if its functions are not there, or do something else."""
    try:
        import _pylong
    except ImportError:
        raise RuntimeError(
            "accelerate_int() needs CPython 3.12 or later: before it, int is C alone. Elsewhere use "
            "carrychain.Integer"
        ) from None
    for name, arguments in _TRIED:
        if not hasattr(_pylong, name) or getattr(_pylong, name)(*arguments) != _OURS[name](*arguments):
            raise RuntimeError(
                f"accelerate_int() does not know the _pylong.{name} of Python {sys.version.split()[0]}"
            )
    return _pylong


def accelerate_int() -> None:
    """Put Integer's conversions and division in the place of CPython's own, for long ints.

    ``str(n)`` is faster from some 9,000 digits on, ``int(text)`` from 6,000, and ``divmod`` and ``//`` by
    more than some 9,000 bits. Results, errors and ``sys.set_int_max_str_digits`` stay CPython's. Long work
    releases the GIL, and Ctrl-C ends it. It holds for the whole process, until ``restore_int()``.
    RuntimeError before Python 3.12, whose int can't be changed.
    """
    with _lock:
        if _replaced:
            return
        module = _module()
        for name, ours in _OURS.items():
            _replaced.append((module, name, getattr(module, name)))
            setattr(module, name, ours)


def restore_int() -> None:
    """Undo ``accelerate_int()``: CPython's own functions are back. Without it, do nothing."""
    with _lock:
        while _replaced:
            setattr(*_replaced.pop())
