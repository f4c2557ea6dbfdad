"""Random Lisp programs about values: nil or an integer, none or several, arguments left out, structures.

A program is a list of functions, each (name, params, body); the last is the one to call, and calls those
before it. Params are (name, type, default): a type of None is what is not declared, a default of None is
no default. Forms are words, integers and tuples. Here the front end says what a program means, in the
IR's interpreter; SBCL judges it.
"""

import re
from functools import lru_cache

from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.form import Int
from carrychain.ring.ir.interface import Union, interface_of
from ring_programs import HUGE, WIDTHS, a_type, boundary, lisp_type

# A structure of each function's own: its slots hold an integer, anything, and a word.
STRUCTURE = "(defstruct {0} (a 7 :type integer) (b nil) (c 3 :type (unsigned-byte 32)))\n"


class _Maker:
    def __init__(self, rng, functions, structure="s"):
        self.rng = rng
        self.structure = structure
        self.structures: list[str] = []  # variables that hold one
        self.functions = functions
        self.integers: list[str] = []
        self.others: list[str] = []  # variables that may be nil or t, too
        self.settable: set[str] = set()
        self.blocks: list[str] = []
        self.count = 0

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    def pick(self, *ways):
        return self.rng.choice(ways)()

    def scoped(self, make, integers=(), others=(), settable=True, blocks=(), structures=()):
        """What `make` makes where these variables are known, too."""
        before = self.integers, self.others, self.settable, self.blocks, self.structures
        self.structures = [*self.structures, *structures]
        self.integers = [*self.integers, *integers]
        self.others = [*self.others, *others]
        self.settable = {*self.settable, *integers, *others, *structures} if settable else set()
        self.blocks = [*self.blocks, *blocks] if settable else [*blocks]
        made = make()
        self.integers, self.others, self.settable, self.blocks, self.structures = before
        return made

    # One integer

    def integer(self, depth: int):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            if self.structures and rng.random() < 0.3:
                return self.slot(rng.choice("ac"))
            if self.integers and rng.random() < 0.7:
                return rng.choice(self.integers)
            return rng.choice((boundary(rng), rng.randrange(-4, 40)))
        sub = lambda: self.integer(depth - 1)  # noqa: E731
        if rng.random() < 0.02:
            # traps where it is none
            return ("+", self.any(depth - 1), 1)
        return self.pick(
            lambda: (rng.choice(("+", "-", "min", "max", "logand", "logior", "logxor")), sub(), sub()),
            lambda: (rng.choice(("logandc1", "logorc2", "logeqv", "lognand")), sub(), sub()),
            lambda: ("lognot", sub()),
            lambda: ("mask-field", ("byte", rng.choice(WIDTHS), rng.choice((0, 4, 31))), sub()),
            lambda: self.counted(depth),
            lambda: ("*", ("ldb", ("byte", 64, 0), sub()), sub()),
            lambda: ("ldb", ("byte", rng.choice(WIDTHS), 0), sub()),
            lambda: self.shifted(depth),
            lambda: ("if", self.test(depth - 1), sub(), sub()),
            lambda: ("case", sub(), (rng.randrange(-2, 5), sub()), ("otherwise", sub())),
            lambda: self.if_integer(depth),
            lambda: self.if_integer(depth),
            lambda: ("prog1", sub(), self.statement(depth - 1)),
            lambda: ("mod", sub(), self.divisor(depth)),
        )

    def if_integer(self, depth: int):
        name = self.fresh("v")
        other = self.integer(depth - 1)
        if self.rng.random() < 0.5:
            other = self.scoped(lambda: self.integer(depth - 1), others=[name])
        return ("let", ((name, self.any(depth - 1)),), ("if", ("integerp", name), name, other))

    def counted(self, depth: int):
        """What is added up in a loop that counts by any step, and ends where it must."""
        rng = self.rng
        i, n = self.fresh("i"), self.fresh("n")
        start = rng.choice((0, 1, boundary(rng)))
        step = rng.choice((1, -1)) * rng.choice((1, 1, 2, 3, 8, 1 << 32))
        end = start + step * rng.randrange(5)
        over = self.pick(
            lambda: ("=", i, end),
            lambda: ("not", ("/=", end, i)),
            lambda: (">=" if step > 0 else "<=", i, end),
        )
        inside = self.scoped(lambda: self.statement(depth - 1), integers=[i, n], blocks=["nil"])
        more = ("incf", n, self.pick(lambda: rng.randrange(-3, 9), lambda: ("ldb", ("byte", 8, 0), i)))
        return (
            "let",
            ((n, self.integer(depth - 1)),),
            ("do", ((i, start, ("+", i, step)),), (over,), inside, more),
            n,
        )

    def shifted(self, depth: int):
        rng = self.rng
        x = self.integer(depth - 1)
        if rng.random() < 0.4:
            return ("ash", x, ("ldb", ("byte", rng.choice((3, 6)), 0), self.integer(1)))
        count = rng.choice((1, -1)) * (rng.choice(HUGE) + rng.choice((-1, 0, 1)))
        if rng.random() < 0.5:
            # one that is not known before the program runs
            count = ("*", count, ("-", ("ldb", ("byte", 2, 0), self.integer(1)), rng.choice((0, 1, 2))))
        moved = ("ash", x, count)
        return self.pick(
            lambda: ("ldb", ("byte", rng.choice((*WIDTHS, 1000)), rng.choice((0, 0, 0, 8))), moved),
            lambda: ("logand", moved, rng.choice(((1 << rng.choice(WIDTHS)) - 1, 0xFF00FF))),
        )

    def divisor(self, depth: int):
        return ("logior", 1, ("ldb", ("byte", self.rng.choice((3, 8, 33)), 0), self.integer(depth - 2)))

    # A truth value

    def test(self, depth: int):
        rng = self.rng
        one = lambda: self.integer(depth - 1)  # noqa: E731
        return self.pick(
            lambda: (rng.choice(("=", "/=", "<", ">", "<=", ">=")), one(), one()),
            lambda: (rng.choice(("=", "<", ">")), one(), rng.randrange(-4, 40)),
            lambda: (rng.choice(("evenp", "oddp", "zerop", "plusp", "minusp")), one()),
            lambda: (rng.choice(("integerp", "null", "not")), self.any(depth - 1)),
            lambda: ("eql", self.any(depth - 1), self.any(depth - 2)),
            lambda: (rng.choice(("and", "or")), self.any(depth - 1), self.any(depth - 2)),
            lambda: ("logbitp", rng.randrange(70), one()),
            lambda: self.any(depth - 1),
        )

    # One value of any kind

    def any(self, depth: int):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.1:
            if self.structures and rng.random() < 0.3:
                return self.slot("b")
            if self.others and rng.random() < 0.6:
                return rng.choice(self.others)
            return self.pick(lambda: "nil", lambda: "t", lambda: self.integer(0), lambda: self.integer(0))
        sub = lambda: self.any(depth - 1)  # noqa: E731
        one = lambda: self.integer(depth - 1)  # noqa: E731
        test = lambda: self.test(depth - 1)  # noqa: E731
        name, other, i = self.fresh("m"), self.fresh("m"), self.fresh("i")
        inside = lambda make, *names: self.scoped(make, others=names)  # noqa: E731
        turn = lambda make: self.scoped(make, integers=[i], blocks=["nil"])  # noqa: E731
        return self.pick(
            one, test,
            lambda: ("if", test(), one()),
            lambda: ("if", test(), "nil", sub()),
            lambda: ("when", test(), sub()),
            lambda: ("unless", test(), one()),
            lambda: ("cond", (test(), one())),
            lambda: ("cond", (test(), sub()), (sub(),), (test(), one())),
            lambda: ("case", one(), (rng.randrange(-2, 5), one()), ((5, 6, 7), sub())),
            lambda: (rng.choice(("and", "or")), sub(), sub(), one()),
            lambda: ("let", ((name, sub()),), inside(sub, name)),
            lambda: ("let", (name,), inside(lambda: self.statement(depth - 1), name), name),
            lambda: ("let*", (name, (other, inside(sub, name))), ("when", test(), ("setq", name, one())),
                     inside(sub, name, other)),
            lambda: ("nth-value", rng.randrange(3), self.values(depth - 1)),
            lambda: self.values(depth - 1),
            lambda: ("prog1", self.values(depth - 1), self.statement(depth - 1)),
            lambda: ("loop", "for", i, "below", rng.randrange(5), "thereis", turn(sub)),
            lambda: ("loop", "for", i, "below", 3, rng.choice(("always", "never")), turn(test)),
            lambda: ("loop", "for", i, "below", rng.randrange(5), "when", turn(test), "return", turn(one)),
            lambda: ("dotimes", (i, rng.randrange(5)), ("when", turn(test), ("return", turn(sub)))),
            lambda: ("dotimes", (i, rng.randrange(5), sub()), turn(lambda: self.statement(depth - 1))),
            lambda: ("do", ((i, 0, ("+", i, 1)), (name, sub(), self.scoped(sub, [i], [name]))),
                     (("=", i, rng.randrange(4)), inside(sub, name)),
                     turn(lambda: self.statement(depth - 1))),
        )  # fmt: skip

    # None, one or several

    def values(self, depth: int):
        rng = self.rng
        if depth <= 0:
            return ("values", *(self.any(0) for _ in range(rng.randrange(4))))
        sub = lambda: self.values(depth - 1)  # noqa: E731
        one = lambda: self.integer(depth - 1)  # noqa: E731
        test = lambda: self.test(depth - 1)  # noqa: E731
        k, a, b, c = (self.fresh(name) for name in "kabc")
        block = self.fresh("block")
        g = self.fresh("g")
        return self.pick(
            lambda: ("values", *(self.any(depth - 1) for _ in range(rng.randrange(4)))),
            lambda: ("values", *(self.any(depth - 1) for _ in range(rng.randrange(4)))),
            lambda: (rng.choice(("floor", "truncate", "ceiling", "round")), one(), self.divisor(depth)),
            lambda: ("the", "integer", (rng.choice(("floor", "truncate")), one(), self.divisor(depth))),
            lambda: ("if", test(), sub(), sub()),
            lambda: ("if", test(), sub()),
            lambda: (rng.choice(("when", "unless")), test(), self.statement(depth - 1), sub()),
            lambda: ("cond", (test(), sub()), (test(),), (test(), sub())),
            lambda: ("cond", (test(), sub()), ("t", sub())),
            lambda: ("case", one(), (rng.randrange(-2, 5), sub()), ((5, 6), sub())),
            lambda: (rng.choice(("progn", "locally")), self.statement(depth - 1), sub()),
            lambda: (rng.choice(("let", "let*")), ((k, one()),), self.scoped(sub, [k])),
            lambda: ("block", block, self.scoped(lambda: self.statement(depth - 1), blocks=[block]),
                     ("when", test(), ("return-from", block, self.scoped(sub, blocks=[block]))), sub()),
            lambda: ("multiple-value-prog1", sub(), self.statement(depth - 1)),
            lambda: ("multiple-value-bind", (a, b, c)[: rng.randrange(1, 4)], sub(),
                     *((self.statement(depth - 1),) if rng.random() < 0.3 else ()),
                     self.bound(sub, (a, b, c))),
            lambda: (rng.choice(("and", "or")), self.any(depth - 1), sub()),
            lambda: ("macrolet", (("pass", ("e",), ("list", "'progn", "e")),), ("pass", sub())),
            lambda: ("symbol-macrolet", ((k, sub()),), k),
            lambda: ("flet", ((g, (k, *self.optional(a, b, depth)),
                               self.scoped(sub, [k], [a, b], settable=False)),),
                     (g, one(), *((self.integer(1),) if rng.random() < 0.5 else ()))),
            lambda: ("labels", ((g, (k,), ("if", ("<", k, 1), self.scoped(sub, [k], settable=False),
                                           (g, ("-", k, 1)))),), (g, rng.randrange(4))),
            lambda: ("loop", "repeat", 3, "do", ("when", test(), ("return", sub()))),
            lambda: ("prog", (a,), self.scoped(lambda: self.statement(depth - 1), others=[a], blocks=["nil"]),
                     ("when", test(), ("return", self.scoped(sub, others=[a])))),
            lambda: self.call(depth),
            lambda: self.call(depth),
            lambda: self.with_structure(sub, depth),
            lambda: self.by_function(sub, depth),
            lambda: self.any(depth - 1),
        )  # fmt: skip

    # Structures

    def slot(self, name: str):
        return (f"{self.structure}-{name}", self.rng.choice(self.structures))

    def made(self, depth: int):
        """A new one, or one that there is, copied, or under another name by which it may be set."""
        if self.structures and self.rng.random() < 0.4:
            known = self.rng.choice(self.structures)
            copied = (f"copy-{self.structure}", known)
            return self.pick(lambda: known, lambda: copied) if known in self.settable else copied
        given = [(":a", self.integer(depth - 1)), (":b", self.any(depth - 1)), (":c", self.word(depth - 1))]
        chosen = [part for pair in given if self.rng.random() < 0.6 for part in pair]
        return (f"make-{self.structure}", *chosen)

    def word(self, depth: int):
        return ("ldb", ("byte", 32, 0), self.integer(depth))

    def with_structure(self, make, depth: int):
        s = self.fresh("s")
        return ("let", ((s, self.made(depth)),), self.scoped(make, structures=[s]))

    def by_function(self, make, depth: int):
        """A function of a structure, in which it may be changed."""
        g, s = self.fresh("g"), self.fresh("s")
        body = self.scoped(lambda: (self.store(depth, s), make()), structures=[s], blocks=[])
        return ("flet", ((g, (s,), *body),), (g, self.made(depth)))

    def store(self, depth: int, name: str):
        slot, value = self.pick(
            lambda: ("a", self.integer(depth - 1)),
            lambda: ("b", self.any(depth - 1)),
            lambda: ("c", self.word(depth - 1)),
        )
        return ("setf", (f"{self.structure}-{slot}", name), value)

    def bound(self, make, names):
        return ("let", tuple((name, "nil") for name in names[1:] if self.rng.random() < 0.2),
                self.scoped(make, others=names[:1]))  # fmt: skip

    def optional(self, a: str, b: str, depth: int) -> tuple:
        default = self.pick(lambda: "nil", lambda: "t", lambda: self.integer(depth - 2))
        return ("&optional", (a, default, b))

    def call(self, depth: int):
        if not self.functions:
            return self.values(depth - 1)
        name, params, _ = self.rng.choice(self.functions)
        least = sum(default is None for _, _, default in params)
        count = self.rng.randrange(least, len(params) + 1)
        args = []
        for _, type_, default in params[:count]:
            if default in ("nil", "t"):
                args.append(self.any(depth - 2))
            elif type_ is None:
                args.append(self.integer(depth - 2))
            else:
                args.append(self.of_type(type_, depth))
        return (name, *args)

    def of_type(self, type_: Int, depth: int):
        x = self.integer(depth - 2)
        if type_.low is None:
            return x
        if type_.high is None:
            return ("max", x, type_.low)
        return ("+", ("mod", x, type_.high - type_.low + 1), type_.low)

    # What is done for its effect

    def statement(self, depth: int):
        rng = self.rng
        integers = [name for name in self.integers if name in self.settable and name[0] != "i"]
        others = [name for name in self.others if name in self.settable]
        ways = [lambda: self.any(0)]
        structures = [name for name in self.structures if name in self.settable]
        if structures:
            ways += 2 * [lambda: self.store(depth, rng.choice(structures))]
        if integers:
            name = rng.choice(integers)
            ways += [
                lambda: ("setq", name, ("ldb", ("byte", rng.choice(WIDTHS), 0), self.integer(depth - 1))),
                lambda: ("incf", name, rng.randrange(-3, 9)),
            ]
        if others:
            one, two = rng.choice(others), rng.choice(others)
            ways += 2 * [
                lambda: ("setq", one, self.any(depth - 1)),
                lambda: ("setf", one, self.any(depth - 1)),
                lambda: ("when", self.test(depth - 1), ("setq", one, self.any(depth - 2))),
                lambda: ("multiple-value-setq", (one, two), self.values(depth - 1)),
                lambda: ("setf", ("values", one, two), self.values(depth - 1)),
                lambda: (
                    ("psetq", one, self.any(depth - 1), two, self.any(depth - 1))
                    if one != two
                    else ("setq", one, "nil")
                ),
            ]
        if self.blocks and rng.random() < 0.3:
            block = rng.choice(self.blocks)
            ways.append(
                lambda: ("when", self.test(depth - 1), ("return-from", block, self.values(depth - 1)))
            )
        return rng.choice(ways)()


