"""A file's functions as machine IR for a library, and why some cannot be built.

Machine IR for a library has no polls, because nobody interrupts a call from C. It is shown to compute what
the IR computes, as all machine IR is (compile.py).
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from traceback import extract_tb
from types import FunctionType, ModuleType

from ..call.jit import jit
from ..call.jit.files import File
from ..call.jit.function import Jitted
from ..call.load import load_python
from ..compile import lowered, plans, validated
from ..explain.python import kinds_for
from ..explain.telling import brief
from ..facts.escape import roots, stored
from ..facts.plan import Plan, Range
from ..front.lisp.module import module_of, text_of
from ..front.lisp.source import LispSource
from ..front.python.kinds import PythonKind, Raised, Tuple, held
from ..front.python.module import lower_function
from ..front.ssa import basic
from ..ir.callgraph import recursive
from ..ir.errors import Refused, SourceError
from ..ir.form import Array, Function, Int, Module, Position, Return
from ..ir.interface import Union, interface_of
from ..ir.names import name_among
from ..lower.module import LoweredModule
from ..machine.abi import Passed, storage
from ..machine.form import BIG, CALLED, MachineFail, MachineFunction, MachineModule, Site, Word
from .interface import (
    CFunction,
    CParameter,
    CResult,
    SourceParameter,
    c_name,
    own_exception,
    own_position,
    site_position,
    told,
)
from .kinds import read_kinds

# The text of the expression, or the variable, at a position.
Quote = Callable[[Position], str]


class Unbuilt(Exception):
    """A function cannot be built; the message says why, in one line."""


@dataclass
class Exported:
    """A module's machine IR, and its functions that C calls; `line` gives the source's line at a position."""

    ir: Module
    lowered: LoweredModule
    words: MachineModule
    functions: list[CFunction]
    line: Quote
    raised: list[Raised] = field(default_factory=list)


@dataclass
class Subjects:
    """What can be built of a file, and for each function that cannot, why."""

    built: list[Exported]
    unbuilt: dict[str, str]

    def functions(self) -> list[CFunction]:
        return [function for each in self.built for function in each.functions]

    @property
    def faults(self) -> dict[str, str]:
        """The functions that were compiled without a step that was not shown right, and why."""
        ir = {name: each.ir.functions[name] for each in self.built for name in each.words.functions}
        return {name: function.fault for name, function in ir.items() if function.fault}


def subjects(
    file: str, names: tuple[str, ...], kinds: tuple[str, ...], prefix: str, validate: bool, widest: int = 128
) -> Subjects:
    """The functions with these names, or all that can be built; ValueError if one is missing.

    `widest`: the bits of the widest integers that the target has.
    """
    if prefix and c_name(prefix) != prefix:
        raise ValueError(f"{prefix!r} begins no name in C")
    found = (_of_python if file.endswith(".py") else _of_lisp)(file, names, kinds, validate, widest)
    taken: dict[str, str] = {}
    for subject in found.built:
        subject.functions = [replace(each, name=prefix + each.name) for each in subject.functions]
        for function in subject.functions:
            if (other := taken.setdefault(function.name, function.written)) != function.written:
                raise ValueError(f"{other} and {function.written} would both be {function.name} in C")
    return found


def _of_lisp(
    file: str, names: tuple[str, ...], kinds: tuple[str, ...], validate: bool, widest: int
) -> Subjects:
    if kinds:
        raise ValueError("kinds are for functions in Python; in Lisp, declare the types")
    text = text_of(file)
    module = module_of(text, file, wanted=names)
    wanted = [_known(file, name, name_among(name, module.functions), module.functions) for name in names]
    source = LispSource(text, file)
    lowering = _Lowering(module, lambda position: source.form(source.offset(position)), validate, widest)
    made: list[CFunction] = []
    unbuilt: dict[str, str] = {}
    for name in wanted or module.functions:
        try:
            made.append(lowering.function(name, name, []))
        except Unbuilt as problem:
            unbuilt[name] = str(problem)
    lines = text.split("\n")
    exported = lowering.exported(made, [], lambda position: lines[position.line - 1].strip())
    return Subjects([exported], unbuilt)


def _of_python(
    file: str, names: tuple[str, ...], kinds: tuple[str, ...], validate: bool, widest: int
) -> Subjects:
    given = {name: (takes, gives) for name, takes, gives in map(read_kinds, kinds)}
    world = _imported(file)
    functions = {
        name: value
        for name, value in vars(world).items()
        if isinstance(value, FunctionType | Jitted) and value.__module__ == world.__name__
    }
    wanted = [_known(file, name, name if name in functions else None, functions) for name in (*names, *given)]
    quote = _PythonQuotes()
    found = Subjects([], {})
    for name in dict.fromkeys(wanted) or functions:
        try:
            takes, gives = given.get(name, (None, None))
            found.built.append(_python_function(functions[name], name, takes, gives, quote, validate, widest))
        except (Unbuilt, SourceError) as problem:
            found.unbuilt[name] = str(problem)
    return found


def _imported(file: str) -> ModuleType:
    try:
        return load_python(file)
    except (Exception, SystemExit) as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == file]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else 1
        raise SourceError(f"{type(error).__name__}: {error}", Position(file, line or 1, 1)) from error


def _known(file: str, name: str, found: str | None, known: Iterable[str]) -> str:
    if found is None:
        listed = [*known]
        some = ", ".join(listed[:8]) + (", ..." if len(listed) > 8 else "")
        raise ValueError(f"{os.path.basename(file)} has no function {name!r}; it has {some or 'none'}")
    return found


def _python_function(
    function: FunctionType | Jitted,
    name: str,
    takes: tuple[PythonKind, ...] | None,
    gives: PythonKind | None,
    quote: _PythonQuotes,
    validate: bool,
    widest: int,
) -> Exported:
    jitted = jit(function)
    if takes is None:
        try:
            takes = kinds_for(jitted, (), {})
        except TypeError:
            raise Unbuilt("its parameters have no kinds: annotate them, or give --kinds") from None
    if len(takes) != len(jitted._names):
        raise Unbuilt(f"it takes {len(jitted._names)} arguments, and {len(takes)} kinds are given")
    found = lower_function(jitted.__wrapped__, takes)
    lowering = _Lowering(found.module, quote, validate, widest)
    made = lowering.function(found.entry, name, found.raised)
    defaults = _defaults(jitted)
    made = replace(
        made,
        params=tuple(
            SourceParameter(each, kind, defaults.get(each))
            for each, kind in zip(jitted._names, found.takes, strict=True)
        ),
        value=found.gives,
        raises=tuple({type_.__name__: own_exception(type_) for type_, _ in found.raised}.items()),
    )
    if isinstance(found.gives, Union):
        raise Unbuilt(f"it returns values of several kinds: {found.gives}")
    if gives is not None and not lowering.gives(found.entry, held(gives)):
        raise Unbuilt(f"it returns {found.gives}, and not always {gives}")
    return lowering.exported([made], found.raised, quote.line)


def _defaults(function: Jitted) -> dict[str, str]:
    """The parameters' values where a caller gives none, if they are constants that a library can have."""
    found = inspect.signature(function.__wrapped__).parameters.values()
    return {each.name: repr(each.default) for each in found if type(each.default) in (int, bool, bytes)}


