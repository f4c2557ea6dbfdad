"""Random small programs over the integers, as IR and as Common Lisp.

A program is a list of functions, each (name, params, body, results); the last is the one to call,
and calls those before it. Expressions, conditions and statements are tuples whose head is a word:

    ("var", name) ("const", k) (operation, x, y) ("low", k, x) ("the", type, x) ("if", c, x, y)
    ("call", name, args...) ("load", array, index) ("array", array): as an argument
    (comparison, x, y) ("not", c)
    ("assign", name, x) ("when", c, then, otherwise) ("loop", name, times, body) ("store", array, index, x)
    ("count", name, start, step, rounds, exit, last, missed, others, body)

The last is a loop that counts by any step, up or down, to where it is after so many rounds (the three
low bits of what is given), and ends by this exit, one of EXITS: before a round, or after each if `last`.
The others, ("with", name, start, step), count beside it. Where the end is missed by a number, that may
end it never, or at once: then it also ends when the first of the others has counted to MOST.

What a loop carries around is kept small, so that no number outgrows the machine. An array is a
parameter, or made by the function that names it. A function whose name has INLINE in it is inlined.
"""

from collections import Counter

from carrychain.ring.ir.form import COMPARE, DIVISION, INT, LOGIC, Array, Int, Module, signed, unsigned
from ring_program_ir import (
    ARRAY,
    ELEMENTS,
    EXITS,
    INLINE,
    MOST,
    Lowering,
    exit_of,
    own_arrays,
    parts,
    rounds_of,
)

WIDTHS = (1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 160, 200, 256)
STORED = (1, 7, 8, 9, 15, 16, 31, 32, 64, 65, 130)  # bits of what is stored among integers of any size
# as what counts, these are set by no one else
WORD, COUNT, PLACE = "iword", "icount", "iplace"
# shifts' counts, far beyond what any number has bits
HUGE = (10**11, 1 << 40, (1 << 62) - 1, 1 << 62, 1 << 64, 10**30)

LISP = {
    "add": "+", "sub": "-", "mul": "*", "neg": "-", "fdiv": "floor", "fmod": "mod", "tdiv": "truncate",
    "trem": "rem", "cdiv": "ceiling", "shift": "ash", "bitlen": "integer-length", "popcount": "logcount",
    "isqrt": "isqrt", "gcd": "gcd", "expt": "expt",
    "eq": "=", "ne": "/=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "and": "logand", "ior": "logior", "xor": "logxor", "eqv": "logeqv", "nand": "lognand", "nor": "lognor",
    "andc1": "logandc1", "andc2": "logandc2", "orc1": "logorc1", "orc2": "logorc2",
    **{op: f"boole boole-{op}" for op in ("arg1", "c1", "clr", "set")},
    "arg2": "boole boole-2", "c2": "boole boole-c2",
}  # fmt: skip
LISP["arg1"] = "boole boole-1"

LOOPS = ("loop", "count")


class Part:
    """Some neighbouring elements of an array, which is passed as well: as Lisp's displaced arrays are."""

    def __init__(self, whole, start: int, count: int):
        self.whole, self.start, self.count = whole, start, count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, at: int) -> int:
        if not 0 <= at < self.count:
            raise IndexError(at)
        return self.whole[self.start + at]

    def __setitem__(self, at: int, value: int) -> None:
        self.whole[self.start + at] = value


# --- making one up ----------------------------------------------------------------------------


def boundary(rng) -> int:
    """A number where mistakes are: near a power of two, of either sign."""
    k = rng.choice((0, 1, 2, 3, 5, 7, 8, 15, 16, 24, 31, 32, 33, 62, 63, 64, 65, 100, 127, 128, 129))
    return rng.choice((1, -1)) * (1 << k) + rng.choice((-1, 0, 0, 1))


def a_type(rng) -> Int:
    kind = rng.randrange(6)
    if kind < 3:
        return unsigned(rng.choice((1, 8, 16, 32, 32, 64, 64)))
    if kind < 5:
        return signed(rng.choice((2, 8, 16, 32, 32, 64, 64)))
    low = boundary(rng)
    return rng.choice((INT, Int(low, low + abs(boundary(rng))), Int(0, None)))


