# SPDX-License-Identifier: MIT
"""The meaning of each machine instruction that we ship, executable.

objects     the built objects: functions, relocations, instructions; their forms, counted
machine/    what each instruction does, once, over any domain of values
native      each form run on this processor beside its meaning
run         a kernel's bytes on concrete inputs, on any machine
"""
