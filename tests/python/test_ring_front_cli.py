"""carrychain run and carrychain explain."""

import hashlib
import json
import math
import os
import re
from pathlib import Path

import click
import pytest
from browser import marked
from carrychain.cli.commands import carrychain
from carrychain.ring import compile
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.trust.check import check
from command import complaint, printed, run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "lisp"
MD5 = str(EXAMPLES / "md5.lisp")
PAPER = str(EXAMPLES / "paper.lisp")


def test_a_file_is_its_bytes(tmp_path):
    data = bytes(range(256)) * 5
    (tmp_path / "data").write_bytes(data)
    assert printed("run", MD5, "md5-hex", f"@{tmp_path / 'data'}") == hashlib.md5(data).hexdigest() + "\n"
    assert printed("run", "--no-cut", MD5, "MD5-HEX", "97,98,99") == hashlib.md5(b"abc").hexdigest() + "\n"
    assert printed("run", MD5, "md5-hex", "@-", input="abc") == hashlib.md5(b"abc").hexdigest() + "\n"
    assert printed("run", MD5, "hex", "#(1 #xff)") == "01ff\n"


def test_values_are_printed_a_line_each(tmp_path):
    program = tmp_path / "p.lisp"
    program.write_text(
        "(defun f (x y) (floor x y))\n(defun g (p) (declare (type boolean p)) (not p))\n"
        "(defun h (n) (dotimes (i n)))\n"
        "(defun v (n) (make-array n :initial-element (expt 10 20)))\n"
        "(defun s= (x y) (and (integerp x) (= x y)))\n"
        "(defun s (text) (declare (simple-string text)) (length text))\n"
        "(defun factorial (n) (loop with p = 1 for i from 1 to n do (setq p (* p i)) finally (return p)))\n"
    )
    file = str(program)
    assert printed("run", file, "f", "-17", "5") == "-4\n3\n"
    assert printed("run", "--hex", file, "f", "#xff", "0x10") == "f\nf\n"
    assert printed("run", file, "f", "#b101", "-#o7") == "-1\n-2\n"
    assert printed("run", file, "g", "nil") == "T\n"
    assert printed("run", file, "g", "t") == "NIL\n"
    assert printed("run", file, "h", "3") == "NIL\n"
    assert printed("run", file, "v", "2") == "#(100000000000000000000 100000000000000000000)\n"
    assert printed("run", file, "s", "four") == "4\n"
    assert printed("run", file, "s=", "4", "4") == "T\n"
    # more digits than Python prints unasked
    assert int(printed("run", "--hex", file, "factorial", "2000"), 16) == math.factorial(2000)
    assert len(printed("run", file, "factorial", "2000")) > 5000


def test_what_is_left_out_or_of_several_kinds(tmp_path):
    program = tmp_path / "p.lisp"
    program.write_text(
        "(defun f (y) (when (< y 10) (+ y 1)))\n"
        "(defun g (x &optional (y 5 y-p) &key (by 2) flag) (values (* by (+ x y)) y-p flag))\n"
        "(defun none () (values))\n"
        "(defun maybe (x) (declare (type (or null (vector (unsigned-byte 8))) x)) (if x (length x)))\n"
    )
    file = str(program)
    assert printed("run", file, "f", "3") == "4\n"
    assert printed("run", file, "f", "30") == "NIL\n"
    assert printed("run", file, "g", "1") == "12\nNIL\nNIL\n"
    assert printed("run", file, "g", "1", "2", ":by", "-3", ":flag", "t") == "-9\nT\nT\n"
    assert printed("run", file, "none") == "; No value\n"
    assert printed("run", file, "maybe", "1,2,3") == "3\n"
    assert printed("run", file, "maybe", "nil") == "NIL\n"
    said = refusal("run", file, "g", status=2)
    assert "g takes 1 to 2 arguments, not 0: x (int), y (int, optional), :by (int, optional)" in said
    said = refusal("run", file, "g", "1", "2", ":bye", "3", status=2)
    assert "':bye' is not an argument that is passed by name; those are: :by, :flag" in said


def test_integers_of_any_length(tmp_path):
    digits = "7" * 30_000
    program = tmp_path / "p.lisp"
    program.write_text(
        f"(defun f (x) (1+ x))\n(defun g () (1+ {digits}))\n(defun h (x) (the (unsigned-byte 8) x))\n"
    )
    file = str(program)
    assert printed("run", file, "f", digits) == digits[:-1] + "8\n"
    assert printed("run", file, "g") == digits[:-1] + "8\n"
    assert "an integer of 99658 bits is not of type u8" in refusal("run", file, "h", digits, status=2)


