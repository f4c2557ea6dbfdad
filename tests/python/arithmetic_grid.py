"""A grid of small Lisp functions: each operator on each type of arguments, the mask in each place.

Its dimensions are the operator, the arguments' signedness and width, where the mask is (nowhere, around
the operation, within it, on one argument, at both, around several operations, a declaration), how it is
written, and which argument is a literal. The first four are crossed; of the last two each program has one,
at random, but always the same: names and texts stay from run to run.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

WIDTHS = (2, 8, 16, 29, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129)
SIGNS = {"u": ("unsigned", "unsigned"), "s": ("signed", "signed"), "m": ("unsigned", "signed")}


def integer_type(sign: str, bits: int) -> str:
    return f"({sign}-byte {bits})"


# --- operators --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Operator:
    """`write` makes a form of arguments and the width; `second` says what the second argument is:

    "same": of the first one's width; "none": there is none; or a type, for a width, and literals of it.
    """

    write: Callable[[str, str, int], str]
    second: str | Callable[[int], tuple[str, list[int]]] = "same"


def called(name: str) -> Operator:
    return Operator(lambda a, b, n: f"({name} {a} {b})")


def of_one(name: str) -> Operator:
    return Operator(lambda a, b, n: f"({name} {a})", "none")


def counts(low: Callable[[int], int], high: Callable[[int], int]):
    def second(n: int) -> tuple[str, list[int]]:
        least, most = low(n), high(n)
        literals = [k for k in (1, -1, n // 2, -n // 2, n - 1, 1 - n, n, -n, 3, 0) if least <= k <= most]
        return f"(integer {least} {most})", literals

    return second


OPERATORS = {
    **{
        name: called(lisp)
        for name, lisp in {"add": "+", "sub": "-", "mul": "*"}.items()
    },
    **{
        name: called(name)
        for name in (
            "logand", "logior", "logxor", "logeqv", "lognand", "lognor",
            "logandc1", "logandc2", "logorc1", "logorc2",
            "min", "max", "gcd", "floor", "truncate", "ceiling", "round", "mod", "rem",
        )
    },
    **{
        name: of_one(lisp)
        for name, lisp in {
            "negate": "-", "increment": "1+", "decrement": "1-", "lognot": "lognot", "abs": "abs",
            "signum": "signum", "isqrt": "isqrt", "integer-length": "integer-length", "logcount": "logcount",
        }.items()
    },
    "left": Operator(lambda a, b, n: f"(ash {a} {b})", counts(lambda n: 0, lambda n: n + 1)),
    "right": Operator(lambda a, b, n: f"(ash {a} (- {b}))", counts(lambda n: 0, lambda n: n + 1)),
    "shift": Operator(lambda a, b, n: f"(ash {a} {b})", counts(lambda n: -n - 1, lambda n: n + 1)),
    "rotate": Operator(
        lambda a, b, n: f"(rotate-byte {b} (byte {n} 0) {a})", counts(lambda n: -n, lambda n: n)
    ),
    "power": Operator(lambda a, b, n: f"(expt {a} {b})", counts(lambda n: 0, lambda n: 4)),
    "bit": Operator(lambda a, b, n: f"(if (logbitp {b} {a}) 1 0)", counts(lambda n: 0, lambda n: n + 1)),
    "field": Operator(lambda a, b, n: f"(ldb (byte {n // 2} {n // 3}) (+ {a} {b}))"),
    "variable-field": Operator(
        lambda a, b, n: f"(ldb (byte {b} {n // 3}) {a})", counts(lambda n: 0, lambda n: n)
    ),
    "deposit": Operator(lambda a, b, n: f"(dpb {b} (byte {n // 2} {n // 3}) {a})"),
    "deposit-field": Operator(lambda a, b, n: f"(deposit-field {b} (byte {n // 2} {n // 3}) {a})"),
    "multiply-add": Operator(lambda a, b, n: f"(+ (* {a} {b}) (logxor {a} {b}))"),
    "multiply-high": Operator(lambda a, b, n: f"(ash (* {a} {b}) {-n})"),
    "mean": Operator(lambda a, b, n: f"(ash (+ {a} {b}) -1)"),
    "below": Operator(lambda a, b, n: f"(if (< {a} {b}) (- {b} {a}) (- {a} {b} 1))"),
    "any-bits": Operator(lambda a, b, n: f"(if (logtest {a} {b}) (logxor {a} {b}) (lognot {a}))"),
}  # fmt: skip


# --- masks ------------------------------------------------------------------------------------


def ones(n: int) -> int:
    return (1 << n) - 1


def by_bit(x: str, n: int) -> str:
    return f"(let ((low (ldb (byte {n} 0) {x}))) (if (logbitp {n - 1} low) (- low {1 << n}) low))"


# Each yields the n low bits of x, the last ones as a signed number.
MASKS: dict[str, Callable[[str, int], str]] = {
    "ldb": lambda x, n: f"(ldb (byte {n} 0) {x})",
    "logand": lambda x, n: f"(logand {ones(n)} {x})",
    "mod": lambda x, n: f"(mod {x} {1 << n})",
    "mask-field": lambda x, n: f"(mask-field (byte {n} 0) {x})",
    "the": lambda x, n: f"(the (unsigned-byte {n}) (ldb (byte {n} 0) {x}))",
    "shifts": lambda x, n: f"(ash (logand #x{ones(n) << 3:x} (ash {x} 3)) -3)",
    "signed-xor": lambda x, n: f"(- (logxor (ldb (byte {n} 0) {x}) {1 << n - 1}) {1 << n - 1})",
    "signed-bit": by_bit,
    "signed-mod": lambda x, n: f"(- (mod (+ {x} {1 << n - 1}) {1 << n}) {1 << n - 1})",
    "signed-fields": lambda x, n: (
        f"(let ((x {x})) (logior (ldb (byte {n - 1} 0) x) (- (mask-field (byte 1 {n - 1}) x))))"
    ),
    "signed-dpb": lambda x, n: f"(let ((x {x})) (dpb x (byte {n - 1} 0) (if (logbitp {n - 1} x) -1 0)))",
}

# What is masked where the operation's own arguments are not.
INNER = ("(+ {a} {b})", "(* {a} {b})", "(- {a} {b})", "(logxor (ash {a} 3) {b})", "(lognot {a})", "(- {b})")


# --- programs ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    name: str
    text: str
    # what it is of each dimension
    traits: tuple[tuple[str, object], ...] = ()


PLACES = ("none", "outside", "inside", "argument", "both", "deep", "declared")


def literals(n: int, sign: str) -> tuple[int, ...]:
    """Of the type, those where mistakes are; not 0, which SBCL divides by 0 where it is a literal."""
    half = 1 << n - 1
    if sign == "signed":
        return (-1, half - 1, -half, 1, 3, half // 3 | 1, -2, -(half // 5) - 1)
    return (1, ones(n), half, half - 1, 3, ones(n) // 3 * 2, half + 1, 10)


def grid() -> Iterator[Program]:
    cells = product(OPERATORS, SIGNS, WIDTHS, PLACES)
    for number, (name, signs, n, place) in enumerate(cells):
        operator = OPERATORS[name]
        if signs == "m" and operator.second != "same":
            continue
        yield program(number, name, operator, signs, n, place)


def program(number: int, name: str, operator: Operator, signs: str, n: int, place: str) -> Program:
    rng = random.Random(number)
    way, another = rng.sample(list(MASKS), 2)
    mask = MASKS[way]
    sign, second_sign = SIGNS[signs]
    types = {"a": integer_type(sign, n), "b": integer_type(second_sign, n)}
    a, b = "a", "b"
    where = "variables"
    if operator.second == "same":
        where = rng.choice(("variables", "variables", "literal-first", "literal-second"))
        if where == "literal-first":
            a = str(rng.choice(literals(n, sign)))
        elif where == "literal-second":
            b = str(rng.choice(literals(n, second_sign)))
        numbers = ("a", b)
    elif callable(operator.second):
        where = rng.choice(("variables", "literal-second"))
        types["b"], counts_ = operator.second(n)
        if where == "literal-second":
            b = str(rng.choice(counts_))
        # a count is no number to compute with
        numbers = ("a", str(rng.choice(literals(n, sign))))
    else:
        numbers = ("a", str(rng.choice(literals(n, sign))))

    def inner() -> str:
        return rng.choice(INNER).format(a=numbers[0], b=numbers[1])

    match place:
        case "none":
            body, way = operator.write(a, b, n), "whole"
        case "outside":
            body = mask(operator.write(a, b, n), n)
        case "inside":
            body = operator.write(mask(inner(), n), b, n)
        case "argument":
            types["a"] = integer_type(sign, 2 * n)
            body = operator.write(mask("a", n), b, n)
        case "both":
            types["a"] = integer_type(sign, 2 * n)
            second = mask(b, n) if operator.second == "same" else b
            body = mask(operator.write(MASKS[another]("a", n), second, n), rng.choice((n, n // 2, n - 1)))
        case "deep":
            second = inner() if operator.second == "same" else b
            body = mask(operator.write(inner(), second, n), n)
        case "declared":
            body = operator.write(a, b, n)
            type_ = integer_type(rng.choice(("signed", "unsigned")), rng.choice((n, n + 1, 2 * n)))
            way = rng.choice(("promise", "declare"))
            if way == "promise":
                body = f"(values (the {type_} {body}))"
            else:
                body = f"(let ((r {body})) (declare (type {type_} r)) r)"
    used = [each for each in "ab" if re.search(rf"[ (]{each}[ )]", f" {body} ")]
    declared = " ".join(f"(type {types[each]} {each})" for each in used)
    title = f"{name}-{signs}{n}-{place}-{way}-{where}"
    text = f"(defun {title} ({' '.join(used)})\n  (declare {declared})\n  {body})\n"
    traits = {"operator": name, "signs": signs, "width": n, "place": place, "way": way, "literal": where}
    return Program(title, text, tuple(traits.items()))


def pairs(each: Program) -> Iterator[tuple]:
    """What of the grid this program shows together: each two traits of it."""
    for at, one in enumerate(each.traits):
        for two in each.traits[at + 1 :]:
            yield one, two


def share() -> list[Program]:
    """Of all the programs some, in which each two traits that there are together anywhere are together."""
    every = list(grid())
    # in an order that has nothing to do with the dimensions
    step = next(k for k in range(len(every) * 5 // 8, len(every)) if len(every) % k and is_prime(k))
    seen: set[tuple] = set()
    chosen = []
    for at in range(len(every)):
        each = every[at * step % len(every)]
        new = set(pairs(each)) - seen
        if new:
            seen |= new
            chosen.append(each)
    return chosen


def is_prime(k: int) -> bool:
    return all(k % d for d in range(2, int(k**0.5) + 1))
