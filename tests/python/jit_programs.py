"""Random small Python modules of functions on integers and memory, as text, with calls of them.

A module's text gives each function the decorator `jit`, which whoever runs the text provides, with `array`
(the type), `np`, `math` and `reduce`. It ends in `state`, a function that gives what the functions share
(globals, or the cells of a function around them all), and CALLS: a list of pairs, a statement to execute
before the call, or "", and the arguments of `entry` as expressions, of which one may name those before it
(a0, a1, ...), or call `state`.
"""

from __future__ import annotations

import ast
import random
import re

from jit_annotated import Annotations
from jit_expressions import CODES, DTYPES, HIDEABLE, ROUNDS, boundary, is_writable, item_of, literal
from jit_functions import KEEPER, Function

CALLS = 60  # of a program


# Functions that come to call themselves and end for some numbers only, if for any. None leaves a trace of how
# deep it went, which is not the same in compiled code.
ENDLESS = (
    ("if n == {k}:\n    return p\nreturn e0(n - 1, (p + {k}) & 0xffff)",),
    ("if n == {k}:\n    return p\np ^= {k}\nreturn p + e0(n - 1, p)",),
    ("return p if n == {k} else e0(n - 1, p) ^ {k}",),
    ("if n != {k}:\n    n = e0(n - 1, p)\nreturn n",),
    ("p += 1\nn = e0(n, p)\nreturn p",),
    ("return e0(e0(n - 1, p), n)",),
    ("if n == {k}:\n    return 1\nreturn sum(\n    e0(n - 1, j)\n    for j in range(2))",),
    ("p = (p >> 1) + {k}\nreturn e1(n, p)", "return e0(p, n)"),
    ("if n == {k}:\n    return p\nreturn e1(n - 1, p)", "p = (p & 7) * n\nreturn e0(n, p)"),
)

# Functions that give back what they were given, which is a bool or an int by the path that was taken.
KEEPERS = (
    "return p",
    "return n or p",
    "return (n, p)[n & 1]",
    "return p if n == p else n",
    "if n != p:\n    p = n == {k}\nreturn p",
    "p, n = n, p\nif n == {k}:\n    n = p\nreturn n",
)

# Functions of numbers that outgrow a word on the way around a loop, through a list or through calls, and
# that may become small again.
CROSSERS = (
    "for i in range(n & 63):\n    p = p * 3 - i\nreturn p",
    "for i in range(40):\n    p += p - n\n    if p.bit_length() > {k}:\n        p = p % 9 - i\nreturn p",
    "t = 0\nfor i in range(1, 30):\n    t += p // i - p % {k}\n    p = p * -5 if p < t else n\nreturn t",
    "t = [n, p]\nfor i in range(20):\n    t.append(t[-1] * {k} - t[i])\n    t[i] ^= t[-2]\nreturn sum(t)",
    "return sum([p * i - n for i in range({k}) if (p + i) % 3])",
    "n &= 15\nif n == 0:\n    return p\nreturn c0(n - 1, p * {k} + n) - p",
    "a = b = p\nfor i in range(n & 31):\n    a, b = b * {k} - a, a + i\nreturn (a, b)[n & 1]",
    "if n <= 0:\n    return p\nn, bit = n & 7, p & -p\n"
    "return c0(n - 1, (p | bit) << {k}) + c0(n // 2 - 1, p >> {k}) - bit",
    "n %= 6\nif n < 2:\n    return p + n\nt = p\nfor i in range(n):\n"
    "    t = max(t, c0(n - 2, t * {k} - i)) - c0(n - 2, -t)\nreturn t",
    "t = [p, -p, n, p * {k}]\nfor i in range(24):\n    t[i & 3] = (t[i & 3] >> 1 | i) - t[i + 1 & 3] * {k}\n"
    "    if i % 7 == 5:\n        t[i & 3] %= {k} << 40\nreturn t[0] + t[3] // {k}",
    "n, w = (n & 127) + 8, [i for i in range(p & 31)]\nw.reverse()\nt = [w[0]]\nfor i in range(8):\n"
    "    x, y = w[i + 1], t[i]\n    x = (((x << n - 8 | x >> 8) & (1 << n) - 1) + y) % (1 << n) ^ i\n"
    "    w.append(x)\n    t.append((y << 3 | y >> n - 3) & (1 << n) - 1 ^ x)\nreturn t[-1]",
    "while -{k} << 60 < p < {k} << 60:\n    if p == n:\n        raise ValueError\n    p += p or 5\nreturn p",
)


