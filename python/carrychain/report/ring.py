"""Dejneka, Rhodes: Efficient Hardware Arithmetic in Common Lisp."""

from .chapter import Chapter

chapter = Chapter(
    carry="discarded",
    module="ring",
    paper="A. Dejneka, C. Rhodes: Efficient Hardware Arithmetic in Common Lisp, 2004",
    what="natural integer code, compiled to machine words where that changes no answer",
)
