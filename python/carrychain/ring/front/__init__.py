"""Languages' texts to IR.

lisp/    a subset of Common Lisp
ssa      blocks, variables and their joins
"""
