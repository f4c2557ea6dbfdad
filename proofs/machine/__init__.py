# SPDX-License-Identifier: MIT
"""What each machine instruction does, written once over any domain of values.

domain      the operations that meanings are built from; integers, as the first domain
state       registers, flags and memory over a domain; operands; execute()
integer     meanings: general registers, branches, the stack
vector      meanings: lanes of integers, masks
floating    meanings: doubles
compiled    the domain of LLVM's values: a kernel's bytes as a compiled function
"""

from . import floating as floating
from . import integer as integer
from . import vector as vector
from .state import FLAGS, MEANINGS, Machine, Unknown, execute

__all__ = ["FLAGS", "MEANINGS", "Machine", "Unknown", "execute"]
