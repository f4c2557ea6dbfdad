"""A function's copies for narrower arguments do what it does; those that were forged are refused."""

from collections.abc import Callable
from unittest.mock import patch

import pytest
from carrychain import jit
from carrychain.ring.call.jit import narrowed
from carrychain.ring.call.jit.narrowed import joined
from carrychain.ring.compile import inlined
from carrychain.ring.front.python.kinds import INT, Buffer, List
from carrychain.ring.front.python.module import lower_function
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.ir.form import (
    Array,
    Function,
    Instruction,
    Int,
    Jump,
    Module,
    Return,
    TrapTerminator,
    signed,
    unsigned,
)
from carrychain.ring.trust.copied import Copies, check_copies


def power(n, m):
    if n < 1:
        return m
    return power(n - 1, m * 3 - n) - 5


def filled(n, a):
    for k in range(len(a)):
        a[k] = (n + a[k]) & 255
    return len(a)


def sums(data, other):
    a = b = 0
    for byte in data:
        a += byte
        b += a
    for byte in other:
        a += byte
        b += a
    return b


CASES = {
    "power": (power, (INT, INT)),
    "filled": (filled, (INT, List())),
    "sums": (sums, (Buffer("bytes"), Buffer("bytearray"))),
}


def copied(name: str) -> tuple[Module, Module, Copies]:
    function, kinds = CASES[name]
    before = joined(lower_function(function, kinds)).module
    whole = before.copy()
    inlined(whole)
    return before, whole, narrowed._copies(before, whole, name, True)


@pytest.mark.parametrize("name", CASES)
def test_copies_are_shown(name):
    before, whole, copies = copied(name)
    assert len(copies.module.functions) > len(before.functions)
    check_copies(before, whole, copies)


def first(function: Function, op: str, at: int = 0) -> Instruction:
    return [i for i in function.instructions() if i.op == op][at]


def attribute(op: str, value, at: int = 0) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        first(function, op, at).attribute = value

    return forge


def operation(op: str, other: str, at: int = 0) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        first(function, op, at).op = other

    return forge


def turned(op: str, at: int = 0) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        first(function, op, at).args.reverse()

    return forge


def dropped(op: str) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        for block in function.blocks:
            block.instructions = [i for i in block.instructions if i.op != op]

    return forge


def twice(op: str) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        for block in function.blocks:
            block.instructions = [i for i in block.instructions for _ in range(1 + (i.op == op))]

    return forge


def of_type(op: str, type_, at: int = 0) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        first(function, op, at).result.type = type_

    return forge


def constant(value: int, other: int, at: int = 0) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        found = [i for i in function.instructions() if i.op == "const" and i.attribute == value]
        found[at].attribute = other

    return forge


def other_way(function: Function, copies: Copies) -> None:
    branch = function.blocks[0].terminator
    branch.then, branch.otherwise = branch.otherwise, branch.then


def its_own_way(function: Function, copies: Copies) -> None:
    branch = next(b.terminator for b in function.blocks if first_of(b) == "const" and len(b.instructions) > 9)
    branch.then, branch.otherwise = branch.otherwise, branch.then


def first_of(block) -> str:
    return block.instructions[0].op if block.instructions else ""


def one_test(function: Function, copies: Copies) -> None:
    """Of two arguments only the first is tested."""
    for block in function.blocks:
        if block.terminator.edges and len(block.instructions) > 9:
            block.terminator.condition = first(function, "select").result


def another_place(function: Function, copies: Copies) -> None:
    first(function, "mul").position = None


def message(function: Function, copies: Copies) -> None:
    for block in function.blocks:
        if isinstance(block.terminator, TrapTerminator):
            block.terminator.message = "another"


def always_gives_up(function: Function, copies: Copies) -> None:
    up = next(b for b in function.blocks if isinstance(b.terminator, TrapTerminator))
    end = next(b for b in function.blocks if isinstance(b.terminator, Return))
    end.instructions, end.terminator = [], TrapTerminator(up.terminator.message, None)


def returns_another(function: Function, copies: Copies) -> None:
    end = next(b.terminator for b in function.blocks if isinstance(b.terminator, Return))
    end.args[:] = [function.params[0]]


def without_end(function: Function, copies: Copies) -> None:
    end = next(b for b in function.blocks if isinstance(b.terminator, Return))
    end.terminator = Jump(next(e for b in function.blocks for e in b.terminator.edges))


def results(function: Function, copies: Copies) -> None:
    function.results[:] = [signed(64)]


def parameter(type_) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        function.params[-1].type = type_

    return forge


def elements(type_) -> Callable:
    def forge(function: Function, copies: Copies) -> None:
        for value in function.values():
            if value.type == Array(signed(64)):
                value.type = Array(type_)

    return forge


def longer(function: Function, copies: Copies) -> None:
    copies.short = {name: most - 1 for name, most in copies.short.items()}


def not_said_to_be_short(function: Function, copies: Copies) -> None:
    copies.short = {}


def not_said_to_give_up(function: Function, copies: Copies) -> None:
    copies.strict = {}


