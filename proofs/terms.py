# SPDX-License-Identifier: MIT
"""Code's bytes over z3's bit vectors: what it leaves behind for all values at once, path by path.

Memory is a few regions, each at an address that is not known; within one, only what has a known offset is
loaded or stored.  A branch on what is not known parts the paths, each with its conditions.  Refused is
whatever else there may be: another address, a loop of many paths, a call of what is not there.
"""

from typing import NamedTuple

import z3

from .machine import Machine, Unknown, execute
from .machine.domain import Domain
from .objects import GENERAL
from .run import ARGUMENTS, RETURN, SAVED

STACK = 1 << 12  # bytes below the return address
RED_ZONE = 128
PATHS = 64
STEPS = 4096  # of a path


class Refused(Exception):
    """It is not shown, for this reason."""


class Lanes(list):
    """A vector, as terms of 64 bits."""


class Terms(Domain):
    """z3's bit vectors; of numbers the operations give numbers."""

    def const(self, width, value):
        return z3.BitVecVal(value, width)

    def width(self, a):
        return a.size()

    @staticmethod
    def _folded(term, *of):
        return z3.simplify(term) if all(map(z3.is_bv_value, of)) else term

    def _both(self, operation, a, b):
        b = self._same(b, a)
        return self._folded(operation(a, b), a, b)

    def add(self, a, b):
        return self._both(lambda a, b: a + b, a, b)

    def sub(self, a, b):
        return self._both(lambda a, b: a - b, a, b)

    def mul(self, a, b):
        return self._both(lambda a, b: a * b, a, b)

    def and_(self, a, b):
        return self._both(lambda a, b: a & b, a, b)

    def or_(self, a, b):
        return self._both(lambda a, b: a | b, a, b)

    def xor(self, a, b):
        return self._both(lambda a, b: a ^ b, a, b)

    def not_(self, a):
        return self._folded(~a, a)

    def shl(self, a, b):
        return self._both(lambda a, b: a << b, a, b)

    def lshr(self, a, b):
        return self._both(z3.LShR, a, b)

    def ashr(self, a, b):
        return self._both(lambda a, b: a >> b, a, b)

    def udiv(self, a, b):
        return self._both(z3.UDiv, a, b)

    def _bit(self, condition):
        return z3.If(condition, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))

    def eq(self, a, b):
        return self._both(lambda a, b: self._bit(a == b), a, b)

    def ult(self, a, b):
        return self._both(lambda a, b: self._bit(z3.ULT(a, b)), a, b)

    def select(self, condition, a, b):
        if z3.is_bv_value(condition):
            return a if condition.as_long() else b
        return z3.If(condition == 1, a, b)

    def zext(self, a, width):
        return self._folded(z3.ZeroExt(width - a.size(), a), a) if width > a.size() else a

    def sext(self, a, width):
        return self._folded(z3.SignExt(width - a.size(), a), a) if width > a.size() else a

    def extract(self, a, low, width):
        return a if width == a.size() else self._folded(z3.Extract(low + width - 1, low, a), a)

    def concat(self, parts):
        """One value of them all, the first lowest."""
        return self._folded(z3.Concat(*reversed(parts)), *parts) if len(parts) > 1 else parts[0]

    def lanes(self, vector, width):
        whole = self.concat(vector)
        return [self.extract(whole, low, width) for low in range(0, whole.size(), width)]

    def vector(self, lanes):
        whole = self.concat(list(lanes))
        return Lanes(self.extract(whole, low, 64) for low in range(0, whole.size(), 64))


