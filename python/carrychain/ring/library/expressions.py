"""Operations of machine IR on words as expressions of C.

Words of C have no sign, either: a signed operation converts its operands and its result. What is narrower
than unsigned int is converted back after each operation, because C computes it in int.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..machine.form import BIG, Const, Op, Operand, Word, literal

WIDE = "cc_u128"


class Text(NamedTuple):
    """An expression: `simple` if it needs no parentheses, `not_` its negation, `reads` the variables that
    jumps assign, `loads` if it reads memory."""

    text: str
    simple: bool = True
    reads: frozenset[Word] = frozenset()
    loads: bool = False
    not_: str | None = None

    def __str__(self) -> str:
        return self.text if self.simple else f"({self.text})"


def c_type(bits: int) -> str:
    return "bool" if bits == 1 else WIDE if bits == 128 else f"uint{bits}_t"


def signed_type(bits: int) -> str:
    return "cc_i128" if bits == 128 else f"int{bits}_t"


def constant(value: int, bits: int, signed: bool = False) -> str:
    if bits == 1:
        return "true" if value else "false"
    value = literal(value, bits) if signed else value & (1 << bits) - 1
    if bits == 128:
        whole = value & (1 << 128) - 1
        text = f"({WIDE})UINT64_C({whole >> 64:#x}) << 64 | UINT64_C({whole & (1 << 64) - 1:#x})"
        if whole < 1 << 64:
            text = f"({WIDE}){constant(whole, 64)}"
        return f"(cc_i128)({text})" if signed else f"({text})"
    shown = str(value) if abs(value) < 256 else f"{'-' * (value < 0)}{abs(value):#x}"
    if signed:
        if value == -(1 << 63):
            return "INT64_MIN"
        text = f"INT64_C({shown.lstrip('-')})" if bits == 64 else shown.lstrip("-")
        return f"(-{text})" if value < 0 else text
    return f"UINT64_C({shown})" if bits == 64 else f"{shown}u"


COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
PLAIN = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "udiv": "/", "urem": "%"}
# second operands that change nothing
NEUTRAL = {"add": 0, "sub": 0, "shl": 0, "lshr": 0, "ashr": 0, "mul": 1}
CALLED = {"umin", "smin", "smax", "ctpop", "ctlz", "bswap", "abs", "rotl"}


class Expressions:
    """`operand` gives an operand's expression; `helpers` are the functions that were used."""

    def __init__(self, operand: Callable[[Operand], Text], kernel: bool = False):
        self.operand = operand
        self.kernel = kernel
        self.args: dict[Operand, Text] = {}  # of the operation
        self.helpers: set[str] = set()

    def of(self, operand: Operand) -> Text:
        found = self.args.get(operand)
        return self.operand(operand) if found is None else found

    def signed(self, operand: Operand) -> str:
        bits = operand.type
        if isinstance(operand, Const):
            return constant(operand.value, 32 if abs(operand.value) < 1 << 31 and bits > 32 else bits, True)
        # of two conversions to the same width the second is enough
        return f"({signed_type(bits)}){str(self.of(operand)).removeprefix(f'({c_type(bits)})')}"

    def second(self, operand: Operand) -> Text:
        """The operand where its type is known: a short constant needs no type of its own."""
        if isinstance(operand, Const) and operand.type in (64, 128) and 0 <= operand.value < 1 << 32:
            return Text(constant(operand.value, 32))
        return self.of(operand)

    def text(self, op: Op) -> Text:
        self.args = {arg: self.operand(arg) for arg in dict.fromkeys(op.args)}
        found, args = self._text(op), self.args.values()
        self.args = {}
        reads = frozenset().union(*(arg.reads for arg in args))
        return found._replace(reads=reads, loads=any(arg.loads for arg in args))

    def _text(self, op: Op) -> Text:
        args, name = op.args, op.op
        if name in ("hide",):
            return self.of(args[0])
        if name == "select":
            return Text(f"{self.of(args[0])} ? {self.of(args[1])} : {self.of(args[2])}", False)
        if name in ("zext", "sext", "trunc"):
            return self._resized(name, args[0], op.result.type)
        if name in ("isqrt", "gcd", "power"):
            self.helpers.add(name)
            return Text(f"cc_{name}({', '.join(self.of(arg).text for arg in args)})")
        bits = args[0].type
        if name[1:] in COMPARED or name in COMPARED:
            return self._compared(name, *args)
        if bits == 1:
            return self._of_bits(name, *args)
        if name in CALLED or (self.kernel and f"{name}{bits}" in DIVISIONS):
            self.helpers.add(f"{name}{bits}")
            return Text(f"cc_{name}{bits}({', '.join(self.of(arg).text for arg in args)})")
        if name in ("sdiv", "srem"):
            sign = "/" if name == "sdiv" else "%"
            return Text(f"({c_type(bits)})({self.signed(args[0])} {sign} {self.signed(args[1])})")
        if isinstance(args[1], Const) and args[1].value == NEUTRAL.get(name):
            return self.of(args[0])
        a, b = self.of(args[0]), self.second(args[1])
        if name == "ashr":
            return Text(f"({c_type(bits)})({self.signed(args[0])} >> {b})")
        if name in ("shl", "lshr"):
            sign = "<<" if name == "shl" else ">>"
            return self._word(f"{'(uint32_t)' if bits < 32 else ''}{a} {sign} {b}", bits)
        if name == "xor" and isinstance(args[1], Const) and args[1].value == -1:
            return self._word(f"~{a}", bits)
        wide = "(uint32_t)" if bits < 32 and name == "mul" else ""
        if isinstance(args[1], Const) and args[1].value < 0 and name == "add":
            return self._word(f"{a} - {self.second(Const(bits, -args[1].value))}", bits)
        return self._word(f"{wide}{a} {PLAIN[name]} {b}", bits)

    def _word(self, text: str, bits: int) -> Text:
        return Text(f"({c_type(bits)})({text})") if bits < 32 else Text(text, False)

    def _of_bits(self, name: str, a: Operand, b: Operand) -> Text:
        x, y = self.of(a), self.of(b)
        if name == "xor" and isinstance(b, Const) and b.value:
            return Text(x.not_ or f"!{x}", x.not_ is None, not_=x.text)
        sign = {"and": "&&", "or": "||", "xor": "!=", "add": "!=", "sub": "!="}[name]
        return Text(f"{x} {sign} {y}", False)

    def _compared(self, name: str, a: Operand, b: Operand) -> Text:
        if isinstance(a, Const) and not isinstance(b, Const):
            # the constant comes last
            a, b, name = b, a, name[:-2] + SWAPPED.get(name[-2:], name[-2:])
        if name in ("eq", "ne"):
            x, y = self.of(a), self.second(b)
            sign = COMPARED[name]
        else:
            x, y = (self.signed(a), self.signed(b)) if name[0] == "s" else (self.of(a), self.second(b))
            sign = COMPARED[name[1:]]
        if str(x) == str(y):
            # about which compilers warn
            holds = sign in ("==", "<=", ">=")
            return Text(str(holds).lower(), not_=str(not holds).lower())
        return Text(f"{x} {sign} {y}", False, not_=f"{x} {OPPOSITE[sign]} {y}")

    def _resized(self, name: str, x: Operand, bits: int) -> Text:
        text = self.of(x)
        if name == "sext" and x.type == 1:
            return Text(f"({c_type(bits)})-({c_type(bits)}){text}")
        if name == "sext":
            return Text(f"({c_type(bits)})({signed_type(bits)})({signed_type(x.type)}){text}")
        if bits == 1:
            return Text(f"({text} & 1u) != 0", False, not_=f"({text} & 1u) == 0")
        return Text(f"({c_type(bits)}){text}")


