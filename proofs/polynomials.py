# SPDX-License-Identifier: MIT
"""Exact integers that are not known: polynomials over atoms, and what division leaves of them.

An atom is an integer of a known range, never negative: a word of the input, a carry, a quotient
or a remainder.  Dividing a polynomial u by 2^k gives q and r with u = 2^k q + r, 0 <= r < 2^k.
Where ranges and coefficients tell them they are polynomials in atoms that are there; else one
or both are new atoms, and the equation defines them.  So a carry is a quotient by 2^64,
a shift a quotient or a remainder, and the halves of a product are both.

Two things are asked of a polynomial: its range, and whether it is 0.  The first eliminates
quotients, q = (u - r) / 2^k, latest first: in a chain of carries all that is between its ends
cancels.  The second replaces remainders, r = u - 2^k q, where they stand alone.

Whatever brings a polynomial into another form passes Ring.step, which tries the equation (evaluated.py).
"""

import heapq
import itertools
import operator
from fractions import Fraction

from .evaluated import ENOUGH, MORE, Worlds, Wrong

STEPS = 3  # of replacement, before a division gives up finding a remainder that is simpler
TERMS = 12  # of a polynomial; one with more gets a name


def _add(terms, monomial, coefficient):
    total = terms.get(monomial, 0) + coefficient
    if total:
        terms[monomial] = total
    else:
        terms.pop(monomial, None)


