# SPDX-License-Identifier: Apache-2.0
"""mbpoll against our server: python3 mbpoll_client.py PROGRAM."""

import re
import subprocess
import sys

from started import started


def mbpoll(port, *arguments):
    command = ["mbpoll", "-m", "tcp", "-p", str(port), "-a", "1", "-0", "-1", "-o", "10", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30, check=False)
    return done.stdout


def values(text):
    return [int(value) for value in re.findall(r"^\[\d+\]:\s+(-?\d+)", text, re.MULTILINE)]


with started(sys.argv[1]) as port:
    # 32 bits with the low word first, as mbpoll takes it by default.
    out = mbpoll(port, "-t", "4:int", "-r", "16", "-c", "1", "127.0.0.1")
    assert values(out) == [-123456], out
    out = mbpoll(port, "-t", "4", "-r", "352", "127.0.0.1", "7", "8", "9")
    assert "Written 3 references" in out, out
    out = mbpoll(port, "-t", "4", "-r", "352", "-c", "4", "127.0.0.1")
    assert values(out) == [7, 8, 9, 0], out
    out = mbpoll(port, "-t", "3", "-r", "264", "-c", "1", "127.0.0.1")
    assert values(out) == [10], out
    out = mbpoll(port, "-t", "0", "-r", "8192", "127.0.0.1", "1", "0", "1")
    assert "Written 3 references" in out, out
    out = mbpoll(port, "-t", "0", "-r", "0", "-c", "5", "127.0.0.1")
    assert values(out) == [1, 0, 1, 0, 0], out
    out = mbpoll(port, "-t", "4", "-r", "1000", "-c", "1", "127.0.0.1")
    assert "Illegal data address" in out, out
print("mbpoll is content")