def refusal(*arguments: str, status: int) -> str:
    """What a command says that fails with this status, run in this process."""
    with pytest.raises(click.ClickException) as caught:
        carrychain.main(list(arguments), standalone_mode=False)
    assert caught.value.exit_code == status
    return caught.value.format_message()


def test_a_failure_is_one_line(tmp_path):
    program = tmp_path / "p.lisp"
    program.write_text("(defun f (x)\n  (the (unsigned-byte 8) x))")
    message = complaint(run("run", str(program), "f", "256"), 2)
    assert message == f"carrychain: {program}:2:3: 256 is not of type u8"
    program.write_text("(defun f (x)")
    assert complaint(run("run", str(program), "f", "256"), 2).startswith(f"carrychain: {program}:1:1: ")
    assert "No such file" in complaint(run("run", "nosuch.lisp", "f"), 2)
    assert "No such file" in complaint(run("run", MD5, "md5-hex", "@nosuch"), 2)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([PAPER, "add-z"], 2, "has no function 'add-z'; it has add-a, add-b"),
        ([PAPER, "add-d", "1"], 2, "add-d takes 2 arguments, not 1: x (u32), y (u32)"),
        ([PAPER, "add-d", "1", "2", "3"], 2, "add-d takes 2 arguments, not 3"),
        ([PAPER, "add-d", "1", "two"], 2, "y: 'two' is not an integer"),
        ([PAPER, "add-d", "4294967296", "0"], 2, "x is 4294967296, not of type u32"),
        ([PAPER, "add-d", "-1", "0"], 2, "x is -1, not of type u32"),
        ([PAPER, "add-e", "4294967295", "1"], 2, "paper.lisp:16:3: 4294967296 is not of type u32"),
        ([MD5, "md5-hex", "1,256"], 2, "256, not of type u8"),
        ([MD5, "md5-hex", "1,x"], 2, "data: 'x' is not an integer"),
        ([MD5, "md5-hex", "hello"], 2, "; an array is 1,2,3, or @NAME for a file"),
    ],
)
def test_wrong_calls(arguments, status, message):
    assert message in refusal("run", *arguments, status=status)


