# SPDX-License-Identifier: MIT
"""A proof's steps beside integers that are known.

Each form that a ring brings a polynomial into is an equation, old = new.  Whether its rule is right is
an argument in a comment; here it is tried, in every proof: the atoms have values in a few worlds, which
satisfy all that the ring takes for granted, and there both sides have to agree.  Carries meet where words
are short or nearly full, so words are drawn like that: bytes at the bottom or at the top of one, of
zeros or ones; and often a word is the one before, or its complement.
"""

import itertools
import operator
import random

WORLDS = 12
EVERY = 4096  # worlds at most, for all values of inputs that have few
ENOUGH, MORE = 4, 6  # worlds where a condition holds; how often others are drawn until there are so many


class Wrong(Exception):
    """A step of a proof that does not hold: the rule is wrong, whatever the kernel is."""


def word(drawn, low, high, before):
    """One of low ... high, in which a byte at one end is mostly all that is not zeros or ones."""
    size = high - low + 1
    byte, above = drawn.getrandbits(drawn.randrange(9)), max(high.bit_length() - 8, 0)
    kinds = (
        byte,
        -1 - byte,
        byte << above,
        (byte << above) + (1 << above) - 1,
        drawn.randrange(size),
        before - low,
        high - before,
    )
    return low + drawn.choice(kinds) % size


class Worlds:
    """Values of a ring's atoms, in each of so many worlds: of inputs drawn, of others as they are defined.

    The first has all inputs at their least, the second at their greatest value.  Where those that are there
    have few values together, there is a world for all of them.
    """

    def __init__(self, ring, seed):
        self.ring, self.drawn = ring, random.Random(seed)
        self.values, self.products = {}, {}  # by atom; by monomial
        self.last = None  # what was drawn, in each world
        inputs = [atom for atom in range(len(ring.names)) if ring.definition(atom) is None]
        self.count, many = WORLDS, 1
        for atom in inputs:
            many *= ring.high[atom] - ring.low[atom] + 1
            if many > EVERY:
                break
        else:
            if inputs and not ring.inverses:
                ranges = (range(ring.low[atom], ring.high[atom] + 1) for atom in inputs)
                worlds = list(itertools.product(*ranges))
                self.values = {atom: [world[i] for world in worlds] for i, atom in enumerate(inputs)}
                self.count = many
        for inverse in ring.inverses:
            self._invert(*inverse)

    def _draw(self, atom):
        low, high = self.ring.low[atom], self.ring.high[atom]
        last = self.last or [0] * self.count
        self.last = [low, high, *(word(self.drawn, low, high, before) for before in last[2:])][: self.count]
        return self.last

    def _invert(self, a, b, some, bits):
        """a b = 2^bits some - 1, where a and b are inputs, or their lowest bits."""
        ones, found = (1 << bits) - 1, []
        for atom in (a, b):
            division = self.ring.remainders.get(atom)
            ((whole,),) = division.u.terms if division else [(atom,)]
            if whole not in self.values:
                self.values[whole] = self._draw(whole)
            found.append(whole)
        x, y = found
        self.values[y] = [value | 1 for value in self.values[y]]
        inverses = [-pow(value, -1, 1 << bits) & ones for value in self.values[y]]
        self.values[x] = [v & ~ones | i for v, i in zip(self.values[x], inverses, strict=True)]
        self.values[some] = [
            ((i * (v & ones)) + 1) >> bits for i, v in zip(inverses, self.values[y], strict=True)
        ]

    def _known(self, atom):
        """The atom has values, as has all that defines it."""
        todo = [atom]
        while todo:
            atom = todo[-1]
            division = self.ring.definition(atom)
            if atom not in self.values and division is not None:
                lacking = [each for m in division.u.terms for each in m if each not in self.values]
                if lacking:
                    todo += lacking
                    continue
            todo.pop()
            if atom not in self.values:
                self.values[atom] = found = self._draw(atom) if division is None else self._defined(atom)
                if min(found) < self.ring.low[atom] or max(found) > self.ring.high[atom]:
                    raise Wrong(f"{self.ring.names[atom]} has a value outside of its range")

    def _defined(self, atom):
        division = self.ring.definition(atom)
        wholes, k = self.of(division.u), division.k
        if atom in self.ring.remainders:
            return [whole & ((1 << k) - 1) for whole in wholes]
        sign, constant = division.q.terms[(atom,)], division.q.terms.get((), 0)
        return [sign * ((whole >> k) - constant) for whole in wholes]

    def _product(self, monomial):
        if monomial not in self.products:
            first, *others = (self.values[atom] for atom in monomial)
            for values in others:
                first = list(map(operator.mul, first, values))
            self.products[monomial] = first
        return self.products[monomial]

    def of(self, u):
        """A polynomial's value in each world."""
        if u.values and u.values[0] is self:
            return u.values[1]
        total = None
        for monomial, c in u.terms.items():
            for atom in monomial:
                if atom not in self.values:
                    self._known(atom)
            if not monomial:
                part = itertools.repeat(c, self.count)
            else:
                part = self.values[monomial[0]] if len(monomial) == 1 else self._product(monomial)
                if c != 1:
                    part = [c * value for value in part]
            total = list(part if total is None else map(operator.add, total, part))
        u.values = self, [0] * self.count if total is None else total
        return u.values[1]

    def meant(self, meaning, polynomials):
        """What a function of integers makes of their values."""
        known = [u.constant for u in polynomials]
        if None not in known:
            return [meaning(*known)] * self.count
        return list(map(meaning, *map(self.of, polynomials)))

    def where(self, conditions):
        """The worlds, by number, in which polynomials have those values."""
        found = range(self.count)
        for u, value in conditions:
            values = self.of(u)
            found = [world for world in found if values[world] == value]
        return found
