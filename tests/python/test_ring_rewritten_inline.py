"""A function whose calls were not replaced by what they call, forged by hand, is refused."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from unittest.mock import patch

import pytest
from carrychain import jit
from carrychain.ring import compile as compiling
from carrychain.ring.compile import inlined, plans
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.ir.callgraph import callees_first
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.ir.form import (
    INT,
    Array,
    Block,
    Edge,
    Function,
    Instruction,
    Jump,
    Module,
    Position,
    Value,
    print_function,
    print_module,
    unsigned,
)
from carrychain.ring.ir.inline import inline
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.snapshot import snapshot
from carrychain.ring.trust.inlined import Callees, check_inlined
from ring_damages import DAMAGES
from ring_differential import outcome

Forge = Callable[[Function], None]

TEXT = """function @g -> (int, int) inline {
entry(%x: u16, %a: array(u8)):
  %0: int = const 0
  %1: int = const 1
  %c: bool = lt %x, %0
  branch %c, below(), head(%0, %x)
below():
  %n: int = neg %x
  return %n, %x
head(%i: int, %s: int):
  %more: bool = lt %i, %x
  branch %more, body(), out()
body():
  store %a, %i, %1
  %j: int = add %i, %1
  %t: int = sub %s, %i
  jump head(%j, %t)
out():
  %y: int = load %a, %0
  %q: int = fdiv %s, %y
  return %q, %s
}

function @stops -> (int) inline {
entry(%x: int):
  trap "no way"
}

function @f -> (int) {
entry(%v: int, %w: u8, %a: array(u8), %b: array(u8)):
  %x: int = narrow u16 %v
  %p, %q: int, int = call @g %x, %a
  store %b, %w, %w
  %r, %s: int, int = call @g %w, %b
  %d: int = sub %p, %s
  %e: int = sub %q, %r
  %z: bool = eq %d, %e
  branch %z, one(), two()
one():
  %k: int = call @stops %d
  return %k
two():
  %m: int = mul %d, %e
  return %m
}
""".replace("%p, %q: int, int", "%p: int, %q: int").replace("%r, %s: int, int", "%r: int, %s: int")


def block(function: Function, name: str) -> Block:
    return next(each for each in function.blocks if each.name == name)


def instruction(function: Function, name: str) -> Instruction:
    return next(i for i in function.instructions() if any(r.name == name for r in i.results))


def store(function: Function, name: str) -> Instruction:
    return next(i for i in block(function, name).instructions if i.op == "store")


def forged(forge: Forge, text: str = TEXT) -> None:
    module = placed(parse_module(text))
    order = callees_first(module)
    before = {function.name: snapshot(function) for function in order}
    inline(module)
    forge(module.functions["f"])
    shown = Callees()
    for function in order:
        check_inlined(before[function.name], function, shown)
        shown.add(function)


def placed(module: Module) -> Module:
    """With a position for each instruction."""
    for number, function in enumerate(module.functions.values(), 1):
        for line, i in enumerate(function.instructions(), 1):
            i.position = Position("f.lisp", 100 * number + line, 1)
    return module


def test_what_is_right_is_accepted():
    forged(lambda f: None)
    module = parse_module(TEXT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not inlined(module).keys() & {"f"}
    assert not any(i.op == "call" for i in module.functions["f"].instructions())


def operands(op: str, name: str) -> Forge:
    def forge(f: Function) -> None:
        i = next(i for i in block(f, name).instructions if i.op == op)
        i.args.reverse()

    return forge


def other_parameter(f: Function) -> None:
    # what is passed for the other array
    store(f, "g.body").args[0] = f.params[3]


def other_copy(f: Function) -> None:
    """The second copy divides what the first one has."""
    instruction(f, "q.2").args[0] = block(f, "g.head").params[1]


def ways(f: Function) -> None:
    end = block(f, "g.head.1").terminator
    end.then, end.otherwise = end.otherwise, end.then


def results(f: Function) -> None:
    block(f, "g.out").terminator.to.args.reverse()


def parameters(f: Function) -> None:
    block(f, "entry.1").params.reverse()


def returns_behind_the_other(f: Function) -> None:
    """The first call's second return goes on behind the second call."""
    block(f, "g.out").terminator.to.block = block(f, "g.out.1").terminator.to.block