@pytest.mark.parametrize("command", ["run", "explain"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(defun f (x)\n  (+ x 1)", ":1:1: this parenthesis is not closed"),
        ("(defun f (x)\n  (foo x))", ":2:3: foo is not a known function or macro"),
        ("(defun g (x) x)\n(defun f () (g 1 2))", ":2:13: g takes 1 argument, not 2"),
        ("(defmacro m (x) `(1+ (m ,x)))\n(defun f () (m 1))", ":2:13: the macro m expands into itself"),
        ("(defparameter *x* (floor 1 0))", ":1:19: division by zero"),
        ("\xff(defun f () 1)", ":1:1: "),
    ],
)
def test_wrong_programs(command, text, message, tmp_path):
    program = tmp_path / "p.lisp"
    program.write_bytes(text.encode("latin-1"))
    assert f"{program}{message}" in refusal(command, str(program), "f", status=2)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("(defun f (x)\n  (floor 1 x))", ["0"], ":2:3: division by zero"),
        ("(defun f (i) (aref #(1 2 3) i))", ["3"], ":1:14: index 3 is out of bounds for an array of 3"),
        ("(defun f (n) (length (make-array n)))", ["-1"], ":1:22: an array of -1 elements"),
        ("(defun f (x) (the (unsigned-byte 8) x))", ["256"], ":1:14: 256 is not of type u8"),
        ('(defun f (x) (if (< x 0) (error "below zero") x))', ["-5"], ":1:26: below zero"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--no-cut"]], ids=["cut", "generic"])
def test_programs_that_fail(text, arguments, message, options, tmp_path):
    program = tmp_path / "p.lisp"
    program.write_text(text)
    assert f"{program}{message}" in refusal("run", *options, str(program), "f", *arguments, status=2)


def test_explain_says_what_stayed_big_and_why():
    text = printed("explain", PAPER, "add-a")
    assert "%0: int = add %x, %y" in text
    assert "-inf .. inf" in text
    told = text[text.index("x stayed big") :].splitlines()
    assert told[:6] == [
        f"x stayed big ({PAPER}:3:15), and with it:",
        "    y (3:17)",
        "    (+ x y) (4:3)",
        f"  all bits of each are needed because (+ x y) is returned by add-a ({PAPER}:3:1)",
        "  if their values fit, write (declare (type (signed-byte 64) x y)) at 3:19: "
        "then each is a word of at most 128 bits",
        "  if only the low bits are needed, write (ldb (byte 64 0) (+ x y)) at 4:3: "
        "then each is a word of at most 64 bits",
    ]
    assert len(told) == 7
    assert re.fullmatch(
        r"  costs an estimated [\d.]+ ns more than a word each time, \d+ ns more at 100 bits; once per call",
        told[6],
    )
    assert "stayed big" not in printed("explain", "--no-cut", PAPER, "add-a")


def test_explain_in_json():
    found = json.loads(printed("explain", "--json", PAPER, "add-a"))
    assert (found["function"], found["file"], found["line"], found["column"]) == ("add-a", PAPER, 3, 1)
    assert found["cut"] and found["all_tried"] and found["changes_tried"] > 0
    (big,) = found["stayed_big"]
    assert [each["expression"] for each in big["members"]] == ["x", "y", "(+ x y)"]
    last = big["members"][-1]
    assert (last["kind"], last["line"], last["column"], last["low"], last["high"]) == (
        "expression", 4, 3, None, None,
    )  # fmt: skip
    assert big["use"] == {"what": "(+ x y) is returned by add-a", "expression": None, "line": 3, "column": 1}
    declare, mask = big["advice"]
    assert declare == {
        "kind": "declare",
        "write": [{"text": "(declare (type (signed-byte 64) x y))", "line": 3, "column": 19}],
        "insertions": [{"text": " (declare (type (signed-byte 64) x y))", "line": 3, "column": 19}],
        "container": 128,
    }
    assert mask["kind"] == "mask" and mask["container"] == 64 and len(mask["insertions"]) == 2
    assert big["cost"]["estimate"] and big["cost"]["operations"] == 1 and big["cost"]["rounds"] == 1
    assert {"kind": "expression", "line": 4, "column": 3, "container": "big"} in found["places"]
    small = json.loads(printed("explain", "--json", PAPER, "sum-of-range"))
    assert small["stayed_big"] == [] and small["changes_tried"] == 0
    assert {each["container"] for each in small["places"]} == {32, 64}
    generic = json.loads(printed("explain", "--json", "--no-cut", PAPER, "add-a"))
    assert not generic["cut"] and generic["stayed_big"] == []


def test_explain_what_the_checker_refused(monkeypatch, capsys, tmp_path):
    def refuse(plan, module, summaries):
        if plan.facts is not None:
            raise CheckError("no")
        return check(plan, module, summaries)

    monkeypatch.setattr(compile, "check", refuse)
    for options in ([], ["--json"], ["--html", str(tmp_path / "p.html")]):
        with pytest.warns(Refused):
            carrychain.main(["explain", *options, PAPER, "add-a"], standalone_mode=False)
    text = capsys.readouterr().out
    assert "everything stays big because the checker could not prove it exact" in text
    assert json.loads(text[text.index("\n{") :])["cut"] is False
    assert "(+ x y)" in (tmp_path / "p.html").read_text()


def test_explain_as_a_page(tmp_path):
    program = tmp_path / "p.lisp"
    program.write_text("(defun <f> (x &key (y 2))\n  (if (< x y)\n    (* x\n       y)\n    0))\n")
    page = tmp_path / "p.html"
    assert printed("explain", "--html", str(page), str(program), "<f>") == ""
    assert marked(page.read_text()) == ["x", "y", "(if (< x y)", "(* x", "y)", "0)"]
    assert "(declare (type (signed-byte 64) x y))" in page.read_text()
    assert "&lt; <b>" not in page.read_text() and '<span class="big">* <b>big</b></span>' in page.read_text()
    assert "4 expressions stayed big" in page.read_text()
    # whole, or not at all
    assert sorted(os.listdir(tmp_path)) == ["p.html", "p.lisp"]
    assert "can't write" in complaint(run("explain", "--html", "no/such/p.html", PAPER, "add-a"), 2)
    assert "without --no-cut" in refusal("explain", "--html", "p", "--no-cut", PAPER, "add-a", status=2)
    assert "one of" in refusal("explain", "--html", "p", "--json", PAPER, "add-a", status=2)


def test_explain_shows_ranges_demands_and_containers():
    text = printed("explain", PAPER, "sum-of-range")
    (line,) = [line for line in text.splitlines() if "= add %sum" in line]
    assert line.split("  ")[0] == "" and "0 .. inf" in line and "32 bits" in line and line.endswith("21:20")
    assert text.endswith("nothing stayed big\n")


def test_explain_dumps():
    assert "function @add-d -> (int) {" in printed("explain", "--ir", "front", PAPER, "add-d")
    assert "define" in printed("explain", "--llvm", PAPER, "add-d")
    assert "add" in printed("explain", "--asm", PAPER, "add-d")
    assert "no pass nosuch" in refusal("explain", "--ir", "nosuch", PAPER, "add-d", status=2)
    assert "one of" in refusal("explain", "--ir", "front", "--asm", PAPER, "add-d", status=2)
    assert "no function 'add-z'; it has add-a, add-b" in refusal("explain", PAPER, "add-z", status=2)
