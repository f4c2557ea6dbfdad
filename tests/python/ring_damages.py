"""Damages to the compiler, made by hand: edits of one function's text, or of some data, and taken back."""

import inspect
import pkgutil
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from carrychain.ring.facts import order, ranges, transfer
from carrychain.ring.rewrite import rules, simplify
from carrychain.ring.trust import bounds


class Edit:
    """A function's text with some of it replaced: `where` is module.function, or module.class.method."""

    def __init__(self, where: str, *changes: str):
        self.where = where
        self.changes = list(zip(changes[::2], changes[1::2], strict=True))

    def make(self, stack: ExitStack) -> None:
        function = pkgutil.resolve_name(f"carrychain.ring.{self.where}")
        text = textwrap.dedent(inspect.getsource(function))
        for old, new in self.changes:
            if text.count(old) != 1:
                raise LookupError(f"{self.where} has {text.count(old)} times: {old}")
            text = text.replace(old, new)
        made: dict = {}
        around = vars(inspect.getmodule(function))
        exec(compile(text, f"damaged {self.where}", "exec"), around, made)
        changed = made[function.__name__]
        stack.callback(setattr, function, "__code__", function.__code__)
        function.__code__ = getattr(changed, "__func__", changed).__code__


@dataclass(frozen=True)
class RuleDamage:
    """A rule of rules.py with something of it changed."""

    rule: str
    changed: dict

    def make(self, stack: ExitStack) -> None:
        found = [rule for rule in rules.RULES if rule.name.startswith(self.rule)]
        for rule in found:
            for name, new in self.changed.items():
                stack.callback(object.__setattr__, rule, name, getattr(rule, name))
                object.__setattr__(rule, name, new)
        assert found, self.rule


@dataclass(frozen=True)
class Entry:
    """Another entry of a table, or none."""

    table: object
    key: object
    new: object = None

    def make(self, stack: ExitStack) -> None:
        if isinstance(self.table, set):
            self.table.discard(self.key)
            stack.callback(self.table.add, self.key)
        else:
            stack.callback(self.table.__setitem__, self.key, self.table[self.key])
            self.table[self.key] = self.new


@dataclass(frozen=True)
class Damage:
    name: str
    stage: str
    parts: tuple
    program: str
    proof: tuple[str, str] | None = None  # a module of prove, and some of a claim's name

    @contextmanager
    def done(self) -> Iterator[None]:
        with ExitStack() as stack:
            stack.callback(ranges._transferred.cache_clear)
            ranges._transferred.cache_clear()
            for part in self.parts:
                part.make(stack)
            yield


U8, U16, U32, U64 = (f"(unsigned-byte {bits})" for bits in (8, 16, 32, 64))
S8, S32 = "(signed-byte 8)", "(signed-byte 32)"
BYTES = "(simple-array (unsigned-byte 8) (*))"


def lisp_function(params: str, body: str, before: str = "") -> str:
    """(defun f ...): `params` are words, each a name and its type."""
    named = [each.split(":", 1) for each in params.split("|")] if params else []
    types = " ".join(f"(type {type_} {name})" for name, type_ in named)
    return f"{before}(defun f ({' '.join(name for name, _ in named)}) (declare {types}) {body})"


def ir_of(params: str, *lines: str) -> str:
    return "\n  ".join((f"function @f -> (int) {{\nentry({params}):", *lines, "return %r\n}"))


ROTATED = f"x:{U32}|n:(integer 0 32)"
JOIN = "(ldb (byte 32 0) (logior (ash x n) (ash x (- n 32))))"
STORED = "(let ((a (make-array 4 :initial-element 7))) %s (aref a n))"
SHORT = "(let ((a (make-array 3 :element-type '(unsigned-byte 8) :initial-element 0))) %s (aref a 1))"
CALLED = "(declaim (inline g))\n(defun g (a b) (declare (type (unsigned-byte 16) a b)) %s)\n"

ORDERED = """function @f -> (int) {
entry(%%x: u8, %%y: u8):
  %%1: int = const 1
  %%8: int = const 8
  %%asked: bool = %s
  branch %%asked, in(), out()
in():
  %%z: int = %s
  %%also: bool = %s
  %%r: int = select %%also, %%x, %%8
  return %%r
out():
  return %%y
}
"""
SEEDED = """function @f -> (int) {
entry(%seed: int, %n: int[0,9]):
  %0: int = const 0
  %1: int = const 1
  jump head(%0, %seed)
head(%i: int, %h: int):
  %more: bool = lt %i, %n
  branch %more, body(), out()
body():
  %-3: int = const -3
  %moved: int = shift %h, %-3
  %mixed: int = xor %moved, %i
  %low: int = low 32 %mixed
  %next: int = add %i, %1
  jump head(%next, %low)
out():
  %7: int = const 7
  %scaled: int = mul %h, %7
  %sum: int = add %scaled, %i
  return %sum
}
"""

