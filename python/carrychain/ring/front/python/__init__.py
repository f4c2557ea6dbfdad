"""Functions of Python, their source to IR.

kinds    what is told apart of values
build    statements and expressions of a function, and ways that part and join, to IR
module   a function, and those that it calls, for arguments of given kinds
"""
