# SPDX-License-Identifier: MIT
"""The meaning of each machine instruction that we ship, executable.

objects     the built objects: functions, relocations, instructions; their forms, counted
machine/    what each instruction does, once, over any domain of values
native      each form run on this processor beside its meaning
run         a kernel's bytes on concrete inputs, on any machine
polynomials exact integers that are not known, and what division leaves of them
identity    these as a domain: what a kernel computes of what it is given
path        one path through a kernel: its memory, its stack, and that no branch depends on a value
claims/     what each kernel is to compute, one file an operation
prove       every kernel beside its claim
emulated    a claim tried on known contents, by run
terms       z3's bit vectors as a domain, and the paths through code over them
emitted     what the compiler's functions became, beside their IR, by terms
mutants     kernels with a damage to their bytes: refused, or the same
"""
