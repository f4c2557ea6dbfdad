"""What Lisp programs come to: by the IR's interpreter, and by SBCL."""

import sbcl
from carrychain.ring.front.lisp.data import NIL, T
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.ir import form as ir
from carrychain.ring.ir.interface import interface_of
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.verify import verify_module


def compiled(text: str) -> ir.Module:
    """The text's module, which must be well formed, and print and parse as itself."""
    module = module_of(text, "t.lisp")
    verify_module(module)
    printed = ir.print_module(module)
    assert ir.print_module(parse_module(printed)) == printed
    return module


def lisp(value):
    return T if value is True else NIL if value is None or value is False else value


def called(module: ir.Module, *args) -> tuple:
    """The values of a call of f, as a caller sees them: Lisp's."""
    function = module.functions["f"]
    interface = interface_of(function)
    returned = interface.values(list(Interpreter(module).call("f", *interface.arguments("f", args, {}))))
    return tuple(map(lisp, returned if isinstance(returned, tuple) else (returned,)))


def said_by_sbcl(cases: list) -> list[tuple]:
    """The values that SBCL returns for each case's call of f."""
    lines = []
    for at, (text, args, _) in enumerate(cases):
        lines.append(f"(defpackage case-{at} (:use :cl)) (in-package :case-{at})\n{text}")
        lines.append(sbcl.shown(f"(f {' '.join(map(str, args))})"))
    return list(map(sbcl.values, sbcl.results("\n".join(lines))))