class _Module:
    def __init__(self, seed: int):
        self.rng = rng = random.Random(seed)
        # streams of their own, which leave programs without what they draw as they are
        self.endless = random.Random(f"endless {seed}")
        self.keeping = random.Random(f"keeping {seed}")
        self.outgrowing = random.Random(f"outgrowing {seed}")
        self.scopes = random.Random(f"scopes {seed}")
        self.tables = random.Random(f"tables {seed}")
        self.functions: dict[str, Function] = {}
        self.closed = rng.random() < 0.15
        self.extras = rng.random() < 0.03
        # what outlives the call is written to, but by what it is passed as
        self.writes = rng.random() < 0.06
        self.shared: dict[str, str] = {}
        for name, type_, share in (
            ("G0", "int", 0.3), ("G1", "int", 0.12), ("G2", "maybe", 0.06), ("T0", "table", 0.15),
            ("T1", "table", 0.05),
            ("B0", "bytes", 0.06), ("L0", "list", 0.12),
        ):  # fmt: skip
            if rng.random() < share:
                self.shared[name] = type_

    def params(self, entry: bool) -> dict:
        rng = self.rng
        found = {}
        memory: list[str] = []
        for name in "pqrs"[: rng.choice((1, 2, 2, 3, 3, 4) if entry else (1, 1, 2, 2, 3))]:
            found[name] = rng.choices(
                ("int", "bool", "maybe", "bytes", "bytearray", "list", "memoryview", "array", "ndarray",
                 ("int", "int")),
                (20, 1, 1.5, 4, 3, 4, 2, 3, 2, 0.6),
            )[0]  # fmt: skip
            if found[name] in ("memoryview", "array", "ndarray"):
                codes = DTYPES if found[name] == "ndarray" else CODES
                code = "B" if found[name] == "memoryview" and rng.random() < 0.6 else rng.choice(tuple(codes))
                found[name] = f"{found[name]}:{code}"
            if self.tables.random() < 0.015:
                found[name] = "table"
            if is_writable(found[name]):
                # alike, so that one may be the other
                found[name] = rng.choice(memory) if memory and rng.random() < 0.6 else found[name]
                memory.append(found[name])
        return found

    def program(self) -> str:
        rng = self.rng
        texts = self.without_end() if self.endless.random() < 0.03 else []
        texts += self.keeper() if self.keeping.random() < 0.06 else []
        texts += self.crosser() if self.outgrowing.random() < 0.1 else []
        count = rng.choice((1, 1, 1, 2, 2, 3))
        for at in range(count):
            entry = at == count - 1
            params, counter = self.params(entry), None
            name = "entry" if entry else f"f{at}"
            if not entry and rng.random() < 0.05:
                name = rng.choice([each for each in HIDEABLE if each not in self.functions])
            if entry:
                result = rng.choices(
                    ("int", "bool", "maybe", "none", "same", "list", "bytes", "bytearray", ("int", "int"),
                     ("int", "list"),
                     ("bool", ("int", "int")), ("bytes", "maybe"), ("int", "none")),
                    (40, 4, 6, 6, 4, 8, 6, 2, 10, 3, 3, 2, 2),
                )[0]  # fmt: skip
            else:
                result = rng.choices(("int", "bool", "maybe", "none", "list", "bytes"), (30, 3, 2, 3, 4, 3))[
                    0
                ]
            if "table" in params.values() and self.tables.random() < 0.5:
                result = "table"
            if rng.random() < 0.1 and result == "int":
                params, counter = {"n": "int", **params}, "n"
            function = Function(self, name, params, result, counter)
            texts.append("@jit\n" + function.text())
            self.functions[name] = function
        names = list(self.shared)
        lines = [f"{name} = {self.shared_value(name)}" for name in names]
        gives = f"def state():\n    return ({''.join(name + ', ' for name in names)})"
        if not self.closed:
            return "\n\n\n".join(["\n".join(lines)] * bool(lines) + [*texts, gives])
        setters = [f"def set_{name}(value):\n    nonlocal {name}\n    {name} = value" for name in names]
        inner = "\n\n".join(["\n".join(lines)] * bool(lines) + [*texts, gives, *setters])
        outer = ", ".join(["entry", "state", *(f"set_{name}" for name in names)])
        return f"def closed():\n{indented(inner)}\n    return {outer}\n\n\n{outer} = closed()"

    def without_end(self) -> list[str]:
        """Functions that recursion may have no end in; the first of them is there to be called."""
        bodies, k = self.endless.choice(ENDLESS), self.endless.choice((-1, 0, 1, 3))
        first = self.functions["e0"] = Function(self, "e0", {"n": "int", "p": "int"}, "int", None)
        first.cost = 64
        most = "if n > 5:\n    n = 5\n"
        texts = [most * (not at) + body.format(k=k) for at, body in enumerate(bodies)]
        return [f"@jit\ndef e{at}(n, p):\n{indented(text)}" for at, text in enumerate(texts)]

    def keeper(self) -> list[str]:
        """One of KEEPERS, to be called."""
        body, k = self.keeping.choice(KEEPERS), self.keeping.choice((0, 1, 2))
        self.functions[KEEPER] = Function(self, KEEPER, {"n": "int", "p": "int"}, "int", None)
        return [f"@jit\ndef {KEEPER}(n, p):\n{indented(body.format(k=k))}"]

    def crosser(self) -> list[str]:
        """One of CROSSERS, to be called."""
        body, k = self.outgrowing.choice(CROSSERS), self.outgrowing.choice((3, 7, 62, 63, 64, 65, 80))
        function = self.functions["c0"] = Function(self, "c0", {"n": "int", "p": "int"}, "int", None)
        function.cost = 64
        return [f"@jit\ndef c0(n, p):\n{indented(body.format(k=k))}"]

    def shared_value(self, name: str) -> str:
        rng = self.rng
        match self.shared[name]:
            case "int":
                return str(literal(rng))
            case "maybe":
                return rng.choice(("None", str(literal(rng))))
            case "bytes":
                return repr(rng.randbytes(rng.choice((0, 3, 8, 16))))
        width = rng.choice((4, 8, 16, 32, 64, 70))
        count = rng.choice((1, 4, 8, 16, 16))
        numbers = [rng.randrange(1 << width) if rng.random() < 0.9 else literal(rng) for _ in range(count)]
        return repr(numbers) if self.shared[name] == "list" else repr(tuple(numbers))

    def change(self) -> str:
        """Something done to what is shared, between two calls."""
        rng = self.rng
        name = rng.choice(list(self.shared))
        if self.shared[name] == "list" and rng.random() < 0.6:
            return f"state()[{list(self.shared).index(name)}][0] = {literal(rng)}"
        value = self.shared_value(name)
        return f"set_{name}({value})" if self.closed else f"{name} = {value}"


