"""carrychain run and carrychain explain of programs in Python."""

import hashlib
import json
from pathlib import Path

import pytest
from command import complaint, printed, run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"
MD5 = str(EXAMPLES / "md5.py")
PROGRAM = """from helpers import three

def power(b, e, m=None):
    return pow(b, e, m) if m else b**e

def kinds(x, *, flag: bool = False, items=()):
    return (x, flag, len(items))

def total(items):
    return sum(items) + three()

def same(x):
    return x

def divide(a, b):
    return (
        a // b
    )

def check(x):
    if x < 0:
        raise ValueError("below zero")

def halves(x):
    return x / 2

def fill(to: bytearray):
    to[0] = 7
    return to

def loop(x):
    while x:
        x = 1
"""


@pytest.fixture
def program(tmp_path) -> str:
    (tmp_path / "helpers.py").write_text("def three():\n    return 3\n")
    (tmp_path / "p.py").write_text(PROGRAM)
    return str(tmp_path / "p.py")


def refusal(*arguments: str) -> str:
    return complaint(run(*arguments), 2)


def test_a_file_is_its_bytes(tmp_path):
    data = bytes(range(256)) * 5
    (tmp_path / "data").write_bytes(data)
    digest = hashlib.md5(data)
    assert printed("run", "--hex", MD5, "md5", f"@{tmp_path / 'data'}") == digest.hexdigest() + "\n"
    assert printed("run", MD5, "md5", f"@{tmp_path / 'data'}") == f"{digest.digest()!r}\n"
    assert printed("run", "--hex", MD5, "md5", "@-", input="abc") == hashlib.md5(b"abc").hexdigest() + "\n"
    assert printed("run", "--validate", "--hex", MD5, "rotate_left", "0x80000000", "1") == "100000001\n"


def test_arguments_and_what_is_printed(program):
    assert printed("run", program, "power", "-3", "3") == "-27\n"
    assert printed("run", program, "power", "3", "#x10", "m=1000") == "721\n"
    assert printed("run", "--hex", program, "power", "2", "100") == "1" + "0" * 25 + "\n"
    assert printed("run", program, "kinds", "1") == "(1, False, 0)\n"
    assert printed("run", program, "kinds", "1", "flag=True", "items=1,2") == "(1, True, 2)\n"
    assert printed("run", program, "total", "1,2,-3") == "3\n"
    assert printed("run", program, "same", "1,2") == "[1, 2]\n"
    assert printed("run", program, "same", "(1,)") == "(1,)\n"
    assert printed("run", program, "same", "b'a'") == "b'a'\n"
    assert printed("run", program, "same", "None") == "None\n"
    assert printed("run", program, "fill", "b'abc'") == "bytearray(b'\\x07bc')\n"
    # more digits than Python prints unasked
    assert printed("run", program, "power", "10", "5000") == "1" + "0" * 5000 + "\n"


def test_what_is_refused_is_one_line(program, tmp_path):
    assert "p.py has no function 'nosuch'; it has three, power, kinds" in refusal("run", program, "nosuch")
    said = refusal("run", program, "power", "1")
    assert "power() missing 1 required positional argument: 'e'" in said
    assert "'four' is not an argument: write an integer" in refusal("run", program, "same", "four")
    assert "1.5' is not an argument" in refusal("run", program, "same", "1.5")
    assert "unexpected keyword argument 'by'" in refusal("run", program, "same", "1", "by=2")
    assert "No such file" in refusal("run", program, "same", "@nosuch")
    assert "No such file" in refusal("run", str(tmp_path / "nosuch.py"), "f")
    assert "p.py:25:12: / makes a float: use //" in refusal("run", program, "halves", "3")
    assert "--no-cut is for Lisp programs" in refusal("run", "--no-cut", program, "same", "3")


def test_what_a_program_raises_is_one_line(program, tmp_path):
    assert "p.py:17: ZeroDivisionError: integer division or modulo by zero" in refusal(
        "run", program, "divide", "1", "0"
    )
    assert "p.py:22: ValueError: below zero" in refusal("run", program, "check", "-1")
    broken = tmp_path / "broken.py"
    broken.write_text("x = 1\ndef f(:\n")
    assert "broken.py:2: SyntaxError: " in refusal("run", str(broken), "f")
    broken.write_text("import nosuch_module\n")
    said = refusal("run", str(broken), "f")
    assert "broken.py:1: ModuleNotFoundError: No module named 'nosuch_module'" in said
    broken.write_text("raise SystemExit('not today')\n")
    assert "broken.py:1: SystemExit: not today" in refusal("explain", str(broken), "f")


def test_explain(program):
    text = printed("explain", program, "divide", "-3", "4")
    assert text.startswith("divide of words -> (int), ") and "operation" in text
    assert text.endswith("nothing stayed big\nbig only where ints do not fit 64 bits: a, b, a // b\n")
    text = printed("explain", program, "power", "3", "4")
    assert "b**e stayed big (" in text and "all bits of it are needed because it is returned by power" in text
    assert printed("explain", MD5, "md5").endswith("nothing stayed big\n")


def test_explain_in_json_and_as_a_page(program, tmp_path):
    found = json.loads(printed("explain", "--json", program, "power", "3", "4"))
    assert (found["file"], found["line"], found["cut"]) == (program, 3, True)
    assert [[m["expression"] for m in each["members"]] for each in found["stayed_big"]] == [["b**e"]]
    assert {"kind": "expression", "line": 4, "column": 35, "container": "big"} in found["places"]
    page = tmp_path / "p.html"
    assert printed("explain", "--html", str(page), program, "power", "3", "4") == ""
    assert "<mark>b**e</mark>" in page.read_text() and page.read_text().startswith("<!doctype html>")


def test_explain_dumps(program):
    assert "function @divide" in printed("explain", "--ir", "front", program, "divide", "1", "2")
    assert "define" in printed("explain", "--llvm", program, "divide", "1", "2")
    assert "compared" in printed("explain", "--validate", program, "divide", "1", "2")
    assert "a has no annotation" in refusal("explain", program, "divide")
    assert "arguments are for functions in Python" in refusal("explain", "p.lisp", "f", "1")
