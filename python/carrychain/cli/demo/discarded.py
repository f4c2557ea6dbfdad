"""Discarded once proven not to matter: MD5 in natural Lisp and Python, compiled to machine words."""

import hashlib
import platform
from importlib.resources import as_file, files
from importlib.util import module_from_spec, spec_from_file_location

from carrychain.bench.timing import duration, in_turn

from .chapter import Demo

SIZE = 4 << 20
GENERIC_SIZE = 1 << 16
ROUNDS = 9
GENERIC_ROUNDS = 5


def chapter() -> Demo:
    from carrychain.ring.call.jit import jit
    from carrychain.ring.call.load import load_lisp

    data = bytes(range(256)) * (SIZE // 256)
    few = data[:GENERIC_SIZE]
    examples = files("carrychain") / "examples"
    with as_file(examples / "md5.lisp") as path:
        cut, generic = load_lisp(path), load_lisp(path, cut=False)
    with as_file(examples / "md5.py") as path:
        spec = spec_from_file_location("md5", path)
        python = module_from_spec(spec)
        spec.loader.exec_module(python)
        # while its source is there
        jitted = jit(python.md5)
        right = jitted(data) == hashlib.md5(data).digest()
    digest = cut.call("md5-hex", data)
    right &= digest == hashlib.md5(data).hexdigest()
    right &= generic.call("md5-hex", few) == hashlib.md5(few).hexdigest()
    right &= jitted(few) == python.md5(few) == hashlib.md5(few).digest()
    uncut, plain = in_turn([lambda: generic.call("md5-hex", few), lambda: python.md5(few)], GENERIC_ROUNDS)
    lisp, peer, compiled = in_turn(
        [lambda: cut.call("md5-hex", data), lambda: hashlib.md5(data).hexdigest(), lambda: jitted(data)],
        ROUNDS,
    )
    uncut_ns, plain_ns = (each.least * SIZE / GENERIC_SIZE for each in (uncut, plain))
    return Demo(
        carry="discarded, once proven not to matter",
        module="ring",
        did=[
            ("hashed", f"{SIZE >> 20} MB by examples/lisp/md5.lisp: [bold]{digest}[/bold]"),
            (
                "not cut",
                f"the same program with generic arithmetic would take {duration(uncut_ns)}:"
                f" {uncut_ns / lisp.least:.0f} times as long{uncut.mark}",
            ),
            (
                "in Python",
                f"examples/python/md5.py under jit: [bold]{duration(compiled.least)}[/bold]{compiled.mark}, "
                f"{compiled.least / peer.least:.2f}x the peer's time; CPython {platform.python_version()} "
                f"would take {duration(plain_ns)}: {plain_ns / compiled.least:.0f} times as long{plain.mark}",
            ),
        ],
        check="the digests equal hashlib's; so do those of a part by generic arithmetic and by CPython",
        right=right,
        unit=f"for {SIZE >> 20} MB in Lisp, from exact integers without a word of C",
        peer="hashlib's md5 (OpenSSL, in assembly)",
        timings=[lisp, peer],
    )
