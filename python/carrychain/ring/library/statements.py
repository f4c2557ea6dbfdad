"""A function of machine IR as a function of C: its statements, variables and comments.

A word that is used once, in its block, becomes part of the expression that uses it, unless it has a name in
the source, or the expression grows long. What reads memory is not moved over what may write it. A parameter
of a block is a variable that jumps to the block assign.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from ..front.ssa import basic
from ..ir.form import Function, Instruction, Position, Value
from ..lower.module import LoweredModule
from ..machine.form import (
    ARRAY,
    EFFECTS,
    Const,
    MachineBlock,
    MachineFail,
    MachineFunction,
    MachineJump,
    MachineReturn,
    MachineTerminator,
    Op,
    Operand,
    Site,
    Word,
    given_slots,
)
from .expressions import Expressions, Text, c_type, constant, operand_text
from .implied import implied
from .interface import c_name, own_position
from .structure import Lines, Structured

# The most characters of an expression that becomes part of another one.
LONG = 60
# Operations that yield a word and have no effect but to read memory.
READING = frozenset(("load", "bytes"))
ARRAY_TYPE = "struct cc_array"


class SourceNames:
    """Names of words in a function's source, and the lines that they come from."""

    def __init__(self, words: LoweredModule, function: Function):
        self.named: dict[Word, str] = {}
        self.position: dict[Word, tuple[Position, ...]] = {}
        made: dict[Value, Instruction] = {r: i for i in function.instructions() for r in i.results}
        witness = words.witnesses[function.name]
        machine = words.module.functions[function.name]
        pairs = [*zip(function.params, machine.params, strict=True)]
        for block, of in witness.begins.items():
            if of is not function.blocks[0]:
                pairs += zip(of.params, block.params, strict=True)
        for _, results in witness.lowered.values():
            pairs += results.items()
        for value, word in pairs:
            if not isinstance(word, Word):
                continue
            name = basic(value.name)
            if not name.strip("_").isdigit():
                self.named.setdefault(word, c_name(name))
            if value in made and (position := made[value].position):
                self.position.setdefault(word, _shown(position))


