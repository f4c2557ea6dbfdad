# SPDX-License-Identifier: MIT
"""One path through a kernel's bytes, over values that are not known.

Lengths and alignments are given, contents and addresses are not: an address is an unknown base, one for
each array, and a displacement.  Refused is a branch, an address or a shift that depends on a
value; a load or store outside of what the call was given, or below the red zone; the use of
what was never written; a callee-saved register or stack pointer that does not come back; the upper halves
of vector registers left in use.  So what ends without it is constant in time, and within its memory.
"""

from .evaluated import Wrong
from .identity import Exact, Refused, Vector, force
from .machine import Machine, execute
from .objects import GENERAL
from .polynomials import Polynomial
from .run import ARGUMENTS, RETURN, SAVED

B = 1 << 64
STACK = 1 << 15  # bytes below the return address
STACKS = 4  # alignments of the stack pointer that differ in what a kernel may round it down to
RED_ZONE = 128


class Array:
    """Bytes at an unknown address that is @offset more than a multiple of @align; elements of @grain bytes.

    Unknown contents are atoms, made when they are first read; without a name there are none.
    """

    def __init__(
        self, ops, label, size, *, grain=8, known=True, writable=False, align=8, offset=0, below=None
    ):
        del below  # for those who make the contents up
        self.ops, self.label, self.size, self.grain = ops, label, size, grain
        self.known = known
        self.stores = range(size) if writable else range(0)
        self.base = ops.ring.atom(f"&{label}", 1024, (1 << 58) - (1 << 20)) * align + offset
        self.elements = {}
        self.cells = {}  # {byte: (value, which byte of it)}
        self.least = 0

    def element(self, index):
        if index not in self.elements:
            width = 8 * self.grain
            self.elements[index] = (
                self.ops.of(width, self.ops.ring.atom(f"{self.label}{index}", 0, (1 << width) - 1))
                if self.known
                else self.ops.undefined(width, f"{self.label}[{index}]")
            )
        return self.elements[index]

    def cell(self, at):
        return self.cells.get(at) or (self.element(at // self.grain), at % self.grain)

    def load(self, at, size):
        """The bytes as one value."""
        parts = []
        while size:
            value, first = self.cell(at)
            count = 1
            while count < size and 8 * (first + count) < value.width:
                other, byte = self.cell(at + count)
                if other is not value or byte != first + count:
                    break
                count += 1
            parts.append(self.ops.extract(value, 8 * first, 8 * count))
            at, size = at + count, size - count
        return self.ops.concat(parts)

    def store(self, at, value):
        for byte in range(value.width // 8):
            self.cells[at + byte] = value, byte

    def before(self, first=0, end=None):
        """Σ x[i] B^(i - first) of what was there at first."""
        return self._number(self.element, first, end)

    def after(self, first=0, end=None):
        """Σ x[i] B^(i - first) of what is there now."""
        return self._number(lambda index: self.load(index * self.grain, self.grain), first, end)

    def _number(self, element, first, end):
        total = self.ops.ring.number(0)
        for index in range(first, self.size // self.grain if end is None else end):
            total = total + element(index).polynomial * (1 << 8 * self.grain * (index - first))
        return total

    def words(self):
        """The sum of its 16-bit words, of single bytes; the last one's upper byte may be missing."""
        return sum(
            (self.element(index).polynomial * (256 if index % 2 else 1) for index in range(self.size)),
            self.ops.ring.number(0),
        )

    def at(self, index):
        """The address of an element, as an argument."""
        return self.ops.of(64, self.base + index * self.grain)


class Path(Machine):
    """A call's machine; arrays are added to it, then it is run, once, in at most so many steps.

    The stack pointer is 8 more than so many times 16, and a multiple of 64.
    """

    def __init__(self, image, most=1_000_000, stack=0, seed=0):
        super().__init__(Exact(seed))
        self.image = image
        self.arrays = {}
        self.files = {}
        self.stack = self._add(
            Array(self.ops, "stack", 8, known=False, writable=True, align=64, offset=8 + 16 * stack)
        )
        self.stack.least = -STACK
        self.saved = {}
        for name in SAVED:
            value = self.stack.base if name == "rsp" else self.ops.ring.atom(f"saved {name}", 0, 2**64 - 1)
            self.saved[name] = self.ops.of(64, value)
            self.files["general", GENERAL[name]] = self.saved[name]
        self.stack.store(0, self.ops.const(64, RETURN))
        self.upper = False  # whether the upper halves of vector registers are in use
        self.trace = []  # addresses of the instructions
        self.most = most

    def _add(self, array):
        ((atom,),) = (m for m in array.base.terms if m)
        self.arrays[atom] = array
        return array

    def array(self, label, count, **options):
        grain = options.get("grain", 8)
        return self._add(Array(self.ops, label, count * grain, **options))

    def output(self, label, count):
        """Words that may be written, and not be read before."""
        return self.array(label, count, known=False, writable=True)

    def anything(self):
        """An argument that may not matter."""
        return self.ops.undefined(64, "an argument")

    def word(self, label, high=B - 1):
        return self.ops.of(64, self.ops.ring.atom(label, 0, high))

    def odd(self, label, count):
        """A modulus m[count], and m0 = -1 / m modulo B: then m0 m[0] is -1 + B times something."""
        m, m0 = self.array(label, count), self.word(f"{label}0")
        self.ops.ring.inverse(m0.polynomial, m.element(0).polynomial, 64)
        return m, m0

    def inverse(self, k, i, m, j, bits):
        """The lowest bits of k[i] are those of -1 / m[j]."""
        self.ops.ring.inverse(self.part(k, i, bits), self.part(m, j, bits), bits)

    def part(self, array, index, bits):
        """The lowest bits of what an element is now."""
        value = array.load(array.grain * index, array.grain)
        return self.ops.extract(value, 0, bits).polynomial

    def fill(self, array, index, value):
        """An element's contents are an integer, or an array's address."""
        value = self.ops.of(64, value.base) if isinstance(value, Array) else self.ops.const(64, value)
        array.store(array.grain * index, value)

    def integer(self, value, width):
        """An argument of fewer bits: those above are anything."""
        return self.ops.concat([self.ops.const(width, value), self.ops.undefined(64 - width, "above")])

    # registers
    def get(self, file, number):
        if file == "defined":
            return self.ops.const(1, self.files.get((file, number), 0))
        if (file, number) not in self.files:
            name = f"{file} {number}"
            if file == "vector":
                value = Vector([self.ops.undefined(64, name) for _ in range(8)])
            else:
                value = self.ops.undefined(1 if file == "flag" else 64, name)
            self.files[file, number] = value
        return self.files[file, number]

    def put(self, file, number, value):
        if file == "defined":
            self.files[file, number] = value.polynomial.constant
            return
        if file != "flag":
            force(value)
        self.files[file, number] = value

    def write(self, operand, value, instruction):
        super().write(operand, value, instruction)
        if getattr(operand, "file", None) == "vector" and instruction.vex and operand.number < 16:
            self.upper |= operand.bits > 128

    # memory
    def _place(self, address, size, write):
        place = address.polynomial
        bases = [m for m in place.terms if m]
        if len(bases) == 1 and len(bases[0]) == 1 and bases[0][0] in self.arrays:
            array = self.arrays[bases[0][0]]
            at = (place - array.base).constant
            if at is not None:
                least = array.least
                if array is self.stack:
                    top = (self.get("general", GENERAL["rsp"]).polynomial - array.base).constant
                    if top is None:
                        raise Refused("the stack pointer is lost")
                    least = max(least, top - RED_ZONE)
                if not least <= at <= array.size - size:
                    raise Refused(f"{size} bytes at {array.label} + {at}, of {array.size}")
                if write and at >= 0 and not (at in array.stores and at + size - 1 in array.stores):
                    raise Refused(f"a store to {array.label} + {at}")
                return array, at
        raise Refused(f"an address depends on a value: {place}")

    def _constants(self, address, size):
        """What the image has there, which nobody writes."""
        for base, data, writable in self.image.regions:
            if not writable and base <= address <= base + len(data) - size:
                return data[address - base : address - base + size].tobytes()
        raise Refused(f"{size} bytes at {address:#x}")

    def load(self, address, bits):
        known = address.polynomial.constant
        if known is not None:
            value = self.ops.const(bits, int.from_bytes(self._constants(known, bits // 8), "little"))
        else:
            array, at = self._place(address, bits // 8, False)
            value = array.load(at, bits // 8)
        if bits <= 64:
            return value
        return Vector([self.ops.extract(value, low, 64) for low in range(0, bits, 64)])

    def store(self, address, value):
        bits = value.bits if isinstance(value, Vector) else value.width
        array, at = self._place(address, bits // 8, True)
        for part in value.parts if isinstance(value, Vector) else [value]:
            array.store(at, part)
            at += part.width // 8

    def _touched(self, address, width, bits):
        known = bits.polynomial.constant
        if known is None:
            raise Refused("a mask of lanes in memory depends on a value")
        for lane in range(bits.width):
            at = self.ops.add(address, lane * width // 8)
            yield at if known >> lane & 1 else None

    def load_lanes(self, address, width, bits):
        return Vector(
            [
                self.ops.const(width, 0) if at is None else self.load(at, width)
                for at in self._touched(address, width, bits)
            ]
        )

    def store_lanes(self, address, width, bits, vector):
        lanes = self.ops.lanes(vector, width)
        for at, lane in zip(self._touched(address, width, bits), lanes, strict=True):
            if at is not None:
                self.store(at, lane)

    # control
    def assume(self, condition, reason):
        if condition.polynomial.constant != 1:
            raise Refused(reason)

    def jump(self, target):
        known = target.polynomial.constant
        if known is None:
            raise Refused("a jump to a value")
        self.next = known

    def branch(self, condition, target):
        taken = condition.polynomial.constant
        if taken is None:
            raise Refused("a branch depends on a value")
        if taken:
            self.next = target

    def number(self, value):
        return self.ops.ring.number(value)

    def call(self, function, *arguments):
        """rax after it; an argument is an array's base, an integer or a value."""
        for name, argument in zip(ARGUMENTS, arguments, strict=False):
            if isinstance(argument, Array):
                argument = self.ops.of(64, argument.base)
            elif isinstance(argument, int):
                argument = self.ops.const(64, argument)
            self.files["general", GENERAL[name]] = argument
        at = self.image.functions[function]
        try:
            while at != RETURN:
                if len(self.trace) == self.most:
                    raise Refused("it has no end")
                self.instruction = self.image.program.get(at)
                if self.instruction is None:
                    raise Refused(f"a jump to {at:#x}, where no instruction begins")
                self.trace.append(at)
                self.next = self.instruction.end
                execute(self, self.instruction)
                if self.instruction.mnemonic == "vzeroupper":
                    self.upper = False
                at = self.next
        except Refused as refused:
            raise Refused(f"{self.image.name(at)}: {refused}") from None
        for name, value in self.saved.items():
            wanted = value.polynomial + (8 if name == "rsp" else 0)
            if self.get("general", GENERAL[name]).polynomial != wanted:
                raise Refused(f"{name} does not come back")
        if self.upper:
            raise Refused("the upper halves of vector registers stay in use")
        return self.get("general", GENERAL["rax"])

    @staticmethod
    def known(value):
        """It as an integer, if it depends on nothing that is not known."""
        if value.polynomial.constant is None:
            raise Refused(f"it depends on a value: {value.polynomial}")
        return value.polynomial.constant

    def low(self, value, width):
        """Its lowest bits, which are all that a narrower result has."""
        return self.ops.extract(value, 0, width)

    # claims
    def equal(self, a, b, modulus=None):
        """a = b, or a congruent to b: then it is for the claim to say why no more is needed."""
        ring = self.ops.ring
        try:
            ring.step("the claim", a - b, old=self.number(0), modulus=modulus)
        except Wrong as wrong:
            raise Refused(str(wrong)) from None
        left = ring.settled(a - b, modulus)
        if left.constant != 0:
            left = ring.settled(ring.multiplied(left), modulus)
        if left.constant != 0:
            raise Refused(f"they differ by {left}")

    def only_zeros(self, a, data):
        """a, which is not negative, is 0 only if all of the data are."""
        zeros = self.ops.ring.vanishing(a)
        left = [
            index
            for index in range(data.size)
            if not zeros.issuperset(m[0] for m in data.element(index).polynomial.terms)
        ]
        if left:
            raise Refused(f"it may be 0 where {data.label}[{left[0]}] is not")

    def multiple(self, a, m, most):
        """a = q m for a q of 0 ... most - 1; q, which is found by m's lowest word."""
        ring = self.ops.ring
        a = ring.settled(a)
        (lowest,) = min(monomial for monomial, c in m.terms.items() if c == 1)
        q = ring.factor(a, lowest)
        self.equal(a, q * m)
        if q.range[0] < 0 or q.range[1] >= most:
            raise Refused(f"not a multiple of the modulus by 0 ... {most - 1}")

    def reduced(self, r, product, m, n):
        """B^n r = product modulo m, r < m; the product is below B^n m.

        r is t or t - m, as a bit says: that of the borrow in its topmost word, x = t[n] - a borrow, which it
        is if x < 0.  With d the words of the difference, t - m = d + B^n x.  We show B^n t = product + q m,
        0 <= q < B^n: so t < 2m, t - m < m < B^n.  If x >= 0 then x = 0, as d + B^n x < B^n, and r = d.
        If x < 0 then t < m < B^n, so that r = t if they agree modulo B^n.
        """
        ring, m = self.ops.ring, m.before()
        result = r.after()
        chosen = {
            atom
            for monomial in result.terms
            for atom in monomial
            if len(monomial) > 1 and ring.high[atom] == 1 and atom in ring.quotients
        }
        if len(chosen) != 1:
            raise Refused("a result that is no choice by one bit")
        (bit,) = chosen
        division = ring.quotients[bit]
        x = division.u
        if division.k != 64 or division.q != Polynomial(ring, {(bit,): -1}):
            raise Refused("a choice by what is no borrow")
        difference, same = (self.ops.given(result, bit, value) for value in (0, 1))
        if difference.range[0] < 0 or difference.range[1] >= B**n:
            raise Refused("a difference that may not be below B^n")
        t = difference + x * B**n + m
        self.multiple(t * B**n - product, m, B**n)
        self.equal(same, t, B**n)
