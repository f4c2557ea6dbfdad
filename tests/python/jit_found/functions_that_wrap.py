# The parameters were those of the function that is wrapped: the second call was 7 - 10 for 10 - 7.
import functools


def turned(function):
    @functools.wraps(function)
    def call(q, p):
        return function(p, q)

    return call


def passed(function):
    @functools.wraps(function)
    def call(*given):
        return function(*given)

    return call


@jit
@passed
@turned
def f(p, q):
    return p - 2 * q


@jit
@turned
def entry(p, q):
    return p - q, f(p, q)


def state():
    return ()


CALLS = [("", ("10", "7")), ("", ("10", "7")), ("", ("10", "-7"))]
