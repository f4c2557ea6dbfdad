"""The command line in copies of one process that has imported what the commands use: most of a start.

A copy has the arguments, the directory, the standard descriptors and what more is asked for in its
environment, opens its streams as Python does when it starts, imports carrychain.cli, runs its main(), and
ends as Python ends.
"""

import gc
import importlib
import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress

# the greatest number of descriptors that come with a request: its own, and the three of the standard ones
MOST = 4


class Original:
    """The process that is copied; it ends with this one, of which it is a child."""

    def __init__(self, environment: dict[str, str], *imported: str) -> None:
        """@imported: modules that a command imports only when it is called, to be there already."""
        self._ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno()), *imported],
                env=environment,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

    def run(self, arguments, cwd=None, input=None, text=True, env=None, closed=(), **streams):
        """As subprocess.run() would with PIPE for those of stdin, stdout and stderr that are not given.

        @closed: the standard descriptors that it has not; @env: nothing that is read before it is copied.
        """
        assert not any(name.startswith(("CC_", "PYTHON")) for name in env or {})
        descriptors, pipes = [], {}
        with ExitStack() as theirs:
            for number, name in enumerate(("stdin", "stdout", "stderr")):
                given = streams.pop(name, subprocess.PIPE if number or input is not None else None)
                if given == subprocess.PIPE:
                    ends = os.pipe()
                    given, pipes[name] = ends if not number else ends[::-1]
                    theirs.callback(os.close, given)
                elif given is None:
                    given = number
                descriptors.append(given if isinstance(given, int) else given.fileno())
            assert not streams, streams
            request, reply = socket.socketpair()
            theirs.enter_context(reply)
            kept = [each for number, each in enumerate(descriptors) if number not in closed]
            socket.send_fds(self._ours, [b"?"], [reply.fileno(), *kept])
        if isinstance(input, str):
            input = input.encode()
        with request:
            what = (
                [os.fsdecode(each) for each in arguments],
                os.path.abspath(cwd or "."),
                env or {},
                list(closed),
            )
            request.sendall(json.dumps(what).encode() + b"\n")
            output = {}

            def read(name):
                with os.fdopen(pipes[name], "rb") as pipe:
                    output[name] = pipe.read()

            readers = [threading.Thread(target=read, args=(name,)) for name in pipes if name != "stdin"]
            for reader in readers:
                reader.start()
            if "stdin" in pipes:
                with suppress(BrokenPipeError), os.fdopen(pipes["stdin"], "wb") as pipe:
                    pipe.write(input)
            for reader in readers:
                reader.join()
            status = int(request.recv(16))
        if text:
            output = {name: plain(data) for name, data in output.items()}
        return subprocess.CompletedProcess(arguments, status, output.get("stdout"), output.get("stderr"))


def plain(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n").replace("\r", "\n")


def copies(requests: socket.socket) -> list[str]:
    """Returns in each copy, with its arguments; and in the original when nobody can ask any more."""
    while True:
        message, descriptors, *_ = socket.recv_fds(requests, 1, MOST)
        if not message:
            os._exit(0)
        pid = os.fork()
        if not pid:
            requests.close()
            return begin(descriptors)
        reply, *others = descriptors
        for each in others:
            os.close(each)
        _, status = os.waitpid(pid, 0)
        with socket.socket(fileno=reply) as reply, suppress(BrokenPipeError):
            reply.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def begin(descriptors: list[int]) -> list[str]:
    reply, *given = descriptors
    with os.fdopen(os.dup(reply)) as request:
        arguments, directory, environment, closed = json.loads(request.readline())
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream, was = None, getattr(sys, name)
        if number in closed:
            os.close(number)
        else:
            os.dup2(given.pop(0), number)
            stream = os.fdopen(
                number, mode, encoding=was.encoding, errors=was.errors, newline="\n", closefd=False
            )
            stream.reconfigure(line_buffering=number == 2 or stream.isatty())
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.closerange(3, max(descriptors) + 1)
    os.environ.update(environment)
    os.chdir(directory)
    # as -m has it
    sys.path[0] = directory
    return arguments


if __name__ == "__main__":
    import carrychain.cli.run
    from every_command import COMMANDS

    assert COMMANDS
    for name in sys.argv[2:]:
        importlib.import_module(name)
    # these look at the environment and the streams when they are imported
    for name in [name for name in sys.modules if name.startswith("carrychain.cli")]:
        del sys.modules[name]
    gc.collect()
    gc.freeze()
    sys.argv = [sys.argv[0], *copies(socket.socket(fileno=int(sys.argv[1])))]
    carrychain.cli = importlib.import_module("carrychain.cli")
    carrychain.cli.main()
