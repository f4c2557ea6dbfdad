"""Small random changes of a function, each of which can be taken back."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from carrychain.ring.ir.form import (
    BOOL,
    INT,
    Array,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    Jump,
    Position,
    Return,
    TrapTerminator,
    Value,
    unsigned,
)

FAMILIES = (
    ("eq", "ne", "lt", "le", "gt", "ge"),
    ("add", "sub", "mul"),
    ("and", "ior", "xor", "andc1"),
    ("fdiv", "fmod", "tdiv", "trem"),
    ("low", "field"),
)
RELATED = {op: family for family in FAMILIES for op in family}


def _put(owner: object, name: str, value: object) -> Callable[[], None]:
    was = getattr(owner, name)
    setattr(owner, name, value)
    return lambda: setattr(owner, name, was)


def _instructions(function: Function, *ops: str) -> list[Instruction]:
    return [i for i in function.instructions() if i.op in ops]


def _other(function: Function, value: Value, rng: random.Random) -> Value:
    """One of the same kind."""
    return rng.choice([each for each in function.values() if type(each.type) is type(value.type)])


def operand(function: Function, rng: random.Random):
    i = rng.choice([i for i in function.instructions() if i.args])
    args = list(i.args)
    at = rng.randrange(len(args))
    args[at] = _other(function, args[at], rng)
    return _put(i, "args", args)


def number(function: Function, rng: random.Random):
    numbers = [i for i in _instructions(function, "const", "low", "field") if type(i.attribute) is int]
    i = rng.choice(numbers)
    more = i.attribute + rng.choice((1, -1, 1, -1, 2, 7, -i.attribute))
    return _put(i, "attribute", more if i.op == "const" else max(more, 1))


def operation(function: Function, rng: random.Random):
    i = rng.choice(_instructions(function, *RELATED))
    return _put(i, "op", rng.choice(RELATED[i.op]))


def checked_type(function: Function, rng: random.Random):
    i = rng.choice(_instructions(function, "narrow"))
    ends = {"low": i.attribute.low, "high": i.attribute.high}
    name = rng.choice(list(ends))
    ends[name] = None if ends[name] is None or rng.random() < 0.3 else ends[name] + rng.choice((1, -1))
    return _put(i, "attribute", Int(**ends))


def ways(function: Function, rng: random.Random):
    end = rng.choice([b.terminator for b in function.blocks if isinstance(b.terminator, Branch)])
    end.then, end.otherwise = end.otherwise, end.then

    def back() -> None:
        end.then, end.otherwise = end.otherwise, end.then

    return back


def passed(function: Function, rng: random.Random):
    edge = rng.choice([edge for b in function.blocks for edge in b.terminator.edges if edge.args])
    args = list(edge.args)
    at, other = rng.randrange(len(args)), rng.randrange(len(args))
    if at != other:
        args[at], args[other] = args[other], args[at]
    else:
        args[at] = _other(function, args[at], rng)
    return _put(edge, "args", args)


def target(function: Function, rng: random.Random):
    edges = [edge for b in function.blocks for edge in b.terminator.edges]
    edge = rng.choice(edges)
    alike = [b for b in function.blocks[1:] if len(b.params) == len(edge.args)]
    return _put(edge, "block", rng.choice(alike))


def order(function: Function, rng: random.Random):
    """An instruction is gone, or elsewhere."""
    block = rng.choice([b for b in function.blocks if b.instructions])
    instructions = list(block.instructions)
    i = instructions.pop(rng.randrange(len(instructions)))
    if rng.random() < 0.7:
        instructions.insert(rng.randrange(len(instructions) + 1), i)
    return _put(block, "instructions", instructions)


def _both(*backs: Callable[[], None]) -> Callable[[], None]:
    def back() -> None:
        for each in reversed(backs):
            each()

    return back


def _replace(
    function: Function, rng: random.Random, made: Value, old: Value, share: float = 0.7
) -> Callable[[], None]:
    """In some of its uses the old value is the other."""
    backs: list[Callable[[], None]] = []
    for block in function.blocks:
        ends: list[Instruction | Edge | Return] = [*block.instructions, *block.terminator.edges]
        ends += [block.terminator] if isinstance(block.terminator, Return) else []
        for each in ends:
            if old in each.args and made not in getattr(each, "results", ()) and rng.random() < share:
                backs.append(_put(each, "args", [made if arg is old else arg for arg in each.args]))
    return _both(*backs)


def _inserted(block: Block, i: Instruction, rng: random.Random) -> Callable[[], None]:
    at = rng.randrange(len(block.instructions) + 1)
    return _put(block, "instructions", [*block.instructions[:at], i, *block.instructions[at:]])


def another(function: Function, rng: random.Random):
    """One value for another of its kind, wherever it is used."""
    old = rng.choice(list(function.values()))
    return _replace(function, rng, _other(function, old, rng), old)


def shown(function: Function, rng: random.Random):
    end = rng.choice([b.terminator for b in function.blocks if isinstance(b.terminator, Branch | Return)])
    if isinstance(end, Branch):
        return _put(end, "condition", _other(function, end.condition, rng))
    args = list(end.args)
    at = rng.randrange(len(args))
    args[at] = _other(function, args[at], rng)
    return _put(end, "args", args)


def elsewhere(function: Function, rng: random.Random):
    """An instruction is in another block."""
    home = rng.choice([b for b in function.blocks if b.instructions])
    i = rng.choice(home.instructions)
    out = _put(home, "instructions", [each for each in home.instructions if each is not i])
    return _both(out, _inserted(rng.choice(function.blocks), i, rng))


def twice(function: Function, rng: random.Random):
    """An instruction is done once more; what it yields is used."""
    i = rng.choice(list(function.instructions()))
    results = [Value(f"{r.name}'", r.type) for r in i.results]
    more = Instruction(i.op, list(i.args), results, i.attribute, i.position)
    back = _inserted(rng.choice(function.blocks), more, rng)
    return _both(
        back, *(_replace(function, rng, new, old) for new, old in zip(results, i.results, strict=True))
    )


def computed(function: Function, rng: random.Random):
    """Something new is computed, and used."""
    values = [value for value in function.values() if isinstance(value.type, Int)]
    new = Value("new", INT)
    i = Instruction(rng.choice(("add", "sub", "and", "ior", "gcd")), rng.choices(values, k=2), [new])
    return _both(
        _inserted(rng.choice(function.blocks), i, rng), _replace(function, rng, new, rng.choice(values))
    )


def promise(function: Function, rng: random.Random):
    """Something is promised, and not so."""
    type_ = rng.choice((Int(0, 1), unsigned(8), unsigned(64), Int(1, 5), Int(0, (1 << 56) - 1)))
    if rng.random() < 0.3:
        return _put(rng.choice(_instructions(function, "narrow")), "op", "assume")
    if rng.random() < 0.5 and (promises := _instructions(function, "assume")):
        return _put(rng.choice(promises), "attribute", type_)
    if rng.random() < 0.5:
        i = rng.choice([i for i in function.instructions() if i.op not in ("store", "call", "new")])
        _, value = i.results[0], _other(function, i.results[0], rng)
        if isinstance(value.type, Int):
            return _both(_put(i, "args", [value]), _put(i, "attribute", type_), _put(i, "op", "assume"))
    value = rng.choice([value for value in function.values() if isinstance(value.type, Int)])
    promised = Value("promised", INT)
    i = Instruction("assume", [value], [promised], type_)
    return _both(_inserted(rng.choice(function.blocks), i, rng), _replace(function, rng, promised, value))


def truth(function: Function, rng: random.Random):
    """A number for a truth, or a truth for a number."""
    i = rng.choice([i for i in _instructions(function, "const") if i.attribute in (0, 1)])
    other = int(i.attribute) if isinstance(i.attribute, bool) else bool(i.attribute)
    return _put(i, "attribute", other)


def place(function: Function, rng: random.Random):
    """Another place in the source, or another call of it."""
    where = [i for i in function.instructions() if i.position is not None]
    where += [b.terminator for b in function.blocks if isinstance(b.terminator, TrapTerminator)]
    at = rng.choice(where)
    old = at.position or Position("f", 1, 1)
    if rng.random() < 0.5:
        return _put(at, "position", rng.choice(where).position)
    return _put(at, "position", Position(old.file, old.line, old.column, None, (*old.callers, old)))


def exchanged(function: Function, rng: random.Random):
    """What two instructions yield is exchanged, maybe in the lists that others have, too."""
    i, j = rng.sample([i for i in function.instructions() if len(i.results) == 1], 2)
    if type(i.result.type) is not type(j.result.type):
        raise IndexError
    if rng.random() < 0.5:
        results = i.results
        return _both(_put(i, "results", j.results), _put(j, "results", results))

    def back() -> None:
        i.results[0], j.results[0] = j.results[0], i.results[0]

    back()
    return back


def element(function: Function, rng: random.Random):
    array = rng.choice([value for value in function.values() if isinstance(value.type, Array)])
    return _put(array, "type", Array(rng.choice((unsigned(8), unsigned(32), INT, Int(0, 7)))))


def no_param(function: Function, rng: random.Random):
    """A parameter is gone, and something else is used for it."""
    block = rng.choice([b for b in function.blocks[1:] if b.params])
    at = rng.randrange(len(block.params))
    param = block.params[at]
    edges = [edge for b in function.blocks for edge in b.terminator.edges if edge.block is block]
    passed = [edge.args[at] for edge in edges] if rng.random() < 0.5 else []
    other = rng.choice(passed) if passed else _other(function, param, rng)
    backs = [_put(block, "params", block.params[:at] + block.params[at + 1 :])]
    backs += [_put(edge, "args", edge.args[:at] + edge.args[at + 1 :]) for edge in edges]
    return _both(*backs, _replace(function, rng, other, param, 1))


def more_params(function: Function, rng: random.Random):
    """Another parameter is passed, and used for something."""
    block = rng.choice(function.blocks[1:])
    param = rng.choice((Value("param", INT), Value("param", BOOL), *list(function.values())[:9]))
    old = rng.choice(list(function.values()))
    backs = [_put(block, "params", [*block.params, param])]
    for b in function.blocks:
        for edge in b.terminator.edges:
            if edge.block is block:
                other = rng.choice((param, old, _other(function, old, rng)))
                backs.append(_put(edge, "args", [*edge.args, other]))
    return _both(*backs, _replace(function, rng, param, old))


def ending(function: Function, rng: random.Random):
    """A block ends as another does."""
    block, other = rng.choice(function.blocks), rng.choice(function.blocks)
    match other.terminator:
        case Branch(condition, then, otherwise):
            end = rng.choice((Jump(then), Jump(otherwise), Branch(condition, then, otherwise)))
        case end:
            pass
    return _put(block, "terminator", end)


def merged(function: Function, rng: random.Random):
    """A block goes on as the one that it leads to, which stays for others, or is gone."""
    block = rng.choice([b for b in function.blocks if isinstance(b.terminator, Jump)])
    edge = block.terminator.to
    after = edge.block
    backs = [
        _put(block, "instructions", block.instructions + after.instructions),
        _put(block, "terminator", after.terminator),
    ]
    if rng.random() < 0.7:
        backs.append(_put(function, "blocks", [b for b in function.blocks if b is not after]))
        for param, arg in zip(after.params, edge.args, strict=True):
            backs.append(_replace(function, rng, arg, param, 1))
    return _both(*backs)


def between(function: Function, rng: random.Random):
    """A block that is new leads on to the one that is led to."""
    edge = rng.choice([edge for b in function.blocks for edge in b.terminator.edges])
    params = [Value(f"{arg.name}*", arg.type) for arg in edge.args]
    new = Block("between", params, [], Jump(Edge(edge.block, rng.choice((params, list(edge.args))))))
    return _both(_put(function, "blocks", [*function.blocks, new]), _put(edge, "block", new))


def by_order(function: Function, rng: random.Random):
    """An exit is taken by order."""
    i = rng.choice(_instructions(function, "eq", "ne"))
    args = i.args if rng.random() < 0.5 else i.args[::-1]
    return _both(_put(i, "args", args), _put(i, "op", rng.choice(("lt", "le", "gt", "ge"))))


def decided(function: Function, rng: random.Random):
    """What is compared is said, or what is branched on; or a number is."""
    branches = [b for b in function.blocks if isinstance(b.terminator, Branch)]
    if rng.random() < 0.3:
        block = rng.choice(branches)
        return _put(block, "terminator", Jump(rng.choice(block.terminator.edges)))
    i = rng.choice([i for i in function.instructions() if len(i.results) == 1])
    said = rng.choice((True, False)) if i.result.type == BOOL else rng.choice((0, 1, -1, 7, 8, 255))
    if isinstance(i.result.type, Array):
        raise IndexError
    return _both(_put(i, "args", []), _put(i, "attribute", said), _put(i, "op", "const"))


def ended(function: Function, rng: random.Random):
    """What is added to is checked."""
    blocks = [b for b in function.blocks if any(i.op in ("add", "sub") for i in b.instructions)]
    block = rng.choice(blocks)
    at = rng.choice([at for at, i in enumerate(block.instructions) if i.op in ("add", "sub")])
    i = block.instructions[at]
    side = rng.randrange(2)
    by = rng.choice((3, 8, 16, 32, 63))
    type_ = rng.choice((Int(None, 1 << by), Int(-1 << by), unsigned(by), Int(-1 << by, 1 << by)))
    new = Value("ended", INT)
    args = list(i.args)
    check = Instruction("narrow", [args[side]], [new], type_, i.position)
    args[side] = new
    instructions = [*block.instructions[:at], check, *block.instructions[at:]]
    return _both(_put(block, "instructions", instructions), _put(i, "args", args))


def unchecked(function: Function, rng: random.Random):
    """A check is gone, or a division that nobody uses."""
    i = rng.choice(_instructions(function, "narrow", "fdiv", "fmod", "tdiv", "trem", "assume"))
    block = next(b for b in function.blocks if i in b.instructions)
    gone = _put(block, "instructions", [each for each in block.instructions if each is not i])
    return _both(gone, _replace(function, rng, i.args[0], i.result, 1))


def in_step(function: Function, rng: random.Random):
    """A parameter is computed from another, or is another."""
    block = rng.choice([b for b in function.blocks[1:] if len(b.params) > 1])
    params = [p for p in block.params if isinstance(p.type, Int)]
    y, x = rng.sample(params, 2)
    at = block.params.index(y)
    factor, more = rng.choice((1, 1, -1, 2, 3)), rng.choice((0, 0, 1, -1, 2, 5))
    f, m, c = Value("f", INT), Value("m", INT), Value("c", INT)
    made = [
        Instruction("const", [], [f], factor),
        Instruction("mul", [x, f], [m]),
        Instruction("const", [], [c], more),
        Instruction("add", [m, c], [y]),
    ]
    backs = [_put(block, "params", [p for p in block.params if p is not y])]
    for b in function.blocks:
        for edge in b.terminator.edges:
            if edge.block is block:
                backs.append(_put(edge, "args", edge.args[:at] + edge.args[at + 1 :]))
    if factor == 1 and more == 0:
        return _both(*backs, _replace(function, rng, x, y, 1))
    return _both(*backs, _put(block, "instructions", made + block.instructions))


def idiom(function: Function, rng: random.Random):
    """Something is computed in another way."""
    i = rng.choice(_instructions(function, "low", "field", "and", "ior", "xor", "add", "shift", "fmod"))
    near = [
        *i.args,
        *(arg for each in function.instructions() if set(each.results) & {*i.args} for arg in each.args),
    ]
    op = rng.choice(("low", "field", "rotl", "shift", "and", "ior", "xor", "load_le", "neg"))
    args = [rng.choice([v for v in near if isinstance(v.type, Int)]) for _ in range(2)]
    bits = rng.choice(
        [each.attribute for each in _instructions(function, "low", "field")] + [1, 8, 16, 32, 64]
    )
    if op in ("low", "field", "neg"):
        args = args[:1]
    if op == "load_le":
        args[0] = rng.choice([v for v in function.values() if isinstance(v.type, Array)])
    attribute = bits if op in ("low", "field", "rotl") else 16 if op == "load_le" else None
    return _both(_put(i, "args", args), _put(i, "attribute", attribute), _put(i, "op", op))


def copied(function: Function, rng: random.Random):
    """A block is there twice, and led to from some; what the copy yields may be used."""
    block = rng.choice(function.blocks[1:])
    values = [*block.params, *(r for i in block.instructions for r in i.results)]
    of = {value: Value(f"{value.name}'", value.type) for value in values}
    copy = Block(f"{block.name}'", [of[param] for param in block.params])
    copy.instructions = [
        Instruction(
            i.op, [of.get(arg, arg) for arg in i.args], [of[r] for r in i.results], i.attribute, i.position
        )
        for i in block.instructions
    ]
    edges = [Edge(edge.block, [of.get(arg, arg) for arg in edge.args]) for edge in block.terminator.edges]
    match block.terminator:
        case Branch(condition):
            copy.terminator = Branch(of.get(condition, condition), *edges)
        case Jump():
            copy.terminator = Jump(*edges)
        case Return(args):
            copy.terminator = Return([of.get(arg, arg) for arg in args])
        case end:
            copy.terminator = end
    backs = [_put(function, "blocks", [*function.blocks, copy])]
    for b in function.blocks:
        for edge in b.terminator.edges:
            if edge.block is block and rng.random() < 0.5:
                backs.append(_put(edge, "block", copy))
    if values and rng.random() < 0.5:
        old = rng.choice(values)
        backs.append(_replace(function, rng, of[old], old))
    return _both(*backs)


FORGERIES = (
    *(operand, operand, number, operation, checked_type, ways, passed, passed, target, order, another, shown),
    *(elsewhere, twice, computed, promise, promise, truth, place, exchanged, element, no_param, more_params),
    *(ending, merged, between, by_order, decided, ended, unchecked, in_step, idiom, copied),
)


# by the pass that makes such changes: half of those that are tried there
LIKELY = {
    "simplify": (decided, unchecked, no_param),
    "decide": (decided, unchecked),
    "exits by order": (by_order,),
    "in step": (in_step,),
    "ends": (ended,),
    "idioms": (idiom,),
    "lengths": (no_param, more_params, another),
    "peel": (copied,),
}


@contextmanager
def forged(function: Function, rng: random.Random, name: str) -> Iterator[str]:
    """With one change, if there is something to change that way; its name."""
    forge = rng.choice(LIKELY.get(name, FORGERIES) if rng.random() < 0.5 else FORGERIES)
    try:
        back = forge(function, rng)
    except (IndexError, ValueError):
        # nothing to choose from
        yield "nothing"
        return
    try:
        yield forge.__name__
    finally:
        back()
