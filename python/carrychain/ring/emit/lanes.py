"""Loads and stores in lanes, and operations on lanes.

Rows are an array object whose data is a table of pointers, one per input. Columns are one whose length is
that of one input's array, and whose data begins with the first elements of all inputs.
"""

from __future__ import annotations

from math import log2

from ..machine.form import COLUMNS, ROWS, Lanes, Op, Operand
from . import arrays
from .arrays import ARRAY_LENGTH
from .names import llvm_type, suffix
from .text import BodyText

# More elements than memory has room for, even multiplied by the number of lanes and their size.
FAR = 1 << 52


def concerned(op: Op) -> bool:
    """Whether the operation is emitted by this file."""
    return op.op in EMITTED and any(isinstance(each.type, Lanes) for each in (*op.args, *op.results))


def _vector(type_: str, values: list[int] | range) -> str:
    return f"<{', '.join(f'{type_} {value}' for value in values)}>"


def _spread(t: BodyText, count: int, type_: str, value: str) -> str:
    """The value in all lanes."""
    one = t.let(f"insertelement <{count} x {type_}> poison, {type_} {value}, i64 0")
    vector = f"<{count} x {type_}>"
    return t.let(f"shufflevector {vector} {one}, {vector} poison, <{count} x i32> zeroinitializer")


def splat(t: BodyText, op: Op) -> None:
    (x,), type_ = op.args, op.result.type
    t.words[op.result] = _spread(t, type_.count, llvm_type(x.type), t.of(x))


def any_(t: BodyText, op: Op) -> None:
    (x,) = op.args
    t.words[op.result] = t.let(
        f"call i1 @llvm.vector.reduce.or.{suffix(x.type)}({llvm_type(x.type)} {t.of(x)})"
    )


def _piece(t: BodyText, type_: str, x: str, lanes: range | list[int]) -> str:
    return t.let(f"shufflevector {type_} {x}, {type_} poison, <{len(lanes)} x i32> {_vector('i32', lanes)}")


def _joined(t: BodyText, pieces: list[str], count: int, type_: str) -> str:
    """Concatenates vectors of `count` lanes each."""
    while len(pieces) > 1:
        name, all_ = f"<{count} x {type_}>", _vector("i32", range(2 * count))
        pieces = [
            t.let(f"shufflevector {name} {a}, {name} {b}, <{2 * count} x i32> {all_}")
            for a, b in zip(pieces[::2], pieces[1::2], strict=True)
        ]
        count *= 2
    return pieces[0]


def new(t: BodyText, op: Op) -> None:
    """An array with room for the elements of all lanes; its length is that of one lane's array."""
    length, low, high = map(t.of, op.args)
    count = op.result.type.count
    within = t.let(f"call i64 @llvm.umin.i64(i64 {length}, i64 {FAR})")
    whole = t.let(f"shl i64 {within}, {int(log2(count))}")
    made = arrays.made(t, op, whole, low, high)
    t.add(f"store i64 {length}, ptr {t.let(f'getelementptr i8, ptr {made}, i64 {ARRAY_LENGTH}')}")
    t.arrays[op.result] = arrays.parts(t, made)


def columns(t: BodyText, op: Op) -> None:
    (array,), type_ = op.args, op.result.type
    rows = int(isinstance(array.type, Lanes))
    args = f"ptr {t.parts(array)[0]}, i32 {op.attribute // 8}, i32 {type_.count}, i32 {rows}"
    made = t.let(f"call i64 @ring_columns({args}, ptr %slot{op.slot})")
    t.refuse(t.let(f"icmp eq i64 {made}, 0"), op.site)
    t.arrays[op.result] = arrays.parts(t, t.let(f"inttoptr i64 {made} to ptr"))


# Memory ----------------------------------------------------------------------------------------------


def _indices(t: BodyText, index: Operand, count: int) -> str:
    return t.of(index) if isinstance(index.type, Lanes) else _spread(t, count, "i64", t.of(index))


def _places(t: BodyText, array: Operand, index: str, count: int, unit: str) -> str:
    """The address in each lane; the index counts units of `unit` bytes."""
    data, layout = t.parts(array)[1], array.type.of if isinstance(array.type, Lanes) else None
    if layout == ROWS:
        data = t.let(f"load <{count} x ptr>, ptr {data}, align 8, !invariant.load !3")
        return t.let(f"getelementptr {unit}, <{count} x ptr> {data}, <{count} x i64> {index}")
    if layout == COLUMNS:
        wide = f"<{count} x i64>"
        first = t.let(f"shl {wide} {index}, splat (i64 {int(log2(count))})")
        index = t.let(f"add {wide} {first}, {_vector('i64', range(count))}")
    return t.let(f"getelementptr {unit}, ptr {data}, <{count} x i64> {index}")


