"""Calls of compiled code: the runtime, programs and their cache, Python functions, many inputs."""
