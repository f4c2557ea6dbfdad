"""A pass that stops with an exception, or leaves what its check stops at, leaves the function as it was."""

from collections.abc import Callable

import pytest
from carrychain.ring import compile as compiling
from carrychain.ring.ir.errors import Refused
from carrychain.ring.ir.form import INT, Function, Instruction, Module, Value, print_module, unsigned
from carrychain.ring.rewrite.passes import PASSES
from ring_cases import module_of

PROGRAM = """
(declaim (inline g))
(defun g (x) (declare (type (unsigned-byte 8) x)) (logand (* x 7) 63))
(defun f (n) (declare (type (integer 0 100) n))
  (let ((a (make-array 8 :initial-element 0)) (s 0))
    (dotimes (k n s)
      (setf (aref a (mod k 8)) (+ (aref a (mod (1+ k) 8)) (g (mod k 200))))
      (setf s (mod (+ s (ash (aref a (mod k 8)) 3)) 4294967296)))))
"""


def mess(function: Function) -> None:
    """All that a pass may leave half-made."""
    function.results[:] = [unsigned(8)]
    function.params[0].type, function.params[0].name = unsigned(8), "other"
    for block in function.blocks:
        for i in block.instructions:
            i.args[:0] = i.args[:1]
            for value in i.results:
                value.type = INT if isinstance(value.type, type(INT)) else value.type
        del block.instructions[1:]
        block.params.append(Value("new", INT))
    function.blocks[1:] = function.blocks[:1]


def stops(function: Function) -> None:
    mess(function)
    raise KeyError("nothing")


def leaves_no_end(function: Function) -> None:
    function.blocks[-1].terminator = None


def leaves_what_is_not_known(function: Function) -> None:
    function.blocks[0].instructions.append(Instruction("nonsense", [], [Value("new", INT)]))


FAULTS = (stops, leaves_no_end, leaves_what_is_not_known)


def run(module: Module, passes: tuple, monkeypatch) -> str:
    """The functions after these passes; their plans can be lowered."""
    monkeypatch.setattr(compiling, "PASSES", passes)
    compiling.lowered(module, compiling.plans(module, True))
    return print_module(module)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("at", range(len(PASSES)), ids=[row.name for row in PASSES])
def test_a_pass_that_stops_is_left_out(monkeypatch, fault: Callable, at):
    row = PASSES[at]
    without = run(module_of(PROGRAM).copy(), PASSES[:at] + PASSES[at + 1 :], monkeypatch)
    faulty = row._replace(run=lambda state: fault(state.function), wanted=lambda state: True)
    module = module_of(PROGRAM).copy()
    with pytest.warns(Refused) as warned:
        found = run(module, (*PASSES[:at], faulty, *PASSES[at + 1 :]), monkeypatch)
    assert found == without
    assert len(warned) == len(module.functions)
    warnings = sorted(str(each.message) for each in warned)
    for name, warning in zip(sorted(module.functions), warnings, strict=True):
        assert warning.startswith(f"{name} is compiled without {row.name}: ")
        assert ("KeyError: 'nothing'" in warning) == (fault is stops)


def test_an_inliner_that_stops_is_left_out(monkeypatch):
    module = module_of(PROGRAM).copy()
    was = print_module(module)
    inline = compiling.inline

    def faulty(module: Module) -> None:
        inline(module)
        stops(module.functions["f"])

    monkeypatch.setattr(compiling, "inline", faulty)
    with pytest.warns(Refused, match="the program is compiled without inline: .*KeyError"):
        assert not compiling.inlined(module)
    assert print_module(module) == was
    with pytest.warns(Refused, match="the program is compiled without inline"):
        compiling.lowered(module, compiling.plans(module, True))


@pytest.mark.parametrize("fault", FAULTS[1:], ids=lambda fault: fault.__name__)
def test_what_an_inliner_leaves_is_put_back(monkeypatch, fault: Callable):
    module = module_of(PROGRAM).copy()
    was = print_module(module)
    monkeypatch.setattr(compiling, "inline", lambda module: [fault(f) for f in module.functions.values()])
    with pytest.warns(Refused, match="[fg] is compiled without inline"):
        assert not compiling.inlined(module)
    assert print_module(module) == was


def test_memory_that_runs_out_is_no_fault_of_a_pass(monkeypatch):
    def full(state) -> bool:
        raise MemoryError

    with pytest.raises(MemoryError):
        run(module_of(PROGRAM).copy(), (PASSES[0]._replace(run=full), *PASSES[1:]), monkeypatch)
