"""Python functions, from source to IR.

kinds    the kinds of values
build    statements and expressions of a function to IR, and where paths split and join
module   a function, and those that it calls, for arguments of given kinds
"""
