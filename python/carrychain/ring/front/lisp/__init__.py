"""A subset of Common Lisp, its text to IR.

Code that runs at compile time and code that becomes IR share the reader and the macros.

    data      symbols, lists and the other data that a program's text consists of
    reader    text to data, with positions
    expand    the standard macros, by rewriting to a few special forms; loop has a file of its own
    evaluate  runs macros, and the initial values of constants
    limits    how much compile-time code may compute
    library   the functions that it may call: those on numbers; the others are in lists, sequences, texts,
              tables and reading
    types     type specifiers to IR types
    known     values that are known at compile time: structures, functions, argument lists
    values    the values of forms, which may be of different kinds on different paths
    parameters  which arguments of a call belong to which parameters
    variables variables, their kinds and declarations, to IR
    calls     functions and calls of them to IR
    build     forms, and paths that split and join, to IR
    special   special forms to IR
    objects   forms that make, access and call known values; structures has what a defstruct defines
    typep     whether a value is of a type
    operators functions that compiled code may call, by IR operations
    module    whole programs
"""