def indented(text: str) -> str:
    return "\n".join("    " + line if line else line for line in text.split("\n"))


# --- arguments ------------------------------------------------------------------------------------


def number_for(rng: random.Random) -> int:
    choice = rng.random()
    if choice < 0.01:
        return rng.getrandbits(2000)
    if choice < 0.25:
        return rng.choice((0, 1, -1, 2, 3, 5, 7, -2, 8, 255, 256))
    if choice < 0.65:
        return boundary(rng)
    if choice < 0.85:
        return rng.randrange(-300, 3000)
    return rng.choice((1, -1)) * rng.getrandbits(rng.choice((8, 16, 31, 32, 40, 63, 64, 65, 100, 128, 200)))


def items_for(rng: random.Random, item: tuple[int, int] | None) -> list[int]:
    length = rng.choice((8, 8, 8, 9, 11, 12, 16, 16, ROUNDS, 4, 3, 1, 0)) if rng.random() < 0.6 else 8
    if item is None:
        return [number_for(rng) for _ in range(length)]
    bits, signed = item
    low = -(1 << (bits - 1)) if signed else 0
    numbers = [rng.getrandbits(bits) if rng.random() < 0.5 else boundary(rng) for _ in range(length)]
    return [low + (number - low) % (1 << bits) for number in numbers]


