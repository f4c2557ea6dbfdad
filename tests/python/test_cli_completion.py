"""TAB, as the three shells ask for it."""

import shutil
import subprocess

import pytest
from command import ENVIRONMENT, run
from every_command import COMMANDS


def asked(words: str, shell: str) -> str:
    count = str(len(words.split(" ")) - 1)
    result = run(env={"COMP_WORDS": words, "COMP_CWORD": count, "_CARRYCHAIN_COMPLETE": f"{shell}_complete"})
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def offered(words: str) -> list[str]:
    """The values, by zsh's protocol: three lines each, of which the second is one."""
    return asked(words, "zsh").splitlines()[1::3]


def test_commands_and_options():
    assert sorted(offered("carrychain ")) == sorted(COMMANDS)
    assert offered("carrychain po") == ["powmod"]
    assert {"--hex", "--batch", "--help"} <= set(offered("carrychain powmod -"))


def test_suites():
    assert "jit" in offered("carrychain bench ")
    assert offered("carrychain bench no-such") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.lisp", "(defun add (x) x)\n(defconstant k 3)\n  (defun inside (x) x)\n(defun ash2 (x y) x)\n"),
        ("a.py", "def add(x):\n    def inside(y): return y\n    return x\ndef ash2(x, y): return x\n"),
    ],
)
def test_functions(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    for command in ("run", "explain"):
        assert offered(f"carrychain {command} {tmp_path / name} a") == ["add", "ash2"]
        assert offered(f"carrychain {command} {tmp_path / 'none'}{name} a") == []


def test_files():
    """The shell itself offers them, where a command takes one."""
    for words in (
        "run",
        "explain",
        "build",
        "checksum",
        "verify",
        "verify -r",
        "powmod --batch",
        "fib --out",
    ):
        assert asked(f"carrychain {words} f", "bash").startswith("file,"), words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(shell, tmp_path):
    script = run(env={"_CARRYCHAIN_COMPLETE": f"{shell}_source"})
    assert script.returncode == 0 and f"_CARRYCHAIN_COMPLETE={shell}_complete" in script.stdout
    program = shutil.which(shell)
    if program:
        (tmp_path / "script").write_text(script.stdout)
        checked = subprocess.run(
            [program, "-n", tmp_path / "script"], env=ENVIRONMENT, capture_output=True, text=True
        )
        assert (checked.returncode, checked.stderr) == (0, "")