# of no word, whose upper part is
SUMMED = lisp_function(f"x:{U64}|y:{U64}|z:{U64}|w:{U64}", "(ldb (byte 64 0) (ash (+ (* x y) (* z w)) -64))")
COUNTED = lisp_function(
    "n:(integer 0 99)",
    "(let ((s 0) (j 5)) (loop for i %s do (setf s (ldb (byte 32 0) (+ (* 3 s) j))) (incf j 3)) (logxor s j))",
)
GROWN = """function @f -> (int) {
entry(%n: int[0,9], %k: int[0,5], %x: int[0,3]):
  %0: int = const 0
  %1: int = const 1
  %a: array(int) = new array(int) %k, %x
  jump head(%0, %a, %k)
head(%i: int, %b: array(int), %m: int):
  %l: int = len %b
  %more: bool = lt %i, %n
  branch %more, body(), out()
body():
  %j: int = add %i, %1
  %l1: int = add %l, %1
  %big: bool = lt %l, %n
  branch %big, grow(), stay()
grow():
  %c: array(int) = new array(int) %l1, %x
  jump head(%j, %c, %l1)
stay():
  jump head(%j, %b, %x)
out():
  %r: int = add %l, %m
  return %r
}
"""

DAMAGES = [
    # The rules, and what applies them
    Damage(
        "a mask is one bit short",
        "idiom",
        (RuleDamage("a mask of low bits", {"derive": lambda c: {"k": c.bit_length() - 1}}),),
        lisp_function("x:integer", "(logand x 65535)"),
        ("rewrites", "a mask of low bits at 5 bits"),
    ),
    Damage(
        "modulo a power of two has one bit more",
        "idiom",
        (RuleDamage("modulo a power of two", {"derive": lambda c: {"k": c.bit_length()}}),),
        lisp_function("x:integer", "(mod x 256)"),
        ("rewrites", "modulo a power of two at 5 bits"),
    ),
    Damage(
        "unsigned for signed: a sign flipped and subtracted is low bits",
        "idiom",
        (RuleDamage("the sign, flipped", {"result": ("low", "k", "x")}),),
        lisp_function("x:integer", "(- (logxor (ldb (byte 8 0) x) 128) 128)"),
        ("rewrites", "the sign, flipped and subtracted at 5 bits"),
    ),
    Damage(
        "signed for unsigned: the low bits of low bits are a field",
        "idiom",
        (RuleDamage("the low bits of low bits", {"result": ("field", "k", "x")}),),
        lisp_function("x:integer", "(ldb (byte 16 0) (ldb (byte 8 0) x))"),
        ("rewrites", "the low bits of low bits at 5 bits"),
    ),
    Damage(
        "a field of low bits is one of all, however few they are",
        "idiom",
        (RuleDamage("a field of low bits", {"when": lambda i, j: True}),),
        ir_of("%x: int", "%a: int = low 8 %x", "%r: int = field 16 %a"),
        ("rewrites", "a field of low bits at 5 bits"),
    ),
    Damage(
        "the low bits of a field are the number's, however short it is",
        "idiom",
        (RuleDamage("the low bits of a field", {"when": lambda i, j: True}),),
        ir_of("%x: int", "%a: int = field 8 %x", "%r: int = low 16 %a"),
        ("rewrites", "the low bits of a field at 5 bits"),
    ),
    Damage(
        "the wider of two fields stays",
        "idiom",
        (RuleDamage("a field of a field", {"derive": lambda i, j: {"k": max(i, j)}}),),
        ir_of("%x: int", "%a: int = field 8 %x", "%r: int = field 16 %a"),
        ("rewrites", "a field of a field at 5 bits"),
    ),
    Damage(
        "a sign is deposited from any bit",
        "idiom",
        (RuleDamage("the sign, deposited", {"when": lambda k, one, s, c: one == 1 and c == -1 << k}),),
        lisp_function(
            "x:integer", "(logior (logand (- (ldb (byte 1 0) (ash x -6))) -256) (ldb (byte 8 0) x))"
        ),
        ("rewrites", "the sign, deposited above at 8 bits"),
    ),
    Damage(
        "a rotation asks nothing about the bits above it",
        "idiom",
        tuple(RuleDamage(f"a rotation joined by {join}", {"modulo": None}) for join in ("ior",)),
        lisp_function(ROTATED, "(logior (ash x n) (ash x (- n 32)))"),
        ("rewrites", "a rotation joined by ior at 5 bits"),
    ),
    Damage(
        "a rotation's counts may differ by one less",
        "idiom",
        (
            Edit(
                "rewrite.idiom._Finder._rotated",
                "k = constant_y - constant_z",
                "k = constant_y - constant_z + 1",
            ),
        ),
        lisp_function(f"x:{U32}", "(ldb (byte 32 0) (logior (ash x 7) (ash x -24)))"),
    ),
    Damage(
        "a rotation of a number one bit longer than the word",
        "idiom",
        (Edit("rewrite.idiom._Finder._rotated", "inside.high <= below(k)", "inside.high <= below(k + 1)"),),
        lisp_function("x:(unsigned-byte 33)|n:(integer 0 32)", JOIN),
    ),
    Damage(
        "a rotation's count may be beyond the word",
        "idiom",
        (Edit("rewrite.idiom._Finder._rotated", "count.high <= high", "count.high <= high + 8"),),
        lisp_function(f"x:{U32}|n:(integer 0 40)", JOIN),
    ),
    Damage(
        "a rotation's counts are of two numbers, or of one and what it is negated",
        "idiom",
        (
            Edit(
                "rewrite.idiom._Finder._rotated",
                "base_y is not base_z or sign_y",
                "base_y is not base_z and sign_y",
            ),
        ),
        lisp_function(f"x:{U32}|n:(integer 0 32)|m:(integer 0 32)", JOIN.replace("(- n", "(- m")),
    ),
    Damage(
        "bytes of two places are joined",
        "idiom",
        (Edit("rewrite.idiom._Finder._gather", "p[:2] != (base, sign) for p", "False for p"),),
        lisp_function(
            f"a:{BYTES}|i:(integer 0 3)|j:(integer 0 3)", "(logior (aref a i) (ash (aref a (+ j 1)) 8))"
        ),
    ),
    Damage(
        "a byte that is moved down may be one of a word",
        "idiom",
        (Edit("rewrite.idiom._Finder._leaves", "by is None or by < 0 or", "by is None or"),),
        lisp_function(f"a:{BYTES}", "(logior (ash (ash (aref a 0) -3) 3) (ash (aref a 1) 8))"),
    ),
    Damage(
        "modulo one less than a power of two is modulo that",
        "idiom",
        (
            RuleDamage(
                "modulo a power of two", {"when": lambda c: c > 0, "derive": lambda c: {"k": c.bit_length()}}
            ),
        ),
        lisp_function("x:integer", "(mod x 255)"),
        ("rewrites", "modulo a power of two at 5 bits"),
    ),
    Damage(
        "a count that is subtracted is taken for one that is added",
        "idiom",
        (Edit("rewrite.idiom._Finder._linear", "return b[0], turn * b[1]", "return b[0], b[1]"),),
        lisp_function(
            f"x:{U32}|n:(integer 0 15)", "(ldb (byte 32 0) (logior (ash x (+ n 16)) (ash x (- -16 n))))"
        ),
    ),
    Damage(
        "bytes are joined in the other order",
        "idiom",
        (
            Edit(
                "rewrite.idiom._Finder._gather",
                "shifts == [8 * at for at in range(count)]",
                "shifts == [8 * at for at in range(count)][::-1]",
            ),
        ),
        lisp_function(f"a:{BYTES}", "(logior (ash (aref a 0) 8) (aref a 1))"),
    ),
    Damage(
        "bytes are joined across a store",
        "idiom",
        (Edit("rewrite.idiom._Finder._gather", '("store", "call")', '("call",)'),),
        lisp_function(
            f"a:{BYTES}|x:{U8}", "(let ((b (aref a 0))) (setf (aref a 0) x) (logior b (ash (aref a 1) 8)))"
        ),
    ),
    Damage(
        "a byte that is used elsewhere goes with the others",
        "idiom",
        (
            Edit(
                "rewrite.idiom._Finder._gather",
                "if any(self.uses[part.result] != 1 for part in parts):",
                "if False:",
            ),
        ),
        lisp_function(f"a:{BYTES}", "(let ((b (aref a 0))) (values (logior b (ash (aref a 1) 8)) b))"),
    ),
    # Leaving out
    Damage(
        "dead code: a division that may trap",
        "simplify",
        (Edit("rewrite.simplify.has_effect", "return known is None or 0 in known", "return False"),),
        lisp_function(f"x:{U8}|y:{U8}", "(floor x y) x"),
    ),
    Damage(
        "dead code: a store",
        "simplify",
        (Entry(simplify.TRAPPING, "store"),),
        lisp_function(f"a:{BYTES}", "(setf (aref a 0) 1) 5"),
    ),
    Damage(
        "dead code: a check that may fail",
        "simplify",
        (
            Edit(
                "rewrite.simplify.has_effect",
                "return known is None or not known.within(instruction.attribute)",
                "return False",
            ),
        ),
        lisp_function(f"x:{U16}", f"(the {U8} x) 5"),
    ),
    Damage(
        "a check is left out if the lower end fits",
        "simplify",
        (Edit("facts.plan.Range.within", "(self.high is not None and self.high <= type_.high)", "True"),),
        lisp_function(f"x:{U16}", f"(the {U8} x)"),
    ),
    Damage(
        "a decided branch goes the other way",
        "simplify",
        (
            Edit(
                "rewrite.simplify._fold",
                "Jump(end.then if decided[end.condition] else end.otherwise)",
                "Jump(end.otherwise if decided[end.condition] else end.then)",
            ),
        ),
        lisp_function(f"x:{U8}", "(if (< x 300) x 7)"),
    ),
    Damage(
        "two numbers are taken for one",
        "simplify",
        (Edit("rewrite.simplify._constant", "known.low != known.high", "known.high != known.low + 1"),),
        lisp_function("x:integer", "(logand x 1)"),
    ),
    Damage(
        "the second way of a branch is never taken",
        "simplify",
        (Edit("rewrite.simplify._drop_unreachable", ".edges:", ".edges[:1]:"),),
        lisp_function(f"x:{U8}", "(if (< x 30) 1 2)"),
    ),
    Damage(
        "a merged block's parameters are forgotten",
        "simplify",
        (Edit("rewrite.simplify._merge", "new.update(zip(after.params, edge.args, strict=True))", "pass"),),
        lisp_function(f"x:{U8}", "(g x x)", CALLED % "(+ a b)"),
    ),
    Damage(
        "a parameter is what the first way passes",
        "simplify",
        (
            Edit(
                "rewrite.simplify._drop_same_params",
                "for edge in into[block]} - {param}",
                "for edge in into[block][:1]} - {param}",
            ),
        ),
        lisp_function(f"x:{U8}", "(let ((a 0)) (when (> x 3) (setq a x)) a)"),
    ),
    Damage(
        "a dropped block parameter: the last argument goes in its place",
        "simplify",
        (Edit("rewrite.simplify._drop_dead", "del edge.args[at]", "del edge.args[-1]"),),
        lisp_function(
            "n:(unsigned-byte 4)", "(let ((d 1) (s 0)) (dotimes (i n) (setq d (+ d 2)) (setq s (+ s i))) s)"
        ),
    ),
    Damage(
        "a value is replaced where it is computed with, not where it is passed",
        "simplify",
        (Edit("ir.form.Function.replace_uses", "edge.args = [final(arg) for arg in edge.args]", "pass"),),
        lisp_function(
            f"x:{U8}|n:(unsigned-byte 4)",
            "(let ((s (g x x))) (dotimes (i n) (setq s (+ s i))) s)",
            CALLED % "(+ a b)",
        ),
    ),
    # In the place of calls
    Damage(
        "inline: two arguments change places",
        "inline",
        (
            Edit(
                "ir.inline._copy",
                "dict(zip(callee.params, call.args, strict=True))",
                "dict(zip(callee.params, call.args[::-1], strict=True))",
            ),
        ),
        lisp_function(f"x:{U8}|y:{U8}", "(g x y)", CALLED % "(- a b)"),
    ),
    Damage(
        "inline: two results change places",
        "inline",
        (Edit("ir.inline._copy", "for r in results])", "for r in results[::-1]])"),),
        lisp_function(
            f"x:{U8}|y:{U8}", "(multiple-value-bind (p q) (g x y) (- p q))", CALLED % "(values a b)"
        ),
    ),
    Damage(
        "inline: a branch's ways change places",
        "inline",
        (Edit("ir.inline._copy", "edge(then), edge(otherwise)", "edge(otherwise), edge(then)"),),
        lisp_function(f"x:{U8}|y:{U8}", "(g x y)", CALLED % "(if (< a b) (aref #(1 2) 0) 7)"),
    ),
    Damage(
        "inline: what follows the call begins one instruction later",
        "inline",
        (
            Edit(
                "ir.inline._inline_into", "block.instructions[index + 1 :]", "block.instructions[index + 2 :]"
            ),
        ),
        lisp_function(
            f"x:{U8}|y:{U8}|a:{BYTES}", "(setf (aref a 0) (logand 255 (g x y))) 3", CALLED % "(+ a b)"
        ),
    ),
    # Demands and containers
    Damage(
        "a sum asks for one bit less",
        "demand",
        (
            Edit(
                "facts.demand._Analysis.asked",
                "else below(bits)] * len(args)",
                "else below(bits - 1)] * len(args)",
            ),
        ),
        lisp_function("x:integer|y:integer", "(ldb (byte 16 0) (+ x y))"),
        ("demanded", "+, -, neg at 5 bits"),
    ),
    Damage(
        "a field does not ask for its sign",
        "demand",
        (Edit("facts.demand._Analysis.asked", "(sign if wanted & ~(sign - 1) else 0)", "0"),),
        ir_of("%x: int", "%a: int = field 16 %x", "%r: int = low 32 %a"),
        ("demanded", "fields at 5 bits"),
    ),
    Damage(
        "a shift to the right asks for one bit less",
        "demand",
        (Edit("facts.demand._Analysis._shifted", "wanted << -count.low", "wanted << -count.low >> 1"),),
        lisp_function("x:integer", "(ldb (byte 8 0) (ash x -3))"),
        ("demanded", "shifts at 5 bits"),
    ),
    Damage(
        "a rotation does not ask for its count",
        "demand",
        (
            Edit(
                "facts.demand._Analysis.asked",
                "below(instruction.attribute) if wanted else 0, EVERYTHING if wanted",
                "below(instruction.attribute) if wanted else 0, 0 if wanted",
            ),
        ),
        ir_of("%x: u32, %n: int", "%r: int = rotl 32 %x, %n"),
        ("demanded", "shifts at 5 bits"),
    ),
    Damage(
        "a check that may fail looks at the bits that are asked for",
        "demand",
        (
            Edit(
                "facts.demand._Analysis.asked",
                "[wanted if self.proven(instruction) else EVERYTHING]",
                "[wanted]",
            ),
        ),
        lisp_function("x:integer", f"(ldb (byte 4 0) (the {U8} x))"),
    ),
    Damage(
        "a quotient asks for as many bits as are asked of it",
        "demand",
        (
            Edit(
                "facts.demand._Analysis.asked",
                "return [EVERYTHING] * len(args)",
                "return [wanted] * len(args)",
            ),
        ),
        lisp_function(f"x:{S32}|y:{S32}", "(ldb (byte 8 0) (floor (+ x y) 3))"),
    ),
    Damage(
        "a quotient asks for as many bits as are asked of it, and a rotation believes it",
        "demand",
        (
            Edit(
                "facts.demand._Analysis.asked",
                "return [EVERYTHING] * len(args)",
                "return [wanted] * len(args)",
            ),
        ),
        lisp_function(ROTATED, "(ldb (byte 8 0) (floor (logior (ash x n) (ash x (- n 32))) 3))"),
    ),
    Damage(
        "a signed number's word has no room for its sign",
        "demand",
        (Edit("machine.form.word_of", "max(~low, high).bit_length() + 1", "max(~low, high).bit_length()"),),
        lisp_function("x:(integer -200 200)", "(* x x)"),
        ("demanded", "exact at 8 bits"),
    ),
    Damage(
        "a constant beside an operator hides the bits that it shows",
        "demand",
        (
            Edit(
                "facts.demand._Analysis._matters",
                "(~constant if at_0 else 0) | (constant if at_1 else 0)",
                "(constant if at_0 else 0) | (~constant if at_1 else 0)",
            ),
        ),
        lisp_function("x:integer|y:integer", "(ldb (byte 16 0) (logand (+ x y) 61680))"),
        ("demanded", "operators at 5 bits"),
    ),
    Damage(
        "a container one bit too narrow",
        "cut",
        (Edit("rewrite.cut.container", "word(bits)", "word(bits - 1)"),),
        lisp_function("x:integer|y:integer", "(ldb (byte 9 0) (+ x y))"),
    ),
    Damage(
        "what a loop passes around is held in words of several widths, the narrowest",
        "cut",
        (Edit("rewrite.cut.choose", "max(containers[value]", "min(containers[value]"),),
        lisp_function(
            "n:(unsigned-byte 4)|x:(unsigned-byte 64)",
            "(let ((a 0) (b 0)) (dotimes (i n) (psetq a b b (+ b x)))"
            " (values (ldb (byte 8 0) a) (ldb (byte 40 0) b)))",
        ),
    ),
    # Arrays of integers of any size, as arrays of words
    Damage(
        "what is stored is only held against the lower end",
        "elements",
        (Edit("rewrite.elements._fits", " and known.high in type_", ""),),
        lisp_function(f"x:{U16}|n:(integer 0 3)", STORED % "(setf (aref a n) x)"),
    ),
    Damage(
        "what an array is made of is not looked at",
        "elements",
        (Edit("rewrite.elements._writes", '("new", "store")', '("store",)'),),
        lisp_function(f"x:{U8}|n:(integer 0 3)", STORED.replace("7", "700") % "(setf (aref a n) x)"),
    ),
    Damage(
        "what is loaded has the type that was tried first",
        "elements",
        (Edit("rewrite.elements.narrowed", "if not moved:", "if True:"),),
        lisp_function(f"x:{U16}|n:(integer 0 3)", STORED % "(setf (aref a n) x)"),
    ),
    Damage(
        "an array that is handed on is another",
        "elements",
        (Edit("rewrite.elements._classes", "join(param, passed)", "pass"),),
        lisp_function(
            f"x:{U16}|n:(integer 0 3)",
            STORED % "(let ((b (if (> n 1) a (vector 1 2 3 4)))) (setf (aref b n) x))",
        ),
    ),
    # (of no elements: what reads them would read beyond)
    Damage(
        "an array that is passed to a function stays within",
        "elements",
        (
            Edit(
                "rewrite.elements._classes", 'join(i.results[0] if i.op == "select" else None, value)', "pass"
            ),
        ),
        lisp_function(
            f"n:{U8}",
            "(g (make-array 0 :initial-element 7) n)",
            "(defun g (a n) (declare (type simple-vector a) (type (unsigned-byte 8) n))"
            " (if (> n 0) (g a (- n 1)) (length a)))\n",
        ),
    ),
    Damage(
        "an array that is returned stays within",
        "elements",
        (Edit("rewrite.elements._classes", "join(None, value)", "pass"),),
        lisp_function(f"x:{U16}", "(make-array 0 :initial-element x)"),
    ),
    # Small arrays as values, long numbers as limbs
    Damage(
        "a store goes to the element before",
        "scalars",
        (
            Edit(
                "rewrite.scalars._take_out",
                "elements[array][constants[i.args[1]]] = of",
                "elements[array][constants[i.args[1]] - 1] = of",
            ),
        ),
        lisp_function(f"x:{U8}", SHORT % "(setf (aref a 1) x)"),
    ),
    Damage(
        "what is stored is no longer held against the elements' type",
        "scalars",
        (Edit("rewrite.scalars._take_out", "if array.type == Array(INT):", "if True:"),),
        lisp_function(f"x:{U16}", SHORT % "(setf (aref a 1) x)"),
    ),
    Damage(
        "a number is folded once less",
        "limbs",
        (Edit("rewrite.limbs.folds", "while most >= 2 * modulus:", "while most >= modulus << 6:"),),
        lisp_function("x:(unsigned-byte 130)|y:(unsigned-byte 124)", "(mod (* x y) (- (expt 2 130) 5))"),
        ("rewrites", "modulo 2^3 - c by folds"),
    ),
    # Ranges: the passes' alone, and the same in the checker's
    Damage(
        "a sum's range ends one too low",
        "ranges",
        (Edit("facts.transfer.add", "else a.high + b.high", "else a.high + b.high - 1"),),
        lisp_function(f"x:{U8}|y:{U8}", "(+ x y)"),
        ("transfers", "add"),
    ),
    Damage(
        "a sum's set ends one too low, for the checker",
        "check",
        (Edit("trust.bounds.add", "else a[1] + b[1]", "else a[1] + b[1] - 1"),),
        lisp_function(f"x:{U8}|y:{U8}", "(+ x y)"),
        ("transfers", "add"),
    ),
    Damage(
        "a sum's range ends one too low, for both",
        "ranges",
        (
            Edit("facts.transfer.add", "else a.high + b.high", "else a.high + b.high - 1"),
            Edit("trust.bounds.add", "else a[1] + b[1]", "else a[1] + b[1] - 1"),
        ),
        lisp_function("x:(integer 0 128)|y:(integer 0 128)", "(+ x y)"),
        ("transfers", "add"),
    ),
    Damage(
        "a difference's range begins one too high, for both",
        "ranges",
        (
            Edit("facts.transfer.sub", "else a.low - b.high", "else a.low - b.high + 1"),
            Edit("trust.bounds.sub", "else a[0] - b[1]", "else a[0] - b[1] + 1"),
        ),
        lisp_function("x:(integer 0 127)|y:(integer 0 128)", "(- x y)"),
        ("transfers", "sub"),
    ),
    Damage(
        "floor for truncate, for both",
        "ranges",
        (
            Entry(transfer.BINARY, "tdiv", transfer.BINARY["fdiv"]),
            Entry(bounds.BINARY, "tdiv", bounds.BINARY["fdiv"]),
        ),
        lisp_function("x:(integer 1 2)", "(values (truncate x -3))"),
        ("transfers", "tdiv"),
    ),
    Damage(
        "a length in bits is one short, for both",
        "ranges",
        (
            Edit("facts.transfer.bitlen", "max(ends))", "max(ends) - 1)"),
            Edit("trust.bounds.bitlen", "max(ends))", "max(ends) - 1)"),
        ),
        lisp_function(f"x:{U8}", "(if (= 8 (integer-length x)) 1 2)"),
        ("transfers", "bitlen"),
    ),
    Damage(
        "a rotation has one bit less, for both",
        "ranges",
        (
            Edit(
                "facts.ranges._Analysis._yields",
                "transfer.make(0, (1 << attribute) - 1)",
                "transfer.make(0, (1 << attribute - 1) - 1)",
            ),
            Edit(
                "trust.check._Ranges._yields",
                "bounds.within(0, (1 << attribute) - 1)",
                "bounds.within(0, (1 << attribute - 1) - 1)",
            ),
        ),
        ir_of(
            "%x: u8, %n: u8", "%a: int = rotl 8 %x, %n", "%b: int = rotl 16 %x, %n", "%r: int = add %a, %b"
        ),
    ),
    Damage(
        "at most is taken for less",
        "ranges",
        (Edit("facts.ranges.related", 'relation == "le"', "False"),),
        lisp_function("x:(integer 7 9)|y:(integer 0 7)", "(if (<= x y) 1 2)"),
        ("branches", "le, as the passes"),
    ),
    Damage(
        "at most is taken for less, for both",
        "ranges",
        (
            Edit("facts.ranges.related", 'relation == "le"', "False"),
            Edit("trust.check._Ranges._learn", 'gap = 1 if relation == "lt" else 0', "gap = 1"),
        ),
        lisp_function(f"x:{U8}|a:{BYTES}", "(if (<= x 10) (if (= (+ x 1) 11) 5 6) 7)"),
        ("branches", "le, as"),
    ),
    Damage(
        "a branch's outcomes change places",
        "ranges",
        (
            Edit(
                "facts.ranges._Analysis._learn",
                "made_by.op if truth else INVERSE[made_by.op]",
                "INVERSE[made_by.op] if truth else made_by.op",
            ),
        ),
        lisp_function(f"x:{U8}", "(if (< x 100) (+ x 156) 1)"),
        ("branches", "lt, as the passes"),
    ),
    Damage(
        "a fact of one way is kept where two ways meet",
        "ranges",
        (Edit("facts.ranges._joined", "(other := b[v])", "(other := b.get(v, r))", " if v in b}", "}"),),
        lisp_function(f"x:{U8}|y:{U8}", "(let ((z (if (= y 0) 7 (the (unsigned-byte 4) x)))) (+ z (* x x)))"),
    ),
    Damage(
        "a fact is kept where its value is made anew, for both",
        "ranges",
        (
            Edit(
                "trust.check._Ranges._edge",
                "self._known(passed.get(value, value), known)",
                "self._known(value, known)",
            ),
            Edit(
                "facts.ranges._Analysis._enter",
                "= _joined(joined, facts)",
                "= facts | _joined(joined, facts)",
            ),
        ),
        lisp_function(
            "n:(unsigned-byte 4)", "(let ((s 0)) (do ((i 0 (+ i 1))) ((>= i n) i) (setq s (+ s i))))"
        ),
    ),
    # The checker's bits
    Damage(
        "a sum of wrong bits has right ones above",
        "check",
        (Edit("trust.check._up_to_the_first_gap", "return gap - 1 if gap else ALL", "return bits"),),
        lisp_function("x:integer|y:integer", "(ldb (byte 16 0) (+ x y))"),
        ("bits", "+, -, x, neg at 3 bits"),
    ),
    Damage(
        "a sum asks for one bit less, and the checker lets it",
        "check",
        (
            Edit(
                "facts.demand._Analysis.asked",
                "else below(bits)] * len(args)",
                "else below(bits - 1)] * len(args)",
            ),
            Edit(
                "trust.check._up_to_the_first_gap",
                "return gap - 1 if gap else ALL",
                "return bits | 2 * bits + 1",
            ),
        ),
        lisp_function("x:integer|y:integer", "(ldb (byte 16 0) (+ x y))"),
        ("bits", "+, -, x, neg at 3 bits"),
    ),
    Damage(
        "a field does not ask for its sign, and the checker lets it",
        "check",
        (
            Edit("facts.demand._Analysis.asked", "(sign if wanted & ~(sign - 1) else 0)", "0"),
            Edit("trust.check._Bits._derived", "(-sign if right[args[0]] & sign else 0)", "-sign"),
        ),
        ir_of("%x: int", "%a: int = field 16 %x", "%r: int = low 32 %a"),
        ("bits", "fields, shifts, rotations, select at 3"),
    ),
    # Order, and the first round apart
    Damage(
        "less is at most",
        "order",
        (Entry(order.LESS, "lt", 0),),
        ORDERED % ("le %x, %y", "add %x, %1", "lt %x, %y"),
        ("order", "lt is a fact"),
    ),
    Damage(
        "a fact reaches one farther",
        "order",
        (Edit("facts.order.Order._reaches", "wanted - 1) >= wanted", "wanted - 2) >= wanted - 1"),),
        ORDERED % ("lt %x, %y", "add %x, %1", "lt %z, %y"),
    ),
    Damage(
        "a branch says on one way what holds on the other",
        "order",
        (Edit("facts.order.Order._entering", "end.then.block is block", "end.then.block is not block"),),
        ORDERED % ("ge %x, %y", "add %x, %1", "le %z, %y"),
    ),
    Damage(
        "a number is congruent to another of which no bit is known",
        "order",
        (Edit("facts.order.Order._put", "min(bits_x, bits_y)", "max(bits_x, bits_y)"),),
        ORDERED % ("lt %x, %8", "add %x, %1", "le %z, %1"),
    ),
    Damage(
        "what a round passes on is forgotten",
        "peel",
        (
            Edit(
                "rewrite.peel._peel",
                "blocks.get(old.block, old.block), of(old.args))",
                "blocks.get(old.block, old.block), old.args)",
            ),
        ),
        SEEDED,
    ),
    Damage(
        "behind the loop is what the first round was given",
        "peel",
        (
            Edit(
                "rewrite.peel._meet",
                "way.block, way.args = meeting, list(behind)",
                "way.block, way.args = meeting, list(behind)[::-1]",
            ),
        ),
        SEEDED,
    ),
    # In parts
    Damage(
        "a sum in parts forgets what the lower ones carry",
        "parts",
        (Edit("rewrite.parts._in_two", 'emit("shift", below, count)]', 'emit("const", attribute=0)]'),),
        SUMMED,
    ),
    Damage(
        "the lower parts are a bit short",
        "parts",
        (
            Edit(
                "rewrite.parts._in_two",
                'emit("low", x, attribute=bits), emit("low", y',
                'emit("low", x, attribute=bits - 1), emit("low", y',
            ),
        ),
        SUMMED,
    ),
    Damage(
        "the parts of a difference's lower halves are added",
        "parts",
        (
            Edit(
                "rewrite.parts._in_two",
                'below = emit(total.op, emit("low", x',
                'below = emit("add", emit("low", x',
            ),
        ),
        SUMMED.replace("(+ ", "(- "),
    ),
    Damage(
        "what was moved up and is moved down counts for the first alone",
        "parts",
        (Edit("rewrite.parts._joined", "moved(made.args[0], by + count)", "moved(made.args[0], by)"),),
        lisp_function(
            f"x:{U64}|y:{U64}|z:{U64}",
            "(ldb (byte 64 0) (ash (logior (ash x 100) (ash y 64) z) -64))",
        ),
    ),
    # Counters and lengths
    Damage(
        "a counter follows another by its own start",
        "counters",
        (Edit("rewrite.counters._Counters._together", "start - step * by * begin", "start"),),
        COUNTED % "from 7 below n",
    ),
    Damage(
        "a counter that goes the other way is in step",
        "counters",
        (Edit("rewrite.counters._Counters._together", "return step * by,", "return step,"),),
        COUNTED % "from 99 above n",
    ),
    Damage(
        "a new array is as long as its first element says",
        "lengths",
        (Edit("rewrite.lengths._say", '"assume", [i.args[0]]', '"assume", [i.args[1]]'),),
        GROWN,
    ),
    Damage(
        "a length that is passed is another's",
        "lengths",
        (
            Edit(
                "rewrite.lengths._pass",
                "length = found.get(array)",
                "length = found.get(param) and found[param]",
            ),
        ),
        GROWN,
    ),
    # The meaning
    Damage(
        "floor for truncate, where the IR's meaning is said",
        "interpret",
        (Edit("ir.interpret.tdiv", "abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)", "a // b"),),
        lisp_function(f"x:{S8}", "(values (truncate x 3))"),
        ("transfers", "tdiv"),
    ),
    # Lowering; more of its damages are in ring_words_damage.py
    Damage(
        "a sign is not extended",
        "lower",
        (Edit("lower.values.Values.resize", '"sext" if negative else "zext"', '"zext"'),),
        lisp_function(f"x:{S8}", "(* x 300)"),
    ),
    Damage(
        "a constant is 0 where a big value is wanted",
        "lower",
        (Edit("lower.values.Values.big", "Const(BIG, self.constants[value])", "Const(BIG, 0)"),),
        lisp_function("x:integer", "(* x 300)"),
    ),
    Damage(
        "a comparison with what is below 0 is unsigned",
        "lower",
        (Edit("lower.checks.compare", "any(r.negative for r in known)", "False"),),
        lisp_function(f"x:{S8}|y:{S8}", "(if (< x y) x y)"),
    ),
    Damage(
        "an index is within where its last byte is not",
        "lower",
        (Edit("lower.arrays._within", "known.high <= least - count", "known.high <= least - 1"),),
        lisp_function(
            "i:(integer 0 3)",
            "(let ((a (make-array 4 :element-type '(unsigned-byte 8) :initial-element 7)))"
            " (setf (aref a (logxor i 1)) i)"
            " (logior (aref a i) (ash (aref a (+ i 1)) 8)))",
        ),
    ),
    # Lanes
    Damage(
        "where ways meet, the first one's word is taken for all",
        "lanes",
        (Edit("machine.lanes._Lanes._selected", "if arg != args[0]:", "if False:"),),
        lisp_function(f"x:{U32}|y:{U32}", "(if (< x y) (- y x) (logand x 255))"),
    ),
    Damage(
        "a check is asked of inputs that do not come to it",
        "lanes",
        (Edit("machine.lanes._Lanes._and", "if mask is None:", "if True:"),),
        lisp_function(f"x:{U8}|y:{U8}", "(if (> x 9) (values (floor x y)) x)"),
    ),
]
