"""Of what SBCL tests rotate-byte and MD5 with, in its contrib/, what our front end takes agrees with SBCL."""

import random
import re
import shutil
from array import array
from types import SimpleNamespace

import pytest
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.front.lisp import module as lisp
from carrychain.ring.ir.form import unsigned
from carrychain.ring.ir.interface import interface_of
from carrychain.ring.ir.names import ir_name
from ring_arithmetic import argument, inputs, listed
from ring_contrib import CONTRIB, GENERAL, MD5, REFUSED, ROTATE, Taken, take, top_level, versions
from ring_differential import Made, by_lisp, interpreted_ir, lent, outcome

# On both sides, each with what it calls: what is an array is not printed.
DRIVERS = {
    "update-md5-block": """
(defun block-step (regs block)
  (declare (type (simple-array (unsigned-byte 32) (4)) regs)
           (type (simple-array (unsigned-byte 32) (16)) block))
  (update-md5-block regs block)
  0)""",
    "md5regs-digest": """
(defun digest-step (regs digest)
  (declare (type (simple-array (unsigned-byte 32) (4)) regs)
           (type (simple-array (unsigned-byte 8) (16)) digest))
  (replace digest (md5regs-digest regs))
  0)""",
    "fill-block-ub8": """
(defun fill-step (block buffer offset)
  (declare (type (simple-array (unsigned-byte 32) (16)) block)
           (type (simple-array (unsigned-byte 8) (*)) buffer)
           (type (integer 0 100) offset))
  (fill-block-ub8 block buffer offset)
  0)""",
}

pytestmark = [
    pytest.mark.usefixtures("nothing_kept"),
    pytest.mark.skipif(not CONTRIB.exists(), reason=f"sbcl-source is not installed: no {CONTRIB}"),
]


@pytest.fixture(scope="module")
def rotate() -> Taken:
    return take(ROTATE)


@pytest.fixture(scope="module")
def general() -> Taken:
    return take(GENERAL)


@pytest.fixture(scope="module")
def md5() -> Taken:
    taken = take(MD5)
    taken.text += drivers(taken)
    taken.module = lisp.module_of(taken.text, "contrib")
    return taken


def drivers(taken: Taken) -> str:
    """For those that the front end took; the list of what it refuses says which it did not."""
    return "\n".join(text for name, text in DRIVERS.items() if name in taken.module.functions)


def test_forms_are_told_apart():
    text = '; (no\n(a "(" #\\( |(| b)\n#+x\n(c)\n#-(or x (not y))\n(d ;)\n e) #| ( |# (f)'
    assert [text[start:end] for start, end in top_level(text)] == [
        '(a "(" #\\( |(| b)',
        "#+x\n(c)",
        "#-(or x (not y))\n(d ;)\n e)",
        "(f)",
    ]


def test_what_is_refused_is_listed(rotate, general, md5):
    wanted = listed(REFUSED)
    if wanted.pop("sha256") != versions():
        pytest.skip(f"{REFUSED.name} is of another version of sbcl-source than is installed")
    assert {**rotate.refused, **general.refused, **md5.refused} == wanted


def test_rotate_bytes_forms_are_taken(rotate, general):
    forms = rotate.forms + general.forms
    assert forms >= 50 and len(rotate.refused) + len(general.refused) <= forms // 10
    assert len(rotate.assertions) >= 35


def test_assertions_hold(rotate):
    program = compile_module(rotate.module)
    for name in rotate.assertions:
        assert program.call(name) is None


# --- beside SBCL ------------------------------------------------------------------------------


def agree_with_sbcl(taken: Taken, package: str, first: str, calls: dict[str, list[list]]) -> None:
    """Each function, on each of its arguments, compiled and interpreted, is what SBCL's own is."""
    if not shutil.which("sbcl"):
        pytest.skip("sbcl is not installed")
    program = compile_module(taken.module)
    ours, theirs = [], []
    for name, rows in calls.items():
        here = ir_name(name.upper())
        params = [(each.name, each.kind) for each in interface_of(taken.module.functions[here]).takes]
        kind = SimpleNamespace(to_lisp=lambda functions: "")
        ours.append(Made(kind, [(here, params)], rows))
        theirs.append(Made(kind, [(f"{package}::{name}", params)], rows))
    for each, wanted in zip(ours, by_lisp(theirs, ":compile", first), strict=True):
        got = [
            outcome(lambda *a, n=each.name: program.call(n, *a), lent(each.params, row))
            for row in each.inputs
        ]
        assert got == wanted, each.name
        assert interpreted_ir(taken.module, each.name, each.inputs) == wanted, each.name


def typed(taken: Taken, names: list[str]) -> dict[str, list[list]]:
    return {name: inputs(interface_of(taken.module.functions[name]), name, 100) for name in names}


def test_rotations_agree(rotate):
    names = ["pfixnum/c", "pfixnum", "ub32/c", "ub32/-c", "ub32", "ub32-reg-pressure", "ub64/c", "ub64/-c"]
    load = '(require :sb-rotate-byte)\n(sb-ext:unlock-package "SB-ROTATE-BYTE")\n'
    load += f'(load "{CONTRIB / ROTATE[0]}")\n'
    agree_with_sbcl(rotate, "sb-rotate-byte", load, typed(rotate, [*names, "ub64"]))


def test_the_general_rotation_agrees(general):
    rng = random.Random(1)
    rows = [
        [rng.randint(-200, 200), rng.randint(1, 130), rng.randint(0, 70), rng.getrandbits(200) - (1 << 199)]
        for _ in range(200)
    ]
    words = [[count % 63 - 31, x & 0xFFFFFFFF] for count, _, _, x in rows]
    calls = {"%rotate-byte": rows, "%unsigned-32-rotate-byte": words}
    agree_with_sbcl(general, "sb-rotate-byte", "(require :sb-rotate-byte)\n", calls)


def test_md5_agrees(md5):
    calls = typed(md5, ["f", "g", "h", "i", "mod32+", "rol32"])
    rng = random.Random(1)

    def words(count):
        return [argument(rng, unsigned(32)) for _ in range(count)]

    steps = {
        "block-step": [[words(4), words(16)] for _ in range(50)],
        "digest-step": [[words(4), [0] * 16] for _ in range(20)],
        "fill-step": [[words(16), list(rng.randbytes(150)), at] for at in range(0, 87, 9)],
    }
    calls |= {name: rows for name, rows in steps.items() if name in md5.module.functions}
    assert {"block-step", "digest-step"} <= calls.keys()
    first = "(require :sb-md5)\n(sb-ext:unlock-package :sb-md5)\n(in-package :sb-md5)\n"
    agree_with_sbcl(md5, "sb-md5", f"{first}{drivers(md5)}\n(in-package :cl-user)\n", calls)


def test_md5s_digests(md5):
    """The strings of SBCL's test and their digests: as many blocks as RFC 1321 pads them to."""
    cases = re.findall(r'\("([^"]*)"\s*\.\s*"([0-9a-f]{32})"\)', (CONTRIB / MD5[1]).read_text())
    assert len(cases) > 70
    program = compile_module(md5.module)
    for text, wanted in cases:
        padding = b"\x80" + bytes((55 - len(text)) % 64)
        octets = text.encode() + padding + (8 * len(text)).to_bytes(8, "little")
        registers = array("I", program.call("initial-md5-regs"))
        for at in range(0, len(octets), 64):
            program.call("update-md5-block", registers, array("I", octets[at : at + 64]))
        assert bytes(program.call("md5regs-digest", registers)).hex() == wanted, text
