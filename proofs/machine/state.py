# SPDX-License-Identifier: MIT
"""The processor's state over a domain, and how an instruction's operands reach it.

A meaning is a function of (machine, instruction).  It reads by read(), address(), load() and
flag(), and writes by write(), store(), set_flags(), undefine() and jump(): nothing else
reaches the state, so that a subclass sees each effect.
"""

from ..objects import GENERAL, REGISTERS, Immediate, Memory, Register

# the places of the flags in the processor's word of them
FLAGS = {"cf": 0, "pf": 2, "af": 4, "zf": 6, "sf": 7, "of": 11}


class Unknown(Exception):
    """An instruction whose meaning is not written down."""


class Machine:
    """Registers as values of 64 bits, vectors of 512; a subclass keeps them and the memory.

    It provides get(file, number), put(file, number, value), load(address, bits),
    store(address, value), assume(condition, reason), jump(target), branch(condition, target):
    files are "general", "mask", "vector", "flag" and "defined", the last two by name.
    """

    def __init__(self, ops):
        self.ops = ops

    # operands
    def address(self, place, instruction):
        ops = self.ops
        where = ops.const(64, place.displacement)
        for name in (place.base, place.index):
            if name not in (None, "rip") and name not in GENERAL:
                raise Unknown(f"no meaning for an address by {name} in {instruction}")
        if place.base == "rip":
            return ops.const(64, place.displacement + instruction.end)
        if place.index is not None:
            index = self.get("general", GENERAL[place.index])
            where = ops.add(ops.mul(index, place.scale), where)
        if place.base is not None:
            where = ops.add(where, self.get("general", GENERAL[place.base]))
        return where

    def read(self, operand, instruction, bits=None):
        """Its value: a scalar for general and mask registers, else a vector.

        bits is how many of the lowest are wanted of a register, or of memory.
        """
        ops = self.ops
        if isinstance(operand, Immediate):
            return ops.const(bits or operand.bits, operand.value)
        if isinstance(operand, Memory):
            return self.load(self.address(operand, instruction), bits or operand.bits)
        value = self.get(operand.file, operand.number)
        if operand.file == "vector":
            return ops.part(value, 0, bits or operand.bits)
        return ops.extract(value, operand.low, bits or operand.bits)

    def write(self, operand, value, instruction):
        """All of memory or of a register; what is above a value of 32 bits or a VEX vector is cleared."""
        ops = self.ops
        if isinstance(operand, Memory):
            self.store(self.address(operand, instruction), value)
        elif operand.file == "vector":
            if instruction.vex:
                value = ops.extended(value, 512)
            else:
                old = self.get("vector", operand.number)
                value = ops.vector(ops.lanes(value, 64) + ops.lanes(old, 64)[ops.total(value) // 64 :])
            self.put("vector", operand.number, value)
        else:
            width = ops.width(value)
            if operand.file == "general" and width < 32:
                old = self.get("general", operand.number)
                parts = [value, ops.extract(old, operand.low + width, 64 - operand.low - width)]
                if operand.low:
                    parts.insert(0, ops.trunc(old, operand.low))
                value = ops.concat(parts)
            elif width < 64:
                value = ops.zext(value, 64)
            self.put(operand.file, operand.number, value)

    # flags
    def flag(self, name):
        self.assume(self.get("defined", name), f"{name} is read where it is undefined")
        return self.get("flag", name)

    def set_flags(self, **values):
        for name, value in values.items():
            self.put("flag", name, value)
            self.put("defined", name, self.ops.const(1, 1))

    def undefine(self, *names, when=None):
        """They hold anything from now on, where the condition is met."""
        for name in names:
            old = self.get("defined", name)
            no = self.ops.const(1, 0)
            self.put("defined", name, no if when is None else self.ops.select(when, no, old))

    def result_flags(self, result):
        """zf, sf and pf, as most instructions set them."""
        ops = self.ops
        parity = ops.const(1, 1)
        for index in range(8):
            parity = ops.xor(parity, ops.bit(result, index))
        self.set_flags(zf=ops.eq(result, 0), sf=ops.top(result), pf=parity)

    # the stack
    def push(self, value):
        top = self.ops.sub(self.get("general", GENERAL["rsp"]), 8)
        self.put("general", GENERAL["rsp"], top)
        self.store(top, value)

    def pop(self):
        top = self.get("general", GENERAL["rsp"])
        value = self.load(top, 64)
        self.put("general", GENERAL["rsp"], self.ops.add(top, 8))
        return value


MEANINGS = {}


def meaning(*mnemonics):
    """Registers a function as the meaning of these mnemonics; it is given the mnemonic, too, if several."""

    def register(function):
        for mnemonic in mnemonics:
            MEANINGS[mnemonic] = function
        return function

    return register


def execute(machine, instruction):
    """The instruction's effects on the machine; Unknown if it has no meaning here."""
    function = MEANINGS.get(instruction.mnemonic)
    if function is None:
        raise Unknown(f"no meaning for {instruction}")
    for operand in instruction.operands:
        if isinstance(operand, Register) and operand.name not in REGISTERS:
            raise Unknown(f"no meaning for {instruction}")
    try:
        function(machine, instruction)
    except (AttributeError, IndexError) as error:  # operands of another number or kind than it takes
        raise Unknown(f"no meaning for this form of {instruction}") from error
