"""Calling what was compiled: the runtime, programs and their cache, functions of Python, many inputs."""