def returns_at_once(f: Function) -> None:
    """The first call goes on behind the second one."""
    for name in ("g.out", "g.below"):
        block(f, name).terminator.to.block = block(f, "g.out.1").terminator.to.block


def begins_behind_the_entry(f: Function) -> None:
    f.blocks[0].terminator = Jump(Edge(block(f, "g.below")))


def one_copy_for_both(f: Function) -> None:
    block(f, "entry.1").terminator = Jump(Edge(block(f, "g.entry")))


def shared_block(f: Function) -> None:
    """Both calls end in one block."""
    end = block(f, "g.head.1").terminator
    end.otherwise.block = block(f, "g.out")


def shared_value(f: Function) -> None:
    """A value of the second copy is that of the first."""
    first, second = instruction(f, "j"), instruction(f, "j.1")
    second.results = first.results
    block(f, "g.body.1").terminator.to.args[0] = first.result


def dropped(f: Function) -> None:
    block(f, "g.body").instructions.pop(0)


def dropped_behind(f: Function) -> None:
    block(f, "entry.1").instructions.clear()


def twice(f: Function) -> None:
    stores = block(f, "entry.1").instructions
    stores.append(Instruction("store", list(stores[0].args), [], None, stores[0].position))


def before_the_call(f: Function) -> None:
    """A store that follows the call is done before."""
    f.blocks[0].instructions.append(block(f, "entry.1").instructions.pop(0))


def order(f: Function) -> None:
    instructions = block(f, "g.out").instructions
    instructions.reverse()


def never_called(f: Function) -> None:
    block(f, "one").terminator = Jump(Edge(block(f, "entry.1")))


def no_trap(f: Function) -> None:
    stops = next(each for each in f.blocks if each.name.startswith("stops"))
    stops.terminator = Jump(Edge(block(f, "two")))


def other_message(f: Function) -> None:
    stops = next(each for each in f.blocks if each.name.startswith("stops"))
    stops.terminator.message = "no"


def attribute(f: Function) -> None:
    instruction(f, "1").attribute = True


def constant(f: Function) -> None:
    instruction(f, "1").attribute = 2


def type_(f: Function) -> None:
    i = instruction(f, "j.1")
    value = Value("new", unsigned(8))
    f.replace_uses({i.result: value})
    i.results = [value]


def caller(f: Function) -> None:
    i = instruction(f, "q.2")
    i.position = replace(i.position, callers=instruction(f, "q.1").position.callers)


def line(f: Function) -> None:
    i = instruction(f, "q.1")
    i.position = replace(i.position, line=i.position.line + 1)


def not_listed(f: Function) -> None:
    f.blocks.remove(block(f, "g.out.1"))


def listed_twice(f: Function) -> None:
    f.blocks.append(block(f, "g.out.1"))


def entered_elsewhere(f: Function) -> None:
    f.blocks[:2] = f.blocks[1::-1]


def parameters_of_the_function(f: Function) -> None:
    f.blocks[0].params[2:] = f.blocks[0].params[:1:-1]


FORGED = [
    operands("lt", "g.head"),
    operands("sub", "g.body.1"),
    operands("mul", "two"),
    other_parameter,
    other_copy,
    ways,
    results,
    parameters,
    returns_behind_the_other,
    returns_at_once,
    begins_behind_the_entry,
    one_copy_for_both,
    shared_block,
    shared_value,
    dropped,
    dropped_behind,
    twice,
    before_the_call,
    order,
    never_called,
    no_trap,
    other_message,
    attribute,
    constant,
    type_,
    caller,
    line,
    not_listed,
    listed_twice,
    entered_elsewhere,
    parameters_of_the_function,
]


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__qualname__)
def test_what_is_forged_is_refused(forge):
    with pytest.raises(CheckError):
        forged(forge)


def test_an_argument_that_a_call_would_refuse():
    """A call traps where an argument is not of its parameter's type; a copy would go on."""
    forged(lambda f: None, TEXT)
    for text in (TEXT.replace("narrow u16", "narrow int[0,65536]"), TEXT.replace("%w: u8", "%w: int")):
        assert text != TEXT
        with pytest.raises(CheckError):
            forged(lambda f: None, text)


