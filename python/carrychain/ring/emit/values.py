"""Operations on BIGs: inline for small ones, unless the function uses calls; the runtime does the rest.

Each slot is a word of the frame.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.form import DIVISION, LOGIC
from ..machine.form import Const, MachineType, Op, Operand, given_slots
from ..machine.form import is_small as among_small
from ..machine.logic import logic_of
from .names import is_array
from .text import LIKELY, UNLIKELY, BodyText

# The runtime's numbers.
DIVISIONS = {op: at for at, op in enumerate(DIVISION)}


def _owned(t: BodyText, op: Op, call: str, args: str) -> str:
    """A call of the runtime that returns 0 if there is no memory."""
    made = t.let(f"call i64 @ring_{call}({args}, ptr %slot{op.slot})")
    t.refuse(t.let(f"icmp eq i64 {made}, 0"), op.site)
    return made


def small(t: BodyText, op: Op) -> None:
    t.words[op.result] = t.let(f"or i64 {t.let(f'shl i64 {t.of(op.args[0])}, 1')}, 1")


def box(t: BodyText, op: Op) -> None:
    """Makes a BIG of a word: inline if tagging it does not overflow, else by the runtime."""
    (x,), text = op.args, t.of(op.args[0])
    bits, signed = x.type, op.attribute == "s"
    low = t.let(f"trunc i128 {text} to i64") if bits == 128 else text
    shifted = t.let(f"shl i64 {low}, 1")
    value = t.let(f"or i64 {shifted}, 1")
    back = t.let(f"ashr i64 {shifted}, 1")
    if bits == 128:
        back = t.let(f"sext i64 {back} to i128")
    fits = t.let(f"icmp eq i{bits} {back}, {text}")
    if not signed:
        fits = t.let(f"and i1 {fits}, {t.let(f'icmp sge i{bits} {text}, 0')}")
    here, (large, done) = t.label, t.fresh("large", "value")
    t.add(f"br i1 {fits}, label %{done}, label %{large}, {LIKELY}")
    t.begin(large)
    if bits == 128:
        high = t.let(f"trunc i128 {t.let(f'lshr i128 {text}, 64')} to i64")
    else:
        high = t.let(f"ashr i64 {text}, 63") if signed else "0"
    made = _owned(t, op, "signed" if signed else "unsigned", f"i64 {low}, i64 {high}")
    came = t.label
    t.add(f"br label %{done}")
    t.begin(done)
    t.words[op.result] = t.let(f"phi i64 [{value}, %{here}], [{made}, %{came}]")


def is_small(t: BodyText, op: Op) -> None:
    t.words[op.result] = t.let(f"trunc i64 {t.of(op.args[0])} to i1")


def of_small(t: BodyText, op: Op) -> None:
    t.words[op.result] = t.let(f"ashr i64 {t.of(op.args[0])}, 1")


def low_word(t: BodyText, op: Op) -> None:
    value, bits = t.of(op.args[0]), op.result.type
    if t.calls and bits == 64:
        t.words[op.result] = t.let(f"call i64 @ring_word(i64 {value})")
        return
    small, large, done = t.fresh("small", "large", "word")
    t.add(f"br i1 {t.let(f'trunc i64 {value} to i1')}, label %{small}, label %{large}, {LIKELY}")
    t.begin(small)
    a = t.let(f"ashr i64 {value}, 1")
    if bits == 128:
        a = t.let(f"sext i64 {a} to i128")
    t.add(f"br label %{done}")
    t.begin(large)
    if bits == 64:
        b = t.let(f"call i64 @ring_word(i64 {value})")
    else:
        pair = t.let(f"call {{i64, i64}} @ring_words(i64 {value})")
        low, high = (
            t.let(f"zext i64 {t.let(f'extractvalue {{i64, i64}} {pair}, {at}')} to i128") for at in (0, 1)
        )
        b = t.let(f"or i128 {low}, {t.let(f'shl i128 {high}, 64')}")
    t.add(f"br label %{done}")
    t.begin(done)
    t.words[op.result] = t.let(f"phi i{bits} [{a}, %{small}], [{b}, %{large}]")


def _both_small(t: BodyText, args: list[Operand], small: str, large: str) -> None:
    texts = [text for text in map(t.of, args) if not text.lstrip("-").isdigit()]
    if not texts:
        t.add(f"br label %{small}")
        return
    tag = texts[0] if len(texts) == 1 else t.let(f"and i64 {texts[0]}, {texts[1]}")
    t.add(f"br i1 {t.let(f'trunc i64 {tag} to i1')}, label %{small}, label %{large}, {LIKELY}")


def arithmetic(t: BodyText, op: Op) -> None:
    name, (a, b) = op.op.removeprefix("big_"), map(t.of, op.args)
    if t.calls:
        t.words[op.result] = _owned(t, op, name, f"i64 {a}, i64 {b}")
        return
    small, large, done = t.fresh("small", "large", "value")
    _both_small(t, op.args, small, large)
    t.begin(small)
    if name == "mul":
        # a = 2x + 1 and b = 2y + 1: the product is (2x) y, without its tag
        x, y = t.let(f"sub i64 {a}, 1"), t.let(f"ashr i64 {b}, 1")
    else:
        x, y = a, t.let(f"sub i64 {b}, 1")
    pair = t.let(f"call {{i64, i1}} @llvm.s{name}.with.overflow.i64(i64 {x}, i64 {y})")
    fast = t.let(f"extractvalue {{i64, i1}} {pair}, 0")
    if name == "mul":
        fast = t.let(f"or i64 {fast}, 1")
    over = t.let(f"extractvalue {{i64, i1}} {pair}, 1")
    t.add(f"br i1 {over}, label %{large}, label %{done}, {UNLIKELY}")
    t.begin(large)
    slow = _owned(t, op, name, f"i64 {a}, i64 {b}")
    came = t.label
    t.add(f"br label %{done}")
    t.begin(done)
    t.words[op.result] = t.let(f"phi i64 [{fast}, %{small}], [{slow}, %{came}]")


def logic(t: BodyText, op: Op) -> None:
    a, b = map(t.of, op.args)
    args = f"i32 {LOGIC[op.attribute]}, i64 {a}, i64 {b}"
    if t.calls:
        t.words[op.result] = _owned(t, op, "logic", args)
        return
    small, large, done = t.fresh("small", "large", "value")
    _both_small(t, op.args, small, large)
    t.begin(small)
    both = logic_of(op.attribute, a, b, "0", "-1", lambda name, x, y: t.let(f"{name} i64 {x}, {y}"))
    fast = t.let(f"or i64 {both}, 1")
    t.add(f"br label %{done}")
    t.begin(large)
    slow = _owned(t, op, "logic", args)
    came = t.label
    t.add(f"br label %{done}")
    t.begin(done)
    t.words[op.result] = t.let(f"phi i64 [{fast}, %{small}], [{slow}, %{came}]")


def divide(t: BodyText, op: Op) -> None:
    a, b = map(t.of, op.args)
    t.words[op.result] = _owned(t, op, "divide", f"i32 {DIVISIONS[op.attribute]}, i64 {a}, i64 {b}")


def owned(t: BodyText, op: Op) -> None:
    args = [*map(t.of, op.args), *([] if op.attribute is None else [str(op.attribute)])]
    name = op.op.removeprefix("big_")
    t.words[op.result] = _owned(t, op, name, ", ".join(f"i64 {arg}" for arg in args))


def read(t: BodyText, op: Op) -> None:
    t.words[op.result] = t.let(f"call i64 @ring_{op.op.removeprefix('big_')}(i64 {t.of(op.args[0])})")


def compared(t: BodyText, op: Op) -> None:
    name, (a, b) = op.op.removeprefix("big_"), map(t.of, op.args)
    test = name if name in ("eq", "ne") else f"s{name}"
    if test == name and any(isinstance(arg, Const) and among_small(arg.value) for arg in op.args):
        # no object equals a small integer
        t.words[op.result] = t.let(f"icmp {test} i64 {a}, {b}")
        return
    if t.calls:
        order = t.let(f"call i32 @ring_compare(i64 {a}, i64 {b})")
        t.words[op.result] = t.let(f"icmp {test} i32 {order}, 0")
        return
    small, large, done = t.fresh("small", "large", "compared")
    _both_small(t, op.args, small, large)
    t.begin(small)
    fast = t.let(f"icmp {test} i64 {a}, {b}")
    t.add(f"br label %{done}")
    t.begin(large)
    order = t.let(f"call i32 @ring_compare(i64 {a}, i64 {b})")
    slow = t.let(f"icmp {test} i32 {order}, 0")
    t.add(f"br label %{done}")
    t.begin(done)
    t.words[op.result] = t.let(f"phi i1 [{fast}, %{small}], [{slow}, %{large}]")


# Who owns what ---------------------------------------------------------------------------------------


def retain(t: BodyText, op: Op) -> None:
    (x,), address = op.args, t.address(op.args[0])
    has = "false" if is_array(x.type) else t.let(f"trunc i64 {address} to i1")
    for slot in op.attribute or ():
        held = t.let(f"load i64, ptr %slot{slot}")
        owns = t.let(f"and i1 {t.let(f'icmp eq i64 {held}, {address}')}, {t.let(f'xor i1 {has}, true')}")
        t.add(f"store i64 {t.let(f'select i1 {owns}, i64 0, i64 {held}')}, ptr %slot{slot}")
        has = t.let(f"or i1 {has}, {owns}")
    more, done = t.fresh("more", "retained")
    t.add(f"br i1 {has}, label %{done}, label %{more}, {LIKELY}")
    t.begin(more)
    t.add(f"call void @ring_retain(i64 {address})")
    t.add(f"br label %{done}")
    t.begin(done)


def _unless_small(t: BodyText, values: list[str], call: Callable[[], None]) -> None:
    tag = values[0]
    for other in values[1:]:
        tag = t.let(f"and i64 {tag}, {other}")
    give, done = t.fresh("give", "given")
    t.add(f"br i1 {t.let(f'trunc i64 {tag} to i1')}, label %{done}, label %{give}, {LIKELY}")
    t.begin(give)
    call()
    t.add(f"br label %{done}")
    t.begin(done)


def keep(t: BodyText, op: Op) -> None:
    value = t.of(op.args[0])
    _unless_small(t, [value], lambda: t.add(f"call void @ring_set(ptr %slot{op.slot}, i64 {value})"))


def own(t: BodyText, op: Op) -> None:
    (x,), address = op.args, t.address(op.args[0])

    def put() -> None:
        t.add(f"call void @ring_put(ptr %slot{op.slot}, i64 {address})")

    if is_array(x.type):
        put()
    else:
        _unless_small(t, [address], put)


def _exchanged(t: BodyText, type_: MachineType, address: str, slot: int, *others: int) -> str:
    """Whether the slot owns the object, or there is none; it may exchange with another one that does."""
    held = t.let(f"load i64, ptr %slot{slot}")
    same = t.let(f"icmp eq i64 {address}, {held}")
    for other in others:
        came = t.let(f"load i64, ptr %slot{other}")
        owns = t.let(f"icmp eq i64 {address}, {came}")
        if len(others) > 1:
            owns = t.let(f"and i1 {owns}, {t.let(f'xor i1 {same}, true')}")
        left = t.let(f"select i1 {owns}, i64 {held}, i64 {came}")
        held = t.let(f"select i1 {owns}, i64 {came}, i64 {held}")
        t.add(f"store i64 {left}, ptr %slot{other}")
        same = t.let(f"or i1 {same}, {owns}")
    if others:
        t.add(f"store i64 {held}, ptr %slot{slot}")
    if not is_array(type_):
        same = t.let(f"or i1 {same}, {t.let(f'trunc i64 {address} to i1')}")
    return same


def give(t: BodyText, op: Op) -> None:
    addresses = [t.address(arg) for arg in op.args]
    types, slots = [arg.type for arg in op.args], given_slots(op)

    def put() -> None:
        # usually, a loop passes what its slots already own, or what others do that then need it no more
        ways = zip(types, addresses, slots, strict=True)
        all_same = _all(t, [_exchanged(t, type_, address, *some) for type_, address, some in ways])
        change, done = t.fresh("change", "same")
        t.add(f"br i1 {all_same}, label %{done}, label %{change}")
        t.begin(change)
        # retain all first: a slot may release an object that is passed to another
        for address in addresses:
            t.add(f"call void @ring_retain(i64 {address})")
        for (slot, *_), address in zip(slots, addresses, strict=True):
            t.add(f"call void @ring_put(ptr %slot{slot}, i64 {address})")
        t.add(f"br label %{done}")
        t.begin(done)

    if not any(map(is_array, types)):
        _unless_small(t, addresses, put)
        return
    # an array is mostly passed from round to round, and integers beside it are small
    ways = zip(types, addresses, slots, strict=True)
    settled = _all(t, [_exchanged(t, type_, address, slot) for type_, address, (slot, *_) in ways])
    move, done = t.fresh("move", "settled")
    t.add(f"br i1 {settled}, label %{done}, label %{move}, {LIKELY}")
    t.begin(move)
    put()
    t.add(f"br label %{done}")
    t.begin(done)


def _all(t: BodyText, conditions: list[str]) -> str:
    found, *others = conditions
    for each in others:
        found = t.let(f"and i1 {found}, {each}")
    return found


EMITTED = {
    "small": small,
    "box": box,
    "is_small": is_small,
    "of_small": of_small,
    "low_word": low_word,
    **dict.fromkeys(("big_add", "big_sub", "big_mul"), arithmetic),
    "big_logic": logic,
    "big_divide": divide,
    **dict.fromkeys(("big_shift", "big_low", "big_field", "big_isqrt", "big_gcd", "big_expt"), owned),
    **dict.fromkeys(("big_bitlen", "big_popcount", "big_count"), read),
    **dict.fromkeys(("big_eq", "big_ne", "big_lt", "big_le", "big_gt", "big_ge"), compared),
    "retain": retain,
    "keep": keep,
    "own": own,
    "give": give,
}
