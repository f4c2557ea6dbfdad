"""The call of a compiled function, in C: Dispatcher and Native; Held for many inputs; and the runtime."""

import os
import threading

from ..ring import addresses
from ._call import Dispatcher, Held, Native, bytes_places, give_columns, prepare, set_main_thread

__all__ = ["Dispatcher", "Held", "Native", "bytes_places", "give_columns"]

prepare(*addresses("ring_call", "ring_release", "ring_from_bytes"))
set_main_thread(threading.main_thread().ident)
# who forks is the child's main thread
os.register_at_fork(after_in_child=lambda: set_main_thread(threading.get_ident()))