def _note(bits: int) -> str:
    return f", !tbaa !{100 + bits}"


def _gather(t: BodyText, places: str, count: int, bits: int, mask: str, align: int, note: str) -> str:
    name = f"<{count} x i{bits}>"
    return t.let(
        f"call {name} @llvm.masked.gather.v{count}i{bits}.v{count}p0(<{count} x ptr> align {align} {places}, "
        f"<{count} x i1> {mask}, {name} poison){note}"
    )


def _mask(t: BodyText, more: list[Operand]) -> str:
    return t.of(more[0]) if more else "splat (i1 true)"


def _of_each(t: BodyText, array: Operand, index: str, type_: str, unit: str, note: str) -> list[str]:
    """Loads from each input's own array at an index."""
    table, found = t.parts(array)[1], []
    for lane in range(array.type.count):
        place = t.let(f"getelementptr ptr, ptr {table}, i64 {lane}")
        data = t.let(f"load ptr, ptr {place}, align 8, !invariant.load !3")
        place = t.let(f"getelementptr {unit}, ptr {data}, i64 {index}")
        found.append(t.let(f"load {type_}, ptr {place}, {note}"))
    return found


def _rows(t: BodyText, op: Op, unit: str, note: str) -> str:
    array, index = op.args
    word, name = op.result.type, llvm_type(op.result.type)
    whole = "poison"
    for lane, each in enumerate(_of_each(t, array, t.of(index), f"i{word.of}", unit, note)):
        whole = t.let(f"insertelement {name} {whole}, i{word.of} {each}, i64 {lane}")
    return whole


def _column(t: BodyText, array: Operand, index: str, count: int, unit: str) -> str:
    """The address of all inputs' elements at an index."""
    first = t.let(f"shl i64 {index}, {int(log2(count))}")
    return t.let(f"getelementptr {unit}, ptr {t.parts(array)[1]}, i64 {first}")