class _Maker:
    def __init__(self, rng, functions, small: bool):
        self.rng = rng
        self.depth = 4 if small else 5
        self.functions = functions
        self.variables: list[str] = []
        self.looping = 0
        self.word = 0  # the bits of what WORD, COUNT and PLACE go with, if there are these

    def words(self) -> list:
        """Variables that are set once: what an expression says twice is two values, and an idiom of none."""
        rng = self.rng
        word = rng.choice((8, 16, 32, 64, 128, 5))
        bits = word + rng.choice((0, 0, 0, 1, -1))
        sizes = {WORD: bits, COUNT: word.bit_length() - rng.choice((0, 1, 1)), PLACE: rng.choice((1, 2))}
        made = [("assign", name, ("low", k, self.expression(2))) for name, k in sizes.items()]
        self.variables += sizes
        self.word = word
        return made

    def any_of(self, *ways):
        return self.rng.choice(ways)()

    def expression(self, depth: int, small: bool = False):
        """`small`: nothing that grows faster than a sum does."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.12:
            if self.variables and rng.random() < 0.75:
                return ("var", rng.choice(self.variables))
            return ("const", rng.choice((boundary(rng), rng.randrange(-4, 40))))
        sub = lambda less=1: self.expression(depth - less, small)  # noqa: E731
        pick = rng.random()
        if pick < 0.22:
            return (
                rng.choice(("add", "sub", "add", "sub", *(() if small else ("mul", "mul")))),
                sub(),
                sub(),
            )
        if pick < 0.34:
            return (rng.choice(tuple(LOGIC)), sub(), sub())
        if pick < 0.40:
            return (rng.choice(("and", "ior", "xor")), sub(), ("const", self.mask()))
        if pick < 0.54:
            return (rng.choice(("low", "low", "low", "field")), rng.choice(WIDTHS), sub())
        if pick < 0.55:
            return (rng.choice(("low", "field")), rng.choice(WIDTHS), ("shift", sub(), ("const", self.far())))
        if pick < 0.63:
            return ("shift", sub(), self.count(small))
        if pick < 0.66:
            return ("neg", sub())
        if pick < 0.71:
            divisor = (
                sub(2)
                if rng.random() < 0.3
                else ("ior", ("low", rng.choice((3, 8, 33)), sub(2)), ("const", 1))
            )
            if rng.random() < 0.15:
                # as of a prime field
                divisor = ("const", (1 << rng.randrange(65, 256)) - rng.choice((1, 5, 19, 189)))
                return ("fmod", ("low", rng.choice(WIDTHS), sub()), divisor)
            if rng.random() < 0.4:
                divisor = ("const", rng.choice((1, 2, 3, -1, -2, 7, 8, 10, 256, 1 << 32, boundary(rng) or 5)))
            return (rng.choice(DIVISION), sub(), divisor)
        if pick < 0.75:
            return ("if", self.condition(depth - 1), sub(), sub())
        if pick < 0.79:
            return self.rotation(depth)
        if pick < 0.82:
            return self.any_of(
                lambda: ("bitlen", sub()), lambda: ("popcount", sub()), lambda: ("gcd", sub(), sub()),
                lambda: ("isqrt", ("low", rng.choice(WIDTHS), sub())),
                lambda: ("expt", ("field", 9, sub()), ("low", 3, sub())) if not small else sub(),
            )  # fmt: skip
        if pick < 0.86:
            return self.load(depth)
        if pick < 0.89:
            return (
                ("the", a_type(rng), sub())
                if rng.random() < 0.15
                else ("the", unsigned(32), ("low", 32, sub()))
            )
        if pick < 0.92:
            return self.sign(depth)
        if pick < 0.95 and self.functions and not self.looping:
            return self.call(rng.choice(self.functions), depth - 1)
        return ("rotl", rng.choice((8, 16, 32, 64, 5)), sub(), self.count(small))

    def call(self, function, depth: int):
        name, params, *_ = function
        return ("call", name, *(self.of_type(type_, depth) for _, type_ in params))

    def of_type(self, type_: Int | Array, depth: int):
        if isinstance(type_, Array):
            # the same one for two parameters, too
            return ("array", self.rng.choice([a for a, of in ELEMENTS.items() if of == type_.element]))
        x = self.expression(depth, bool(self.looping))
        if type_.low == 0 and type_.high is not None and not type_.high & (type_.high + 1):
            return ("low", type_.high.bit_length() or 1, x)
        if type_.low is not None and type_.high is not None:
            return ("add", ("fmod", x, ("const", type_.high - type_.low + 1)), ("const", type_.low))
        return x if type_.low is None else ("mul", x, x) if x[0] == "var" else ("low", 64, x)

    def mask(self) -> int:
        k = self.rng.choice(WIDTHS)
        return self.rng.choice(((1 << k) - 1, -1 << k, 0xFF00, 0xF0F0F0F0, 1 << k, -(1 << k) - 1))

    def count(self, small: bool):
        rng = self.rng
        if rng.random() < 0.5:
            return ("const", rng.choice((0, 1, 7, 8, 16, 24, 31, 32, -1, -7, -8, -31, -32, -33, -64)))
        return rng.choice((
            lambda: ("field", rng.choice((3, 5, 6, 7)), self.expression(1, small)),
            lambda: ("low", rng.choice((3, 5, 6)), self.expression(1, small)),
            lambda: ("neg", ("low", rng.choice((3, 5, 6, 7)), self.expression(1, small))),
        ))()  # fmt: skip

    def far(self) -> int:
        return self.rng.choice((1, -1)) * (self.rng.choice(HUGE) + self.rng.choice((-1, 0, 1)))

    def rotation(self, depth: int):
        rng = self.rng
        named = self.word and rng.random() < 0.7
        k = self.word if named else rng.choice((8, 16, 32, 64, 128, 5))
        x = ("low", k, self.expression(depth - 2)) if rng.random() < 0.9 else self.expression(depth - 2)
        if named:
            x = ("var", WORD)
        # one that is none now and then: by another count, or of another number of bits
        by = ("const", k + (rng.choice((-1, 1, 8)) if rng.random() < 0.1 else 0))
        if rng.random() < (0.2 if named else 0.5):
            n = rng.randrange(0, k + 1)
            left, right = ("const", n), ("const", n - by[1])
        else:
            n = ("var", COUNT) if named else ("low", k.bit_length() - 1, self.expression(1))
            other = n if rng.random() < 0.6 else rng.choice((("neg", n), ("var", PLACE) if named else n))
            left, right = n, ("sub", other, by)
            if rng.random() < 0.3:
                left, right = ("sub", by, n), ("neg", other)
        parts = [("shift", x, left), ("shift", x, right)]
        if rng.random() < 0.5:
            parts.reverse()
        return ("low", k + (rng.random() < 0.1), (rng.choice(("ior", "xor", "add")), *parts))

    def sign(self, depth: int):
        k = self.rng.choice((8, 16, 32, 5))
        half = ("const", 1 << (k - 1))
        return ("sub", ("xor", ("low", k, self.expression(depth - 2)), half), half)

    def load(self, depth: int):
        rng = self.rng
        if rng.random() < 0.5:
            return ("load", rng.choice(tuple(ELEMENTS)), self.index(depth - 1))
        return self.bytes_joined()

    def bytes_joined(self):
        """A word from its bytes."""
        rng = self.rng
        count = rng.choice((2, 4, 8))
        base = ("low", rng.choice((1, 2)), self.expression(1)) if rng.random() < 0.5 else ("const", 0)
        if self.word and rng.random() < 0.7:
            base = ("var", PLACE)
        order = rng.choice((1, -1))
        word = None
        # one that is no part of the word: of another place or array, moved otherwise, or twice
        odd = rng.randrange(count) if rng.random() < 0.3 else -1
        what = rng.randrange(4)
        for at in range(count):
            place = ("add", base, ("const", at)) if base[0] != "const" else ("const", at)
            moved = 8 * (at if order == 1 else count - 1 - at)
            array = "bytes"
            if at == odd and what == 0 and base[0] == "var":
                place = ("add", ("low", 2, ("var", COUNT)), ("const", at))
            elif at == odd and what == 1:
                array = "octets"
            by = 0
            if at == odd and what > 1:
                by, moved = (-3, moved + 3) if what == 2 else (0, moved + rng.choice((8, 1)))
            byte = ("load", array, place)
            byte = ("shift", ("shift", byte, ("const", by)) if by else byte, ("const", moved))
            word = byte if word is None else (rng.choice(("ior", "add")), word, byte)
        return word

    def index(self, depth: int):
        if self.rng.random() < 0.03:
            return self.expression(1)
        return ("low", 3, self.expression(depth - 1)) if depth > 0 else ("const", self.rng.randrange(ARRAY))

    def condition(self, depth: int):
        if self.rng.random() < 0.1:
            return ("not", self.condition(depth))
        a = self.expression(depth - 1, True)
        b = self.expression(depth - 1, True) if self.rng.random() < 0.4 else ("const", boundary(self.rng))
        return (self.rng.choice(COMPARE), a, b)

    def statements(self, count: int, depth: int) -> list:
        return [self.statement(depth) for _ in range(count)]

    def statement(self, depth: int):
        rng = self.rng
        pick = rng.random()
        if depth <= 0 or pick < 0.45:
            return self.assignment()
        if pick < 0.66:
            return (
                "when",
                self.condition(2),
                self.inner(depth),
                self.inner(depth) if rng.random() < 0.6 else [],
            )
        if pick < 0.76 and self.looping < 2:
            self.looping += 1
            counter = f"i{self.looping}"
            times = rng.choice((("const", rng.randrange(7)), ("low", 3, self.expression(1, True))))
            self.variables.append(counter)
            body = self.inner(depth)
            self.variables.remove(counter)
            self.looping -= 1
            return ("loop", counter, times, body)
        if pick < 0.88 and self.looping < 3:
            return self.count_loop(depth)
        array = rng.choice(tuple(ELEMENTS))
        x = self.expression(2, bool(self.looping))
        element = ELEMENTS[array]
        if element == INT:
            # none that grows from round to round
            x = (rng.choice(("low", "field")), rng.choice(STORED), x)
        elif rng.random() < 0.95:
            x = ("field", 64, x) if element.low else ("low", element.high.bit_length(), x)
        return ("store", array, self.index(2), x)

    def count_loop(self, depth: int):
        rng = self.rng
        start = rng.choice((
            ("const", rng.choice((0, 0, 1, 7, boundary(rng)))),
            ("low", rng.choice((2, 8, 32, 64)), self.expression(1, True)),
            ("field", rng.choice((8, 32, 64)), self.expression(1, True)),
        ))  # fmt: skip
        step = rng.choice((1, -1)) * rng.choice((1, 1, 1, 1, 2, 3, 4, 8, 1 << 20, 1 << 61))
        rounds = ("const", rng.randrange(8)) if rng.random() < 0.5 else self.expression(1, True)
        self.looping += 1
        counter = f"i{self.looping}"
        others = [
            (
                "with",
                f"{counter}{letter}",
                rng.choice((0, 1, 100, boundary(rng))),
                rng.choice((1, -1, 3, 5, 1 << 40)),
            )
            for letter in "ab"[: rng.choice((0, 0, 1, 2))]
        ]
        missed = None
        if rng.random() < 0.3:
            missed = rng.choice((0, 1, -1, 5, -step, -2 * step, boundary(rng)))
            others.insert(0, ("with", f"{counter}m", 0, 1))
        names = [counter, *(name for _, name, _, _ in others)]
        self.variables += names
        body = self.inner(depth)
        self.variables = [name for name in self.variables if name not in names]
        self.looping -= 1
        last = rng.random() < 0.3
        return ("count", counter, start, step, rounds, rng.choice(EXITS), last, missed, others, body)

    def inner(self, depth: int) -> list:
        known = list(self.variables)
        body = self.statements(self.rng.randrange(1, 4), depth - 1)
        self.variables = known
        return body

    def assignment(self):
        rng = self.rng
        # inside of blocks only what is known before them is set
        old = [name for name in self.variables if not name.startswith("i")]
        x = self.expression(rng.randrange(1, self.depth), bool(self.looping))
        if self.looping and rng.random() < 0.8:
            x = (rng.choice(("low", "field")), rng.choice(WIDTHS), x)
        elif self.looping and rng.random() < 0.5:
            # what counts, by as much as a small number
            name = rng.choice(old)
            by = rng.choice(
                (
                    ("const", rng.randrange(-2, 9)),
                    ("low", 8, x),
                    ("field", 4, x),
                    ("var", rng.choice(self.variables)),
                )
            )
            if by[0] == "var":
                by = ("low", rng.choice((1, 32, 63)), by)
            return ("assign", name, (rng.choice(("add", "add", "sub")), ("var", name), by))
        elif self.looping:
            # a sum of what there was, so that loops grow slowly
            x = (
                (rng.choice(("add", "sub", "xor")), ("var", rng.choice(old)), ("const", boundary(rng)))
                if old
                else x
            )
        return ("assign", rng.choice(old), x)


def program(rng, prefix: str = "") -> list:
    functions: list = []
    count = rng.choice((1, 1, 1, 1, 2, 2, 3))
    for at in range(count):
        kind = INLINE if at < count - 1 and rng.random() < 0.3 else "f"
        small = at < count - 1 or rng.random() < 0.7
        functions.append(_function(rng, f"{prefix}{kind}{at}", functions[:at], small))
    # a caller sees one result
    return [(n, p, b, r if at == len(functions) - 1 else r[:1]) for at, (n, p, b, r) in enumerate(functions)]


def _function(rng, name: str, before: list, small: bool):
    maker = _Maker(rng, before, small)
    params = [(f"x{at}", a_type(rng)) for at in range(rng.randrange(1, 4))]
    maker.variables = [param for param, _ in params]
    if rng.random() < 0.3:
        params += [(array, Array(of)) for array, of in ELEMENTS.items() if rng.random() < 0.5]
    body: list = []
    for at in range(rng.randrange(1, 3)):
        # every variable is set once at the top, and from there on anywhere
        calls = before and not at
        x = maker.call(before[-1], 2) if calls else maker.expression(rng.randrange(1, maker.depth))
        body.append(("assign", f"v{at}", x))
        maker.variables.append(f"v{at}")
    if rng.random() < 0.3:
        body += maker.words()
    body += maker.statements(rng.randrange(1, 3 if small else 6), 2)
    results = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        x = maker.expression(2, True)
        results.append(("low", rng.choice(WIDTHS), x) if rng.random() < 0.75 else x)
    if maker.word:
        # an idiom of them, or nearly one, shows
        idiom = maker.rotation(3) if rng.random() < 0.6 else maker.bytes_joined()
        results[0] = ("xor", results[0], idiom) if rng.random() < 0.5 else idiom
    return name, params, body, results


def inputs(rng, functions: list) -> list[int | list[int] | Part]:
    """Arguments for the last function, at its types' ends and near powers of two; arrays as lists.

    Of two arrays of a type, the second may be the first, or a part of it; a list has no parts.
    """
    found: list[int | list[int] | Part] = []
    arrays: dict[Int, list[int]] = {}
    for _, type_ in functions[-1][1]:
        if isinstance(type_, Array):
            element = type_.element
            if element in arrays and element != INT and rng.random() < 0.3:
                start = rng.randrange(len(arrays[element]) + 1)
                count = rng.randrange(len(arrays[element]) - start + 1)
                found.append(Part(arrays[element], start, count))
                continue
            if element not in arrays or rng.random() < 0.6:
                length = ARRAY if rng.random() < 0.92 else rng.choice((0, 1, 5, 7, 9, 16))
                arrays[element] = [boundary(rng) for _ in range(length)]
                if element != INT:
                    span = element.high - element.low + 1
                    arrays[element] = [element.low + x % span for x in arrays[element]]
            found.append(arrays[element])
            continue
        x = boundary(rng) if rng.random() < 0.8 else rng.randrange(-300, 300)
        if x not in type_:
            low = -(1 << 130) if type_.low is None else type_.low
            high = 1 << 130 if type_.high is None else type_.high
            x = rng.choice((low, high, low + (x - low) % (high - low + 1)))
        found.append(x)
    return found


def to_ir(functions: list) -> Module:
    return Module({function[0]: Lowering(functions).function_(*function) for function in functions})


# --- as Lisp ----------------------------------------------------------------------------------

PRELUDE = """
(defun field (k x) (let ((h (ash 1 (1- k)))) (- (logxor (ldb (byte k 0) x) h) h)))
(defun rotl (k x n) (let ((x (ldb (byte k 0) x)) (n (mod n k)))
  (logior (ldb (byte k 0) (ash x n)) (ash x (- n k)))))
