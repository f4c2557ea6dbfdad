"""Ironclad's own files, and sb-md5 as SBCL ships it: loaded, compiled, and beside SBCL.

By default a third of the files is loaded and some compared, on a few inputs; on many, and all of them:
`make ironclad`, or python tests/python/ring_ironclad.py.
"""

import hashlib
import os
import random
from pathlib import Path

import pytest
import ring_ironclad
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.front.lisp.module import module_of
from carrychain.ring.ir.names import ir_name
from draws import seed, share
from sbcl import needs_sbcl

SB_MD5 = Path("/usr/share/sbcl-source/contrib/sb-md5/md5.lisp")

ironclad = pytest.mark.skipif(not ring_ironclad.SOURCES.exists(), reason="cl-ironclad is not installed")


@ironclad
@pytest.mark.parametrize("file", share("ironclad", ring_ironclad.FILES, 3))
def test_a_file_loads_as_it_is(file):
    (text, name), *more = ring_ironclad.texts(file)
    module = module_of(text, name, *more)
    found = ring_ironclad.algorithms(file)
    assert found
    for algorithm in found:
        assert {ir_name(each.upper()) for each in algorithm.functions()} <= module.functions.keys()


@ironclad
@needs_sbcl
def test_some_are_as_sbcl():
    files = [f"digests/{each}.lisp" for each in ("crc32", "md5", "sha1")]
    files += [f"ciphers/{each}.lisp" for each in ("arcfour", "rc6", "xtea")]
    files = share("ironclad, compared", files, 2)
    built = Path(os.environ.get("CARRYCHAIN_BUILD", "build")).resolve() / "ironclad"
    assert ring_ironclad.compared(files, 10, built, seed=seed("ironclad")) == []


@ironclad
@needs_sbcl
def test_a_damaged_file_is_told(monkeypatch):
    as_it_is = ring_ironclad.read
    monkeypatch.setattr(
        ring_ironclad, "read", lambda file: as_it_is(file).replace("(mod32ash z -5)", "(mod32ash z -6)")
    )
    built = Path(os.environ.get("CARRYCHAIN_BUILD", "build")).resolve() / "ironclad"
    assert len(ring_ironclad.compared(["ciphers/xtea.lisp"], 2, built)) == 4


def as_shipped() -> str:
    """sb-md5's text: without the form that sets SBCL's own policy, and the functions of streams and files."""
    text = SB_MD5.read_text()
    for form, begin, end in ring_ironclad.forms(text):
        policy = "restrict-compiler-policy" in text[begin:end]
        if policy or ring_ironclad.named(form) in ("md5sum-stream", "md5sum-file"):
            text = text[:begin] + "".join("\n" if c == "\n" else " " for c in text[begin:end]) + text[end:]
    return text


@pytest.mark.skipif(not SB_MD5.exists(), reason="sbcl-source is not installed")
def test_sb_md5_as_shipped():
    program = compile_module(module_of(as_shipped(), str(SB_MD5)))
    rng = random.Random(3)
    for length in (*range(0, 130), 1000, 10_000):
        message = rng.randbytes(length)
        assert bytes(program.call("md5sum-sequence", message)) == hashlib.md5(message).digest()
        start = rng.randrange(length + 1)
        wanted = hashlib.md5(message[start:]).digest()
        assert bytes(program.call("md5sum-sequence", message, start=start)) == wanted