class FunctionSource:
    """`site` numbers a check; `told` is its comment; `called` gives a function's name in C.

    `kernel`: for Linux.
    """

    def __init__(
        self,
        function: MachineFunction,
        name: str,
        names: SourceNames,
        site: Callable[[Site], int],
        told: Callable[[Site], str],
        called: Callable[[str], str],
        table: Callable[[str], tuple[str, int]],
        quoted: Callable[[Position], str],
        taken: set[str],
        kernel: bool = False,
    ):
        self.early = kernel  # all variables are declared first
        self.function, self.name, self.names = function, name, names
        self.site, self.told, self.called, self.table, self.quoted = site, told, called, table, quoted
        self.taken = set(taken) | {"failed", *(f"slot{at}" for at in range(function.slots))}
        self.implied = implied(function)
        self.uses = _uses(function, self.implied)
        self.home = {word: block for block in function.blocks for op in block.ops for word in op.results}
        self.local = self._local()
        self.texts: dict[Word, Text] = {}
        self.pending: dict[Word, Text] = {}
        self.declared: list[str] = []
        self.expressions = Expressions(self.of, kernel)
        self.frames = 0
        self.out = Lines()
        self.lines: list[tuple[str, int]] = []  # that were quoted last

    def _local(self) -> set[Word]:
        """The words that only their own blocks use."""
        found = set(self.home)
        for block in self.function.blocks:
            for each in (*block.ops, block.end):
                found -= {arg for arg in _needed(each) if self.home.get(arg) is not block}
        return found

    # text -----------------------------------------------------------------------------------------------

    def of(self, operand: Operand) -> Text:
        if isinstance(operand, Word) and operand in self.pending:
            return self.pending.pop(operand)
        return operand_text(operand, self.texts)

    def fresh(self, word: Word, base: str = "") -> str:
        base = base or self.names.named.get(word) or f"t{word.number}"
        name, at = base, 2
        while name in self.taken:
            name, at = f"{base}_{at}", at + 1
        self.taken.add(name)
        return name

    def kind(self, word: Word) -> str:
        return ARRAY_TYPE if word.type == ARRAY else c_type(word.type)

    def variable(self, word: Word) -> str:
        """Declares a variable at the function's beginning."""
        name = self.fresh(word)
        self.declared.append(f"{self.kind(word)} {name};")
        self.texts[word] = Text(name)
        return name

    def declare(self, word: Word, name: str) -> None:
        """Declares what a call stores to."""
        none = "{NULL, 0, NULL}" if word.type == ARRAY else "0"
        self.declared.append(f"{self.kind(word)} {name} = {none};")
        self.texts[word] = Text(name)

    def assign(self, word: Word, text: Text) -> None:
        if not self.uses[word]:
            return
        self.comment(word)
        if word in self.local:
            self.texts[word] = Text(self.keep(self.kind(word), self.fresh(word), text.text))
        else:
            self.out.add(f"{self.variable(word)} = {text.text};")

    def keep(self, kind: str, name: str, text: str) -> str:
        """A variable that is assigned once."""
        if self.early:
            self.declared.append(f"{kind} {name};")
            self.out.add(f"{name} = {text};")
        else:
            self.out.add(f"const {kind} {name} = {text};")
        return name

    def comment(self, word: Word) -> None:
        """The source's line, before the first statement that comes from it; and that of the call there."""
        positions = self.names.position.get(word)
        if positions is None:
            return
        lines = [(each.file, each.line) for each in positions]
        for at, position in enumerate(positions):
            if lines[: at + 1] != self.lines[: at + 1] and (quoted := self.quoted(position)):
                self.out.add(f"/* {quoted} */")
        self.lines = lines

    def define(self, word: Word, text: Text) -> None:
        named = word in self.names.named and word not in self.home[word].end.args
        if (
            self.uses[word] == 1
            and word in self.local
            and not named
            and len(text.text) <= LONG
            and word.type != ARRAY
        ):
            self.pending[word] = text
        else:
            self.assign(word, text)

    def flush(self) -> None:
        """Reads what is to be read before memory changes."""
        for word in [word for word, text in self.pending.items() if text.loads]:
            self.assign(word, self.pending.pop(word))

    # the function ---------------------------------------------------------------------------------------

    def head(self) -> str:
        params = [f"{self.kind(word)} {self.texts[word].text}" for word in self.function.params]
        params += [f"{ARRAY_TYPE if type_ == ARRAY else c_type(type_)} *{name}"
                   for name, type_ in zip(self.results, self.function.results, strict=True)]  # fmt: skip
        return f"static unsigned int {self.name}({', '.join(params) or 'void'})"

    def emit(self) -> str:
        for word in self.function.params:
            self.texts[word] = Text(self.fresh(word))
        count = len(self.function.results)
        self.results = [
            self.fresh(None, "result" if count == 1 else f"result_{at + 1}") for at in range(count)
        ]
        for block in self.function.blocks:
            for word in block.params:
                if self.uses[word]:
                    self.texts[word] = Text(self.variable(word), reads=frozenset((word,)))
        Structured(self.function, self.out, self.statements, self.passed, self.ended)
        body = self.out.lines
        if self.function.slots:
            if body and body[-1].strip() == "goto leave;":
                body.pop()
            slots = [f"slot{at}" for at in range(self.function.slots)]
            slots = [slot for slot in slots if any(re.search(rf"\b{slot}\b", line) for line in body)]
            self.declared += [f"struct cc_made *{slot} = NULL;" for slot in slots]
            self.declared.append("unsigned int failed;")
            body += ["leave:", *(f"\tcc_release({slot});" for slot in slots), "\treturn failed;"]
        declared = [f"\t{each}" for each in self.declared]
        unused = [f"\t(void){self.texts[word].text};" for word in self.function.params if not self.uses[word]]
        body = unused + body
        return "\n".join([self.head(), "{", *declared, *([""] if declared else []), *body, "}", ""])

    def statements(self, block: MachineBlock) -> Text | None:
        for op in block.ops:
            self.operation(op)
        end = block.end
        found = self.of(end.condition) if hasattr(end, "condition") else None
        return found

    def passed(self, to: MachineBlock, args: list[Operand]) -> None:
        """Assigns the parameters, all at once."""
        rest = {}
        for param, arg in zip(to.params, args, strict=True):
            if arg is not param and self.uses[param]:
                rest[param] = self.expressions.second(arg)
        while rest:
            free = next(
                (p for p in rest if not any(p in t.reads for q, t in rest.items() if q is not p)), None
            )
            if free is None:
                # a cycle: the first one's value is kept
                param = next(iter(rest))
                name = self.fresh(param, f"old_{self.texts[param].text}")
                self.keep(self.kind(param), name, self.texts[param].text)
                old = self.texts[param].text
                rest = {q: _renamed(t, param, old, name) for q, t in rest.items()}
                continue
            self.out.add(f"{self.texts[free].text} = {rest.pop(free).text};")

    def ended(self, end: MachineReturn | MachineFail) -> None:
        if isinstance(end, MachineFail):
            self.fail(end.site)
            return
        for name, arg in zip(self.results, end.args, strict=True):
            self.out.add(f"*{name} = {self.of(arg).text};")
        if self.function.slots:
            self.out.add("failed = 0;")
            self.out.add("goto leave;")
        else:
            self.out.add("return 0;")

    def fail(self, site: Site) -> None:
        number, note = self.site(site), self.told(site)
        if self.function.slots:
            self.out.add(f"failed = {number}; /* {note} */")
            self.out.add("goto leave;")
        else:
            self.out.add(f"return {number}; /* {note} */")

    def refuse(self, condition: str, site: Site) -> None:
        self.out.add(f"if ({condition}) {{")
        self.out.depth += 1
        self.fail(site)
        self.out.depth -= 1
        self.out.add("}")

    # operations -----------------------------------------------------------------------------------------

    def operation(self, op: Op) -> None:
        if op in self.implied or (op.op not in EFFECTS and not any(self.uses[word] for word in op.results)):
            return
        if op.op in EFFECTS:
            getattr(self, f"_{op.op}")(op)
        elif op.op in READING:
            self.define(op.result, self._read(op))
        elif op.op == "length":
            (array,) = op.args
            self.define(op.result, Text(f"{self.of(array)}.length", reads=self.texts[array].reads))
        elif op.op == "global":
            name, count = self.table(op.attribute)
            self.texts[op.result] = Text(name)
            self.assign(op.result, Text(f"CC_TABLE({name}, {count})"))
        else:
            self.define(op.result, self.expressions.text(op))

    def _read(self, op: Op) -> Text:
        array, index = self.of(op.args[0]), self._index(op.args[1])
        bits = op.result.type
        if op.op == "load":
            text = f"CC_AT({c_type(bits)}, {array.text})[{index.text}]"
        else:
            self.expressions.helpers.add(f"bytes{bits}")
            text = f"cc_bytes{bits}(&CC_AT(uint8_t, {array.text})[{index.text}])"
        return Text(text, reads=array.reads | index.reads, loads=True)

    def _index(self, operand: Operand) -> Text:
        """An index, for which C needs no wider type than it has."""
        if isinstance(operand, Const):
            return Text(str(operand.value))
        text = self.of(operand)
        return text._replace(text=text.text.removeprefix("(uint64_t)"))

    def _store(self, op: Op) -> None:
        array, index, value = (
            self.of(op.args[0]),
            self._index(op.args[1]),
            self.expressions.second(op.args[2]),
        )
        self.flush()
        self.comment(op.args[2])
        self.out.add(f"CC_AT({c_type(op.args[2].type)}, {array.text})[{index.text}] = {value.text};")

    def _assume(self, op: Op) -> None:
        """Nothing: it is for LLVM."""

    def _refuse(self, op: Op) -> None:
        self.refuse(self.of(op.args[0]).text, op.site)

    def _bounds(self, op: Op) -> None:
        array, index = op.args
        index = index.value if isinstance(index, Const) and index.value >= 0 else self._kept(index)
        self.refuse(self._outside(self.of(array), index, op.attribute), op.site)

    def _kept(self, operand: Operand) -> Text:
        """The operand, which is used several times."""
        if isinstance(operand, Word) and operand in self.pending:
            text = self.pending.pop(operand)
            if not re.fullmatch(r"\w+", text.text):
                text = Text(self.keep(self.kind(operand), self.fresh(operand), text.text))
            self.texts[operand] = text
        return self.of(operand)

    def _outside(self, array: Text, index: Text | int, count: int) -> str:
        length = f"{array}.length"
        if isinstance(index, int):
            return f"{length} < {index + count}u"
        if count == 1:
            return f"{index} >= {length}"
        return f"{length} < {count} || {index} > {length} - {count}"

    def _bounds_run(self, op: Op) -> None:
        array, root, most, *least = op.args
        reading, count, rows = op.attribute
        constant_root = root.value if isinstance(root, Const) else None
        constant_most = most.value if isinstance(most, Const) and most.value >= 0 else None
        root, most = self._kept(root), self._kept(most)
        outside = self._outside(self.of(array), most if constant_most is None else constant_most, count)
        for index in least:
            outside += f" || {self.expressions.signed(index)} < 0"
        bits = op.args[1].type
        base = (
            f"(uint64_t)(int64_t)(int{bits}_t){root}" if reading == "s" and bits < 64 else f"(uint64_t){root}"
        )
        checks = []
        for offset, each, site in rows:
            place = Text(f"{base} + {constant(offset, 64)}", False) if offset else Text(base)
            if constant_root is not None and constant_root + offset >= 0:
                place = constant_root + offset
            checks.append((self._outside(self.of(array), place, each), site))
            if checks[-1][0] == outside:
                # the others cannot be the first that fails
                break
        *others, (_, last) = checks
        while others and self.site(others[-1][1]) == self.site(last):
            others.pop()
        if not others:
            self.refuse(outside, last)
            return
        self.out.add(f"if ({outside}) {{")
        self.out.depth += 1
        for condition, site in others:
            self.refuse(condition, site)
        self.fail(last)
        self.out.depth -= 1
        self.out.add("}")

    def _new(self, op: Op) -> None:
        length, low, high = map(self.expressions.second, op.args)
        self.flush()
        name = self.fresh(op.result)
        self.declare(op.result, name)
        self.comment(op.result)
        fill = f"{low.text}, {high.text}" if op.attribute == 128 else low.text
        self.expressions.helpers.add(f"new{op.attribute}")
        self.refuse(f"!cc_new{op.attribute}(&{name}, {length.text}, {fill}, &slot{op.slot})", op.site)

    def _frame(self, op: Op) -> None:
        bits, most = op.attribute
        length = self.of(op.args[0])
        room = f"frame{self.frames}"
        self.frames += 1
        self.declared.append(f"{c_type(bits)} {room}[{max(most, 1)}];")
        self.flush()
        self.comment(op.result)
        self.out.add(f"memset({room}, 0, sizeof({room}));")
        self.assign(op.result, Text(f"(struct cc_array){{{room}, {length.text}, NULL}}"))

    def _call(self, op: Op) -> None:
        args = [self.expressions.second(arg).text for arg in op.args]
        self.flush()
        for word in op.results:
            name = self.fresh(word)
            self.declare(word, name)
            args.append(f"&{name}")
        for word in op.results:
            self.comment(word)
        call = f"{self.called(op.attribute)}({', '.join(args)})"
        if not self.function.slots:
            name = self.keep("unsigned int", self.fresh(None, "failure"), call)
            self.out.add(f"if ({name} != 0) {{")
            self.out.add(f"\treturn {name};")
        else:
            self.out.add(f"failed = {call};")
            self.out.add("if (failed != 0) {")
            self.out.add("\tgoto leave;")
        self.out.add("}")

    def _own(self, op: Op) -> None:
        self.out.add(f"cc_put(&slot{op.slot}, {self.of(op.args[0])}.made);")

    def _retain(self, op: Op) -> None:
        self.out.add(f"cc_retain({self.of(op.args[0])}.made);")

    def _give(self, op: Op) -> None:
        arrays = [self.of(arg) for arg in op.args]
        for array in arrays:
            self.out.add(f"cc_retain({array}.made);")
        for (slot, *_), array in zip(given_slots(op), arrays, strict=True):
            self.out.add(f"cc_put(&slot{slot}, {array}.made);")