(defun ceiling-rest (a b) (nth-value 1 (ceiling a b)))
"""


def lisp_type(type_: Int | Array) -> str:
    if isinstance(type_, Array):
        # not simple: it may be displaced
        return f"(array {lisp_type(type_.element)} (*))"
    low, high = ("*" if end is None else end for end in (type_.low, type_.high))
    return f"(integer {low} {high})"


def _lisp(x) -> str:
    match x:
        case ("var", name):
            return name
        case ("const", k):
            return str(k)
        case ("low", k, a):
            return f"(ldb (byte {k} 0) {_lisp(a)})"
        case ("field" | "rotl" as op, k, *args):
            return f"({op} {k} {' '.join(map(_lisp, args))})"
        case ("crem", a, b):
            return f"(ceiling-rest {_lisp(a)} {_lisp(b)})"
        case ("the", type_, a):
            return f"(the {lisp_type(type_)} {_lisp(a)})"
        case ("array", array):
            return array
        case ("load", array, index):
            return f"(aref {array} {_lisp(index)})"
        case ("if", *parts):
            return f"(if {' '.join(map(_lisp, parts))})"
        case ("call", *parts):
            return f"({parts[0]} {' '.join(map(_lisp, parts[1:]))})"
        case ("fdiv" | "tdiv" | "cdiv" as op, a, b):
            return f"(values ({LISP[op]} {_lisp(a)} {_lisp(b)}))"
        case ("not", c):
            return f"(not {_lisp(c)})"
        case ("assign", name, a):
            return f"(setq {name} {_lisp(a)})"
        case ("store", array, index, a):
            return f"(setf (aref {array} {_lisp(index)}) {_lisp(a)})"
        case ("when", c, then, otherwise):
            return f"(if {_lisp(c)} {_block(then)} {_block(otherwise)})"
        case ("loop", name, times, body):
            # not dotimes: how often is reckoned once, and the counter may be set
            return f"(loop for {name} from 0 below {_lisp(times)} do {_block(body)})"
        case ("count", name, start, step, rounds, exit_, last, missed, others, body):
            op, turned = exit_of(exit_, step)
            over = f"({LISP[op]} {name} end)"
            over = f"(not {over})" if turned else over
            if missed is not None:
                over = f"(or {over} (>= {others[0][1]} {MOST}))"
            steps = [(name, "start", step), *((other, first, by) for _, other, first, by in others)]
            inner = _block(body)
            if last:
                bound = " ".join(f"({each} {first})" for each, first, _ in steps)
                going = " ".join(f"(incf {each} {by})" for each, _, by in steps)
                loop = f"(let ({bound}) (loop {inner} {going} (when {over} (return))))"
            else:
                bound = " ".join(f"({each} {first} (+ {each} {by}))" for each, first, by in steps)
                loop = f"(do ({bound}) ({over}) {inner})"
            end = f"(+ start (* {step} {_lisp(rounds_of(rounds, last))}) {missed or 0})"
            return f"(let* ((start {_lisp(start)}) (end {end})) {loop})"
        case (op, *args):
            return f"({LISP[op]} {' '.join(map(_lisp, args))})"


def _block(body) -> str:
    return f"(progn {' '.join(map(_lisp, body))})"


def to_lisp(functions: list) -> str:
    """Functions in the ordinary language, their parameters' types declared."""
    lines = []
    for name, params, body, results in functions:
        types = " ".join(f"(type {lisp_type(t)} {p})" for p, t in params)
        names = sorted({s[1] for s in parts(body) if s[0] == "assign"} - {p for p, _ in params})
        variables = " ".join(f"({v} 0)" for v in names)
        arrays = " ".join(
            f"({array} (make-array {ARRAY} :element-type '{lisp_type(ELEMENTS[array])} :initial-element 7))"
            for array in own_arrays(params, body, results)
        )
        # a parameter is set to anything: it is another variable then
        inner = " ".join(f"({p} {p})" for p, t in params if isinstance(t, Int))
        ignored = " ".join(p for p, t in params if isinstance(t, Array))
        if INLINE in name:
            lines.append(f"(declaim (inline {name}))")
        lines.append(
            f"(defun {name} ({' '.join(p for p, _ in params)}) (declare {types} (ignorable {ignored}))\n"
            f" (let ({inner} {variables} {arrays})\n"
            f"  {' '.join(map(_lisp, body))}\n  (values {' '.join(map(_lisp, results))})))"
        )
    return "\n".join(lines)