class Polynomial:
    """A sum of coefficients times monomials; a monomial is a sorted tuple of atoms' numbers."""

    __slots__ = ("_key", "_range", "ring", "terms", "values")

    def __init__(self, ring, terms):
        self.ring, self.terms = ring, terms
        self._range = self._key = self.values = None

    @property
    def key(self):
        if self._key is None:
            self._key = frozenset(self.terms.items())
        return self._key

    @property
    def constant(self):
        """Its value if it has no atoms, else None."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and () in self.terms:
            return self.terms[()]
        return None

    @property
    def range(self):
        """The least and the greatest value that its atoms' ranges allow, each taken apart."""
        if self._range is None:
            low = high = 0
            for monomial, coefficient in self.terms.items():
                least = most = coefficient
                for atom in monomial:
                    least *= self.ring.low[atom]
                    most *= self.ring.high[atom]
                low += min(least, most)
                high += max(least, most)
            self._range = low, high
        return self._range

    def __add__(self, other):
        if isinstance(other, int):
            other = self.ring.number(other)
        small, large = sorted((self.terms, other.terms), key=len)
        terms = dict(large)
        for monomial, coefficient in small.items():
            _add(terms, monomial, coefficient)
        return Polynomial(self.ring, terms)

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return -self + other

    def __neg__(self):
        return self * -1

    def __mul__(self, other):
        if not isinstance(other, Polynomial):
            if other == 1:
                return self
            return Polynomial(self.ring, {m: c * other for m, c in self.terms.items()} if other else {})
        terms = {}
        extra = []
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                product, rest = self.ring.monomial(m, n)
                if rest is not None:
                    extra.append(rest * (c * d))
                    continue
                _add(terms, product, c * d)
        product = sum(extra, Polynomial(self.ring, terms))
        return self.ring.step("a product", product, operator.mul, [self, other])

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other):
        return (self - other).constant == 0

    __hash__ = None

    @property
    def atom(self):
        """The atom that it is, and nothing else; or None."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if coefficient == 1 and len(monomial) == 1:
                return monomial[0]
        return None

    def without(self, monomial):
        return Polynomial(self.ring, {m: c for m, c in self.terms.items() if m != monomial})

    def over(self, divisor):
        """The quotient by an integer that divides every coefficient."""
        if any(c % divisor for c in self.terms.values()):
            raise ArithmeticError(f"not divisible by {divisor}")
        return Polynomial(self.ring, {m: c // divisor for m, c in self.terms.items()})

    def __str__(self):
        def name(monomial):
            return " ".join(self.ring.names[atom] for atom in monomial)

        shown = [f"{c} {name(m)}" for m, c in sorted(self.terms.items())[:6]]
        return " + ".join(shown) + (" + ..." if len(self.terms) > 6 else "") or "0"


class Division:
    """u = 2^k q + r: the equation by which atoms are defined."""

    __slots__ = ("k", "q", "r", "u")

    def __init__(self, u, k):
        self.u, self.k = u, k


class Ring:
    """Atoms by number, in the order in which they came: a definition has earlier ones only."""

    def __init__(self, seed=0):
        self.seed, self._worlds = seed, []
        self.names, self.low, self.high = [], [], []
        self.quotients, self.remainders = {}, {}  # {atom: its division}, for those that are one
        self.exact = set()  # quotients whose remainder is no new atom
        self.patient = False
        self.divisions = {}
        self.around = {}  # {remainder: x}: it is 0 only if x is
        self.same = {}  # quotients that are known before the division is asked for
        self.relations = {}  # {(atom, atom): what their product is}
        self.inverses = []  # (a, b, some, bits) of those

    # one equation at a time
    def worlds(self, more=0):
        """Those in which every step is tried; or more, for what is seldom so."""
        while len(self._worlds) <= more:
            self._worlds.append(Worlds(self, f"{self.seed} {len(self._worlds)}"))
        return self._worlds[more]

    def step(self, rule, new, meaning=None, old=(), *, modulus=None, where=(), within=None):
        """new, if it is what the rule says, wherever it is tried: Wrong.

        It is equal, or congruent by a modulus, to what the meaning, a function of integers, makes of the old
        polynomials (there is one alone without a meaning), where conditions hold: (polynomial, value) each.
        And it is within a range.
        """
        tried = 0
        for more in range(1 + MORE):
            worlds = self.worlds(more)
            values = worlds.of(new)
            before = worlds.meant(meaning, old) if meaning else worlds.of(old)
            if where or within or values != before:
                chosen = worlds.where(where)
                for world in chosen:
                    value = values[world]
                    differs = value - before[world]
                    if (differs % modulus if modulus else differs) or (
                        within and not within[0] <= value <= within[1]
                    ):
                        raise Wrong(f"{rule}: {before[world]} has become {value}, {new}")
                tried += len(chosen)
            if not where or tried >= ENOUGH:
                break
        return new

    def values(self, rule, new, wanted):
        """A step whose old form is no polynomial, but what it has to be in each of our worlds."""
        if self.worlds().of(new) != wanted:
            raise Wrong(f"{rule} is not {new}")

    def number(self, value):
        return Polynomial(self, {(): value} if value else {})

    def atom(self, name, low, high):
        assert 0 <= low <= high
        self.names.append(name)
        self.low.append(low)
        self.high.append(high)
        return Polynomial(self, {(len(self.names) - 1,): 1})

    def atom_of(self, number):
        return Polynomial(self, {(number,): 1})

    def definition(self, atom):
        """The division that it is a half of, or None."""
        return self.quotients.get(atom) or self.remainders.get(atom)

    def factor(self, u, atom):
        """The sum of what the atom is a factor of, without it."""
        terms = {}
        for m, c in u.terms.items():
            if atom in m:
                left = list(m)
                left.remove(atom)
                terms[tuple(left)] = c
        return Polynomial(self, terms)

    def inverse(self, a, b, bits):
        """From now on a b = -1 modulo 2^bits, of two atoms that are inputs, or the lowest bits of inputs."""
        some = self.atom("k m / 2^bits", 0, (1 << bits) - 1)
        product = some * (1 << bits) - 1
        (pair,) = (a * b).terms
        self.inverses.append((*(u.atom for u in (a, b, some)), bits))
        self._worlds = []
        self.relations[pair] = self.step("an inverse", product, operator.mul, [a, b])

    def monomial(self, m, n):
        """The product of two: a monomial, or where the relation holds a polynomial; c c = c for a bit."""
        if not m:
            return n, None
        if not n:
            return m, None
        both = sorted(m + n)
        if any(a == b and self.high[a] == 1 for a, b in itertools.pairwise(both)):
            bits = {a for a in both if self.high[a] == 1}
            both = sorted([a for a in both if a not in bits] + list(bits))
        for pair in itertools.combinations(both, 2) if self.relations else ():
            if pair in self.relations:
                for atom in pair:
                    both.remove(atom)
                return None, Polynomial(self, {tuple(both): 1}) * self.relations[pair]
        return tuple(both), None

    # division
    def divide(self, u, k):
        """The quotient and the remainder by 2^k."""
        key = u.key, k
        if key not in self.divisions:
            self._divided(u, k, *self._divide(u, k))
        return self.divisions[key]

    def _divided(self, u, k, q, r):
        """From now on these are the quotient and the remainder."""
        self.step("a quotient", q, lambda whole: whole >> k, [u])
        self.step("a remainder", r, lambda whole: whole & ((1 << k) - 1), [u])
        self.divisions[u.key, k] = q, r

    def _divide(self, u, k):
        if not k:
            return u, self.number(0)
        low, high = u.range
        first, last = low >> k, high >> k
        if first == last:
            q = self.number(first)
            return q, u - q * (1 << k)
        if high - low == 1:  # the quotient steps where u does
            q = (u - low) * (last - first) + first
            return q, u - q * (1 << k)
        half = 1 << (k - 1)
        for lowest in (0, half):
            above = {m: (c + lowest) >> k for m, c in u.terms.items()}
            q = Polynomial(self, {m: c for m, c in above.items() if c})
            r = u - q * (1 << k)
            if r.range[0] >= 0 and r.range[1] >> k == 0:
                return q, r
        size = 1 << k
        whole = {m: c >> k if m == () else abs(c) // size * (1 if c > 0 else -1) for m, c in u.terms.items()}
        whole = Polynomial(self, {m: c for m, c in whole.items() if c})
        if whole.terms:
            q, r = self.divide(u - whole * (1 << k), k)
            return q + whole, r
        constant = u.terms.get((), 0)
        if (constant + 1) % size == 0 and all(c < 0 for m, c in u.terms.items() if m):  # inverted bits
            q, r = self.divide(-u + constant, k)
            return -q + (constant // size), -r + (size - 1)
        factor = min((c & -c).bit_length() - 1 for c in u.terms.values())
        if factor:
            q, r = self.divide(u.over(1 << factor), k - factor)
            return q, r * (1 << factor)
        return self._around(u, k) or self._through(u, k) or self._define(u, k)

    def _around(self, u, k):
        """u = x + c, c = x // 2^k, x <= 2^(k + 1) - 2: that carry comes out again, and no other."""
        for monomial, coefficient in u.terms.items():
            division = self.quotients.get(monomial[0]) if len(monomial) == 1 and coefficient == 1 else None
            if division and division.k == k and self.high[monomial[0]] == 1:
                carry = self.atom_of(monomial[0])
                if division.q == carry and u - carry == division.u and division.u.range[1] < (2 << k) - 1:
                    r = self._remainder(u, k, carry)
                    self.around[len(self.names) - 1] = division.u
                    return carry, r
        return None

    def _remainder(self, u, k, q):
        """That of a division whose quotient is known, as a new atom."""
        division = Division(u, k)
        division.q, division.r = q, self.atom(f"r{len(self.names)}", 0, (1 << k) - 1)
        self.remainders[len(self.names) - 1] = division
        return division.r

    def _through(self, u, k):
        """By another form of u: its halves for what was divided before; what it is the remainder of."""
        for monomial in u.terms:
            division = self.remainders.get(monomial[0]) if len(monomial) == 1 else None
            if division and all(u.terms.get(m) == c for m, c in division.u.terms.items()):
                halves = division.r + division.q * (1 << division.k)
                return self.divide(u - division.u + halves, k)
        before = self._origin(u, self.remainders)
        if before and before.k > k and before.q.terms and any(abs(c) >> k for c in before.u.terms.values()):
            q, r = self.divide(before.u, k)
            # the quotient by both
            self.step("a quotient's", before.q, lambda whole: whole >> (before.k - k), [q])
            self.same.setdefault((q.key, before.k - k), before.q)
            return self.divide(q, before.k - k)[1], r
        return None

    def _define(self, u, k):
        """Both by new atoms, but for what is known by other divisions."""
        before = self._origin(u, self.quotients)
        if (u.key, k) in self.same:
            q = self.same[u.key, k]
            return q, self._remainder(u, k, q)
        division = Division(u, k)
        low, high = (bound >> k for bound in u.range)
        division.q = division.r = None
        if before and before.q == u:  # a quotient of a quotient is one
            division.q = self.divide(before.u, before.k + k)[0]
        full, division.r = self.simpler(u, k)
        new = division.r is None
        if new:
            division.r = self.atom(f"r{len(self.names)}", 0, (1 << k) - 1)
            self.remainders[len(self.names) - 1] = division
        else:
            low = max(low, -((division.r.range[1] - u.range[0]) >> k))
            high = min(high, (u.range[1] - division.r.range[0]) >> k)
            q = (full - division.r).over(1 << k)
            if low <= q.range[0] and q.range[1] <= high:
                division.q = q
        if division.q is None:
            if high == 0:
                division.q = -self.atom(f"q{len(self.names)}", 0, -low)
            else:
                division.q = self.atom(f"q{len(self.names)}", 0, high - low) + low
            self.quotients[len(self.names) - 1] = division
            if not new:
                self.exact.add(len(self.names) - 1)
        before = self._origin(u, self.remainders)
        if before and before.k > k:  # modulo 2^k, u is what it is the remainder of
            whole = before.q * (1 << (before.k - k)) + division.q
            if (before.u.key, k) not in self.divisions:
                self._divided(before.u, k, whole, division.r)
        return division.q, division.r

    def _origin(self, u, divisions):
        """The division of which u is the quotient or the remainder, or None."""
        return divisions.get(u.atom)

    def remainder(self, u, k):
        """That by 2^k, looked for the longer: as sums of lanes have it, whose carries are not kept."""
        if (u.key, k) not in self.divisions:
            self.patient = True
            try:
                self.divide(u, k)
            finally:
                self.patient = False
        return self.divisions[u.key, k][1]

    def simpler(self, u, k):
        """u with some remainders replaced, and what it is modulo 2^k, if it then shows; else None."""
        half, size = 1 << (k - 1), 1 << k
        reduced, known = u, []
        few = k > 32 and not self.patient
        for _ in range(STEPS if few else len(self.names)):
            atom = self._replaceable(reduced, k)
            if atom is None:
                break
            division = self.remainders[atom]
            known.append((atom, division))
            before, reduced = reduced, self.replace(reduced, atom, division.u)
            terms = {m: (c + half) % size - half for m, c in reduced.terms.items()}
            reduced = Polynomial(self, {m: c for m, c in terms.items() if c})
            self.step("a remainder modulo less", reduced, old=before, modulus=size)
            low, high = reduced.range
            if (
                self.patient
                and k == 64
                and (low < 0 or high >= size)
                and self._replaceable(reduced, k) is None
            ):
                low, high = self.bounds(reduced)
            if low >= 0 and high < size:
                full = u
                for atom, division in known:
                    full = self.replace(full, atom, division.u - division.q * (1 << division.k))
                return self.step("remainders replaced", full, old=u), reduced
            long = (
                len(reduced.terms) > len(u.terms) + TERMS if few else any(len(m) > 1 for m in reduced.terms)
            )
            if k > 32 and long:
                break
        return None, None

    def _replaceable(self, u, k):
        """The latest remainder that modulo 2^k is what was divided, with its coefficients."""
        least = {}  # {atom: the power of two that divides its coefficients}
        for m, c in u.terms.items():
            for atom in m:
                if atom in self.remainders:
                    power = (c & -c).bit_length() - 1
                    least[atom] = min(power, least.get(atom, power))
        return max((atom for atom in least if least[atom] + self.remainders[atom].k >= k), default=None)

    def replace(self, u, atom, by):
        """by for each occurrence of the atom."""
        terms = {m: c for m, c in u.terms.items() if atom not in m}
        for m, c in u.terms.items():
            if atom in m:
                left = list(m)
                left.remove(atom)
                for product, more in self._times(tuple(left), c, by):
                    _add(terms, product, more)
        result = Polynomial(self, terms)
        return self.replace(result, atom, by) if any(atom in m for m in terms) else result

    def _times(self, m, c, by):
        """The terms of c m by."""
        for n, d in by.terms.items():
            product, rest = self.monomial(m, n)
            if rest is None:
                yield product, c * d
            else:
                yield from ((each, c * d * more) for each, more in rest.terms.items())

    def named(self, u):
        """The same value, as one atom if it has many terms."""
        if len(u.terms) <= TERMS:
            return u
        low, high = u.range
        if low < 0:
            return u
        named = self._remainder(u, high.bit_length(), self.number(0))
        self.low[-1], self.high[-1] = low, high
        return self.step("a name", named, old=u)

    def bit(self, u):
        """The same value, which is 0 or 1 though its range may not say so."""
        if u.range in ((0, 0), (0, 1), (1, 1)):
            return u
        return self.step("one bit", self._remainder(u, 1, self.number(0)), old=u)

    def unnamed(self, u):
        """The same value, what has a name written out."""
        for atom in sorted({atom for m in u.terms for atom in m}, reverse=True):
            division = self.remainders.get(atom)
            if division and not division.q.terms:
                return self.unnamed(self.step("no name", self.replace(u, atom, division.u), old=u))
        return u

    # what is asked
    def bounds(self, u):
        """A narrower range: with all quotients eliminated, and rounded to integers."""
        terms = dict(u.terms)
        heap = [-m[0] for m in terms if len(m) == 1 and m[0] in self.quotients]
        heapq.heapify(heap)
        while heap:
            atom = -heapq.heappop(heap)
            coefficient = terms.pop((atom,), 0)
            if not coefficient:
                continue
            # q is the atom, its negative or less some constant: atom = sign (q - constant)
            division = self.quotients[atom]
            sign, constant = division.q.terms[(atom,)], division.q.terms.get((), 0)
            by = division.u - division.r
            scale = Fraction(coefficient * sign, 1 << division.k)
            terms[()] = terms.get((), 0) - coefficient * sign * constant
            for m, c in by.terms.items():
                if len(m) == 1 and m[0] in self.quotients and m not in terms:
                    heapq.heappush(heap, -m[0])
                _add(terms, m, scale * c)
        low, high = Polynomial(self, terms).range
        low, high = max(u.range[0], -(-low // 1)), min(u.range[1], high // 1)
        self.step("bounds", u, old=u, within=(low, high))
        return low, high

    def expanded(self, u):
        """Remainders that stand alone replaced; and quotients that leave no new one, if they can be."""
        terms, heap = {}, []

        def add(part, scale):
            for m, c in part.terms.items():
                if m not in terms and len(m) == 1 and (m[0] in self.remainders or m[0] in self.exact):
                    heapq.heappush(heap, -m[0])
                _add(terms, m, scale * c)

        add(u, 1)
        while heap:
            atom = -heapq.heappop(heap)
            coefficient = terms.get((atom,), 0)
            division = self.remainders.get(atom) or self.quotients[atom]
            size = 1 << division.k
            if not coefficient or (atom in self.exact and coefficient % size):
                continue
            del terms[(atom,)]
            if atom in self.exact:  # q = (u - r) / 2^k, and the atom is it, less a constant, or its negative
                sign, constant = division.q.terms[(atom,)], division.q.terms.get((), 0)
                add(self.number(-sign * constant), coefficient)
                add(division.u - division.r, sign * coefficient // size)
            else:
                add(division.u - division.q * size, coefficient)
        return self.step("expanded", Polynomial(self, terms), old=u)

    def multiplied(self, u):
        """Remainders in products replaced, the latest first: of numbers multiplied in parts."""
        terms, heap, products = {}, [], {}  # {remainder: the products that have had it}

        def add(m, c):
            if m not in terms and len(m) > 1:
                for atom in self.remainders.keys() & m:
                    if atom not in products:
                        products[atom] = set()
                        heapq.heappush(heap, -atom)
                    products[atom].add(m)
            _add(terms, m, c)

        for m, c in u.terms.items():
            add(m, c)
        while heap:
            atom = -heapq.heappop(heap)
            inside = terms.keys() & products.pop(atom)
            if not inside:
                continue
            division = self.remainders[atom]
            by = division.u - division.q * (1 << division.k)
            for m in sorted(inside) + [(atom,)] * ((atom,) in terms):
                left, c = list(m), terms.pop(m, 0)
                left.remove(atom)
                for product, more in self._times(tuple(left), c, by):
                    add(product, more)
        return self.step("products expanded", Polynomial(self, terms), old=u)

    def settled(self, u, modulus=None):
        """u expanded; without atoms of which ranges leave one value, and what the modulus divides."""
        before, u = u, self.expanded(u)
        terms = {}
        for m, c in u.terms.items():
            if modulus and c % modulus == 0:
                continue
            if len(m) == 1 and self.high[m[0]] and m[0] in self.quotients:
                low, high = self.bounds(Polynomial(self, {m: 1}))
                if low == high:
                    m, c = (), c * low
            _add(terms, m, c)
        return self.step("settled", Polynomial(self, terms), old=before, modulus=modulus)

    def vanishing(self, u):
        """The atoms that are 0 if u, a sum of what is not negative, is 0."""
        whole, zeros, todo = u, set(), [u]
        waiting = {id(d): d for d in (*self.quotients.values(), *self.remainders.values())}
        while todo:
            u = self.unnamed(todo.pop())
            terms = {m: c for m, c in u.terms.items() if not zeros.intersection(m)}
            if any(c < 0 or len(m) != 1 for m, c in terms.items()):
                continue
            new = {m[0] for m in terms}
            zeros |= new
            todo += [self.around[atom] for atom in new if atom in self.around]
            if not todo:  # what has both halves 0
                for key, division in list(waiting.items()):
                    if all(
                        m and zeros.issuperset(m) for half in (division.q, division.r) for m in half.terms
                    ):
                        todo.append(waiting.pop(key).u)
        total = Polynomial(self, {(atom,): 1 for atom in zeros})
        self.step("zeros", total, old=self.number(0), where=[(whole, 0)])
        return zeros

    def value(self, u, inputs):
        """Its value where the atoms that are inputs have those values; inputs is filled with the others."""

        def known(atom):
            if atom not in inputs:
                division = self.quotients.get(atom) or self.remainders[atom]
                whole = self.value(division.u, inputs)
                if atom in self.remainders:
                    inputs[atom] = whole & ((1 << division.k) - 1)
                else:
                    sign, constant = division.q.terms[(atom,)], division.q.terms.get((), 0)
                    inputs[atom] = sign * ((whole >> division.k) - constant)
            return inputs[atom]

        total = 0
        for m, c in u.terms.items():
            for atom in m:
                c *= known(atom)
            total += c
        return total
