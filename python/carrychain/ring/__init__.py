"""From natural exact-integer code to the machine's ring: the compiler.

Rhodes, Efficient implementations of modular arithmetic on the integers: where only the low
bits of a result are asked for, only the low bits of what it is made of are computed.

Each folder imports only from those above it:

    ir        the IR: integers without end, its printed form, what it means
    machine   machine IR: what stands between a plan and LLVM
    front     Lisp and Python to IR
    facts     what is true of a function: ranges, demands, orders, what escapes; the plan by them
    rewrite   the passes: each replaces a function by one that observes the same
    lower     IR and plan to machine IR: every width, check and slot
    emit      machine IR to LLVM's text, and LLVM
    trust     check, validate: what does not believe the passes
    compile   the passes in their order, checked
    call      programs and their cache, the runtime in C, functions of Python, many inputs
    explain   what stayed big, what it costs, what would cut it
    prove     what the passes rest on, for all programs
"""
