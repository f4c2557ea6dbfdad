"""A subset of Common Lisp, its text to IR.

What runs while the program is compiled and what becomes IR share a reader and the macros.

    data      symbols, lists and what else a program's text is made of
    reader    text to data, with positions
    expand    the standard macros, by rewriting to a few special forms; loop has a file of its own
    evaluate  runs macros, and what constants are made of
    limits    how much those may compute
    library   the functions that those may call, on numbers; the others are in lists, sequences, texts,
              tables and reading
    types     type specifiers to IR types
    known     values that are known when the program is compiled: structures, functions, argument lists
    values    what a form comes to; values that are of one kind on one way and of another on another
    parameters  which arguments of a call are whose
    variables what variables hold, and what is promised of them, to IR
    calls     functions and calls of them to IR
    build     forms, and ways that part and join, to IR
    special   special forms to IR
    objects   forms that make, take apart and call what is known; structures says what a defstruct defines
    typep     whether a value is of a type
    operators functions that compiled code may call, by IR operations
    module    whole programs
"""
