"""Limits on compile-time computation, so that a macro that does not terminate is reported within seconds.

Steps are counted separately for each form that is read, and for each function that is compiled.

A step is an evaluated form, or 8 cells or elements that a function processes; arithmetic on long integers
counts as the steps that take as long. Memory is counted when it is requested, before it is allocated, and is
not subtracted when it is freed.
"""

from __future__ import annotations

from fractions import Fraction

from ...ir.errors import SourceError

STEPS_MAX = 1_000_000
BYTES_MAX = 1 << 27
CALLS_MAX = 1000
CODE_MAX = 1_000_000  # cells of an expansion

CELL = 64  # bytes
LONG = 1 << 12  # bits; longer integers cost steps by their length


class Limits:
    def __init__(self) -> None:
        self.steps = STEPS_MAX  # left
        self.bytes = BYTES_MAX
        self.calls = 0

    def refill(self) -> None:
        """Resets the steps, for the next form that is read, or function that is compiled."""
        self.steps = STEPS_MAX

    def error(self, message: str, form=None) -> SourceError:
        raise NotImplementedError

    def work(self, steps: int, form=None) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise self.error(f"more than {STEPS_MAX:,} steps at compile time: this may not terminate", form)

    def room(self, bytes_: int) -> None:
        self.bytes -= bytes_
        if self.bytes < 0:
            raise self.error(f"more than {BYTES_MAX >> 20} MiB are allocated at compile time")

    def cells(self, count: int) -> None:
        """Counts cells or elements that are processed."""
        self.steps -= count >> 3
        if self.steps < 0:
            self.work(0)

    def enter(self, name, does: str, form) -> None:
        """Enters a nested call, which is left by `calls -= 1`."""
        self.calls += 1
        if self.calls > CALLS_MAX:
            self.calls -= 1
            message = f"{name} {does} without end: there are more than {CALLS_MAX} calls within calls"
            raise self.error(message, form)

    def long(self, value) -> None:
        """Counts a function whose time is linear in the lengths of its arguments and result."""
        kind = value.__class__
        if kind is int:
            bits = value.bit_length()
            if bits > LONG:
                self.number(bits)
        elif kind is Fraction:
            # each operation on fractions computes a greatest common divisor
            self.quotient(value.numerator.bit_length(), value.denominator.bit_length())

    def number(self, bits: int) -> None:
        """Counts the memory of an integer of this many bits."""
        self.work(bits >> 15)
        self.room(bits >> 3)

    def product(self, a: int, b: int) -> None:
        """Counts a product of integers with these numbers of bits: Karatsuba's n^1.585."""
        if a + b > LONG:
            less, more = sorted((a, b))
            self.work(more * int(less**0.585) >> 16)

    def quotient(self, a: int, b: int) -> None:
        """Counts a division of such integers, or a conversion to decimal: quadratic."""
        if a + b > LONG:
            self.work(a * b >> 20)
