"""Exact integers at hardware speed."""

from importlib.metadata import version

from .bindings.checksum import checksum
from .bindings.fibonacci import fib
from .bindings.fixed import powmod, powmod_many

__version__ = version("carrychain")
__all__ = ["__version__", "checksum", "fib", "load_lisp", "powmod", "powmod_many"]


def __getattr__(name: str):
    # the compiler loads LLVM, which who wants Fibonacci numbers should not wait for
    if name == "load_lisp":
        from .ring.load import load_lisp

        return load_lisp
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