def program(rng, prefix: str = "") -> list:
    while True:
        functions = _functions(rng, prefix)
        try:
            to_ir(functions)
        except SourceError as error:
            # what is known to be none when it is compiled is rightly refused
            if "but an integer is needed" in error.message:
                continue
        return functions


def _functions(rng, prefix: str) -> list:
    functions: list = []
    for at in range(rng.choice((1, 1, 2, 2, 3))):
        functions.append(_function(rng, f"{prefix}v{at}", list(functions)))
    return functions


def _function(rng, name: str, before: list):
    maker = _Maker(rng, before, f"{name}-s")
    params: list = []
    for at in range(rng.randrange(1, 3)):
        params.append((f"x{at}", a_type(rng) if rng.random() < 0.6 else None, None))
    maker.integers = [param for param, _, _ in params]
    for at in range(rng.choice((0, 0, 1, 2))):
        default = maker.pick(lambda: "nil", lambda: "t", lambda: maker.integer(2), lambda: 7)
        params.append((f"y{at}", None, default))
        (maker.others if default in ("nil", "t") else maker.integers).append(f"y{at}")
    # a parameter that is declared is set to nothing else
    maker.settable = {param for param, type_, _ in params if type_ is None}
    maker.blocks = [name]
    local = [maker.fresh("m") for _ in range(rng.randrange(3))]
    first = [maker.statement(2) for _ in range(rng.randrange(2))]
    body = maker.scoped(lambda: [maker.statement(3), maker.values(rng.randrange(2, 5))], others=local)
    return name, params, (*first, ("let", tuple(local), *body))


