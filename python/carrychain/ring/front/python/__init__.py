"""Functions of Python, their source to IR.

kinds    what is told apart of values
module   a function, and those that it calls, for arguments of given kinds
"""
