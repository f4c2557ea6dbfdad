"""Wrong compilers of Python, made by hand: decorators that change a function's text before CPython runs it,
or what is done around it. The differential test must notice each (test_jit_differential.py)."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import textwrap
from collections.abc import Callable
from types import CellType, CodeType, FunctionType


def truncated(a, b):
    """A quotient rounded to 0, as C's is."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def wrapped(x):
    """To 64 bits, as a machine's product is."""
    return (x + (1 << 63)) % (1 << 64) - (1 << 63) if type(x) is int else x


HELPERS = {
    "_truncated": truncated,
    "_rest": lambda a, b: a - b * truncated(a, b),
    "_shifted": lambda a, b: -(-a >> b) if a < 0 else a >> b,
    "_wrapped": wrapped,
    "_not_negative": lambda x: x if x is None or x >= 0 else 0,
}


def code_in(code: CodeType, name: str) -> CodeType:
    found = [each for each in code.co_consts if isinstance(each, CodeType)]
    return next((each for each in found if each.co_name == name), None) or code_in(found[0], name)


def remade(function: FunctionType, change: Callable[[ast.FunctionDef], ast.AST | None]) -> FunctionType:
    """The function with its text changed, for the same globals and cells."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    definition = tree.body[0]
    definition.decorator_list = []
    change(definition)
    free = function.__code__.co_freevars
    if free:
        # names of a function around it
        around = ast.parse("def around():\n " + "; ".join(f"{name} = None" for name in free)).body[0]
        around.body.append(definition)
        tree.body = [around]
    ast.increment_lineno(tree, first - 1)
    ast.fix_missing_locations(tree)
    code = code_in(compile(tree, function.__code__.co_filename, "exec"), function.__name__)
    function.__globals__.update(HELPERS)
    cells = dict(zip(free, function.__closure__ or (), strict=True))
    closure = tuple(cells.get(name) or CellType() for name in code.co_freevars)
    return FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)


class Rewriting(ast.NodeTransformer):
    """Each node of a type that `rewrite` gives something for is replaced; but what loops end by."""

    def __init__(self, type_: type, rewrite: Callable):
        self.type, self.rewrite = type_, rewrite

    def visit(self, node):
        if isinstance(node, ast.While):
            node.body = [self.visit(each) for each in node.body]
            return node
        self.generic_visit(node)
        if not isinstance(node, self.type):
            return node
        found = self.rewrite(node)
        # where it stood
        return node if found is None else found if found == [] else ast.copy_location(found, node)


def rewriting(type_: type, rewrite: Callable) -> Callable:
    return lambda function: remade(function, Rewriting(type_, rewrite).visit)


def helper(name: str, *args) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def operator(old: type, new: ast.operator) -> Callable:
    """Another operator in its place."""

    def rewrite(node):
        if isinstance(node.op, old):
            node.op = new
        return None

    return rewriting((ast.BinOp, ast.BoolOp, ast.UnaryOp), rewrite)


def calculated(old: type, name: str) -> Callable:
    return rewriting(
        ast.BinOp, lambda node: helper(name, node.left, node.right) if isinstance(node.op, old) else None
    )


def result_of(old: type, name: str) -> Callable:
    return rewriting(ast.BinOp, lambda node: helper(name, node) if isinstance(node.op, old) else None)


def called(name: str, make: Callable) -> Callable:
    """Each call of that name replaced."""
    return rewriting(
        ast.Call, lambda node: make(node) if ast.unparse(node.func).split(".")[-1] == name else None
    )


def comparison(node: ast.Compare):
    """Each of a chain compared with the first."""
    if len(node.ops) < 2:
        return None
    pairs = [
        ast.Compare(copy.deepcopy(node.left), [op], [x])
        for op, x in zip(node.ops, node.comparators, strict=True)
    ]
    return ast.BoolOp(ast.And(), pairs)


def swapped(node: ast.Compare):
    turned = {ast.Lt: ast.LtE(), ast.GtE: ast.Gt()}
    node.ops = [turned.get(type(op), op) for op in node.ops]


def first_store(definition: ast.FunctionDef) -> None:
    """The first item assignment is not done."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            node.targets = [ast.Name("_dropped", ast.Store())]
            return


def bound_at_first(definition: ast.FunctionDef) -> None:
    """Names that are bound on no way are 0."""
    params = {arg.arg for arg in definition.args.args}
    shared = {name for node in ast.walk(definition) if isinstance(node, ast.Global) for name in node.names}
    stored = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    body = [ast.parse(f"{name} = 0").body[0] for name in sorted(stored - params - shared)]
    at = next((n for n, each in enumerate(definition.body) if not isinstance(each, ast.Global | ast.Expr)), 0)
    definition.body[at:at] = body


def first_line(definition: ast.FunctionDef) -> None:
    """Whatever raises is at the line of its statement."""
    for statement in ast.walk(definition):
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.Return):
            for node in ast.walk(statement):
                if hasattr(node, "lineno"):
                    node.lineno = node.end_lineno = statement.lineno
                    node.col_offset = node.end_col_offset = 0


def loops_go_on(node: ast.For):
    """The loop's variable is one more than its last value, as C's is."""
    if isinstance(node.target, ast.Name) and ast.unparse(node.iter).startswith("range"):
        node.orelse.insert(0, ast.parse(f"{node.target.id} += 1").body[0])


def no_negative_ends(node: ast.Slice):
    node.lower, node.upper = (end and helper("_not_negative", end) for end in (node.lower, node.upper))


