"""Functions compiled ahead of time, for programs without Carrychain.

subjects   a file's functions as machine IR, and why some cannot be built
kernel     C source in the form that Linux wants
kinds      the kinds of a Python function's arguments, as text
interface  functions as C sees them: names, parameters, results, status codes
header     the C header
runtime    what the object has of the runtime: arrays made by a call, functions on words
entries    the functions that C calls, as LLVM's text
archive    a static library of one object
extension  an extension of Python, as C source; extension_parts has what all have
asdf       a system for SBCL: a shared library, and functions that call it
crate      a crate for Rust
linked     shared objects by the C compiler
wheel      a wheel of such an extension, and its types
build      a file to these files
"""
