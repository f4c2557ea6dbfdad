"""Calls a program's function in this interpreter, in its steady state, and says how long that takes.

    pypy3 pypy_calls.py PROGRAM FUNCTION NANOSECONDS

It is called for so many nanoseconds first, until what is compiled runs compiled. Its input is a pickle of the
arguments, and then of each number of calls; its output one of the result, and then of the nanoseconds of
processor time that so many calls have taken.
"""

import pickle
import sys
from importlib.util import module_from_spec, spec_from_file_location
from time import thread_time_ns


def main():
    path, name, warm = sys.argv[1:]
    spec = spec_from_file_location("program", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, name)
    given, told = sys.stdin.buffer, sys.stdout.buffer

    def tell(what):
        pickle.dump(what, told, 4)
        told.flush()

    args = pickle.load(given)
    tell(function(*args))
    start = thread_time_ns()
    while thread_time_ns() - start < int(warm):
        function(*args)
    while True:
        try:
            number = pickle.load(given)
        except EOFError:
            return
        start = thread_time_ns()
        for _ in range(number):
            function(*args)
        tell(thread_time_ns() - start)


main()
