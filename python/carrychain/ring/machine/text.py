r"""Machine IR printed, and read back.

    array @squares: i32 = 0 1 4 9 constant
    function @f(%1: i32, %2: array) -> (i32, big) slots 1 {
    b0():
      %3: i32 = add %1, i32 5 with 'u'
      %4: i64 = zext %3
      bounds %2, %4 with 1 at ('no element {operand}', 'f.lisp:1:2', 'u64')
      %5: big = small %4
      %6: big = big_mul %5, big 7 slot 0 at ('no memory', None, '')
      jump b1(%3)
    b1(%7: i32):
      return %7, %6
    }

An attribute, after `with`, is a Python literal, and so is a site, after `at`.
"""

from __future__ import annotations

import ast
import re

from .form import (
    ARRAY,
    BIG,
    Const,
    Global,
    Lanes,
    MachineBlock,
    MachineBranch,
    MachineFail,
    MachineFunction,
    MachineJump,
    MachineModule,
    MachineReturn,
    MachineTerminator,
    MachineType,
    Op,
    Operand,
    Site,
    Word,
    type_text,
)


def _typed(words: list[Word]) -> str:
    return ", ".join(f"{word}: {type_text(word.type)}" for word in words)


def _plain(attribute):
    """Sites as tuples, without callers if there are none."""
    if isinstance(attribute, Site) and not attribute.callers:
        attribute = attribute[:-1]
    return tuple(map(_plain, attribute)) if isinstance(attribute, tuple) else attribute


def print_op(op: Op) -> str:
    parts = [op.op]
    if op.args:
        parts.append(", ".join(map(str, op.args)))
    if op.attribute is not None:
        parts.append(f"with {_plain(op.attribute)!r}")
    if op.slot is not None:
        parts.append(f"slot {op.slot}")
    if op.site is not None:
        parts.append(f"at {_plain(op.site)!r}")
    text = " ".join(parts)
    return f"{_typed(op.results)} = {text}" if op.results else text


def print_end(end: MachineTerminator) -> str:
    match end:
        case MachineJump(to, args):
            return f"jump {to}({', '.join(map(str, args))})"
        case MachineBranch(condition, then, otherwise, likely):
            return f"branch {condition}, {then}, {otherwise}{' likely' * likely}"
        case MachineReturn(args):
            return f"return {', '.join(map(str, args))}".rstrip()
        case MachineFail(site):
            return f"fail at {_plain(site)!r}"


def print_function(function: MachineFunction) -> str:
    results = ", ".join(map(type_text, function.results))
    late = f" late {function.late}" if function.late else ""
    notes = f" slots {function.slots}{late}{' straight' * function.straight}{' calls' * function.calls}"
    lines = [f"function @{function.name}({_typed(function.params)}) -> ({results}){notes} {{"]
    for block in function.blocks:
        lines.append(f"{block}({_typed(block.params)}):")
        lines += [f"  {print_op(op)}" for op in block.ops]
        lines.append(f"  {print_end(block.end)}")
    return "\n".join([*lines, "}"])


def print_module(module: MachineModule) -> str:
    parts = [
        " ".join([f"array @{name}: {type_text(array.type)} =", *map(str, array.contents)])
        + " constant" * (not array.changed)
        for name, array in module.arrays.items()
    ]
    parts += [print_function(function) for function in module.functions.values()]
    return "\n\n".join(parts) + "\n"


# Reading ---------------------------------------------------------------------------------------------


class Unreadable(ValueError):
    pass


LANES = re.compile(r"(i\d+|rows|columns)x(\d+)")
ARRAY_LINE = re.compile(r"array @(\S+): (\w+) =((?: -?\d+)*)( constant)?")
FUNCTION_LINE = re.compile(
    r"function @(\S+)\((.*)\) -> \((.*)\) slots (\d+)(?: late (\d+))?( straight)?( calls)? \{"
)
BLOCK_LINE = re.compile(r"b(\d+)\((.*)\):")
OP_LINE = re.compile(
    r"(?:(?P<results>%.*?) = )?(?P<op>\w+)"
    r"(?: (?P<args>(?:%\d+|\w+ -?\d+)(?:, (?:%\d+|\w+ -?\d+))*))??"
    r"(?: with (?P<attribute>.*?))?(?: slot (?P<slot>\d+))?(?: at (?P<site>\(.*\)))?"
)


