"""Exact integers at hardware speed."""

from importlib.metadata import version

from .bindings.checksum import checksum
from .bindings.fibonacci import fib
from .bindings.fixed import powmod, powmod_many

__version__ = version("carrychain")
__all__ = ["__version__", "checksum", "fib", "powmod", "powmod_many"]
