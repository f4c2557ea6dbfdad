"""Languages' texts to IR: a subset of Common Lisp.

data      symbols, lists and what else a program's text is made of
reader    text to data, with positions
expand    the standard macros, by rewriting to a few special forms; loop has a file of its own
evaluate  runs macros and constants' initial values when the program is compiled
types     type specifiers to IR types
ssa       blocks, variables and their joins
operators the arithmetic functions, each by IR operations
lower     special forms and calls to IR
lisp      whole programs
"""
