"""Finds what a machine does in one operation: low bits, signed fields, rotations, words from bytes.

The rules of rules.py are tried on each instruction, until none applies. Each replaces one instruction by one
that yields the same value (or the same in all demanded bits), so that everything else is unaffected.

Shift counts are compared in the form sign * base + constant: (y, z) in (ash x y), (ash x z) make a rotation
of k bits if y - z is k for every base, be they written as n and n - 32, as 32 - n and -n, or as two
constants. (The rule, proven for n and n - k, is then the same with y for n.)

Bytes: a sum or union of loads from one array at i, i + 1, ..., each shifted by 8 bits more (or less) than the
one before, is one number of that many bytes. Their bits do not overlap, so +, or and xor are the same. All
the loads are in one block, with only other loads and what cannot fail in between. So they all see what the
last one would see, and either all indices are valid, or the run traps before it does anything else. Nothing
else uses a part of the number, so the parts can be removed.
"""

from __future__ import annotations

from ..facts.demand import below
from ..facts.plan import EVERYTHING, Range
from ..ir.form import Block, Function, Instruction, Value, unsigned
from .rules import RULES, Imm, Rule
from .simplify import has_effect

COMMUTATIVE = {"add", "mul", "and", "ior", "xor", "eqv", "nand", "nor", "gcd"}
LOADS = {"load", "load_le", "load_be"}
JOINS = {"add", "ior", "xor"}
WORDS = (16, 32, 64)
RULES_FOR = {rule.pattern[0]: [r for r in RULES if r.pattern[0] == rule.pattern[0]] for rule in RULES}


