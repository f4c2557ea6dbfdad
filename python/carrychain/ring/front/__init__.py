"""Source text to IR.

lisp/     a subset of Common Lisp
python/   Python functions, from their source
ssa       blocks, variables and their joins
handlers  tables of functions, in which each registers itself by name
"""
