"""From natural exact-integer code to the machine's ring: the compiler.

Rhodes, Efficient implementations of modular arithmetic on the integers: where only the low
bits of a result are asked for, only the low bits of what it is made of are computed.

    front/   a language's text to IR        ranges, demand, cut, idiom   what each value needs
    counters, parts  what ranges cannot say, written so that they can
    scalars  small arrays as values           elements  arrays of integers of any size as arrays of words
    lengths  their lengths as integers        order    comparisons that others decide
    peel     a loop's first round apart       limbs    numbers of up to 256 bits as words
    interface  what callers see of a function
    ir       the IR and its printed form    check    proves each compiled function, or refuses it
    dominance, callgraph, escape    a function's loops, its calls, the arrays it may change or return
    passes   the passes, in their order
    interpret  what the IR means            lower    IR and containers to words: every width, check and slot
    words/   what words do, as a program    emit     words to LLVM's text
    findings, telling, page  what stayed big, and how it is said; cost, what it costs
    advise   what would cut it in Lisp, by trying
    jit/     Python functions: compiled at a call by its arguments' kinds, and explained
    many/    a function of many inputs, in lanes and threads
    validate   each pass compared with what it was given, for who asks (planned, symbolic)
    prove/     what the passes rest on, for all programs
"""
