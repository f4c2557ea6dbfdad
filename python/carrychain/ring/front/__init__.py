"""Languages' texts to IR: a subset of Common Lisp.

What runs while the program is compiled and what becomes IR share a reader and the macros.

    data      symbols, lists and what else a program's text is made of
    reader    text to data, with positions
    expand    the standard macros, by rewriting to a few special forms; loop has a file of its own
    evaluate  runs macros, and what constants are made of
    library   the functions that those may call
    types     type specifiers to IR types
    ssa       blocks, variables and their joins
    lower     variables, joins and calls to IR
    special   special forms to IR
    operators functions that compiled code may call, by IR operations
    lisp      whole programs
"""
