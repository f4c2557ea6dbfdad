"""What Lisp programs come to: by the IR's interpreter, and by SBCL."""

import subprocess
from pathlib import Path

from carrychain.ring.front.lisp.data import NIL, T, Vector, items
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.front.lisp.reader import read_all
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


def said_by_sbcl(cases: list, directory: Path) -> list[tuple]:
    """The values that SBCL returns for each case's call of f."""
    script = directory / "cases.lisp"
    lines = []
    for at, (text, args, _) in enumerate(cases):
        lines += [
            f"(defpackage case-{at} (:use :cl)) (in-package :case-{at})",
            text,
            f'(format t "~&result {at} ~s~%" (multiple-value-list (f {" ".join(map(str, args))})))',
        ]
    script.write_text("\n".join(lines))
    command = ["sbcl", "--noinform", "--non-interactive", "--no-userinit", "--load", str(script)]
    output = subprocess.run(command, capture_output=True, text=True)
    found = {}
    for line in output.stdout.splitlines():
        if line.startswith("result "):
            _, at, printed = line.split(" ", 2)
            ((form, _),) = read_all(printed, "sbcl")
            values = [each.elements if isinstance(each, Vector) else each for each in items(form)]
            found[int(at)] = tuple(values)
    assert not output.returncode, output.stdout[-3000:]
    return [found[at] for at in range(len(cases))]