class _PythonQuotes:
    def __init__(self):
        self.files: dict[str, File] = {}

    def file(self, name: str) -> File:
        return self.files.setdefault(name, File(name))

    def __call__(self, position: Position) -> str:
        return self.file(position.file).text(position)

    def line(self, position: Position) -> str:
        lines = self.file(position.file).lines[position.line - 1 : position.line]
        return b"".join(lines).decode(errors="replace").strip()


class _Lowering:
    def __init__(self, module: Module, quote: Quote, validate: bool, widest: int):
        self.widest = widest
        if validate:
            validated(module.copy(), True)
        self.module = module.copy()
        self.quote = quote
        with warnings.catch_warnings():
            # a function on big integers is refused below
            warnings.simplefilter("ignore", Refused)
            self.plans = plans(self.module, True, words=False)
            self.words: LoweredModule = lowered(self.module, self.plans, polled=False)
        self.stored = stored(self.module)
        self.recursive = recursive(self.module)

    # what is built ---------------------------------------------------------------------------------------

    def function(self, name: str, written: str, raised: list[Raised]) -> CFunction:
        """The function as C sees it; Unbuilt if it cannot be built."""
        function = self.module.functions[name]
        self.buildable(name)
        signature = self.words.signatures[name]
        interface = interface_of(function)
        names = _distinct([*map(c_name, interface.names()), *_results(len(signature.results))])
        takes = tuple(
            CParameter(called, passed, at in self.stored[name])
            for at, (called, passed) in enumerate(zip(names, signature.params, strict=False))
        )
        called = names[len(takes) :]
        gives = tuple(
            CResult(each, passed, self.length(function, at))
            for at, (each, passed) in enumerate(zip(called, signature.results, strict=True))
        )
        params = tuple(SourceParameter(each.name, each.kind) for each in interface.takes)
        value = interface.gives[0] if len(interface.gives) == 1 else Tuple(interface.gives)
        found = CFunction(
            c_name(written), name, written, function.position, takes, gives, params=params, value=value
        )
        return replace(found, codes=self.codes(found, raised))

    def buildable(self, name: str) -> None:
        """Raises Unbuilt if the function, or one that it calls, cannot be built."""
        interface = interface_of(self.module.functions[name])
        if interface.counted or any(isinstance(kind, Union) for kind in interface.gives):
            raise Unbuilt("it returns values of several kinds, or a varying number of values")
        if any(taken.how or isinstance(taken.kind, Union) for taken in interface.takes):
            raise Unbuilt("it has an argument that may be left out, or be of several kinds")
        for each in self.closure(name):
            called = "" if each == name else f"it calls {each}: "
            if each in self.recursive:
                raise Unbuilt(f"{called}it calls itself, and a library has no limit of the stack's depth")
            if big := self.big(each):
                raise Unbuilt(f"{called}{big}")
            words = self.words.module.functions[each]
            if _widest(words) > self.widest:
                raise Unbuilt(f"{called}it has integers of {_widest(words)} bits, which the target lacks")
            for op in words.ops():
                if op.op == "global" and self.words.module.arrays[op.attribute].changed:
                    raise Unbuilt(f"{called}it changes or returns the program's own array {op.attribute}")
        for passed in (*self.words.signatures[name].params, *self.words.signatures[name].results):
            if isinstance(passed.type, Array) and _width(passed) == 128:
                raise Unbuilt("an array that it takes or returns has elements of 128 bits")

    def big(self, name: str) -> str | None:
        """What stayed big in the function, in one line."""
        plan, words = self.plans[name], self.words.module.functions[name]
        signature = self.words.signatures[name]
        values = [value for value, container in plan.containers.items() if container is BIG]
        # a constant is no cause
        made = {i.result: i for i in plan.function.instructions() if len(i.results) == 1}
        values = [value for value in values if value not in made or made[value].op != "const"]
        if values and _has_big(words):
            value = min(values, key=lambda value: value in made)
            position = _own(made[value].position if value in made else value.position)
            named = basic(value.name)
            if position and (value in made or named.strip("_").isdigit()):
                named = self.quote(position)
            return f"{brief(named)} stayed big{_place(position)}"
        for passed in (*signature.params, *signature.results):
            if passed.word is BIG or (isinstance(passed.type, Array) and _width(passed) is BIG):
                return f"a value of type {passed.type} stayed big"
        if not _has_big(words):
            return None
        # an index or a length of more than 64 bits
        big = (op.site for op in words.ops() if op.site and any(word.type is BIG for word in op.results))
        position = next(filter(None, map(site_position, big)), None)
        return f"{brief(self.quote(position)) if position else 'an integer'} stayed big{_place(position)}"

    def closure(self, name: str) -> list[str]:
        """The function and all that its machine IR calls."""
        found, todo = [name], [name]
        while todo:
            for op in self.words.module.functions[todo.pop()].ops():
                if op.op == "call" and op.attribute not in found:
                    found.append(op.attribute)
                    todo.append(op.attribute)
        return found

    def exported(self, functions: list[CFunction], raised: list[Raised], line: Quote) -> Exported:
        """These functions, and what they need of the module."""
        names = {each for function in functions for each in self.closure(function.compiled)}
        kept = {name: each for name, each in self.words.module.functions.items() if name in names}
        used = {op.attribute for each in kept.values() for op in each.ops() if op.op == "global"}
        arrays = {name: array for name, array in self.words.module.arrays.items() if name in used}
        return Exported(self.module, self.words, MachineModule(kept, arrays), functions, line, raised)

    # what is known of it -----------------------------------------------------------------------------------

    def gives(self, name: str, wanted: list) -> bool:
        """Whether the function's results are always of these types."""
        types, known = self.module.functions[name].results, self.plans[name].returned
        if len(types) != len(wanted):
            return False
        return all(
            isinstance(type_, Int) and range_.within(want) if isinstance(want, Int) else type_ == want
            for type_, range_, want in zip(types, known, wanted, strict=True)
        )

    def length(self, function: Function, at: int) -> int | None:
        """The number of elements that the array result has in each call, if that is known."""
        if not isinstance(function.results[at], Array):
            return None
        plan, of = self.plans[function.name], roots(function)
        ends = [b.terminator for b in function.blocks if isinstance(b.terminator, Return)]
        origins = {origin for end in ends for origin in of[end.args[at]]}
        found = {_constant_length(origin, plan) for origin in origins}
        return found.pop() if len(found) == 1 else None

    def codes(self, function: CFunction, raised: list[Raised]) -> tuple[str, ...]:
        """The codes of all checks that may fail."""
        found = set()
        for name in self.closure(function.compiled):
            found |= {told(site, raised).code for site in _sites(self.words.module.functions[name])}
        if any(given.counted for given in function.gives):
            found.add("CC_ENOSPC")
        if any(isinstance(each.type, Int) and each.bounds != (None, None) for each in function.takes) or any(
            isinstance(each.type, Array) for each in function.takes
        ):
            found.add("CC_ERANGE")
        return tuple(sorted(found))