class _Finder:
    def __init__(self, function: Function, ranges: dict[Value, Range], demands: dict[Value, int]):
        self.function = function
        self.ranges = ranges
        self.demands = demands
        self.made_by = {r: i for i in function.instructions() for r in i.results}
        self.block_of = {i: block for block in function.blocks for i in block.instructions}
        self.gone: set[Instruction] = set()
        self.changed = False

    def run(self) -> bool:
        for block in self.function.blocks:
            for instruction in block.instructions:
                self._order(instruction)
                while rules := RULES_FOR.get(instruction.op):
                    if not any(self._try(rule, instruction) for rule in rules):
                        break
                    self.changed = True
        self.uses = self.function.uses()
        for block in self.function.blocks:
            self.number = {i: at for at, i in enumerate(block.instructions)}
            # from the end, so that the whole of a tree comes before its parts
            for instruction in reversed(block.instructions):
                if instruction.op in JOINS and instruction not in self.gone:
                    self._gather(block, instruction)
            block.instructions = [i for i in block.instructions if i not in self.gone]
        return self.changed

    def constant(self, value: Value) -> int | None:
        made_by = self.made_by.get(value)
        return made_by.attribute if made_by is not None and made_by.op == "const" else None

    def _order(self, instruction: Instruction) -> None:
        """Moves constants to the right in commutative operations."""
        if instruction.op in COMMUTATIVE and self.constant(instruction.args[0]) is not None:
            instruction.args.reverse()

    # Rules -----------------------------------------------------------------------------------

    def _try(self, rule: Rule, instruction: Instruction) -> bool:
        if rule.result[0] == "rotl":
            return self._rotation(rule, instruction)
        names: dict[str, int] = {}
        values: dict[str, Value] = {}
        if not self._match(rule.pattern, instruction, names, values) or not rule.when(**names):
            return False
        names |= rule.derive(**names)
        op, attribute, *args = rule.result
        self._become(instruction, op, names[attribute], [values[arg] for arg in args])
        return True

    def _match(self, pattern, instruction: Instruction | None, names: dict, values: dict) -> bool:
        if instruction is None or instruction.op != pattern[0]:
            return False
        _, attribute, *args = pattern
        has = instruction.attribute
        if attribute is not None and names.setdefault(attribute, has) != has:
            return False
        orders = [instruction.args]
        if instruction.op in COMMUTATIVE:
            orders.append(instruction.args[::-1])
        for order in orders:
            trial_names, trial_values = dict(names), dict(values)
            if all(
                self._match_arg(p, arg, trial_names, trial_values) for p, arg in zip(args, order, strict=True)
            ):
                names.update(trial_names)
                values.update(trial_values)
                return True
        return False

    def _match_arg(self, pattern, value: Value, names: dict, values: dict) -> bool:
        if isinstance(pattern, tuple):
            return self._match(pattern, self.made_by.get(value), names, values)
        if isinstance(pattern, Imm):
            constant = self.constant(value)
            return constant is not None and names.setdefault(pattern.name, constant) == constant
        return values.setdefault(pattern, value) is value

    def _become(self, instruction: Instruction, op: str, attribute, args: list[Value]) -> None:
        instruction.op, instruction.attribute, instruction.args = op, attribute, args

    # Rotations -------------------------------------------------------------------------------

    def _rotation(self, rule: Rule, instruction: Instruction) -> bool:
        makers = [self.made_by.get(arg) for arg in instruction.args]
        if not any(made is not None and made.op == "shift" for made in makers):
            return False
        return any(self._rotated(rule, instruction, left, right) for left, right in (makers, makers[::-1]))

    def _rotated(
        self, rule: Rule, root: Instruction, left: Instruction | None, right: Instruction | None
    ) -> bool:
        names: dict[str, int] = {}
        if left is not None and left.op == rule.pattern[2][0] == "low":
            names[rule.pattern[2][1]] = left.attribute
            left = self.made_by.get(left.args[0])
        elif rule.pattern[2][0] == "low":
            return False
        if left is None or right is None or left.op != "shift" or right.op != "shift":
            return False
        (x, y), z = left.args, right.args[1]
        if right.args[0] is not x or x not in self.ranges:
            return False
        (base_y, sign_y, constant_y), (base_z, sign_z, constant_z) = self._linear(y), self._linear(z)
        if base_y is not base_z or sign_y != sign_z:
            return False
        names["k"] = k = constant_y - constant_z
        count, inside = self.ranges.get(y), self.ranges[x]
        if count is None or count.low is None or count.high is None or not rule.when(**names):
            return False
        low, high = rule.bounds(**names)["n"]
        wanted = self.demands.get(root.result, EVERYTHING) if rule.modulo else 0
        if (
            low <= count.low
            and count.high <= high
            and inside.low is not None
            and inside.low >= 0
            and inside.high is not None
            and inside.high <= below(k)
            and wanted & ~below(k) == 0
        ):
            self._become(root, "rotl", k, [x, y])
            return True
        return False

    def _linear(self, value: Value) -> tuple[Value | None, int, int]:
        """(base, sign, constant) such that the value is sign * base + constant."""
        made_by = self.made_by.get(value)
        if made_by is not None:
            if made_by.op == "const":
                return None, 0, made_by.attribute
            if made_by.op == "neg":
                base, sign, constant = self._linear(made_by.args[0])
                return base, -sign, -constant
            if made_by.op in ("add", "sub"):
                turn = 1 if made_by.op == "add" else -1
                a, b = (self._linear(arg) for arg in made_by.args)
                if b[0] is None:
                    return a[0], a[1], a[2] + turn * b[2]
                if a[0] is None:
                    return b[0], turn * b[1], a[2] + turn * b[2]
        return value, 1, 0

    # Words from bytes ------------------------------------------------------------------------

    def _gather(self, block: Block, root: Instruction) -> None:
        leaves: list[tuple[Instruction, int]] = []
        inner: list[Instruction] = []
        if not self._leaves(block, root, 0, leaves, inner) or 8 * len(leaves) not in WORDS:
            return
        count = len(leaves)
        array = leaves[0][0].args[0]
        places = [self._linear(load.args[1]) for load, _ in leaves]
        base, sign, _ = places[0]
        if any(load.args[0] is not array for load, _ in leaves) or any(p[:2] != (base, sign) for p in places):
            return
        by_place = sorted(zip((p[2] for p in places), leaves, strict=True), key=lambda pair: pair[0])
        first = by_place[0][0]
        if [place for place, _ in by_place] != list(range(first, first + count)):
            return
        shifts = [shift for _, (_, shift) in by_place]
        if shifts == [8 * at for at in range(count)]:
            op = "load_le"
        elif shifts == [8 * at for at in reversed(range(count))]:
            op = "load_be"
        else:
            return
        # a part of the tree with another use is kept for it
        parts = {*inner, *(load for load, _ in leaves)} - {root}
        if any(self.uses[part.result] != 1 for part in parts):
            return
        start = min(self.number[load] for load, _ in leaves)
        between = block.instructions[start : self.number[root]]
        if any(i.op not in LOADS and has_effect(i, self.ranges) for i in between):
            return
        # their bounds are the wide load's to check now
        self._become(root, op, 8 * count, [array, by_place[0][1][0].args[1]])
        self.gone |= parts
        self.changed = True

    def _leaves(self, block: Block, instruction: Instruction, shift: int, leaves: list, inner: list) -> bool:
        """The loads that the tree below joins, each with its shift; False if there is anything else."""
        if self.block_of.get(instruction) is not block:
            return False
        if instruction.op == "load" and instruction.args[0].type.element == unsigned(8):
            leaves.append((instruction, shift))
            return True
        inner.append(instruction)
        below_it = [self.made_by.get(arg) for arg in instruction.args]
        if instruction.op in JOINS:
            # a deeper tree joins more bytes than a word has
            if sum(i.op in JOINS for i in inner) >= WORDS[-1] // 8:
                return False
            return None not in below_it and all(
                self._leaves(block, i, shift, leaves, inner) for i in below_it
            )
        if instruction.op == "shift":
            by = self.constant(instruction.args[1])
            if by is None or by < 0 or below_it[0] is None:
                return False
            return self._leaves(block, below_it[0], shift + by, leaves, inner)
        return False


def idioms(function: Function, ranges: dict[Value, Range], demands: dict[Value, int]) -> bool:
    """Rewrites in place; whether anything changed (ranges and demands must then be found anew)."""
    return _Finder(function, ranges, demands).run()