def load(t: BodyText, op: Op) -> None:
    array, index, *more = op.args
    word = op.result.type
    bits, count, unit = word.of, word.count, f"i{word.of}"
    note = f"align {bits // 8}{_note(bits)}"
    layout = array.type.of if isinstance(array.type, Lanes) else None
    if index.type == 64 and not more and layout == ROWS:
        t.words[op.result] = _rows(t, op, unit, note)
    elif index.type == 64 and layout == COLUMNS:
        place, name = _column(t, array, t.of(index), count, unit), llvm_type(word)
        if more:
            loaded = f"call {name} @llvm.masked.load.{suffix(word)}.p0(ptr align {bits // 8} {place}, "
            loaded += f"<{count} x i1> {t.of(more[0])}, {name} poison){_note(bits)}"
        else:
            loaded = f"load {name}, ptr {place}, {note}"
        t.words[op.result] = t.let(loaded)
    else:
        places = _places(t, array, _indices(t, index, count), count, unit)
        t.words[op.result] = _gather(t, places, count, bits, _mask(t, more), bits // 8, _note(bits))


def load_bytes(t: BodyText, op: Op) -> None:
    array, index, *more = op.args
    word = op.result.type
    count, size, name = word.count, word.of // 8, llvm_type(word)
    layout = array.type.of if isinstance(array.type, Lanes) else None
    if index.type == 64 and not more and layout == ROWS:
        t.words[op.result] = _rows(t, op, "i8", f"align 1{_note(8)}")
    elif index.type == 64 and not more:
        place, whole = _column(t, array, t.of(index), count, "i8"), f"<{size * count} x i8>"
        loaded = t.let(f"load {whole}, ptr {place}, align 1{_note(8)}")
        order = [byte * count + lane for lane in range(count) for byte in range(size)]
        t.words[op.result] = t.let(f"bitcast {whole} {_piece(t, whole, loaded, order)} to {name}")
    elif layout != COLUMNS:
        places = _places(t, array, _indices(t, index, count), count, "i8")
        t.words[op.result] = _gather(t, places, count, word.of, _mask(t, more), 1, _note(8))
    else:
        indices, sum_ = _indices(t, index, count), "zeroinitializer"
        for byte in range(size):
            at = t.let(f"add <{count} x i64> {indices}, splat (i64 {byte})")
            each = _gather(t, _places(t, array, at, count, "i8"), count, 8, _mask(t, more), 1, _note(8))
            if size > 1:
                each = t.let(f"zext <{count} x i8> {each} to {name}")
                each = t.let(f"shl {name} {each}, splat (i{word.of} {8 * byte})")
            sum_ = t.let(f"or {name} {sum_}, {each}")
        t.words[op.result] = sum_


def store(t: BodyText, op: Op) -> None:
    array, index, value, *more = op.args
    word = value.type
    bits, count, name, text = word.of, word.count, llvm_type(word), t.of(value)
    if index.type == 64:
        place = _column(t, array, t.of(index), count, f"i{bits}")
        if more:
            masked = f"@llvm.masked.store.{suffix(word)}.p0({name} {text}, ptr align {bits // 8} {place}, "
            t.add(f"call void {masked}<{count} x i1> {t.of(more[0])}){_note(bits)}")
        else:
            t.add(f"store {name} {text}, ptr {place}, align {bits // 8}{_note(bits)}")
        return
    places = _places(t, array, t.of(index), count, f"i{bits}")
    scatter = f"@llvm.masked.scatter.{suffix(word)}.v{count}p0({name} {text}, "
    scatter += f"<{count} x ptr> align {bits // 8} {places}, <{count} x i1> {_mask(t, more)})"
    t.add(f"call void {scatter}{_note(bits)}")


# Consecutive words -----------------------------------------------------------------------------------


def transposed(t: BodyText, op: Op) -> None:
    """Loads consecutive words of each input as one vector, and transposes groups of inputs."""
    array, index = op.args
    bits, many = op.results[0].type.of, len(op.results)
    side = min(many, array.type.count, 128 // bits if bits == 8 else many)
    row = f"<{many} x i{bits}>"
    rows = _of_each(t, array, t.of(index), row, "i8", f"align 1{_note(8)}")
    parts = [_transposed(t, rows[at : at + side], bits, many) for at in range(0, len(rows), side)]
    for word, pieces in zip(op.results, zip(*parts, strict=True), strict=True):
        t.words[word] = _joined(t, list(pieces), side, f"i{bits}")


def _transposed(t: BodyText, rows: list[str], bits: int, many: int) -> list[str]:
    """The columns of rows of `many` words: of as many rows, or of fewer than 128 bits have words.

    Each step shuffles registers in pairs, and exchanges one bit of the row's number with one bit of the
    position in the register. Within 128 bits, the two registers are interleaved (by one, two, ... words);
    beyond that, the even parts of both come before the odd ones.
    """
    side = len(rows)
    place = {at: [(at, column) for column in range(many)] for at in range(side)}
    part = min(128 // bits, many)
    step, row = 1, f"<{many} x i{bits}>"
    while step < side:
        lows, highs = (_interleaved if step < part else _evens)(many, min(step, part), part)
        for at in range(side):
            if not at & step:
                a, b = rows[at], rows[at + step]
                both = place[at] + place[at + step]
                for to, order in ((at, lows), (at + step, highs)):
                    rows[to] = t.let(
                        f"shufflevector {row} {a}, {row} {b}, <{many} x i32> {_vector('i32', order)}"
                    )
                    place[to] = [both[k] for k in order]
        step *= 2
    if side == many:
        of = {place[at][0][1]: rows[at] for at in range(side)}
        return [of[column] for column in range(many)]
    firsts = {place[at][k][1]: (at, k) for at in range(side) for k in range(0, many, side)}
    found = []
    for at, k in (firsts[column] for column in range(many)):
        found.append(_piece(t, row, rows[at], range(k, k + side)))
    return found


def _interleaved(many: int, step: int, part: int) -> tuple[list[int], list[int]]:
    """A shuffle of two registers: within 128 bits, the low (or high) halves, in turns of `step` words."""
    halves = []
    for half in (0, part // 2):
        order = []
        for at in range(0, many, part):
            for k in range(at + half, at + half + part // 2, step):
                order += [*range(k, k + step), *range(many + k, many + k + step)]
        halves.append(order)
    return halves[0], halves[1]


def _evens(many: int, step: int, part: int) -> tuple[list[int], list[int]]:
    """A shuffle of two registers: every other part of the first, then of the second."""
    both = [[k for k in range(2 * many) if k // part % 2 == odd] for odd in (0, 1)]
    return both[0], both[1]


EMITTED = {
    "splat": splat,
    "any": any_,
    "columns": columns,
    "new": new,
    "load": load,
    "bytes": load_bytes,
    "store": store,
    "transposed": transposed,
}