def features(functions: list, inputs: list) -> dict[str, object]:
    """What of all that matters is in this program."""
    words = list(parts([list(f[2:]) for f in functions]))
    heads = Counter(part[0] for part in words)
    reads = Counter((f[0], part[1]) for f in functions for part in parts(list(f[2:])) if part[0] == "var")
    widths = {part[1] for part in words if part[0] in ("low", "field", "rotl")}
    return {
        "branches": heads["when"] or heads["if"],
        "loops": heads["loop"] or heads["count"],
        "nested loops": any(p[0] in LOOPS for w in words if w[0] in LOOPS for p in parts(w[-1])),
        "loops that end by = or /=": any(w[0] == "count" and "order" not in w[5] for w in words),
        "loops that count down": any(w[0] == "count" and w[3] < 0 for w in words),
        "loops by other steps than 1": any(w[0] == "count" and abs(w[3]) > 1 for w in words),
        "loops of several counters": any(w[0] == "count" and w[8] for w in words),
        "loops with two exits": any(w[0] == "count" and w[7] is not None for w in words),
        "operators on signed integers": any(
            op in LOGIC and any(isinstance(x, tuple) and x[0] in ("field", "neg") for x in args)
            for op, *args in words
        ),
        "a variable read more than once": max(reads.values(), default=0) > 1,
        "several widths": len(widths) > 1,
        "calls of its own functions": heads["call"],
        "inlined calls": any(INLINE in name for name, *_ in functions),
        "division": any(heads[op] for op in DIVISION),
        "shifts by what is not constant": any(p[0] == "shift" and p[2][0] != "const" for p in words),
        "huge shifts": any(abs(p[2][1]) >= HUGE[0] for p in words if p[0] == "shift" and p[2][0] == "const"),
        "arrays": heads["load"] or heads["store"],
        "arrays passed": any(isinstance(type_, Array) for _, params, *_ in functions for _, type_ in params),
        "arrays that alias": any(
            isinstance(a, Part) or any(a is b for b in args[:at] if isinstance(b, list))
            for args in inputs
            for at, a in enumerate(args)
        ),
        "a result of any size": any(x[0] not in ("low", "field") for x in functions[-1][3]),
    }