def no_ranges(function: Function, copies: Copies) -> None:
    copies.ranges = {}


def one_array_tested(function: Function, copies: Copies) -> None:
    function.blocks[0].terminator.condition = first(function, "le").result


def passes_one_twice(function: Function, copies: Copies) -> None:
    first(function, "call").args[:] = function.params[:1] * 2


def calls(name: str, at: int = 0) -> Callable:
    return attribute("call", name, at)


# The case, the function that is forged, and how.
WORDS, STRICT, SHORT, LONG = "power of words", "power to words", "sums of short arrays", "sums of long arrays"
FORGED = {
    "another constant": ("power", WORDS, constant(3, 4)),
    "another operation": ("power", WORDS, operation("mul", "add")),
    "operands the other way round": ("power", WORDS, turned("sub")),
    "the function itself has another constant": ("power", "power", constant(5, 6)),
    "an operation is missing": ("power", WORDS, dropped("mul")),
    "a branch goes the other way": ("power", WORDS, other_way),
    "its own branch goes the other way": ("power", WORDS, its_own_way),
    "a bound is one too high": ("power", WORDS, constant((1 << 63) - 1, 1 << 63)),
    "a bound is one too low": ("power", "power", constant(-(1 << 63), -(1 << 63) - 1)),
    "a bound of the second argument": ("power", "power", constant((1 << 63) - 1, 1 << 63, 1)),
    "the test is another": ("power", WORDS, operation("ge", "le")),
    "the test is of other values": ("power", WORDS, turned("ge")),
    "only one argument is tested": ("power", WORDS, one_test),
    "a narrower type": ("power", WORDS, attribute("narrow", signed(32))),
    "arguments the other way round": ("power", WORDS, turned("call")),
    "whole arguments the other way round": ("power", WORDS, turned("call", 1)),
    "the whole function for words calls that for words": ("power", WORDS, calls("power of words", 1)),
    "it calls the copy that gives up": ("power", WORDS, calls("power to words")),
    "another position": ("power", WORDS, another_place),
    "another type of result": ("power", WORDS, results),
    "a parameter of bytes": ("power", WORDS, parameter(unsigned(8))),
    "a parameter that is an array": ("power", WORDS, parameter(Array(INT))),
    "it returns something else": ("power", STRICT, returns_another),
    "it traps with another message": ("power", STRICT, message),
    "it gives up without a test": ("power", STRICT, always_gives_up),
    "giving up is not said": ("power", STRICT, not_said_to_give_up),
    "its result is narrower than tested": ("power", STRICT, attribute("narrow", signed(32), -1)),
    "its result is of another type": ("power", STRICT, of_type("call", INT)),
    "it has no end": ("power", STRICT, without_end),
    "elements too narrow for what is stored": ("filled", "filled of words", elements(signed(8))),
    "elements that are not numbers of words": ("filled", "filled of words", elements(Int(0, None))),
    "no ranges show the elements": ("filled", "filled of words", no_ranges),
    "a store is missing": ("filled", "filled of words", dropped("store")),
    "a store is done twice": ("filled", "filled of words", twice("store")),
    "another index": ("filled", "filled of words", turned("select")),
    "another mask": ("filled", "filled of words", constant(255, 254)),
    "too short for what is called": ("sums", "sums", longer),
    "a longer array": ("sums", "sums", constant(1 << 27, (1 << 27) + 1)),
    "one of two arrays is tested": ("sums", "sums", one_array_tested),
    "both ways are the long one's": ("sums", "sums", other_way),
    "one array is passed twice": ("sums", "sums", passes_one_twice),
    "it calls itself": ("sums", "sums", calls("sums", 1)),
    "it is not said to be short": ("sums", SHORT, not_said_to_be_short),
    "shorter than assumed": ("sums", SHORT, attribute("narrow", Int(0, 1000))),
    "an addition is missing": ("sums", SHORT, operation("add", "sub")),
    "an addition is missing in the long one": ("sums", LONG, operation("add", "sub", 3)),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_copy_is_refused(name):
    case, function, forge = FORGED[name]
    before, whole, copies = copied(case)
    forge(copies.module.functions[function], copies)
    with pytest.raises(CheckError, match=f"@{case}"):
        check_copies(before, whole, copies)


def test_a_copy_that_gives_up_has_stored_nothing():
    """Its list would be filled twice."""
    before, whole, copies = copied("filled")
    copies.strict["filled of words"] = "not of words"
    with pytest.raises(CheckError, match="stores to what outlives it"):
        check_copies(before, whole, copies)


def test_what_is_not_shown_has_no_copies():
    choose = narrowed.choose

    def damaged(function: Function, *args) -> None:
        choose(function, *args)
        constant((1 << 63) - 1, 1 << 63)(function, None)

    with (
        patch.object(narrowed, "choose", damaged),
        pytest.warns(Refused, match="without copies for narrower"),
    ):
        found = jit(power)(3, 1 << 63)
    assert found == power(3, 1 << 63)