def argument(rng: random.Random, type_, at: int, before: dict[int, str], shared: int | None) -> str:
    """An expression; `before`: the types of the arguments before it, one of which it may be, or a part of;
    `shared`: the place of a list in what `state` gives."""
    if isinstance(type_, tuple):
        return f"({', '.join(argument(rng, each, at, {}, None) for each in type_)})"
    match type_:
        case "int":
            return str(number_for(rng))
        case "bool":
            return rng.choice(("True", "False"))
        case "maybe":
            return "None" if rng.random() < 0.4 else str(number_for(rng))
        case "none":
            return "None"
    if type_ == "table":
        # longer ones are of one kind
        return repr(tuple(number_for(rng) for _ in range(rng.choice((17, 17, 18, 20, ROUNDS)))))
    maker, _, code = type_.partition(":")
    alike = [each for each, other in before.items() if other == type_]
    if type_ == "list" and shared is not None and rng.random() < 0.2:
        return f"state()[{shared}]"
    if alike and maker != "bytes" and rng.random() < 0.35:
        whole = f"a{rng.choice(alike)}"
        low = rng.randrange(5)
        return (
            f"{whole}[{low}:{rng.choice((low + 4, low + 8, -1))}]"
            if ":" in type_ and rng.random() < 0.6
            else whole
        )
    if type_ == "memoryview:B":
        bytes_ = [each for each, other in before.items() if other == "bytearray"]
        if bytes_ and rng.random() < 0.4:
            return f"memoryview(a{rng.choice(bytes_)})[{rng.randrange(4)}:]"
    items = items_for(rng, item_of(type_))
    match maker:
        case "list":
            return repr(items)
        case "bytes":
            return repr(bytes(items))
        case "bytearray":
            return f"bytearray({bytes(items)!r})"
        case "memoryview":
            return (
                f"memoryview(bytearray({bytes(items)!r}))"
                if code == "B"
                else f'memoryview(array("{code}", {items}))'
            )
        case "array":
            return f'array("{code}", {items})'
    return f'np.array({items}, dtype="{code}")'


def other_types(rng: random.Random, params: list) -> list:
    """The parameters' types for calls of another kind: a bool or None for an int, other memory for memory."""
    at = rng.randrange(len(params))
    changed = {
        "int": ("bool", "bool", "none"), "bytes": ("bytearray", "memoryview:B"),
        "bytearray": ("array:B", "memoryview:B"),
        "list": ("array:q", "array:I"), "maybe": ("int",), "bool": ("int",),
    }  # fmt: skip
    return [rng.choice(changed.get(type_, (type_,))) if n == at else type_ for n, type_ in enumerate(params)]


# What may take a builtin's place.
HIDERS = {"abs": "def other(x):\n    return 3 - x", "divmod": "def other(x, y):\n    return y, x"}


def _wrapped(text: str, params: list[str], rng: random.Random) -> str:
    """Now and then with something around `entry` that takes what it takes, by names of its own."""
    if rng.random() > 0.1:
        return text
    given = rng.choice(("*given", ", ".join(reversed(params))))
    around = f"def around(function):\n    @functools.wraps(function)\n    def call({given}):\n"
    around += f"        return function({given})\n\n    return call"
    text = text.replace("@jit\ndef entry(", "@jit\n@around\ndef entry(")
    return f"import functools\n\n\n{around}\n\n\n{text}"


# What `entry` does first with a tuple that has a list, which may be the module's own list L0.
STORES = (
    "w0, w1 = w\nif w0:\n    w0[w1 % len(w0)] = 7\n    w0[-1] = L0[0] ^ w1",
    "w0, w1 = w\nif w0:\n    w0[0] = L0[-1] + 1\n    w0[-1] = L0[0]",
    "(w0, w1), w2 = w\nif w0 and w2 > w1:\n    w0[0] ^= 1\nif w0:\n    w0[-1] = L0[0] + w2",
)


