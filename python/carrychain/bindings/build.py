"""Writes the C source of an extension module. Usage: build.py MODULE DECLARATIONS HEADER OUTPUT."""

import sys
from pathlib import Path

import cffi

module, declarations, header, output = sys.argv[1:]
ffi = cffi.FFI()
ffi.cdef(Path(declarations).read_text())
ffi.set_source(f"carrychain.bindings.{module}", f'#include "{header}"')
ffi.emit_c_code(output)
