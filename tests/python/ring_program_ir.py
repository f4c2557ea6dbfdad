"""A random program of ring_programs, as IR."""

from carrychain.ring.ir.form import (
    BOOL,
    DIVISION,
    INT,
    Array,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Jump,
    Return,
    Value,
    signed,
    unsigned,
)

ELEMENTS = {
    "bytes": unsigned(8),
    "octets": unsigned(8),
    "words": unsigned(32),
    "longs": signed(64),
    "numbers": INT,
    "others": INT,
}
ARRAY = 8  # elements of each array, of most that are passed
INLINE = "inline"
MOST = 9
# Comparisons of a counter with its end that are true where it is there, and not before.
EXITS = ("eq", "not ne", "order", "not order")


class Lowering:
    def __init__(self, functions: list):
        self.count = 0
        self.functions = {name: (params, results) for name, params, _, results in functions}

    def emit(self, op, args=(), attribute=None, type_=INT) -> Value:
        self.count += 1
        result = Value(f"t{self.count}", type_)
        self.block.instructions.append(Instruction(op, list(args), [result], attribute))
        return result

    def new_block(self, names=()) -> tuple[Block, dict[str, Value]]:
        self.count += 1
        block = Block(f"b{self.count}", [Value(f"{name}.{self.count}", INT) for name in names])
        return block, dict(zip(names, block.params, strict=True))

    def start(self, block: Block) -> None:
        self.function.blocks.append(block)
        self.block = block

    def function_(self, name, params, body, results) -> Function:
        self.function = Function(name, [INT] * len(results), inline=INLINE in name)
        entry = Block("entry", [Value(param, type_) for param, type_ in params])
        self.start(entry)
        self.variables = dict(zip((param for param, _ in params), entry.params, strict=True))
        self.arrays = {array: self.variables.pop(array) for array in ELEMENTS if array in self.variables}
        for array in own_arrays(params, body, results):
            type_ = Array(ELEMENTS[array])
            args = [self.emit("const", attribute=k) for k in (ARRAY, 7)]
            self.arrays[array] = self.emit("new", args, type_, type_)
        self.statements(body)
        self.block.terminator = Return([self.expression(x) for x in results])
        return self.function

    def statements(self, body) -> None:
        for statement in body:
            match statement:
                case ("assign", name, x):
                    self.variables[name] = self.expression(x)
                case ("store", array, index, x):
                    args = [self.arrays[array], self.expression(index), self.expression(x)]
                    self.block.instructions.append(Instruction("store", args, []))
                case ("when", condition, then, otherwise):
                    self.when(condition, then, otherwise)
                case ("loop", counter, times, inner):
                    self.loop(counter, times, inner)
                case ("count", *_):
                    self.count_loop(*statement[1:])

    def when(self, condition, then, otherwise) -> None:
        decided = self.condition(condition)
        names = list(self.variables)
        before = dict(self.variables)
        start, after = self.block, self.new_block(names)
        branches = []
        for body in (then, otherwise):
            block, _ = self.new_block()
            branches.append(block)
            self.start(block)
            self.variables = dict(before)
            self.statements(body)
            self.block.terminator = Jump(Edge(after[0], [self.variables[name] for name in names]))
        start.terminator = Branch(decided, *map(Edge, branches))
        self.start(after[0])
        self.variables = after[1]

    def loop(self, counter, times, inner) -> None:
        count = self.expression(times)
        names = list(self.variables)
        zero = self.emit("const", attribute=0)
        head, known = self.new_block([*names, counter])
        self.block.terminator = Jump(Edge(head, [*self.variables.values(), zero]))
        self.start(head)
        self.variables = known
        more = self.emit("lt", [known[counter], count], type_=BOOL)
        (body, _), (after, _) = self.new_block(), self.new_block()
        head.terminator = Branch(more, Edge(body), Edge(after))
        self.start(body)
        self.variables = dict(known)
        self.statements(inner)
        step = self.emit("add", [known[counter], self.emit("const", attribute=1)])
        self.block.terminator = Jump(Edge(head, [*(self.variables[name] for name in names), step]))
        self.start(after)
        self.variables = {name: known[name] for name in names}

    def count_loop(self, counter, start, step, rounds, exit_, last, missed, others, inner) -> None:
        begin = self.expression(start)
        far = self.emit("mul", [self.expression(rounds_of(rounds, last)), self.emit("const", attribute=step)])
        end = self.emit("add", [begin, far])
        if missed is not None:
            end = self.emit("add", [end, self.emit("const", attribute=missed)])
        outer = list(self.variables)
        begins = [begin, *(self.emit("const", attribute=first) for _, _, first, _ in others)]
        steps = {counter: step, **{name: by for _, name, _, by in others}}
        names = [*outer, *steps]
        head, known = self.new_block(names)
        (after, left), (body, _) = self.new_block(outer), self.new_block()
        self.block.terminator = Jump(Edge(head, [*self.variables.values(), *begins]))
        self.start(head)
        self.variables = known
        out = lambda: Edge(after, [self.variables[name] for name in outer])  # noqa: E731
        if not last:
            self.branch(self.ended(exit_, step, known[counter], end), out(), Edge(body))
            self.start(body)
            if missed is not None:
                self.soon(known[others[0][1]], out())
            self.variables = dict(known)
        self.statements(inner)
        for name, by in steps.items():
            # a counter may be set by no one else
            self.variables[name] = self.emit("add", [known[name], self.emit("const", attribute=by)])
        again = Edge(head, [self.variables[name] for name in names])
        if last and missed is not None:
            self.soon(self.variables[others[0][1]], out())
        if last:
            self.branch(self.ended(exit_, step, self.variables[counter], end), out(), again)
        else:
            self.block.terminator = Jump(again)
        self.start(after)
        self.variables = left

    def soon(self, counted: Value, out: Edge) -> None:
        """Out, if so many rounds have been made."""
        enough = self.emit("ge", [counted, self.emit("const", attribute=MOST)], type_=BOOL)
        on, _ = self.new_block()
        self.block.terminator = Branch(enough, out, Edge(on))
        self.start(on)

    def branch(self, condition: tuple[Value, bool], there: Edge, elsewhere: Edge) -> None:
        value, turned = condition
        self.block.terminator = Branch(value, *((elsewhere, there) if turned else (there, elsewhere)))

    def ended(self, exit_: str, step: int, counter: Value, end: Value) -> tuple[Value, bool]:
        """A comparison, and whether it is the other way round that says that the end is there."""
        op, turned = exit_of(exit_, step)
        return self.emit(op, [counter, end], type_=BOOL), turned

    def expression(self, x) -> Value:
        match x:
            case ("var", name):
                return self.variables[name]
            case ("const", k):
                return self.emit("const", attribute=k)
            case ("low" | "field" as op, k, a):
                return self.emit(op, [self.expression(a)], k)
            case ("rotl", k, a, n):
                return self.emit("rotl", [self.expression(a), self.expression(n)], k)
            case ("the", type_, a):
                return self.emit("narrow", [self.expression(a)], type_)
            case ("if", condition, a, b):
                if not (_total(a) and _total(b)):
                    return self.branching(x)
                return self.emit(
                    "select", [self.condition(condition), self.expression(a), self.expression(b)]
                )
            case ("call", name, *args):
                passed = []
                for a, (_, type_) in zip(args, self.functions[name][0], strict=True):
                    x = self.expression(a)
                    passed.append(x if a[0] == "array" else self.emit("narrow", [x], type_))
                return self.emit("call", passed, name)
            case ("array", array):
                return self.arrays[array]
            case ("load", array, index):
                return self.emit("load", [self.arrays[array], self.expression(index)])
            case (op, *args):
                return self.emit(op, [self.expression(a) for a in args])

    def branching(self, x) -> Value:
        _, condition, a, b = x
        decided, start = self.condition(condition), self.block
        after, known = self.new_block(["if"])
        branches = []
        for value in (a, b):
            block, _ = self.new_block()
            branches.append(block)
            self.start(block)
            passed = self.expression(value)
            self.block.terminator = Jump(Edge(after, [passed]))
        start.terminator = Branch(decided, *map(Edge, branches))
        self.start(after)
        return known["if"]

    def condition(self, c) -> Value:
        if c[0] == "not":
            return self.emit("not", [self.condition(c[1])], type_=BOOL)
        return self.emit(c[0], [self.expression(c[1]), self.expression(c[2])], type_=BOOL)


def rounds_of(rounds, last: bool):
    return ("add", ("low", 3, rounds), ("const", 1)) if last else ("low", 3, rounds)


def exit_of(exit_: str, step: int) -> tuple[str, bool]:
    """The comparison with the end, and whether it is false there."""
    match exit_:
        case "eq":
            return "eq", False
        case "not ne":
            return "ne", True
        case "order":
            return "ge" if step > 0 else "le", False
    return "lt" if step > 0 else "gt", True


def own_arrays(params, body, results) -> list[str]:
    """The arrays that a function names and is not passed."""
    passed = [param for param, _ in params]
    named = {part[1] for part in parts([body, results]) if part[0] in ("load", "store", "array")}
    return [array for array in ELEMENTS if array in named and array not in passed]


def parts(x):
    """Every tuple in a part of a program, from the outside in."""
    if isinstance(x, tuple):
        yield x
    if isinstance(x, tuple | list):
        for part in x:
            yield from parts(part)


PARTIAL = {*DIVISION, "isqrt", "expt", "the", "load", "call"}


def _total(x) -> bool:
    """Whether it never traps: then it may be reckoned whether it is wanted or not."""
    return not isinstance(x, tuple) or (x[0] not in PARTIAL and all(map(_total, x[1:])))
