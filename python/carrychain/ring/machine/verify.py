"""The machine IR's verifier: printing and running rely on well-formed IR."""

from __future__ import annotations

from .form import (
    ARRAY,
    BIG,
    COLUMNS,
    LANEWISE,
    MASKED,
    ROWS,
    SHAPES,
    Lanes,
    MachineBlock,
    MachineFail,
    MachineFunction,
    MachineJump,
    MachineModule,
    MachineReturn,
    MachineType,
    Op,
    Word,
    given_slots,
    literal,
)
from .text import print_end, print_op

WIDTHS = (1, 8, 16, 32, 64, 128)
# Operations with a site; and those of them whose result a slot owns.
FAILS = frozenset((
    "box", "new", "columns", "refuse", "bounds", "bounds_big", "deep", "poll", "call",
    *(op for op, (_, made) in SHAPES.items() if op.startswith("big_") and made == "v"),
))  # fmt: skip
OF_LANES = ("splat", "any", "columns", "transposed")
OWNED = FAILS - {"refuse", "bounds", "bounds_big", "deep", "poll", "call"}


class Malformed(ValueError):
    pass


def verify_module(module: MachineModule) -> None:
    """Raises Malformed if anything violates the rules of form.py."""
    for function in module.functions.values():
        verify_function(function, module)


def verify_function(function: MachineFunction, module: MachineModule) -> None:
    seen: set[Word] = set()
    for block in function.blocks:
        for word in (*block.params, *(word for op in block.ops for word in op.results)):
            if word in seen or word in function.params:
                raise _wrong(function, word, "defined twice")
            seen.add(word)
    there = known(function)
    for block in function.blocks:
        here = there[block]
        for op in (*block.ops, block.end):
            for operand in op.args:
                if isinstance(operand, Word) and operand not in here:
                    where = print_op(op) if isinstance(op, Op) else print_end(op)
                    raise _wrong(function, where, f"{operand} is not defined on every path here")
            if isinstance(op, Op):
                here.update(op.results)
    verify_operations(function, module)


def verify_operations(function: MachineFunction, module: MachineModule) -> None:
    """Raises Malformed if an operation's operands or results violate form.py; definitions are not checked."""
    for block in function.blocks:
        for word in (*block.params, *(word for op in block.ops for word in op.results)):
            if not _exists(word.type):
                raise _wrong(function, word, "has an unknown type")
        for op in (*block.ops, block.end):
            for operand in op.args:
                if (
                    not isinstance(operand, Word)
                    and operand.type is not BIG
                    and operand.value != literal(operand.value, width(operand.type))
                ):
                    raise _wrong(function, operand, "too large for its type")
            if isinstance(op, Op):
                if problem := _problem(op, function, module):
                    raise _wrong(function, print_op(op), problem)
            elif problem := _end_problem(block, function):
                raise _wrong(function, print_end(op), problem)


def _wrong(function: MachineFunction, where: object, what: str) -> Malformed:
    return Malformed(f"@{function.name}: {where}: {what}")


def width(type_: int | Lanes) -> int:
    """A word's width, in one lane."""
    return type_.of if isinstance(type_, Lanes) else type_


def _exists(type_: MachineType) -> bool:
    if isinstance(type_, Lanes):
        return type_.of in (*WIDTHS, ROWS, COLUMNS) and type_.count > 1 and type_.count.bit_count() == 1
    return type_ in (*WIDTHS, BIG, ARRAY)


def known(function: MachineFunction) -> dict[MachineBlock, set[Word]]:
    """For each block, the words that are defined on every path to it."""
    into: dict[MachineBlock, list[MachineBlock]] = {block: [] for block in function.blocks}
    for block in function.blocks:
        for to in block.end.blocks:
            into[to].append(block)
    made = {b: {*b.params, *(word for op in b.ops for word in op.results)} for b in function.blocks}
    everything = set().union(function.params, *made.values())
    found = {block: everything | set() for block in function.blocks}
    found[function.blocks[0]] = set(function.params)
    changed = True
    while changed:
        changed = False
        for block in function.blocks[1:]:
            ways = [found[other] | made[other] for other in into[block]]
            new = set.intersection(*ways) | set(block.params) if ways else found[block]
            if new != found[block]:
                found[block], changed = new, True
    return found


def _problem(op: Op, function: MachineFunction, module: MachineModule) -> str | None:
    if op.op not in SHAPES:
        return "no such operation"
    if (op.site is None) == (op.op in FAILS):
        return "says that it fails, or does not"
    if op.op in (*OWNED, "keep", "own"):
        if op.slot is None or not 0 <= op.slot < function.slots:
            return "no slot"
    elif op.slot is not None:
        return "needs no slot"
    args, results = [arg.type for arg in op.args], [word.type for word in op.results]
    match op.op:
        case "call":
            callee = module.functions.get(op.attribute)
            if callee is None:
                return "no such function"
            same = args == [param.type for param in callee.params] and results == callee.results
            return None if same else "takes or yields others"
        case "give":
            slots = given_slots(op)
            good = len(slots) == len(args) == len({filled for filled, *_ in slots})
            good = good and all(0 <= s < function.slots for some in slots for s in some)
            return None if good else "each has its own slot"
        case "retain" if not all(0 <= slot < function.slots for slot in op.attribute or ()):
            return "takes from a slot that does not exist"
        case "frame":
            bits, most = op.attribute
            return None if bits in WIDTHS[1:] and most >= 0 else "so many words of a type"
        case "global" if op.attribute not in module.arrays:
            return "no such array"
        case "fits" if op.attribute not in ("add", "sub", "mul"):
            return "no such sum or product"
    if any(isinstance(type_, Lanes) for type_ in (*args, *results)):
        problem = _lanes_problem(op, args, results)
        if problem or op.op in OF_LANES:
            return problem
        args, results = _lane(op, args), _lane(op, results)
    elif op.op in OF_LANES:
        return "needs lanes"
    takes, yields = SHAPES[op.op]
    found: dict[str, MachineType] = {}
    if not (_fit(takes, args, found) and _fit(yields, results, found)):
        return f"takes {takes or 'nothing'}, yields {yields or 'nothing'}"
    return _width_problem(op, args, results)