def _paired(text: str, seed: int) -> tuple[str, str]:
    """Now and then with one of STORES, and what the tuple is of: a list for {}, and numbers."""
    rng = random.Random(f"paired {seed}")
    header = re.search(r"(?m)^( *)def entry\((.*?)\)(| -> .*):\n", text)
    if rng.random() < 0.5 or text.count("entry(") > 1 or "def around" in text:
        return text, ""
    indent, params, gives = header.groups()
    stores = rng.choice(STORES)
    spare = "=None" if "=" in params else ""
    lines = "".join(f"{indent}    {line}\n" for line in stores.split("\n"))
    text = text.replace(header[0], f"{indent}def entry({params}, w{spare}){gives}:\n{lines}")
    return text, "({}, {}), {}" if "w2" in stores else "{}, {}"


def _pair(shape: str, rng: random.Random, lists: list[str], declared: list[str], shared: str) -> str:
    """An argument of this shape: its list is the module's, one of these arguments, or another.

    It is none that was passed where a width is declared: a list is not taken as two types.
    """
    choice = rng.random()
    first = repr(items_for(rng, None))
    if shared not in declared:
        first = shared if choice < 0.4 else rng.choice(lists) if lists and choice > 0.85 else first
    return f"({shape.format(first, number_for(rng), number_for(rng))})"


def program(seed: int) -> str:
    """A module's text."""
    module = _Module(seed)
    rng = module.rng
    text = module.program()
    types = list(module.functions["entry"].params.values())
    other = other_types(rng, types) if rng.random() < 0.3 else types
    changes = rng.choice((0, 0, 0, 1, 2, 3)) if module.shared else 0
    changed = {rng.randrange(CALLS) for _ in range(changes)}
    # a builtin that is hidden for a while
    hidden = next((name for name in HIDERS if f"{name}(" in text and f"def {name}(" not in text), None)
    hiding = {CALLS // 2: f"{hidden} = other", CALLS * 3 // 4: f"del {hidden}"}
    if hidden and not module.closed and rng.random() < 0.2:
        text += f"\n\n@jit\n{HIDERS[hidden]}\n"
    else:
        hiding = {}
    if not module.closed:
        text = _wrapped(text, list(module.functions["entry"].params), random.Random(f"wrapped {seed}"))
    params = module.functions["entry"].params
    annotations = Annotations(random.Random(f"annotated {seed}"), params, text)
    text = annotations.annotated(text)
    names = list(module.shared)
    shared = names.index("L0") if "L0" in names else None
    text, shape = _paired(text, seed) if shared is not None else (text, "")
    pairs = random.Random(f"pairs {seed}")
    lines = []
    for call in range(CALLS):
        before: dict[int, str] = {}
        args = []
        for at, type_ in enumerate(other if call % 4 == 3 else types):
            args.append(argument(rng, type_, at, before, shared))
            before[at] = type_
        args = list(map(annotations.argument, params, args))
        if shape:
            lists = {f"a{at}": name for at, name in enumerate(params) if before[at] == "list"}
            declared = {at: args[int(at[1:])] for at, name in lists.items() if name in annotations.widths}
            free = [at for at in lists if at not in declared]
            args.append(_pair(shape, pairs, free, list(declared.values()), f"state()[{shared}]"))
        change = hiding.get(call) or (module.change() if call in changed else "")
        lines.append(f"    ({change!r}, ({', '.join(map(repr, args))},)),")
    return "\n".join([text, "", "CALLS = [", *lines, "]", ""])


# --- what is in one -------------------------------------------------------------------------------

WORDS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.USub: "unary -", ast.UAdd: "unary +", ast.Invert: "~", ast.Not: "not", ast.And: "and", ast.Or: "or",
    ast.Is: "is None", ast.IsNot: "is not None", ast.If: "if", ast.While: "while", ast.For: "for",
    ast.Break: "break",
    ast.Continue: "continue", ast.IfExp: "if else", ast.ListComp: "comprehension",
    ast.AugAssign: "augmented assignment", ast.Slice: "slice", ast.Global: "global", ast.Raise: "raise",
    ast.Assert: "assert",
}  # fmt: skip