class Region(NamedTuple):
    """Memory at an unknown address: what may be loaded, and what may be stored, as ranges of offsets."""

    base: z3.BitVecRef
    loads: range
    stores: range
    cells: dict  # {offset: (term, which byte of it)}

    def put(self, at, term):
        for byte in range(term.size() // 8):
            self.cells[at + byte] = term, byte


class Run(Machine):
    """One path of a call: `decisions` say which way the first branches go that depend on a value, `taken`
    which way all of them went."""

    def __init__(self, image, regions, decisions):
        super().__init__(Terms())
        self.image, self.decisions, self.steps = image, decisions, 0
        self.files, self.taken, self.path, self.owed = {}, [], [], []
        # a call leaves it at 8 more than a multiple of 16
        stack = Region(16 * z3.BitVec("stack", 64) + 8, range(-STACK, 8), range(-STACK, 0), {})
        stack.put(0, z3.BitVecVal(RETURN, 64))
        # each run stores into its own
        self.regions = {name: each._replace(cells=dict(each.cells)) for name, each in regions.items()}
        self.regions["stack"] = stack
        self.put("general", GENERAL["rsp"], stack.base)
        for name, each in zip(ARGUMENTS, regions.values(), strict=False):
            self.put("general", GENERAL[name], each.base)
        self.saved = {name: self.get("general", GENERAL[name]) for name in SAVED}

    # registers
    def get(self, file, number):
        if (file, number) not in self.files:
            name = f"{file} {number}"
            if file == "defined":
                return self.ops.const(1, 0)
            if file == "vector":
                value = Lanes(z3.BitVec(f"{name}.{lane}", 64) for lane in range(8))
            else:
                value = z3.BitVec(name, 1 if file == "flag" else 64)
            self.files[file, number] = value
        return self.files[file, number]

    def put(self, file, number, value):
        self.files[file, number] = value

    # memory
    def _place(self, address, size):
        """A region and the offset in it; or None and a known address."""
        address = z3.simplify(address)
        if z3.is_bv_value(address):
            return None, address.as_long()
        for region in self.regions.values():
            offset = z3.simplify(address - region.base)
            if z3.is_bv_value(offset):
                return region, offset.as_signed_long()
        raise Refused(f"an address depends on a value: {size} bytes at {address}")

    def load(self, address, bits):
        size = bits // 8
        region, at = self._place(address, size)
        if region is None:
            value = self.ops.const(bits, int.from_bytes(self._constants(at, size), "little"))
        else:
            if not (at in region.loads and at + size - 1 in region.loads):
                raise Refused(f"it loads {size} bytes at {region.base} + {at}")
            value = self._bytes(region, at, size)
        return self.ops.vector([value]) if bits > 64 else value

    def bytes(self, name, at, size):
        """What a region has there now."""
        return self._bytes(self.regions[name], at, size)

    def _bytes(self, region, at, size):
        parts = []
        while size:
            if at not in region.cells:
                region.put(at, z3.BitVec(f"{region.base} at {at}", 8))
            term, first = region.cells[at]
            count = 1
            while count < size and region.cells.get(at + count) == (term, first + count):
                count += 1
            parts.append(self.ops.extract(term, 8 * first, 8 * count))
            at, size = at + count, size - count
        return self.ops.concat(parts)

    def _constants(self, address, size):
        for base, data, writable in self.image.regions:
            if not writable and base <= address <= base + len(data) - size:
                return data[address - base : address - base + size].tobytes()
        raise Refused(f"it loads {size} bytes at {address:#x}")

    def store(self, address, value):
        for part in value if isinstance(value, Lanes) else [value]:
            region, at = self._place(address, part.size() // 8)
            last = at + part.size() // 8 - 1
            allowed = region is not None and at in region.stores and last in region.stores
            if not allowed or (region is self.regions["stack"] and at < self._top() - RED_ZONE):
                raise Refused(f"it stores {part.size() // 8} bytes at {z3.simplify(address)}")
            region.put(at, part)
            address = self.ops.add(address, part.size() // 8)

    def _top(self):
        """The stack pointer's offset."""
        offset = z3.simplify(self.get("general", GENERAL["rsp"]) - self.regions["stack"].base)
        if not z3.is_bv_value(offset):
            raise Refused("the stack pointer depends on a value")
        return offset.as_signed_long()

    # control
    def assume(self, condition, reason):
        self.owed.append((z3.And(*self.path), condition == 1, reason))

    def jump(self, target):
        target = z3.simplify(target)
        if not z3.is_bv_value(target):
            raise Refused("a jump depends on a value")
        self.next = target.as_long()

    def branch(self, condition, target):
        taken = z3.simplify(condition == 1)
        if not (z3.is_true(taken) or z3.is_false(taken)):
            at = len(self.taken)
            self.taken.append(self.decisions[at] if at < len(self.decisions) else True)
            self.path.append(taken if self.taken[at] else z3.Not(taken))
            taken = z3.BoolVal(self.taken[at])
        if z3.is_true(taken):
            self.next = target

    def run(self, function):
        """rax after it."""
        at = self.image.functions[function]
        missing = {address: name for name, address in self.image.missing.items()}
        for _ in range(STEPS):
            if at == RETURN:
                break
            if at in missing:
                raise Refused(f"it calls {missing[at]}")
            instruction = self.image.program.get(at)
            if instruction is None:
                raise Refused(f"a jump to {at:#x}, where no instruction begins")
            self.next = instruction.end
            self.steps += 1
            try:
                execute(self, instruction)
            except (Unknown, ValueError) as unknown:
                raise Refused(str(unknown)) from None
            at = self.next
        else:
            raise Refused(f"a path of more than {STEPS} instructions")
        for name, value in self.saved.items():
            value = self.ops.add(value, 8) if name == "rsp" else value
            same = self.get("general", GENERAL[name]) == value
            self.owed.append((z3.And(*self.path), same, f"{name} does not come back"))
        return self.get("general", GENERAL["rax"])


def paths(image, function, regions, possible):
    """(the run, rax) of each path; `possible` says whether conditions can all hold."""
    todo, found = [[]], []
    while todo:
        decisions = todo.pop()
        run = Run(image, regions, decisions)
        try:
            rax = run.run(function)
        except Refused:
            # code that is not reached may do anything
            if possible(run.path):
                raise
            rax = None
        if rax is not None:
            found.append((run, rax))
        todo += [[*run.taken[:at], False] for at in range(len(decisions), len(run.taken))]
        if len(found) + len(todo) > PATHS:
            raise Refused(f"more than {PATHS} paths")
    return found
