"""Rewrites: both sides of each rule are the same number; each rule fires; each damaged rule is refuted.

A rule is tried with every choice of its names, from the numbers around each width, that satisfies its `when`.
Its variables are words with room above everything that the rule inspects, read as signed, and its operations
are done in words so wide that nothing is lost. z3 then looks for words that satisfy `fits` and `bounds` and
for which the sides differ (in the bits below `modulo`, if there is one).

A rule is damaged by changing the result's width by one, by replacing the operation of the result or one in
the pattern, and by omitting each of its conditions or widening its bounds. Each of these must be refuted;
otherwise the proof could not fail.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from itertools import product

import z3

from ..facts.demand import demands
from ..facts.ranges import ranges
from ..ir.form import INT, LOGIC, Block, Function, Instruction, Int, Return, Value, unsigned
from ..ir.interpret import logic
from ..rewrite.idiom import JOINS, WORDS, idioms
from ..rewrite.limbs import folds
from ..rewrite.parts import JOINED
from ..rewrite.rules import RULES, Imm, Rule
from . import WIDTHS_ALL, WIDTHS_WORDS, Unproven
from .demanded import word_field, word_low, word_rotl, word_shift

THEOREM = """idiom: the two sides of each rule of rules.py are the same number, or the same in the bits
  that the rule asks about, whatever its variables are; bytes joined to a word are that word
  (by z3 at each width, and each rule, damaged, is refuted)"""
STATED = {
    **{rule.name: rf"{re.escape(rule.name)} at \d+ bits$" for rule in RULES},
    **{f"bytes joined by {join}": rf"bytes joined by {join} to" for join in sorted(JOINS)},
}


def widths(bounded: bool) -> tuple[int, ...]:
    return (2, 3, 5, 8, 12, 32, 64) if bounded else (*WIDTHS_ALL, *WIDTHS_WORDS)


def names_of(pattern) -> tuple[dict[str, None], dict[str, None], dict[str, None]]:
    """The names of the attributes, the constants and the variables, in order."""
    attributes, constants, variables = {}, {}, {}
    if isinstance(pattern, Imm):
        constants[pattern.name] = None
    elif isinstance(pattern, str):
        variables[pattern] = None
    else:
        _, attribute, *args = pattern if len(pattern) > 1 else (*pattern, None)
        if attribute is not None:
            attributes[attribute] = None
        for arg in args:
            for all_of_them, more in zip((attributes, constants, variables), names_of(arg), strict=True):
                all_of_them.update(more)
    return attributes, constants, variables


def instances(rule: Rule, width: int) -> Iterator[dict[str, int]]:
    """Values for the rule's names around this width."""
    attributes, constants, _ = names_of(rule.pattern)
    constants = {name: None for name in constants if name not in attributes}
    some_attributes = sorted({1, max(width - 1, 1), width, width + 1})
    power = 1 << width
    some_constants = sorted(
        {0, 1, -1, 3, width, 1 - width, power, power - 1, power >> 1, -power, -(power >> 1)}
    )
    for choice in product(*(some_attributes for _ in attributes), *(some_constants for _ in constants)):
        names = dict(zip((*attributes, *constants), choice, strict=True))
        # a rotation's width is a constant
        if any(names[n] > width + 1 for n in constants if n in _result_widths(rule)):
            continue
        if rule.when(**names):
            yield names | rule.derive(**names)


def _result_widths(rule: Rule) -> set[str]:
    return {rule.result[1]} if isinstance(rule.result[1], str) else set()


