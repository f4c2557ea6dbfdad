"""Arrays and bounds checks."""

from __future__ import annotations

from ..machine.form import BIG, Op
from .names import llvm_type, symbol
from .text import LIKELY, BodyText

# Offsets in runtime.h's structures.
ARRAY_LENGTH, ARRAY_DATA, ARRAY_SIZE = 16, 24, 32
# The offset of the elements in an array that ring_new made.
MADE_DATA = 48


def parts(t: BodyText, pointer: str) -> tuple[str, str, str]:
    """The object, data and length of the array with this object."""
    data = t.let(f"getelementptr i8, ptr {pointer}, i64 {ARRAY_DATA}")
    length = t.let(f"getelementptr i8, ptr {pointer}, i64 {ARRAY_LENGTH}")
    return pointer, t.let(f"load ptr, ptr {data}"), t.let(f"load i64, ptr {length}")


def global_array(t: BodyText, op: Op) -> None:
    name, length = symbol(op.attribute), t.module.lengths[op.attribute]
    t.arrays[op.result] = (f'@"array:{name}"', f'@"data:{name}"', str(length))


def made(t: BodyText, op: Op, length: str, low: str, high: str) -> str:
    """The object of a new array."""
    size = 0 if op.attribute is BIG else op.attribute // 8
    args = f"i64 {length}, i32 {size}, i64 {low}, i64 {high}"
    made = t.let(f"call i64 @ring_new({args}, ptr %slot{op.slot})")
    t.refuse(t.let(f"icmp eq i64 {made}, 0"), op.site)
    return t.let(f"inttoptr i64 {made} to ptr")


def new(t: BodyText, op: Op) -> None:
    length, low, high = map(t.of, op.args)
    pointer = made(t, op, length, low, high)
    t.arrays[op.result] = (pointer, t.let(f"getelementptr i8, ptr {pointer}, i64 {MADE_DATA}"), length)