def test_what_is_not_shown_is_no_callee():
    """Not even a right copy, of a function that calls itself or that is shown later."""
    text = """function @f -> (int) {
entry(%x: int):
  %0: int = const 0
  %c: bool = lt %x, %0
  branch %c, below(), above()
below():
  %y: int = neg %x
  %z: int = call @f %y
  return %z
above():
  return %x
}
"""
    module = parse_module(text)
    (f,) = module.functions.values()
    before = snapshot(f)
    copy = f.copy()
    below = f.blocks[1]
    call = below.instructions.pop()
    behind = Block("behind", [call.result])
    behind.terminator, below.terminator = below.terminator, Jump(Edge(copy.blocks[0]))
    copy.replace_uses({copy.params[0]: call.args[0]})
    copy.blocks[0].params = []
    for each in copy.blocks[1:]:
        each.terminator = Jump(Edge(behind, each.terminator.args))
    f.blocks += [*copy.blocks, behind]
    with pytest.raises(CheckError):
        check_inlined(before, f, Callees())
    with pytest.raises(CheckError):
        check_inlined(before, f, Callees(f))


def test_nothing_is_of_two_functions():
    """A value of the callee's own: a pass over one of them would change the other."""
    module = parse_module(TEXT)
    order = callees_first(module)
    before = {function.name: snapshot(function) for function in order}
    inline(module)
    g, stops, f = (module.functions[name] for name in ("g", "stops", "f"))
    copy, own = instruction(f, "0"), instruction(g, "0")
    f.replace_uses({copy.result: own.result})
    copy.results = own.results
    with pytest.raises(CheckError, match="another function's"):
        check_inlined(before["f"], f, Callees(g, stops))


def test_what_is_refused_is_put_back():
    """And so is what holds a copy of it."""
    module = parse_module(TEXT.replace("@f", "@h") + "function @f -> () {\nentry():\n  return\n}\n")
    was = print_module(module)

    def damaged(module: Module) -> None:
        operands("sub", "body")(module.functions["g"])
        inline(module)

    with patch.object(compiling, "inline", damaged), pytest.warns(Refused) as warned:
        kept = inlined(module)
    assert [str(each.message).partition(" is ")[0] for each in warned] == ["g", "h"]
    assert print_module(module) == was
    assert set(kept) == {"stops", "f"}


def test_a_position_names_the_call_it_is_there_for():
    """One line that is inlined from two calls in a function that is inlined itself."""
    module = module_of(
        "(declaim (inline g h))\n"
        "(defun g (x) (aref #(1 2) x))\n"
        "(defun h (x) (+ (g x)\n (g (1+ x))))\n"
        "(defun f (x) (declare (type (unsigned-byte 8) x)) (h x))\n",
        "t.lisp",
    )
    inlined(module)
    loads = [i.position for i in module.functions["f"].instructions() if i.op == "load"]
    assert [[each.line for each in load.callers] for load in loads] == [[3, 5], [4, 5]]


def test_plans_are_made_of_what_was_put_back():
    module = parse_module(TEXT)
    calls = [[v, w, [2] * 300, [1] * 300] for v in (-1, 5) for w in (1, 4)]
    wanted = [outcome(partial(Interpreter(module).call, "f"), args) for args in calls]

    def damaged(module: Module) -> None:
        inline(module)
        operands("sub", "g.body")(module.functions["f"])

    with patch.object(compiling, "inline", damaged), pytest.warns(Refused, match="without inline"):
        made = plans(module, True)
    assert any(i.op == "call" for i in made["f"].function.instructions()), print_function(made["f"].function)
    assert [outcome(partial(Interpreter(module).call, "f"), args) for args in calls] == wanted


def test_arrays_are_of_their_parameters_types():
    text = """function @g -> (int) inline {
entry(%a: array(u8)):
  %0: int = const 0
  %x: int = load %a, %0
  return %x
}

function @f -> (int) {
entry(%a: array(u8)):
  %x: int = call @g %a
  return %x
}
"""

    def wider(f: Function) -> None:
        f.params[0].type = Array(INT)

    forged(lambda f: None, text)
    with pytest.raises(CheckError):
        forged(wider, text)


def less(a, b):
    return a - b if a < 1000 else b


def one_more(x, y):
    return less(x, y) + 1


def test_what_python_calls_is_shown_too(nothing_kept):
    (damage,) = (
        each for each in DAMAGES if (each.stage, each.name) == ("inline", "two arguments are swapped")
    )
    with damage.done(), pytest.warns(Refused, match="is compiled without inline"):
        assert jit(one_more)(5, 3) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jit(one_more)(5, 3) == 3