class _Sides:
    """The two sides of a rule as words, for one choice of its names' values."""

    def __init__(self, rule: Rule, names: dict[str, int], width: int):
        self.names = names
        self.room = 3 * width + 12
        self.defined: list = []
        _, _, variables = names_of(rule.pattern)
        self.variables = {v: z3.SignExt(2 * width + 8, z3.BitVec(v, width + 4)) for v in variables}
        self.left = self.value(rule.pattern)
        self.right = self.value(rule.result)
        for variable, k in rule.fits:
            self.defined.append(self._between(variable, 0, (1 << names[k]) - 1))
        for variable, (low, high) in rule.bounds(**self._bound_names(rule)).items():
            self.defined.append(self._between(variable, low, high))
        if rule.modulo is not None:
            self.left, self.right = (word_low(names[rule.modulo], side) for side in (self.left, self.right))

    def _bound_names(self, rule: Rule) -> dict[str, int]:
        attributes, constants, _ = names_of(rule.pattern)
        return {name: self.names[name] for name in (*attributes, *constants)}

    def _between(self, variable: str, low: int, high: int):
        x = self.variables[variable]
        return z3.And(x >= low, x <= high)

    def word(self, k: int):
        return z3.BitVecVal(k, self.room)

    def value(self, pattern):
        if isinstance(pattern, Imm):
            return self.word(self.names[pattern.name])
        if isinstance(pattern, str):
            return self.variables[pattern]
        op, attribute, *args = pattern
        k = self.names.get(attribute)
        xs = [self.value(arg) for arg in args]
        if op in LOGIC:
            return logic(LOGIC[op], *xs)
        match op:
            case "add":
                return xs[0] + xs[1]
            case "sub":
                return xs[0] - xs[1]
            case "neg":
                return -xs[0]
            case "low":
                return word_low(k, xs[0])
            case "field":
                return word_field(k, xs[0])
            case "rotl":
                return word_rotl(k, *xs)
            case "shift":
                return word_shift(*xs)
            case "fmod":
                return self._remainder(*xs)
        raise NotImplementedError(op)

    def _remainder(self, x, y):
        """The one number r with x = q y + r for some q, and 0 <= r < y, or y < r <= 0."""
        r, q = z3.BitVec("r", self.room), z3.BitVec("q", self.room)
        limit = self.word(1 << (self.room // 3))
        self.defined += [y != 0, x == q * y + r, q <= limit, q >= -limit]
        self.defined.append(z3.If(y > 0, z3.And(r >= 0, r < y), z3.And(r <= 0, r > y)))
        return r


def prove(rule: Rule, width: int) -> int:
    """Proves the rule for each choice of its names' values; returns their number. Raises Unproven."""
    count = 0
    for names in instances(rule, width):
        if any(names.get(name, 1) < 1 for name in _result_widths(rule)):
            raise Unproven(f"{names}: no width")
        sides = _Sides(rule, names, width)
        solver = z3.Solver()
        solver.set("timeout", 60000)
        solver.add(*sides.defined, sides.left != sides.right)
        answer = solver.check()
        if answer != z3.unsat:
            raise Unproven(f"{names}: {solver.model() if answer == z3.sat else 'no answer'}")
        count += 1
    if not count and width > 2:
        raise Unproven("no choice of its names")
    return count


# Whether it fires ----------------------------------------------------------------------------


def fires(rule: Rule) -> int:
    """Whether the pass rewrites a function of the rule's pattern to one of its result."""
    for width in (8, 32, 5):
        for names in instances(rule, width):
            root, function = _written(rule, names)
            known = ranges(function)
            idioms(function, known, demands(function, known).masks)
            if root.op == rule.result[0] and root.attribute == names[rule.result[1]]:
                return 1
    raise Unproven("it never fires")


def _written(rule: Rule, names: dict[str, int]) -> tuple[Instruction, Function]:
    attributes, constants, variables = names_of(rule.pattern)
    types = {v: INT for v in variables}
    types |= {v: unsigned(names[k]) for v, k in rule.fits}
    bound = rule.bounds(**{name: names[name] for name in (*attributes, *constants)})
    types |= {v: Int(low, high) for v, (low, high) in bound.items()}
    params = {v: Value(v, type_) for v, type_ in types.items()}
    instructions: list[Instruction] = []

    def emit(op, args, attribute=None) -> Value:
        result = Value(f"t{len(instructions)}", INT)
        instructions.append(Instruction(op, args, [result], attribute))
        return result

    def write(pattern) -> Value:
        if isinstance(pattern, Imm):
            return emit("const", [], names[pattern.name])
        if isinstance(pattern, str):
            return params[pattern]
        op, attribute, *args = pattern
        return emit(op, [write(arg) for arg in args], names.get(attribute))

    result = write(rule.pattern)
    root = instructions[-1]
    if rule.modulo is not None:
        result = emit("low", [result], names[rule.modulo])
    return root, Function("f", [INT], [Block("entry", [*params.values()], instructions, Return([result]))])


# Damage --------------------------------------------------------------------------------------

OTHER_RESULT = {"low": "field", "field": "low"}
OTHER_PATTERN = {
    "fmod": "sub",
    "and": "ior",
    "ior": "and",
    "xor": "and",
    "add": "sub",
    "sub": "add",
}


def damaged(rule: Rule) -> Iterator[tuple[str, Rule]]:
    """Variants of this rule that are wrong."""
    op, width, *args = rule.result
    attributes, constants, _ = names_of(rule.pattern)
    for by in (1, -1):

        def derive(by=by, **names):
            known = names | rule.derive(**names)
            return {"damaged": known[width] + by}

        yield (
            f"a result of width {by:+}",
            dataclasses.replace(rule, result=(op, "damaged", *args), derive=derive),
        )
    if op in OTHER_RESULT:
        yield (
            f"{OTHER_RESULT[op]} for {op}",
            dataclasses.replace(rule, result=(OTHER_RESULT[op], width, *args)),
        )
    else:
        yield (
            "rotated the other way",
            dataclasses.replace(rule, result=("rotl", width, args[0], ("neg", None, args[1]))),
        )
    other = OTHER_PATTERN.get(rule.pattern[0])
    if other is not None:
        yield f"{other} for {rule.pattern[0]}", dataclasses.replace(rule, pattern=(other, *rule.pattern[1:]))
    names = (*attributes, *constants)
    if _refuses_something(rule):
        yield "without its condition", dataclasses.replace(rule, when=lambda **names: True)
    if rule.fits:
        yield "of any number", dataclasses.replace(rule, fits=())
    for variable in rule.bounds(**dict.fromkeys(names, 8)):

        def wider(v=variable, **known):
            found = rule.bounds(**known)
            return found | {v: (found[v][0] - 1, found[v][1])}

        def longer(v=variable, **known):
            found = rule.bounds(**known)
            return found | {v: (found[v][0], found[v][1] + 1)}

        yield f"{variable} one less", dataclasses.replace(rule, bounds=wider)
        yield f"{variable} one more", dataclasses.replace(rule, bounds=longer)


def _refuses_something(rule: Rule) -> bool:
    everything = dataclasses.replace(rule, when=lambda **names: True, derive=lambda **names: {})
    known = {tuple(sorted(n.items())) for n in instances(dataclasses.replace(rule, derive=lambda **n: {}), 5)}
    return any(tuple(sorted(n.items())) not in known for n in instances(everything, 5))


def caught(rule: Rule) -> int:
    for width in (3, 5, 8):
        try:
            prove(rule, width)
        except Unproven as reason:
            if "no answer" not in str(reason):
                return 1
        except (ValueError, ArithmeticError):
            # without its condition, the rule is meaningless
            return 1
    raise Unproven("it was not caught")


def bytes_joined(join: str, count: int) -> int:
    """Bytes, each shifted by eight bits more than the one before, join to one number (see idiom.py)."""
    parts = [z3.BitVec(f"byte {at}", 8) for at in range(count)]
    width = 8 * count + 8
    result = z3.ZeroExt(width - 8, parts[0])
    for at, part in enumerate(parts[1:], 1):
        shifted = z3.ZeroExt(width - 8, part) << 8 * at
        result = result + shifted if join == "add" else logic(LOGIC[join], result, shifted)
    solver = z3.Solver()
    solver.add(result != z3.ZeroExt(8, z3.Concat(*reversed(parts))))
    if solver.check() != z3.unsat:
        raise Unproven(str(solver.model()))
    return 1


def sum_in_parts(op: str, bits: int) -> int:
    """x + y or x - y, rounded down to 2^bits, from the bits above and the carry (see parts.py)."""
    width = 2 * bits + 4
    x, y = (z3.SignExt(2, z3.BitVec(name, width - 2)) for name in "xy")
    total = (lambda a, b: a + b) if op == "add" else (lambda a, b: a - b)
    carried = total(word_low(bits, x), word_low(bits, y)) >> bits
    solver = z3.Solver()
    solver.set("timeout", 60000)
    solver.add(total(x, y) >> bits != total(x >> bits, y >> bits) + carried)
    answer = solver.check()
    if answer != z3.unsat:
        raise Unproven(f"{bits} bits: {solver.model() if answer == z3.sat else 'no answer'}")
    return 1


def moved_in_parts(op: str, up: int, down: int) -> int:
    """x and y, shifted up, joined and shifted down, are each shifted by the difference (see parts.py)."""
    joins = {"ior": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "and": lambda a, b: a & b}
    width = 16 + up
    x, y = (z3.SignExt(up, z3.BitVec(name, width - up)) for name in "xy")
    apart = [z << up - down if up >= down else z >> down - up for z in (x, y)]
    solver = z3.Solver()
    solver.add(joins[op](x << up, y << up) >> down != joins[op](*apart))
    if solver.check() != z3.unsat:
        raise Unproven(f"up {up}, down {down}: {solver.model()}")
    return 1


def folded(k: int, c: int, fewer: int = 0) -> int:
    """x modulo 2^k - c, for x of 2k bits, by folds and one select at the end (see limbs.py)."""
    modulus = (1 << k) - c
    times = folds((1 << 2 * k) - 1, modulus)
    if times is None:
        return 0
    width = 2 * k + 1
    x = z3.ZeroExt(1, z3.BitVec("x", 2 * k))
    y = x
    for _ in times[fewer:]:
        y = word_low(k, y) + z3.LShR(y, k) * c
    t = y + c
    found = word_low(k, z3.If(z3.LShR(t, k) != 0, t, y))
    solver = z3.Solver()
    solver.set("timeout", 60000)
    solver.add(found != z3.URem(x, z3.BitVecVal(modulus, width)))
    answer = solver.check()
    if answer != z3.unsat:
        raise Unproven(f"{k} bits, {c}: {solver.model() if answer == z3.sat else 'no answer'}")
    return 1


def fold_left_out(k: int, c: int) -> int:
    try:
        folded(k, c, 1)
    except Unproven as reason:
        if "no answer" not in str(reason):
            return 1
    raise Unproven("it was not caught")


def proofs(bounded: bool):
    for op in JOINED:
        for up, down in ((0, 0), (0, 5), (3, 3), (3, 5), (5, 3), (40, 8), (8, 40)):
            claim = f"{op} in parts, moved up by {up} and down by {down}"
            yield claim, lambda op=op, up=up, down=down: moved_in_parts(op, up, down)
    for k in (3, 4) if bounded else (3, 4, 5, 6, 7, 8):
        claim = f"modulo 2^{k} - c by folds"
        yield claim, lambda k=k: sum(folded(k, c) for c in range(1, 1 << k // 2))
        yield f"{claim}, damaged: one less", lambda k=k: fold_left_out(k, 1)
    for op in ("add", "sub"):
        for bits in (1, 2, 5, 8, 16, 32, 64):
            yield f"{op} in parts at {bits} bits", lambda op=op, bits=bits: sum_in_parts(op, bits)
    for join in sorted(JOINS):
        for width in WORDS:
            claim = f"bytes joined by {join} to {width} bits"
            yield claim, lambda join=join, width=width: bytes_joined(join, width // 8)
    for rule in RULES:
        yield f"{rule.name}: fires", lambda rule=rule: fires(rule)
        for width in widths(bounded):
            # + joins by carries, of which z3 has many to follow
            if "add" in rule.pattern and width > (16 if bounded else 64):
                continue
            yield f"{rule.name} at {width} bits", lambda rule=rule, width=width: prove(rule, width)
        for damage, wrong in damaged(rule):
            yield f"{rule.name}, damaged: {damage}", lambda wrong=wrong: caught(wrong)
