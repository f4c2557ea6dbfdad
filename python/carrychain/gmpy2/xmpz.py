"""xmpz: an integer that changes in place, as gmpy2's; here it is a box for an mpz."""

import ctypes
from collections.abc import Iterator
from operator import index

from ._gmpy2 import mpz


def _whole(x) -> mpz:
    """The value of an operand of an operation in place that leaves an xmpz."""
    return x._value if isinstance(x, xmpz) else mpz(x)


def _value(x):
    return x._value if isinstance(x, xmpz) else x


def _operator(name: str):
    """An operation whose result is a new number."""

    def work(self, *others):
        return getattr(self._value, name)(*map(_value, others))

    work.__name__ = name
    return work


def _in_place(name: str):
    """An operation that changes an xmpz if the operand is an integer."""

    def work(self, other):
        result = getattr(self._value, name)(_value(other))
        if result is NotImplemented or not isinstance(result, mpz):
            return result
        self._value = result
        return self

    work.__name__ = name.replace("__", "__i", 1)
    return work


class xmpz:
    """An integer of any size whose bits can be set: ``x[i] = 1``, ``x[i:j] = y``, ``x += y``."""

    __slots__ = ("_limbs", "_value")
    __hash__ = None
    limb_size = ctypes.sizeof(ctypes.c_ulong)

    def __init__(self, *arguments, **named) -> None:
        self._value = mpz(*map(_value, arguments), **named)
        self._limbs = ()

    def __mpz__(self) -> mpz:
        return self._value

    def __repr__(self) -> str:
        return f"xmpz({self._value})"

    def __str__(self) -> str:
        return str(self._value)

    def __format__(self, spec: str) -> str:
        return format(self._value, spec)

    def __reduce__(self):
        return xmpz, (self._value,)

    def __len__(self) -> int:
        return len(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    for _name in ("__int__", "__index__", "__float__", "bit_length", "bit_count", "bit_test", "bit_set"):
        locals()[_name] = _operator(_name)
    for _name in ("bit_clear", "bit_flip", "bit_scan0", "bit_scan1", "num_digits", "__getitem__"):
        locals()[_name] = _operator(_name)
    for _name in (
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "divmod",
        "rdivmod",
        "pow",
        "rpow",
        "truediv",
        "rtruediv",
    ):
        locals()[f"__{_name}__"] = _operator(f"__{_name}__")
    for _name in ("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "and", "or", "xor"):
        locals()[f"__{_name}__"] = _operator(f"__{_name}__")
        locals()[f"__r{_name}__"] = _operator(f"__r{_name}__")
        locals()[f"__i{_name}__"] = _in_place(f"__{_name}__")
    del _name

    def __irshift__(self, count):
        if _whole(count) < 0:
            raise OverflowError("can't convert negative int to unsigned")
        self._value = self._value >> _value(count)
        return self

    def __ipow__(self, exponent):
        if _whole(exponent) < 0:
            raise OverflowError("can't convert negative value to unsigned int")
        self._value = self._value ** _whole(exponent)
        return self

    # unary operators change the number, and return nothing

    def __neg__(self) -> None:
        self._value = -self._value

    def __pos__(self) -> None:
        pass

    def __abs__(self) -> None:
        self._value = abs(self._value)

    def __invert__(self) -> None:
        self._value = ~self._value

    def __copy__(self) -> "xmpz":
        return xmpz(self._value)

    copy = conjugate = __copy__

    @property
    def real(self) -> "xmpz":
        return xmpz(self._value)

    numerator = real

    @property
    def imag(self) -> "xmpz":
        return xmpz(0)

    @property
    def denominator(self) -> "xmpz":
        return xmpz(1)

    def make_mpz(self) -> mpz:
        """The value as an mpz; the xmpz becomes 0."""
        value, self._value = self._value, mpz(0)
        return value

    def digits(self, base: int = 10) -> str:
        """The digits, after 0b, 0o or 0x in the bases 2, 8 and 16."""
        prefix = {2: "0b", 8: "0o", 16: "0x"}.get(base, "")
        return "-" * (self._value < 0) + prefix + abs(self._value).digits(base)

    def __setitem__(self, key, value) -> None:
        if not isinstance(key, slice):
            try:
                place = index(key)
            except TypeError:
                raise TypeError("bit positions must be integers") from None
            if value not in (0, 1):
                raise ValueError("bit value must be 0 or 1")
            place += len(self) if place < 0 else 0
            self._value = self._value.bit_set(place) if value else self._value.bit_clear(place)
            return
        bits = _whole(value)
        # unlike a list's, bits beyond the last are there: they are those of the sign
        longest = len(self) if key.stop is None else max(len(self), key.stop)
        for i, place in enumerate(range(*key.indices(longest))):
            self._value = self._value.bit_set(place) if bits.bit_test(i) else self._value.bit_clear(place)

    # limbs: the words of the magnitude, from the lowest on, in memory that is the xmpz's

    def num_limbs(self) -> int:
        """The number of limbs of the magnitude; 0 for 0."""
        return -(-self._value.bit_length() // (8 * self.limb_size))

    def limbs_read(self) -> int:
        """The address of the limbs, to be read only; it is valid until the next call of a limbs_...()."""
        return self.limbs_modify(self.num_limbs())

    def limbs_write(self, count: int, /) -> int:
        """The address of room for so many limbs, to be written before limbs_finish()."""
        return self._lend(count, b"")

    def limbs_modify(self, count: int, /) -> int:
        """The same, where the lowest limbs are already there."""
        size = self.limb_size
        words = abs(self._value).to_bytes(self.num_limbs() * size, "little")
        return self._lend(count, words)

    def _lend(self, count: int, words: bytes) -> int:
        try:
            count = abs(index(count))
        except TypeError:
            raise TypeError("number of limbs must be an int or a long") from None
        size = self.limb_size
        self._limbs = (ctypes.c_ulong * max(count, 1))()
        for i in range(min(count, len(words) // size)):
            self._limbs[i] = int.from_bytes(words[i * size : (i + 1) * size], "little")
        return ctypes.addressof(self._limbs)

    def limbs_finish(self, count: int, /) -> None:
        """Takes the first limbs that were written as the value; below 0 if the count is."""
        words = self._limbs[: abs(count)]
        value = mpz.from_bytes(b"".join(each.to_bytes(self.limb_size, "little") for each in words), "little")
        self._value = -value if count < 0 else value

    def _range(self, start: int, stop: int) -> range:
        start, stop = int(start), int(stop)
        return range(start, len(self) if stop < 0 else stop) if start >= 0 else range(0)

    def iter_bits(self, start: int = 0, stop: int = -1) -> Iterator[bool]:
        """Each bit from start on, before stop."""
        return (self._value.bit_test(i) for i in self._range(start, stop))

    def iter_set(self, start: int = 0, stop: int = -1) -> Iterator[int]:
        """The places of the bits that are set."""
        return (i for i in self._range(start, stop) if self._value.bit_test(i))

    def iter_clear(self, start: int = 0, stop: int = -1) -> Iterator[int]:
        """The places of the bits that are clear."""
        return (i for i in self._range(start, stop) if not self._value.bit_test(i))


def xbit_mask(n, /) -> xmpz:
    """2**n - 1 as an xmpz: n bits, all set."""
    if not isinstance(n, int | mpz | xmpz):
        raise TypeError("xbit_mask() requires 'int' argument")
    if n < 0:
        raise ValueError("mask length must be >= 0")
    return xmpz((mpz(1) << int(n)) - 1)