# --- shrinking --------------------------------------------------------------------------------


def smaller_programs(functions: list):
    """The program a step smaller; what it takes stays, and that it yields something."""
    for at, (name, params, body, results) in enumerate(functions):
        if at < len(functions) - 1:
            yield functions[:at] + functions[at + 1 :]
        for less in smaller(body):
            yield [*functions[:at], (name, params, less, results), *functions[at + 1 :]]
        for less in smaller(results):
            if less:
                yield [*functions[:at], (name, params, body, less), *functions[at + 1 :]]


# what stands for no value, or has no smaller one
KEPT = {"var", "const", "array", "assign", "store", "when", "loop", "count", "with", *COMPARE, "not"}


def smaller(x):
    """Programs, or parts of them, that are a step smaller."""
    if isinstance(x, list):
        for at in range(len(x)):
            yield x[:at] + x[at + 1 :]
        for at, part in enumerate(x):
            for less in smaller(part):
                yield [*x[:at], less, *x[at + 1 :]]
    elif isinstance(x, tuple):
        if x and x[0] not in KEPT:
            yield from (part for part in x[1:] if isinstance(part, tuple) and part and part[0] not in COMPARE)
            yield ("const", 0)
        for at, part in enumerate(x):
            if isinstance(part, tuple | list):
                for less in smaller(part):
                    yield (*x[:at], less, *x[at + 1 :])
