"""Parses the output of ir.print_module: for tests, which are IR in and IR out, and for experiments."""

from __future__ import annotations

import re
from functools import lru_cache

from ...bindings.bigint import from_decimal
from .form import (
    BOOL,
    INT,
    OPERATIONS,
    Array,
    Block,
    Branch,
    Edge,
    Function,
    Instruction,
    Int,
    IRError,
    Jump,
    Module,
    Return,
    Terminator,
    TrapTerminator,
    Type,
    Value,
    signed,
    unsigned,
)
from .interface import NULL, Interface, InterfaceParameter, Kind, Union

TOKEN = re.compile(
    r"""\s*(?: (?P<string>"(?:[^"\\]|\\.)*")
             | (?P<number>-?\d+)
             | (?P<value>%[^\s(),:={}]+)
             | (?P<global>@[^\s(),:={}]+)
             | (?P<word>[A-Za-z_][^\s(),:={}\[\]]*)
             | (?P<sign>->|[(),:={}\[\]*]) )""",
    re.VERBOSE,
)


class _Line:
    """The tokens of one line, consumed in order."""

    def __init__(self, number: int, text: str):
        self.number = number
        self.tokens: list[tuple[str, str]] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise self.error(f"unreadable: {text[at:].strip()}")
            self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()

    def error(self, message: str) -> IRError:
        return IRError(f"line {self.number}: {message}")

    def peek(self) -> str:
        return self.tokens[0][1] if self.tokens else ""

    def kind(self) -> str:
        return self.tokens[0][0] if self.tokens else ""

    def take(self, kind: str) -> str:
        if self.kind() != kind:
            raise self.error(f"expected a {kind}, found {self.peek() or 'the end of the line'}")
        return self.tokens.pop(0)[1]

    def accept(self, text: str) -> bool:
        if self.peek() == text:
            self.tokens.pop(0)
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.error(f"expected {text}, found {self.peek() or 'the end of the line'}")

    def separated(self, item, end: str = "") -> list:
        """Items separated by commas, up to `end` (which is consumed) or the end of the line."""
        items = []
        while self.peek() != end:
            if items:
                self.expect(",")
            items.append(item())
        if end:
            self.expect(end)
        return items

    def type(self) -> Type:
        word = self.take("word")
        if word == "bool":
            return BOOL
        if word in ("array", "text"):
            self.expect("(")
            element = self.type()
            self.expect(")")
            return Array(element, text=word == "text")
        if word == "int":
            if not self.accept("["):
                return INT
            low = self.bound()
            self.expect(",")
            high = self.bound()
            self.expect("]")
            return Int(low, high)
        match = re.fullmatch(r"([us])(\d+)", word)
        if not match:
            raise self.error(f"no type: {word}")
        return (unsigned if match[1] == "u" else signed)(int(match[2]))

    def kind_of_value(self) -> Kind:
        found = [NULL if self.accept("nil") else self.type()]
        while self.accept("or"):
            found.append(self.type())
        return found[0] if len(found) == 1 else Union(tuple(found))

    def parameter(self) -> InterfaceParameter:
        name = self.take("value")[1:]
        self.expect(":")
        kind = self.kind_of_value()
        return InterfaceParameter(
            name, kind, next((how for how in ("optional", "key") if self.accept(how)), "")
        )

    def interface(self) -> Interface:
        self.expect("takes")
        self.expect("(")
        takes = self.separated(self.parameter, ")")
        self.expect("gives")
        counted = self.accept("counted")
        self.expect("(")
        return Interface(tuple(takes), tuple(self.separated(self.kind_of_value, ")")), counted)

    def bound(self) -> int | None:
        return None if self.accept("*") else from_decimal(self.take("number"))

    def string(self) -> str:
        text = self.take("string")[1:-1]
        return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