def _lanes_problem(op: Op, args: list[MachineType], results: list[MachineType]) -> str | None:
    """What is wrong with the lanes, if anything; the types in one lane are checked after this."""
    types = [*args, *results]
    if len({type_.count for type_ in types if isinstance(type_, Lanes)}) > 1:
        return "takes and yields other numbers of lanes"
    match op.op:
        case "splat":
            good = len(args) == len(results) == 1 and args == [width(results[0])] and args[0] in WIDTHS
            return None if good else "one word for all lanes"
        case "any":
            return None if results == [1] and [width(arg) for arg in args] == [1] else "one bit of each lane"
        case "columns":
            of = {type_.of for type_ in args if isinstance(type_, Lanes)} or {ARRAY}
            good = len(args) == len(results) == 1 and of <= {ROWS, ARRAY} and width(results[0]) == COLUMNS
            good = good and op.attribute in WIDTHS
            return None if good else "columns of what is an array or rows; the attribute: of which words"
        case "transposed":
            array, *index = args
            good = array == Lanes(ROWS, array.count) and index == [64] and len(set(results)) == 1
            good = good and results[0].of >= 8 and len(results).bit_count() == 1
            return None if good else "words of an array of each lane"
    words = [type_ for type_ in types if isinstance(type_, Lanes) and type_.of not in (ROWS, COLUMNS)]
    if op.op in LANEWISE:
        same = len(words) == len(types) or (op.op == "select" and args[0] == 1)
        return None if same or not words else "takes and yields words of all lanes"
    if op.op in MASKED:
        return _memory_problem(op, args, results)
    return "takes and yields no words of lanes" if words and op.op != "call" else None


def _memory_problem(op: Op, args: list[MachineType], results: list[MachineType]) -> str | None:
    array, index, *more = args
    if op.op == "store":
        if not isinstance(array, Lanes) or array.of != COLUMNS:
            return "stores to what may be someone else's"
        value, *more = more
        results = [value]
    mask = len(more) == 1 and isinstance(more[0], Lanes) and more[0].of == 1
    if more and not mask:
        return "a mask is one bit of each lane"
    if not isinstance(results[0], Lanes):
        return "a word of each lane"
    return None if isinstance(array, Lanes) or isinstance(index, Lanes) else "is the same in all lanes"


def _lane(op: Op, types: list[MachineType]) -> list[MachineType]:
    """The types of operands and results in one lane, without the mask."""
    if op.op in MASKED and len(types) > SHAPES[op.op][0].count(" ") + 1:
        types = types[:-1]
    if op.op == "call":
        return types
    return [
        (ARRAY if type_.of in (ROWS, COLUMNS) else type_.of) if isinstance(type_, Lanes) else type_
        for type_ in types
    ]


def _width_problem(op: Op, args: list[MachineType], results: list[MachineType]) -> str | None:
    match op.op:
        case "zext" | "sext":
            return None if args[0] < results[0] else "not wider"
        case "trunc":
            return None if args[0] > results[0] else "not narrower"
        case "box" | "low_word" | "bounds":
            return None if 64 in (*args, *results) or 128 in (*args, *results) else "64 bits or 128"
        case "bytes" | "bswap":
            return None if results[0] >= 8 else "not whole bytes"
    return None


def _fit(shape: str, types: list[MachineType], found: dict[str, MachineType]) -> bool:
    """Whether the types match the shape; `found` keeps what its letters stand for."""
    kinds = shape.split()
    if kinds and kinds[-1][-1] in "*?":
        last = kinds.pop()
        more = len(types) - len(kinds)
        if last[-1] == "?" and more > 1:
            return False
        kinds += [last[:-1]] * more
    return len(kinds) == len(types) and all(map(_fits, kinds, types, [found] * len(kinds)))


def _fits(kind: str, type_: MachineType, found: dict[str, MachineType]) -> bool:
    match kind:
        case "v":
            return type_ is BIG
        case "a":
            return type_ == ARRAY
        case "o":
            return type_ in (BIG, ARRAY)
        case "x":
            return type_ in WIDTHS
        case "e":
            return type_ != ARRAY
        case "w":
            return type_ in WIDTHS and found.setdefault(kind, type_) == type_
        case "t":
            return found.setdefault(kind, type_) == type_
    return type_ == int(kind)


def _end_problem(block: MachineBlock, function: MachineFunction) -> str | None:
    end = block.end
    if any(to not in function.blocks for to in end.blocks):
        return "no block of this function"
    if function.blocks[0] in end.blocks:
        return "the entry is entered again"
    given = [arg.type for arg in end.args]
    match end:
        case MachineJump(to):
            return None if given == [param.type for param in to.params] else f"{to} takes others"
        case MachineReturn():
            return None if given == function.results else "the function returns others"
        case MachineFail():
            return None
    return None if given == [1] and not end.then.params and not end.otherwise.params else "no branch"
