# SPDX-License-Identifier: Apache-2.0
"""A network of its own for a test that uses standard ports: loopback is all there is, and everything on it is its own.
And process numbers of its own: when the test is killed, everything that it has started ends with it."""
import os
import subprocess
import sys

_UNSHARE = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"]
SKIPPED = 77  # exit status; ctest's SKIP_RETURN_CODE


def enter() -> None:
    """Starts this script again in such a network; exits with SKIPPED where the system does not allow one."""
    if "TANDEM_TEST_ALONE" in os.environ:
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    os.environ["TANDEM_TEST_ALONE"] = "1"
    for unshare in ([*_UNSHARE, "--mount-proc"], _UNSHARE):  # in a container /proc may be closed
        if subprocess.run([*unshare, "true"], capture_output=True).returncode == 0:
            os.execvp(unshare[0], [*unshare, sys.executable, *sys.orig_argv[1:]])
    print("skipped: no network of its own (unshare --user --net --pid) is allowed here")
    sys.exit(SKIPPED)
