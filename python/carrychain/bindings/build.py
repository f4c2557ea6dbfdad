"""Writes the C source of the extension module. Usage: build.py DECLARATIONS OUTPUT."""

import sys
from pathlib import Path

import cffi

declarations, output = sys.argv[1:]
ffi = cffi.FFI()
ffi.cdef(Path(declarations).read_text())
ffi.set_source("carrychain.bindings._carrychain", '#include "native.h"')
ffi.emit_c_code(output)
