"""Source text to IR.

lisp/     a subset of Common Lisp
python/   Python functions, from their source
ssa       blocks, variables and their joins
handlers  tables of functions, each entered by name
"""
