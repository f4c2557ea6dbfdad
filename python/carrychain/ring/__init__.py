"""The compiler: from natural exact-integer code to the machine's modular arithmetic.

Rhodes, Efficient implementations of modular arithmetic on the integers: if only the low bits of a result
are needed, only the low bits of its operands are computed.

Each folder imports only from those above it:

    ir        the IR: unbounded integers, its printed form, its meaning
    machine   machine IR, between a plan and LLVM
    front     Lisp and Python to IR
    facts     what holds in a function: ranges, demands, orders, escapes; and the plan made from them
    rewrite   the passes: each replaces a function by an equivalent one
    lower     IR and plan to machine IR: every width, check and slot
    emit      machine IR to LLVM's text, and LLVM
    trust     check, validate: what does not trust the passes
    compile   the passes in their order, checked
    call      programs and their cache, the runtime in C, Python functions, many inputs
    explain   what stayed big, what it costs, and what would cut it
    library   functions ahead of time: objects, headers and source for C
    prove     proofs of what the passes rely on, for all programs
"""
