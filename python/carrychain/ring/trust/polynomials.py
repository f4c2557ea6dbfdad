"""Polynomials with integer coefficients in atoms: unknown integers, and floors of polynomials.

A polynomial is a dict from monomials to their coefficients, which are never 0. A monomial is the sorted tuple
of its atoms' numbers. floor(p / 2^s) has a normal form: multiples of 2^s are taken out, the remaining
coefficients are from 0 to 2^s - 1, a common power of two is cancelled, and a floor of a floor is one floor.
These identities hold for all integers. Each atom has a set (bounds.py) in which it lies.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from . import bounds

Polynomial = dict[tuple[int, ...], int]
# the least and the greatest number; None if unbounded
Interval = tuple[int | None, int | None]


def constant(number: int) -> Polynomial:
    return {(): number} if number else {}


def plus(p: Polynomial, q: Polynomial, times: int = 1) -> Polynomial:
    found = dict(p)
    for each, coefficient in q.items():
        total = found.get(each, 0) + coefficient * times
        if total:
            found[each] = total
        else:
            found.pop(each, None)
    return found


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for a, x in p.items():
        found = plus(found, {tuple(sorted((*a, *b))): y for b, y in q.items()}, x)
    return found


def _trailing(unknown: int) -> int:
    """How many bits are known below the first that is not; no atom is known to be one number."""
    return (unknown & -unknown).bit_length() - 1


class Atoms:
    def __init__(self):
        self._number: dict[Hashable, int] = {}
        self._sets: list[bounds.Set] = []
        # by atom that is floor(p / 2^s): p and s
        self._floors: dict[int, tuple[Polynomial, int]] = {}

    def atom(self, key: Hashable, known: bounds.Set) -> Polynomial:
        """The atom of the key, which lies in the set; a constant if that has one member."""
        low, high, *_ = known = bounds.tight(known) or known
        if low is not None and low == high:
            return constant(low)
        if key not in self._number:
            self._number[key] = len(self._sets)
            self._sets.append(known)
        return {(self._number[key],): 1}

    def floor(self, p: Polynomial, bits: int) -> Polynomial:
        """floor(p / 2^bits)."""
        mask = (1 << bits) - 1
        whole = {each: c >> bits for each, c in p.items() if c >> bits}
        rest = {each: c & mask for each, c in p.items() if c & mask}
        if not rest or set(rest) == {()}:
            return whole
        even = min((c & -c).bit_length() - 1 for c in rest.values())
        rest, bits = {each: c >> even for each, c in rest.items()}, bits - even
        inner = self._alone(rest)
        if inner in self._floors:
            rest, more = self._floors[inner]
            bits += more
        known = bounds.shift(self.known(rest), bounds.single(-bits))
        found = self.atom(("floor", frozenset(rest.items()), bits), known)
        if (atom := self._alone(found)) is not None:
            self._floors[atom] = rest, bits
        return plus(whole, found)

    def floor_of(self, atom: int) -> tuple[Polynomial, int]:
        """p and s of an atom that is floor(p / 2^s)."""
        return self._floors[atom]

    def low(self, p: Polynomial, bits: int) -> Polynomial:
        """p modulo 2^bits."""
        return plus(p, self.floor(p, bits), -1 << bits)

    def known(self, p: Polynomial) -> bounds.Set:
        alone = self._alone(p)
        return self._sets[alone] if alone is not None else bounds.within(*self.interval(p))

    def modulo(self, p: Polynomial, bits: int) -> Polynomial:
        """A polynomial that differs from p by a multiple of 2^bits, with fewer terms if the sets allow it.

        An atom is replaced by its lowest bits where they are known and the rest is such a multiple.
        """
        found: Polynomial = {}
        number = p.get((), 0)
        for each, coefficient in p.items():
            _, _, zeros, ones = self._sets[each[0]] if len(each) == 1 else bounds.ANYTHING
            known = _trailing(~(zeros | ones))
            if coefficient << known & (1 << bits) - 1 == 0:
                number += coefficient * (ones & (1 << known) - 1)
            elif each and coefficient << sum(map(self._even, each)) & (1 << bits) - 1:
                found[each] = coefficient
        return plus(found, constant(number % (1 << bits)))

    def _even(self, atom: int) -> int:
        """The exponent of a power of two that divides the atom, by its set."""
        return _trailing(~self._sets[atom][2])

    @staticmethod
    def _alone(p: Polynomial) -> int | None:
        """The atom that the polynomial consists of, if it is a single one."""
        if len(p) == 1:
            ((each, coefficient),) = p.items()
            if len(each) == 1 and coefficient == 1:
                return each[0]
        return None

    def interval(self, p: Polynomial) -> Interval:
        """An interval in which it lies. A term - 2^s floor(q / 2^s) is combined with q to q mod 2^s."""
        ends = [0, 0]

        def more(each: Iterable[int], known: bounds.Set, by: int) -> None:
            """Adds the ends of `by` times the product of the atoms and a number in `known`."""
            for at in each:
                known = bounds.mul(known, self._sets[at])
            for at, end in enumerate(bounds.mul(known, bounds.single(by))[:2]):
                ends[at] = None if ends[at] is None or end is None else ends[at] + end

        # in descending order: a floor has a greater number than the atoms in it
        for each in sorted(p, key=lambda each: each[-1:], reverse=True):
            for at in each:
                q, bits = self._floors.get(at, ({}, 0))
                by, odd = divmod(-p.get(each, 0), 1 << bits)
                rest = list(each)
                rest.remove(at)
                pair = times(q, {tuple(rest): by})
                if (
                    pair
                    and not odd
                    and all(0 < c * p.get(other, 0) <= p[other] ** 2 for other, c in pair.items())
                ):
                    p = plus(plus(p, pair, -1), {each: p[each]}, -1)
                    known = bounds.tight(bounds.low(bits, self.known(q)))
                    more(rest, known or bounds.within(0, (1 << bits) - 1), by)
        for each, coefficient in p.items():
            more(each, bounds.single(1), coefficient)
        return ends[0], ends[1]
