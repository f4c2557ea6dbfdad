"""Shifts, fields, rotations, and the rest of the functions of integers."""

from __future__ import annotations

from ..demand import below
from ..ir import LOGIC, Instruction, Value
from ..plan import ANY, BIG, WIDTHS, Range
from .arithmetic import DIVISION, Arithmetic
from .passed import signed_literal


class Shifts(Arithmetic):
    def _count(self, n: Value) -> str:
        """A shift's count as an i64; one that is further off is as far as that."""
        has = self.plan.containers[n]
        known = self.range(n)
        if n in self.constants or (has is not BIG and has <= 64 and (known.negative or known.high < 1 << 63)):
            if n in self.constants:
                return str(max(-(1 << 62), min(self.constants[n], 1 << 62)))
            return self.word(n, 64)
        return self.let(f"call i64 @ring_count(i64 {self.big(n)})")

    def _shift(self, i: Instruction) -> None:
        x, n = i.args
        known = self.known(n) if n in self.constants else self.range(n)
        bits, has = self.plan.containers[i.result], self.plan.containers[x]
        whole = self.width_for(self.known(x))
        if bits is BIG or (has is BIG and whole is None and (known.low is None or known.low < 0)):
            self._shift_big(i, x, n)
            return
        if known.low is not None and known.low == known.high:
            self.text[i.result] = self._shift_constant(x, known.low, bits)
            return
        count = self._count(n)
        left = right = None
        if known.high is None or known.high >= 0:
            amount = self._masked(count, bits)
            left = self.let(f"shl i{bits} {self.word(x, bits)}, {amount}")
            if known.high is None or known.high >= bits:
                inside = self.let(f"icmp ult i64 {count}, {bits}")
                left = self.let(f"select i1 {inside}, i{bits} {left}, i{bits} 0")
        if known.low is None or known.low < 0:
            wide = max(has, bits) if has is not BIG else bits
            if x in self.constants and whole is not None:
                wide = max(bits, whole)
            word = self.word(x, wide)
            negative = self.known(x).negative
            back = self.let(f"sub i64 0, {count}")
            if known.low is None or -known.low >= wide:
                inside = self.let(f"icmp ult i64 {back}, {wide}")
                back = self.let(f"select i1 {inside}, i64 {back}, i64 {wide - 1}")
            right = self.let(f"{'ashr' if negative else 'lshr'} i{wide} {word}, {self._masked(back, wide)}")
            if (known.low is None or -known.low >= wide) and not negative:
                right = self.let(f"select i1 {inside}, i{wide} {right}, i{wide} 0")
            right = self.resize(right, wide, bits, negative)
        if left and right:
            sign = self.let(f"icmp slt i64 {count}, 0")
            self.text[i.result] = self.let(f"select i1 {sign}, i{bits} {right}, i{bits} {left}")
        else:
            self.text[i.result] = left or right

    def _masked(self, count: str, bits: int) -> str:
        return self.let(f"and i{bits} {self.resize(count, 64, bits, False)}, {bits - 1}")

    def _shift_constant(self, x: Value, count: int, bits: int) -> str:
        if count >= 0:
            return self.let(f"shl i{bits} {self.word(x, bits)}, {count}") if count < bits else "0"
        has = self.plan.containers[x]
        wide = max(has, bits) if has is not BIG else bits
        if x in self.constants:
            return str(signed_literal(self.constants[x] >> -count, bits))
        negative = self.range(x).negative
        word = self.word(x, wide)
        if -count >= wide:
            return (
                self.resize(self.let(f"ashr i{wide} {word}, {wide - 1}"), wide, bits, True)
                if negative
                else "0"
            )
        shifted = self.let(f"{'ashr' if negative else 'lshr'} i{wide} {word}, {-count}")
        return self.resize(shifted, wide, bits, negative)

    def _shift_big(self, i: Instruction, x: Value, n: Value) -> None:
        a, count = self.big(x), self._count(n)
        bits = self._looked_at(i.result)
        if bits is not None:
            # x 2^bits has as many zeros as anyone looks at: no need to make a longer one
            if n in self.constants:
                count = str(min(int(count), bits))
            else:
                less = self.let(f"icmp slt i64 {count}, {bits}")
                count = self.let(f"select i1 {less}, i64 {count}, i64 {bits}")
        self.define(
            i.result, self.owned(f"call i64 @ring_shift(i64 {a}, i64 {count}, ptr {self.slot()})"), BIG, ANY
        )

    def _looked_at(self, value: Value) -> int | None:
        """The low bits of a value that all its uses look at, None if there is no end of them."""
        bits = self.plan.containers[value]
        if bits is not BIG:
            return bits
        if not self.users:
            for instruction in self.function.instructions():
                for arg in instruction.args:
                    self.users.setdefault(arg, []).append(instruction)
            for block in self.function.blocks:
                for arg in [*block.terminator.args, *(a for e in block.terminator.edges for a in e.args)]:
                    self.users.setdefault(arg, []).append(None)
        looked = [self._looks_at(user, value) for user in self.users.get(value, [])]
        return None if None in looked else max(looked, default=0)

    def _looks_at(self, user: Instruction | None, value: Value) -> int | None:
        if user is not None and user.op in ("low", "field"):
            return user.attribute
        if user is not None and user.op == "and":
            masks = [self.constants[arg] for arg in user.args if arg is not value and arg in self.constants]
            if masks and masks[0] >= 0:
                return masks[0].bit_length()
        return None

    def _low(self, i: Instruction) -> None:
        (x,), k, bits = i.args, i.attribute, self.plan.containers[i.result]
        if bits is BIG:
            self.text[i.result] = self.owned(
                f"call i64 @ring_low(i64 {self.big(x)}, i64 {k}, ptr {self.slot()})"
            )
            return
        word = self.word(x, bits)
        self.text[i.result] = (
            word if k >= bits else self.let(f"and i{bits} {word}, {signed_literal(below(k), bits)}")
        )

    def _field(self, i: Instruction) -> None:
        (x,), k, bits = i.args, i.attribute, self.plan.containers[i.result]
        if bits is BIG:
            self.text[i.result] = self.owned(
                f"call i64 @ring_field(i64 {self.big(x)}, i64 {k}, ptr {self.slot()})"
            )
            return
        word = self.word(x, bits)
        if k < bits:
            word = self.let(f"ashr i{bits} {self.let(f'shl i{bits} {word}, {bits - k}')}, {bits - k}")
        self.text[i.result] = word

    def _rotl(self, i: Instruction) -> None:
        (x, n), k = i.args, i.attribute
        if k > WIDTHS[-1]:
            self._rotate_big(i, x, n, k)
            return
        bits = next(w for w in WIDTHS if w >= k)
        word = self.word(x, bits)
        if bits == k:
            # the count modulo 2^k is enough: k divides that
            turned = self.let(f"call i{k} @llvm.fshl.i{k}(i{k} {word}, i{k} {word}, i{k} {self.word(n, k)})")
        else:
            word = self.let(f"and i{bits} {word}, {below(k)}")
            count = self._turns(n, k, bits)
            left = self.let(f"shl i{bits} {word}, {count}")
            right = self.let(f"lshr i{bits} {word}, {self.let(f'sub i{bits} {k}, {count}')}")
            turned = self.let(f"and i{bits} {self.let(f'or i{bits} {left}, {right}')}, {below(k)}")
        self.define(i.result, turned, bits, Range(0, below(k)))

    def _turns(self, n: Value, k: int, bits: int) -> str:
        """n mod k, which is less than bits."""
        if n in self.constants:
            return str(self.constants[n] % k)
        wide = self.width_for(self.known(n), Range(-k, k))
        if wide is None:
            slot = self.slot()
            number = DIVISION["fmod"]
            turns = self.owned(
                f"call i64 @ring_divide(i32 {number}, i64 {self.big(n)}, i64 {2 * k + 1}, ptr {slot})"
            )
            return self.resize(self.let(f"ashr i64 {turns}, 1"), 64, bits, False)
        return self.resize(self._divide("fmod", wide, self.word(n, wide), str(k), True), wide, bits, False)

    def _rotate_big(self, i: Instruction, x: Value, n: Value, k: int) -> None:
        def call(text: str) -> str:
            return self.owned(f"call i64 @ring_{text}, ptr {self.slot()})")

        word = call(f"low(i64 {self.big(x)}, i64 {k}")
        count = self._turns(n, k, 64)
        left = call(f"low(i64 {call(f'shift(i64 {word}, i64 {count}')}, i64 {k}")
        right = call(f"shift(i64 {word}, i64 {self.let(f'sub i64 {count}, {k}')}")
        self.define(i.result, call(f"logic(i32 {LOGIC['ior']}, i64 {left}, i64 {right}"), BIG, ANY)

    def _counted(self, i: Instruction) -> None:
        (x,) = i.args
        bits = self.width_for(self.known(x))
        if bits is None:
            self.define(
                i.result, self.let(f"call i64 @ring_{i.op}(i64 {self.big(x)})"), 64, Range(0, 1 << 40)
            )
            return
        word = self.word(x, bits)
        if self.known(x).negative:
            word = self.let(f"xor i{bits} {word}, {self.let(f'ashr i{bits} {word}, {bits - 1}')}")
        if i.op == "popcount":
            count = self.let(f"call i{bits} @llvm.ctpop.i{bits}(i{bits} {word})")
        else:
            zeros = self.let(f"call i{bits} @llvm.ctlz.i{bits}(i{bits} {word}, i1 false)")
            count = self.let(f"sub i{bits} {signed_literal(bits, bits)}, {zeros}")
        self.define(i.result, count, bits, Range(0, bits))

    _bitlen = _popcount = _counted

    def _isqrt(self, i: Instruction) -> None:
        (x,) = i.args
        if self.known(x).negative:
            self.refuse(self.compare_constant("lt", x, 0), "isqrt of a negative integer")
        bits = self.width_for(self.known(x))
        if bits is not None and bits <= 64:
            word = self.let(f"call i64 @ring_isqrt_word(i64 {self.word(x, 64)})")
            self.define(i.result, word, 64, Range(0, below(32)))
            return
        text = self.owned(f"call i64 @ring_isqrt(i64 {self.big(x)}, ptr {self.slot()})")
        self.define(i.result, text, BIG, ANY)

    def _gcd(self, i: Instruction) -> None:
        if all((self.width_for(self.known(arg)) or 128) <= 64 for arg in i.args):
            words = []
            for arg in i.args:
                word = self.word(arg, 64)
                if self.known(arg).negative:
                    # 2^63 is its own negative, and as an unsigned word what it should be
                    word = self.let(f"call i64 @llvm.abs.i64(i64 {word}, i1 false)")
                words.append(word)
            word = self.let(f"call i64 @ring_gcd_word(i64 {words[0]}, i64 {words[1]})")
            self.define(i.result, word, 64, Range(0, below(64)))
            return
        a, b = (self.big(arg) for arg in i.args)
        self.define(
            i.result, self.owned(f"call i64 @ring_gcd(i64 {a}, i64 {b}, ptr {self.slot()})"), BIG, ANY
        )

    def _expt(self, i: Instruction) -> None:
        a, b = i.args
        if self.known(b).negative:
            self.refuse(self.compare_constant("lt", b, 0), "expt with a negative exponent")
        bits = self.plan.containers[i.result]
        if bits is not BIG and bits <= 64 and self.width_for(self.known(b)) in (8, 16, 32, 64):
            word = self.let(f"call i64 @ring_power_word(i64 {self.word(a, 64)}, i64 {self.word(b, 64)})")
            self.text[i.result] = self.resize(word, 64, bits, False)
            return
        x, y = self.big(a), self.big(b)
        self.define(
            i.result, self.owned(f"call i64 @ring_expt(i64 {x}, i64 {y}, ptr {self.slot()})"), BIG, ANY
        )
