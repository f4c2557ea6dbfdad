"""A second, slow evaluator for the language of the Lisp front end: it walks forms on Python's integers.

It is written from the Common Lisp standard (CLHS). It shares nothing with the front end, not even the reader,
nor with the IR's interpreter. So where the front end takes a form for another, the two differ.

    Walker(text).call("f", 3, [1, 2])    the values of (f 3 v), as a tuple; v is the list, and may change

Arguments and values are integers, None for nil, True for t, and lists for arrays. Trap is an error in Lisp.
MemoryError says that a number is too large, or that it takes too long; NotImplementedError, that the walker
does not know a form.
"""

from .data import Trap
from .walker import Walker

__all__ = ["Trap", "Walker"]
