# SPDX-License-Identifier: Apache-2.0
"""Starts a program that says where it listens, and ends it."""

import contextlib
import subprocess


@contextlib.contextmanager
def started(program):
    """The port that `program` prints as "listening PORT"; it ends when its standard input does."""
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline().split()[1])
    finally:
        process.stdin.close()
        assert process.wait(timeout=10) == 0
