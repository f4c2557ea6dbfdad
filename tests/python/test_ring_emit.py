"""Compiled code against the interpreter: each operation, at each container, at the edges."""

import array
import contextlib
import itertools
import math
from unittest.mock import patch

import pytest
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.compile import dump
from carrychain.ring.emit import llvm
from carrychain.ring.ir.errors import Trap
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from draws import LONG, share
from quick import mostly_quick, quickly
from ring_cases import (
    ASKED,
    COUNTED,
    OPERATIONS,
    PAIRS,
    TYPES,
    UNARY,
    by_count,
    function,
    module_of,
    of_one,
    outcome,
    together,
    values,
)
from ring_words import LONG_SUM, RUN


@pytest.fixture(autouse=True)
def some_made_fast(request):
    with mostly_quick(f"ring_emit {request.node.name}"):
        yield


def agree(cases: list[tuple[str, list]]) -> None:
    """Each function of one block, called f, at each of its inputs; all in one module."""
    module = together([text for text, _ in cases])
    interpreter = Interpreter(module)
    programs = [compile_module(module)]
    # of calls of the runtime LLVM makes the same, however much is done to make them fast
    with contextlib.nullcontext() if LONG else patch.object(llvm, "machine_code", quickly):
        programs.append(compile_module(module, cut=False))
    for at, (text, inputs) in enumerate(cases):
        assert inputs
        for args in inputs:
            wanted = outcome(interpreter.call, f"f{at}", *args)
            if isinstance(wanted, tuple) and len(wanted) == 1:
                (wanted,) = wanted
            for cut, program in zip((True, False), programs, strict=True):
                found = outcome(program.call, f"f{at}", *args)
                assert (found, type(found)) == (wanted, type(wanted)), (text, args, cut)