def _own(position: Position | None) -> Position | None:
    return own_position((position, *position.callers)) if position else None


def _place(position: Position | None) -> str:
    return f" ({position.line}:{position.column})" if position else ""


def _results(count: int) -> list[str]:
    return ["result"] if count == 1 else [f"result_{at}" for at in range(1, count + 1)]


def _distinct(names: list[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        while name in found:
            name += "_"
        found.append(name)
    return found


def _width(passed: Passed) -> int | None:
    return storage(passed.type.element)


def _made(words: MachineFunction) -> Iterator[Word]:
    yield from words.params
    yield from (word for block in words.blocks for word in block.params)
    yield from (word for op in words.ops() for word in op.results)


def _widest(words: MachineFunction) -> int:
    return max((word.type for word in _made(words) if isinstance(word.type, int)), default=0)


def _has_big(words: MachineFunction) -> bool:
    return any(word.type is BIG for word in _made(words)) or any(
        op.op == "new" and op.attribute is BIG for op in words.ops()
    )


def _constant_length(origin: object, plan: Plan) -> int | None:
    if getattr(origin, "op", "") != "new":
        return None
    made = {i.result: i for i in plan.function.instructions() if i.op == "const"}
    count = origin.args[0]
    known: Range | None = plan.ranges.get(count)
    if count in made:
        return made[count].attribute
    return known.low if known is not None and known.low == known.high else None


def _sites(words: MachineFunction) -> Iterator[Site]:
    for op in words.ops():
        if op.op == "bounds_run":
            yield from (site for *_, site in op.attribute[2])
        elif op.site is not None and op.site.message != CALLED:
            yield op.site
    for block in words.blocks:
        if isinstance(block.end, MachineFail):
            yield block.end.site
