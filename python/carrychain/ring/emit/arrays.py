"""Arrays: making them, their bounds, their elements."""

from __future__ import annotations

from ..demand import below
from ..ir import Block, Instruction, Value
from ..plan import BIG, Range
from ..simplify import has_effect
from ..transfer import of_type
from .lent import roots
from .passed import signed_literal, storage, symbol, word_type
from .shifts import Shifts
from .values import OUT_OF_MEMORY

# Offsets in runtime.h's structures.
ARRAY_LENGTH, ARRAY_DATA, ARRAY_SIZE = 16, 24, 32
OUT_OF_BOUNDS = "index {operand} is out of bounds for an array of {length}"
LOADS = ("load", "load_le", "load_be")


def elements(load: Instruction) -> int:
    """How many a load takes."""
    return 1 if load.op == "load" else load.attribute // 8


class Arrays(Shifts):
    def _owned_arrays(self) -> set[Value]:
        """The arrays that a slot must own: not those of the callers' or the module's."""
        found = roots(self.function)
        return {v for v, of in found.items() if any(isinstance(root, Instruction) for root in of)}

    def _array(self, value: Value, text: str) -> None:
        """The three parts of an array whose object is this."""
        data = self.let(f"getelementptr i8, ptr {text}, i64 {ARRAY_DATA}")
        length = self.let(f"getelementptr i8, ptr {text}, i64 {ARRAY_LENGTH}")
        self.arrays[value] = (text, self.let(f"load ptr, ptr {data}"), self.let(f"load i64, ptr {length}"))

    def _global(self, i: Instruction) -> None:
        name = symbol(i.attribute)
        self.arrays[i.result] = (
            f'@"array:{name}"',
            f'@"data:{name}"',
            str(len(self.module.module.arrays[i.attribute][1])),
        )

    def _new(self, i: Instruction) -> None:
        count, fill = i.args
        element = i.attribute.element
        known = self.known(count)
        if known.negative:
            self.refuse_value(self.compare_constant("lt", count, 0), "an array of {operand} elements", count)
        self.check(fill, element)
        if (self.width_for(known) or 128) <= 64:
            length = self.word(count, 64)
        else:
            value = self.big(count)
            large = self.let(f"xor i1 {self.let(f'trunc i64 {value} to i1')}, true")
            self.refuse(large, OUT_OF_MEMORY)
            length = self.let(f"ashr i64 {value}, 1")
        bits = storage(element)
        if bits is BIG:
            low, high = self.big(fill), "0"
        elif bits <= 64:
            low, high = self.word(fill, 64), "0"
        else:
            word = self.word(fill, 128)
            low = self.let(f"trunc i128 {word} to i64")
            high = self.let(f"trunc i128 {self.let(f'lshr i128 {word}, 64')} to i64")
        size = 0 if bits is BIG else bits // 8
        made = self.owned(
            f"call i64 @ring_new(i64 {length}, i32 {size}, i64 {low}, i64 {high}, ptr {self.slot()})"
        )
        pointer = self.let(f"inttoptr i64 {made} to ptr")
        data = self.let(f"getelementptr i8, ptr {pointer}, i64 {ARRAY_SIZE}")
        self.arrays[i.result] = (pointer, data, length)

    def _len(self, i: Instruction) -> None:
        self.define(i.result, self.arrays[i.args[0]][2], 64, Range(0, (1 << 56) - 1))

    def _runs(self, block: Block) -> None:
        """Finds runs of loads from one array near one index, which one check can let by.

        Between them is nothing that has an effect or may fail, so where one of them is out of
        bounds nothing is lost by looking at all of them at the first.
        """
        run: list[tuple[Instruction, Value, int]] = []
        for i in block.instructions:
            if i.op in LOADS:
                if self._within(i, elements(i)):
                    continue
                base, offset, bits = self._offset(i.args[1])
                if run and (run[0][0].args[0] is not i.args[0] or run[0][1] is not base):
                    self._close(run)
                    run = []
                if bits is not None:
                    run.append((i, base, offset))
            elif has_effect(i, self.plan.ranges):
                self._close(run)
                run = []
        self._close(run)

    def _close(self, run: list) -> None:
        if len(run) > 1:
            self.first_of[run[0][0]] = [(i, offset) for i, _, offset in run]
            self.covered |= {i for i, _, _ in run[1:]}

    def _within(self, i: Instruction, count: int) -> bool:
        """Whether the array's length is known, and the index is within its bounds whatever it is."""
        made = self.made_by.get(i.args[0])
        if made is None or made.op != "global":
            return False
        known, length = self.known(i.args[1]), len(self.module.module.arrays[made.attribute][1])
        return not known.negative and known.high is not None and known.high <= length - count

    def _offset(self, index: Value) -> tuple[Value | None, int, int | None]:
        """An index as another value and a constant to add to it; and its width if that is a word."""
        bits = self.width_for(self.known(index))
        if bits is None or bits > 64:
            return None, 0, None
        if index in self.constants:
            return None, self.constants[index], bits
        made = self.made_by.get(index)
        if made is not None and made.op in ("add", "sub"):
            a, b = made.args
            if b in self.constants and a not in self.constants:
                return a, self.constants[b] * (1 if made.op == "add" else -1), bits
            if made.op == "add" and a in self.constants and b not in self.constants:
                return b, self.constants[a], bits
        return index, 0, bits

    def _early(self, i: Instruction, offset: int) -> str:
        """A run's index before it is defined, as an i64: at its own width, as it will be."""
        index = i.args[1]
        if index in self.text or index in self.constants:
            return self.word(index, 64)
        base, _, _ = self._offset(index)
        bits = self.plan.containers[index]
        word = self.let(f"add i{bits} {self.word(base, bits)}, {signed_literal(offset, bits)}")
        return self.resize(word, bits, 64, self.range(index).negative)

    def _check_run(self, run: list[tuple[Instruction, int]]) -> None:
        """Refuses the first load of the run that is out of bounds, if any is: then the first or last is."""
        array, index = run[0][0].args
        _, _, length = self.arrays[array]
        least = min(run, key=lambda entry: entry[1])
        most = max(run, key=lambda entry: entry[1] + elements(entry[0]))
        inside = self._inside(self._early(*most), length, elements(most[0]))
        if self.known(least[0].args[1]).negative:
            low = self.let(f"icmp sge i64 {self._early(*least)}, 0")
            inside = self.let(f"and i1 {inside}, {low}")
        bad, go_on = self.fresh_label("bad"), self.fresh_label("ok")
        self.add(f"br i1 {inside}, label %{go_on}, label %{bad}, !prof !2")
        self.begin(bad)
        base, _, _ = self._offset(index)
        word = "0" if base is None else self.word(base, 64)
        rows = self.module.rows([self._row(i, offset) for i, offset in run])
        found = self.let(f"call fastcc {{i32, i64}} @first.outside(ptr {rows}, i64 {word}, i64 {length})")
        status, which = (self.let(f"extractvalue {{i32, i64}} {found}, {at}") for at in (0, 1))
        self.traps.append((self.label, status, which, length))
        self.add("br label %trap")
        self.begin(go_on)

    def _row(self, i: Instruction, offset: int) -> tuple[int, int, int, int, int]:
        """What is to be known of a load in a run: see module.py."""
        index = i.args[1]
        negative = self.known(index).negative
        spare = 0 if index in self.constants else max(64 - self.plan.containers[index], 0)
        site = self.module.site(OUT_OF_BOUNDS, i.position, f"{'s' if negative else 'u'}64")
        return offset, elements(i), site, spare, int(negative)

    def _inside(self, word: str, length: str, count: int) -> str:
        if count == 1:
            return self.let(f"icmp ult i64 {word}, {length}")
        enough = self.let(f"icmp uge i64 {length}, {count}")
        last = self.let(f"icmp ule i64 {word}, {self.let(f'sub i64 {length}, {count}')}")
        return self.let(f"and i1 {enough}, {last}")

    def _in_bounds(self, word: str, length: str, count: int, negative: bool) -> None:
        """Refuses an index; of several elements, the first that is out of bounds."""
        inside = self._inside(word, length, count)
        bad, go_on = self.fresh_label("bad"), self.fresh_label("ok")
        self.add(f"br i1 {inside}, label %{go_on}, label %{bad}, !prof !2")
        self.begin(bad)
        which = word
        if count > 1:
            first = self.let(f"icmp ult i64 {word}, {length}")
            which = self.let(f"select i1 {first}, i64 {length}, i64 {word}")
        site = self.module.site(OUT_OF_BOUNDS, self.position, f"{'s' if negative else 'u'}64")
        self.add("br label %trap")
        self.traps.append((bad, site, which, length))
        self.begin(go_on)

    def _index(self, i: Instruction, count: int = 1) -> str:
        """The index as an i64, that of `count` elements, all within bounds."""
        array, index = i.args[:2]
        _, _, length = self.arrays[array]
        known = self.known(index)
        bits = self.width_for(known)
        if i in self.covered or self._within(i, count):
            return self.word(index, 64)
        if i in self.first_of:
            self._check_run(self.first_of[i])
            return self.word(index, 64)
        if bits is not None and bits <= 64:
            word = self.word(index, 64)
            self._in_bounds(word, length, count, known.negative)
            return word
        # an index that is no small integer is out of bounds of any array; nor is it at their end
        value = self.big(index)
        word = self.let(f"ashr i64 {value}, 1")
        small = self.let(f"trunc i64 {value} to i1")
        inside = self.let(f"and i1 {small}, {self._inside(word, length, count)}")
        bad, go_on = self.fresh_label("bad"), self.fresh_label("ok")
        self.add(f"br i1 {inside}, label %{go_on}, label %{bad}, !prof !2")
        self.begin(bad)
        first = self.let(f"and i1 {small}, {self.let(f'icmp ult i64 {word}, {length}')}")
        end = self.let(f"or i64 {self.let(f'shl i64 {length}, 1')}, 1")
        operand = self.let(f"select i1 {first}, i64 {end}, i64 {value}")
        self.tell(operand)
        self.add("br label %trap")
        self.traps.append((bad, self.module.site(OUT_OF_BOUNDS, self.position, "value"), "0", length))
        self.begin(go_on)
        return word

    def _place(self, i: Instruction) -> tuple[str, str, str, int | None]:
        """The checked address of an element, its LLVM type, what LLVM is told of it, and its bits."""
        array = i.args[0]
        word = self._index(i)
        bits = storage(array.type.element)
        type_ = word_type(bits)
        place = self.let(f"getelementptr {type_}, ptr {self.arrays[array][1]}, i64 {word}")
        note = f"align {8 if bits is BIG else bits // 8}, !tbaa !{163 if bits is BIG else 100 + bits}"
        return place, type_, note, bits

    def _load_bytes(self, i: Instruction) -> None:
        """Bytes as one word: a load, turned around where the processor's order is the other."""
        array, bits = i.args[0], i.attribute
        word = self._index(i, bits // 8)
        place = self.let(f"getelementptr i8, ptr {self.arrays[array][1]}, i64 {word}")
        text = self.let(f"load i{bits}, ptr {place}, align 1, !tbaa !108")
        if i.op == "load_be":
            text = self.let(f"call i{bits} @llvm.bswap.i{bits}(i{bits} {text})")
        self.define(i.result, text, bits, Range(0, below(bits)))

    _load_le = _load_be = _load_bytes

    def _load(self, i: Instruction) -> None:
        array = i.args[0]
        place, type_, note, bits = self._place(i)
        text = self.let(f"load {type_}, ptr {place}, {note}")
        if bits is BIG:
            # the array may give it up while it is used
            slot, keep, kept = self.slot(), self.fresh_label("keep"), self.fresh_label("kept")
            self.add(f"br i1 {self.let(f'trunc i64 {text} to i1')}, label %{kept}, label %{keep}")
            self.begin(keep)
            self.add(f"call void @ring_set(ptr {slot}, i64 {text})")
            self.add(f"br label %{kept}")
            self.begin(kept)
        self.define(i.result, text, bits, of_type(array.type.element))

    def _store(self, i: Instruction) -> None:
        array, _, value = i.args
        self.check(value, array.type.element)
        place, type_, note, bits = self._place(i)
        if bits is BIG:
            self.add(f"call void @ring_set(ptr {place}, i64 {self.big(value)})")
        else:
            self.add(f"store {type_} {self.word(value, bits)}, ptr {place}, {note}")