def _shown(position: Position) -> tuple[Position, ...]:
    """The lines that are quoted: the function's own, and two of what it calls there."""
    chain = [each for each in (position, *position.callers) if own_position([each])] or [position]
    return tuple(chain[:-4:-1])


def _needed(each: Op | MachineTerminator) -> list[Operand]:
    """The arguments, without those that C does not need: what LLVM may assume, and what a message shows."""
    if isinstance(each, Op) and each.op == "assume":
        return []
    return each.args[:1] if isinstance(each, Op) and each.op == "refuse" else list(each.args)


def _uses(function: MachineFunction, left_out: set[Op]) -> Counter[Operand]:
    """How often C's statements use each word; what nobody needs is not computed."""
    made = {word: op for op in function.ops() if op.op not in EFFECTS for word in op.results}
    passed: dict[Word, list[Operand]] = {}
    uses: Counter[Operand] = Counter()
    todo: list[Operand] = []
    for block in function.blocks:
        for op in block.ops:
            todo += _needed(op) if op.op in EFFECTS and op not in left_out else []
        if isinstance(block.end, MachineJump):
            for param, arg in zip(block.end.to.params, block.end.args, strict=True):
                passed.setdefault(param, []).append(arg)
        else:
            todo += block.end.args
    while todo:
        operand = todo.pop()
        uses[operand] += 1
        if uses[operand] == 1 and isinstance(operand, Word):
            todo += passed.get(operand, []) + (_needed(made[operand]) if operand in made else [])
    return uses


def _renamed(text: Text, param: Word, old: str, new: str) -> Text:
    if param not in text.reads:
        return text
    return text._replace(text=re.sub(rf"\b{old}\b", new, text.text), reads=text.reads - {param}, not_=None)