@pytest.mark.parametrize("op", OPERATIONS)
def test_binary_operations(op):
    is_bool = op in ("eq", "ne", "lt", "le", "gt", "ge")
    cases = []
    for (a, b), asked in share(f"ring_emit {op}", itertools.product(PAIRS, ("",) if is_bool else ASKED), 8):
        inputs = list(itertools.product(values(a), values(b)))
        inputs = inputs[:: len(inputs) // 50 | 1]
        cases.append((function(f"%x: {a}, %y: {b}", op, "%x, %y", asked, is_bool), inputs))
    agree(cases)


def test_unary_operations():
    ways = share("ring_emit unary", itertools.product(UNARY, TYPES, ASKED), 8)
    agree([(of_one(*each), [(x,) for x in values(each[1])]) for each in ways])


@pytest.mark.parametrize("op", COUNTED)
def test_variable_counts(op):
    ranges = ("int[0,7]", "int[-7,0]", "u8", "s8", "int[-200,200]", "int[0,127]")
    ways = share(f"ring_emit counts {op}", itertools.product(TYPES, ranges, ASKED), 8)
    agree([by_count(op, *each, 5) for each in ways])


def test_powers():
    exponents = (-2, -1, 0, 1, 2, 3, 63, 64, 70)
    ways = itertools.product(["s8", "u64", "s128", "int"], ASKED)
    agree([
        (function(f"%x: {a}, %n: int[-2,70]", "expt", "%x, %n", asked),
         [(x, n) for x in values(a)[::2] for n in exponents])
        for a, asked in ways
    ])  # fmt: skip


SUM = """
(defun f (n)
  (declare (type integer n))
  (let ((a 0) (b 1))
    (dotimes (i n a) (psetq a b b (+ a b)))))
"""


def test_big_values_around_a_loop():
    agree([(SUM, [(n,) for n in (0, 1, 2, 90, 91, 92, 93, 94, 1000)])])


def test_arrays():
    text = """
array @table: array(u16) = 3 5 7
array @count: array(int) = 0 1267650600228229401496703205376
function @bump -> (int, int) {
b(%a: array(u8), %i: int, %x: int):
  %t: array(u16) = global @table
  %0: int = const 0
  %1: int = const 1
  %first: int = load %t, %0
  %c: array(int) = global @count
  %old: int = load %c, %1
  %new: int = mul %old, %old
  store %c, %1, %new
  store %a, %i, %x
  %n: int = len %a
  %sum: int = add %first, %n
  return %old, %sum
}
function @fresh -> (array(u32), int) {
b(%n: int, %x: int):
  %a: array(u32) = new array(u32) %n, %x
  %l: int = len %a
  return %a, %l
}
function @big -> (array(int)) {
b(%n: int, %x: int):
  %a: array(int) = new array(int) %n, %x
  %0: int = const 0
  %y: int = mul %x, %x
  store %a, %0, %y
  return %a
}
"""
    module = parse_module(text)
    for cut in (True, False):
        interpreter, program = Interpreter(module), compile_module(module, cut)
        lists = [[1, 2, 3], [1, 2, 3]]
        for args in (
            (0, 255),
            (2, 0),
            (3, 1),
            (-1, 1),
            (1, 256),
            (1, -1),
            (1 << 70, 1),
            (1, 1 << 80),
            (1, 7),
        ):
            wanted = outcome(interpreter.call, "bump", lists[0], *args)
            assert outcome(program.call, "bump", lists[1], *args) == wanted
            assert lists[0] == lists[1]
        for args in ((0, 1), (5, 7), (5, (1 << 32) - 1), (5, 1 << 32), (-1, 5), (-(1 << 90), 5)):
            assert outcome(program.call, "fresh", *args) == outcome(interpreter.call, "fresh", *args)
        assert program.call("big", 3, 10**30) == interpreter.call("big", 3, 10**30)[0]


def test_a_list_is_one_array_and_keeps_what_was_stored():
    text = """
function @f -> () {
b(%a: array(int), %b: array(int), %i: int):
  %0: int = const 0
  %x: int = load %a, %0
  %y: int = mul %x, %x
  store %b, %0, %y
  %z: int = load %a, %0
  store %a, %i, %z
  return
}
"""
    module = parse_module(text)
    for i in (0, 1, 2):
        lists = [10**20, 5], [10**20, 5]
        wanted = outcome(Interpreter(module).call, "f", lists[0], lists[0], i)
        found = outcome(compile_module(module).call, "f", lists[1], lists[1], i)
        assert (found or (), lists[1]) == (wanted, lists[0])


def test_lent_arrays_are_the_callers():
    text = """
function @turn -> () {
b(%a: array(u32)):
  %0: int = const 0
  %1: int = const 1
  %x: int = load %a, %0
  %y: int = load %a, %1
  store %a, %0, %y
  store %a, %1, %x
  return
}
function @same -> (array(u8)) {
b(%a: array(u8)):
  return %a
}
"""
    from array import array

    program = compile_module(parse_module(text))
    numbers = array("I", [1, 2, 3])
    assert program.call("turn", numbers) == ()
    assert numbers.tolist() == [2, 1, 3]
    data = bytearray(b"abc")
    assert program.call("same", data) is data
    assert program.call("same", b"abc") == b"abc"


def test_words_of_bytes():
    data = list(range(200, 212))
    inputs = [
        *((data, i) for i in range(-1, 14)),
        *(([1], i) for i in (-1, 0, 1)),
        (data, 1 << 70),
        (data, -(1 << 70)),
    ]
    agree(
        [
            (
                function(f"%a: array(u8), %i: {index}", f"{op} {bits}", "%a, %i"),
                inputs[: -2 if index == "s64" else None],
            )
            for op, bits, index in itertools.product(("load_le", "load_be"), (16, 32, 64), ("s64", "int"))
        ]
    )


def test_calls_pass_and_return_every_kind():
    text = """
(defun even (n)
  (declare (type integer n))
  (or (= n 0) (odd (- n 1))))
(defun odd (n)
  (declare (type integer n))
  (if (= n 0) nil (even (- n 1))))
(defun fact (n a)
  (declare (type (integer 0 *) n) (type (simple-array (unsigned-byte 8) (*)) a))
  (if (= n 0)
      (values 1 0)
      (multiple-value-bind (r d) (fact (- n 1) a)
        (aref a d)
        (values (* r n) (+ d 1)))))
"""
    for cut in (True, False):
        program = compile_module(module_of(text), cut)
        assert program.call("even", 10) is True
        assert program.call("even", 1001) is False
        assert program.call("fact", 150, bytes(150)) == (math.factorial(150), 150)
        with pytest.raises(Trap, match="index 20 is out of bounds for an array of 20"):
            program.call("fact", 150, bytes(20))
        with pytest.raises(Trap, match="recursion too deep"):
            program.call("even", 1 << 60)


def test_arguments_are_checked():
    text = """
function @f -> (int) {
b(%n: u8, %flag: bool, %a: array(s16), %t: text(u8)):
  return %n
}
"""
    program = compile_module(parse_module(text))
    assert program.call("f", 1, True, [1, -2], "abc") == 1
    for args, error, words in (
        ((256, True, [], ""), OverflowError, "n is 256"),
        ((-1, True, [], ""), OverflowError, "n is -1"),
        ((1.0, True, [], ""), TypeError, "n must be an integer, not a float"),
        ((1, 1, [], ""), TypeError, "flag must be a bool"),
        ((1, True, 5, ""), TypeError, "a must be an array"),
        ((1, True, None, ""), TypeError, "a must be an array of integers, not None"),
        ((1, True, [1, 1 << 15], ""), OverflowError, r"a\[1\] is 32768"),
        ((1, True, [1, "x"], ""), TypeError, r"a\[1\] must be an integer"),
        ((1, True, "abc", ""), TypeError, "a must be an array of integers, not a str"),
        ((1, True, [], "\u1234"), OverflowError, r"t\[0\] is 4660"),
        ((1, True, []), TypeError, "f takes 4 arguments, not 3"),
    ):
        with pytest.raises(error, match=words):
            program.call("f", *args)
    with pytest.raises(ValueError, match="no function g"):
        program.call("g")


STORE_AND_LOOK = """
function @f -> (int) {
b(%a: array(ELEMENT), %b: array(OTHER), %i: u8, %x: u8):
  store %a, %i, %x
  %0: int = const 1
  %1: int = load %b, %0
  return %1
}
"""


def store_and_look(element: str, other: str, *args, cut=True) -> int:
    text = STORE_AND_LOOK.replace("ELEMENT", element).replace("OTHER", other)
    return compile_module(parse_module(text), cut=cut).call("f", *args)


@pytest.mark.parametrize("cut", [True, False], ids=["cut", "generic"])
def test_arrays_that_share_memory(cut):
    data = bytearray(range(8))
    view = memoryview(data)
    assert store_and_look("u8", "u8", data, data, 1, 77, cut=cut) == 77
    assert store_and_look("u8", "u8", view[3:], view[:5], 0, 99, cut=cut) == 77
    assert store_and_look("u8", "u8", view[3:], view[2:5], 0, 88, cut=cut) == 88
    assert store_and_look("u8", "s8", data, view.cast("b"), 1, 200, cut=cut) == -56
    assert data == bytearray([0, 200, 2, 88, 4, 5, 6, 7])
    # copies: of one array, one
    for numbers in ([1, 2, 3], array.array("h", [1, 2, 3])):
        assert store_and_look("u8", "u8", numbers, numbers, 1, 50, cut=cut) == 50
        assert list(numbers) == [1, 50, 3]
    wide = memoryview(bytearray(8)).cast("H")
    assert store_and_look("u8", "u8", wide[1:], wide[1:], 1, 60, cut=cut) == 60
    assert wide.tolist() == [0, 0, 60, 0]
    big = [10**30, 10**31]
    assert store_and_look("int", "int", big, big, 1, 5, cut=cut) == 5
    # what cannot be written is copied for both
    assert store_and_look("u8", "u8", b"abc", b"abc", 1, 5, cut=cut) == 5
    # interleaved, and one after the other: apart
    assert store_and_look("u8", "u8", view[::2], view[1::2], 1, 33, cut=cut) == 88
    assert store_and_look("u8", "u8", view[:4], view[4:], 1, 34, cut=cut) == 5
    assert data == bytearray([0, 34, 33, 88, 4, 5, 6, 7])


@pytest.mark.parametrize(
    ("element", "other", "given"),
    [
        ("u8", "u32", lambda data: (data, memoryview(data).cast("I"))),
        ("u8", "u32", lambda data: (data, data)),
        ("u8", "u32", lambda data: (numbers := [1, 2, 3], numbers)),
        ("u8", "u8", lambda data: (memoryview(data)[::2], data)),
        ("u8", "u8", lambda data: (data, memoryview(data)[::-1])),
        ("u1", "u1", lambda data: (memoryview(data)[1:], memoryview(data)[:2])),
    ],
)
def test_arrays_that_cannot_share_memory(element, other, given):
    """Where one would not see what is stored in the other; that which is only read may be there twice."""
    with pytest.raises(ValueError, match="b shares memory with a"):
        store_and_look(element, other, *given(bytearray(16)), 1, 1)
    text = STORE_AND_LOOK.replace("ELEMENT", element).replace("OTHER", other)
    text = text.replace("store %a, %i, %x", "%2: int = load %a, %i")
    assert compile_module(parse_module(text)).call("f", *given(bytearray(16)), 1, 1) in (0, 2)


def test_memory_that_a_program_gives_up_is_used_again():
    import resource

    module = module_of(SUM)
    program = compile_module(module)
    program.call("f", 20000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(5):
        program.call("f", 20000)
    # F(20000) has 1.7 KB: were they kept, a call would take 34 MB
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 10_000


def test_too_much_memory_is_an_error():
    text = function("%x: int, %n: int", "shift", "%x, %n")
    program = compile_module(parse_module(text))
    with pytest.raises(MemoryError):
        program.call("f", 1, 1 << 100)
    with pytest.raises(MemoryError):
        program.call("f", -3, 1 << 40)
    assert program.call("f", 0, 1 << 100) == 0
    assert program.call("f", -3, -(1 << 100)) == -1


def test_paper_one_machine_add():
    text = function("%x: u32, %y: u32", "add", "%x, %y", "low 32")
    lines = dump(parse_module(text), "f", "asm").splitlines()[1:]
    instructions = [
        line.split()[0] for line in lines if line.strip() and not line.strip().startswith((".", "#"))
    ]
    assert sorted(instructions) == sorted(["addl", "xorl", "retq"])


def test_code_comes_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    module = module_of(SUM)
    assert compile_module(module).call("f", 10) == 55
    (file,) = (tmp_path / "carrychain").iterdir()
    from carrychain.ring.emit import llvm

    monkeypatch.setattr(llvm, "machine_code", lambda text: pytest.fail("compiled again"))
    assert compile_module(module).call("f", 10) == 55
    monkeypatch.undo()
    # a damaged file is made again
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file.write_bytes(file.read_bytes()[:-7])
    assert compile_module(module).call("f", 10) == 55


def test_a_run_of_loads_fails_at_its_first():
    ends = (-(1 << 31), (1 << 31) - 1)
    sizes, indices = (0, 1, 3, 11, 12, 30), (*range(-12, 32), *ends)
    inputs = [([*range(size)], [*range(size)], i) for size in sizes for i in indices]
    agree([(RUN.format(type="s32", op="sub"), inputs)])


def test_a_long_sum_in_any_order():
    inputs = [(7, (1 << 32) - 1, c, n) for c in (-5, 0, 1 << 62) for n in (0, 1, 2, 3, 100)]
    agree([(LONG_SUM, inputs)])


def test_recursion_that_never_returns_is_no_loop():
    text = """
function @on -> () {
b(%n: u64):
  %1: int = const 1
  %m: int = xor %n, %1
  %w: u64 = narrow u64 %m
  call @on %w
  return
}
function @there -> (int) {
b(%n: int):
  %r: int = call @back %n
  return %r
}
function @back -> (int) {
b(%n: int):
  %r: int = call @there %n
  return %r
}
"""
    program = compile_module(parse_module(text))
    for name in ("on", "there", "back"):
        with pytest.raises(Trap, match="recursion too deep"):
            program.call(name, 5)


def test_recursion_ends_in_small_stacks_too():
    import threading

    text = "(defun down (n) (declare (type integer n)) (+ (down (+ n 1)) 1))"
    program = compile_module(module_of(text))
    said = []

    def deep():
        said.append(outcome(program.call, "down", 0))

    for size in (128 << 10, 256 << 10, 16 << 20):
        before = threading.stack_size(size)
        try:
            thread = threading.Thread(target=deep)
            thread.start()
        finally:
            threading.stack_size(before)
        thread.join()
    assert said == ["recursion too deep"] * 3


def test_the_cache_does_not_grow_for_ever(tmp_path, monkeypatch):
    from carrychain.ring.call import cache

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "KEPT", 4)
    for k in range(1, 9):
        compile_module(parse_module(function("%x: u8", f"low {k}", "%x")))
    assert 0 < len(list((tmp_path / "carrychain").iterdir())) <= 4
