"""The call of a compiled function, in C: Dispatcher and Version, and the runtime that they call."""

import os
import threading

from ..ring import addresses
from ._jit import Dispatcher, Version, bytes_places, prepare, set_main_thread

__all__ = ["Dispatcher", "Version", "bytes_places"]

prepare(*addresses("ring_call", "ring_release", "ring_from_bytes"))
set_main_thread(threading.main_thread().ident)
# who forks is the child's main thread
os.register_at_fork(after_in_child=lambda: set_main_thread(threading.get_ident()))