def features(text: str) -> set[str]:
    """What of all that matters is in a module."""
    tree = ast.parse(text)
    *body, calls = tree.body
    functions = [
        node
        for each in body
        for node in ast.walk(each)
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    ]
    nodes = [node for function in functions for node in ast.walk(function)]
    found = {WORDS[type(node)] for node in nodes if type(node) in WORDS}
    named = {function.name for function in functions}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name)) if re.fullmatch("h[0-9]+g[0-9]?", name):
                found.add("a call of an inner function")
            case ast.Call(func=ast.Name(id=name), args=args):
                found.add("a call of its own function" if name in named else f"{name}()")
                if name == "pow":
                    found.add(f"pow() of {len(args)}")
            case ast.Call(func=ast.Attribute(attr=name)):
                found.add(f".{name}()")
            case ast.Compare(ops=ops) if len(ops) > 1:
                found.add("chained comparison")
            case ast.Slice(step=ast.expr()):
                found.add("slice with a step")
            case ast.Assign(targets=[ast.Subscript(slice=ast.Slice())]):
                found.add("slice assignment")
            case ast.Assign(targets=[ast.Subscript()]):
                found.add("item assignment")
            case ast.Assign(targets=[ast.Tuple(elts=targets)]):
                found.add(
                    "nested unpacking" if any(isinstance(x, ast.Tuple) for x in targets) else "unpacking"
                )
            case ast.Assign(targets=[_, _]):
                found.add("two targets")
            case ast.AugAssign(target=ast.Subscript()):
                found.add("augmented item assignment")
            case ast.For(orelse=[_, *_]) | ast.While(orelse=[_, *_]):
                found.add("a loop's else")
            case ast.Delete(targets=[ast.Name()]):
                found.add("del of a name")
            case ast.GeneratorExp():
                found.add("a generator")
            case ast.Lambda():
                found.add("lambda")
            case ast.ListComp(generators=[_, _]):
                found.add("nested comprehension")
            case ast.comprehension(ifs=[_]):
                found.add("comprehension with a condition")
            case ast.Constant(value=None):
                found.add("None")
            case ast.arg(annotation=ast.expr() as said) if re.search("[iu][0-9]", ast.unparse(said)):
                found.add("a width")
            case ast.Return(value=ast.Tuple()):
                found.add("a tuple returned")
        if isinstance(node, ast.For | ast.While) and any(
            isinstance(inner, ast.For | ast.While) for line in node.body for inner in ast.walk(line)
        ):
            found.add("nested loops")
    for function in functions:
        inner = list(ast.walk(function))
        if any(isinstance(node, ast.FunctionDef) for node in inner[1:]):
            found.add("an inner function")
        stored = {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        if stored & {*HIDEABLE} or function.name in HIDEABLE:
            found.add("a builtin hidden")
        if any(isinstance(node, ast.Call) and ast.unparse(node.func) == function.name for node in inner):
            found.add("recursion")
        if function.name == "e0":
            found.add("recursion that may have no end")
        if any(isinstance(node, ast.Name) and re.fullmatch("[GTBL][0-9]", node.id) for node in inner):
            found.add("a closure" if "nonlocal" in text or "def closed" in text else "a global")
    shown = ast.unparse(calls)
    for word in ("bytearray(", "memoryview(", "array(", "np.array(", "None", "True", "[]", "b''"):
        if word in shown:
            found.add(f"an argument {word.strip('(')}")
    if "state()[" in shown:
        found.add("an argument that is shared, too")
    if "(state()[" in shown:
        found.add("a list in a tuple that is shared, too")
    if re.search(r"'a[0-9]'", shown):
        found.add("an argument twice")
    if re.search(r"\ba[0-9]\)?\[", shown):
        found.add("an argument that is a part of another")
    if any(before for before, _ in ast.literal_eval(calls.value)):
        found.add("something shared changed between calls")
    return found
