# SPDX-License-Identifier: Apache-2.0
"""What can go wrong with a robot, as exceptions."""
from __future__ import annotations

__all__ = ["RobotConnectionError", "RobotError", "UnreachableError"]


class RobotError(RuntimeError):
    """The robot did not do it; the text says why.

    After a stop by safety, a lost link or a stopped program every move raises it until reset_error() and then arm()
    have been called. `fault` is one word for code that decides: timeout, closed, refused, device, busy, ...
    """

    def __init__(self, text: str, fault: str = "device") -> None:
        super().__init__(text)
        self.fault = fault


class RobotConnectionError(RobotError, ConnectionError):
    """The robot could not be reached, or does not take us."""


class UnreachableError(RobotError, ValueError):
    """No joint angles put the tool there."""


def failure(fault: str, text: str, opening: bool) -> Exception:
    """The exception for an error of the library; called by the extension."""
    if fault == "invalid":
        return ValueError(text)
    if opening:
        return RobotConnectionError(text, fault)
    if fault == "unreachable":
        return UnreachableError(text, fault)
    return RobotError(text, fault)