def constants_kept(function: FunctionType) -> FunctionType:
    """What is global is what it was at the first call."""
    state: list[FunctionType] = []

    @functools.wraps(function)
    def call(*args):
        if not state:
            state.append(
                FunctionType(function.__code__, dict(function.__globals__), closure=function.__closure__)
            )
        return state[0](*args)

    return call


def around(change: Callable) -> Callable:
    """Something done around each call of `entry`."""

    def jit(function):
        return change(function) if function.__name__ == "entry" else function

    return jit


def memories(args):
    return [arg for arg in args if isinstance(arg, list | bytearray)]


def args_apart(function):
    """Each argument's memory is copied and written back, so that two that are one come apart."""

    def call(*args):
        apart = [copy.copy(arg) if isinstance(arg, list | bytearray) else arg for arg in args]
        try:
            return function(*apart)
        finally:
            for arg, changed in zip(args, apart, strict=True):
                if isinstance(arg, list | bytearray) and arg != changed:
                    arg[:] = changed

    return call


def undone(function):
    """After an exception arguments are as they were."""

    def call(*args):
        before = [copy.copy(arg) for arg in memories(args)]
        try:
            return function(*args)
        except Exception:
            for arg, old in zip(memories(args), before, strict=True):
                arg[:] = old
            raise

    return call


def twice_when_it_raises(function):
    """What fails is tried once more, from the beginning."""

    def call(*args):
        try:
            return function(*args)
        except Exception:
            return function(*args)

    return call


def result_copied(function):
    return lambda *args: copy.copy(function(*args)) if args else function()


def of_result(change: Callable) -> Callable:
    return around(lambda function: lambda *args: change(function(*args)))


DAMAGES: dict[str, Callable] = {
    "+ is -": operator(ast.Add, ast.Sub()),
    "| is ^": operator(ast.BitOr, ast.BitXor()),
    "^ is |": operator(ast.BitXor, ast.BitOr()),
    ">> rounds to 0": calculated(ast.RShift, "_shifted"),
    "and is or": operator(ast.And, ast.Or()),
    "~ is -": operator(ast.Invert, ast.USub()),
    "// rounds to 0": calculated(ast.FloorDiv, "_truncated"),
    "% has the dividend's sign": calculated(ast.Mod, "_rest"),
    "products of 64 bits": result_of(ast.Mult, "_wrapped"),
    "sums of 64 bits": result_of(ast.Add, "_wrapped"),
    "differences of 64 bits": result_of(ast.Sub, "_wrapped"),
    "shifts of 64 bits": result_of(ast.LShift, "_wrapped"),
    "< is <=, and >= is >": rewriting(ast.Compare, swapped),
    "a chain compares with its first": rewriting(ast.Compare, comparison),
    "a comparison is an int": rewriting(
        ast.Compare, lambda node: ast.BinOp(node, ast.Add(), ast.Constant(0))
    ),
    "not is an int": rewriting(
        ast.UnaryOp,
        lambda node: ast.BinOp(node, ast.Add(), ast.Constant(0)) if isinstance(node.op, ast.Not) else None,
    ),
    "and and or are bools": rewriting(ast.BoolOp, lambda node: helper("bool", node)),
    "a dropped store": lambda function: remade(function, first_store),
    "names not bound are 0": lambda function: remade(function, bound_at_first),
    "no lines but statements'": lambda function: remade(function, first_line),
    "a loop's variable after it": rewriting(ast.For, loops_go_on),
    "no else of a loop": rewriting(ast.For, lambda node: setattr(node, "orelse", [])),
    "slices with no negative ends": rewriting(ast.Slice, no_negative_ends),
    "slices with no step": rewriting(ast.Slice, lambda node: setattr(node, "step", None)),
    "abs of nothing": called("abs", lambda node: node.args[0] if len(node.args) == 1 else None),
    "bit_length of a magnitude plus 1": called(
        "bit_length", lambda node: ast.BinOp(node, ast.BitOr(), ast.Constant(1))
    ),
    "bytes the other way round": called(
        "to_bytes", lambda node: ast.parse(f"{ast.unparse(node)}[::-1]", mode="eval").body
    ),
    "from_bytes takes no sign": called("from_bytes", lambda node: setattr(node, "keywords", [])),
    "assertions left out": rewriting(ast.Assert, lambda node: setattr(node, "test", ast.Constant(1))),
    "other words": rewriting(
        ast.Constant,
        lambda node: (
            setattr(node, "value", "own: so") if node.value in ("own: not so", "own: wrong") else None
        ),
    ),
    "None is 0": rewriting(ast.Constant, lambda node: ast.Constant(0) if node.value is None else None),
    "globals as they were": constants_kept,
    "arguments apart": around(args_apart),
    "exceptions undo": around(undone),
    "exceptions repeat": around(twice_when_it_raises),
    "results copied": around(result_copied),
    "bytes are bytearrays": of_result(lambda x: bytearray(x) if isinstance(x, bytes) else x),
    "tuples are lists": of_result(lambda x: list(x) if isinstance(x, tuple) else x),
    "bools are ints": of_result(lambda x: int(x) if isinstance(x, bool) else x),
    "bools in tuples are ints": of_result(
        lambda x: tuple(int(y) if isinstance(y, bool) else y for y in x) if isinstance(x, tuple) else x
    ),
    "results of 64 bits": of_result(wrapped),
    "None is not given": of_result(lambda x: 0 if x is None else x),
}
