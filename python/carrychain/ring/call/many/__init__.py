"""A compiled function of many inputs: lanes of vectors where it can be, and threads.

loops      the machine code: a function in lanes, or one input at a time, over columns
columns    arguments and results as columns
work       which inputs go together, and the threads
vectorize  what is called
"""