def inputs(rng, functions: list) -> list:
    """Arguments for the last function; some of those that may be left out are."""
    _, params, _ = functions[-1]
    least = sum(default is None for _, _, default in params)
    found: list = []
    for _, type_, default in params[: rng.randrange(least, len(params) + 1)]:
        if default in ("nil", "t") and rng.random() < 0.5:
            found.append(rng.choice((None, True)))
            continue
        x = boundary(rng) if rng.random() < 0.6 else rng.randrange(-30, 30)
        if type_ is not None and x not in type_:
            low = -(1 << 130) if type_.low is None else type_.low
            high = 1 << 130 if type_.high is None else type_.high
            x = low + (x - low) % (high - low + 1)
        found.append(x)
    return found


# --- as text, as IR ---------------------------------------------------------------------------


def written(form) -> str:
    return f"({' '.join(map(written, form))})" if isinstance(form, tuple) else str(form)


def to_lisp(functions: list) -> str:
    lines = []
    for name, params, body in functions:
        required = [param for param, _, default in params if default is None]
        optional = [f"({param} {written(default)})" for param, _, default in params if default is not None]
        types = "".join(f"(type {lisp_type(t)} {p})" for p, t, _ in params if t is not None)
        names = " ".join([*required, *(["&optional"] if optional else []), *optional])
        ignorable = " ".join(param for param, _, _ in params)
        forms = "\n ".join(map(written, body))
        if f"{name}-s" in forms:
            lines.append(STRUCTURE.format(f"{name}-s"))
        lines.append(f"(defun {name} ({names}) (declare {types} (ignorable {ignorable}))\n {forms})\n")
    return "".join(lines)