class _Body:
    """The lines of one function; values and blocks may be used before they are defined."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.types: dict[str, Type] = {}
        self.blocks: dict[str, Block] = {}

    def use(self, line: _Line) -> Value:
        name = line.take("value")[1:]
        return self.values.setdefault(name, Value(name, INT))

    def define(self, line: _Line) -> Value:
        value = self.use(line)
        line.expect(":")
        if value.name in self.types:
            raise line.error(f"{value} is defined twice")
        value.type = self.types[value.name] = line.type()
        return value

    def block(self, name: str) -> Block:
        return self.blocks.setdefault(name, Block(name))

    def edge(self, line: _Line) -> Edge:
        block = self.block(line.take("word"))
        line.expect("(")
        return Edge(block, line.separated(lambda: self.use(line), ")"))

    def terminator(self, line: _Line) -> Terminator | None:
        if line.accept("jump"):
            return Jump(self.edge(line))
        if line.accept("branch"):
            condition = self.use(line)
            line.expect(",")
            then = self.edge(line)
            line.expect(",")
            return Branch(condition, then, self.edge(line))
        if line.accept("return"):
            return Return(line.separated(lambda: self.use(line)))
        if line.accept("trap"):
            return TrapTerminator(line.string())
        return None

    def instruction(self, line: _Line) -> Instruction:
        results = []
        if line.kind() == "value":
            results.append(self.define(line))
            while line.accept(","):
                results.append(self.define(line))
            line.expect("=")
        op = line.take("word")
        if op not in OPERATIONS:
            raise line.error(f"no operation: {op}")
        attribute = None
        if line.kind() == "number":
            attribute = from_decimal(line.take("number"))
        elif line.kind() == "global":
            attribute = line.take("global")[1:]
        elif line.peek() in ("true", "false"):
            attribute = line.take("word") == "true"
        elif line.kind() == "word":
            attribute = line.type()
        return Instruction(op, line.separated(lambda: self.use(line)), results, attribute)


@lru_cache(maxsize=256)
def parse_type(text: str) -> Type:
    return _Line(1, text).type()


@lru_cache(maxsize=256)
def parse_interface(text: str) -> Interface:
    return _Line(1, text).interface()


def parse_module(text: str) -> Module:
    """The module that prints as this text; `;` begins a comment. IRError says which line is wrong."""
    module = Module()
    lines = [
        _Line(number, content)
        for number, line in enumerate(text.splitlines(), 1)
        if (content := line.split(";")[0]).strip()
    ]
    while lines:
        line = lines.pop(0)
        if line.accept("array"):
            name = line.take("global")[1:]
            line.expect(":")
            type_ = line.type()
            line.expect("=")
            module.arrays[name] = (
                type_,
                [from_decimal(line.take("number")) for _ in range(len(line.tokens))],
            )
        else:
            line.expect("function")
            function = _function(line, lines)
            module.functions[function.name] = function
    return module


def _function(line: _Line, lines: list[_Line]) -> Function:
    name = line.take("global")[1:]
    line.expect("->")
    line.expect("(")
    function = Function(name, line.separated(line.type, ")"))
    function.inline = line.accept("inline")
    if line.peek() == "takes":
        function.interface = line.interface()
    line.expect("{")
    body = _Body()
    block = None
    while lines:
        line = lines.pop(0)
        if line.accept("}"):
            break
        # NAME(...): begins a block
        if line.kind() == "word" and line.tokens[-1][1] == ":":
            block = body.block(line.take("word"))
            if block in function.blocks:
                raise line.error(f"{block.name} is defined twice")
            line.expect("(")
            block.params = line.separated(lambda line=line: body.define(line), ")")
            function.blocks.append(block)
        elif block is None or block.terminator:
            raise line.error("expected a block")
        else:
            block.terminator = body.terminator(line)
            if not block.terminator:
                block.instructions.append(body.instruction(line))
    missing = [name for name in body.blocks if body.blocks[name] not in function.blocks]
    missing += [f"%{name}" for name in body.values if name not in body.types]
    if missing:
        raise IRError(f"@{function.name}: {', '.join(missing)} not defined")
    return function
