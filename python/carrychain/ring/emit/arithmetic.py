"""Sums, products, logical operators, comparisons and divisions."""

from __future__ import annotations

from ..ir import LOGIC, Block, Instruction, Value
from ..plan import ANY, BIG, Range
from .passed import signed_literal
from .values import Values

ZERO = "1"  # as a big value
DIVISION = {"fdiv": 0, "fmod": 1, "tdiv": 2, "trem": 3, "cdiv": 4, "crem": 5}
# Operations by which one argument of a sum must be later than the others to be kept for last.
APART = 6


def comparison(op: str, signed: bool) -> str:
    return op if op in ("eq", "ne") else f"{'s' if signed else 'u'}{op}"


class Arithmetic(Values):
    def _arithmetic(self, i: Instruction) -> None:
        bits = self.plan.containers[i.result]
        if bits is BIG:
            args = [self.big(arg) for arg in i.args]
            op = i.op
            if op == "neg":
                op, args = "sub", [ZERO, *args]
            self.text[i.result] = self._big_arithmetic(op, *args)
            return
        if i in self.sums:
            self._sum(i, bits, *self.sums[i])
            return
        args = [self.word(arg, bits) for arg in i.args]
        op = "sub" if i.op == "neg" else i.op
        self.text[i.result] = self.let(f"{op} i{bits} {', '.join(args if len(args) == 2 else ['0', *args])}")

    def _sum(self, i: Instruction, bits: int, values: list[Value], constant: int) -> None:
        """Adds what is known last at last, in a sum of four or more with a constant among them.

        LLVM adds constants at the end, and the sum then waits for one addition more after its last
        argument: in a hash that is the whole time. The empty asm keeps it from that. In a word
        the order changes no bit.
        """
        early = str(signed_literal(constant, bits))
        for value in values[:-1]:
            early = self.let(f"add i{bits} {self.word(value, bits)}, {early}")
        early = self.let(f'call i{bits} asm "", "=r,0"(i{bits} {early}) nounwind memory(none)')
        self.text[i.result] = self.let(f"add i{bits} {self.word(values[-1], bits)}, {early}")

    def _find_sums(self, block: Block) -> None:
        """The block's sums that `_sum` is for; the sums that are only parts of them are not made."""
        here = set(block.instructions)
        for i in reversed(block.instructions):
            if i.op != "add" or i in self.parts:
                continue
            bits = self.plan.containers[i.result]
            if bits is BIG or bits > 64:
                continue
            leaves: list[Value] = []
            parts: list[Instruction] = []
            todo = list(i.args)
            while todo:
                value = todo.pop()
                made = self.made_by.get(value)
                same = made is not None and made.op == "add" and self.plan.containers[value] == bits
                if same and self.uses[value] == 1 and made in here:
                    parts.append(made)
                    todo += made.args
                else:
                    leaves.append(value)
            rest = sorted((v for v in leaves if v not in self.constants), key=self._depth)
            if len(leaves) < 4 or len(rest) == len(leaves) or len(rest) < 2:
                continue
            if self._depth(rest[-1]) >= self._depth(rest[-2]) + APART:
                self.sums[i] = rest, sum(self.constants[v] for v in leaves if v in self.constants)
                self.parts.update(parts)

    def _depth(self, value: Value) -> int:
        """How long a chain of operations in the block leads to the value."""
        return self.depths.get(value, 0)

    def _both_small(self, a: str, b: str, small: str, large: str) -> None:
        texts = [text for text in (a, b) if not text.lstrip("-").isdigit()]
        if not texts:
            self.add(f"br label %{small}")
            return
        tag = texts[0] if len(texts) == 1 else self.let(f"and i64 {a}, {b}")
        self.add(f"br i1 {self.let(f'trunc i64 {tag} to i1')}, label %{small}, label %{large}")

    def _big_arithmetic(self, op: str, a: str, b: str) -> str:
        if self.generic:
            return self.owned(f"call i64 @ring_{op}(i64 {a}, i64 {b}, ptr {self.slot()})")
        small, large, done = (self.fresh_label(n) for n in ("small", "large", "value"))
        self._both_small(a, b, small, large)
        self.begin(small)
        if op == "mul":
            # (2x) y + 1
            x, y = self.let(f"sub i64 {a}, 1"), self.let(f"ashr i64 {b}, 1")
        else:
            x, y = a, self.let(f"sub i64 {b}, 1")
        pair = self.let(f"call {{i64, i1}} @llvm.s{op}.with.overflow.i64(i64 {x}, i64 {y})")
        fast = self.let(f"extractvalue {{i64, i1}} {pair}, 0")
        if op == "mul":
            fast = self.let(f"or i64 {fast}, 1")
        over = self.let(f"extractvalue {{i64, i1}} {pair}, 1")
        self.add(f"br i1 {over}, label %{large}, label %{done}")
        self.begin(large)
        slow = self.owned(f"call i64 @ring_{op}(i64 {a}, i64 {b}, ptr {self.slot()})")
        came = self.label
        self.add(f"br label %{done}")
        self.begin(done)
        return self.let(f"phi i64 [{fast}, %{small}], [{slow}, %{came}]")

    def _logic_words(self, op: str, bits: int, a: str, b: str) -> str:
        """The operator on words, bit by bit."""

        def inverse(x: str) -> str:
            return self.let(f"xor i{bits} {x}, -1")

        def both(name: str, x: str, y: str) -> str:
            return self.let(f"{name} i{bits} {x}, {y}")

        match op:
            case "clr":
                return "0"
            case "set":
                return "-1"
            case "arg1":
                return a
            case "arg2":
                return b
            case "c1":
                return inverse(a)
            case "c2":
                return inverse(b)
            case "and" | "xor":
                return both(op, a, b)
            case "ior":
                return both("or", a, b)
            case "nand":
                return inverse(both("and", a, b))
            case "nor":
                return inverse(both("or", a, b))
            case "eqv":
                return inverse(both("xor", a, b))
            case "andc1":
                return both("and", inverse(a), b)
            case "andc2":
                return both("and", a, inverse(b))
            case "orc1":
                return both("or", inverse(a), b)
        return both("or", a, inverse(b))

    def _logic(self, i: Instruction) -> None:
        bits = self.plan.containers[i.result]
        if bits is not BIG:
            args = [self.word(arg, bits) for arg in i.args]
            self.text[i.result] = self._logic_words(i.op, bits, *args)
            return
        a, b = (self.big(arg) for arg in i.args)
        call = f"call i64 @ring_logic(i32 {LOGIC[i.op]}, i64 {a}, i64 {b}, ptr {self.slot()})"
        if self.generic:
            self.text[i.result] = self.owned(call)
            return
        small, large, done = (self.fresh_label(n) for n in ("small", "large", "value"))
        self._both_small(a, b, small, large)
        self.begin(small)
        fast = self.let(f"or i64 {self._logic_words(i.op, 64, a, b)}, 1")
        self.add(f"br label %{done}")
        self.begin(large)
        slow = self.owned(call)
        came = self.label
        self.add(f"br label %{done}")
        self.begin(done)
        self.text[i.result] = self.let(f"phi i64 [{fast}, %{small}], [{slow}, %{came}]")

    def compare(self, op: str, a: Value, b: Value) -> str:
        known = [self.known(a), self.known(b)]
        bits = self.width_for(*known)
        if bits is None:
            return self.compare_big(op, self.big(a), self.big(b))
        signed = any(r.negative for r in known)
        return self.let(f"icmp {comparison(op, signed)} i{bits} {self.word(a, bits)}, {self.word(b, bits)}")

    def compare_big(self, op: str, a: str, b: str) -> str:
        if self.generic:
            order = self.let(f"call i32 @ring_compare(i64 {a}, i64 {b})")
            return self.let(f"icmp {comparison(op, True)} i32 {order}, 0")
        small, large, done = (self.fresh_label(n) for n in ("small", "large", "compared"))
        self._both_small(a, b, small, large)
        self.begin(small)
        fast = self.let(f"icmp {comparison(op, True)} i64 {a}, {b}")
        self.add(f"br label %{done}")
        self.begin(large)
        order = self.let(f"call i32 @ring_compare(i64 {a}, i64 {b})")
        slow = self.let(f"icmp {comparison(op, True)} i32 {order}, 0")
        self.add(f"br label %{done}")
        self.begin(done)
        return self.let(f"phi i1 [{fast}, %{small}], [{slow}, %{large}]")

    def compare_constant(self, op: str, a: Value, constant: int) -> str:
        known = [self.known(a), Range(constant, constant)]
        bits = self.width_for(*known)
        if bits is None:
            return self.compare_big(op, self.big(a), self.module.value(constant))
        signed = any(r.negative for r in known)
        return self.let(
            f"icmp {comparison(op, signed)} i{bits} {self.word(a, bits)}, {signed_literal(constant, bits)}"
        )

    def _division(self, i: Instruction) -> None:
        a, b = i.args
        x, y = self.known(a), self.known(b)
        if 0 in y:
            self.refuse(self.compare_constant("eq", b, 0), "division by zero")
        result = self.range(i.result)
        widths = [x, y]
        if None not in (x.low, x.high, y.low, y.high):
            if result.low is not None and result.high is not None:
                widths.append(result)
            if x.negative and y.low <= -1 <= y.high:
                # the quotient by -1 must fit, or the machine refuses
                widths.append(Range(-x.high, -x.low))
            if i.op == "crem":
                # below 0, where the divisor is above
                most = max(abs(y.low), abs(y.high))
                widths.append(Range(-most, most))
        bits = self.width_for(*widths)
        if bits is None:
            args = f"i32 {DIVISION[i.op]}, i64 {self.big(a)}, i64 {self.big(b)}, ptr {self.slot()}"
            text = self.owned(f"call i64 @ring_divide({args})")
            self.define(i.result, text, BIG, ANY)
            return
        signed = any(r.negative for r in widths)
        text = self._divide(i.op, bits, self.word(a, bits), self.word(b, bits), signed)
        self.define(i.result, text, bits, Range(-1 if signed else 0, None))

    def _divide(self, op: str, bits: int, a: str, b: str, signed: bool) -> str:
        kind, t = "s" if signed else "u", f"i{bits}"

        def let(expression: str) -> str:
            return self.let(expression)

        if op == "tdiv" or (op == "fdiv" and not signed):
            return let(f"{kind}div {t} {a}, {b}")
        if op == "trem" or (op == "fmod" and not signed):
            return let(f"{kind}rem {t} {a}, {b}")
        # truncation goes the wrong way where there is a remainder, and for floor the signs of it and
        # the divisor differ, for ceiling they agree
        rest = let(f"{kind}rem {t} {a}, {b}")
        wrong = let(f"icmp ne {t} {rest}, 0")
        if signed:
            signs = let(f"xor {t} {rest}, {b}")
            differ = let(f"icmp {'slt' if op in ('fdiv', 'fmod') else 'sge'} {t} {signs}, 0")
            wrong = let(f"and i1 {wrong}, {differ}")
        if op in ("fmod", "crem"):
            other = let(f"{'add' if op == 'fmod' else 'sub'} {t} {rest}, {b}")
            return let(f"select i1 {wrong}, {t} {other}, {t} {rest}")
        quotient = let(f"{kind}div {t} {a}, {b}")
        other = let(f"{'sub' if op == 'fdiv' else 'add'} {t} {quotient}, 1")
        return let(f"select i1 {wrong}, {t} {other}, {t} {quotient}")

    def _measure(self, block: Block) -> None:
        for i in block.instructions:
            depth = 1 + max((self._depth(arg) for arg in i.args), default=-1)
            self.depths.update(dict.fromkeys(i.results, depth))