def frame(t: BodyText, op: Op) -> None:
    bits, most = op.attribute
    place = t.room(f"[{most} x i{bits}]")
    t.zeros(place, bits // 8 * most)
    t.arrays[op.result] = ("null", place, t.of(op.args[0]))


def length(t: BodyText, op: Op) -> None:
    t.words[op.result] = t.parts(op.args[0])[2]


def _place(t: BodyText, op: Op, type_: int | None) -> tuple[str, str, str]:
    """The address of an element, its LLVM type, and the metadata of its accesses."""
    name = llvm_type(type_)
    place = t.let(f"getelementptr {name}, ptr {t.parts(op.args[0])[1]}, i64 {t.of(op.args[1])}")
    return place, name, f"align {(type_ or 64) // 8}, !tbaa !{163 if type_ is BIG else 100 + type_}"


def load(t: BodyText, op: Op) -> None:
    place, name, note = _place(t, op, op.result.type)
    t.words[op.result] = t.let(f"load {name}, ptr {place}, {note}")


def load_bytes(t: BodyText, op: Op) -> None:
    array, index = op.args
    place = t.let(f"getelementptr i8, ptr {t.parts(array)[1]}, i64 {t.of(index)}")
    t.words[op.result] = t.let(f"load i{op.result.type}, ptr {place}, align 1, !tbaa !108")


def store(t: BodyText, op: Op) -> None:
    value = op.args[2]
    place, name, note = _place(t, op, value.type)
    if value.type is not BIG:
        t.add(f"store {name} {t.of(value)}, ptr {place}, {note}")
        return
    text, small, large, done = t.of(value), *t.fresh("small", "large", "stored")
    if not t.calls:
        # nothing is owned before or after
        old = t.let(f"load i64, ptr {place}, {note}")
        both = t.let(f"trunc i64 {t.let(f'and i64 {old}, {text}')} to i1")
        t.add(f"br i1 {both}, label %{small}, label %{large}, {LIKELY}")
        t.begin(small)
        t.add(f"store i64 {text}, ptr {place}, {note}")
        t.add(f"br label %{done}")
        t.begin(large)
    t.add(f"call void @ring_set(ptr {place}, i64 {text})")
    if not t.calls:
        t.add(f"br label %{done}")
        t.begin(done)


# Bounds ----------------------------------------------------------------------------------------------


def _inside(t: BodyText, word: str, length: str, count: int, bits: int = 64) -> str:
    if count == 1:
        return t.let(f"icmp ult i{bits} {word}, {length}")
    enough = t.let(f"icmp uge i{bits} {length}, {count}")
    last = t.let(f"icmp ule i{bits} {word}, {t.let(f'sub i{bits} {length}, {count}')}")
    return t.let(f"and i1 {enough}, {last}")


def _unless(t: BodyText, inside: str) -> str:
    """Begins the block for an index that is out of bounds; returns the label of the block for one within."""
    bad, go_on = t.fresh("bad", "ok")
    t.add(f"br i1 {inside}, label %{go_on}, label %{bad}, {LIKELY}")
    t.begin(bad)
    return go_on


def bounds(t: BodyText, op: Op) -> None:
    """A bounds check; of several elements, the message names the first that is out of bounds."""
    count, word, elements = op.attribute, t.of(op.args[1]), t.parts(op.args[0])[2]
    bits = op.args[1].type
    length = elements if bits == 64 else t.let(f"zext i64 {elements} to i{bits}")
    go_on = _unless(t, _inside(t, word, length, count, bits))
    which = word
    if count > 1:
        first = t.let(f"icmp ult i{bits} {word}, {length}")
        which = t.let(f"select i1 {first}, i{bits} {length}, i{bits} {word}")
    t.trap(op.site, which if bits == 64 else t.halved(which), elements)
    t.add("br label %trap")
    t.begin(go_on)


def bounds_big(t: BodyText, op: Op) -> None:
    """A bounds check of a BIG index: one that is not small is out of bounds of any array."""
    length, value = t.parts(op.args[0])[2], t.of(op.args[1])
    word = t.let(f"ashr i64 {value}, 1")
    small = t.let(f"trunc i64 {value} to i1")
    go_on = _unless(t, t.let(f"and i1 {small}, {_inside(t, word, length, op.attribute)}"))
    first = t.let(f"and i1 {small}, {t.let(f'icmp ult i64 {word}, {length}')}")
    end = t.let(f"or i64 {t.let(f'shl i64 {length}, 1')}, 1")
    t.tell(t.let(f"select i1 {first}, i64 {end}, i64 {value}"))
    t.trap(op.site, "0", length)
    t.add("br label %trap")
    t.begin(go_on)
    t.words[op.result] = word


def bounds_run(t: BodyText, op: Op) -> None:
    array, root, most, *least = op.args
    reading, count, rows = op.attribute
    length = t.parts(array)[2]
    inside = _inside(t, t.of(most), length, count)
    for index in least:
        low = t.let(f"icmp sge i64 {t.of(index)}, 0")
        inside = t.let(f"and i1 {inside}, {low}")
    go_on = _unless(t, inside)
    word = t.of(root)
    if root.type < 64:
        word = t.let(f"{'zext' if reading == 'u' else 'sext'} i{root.type} {word} to i64")
    table = t.module.rows(rows)
    found = t.let(f"call fastcc {{i32, i64}} @first.outside(ptr {table}, i64 {word}, i64 {length})")
    status, which = (t.let(f"extractvalue {{i32, i64}} {found}, {at}") for at in (0, 1))
    t.traps.append((t.label, status, which, length, t.filled))
    t.add("br label %trap")
    t.begin(go_on)


EMITTED = {
    "global": global_array,
    "new": new,
    "frame": frame,
    "length": length,
    "load": load,
    "bytes": load_bytes,
    "store": store,
    "bounds": bounds,
    "bounds_big": bounds_big,
    "bounds_run": bounds_run,
}