def operand_text(operand: Operand, names: dict[Word, Text]) -> Text:
    if isinstance(operand, Const):
        assert operand.type is not BIG
        return Text(constant(operand.value, operand.type))
    return names[operand]


# The functions that expressions call ---------------------------------------------------------------------

UMIN = "static inline {T} cc_umin{w}({T} a, {T} b)\n{{\n\treturn a < b ? a : b;\n}}\n"
SMIN = "static inline {T} cc_smin{w}({T} a, {T} b)\n{{\n\treturn ({S})a < ({S})b ? a : b;\n}}\n"
SMAX = "static inline {T} cc_smax{w}({T} a, {T} b)\n{{\n\treturn ({S})a > ({S})b ? a : b;\n}}\n"
ABS = "static inline {T} cc_abs{w}({T} a)\n{{\n\treturn ({S})a < 0 ? ({T})(0u - a) : a;\n}}\n"
ROTL = """static inline {T} cc_rotl{w}({T} x, {T} count)
{{
\tconst unsigned int n = (unsigned int)count & {m}u;

\treturn ({T})(({U})x << n | ({U})x >> (({w}u - n) & {m}u));
}}
"""
CTPOP = """static inline {T} cc_ctpop{w}({T} x)
{{
\tunsigned int count = 0;

\tfor (; x; x &= ({T})(x - 1u))
\t\tcount++;
\treturn ({T})count;
}}
"""
CTLZ = """static inline {T} cc_ctlz{w}({T} x)
{{
\tunsigned int count = {w};

\tfor (; x; x >>= 1)
\t\tcount--;
\treturn ({T})count;
}}
"""
PATTERNS = {
    "umin": UMIN, "smin": SMIN, "smax": SMAX, "abs": ABS, "rotl": ROTL, "ctpop": CTPOP, "ctlz": CTLZ,
}  # fmt: skip
OTHERS = {
    "isqrt": """static inline uint64_t cc_isqrt(uint64_t x)
{
\tuint64_t root = 0, bit;

\tfor (bit = UINT64_C(1) << 62; bit; bit >>= 2) {
\t\tif (x >= root + bit) {
\t\t\tx -= root + bit;
\t\t\troot = (root >> 1) + bit;
\t\t} else {
\t\t\troot >>= 1;
\t\t}
\t}
\treturn root;
}
""",
    "gcd": """static inline uint64_t cc_gcd(uint64_t a, uint64_t b)
{
\twhile (b) {
\t\tconst uint64_t rest = a % b;

\t\ta = b;
\t\tb = rest;
\t}
\treturn a;
}
""",
    "power": """static inline uint64_t cc_power(uint64_t a, uint64_t n)
{
\tuint64_t power = 1;

\tfor (; n; n >>= 1) {
\t\tif (n & 1)
\t\t\tpower *= a;
\t\ta *= a;
\t}
\treturn power;
}
""",
}

