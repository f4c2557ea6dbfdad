"""Exact integers at hardware speed."""

from importlib.metadata import version

from .bindings.fibonacci import fib

__version__ = version("carrychain")
__all__ = ["__version__", "fib"]