def to_ir(functions: list):
    return _module_of(to_lisp(functions))


# Each way asks for it; none changes it.
_module_of = lru_cache(maxsize=256)(lisp.module_of)


def features(functions: list, inputs: list) -> dict[str, object]:
    """What of all that matters is in this program."""
    text = to_lisp(functions)
    interface = interface_of(to_ir(functions).functions[functions[-1][0]])
    return {
        "nil or an integer": any(isinstance(kind, Union) for kind in interface.gives),
        "a number of values that is not known": interface.counted,
        "no values": "(values)" in text,
        "branches without an else": re.search(r"\((when|unless|cond|case) ", text),
        "arguments left out": any(len(args) < len(functions[-1][1]) for args in inputs),
        "loops that end by = or /=": re.search(r"\(do \(\(i\d+ -?\d+ \(\+[^)]*\)\)\) \(\((=|not)", text),
        "operators on signed integers": "lognot" in text or "mask-field" in text,
        "structures": "(defstruct" in text,
        "huge shifts": re.search(r"\d{10}", text) and "(ash" in text,
    }


# --- shrinking --------------------------------------------------------------------------------


def smaller(form):
    """Forms a step smaller."""
    if not isinstance(form, tuple):
        return
    yield from (part for part in form[1:] if isinstance(part, tuple))
    yield from (0, "nil")
    for at, part in enumerate(form):
        if at:
            yield form[:at] + form[at + 1 :]
        for less in smaller(part):
            yield (*form[:at], less, *form[at + 1 :])


def smaller_programs(functions: list):
    for at, (name, params, body) in enumerate(functions):
        if at < len(functions) - 1:
            yield functions[:at] + functions[at + 1 :]
        for less in smaller(body):
            if isinstance(less, tuple):
                yield [*functions[:at], (name, params, less), *functions[at + 1 :]]
