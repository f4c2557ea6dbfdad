"""A compiled function over many inputs: in SIMD lanes where possible, and in threads.

loops      the machine code: a function in lanes, or one input at a time, over columns
columns    arguments and results as columns
work       the groups of inputs, and the threads
vectorize  the callable
"""
