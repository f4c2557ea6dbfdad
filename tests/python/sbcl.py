"""SBCL, where it is installed."""

import os
import shutil
import subprocess
import tempfile

import pytest
from carrychain.ring.front.lisp.data import Vector, items
from carrychain.ring.front.lisp.reader import read_all

needs_sbcl = pytest.mark.skipif(not shutil.which("sbcl"), reason="SBCL is not installed")


def results(text: str, **environment: str) -> list[str]:
    """What it shows in lines of their own behind `result`, as it loads the text."""
    with tempfile.NamedTemporaryFile("w", suffix=".lisp") as script:
        script.write(text)
        script.flush()
        command = ["sbcl", "--noinform", "--non-interactive", "--no-userinit", "--load", script.name]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
    assert not done.returncode, done.stdout[-3000:] + done.stderr[-2000:]
    # long lists are broken into lines
    lines = done.stdout.replace("\n ", " ").splitlines()
    return [line.removeprefix("result ") for line in lines if line.startswith("result ")]


def shown(form: str) -> str:
    """A form that shows the values of this one as a result."""
    return f'(format t "~&result ~s~%" (multiple-value-list {form}))'


def values(result: str) -> tuple:
    """Of what `shown` has shown; a vector as a list."""
    ((form, _),) = read_all(result, "sbcl")
    return tuple(each.elements if isinstance(each, Vector) else each for each in items(form))
