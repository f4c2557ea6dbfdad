"""Machine IR: what stands between the plan and LLVM.

What they are and how they run:

    form       words, operations, blocks      text       printed, and read back
    interpret  what each operation means      verify     whether a program is well formed
    abi        how arguments and results are passed

The passes on them:

    gather     bounds checks of several loads as one
    regroup    sums in the order their terms come
    lanes      a function for many inputs at once; in it
               copies (several elements at a time), transpose (several words)

What they ask:

    stores     what a function stores to      postdominators   where ways meet
    beside     lanes and one by one
"""
