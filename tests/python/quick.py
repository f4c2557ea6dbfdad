"""Machine code that LLVM does nothing to make fast, in a tenth of the time: for what is run once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import llvmlite.binding
from carrychain.ring.emit import llvm
from draws import LONG, random_for


def quickly(text: str) -> bytes:
    llvm._machine()  # from then on LLVM knows this processor
    target = llvmlite.binding.Target.from_default_triple()
    machine = target.create_target_machine(opt=0, reloc="pic")
    return machine.emit_object(llvmlite.binding.parse_assembly(text))


@contextmanager
def mostly_quick(name: str, of: int = 4) -> Iterator[None]:
    """Of what has such names one in ``of`` is made fast, as for users; all where tests are long.

    That shows where the text promises LLVM more than is so; which are drawn anew for each commit. Nothing is
    kept: the text does not say how its code was made.
    """
    if LONG or not random_for(f"fast: {name}").randrange(of):
        yield
        return
    with patch.object(llvm, "machine_code", quickly), patch.dict(os.environ, XDG_CACHE_HOME=os.devnull):
        yield