# Those that are called in place of C's operators in Linux.
DIVISIONS = {
    "udiv64": "static inline u64 cc_udiv64(u64 a, u64 b)\n{\n\treturn div64_u64(a, b);\n}\n",
    "urem64": "static inline u64 cc_urem64(u64 a, u64 b)\n{\n\treturn a % b;\n}\n",
    "sdiv64": "static inline u64 cc_sdiv64(u64 a, u64 b)\n{\n\treturn (u64)div64_s64((s64)a, (s64)b);\n}\n",
    "srem64": "static inline u64 cc_srem64(u64 a, u64 b)\n{\n"
    "\treturn a - (u64)div64_s64((s64)a, (s64)b) * b;\n}\n",
}


def helper(name: str, kernel: bool = False) -> str:
    """The function's definition."""
    if name in OTHERS or name in DIVISIONS:
        text = (OTHERS | DIVISIONS)[name]
        # a 32-bit kernel has no other division of 64 bits
        return text.replace("a % b", "a - div64_u64(a, b) * b") if kernel else text
    pattern = name.rstrip("0123456789")
    bits = int(name.removeprefix(pattern))
    if pattern in ("bswap", "bytes"):
        return _octets(pattern, bits)
    return PATTERNS[pattern].format(
        T=c_type(bits), S=signed_type(bits), U=c_type(max(bits, 32)), w=bits, m=bits - 1
    )


def _octets(pattern: str, bits: int) -> str:
    """A word's octets the other way round, or a word of octets in memory, so that compilers know it."""
    type_, wide = c_type(bits), c_type(max(bits, 32))
    octets = [f"(({wide})x >> {at} & 0xffu)" if at else "(x & 0xffu)" for at in range(bits - 8, -8, -8)]
    param = f"{type_} x"
    if pattern == "bytes":
        octets, param = [f"({wide})bytes[{at}]" for at in range(bits // 8)], "const uint8_t *bytes"
    shifted = [f"{each} << {8 * at}" if at else each for at, each in enumerate(octets)]
    joined = " |\n\t\t".join(shifted)
    return f"static inline {type_} cc_{pattern}{bits}({param})\n{{\n\treturn ({type_})({joined});\n}}\n"
