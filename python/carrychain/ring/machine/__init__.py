"""Machine IR: between the plan and LLVM.

The representation:

    form       words, operations, blocks      text       prints it, and reads it back
    verify     whether a program is well formed
    interpret  what each operation means: wordwise (on words alone), code (made ready to run)
    abi        how arguments and results are passed

The passes:

    gather     bounds checks of several loads as one
    regroup    sums in the order in which their terms become available
    lanes      a function for many inputs at once; in it
               copies (several elements at a time), transpose (several words)

The analyses:

    stores     what a function stores to      postdominators   where paths join
    beside     lanes against one input at a time
"""