def _type(text: str) -> MachineType:
    if found := LANES.fullmatch(text):
        of, count = found.groups()
        return Lanes(_type(of) if of.startswith("i") else of, int(count))
    return BIG if text == "big" else ARRAY if text == ARRAY else int(text.removeprefix("i"))


def parse_module(text: str) -> MachineModule:
    """The module that prints as this text; raises Unreadable, which says which line is wrong."""
    module = MachineModule()
    reader: _FunctionParser | None = None
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        try:
            if not line:
                continue
            if found := ARRAY_LINE.fullmatch(line):
                name, type_, contents, constant = found.groups()
                module.arrays[name] = Global(_type(type_), list(map(int, contents.split())), not constant)
            elif found := FUNCTION_LINE.fullmatch(line):
                reader = _FunctionParser(found)
                module.functions[reader.function.name] = reader.function
            elif line != "}":
                reader.line(line)
        except (KeyError, ValueError, SyntaxError, AttributeError, TypeError) as problem:
            raise Unreadable(f"line {number}: {line}") from problem
    return module


class _FunctionParser:
    def __init__(self, head: re.Match):
        name, params, results, slots, late, straight, calls = head.groups()
        self.words: dict[int, Word] = {}
        self.blocks: dict[int, MachineBlock] = {}
        types = [_type(each) for each in results.split(", ") if each]
        self.function = MachineFunction(name, [], types, [], int(slots), int(late or 0))
        self.function.straight, self.function.calls = bool(straight), bool(calls)
        self.function.params = self.typed(params)

    def typed(self, text: str | None) -> list[Word]:
        found = []
        for each in (text or "").split(", ") if text else ():
            number, type_ = each.split(": ")
            word = self.word(number)
            word.type = _type(type_)
            found.append(word)
        return found

    def word(self, text: str) -> Word:
        """The word of this name. If it is used before its definition, its type is set when that is read."""
        number = int(text.removeprefix("%"))
        self.function.words = max(self.function.words, number)
        return self.words.setdefault(number, Word(number, BIG))

    def operand(self, text: str) -> Operand:
        if text.startswith("%"):
            return self.word(text)
        type_, value = text.split(" ")
        return Const(_type(type_), int(value))

    def operands(self, text: str | None) -> list[Operand]:
        return [self.operand(each) for each in text.split(", ")] if text else []

    def block(self, text: str) -> MachineBlock:
        number = int(text.removeprefix("b"))
        return self.blocks.setdefault(number, MachineBlock(number))

    def line(self, line: str) -> None:
        if found := BLOCK_LINE.fullmatch(line):
            block = self.block(found[1])
            block.params = self.typed(found[2])
            self.function.blocks.append(block)
            return
        block = self.function.blocks[-1]
        kind, _, rest = line.partition(" ")
        match kind:
            case "jump":
                to, _, args = rest.removesuffix(")").partition("(")
                block.end = MachineJump(self.block(to), self.operands(args))
            case "branch":
                likely = rest.endswith(" likely")
                condition, then, otherwise = rest.removesuffix(" likely").split(", ")
                block.end = MachineBranch(
                    self.operand(condition), self.block(then), self.block(otherwise), likely
                )
            case "return":
                block.end = MachineReturn(self.operands(rest))
            case "fail":
                block.end = MachineFail(Site(*ast.literal_eval(rest.removeprefix("at "))))
            case _:
                block.ops.append(self.op(line))

    def op(self, line: str) -> Op:
        results, op, args, attribute, slot, site = OP_LINE.fullmatch(line).groups()
        known = ast.literal_eval(attribute) if attribute else None
        if op == "bounds_run":
            reading, count, rows = known
            known = reading, count, tuple((offset, each, Site(*where)) for offset, each, where in rows)
        return Op(
            op,
            self.operands(args),
            self.typed(results),
            known,
            int(slot) if slot else None,
            Site(*ast.literal_eval(site)) if site else None,
        )
