# SPDX-License-Identifier: Apache-2.0
"""The Robotiq Hand-E: positions from 0 (open) to 255 (closed)."""
from __future__ import annotations

import time
from typing import Any

__all__ = ["Gripper"]

_UNTIL_IT_MOVES = 0.3  # s from a command until the gripper's registers tell of it

_OBJECT = {
    0: "moving towards the requested position",
    1: "stopped by an object while opening",
    2: "stopped by an object while closing",
    3: "arrived at the requested position, no object",
}
_STATE = {0: "reset", 1: "activating", 3: "active"}
_FAULT = {
    0: "none",
    5: "waits until activation is complete",
    7: "must be activated first",
    8: "too hot",
    9: "no communication for a second",
    10: "supply voltage too low",
    11: "automatic release in progress",
    12: "internal",
    13: "activation failed",
    14: "too much current",
    15: "automatic release completed",
}


class Gripper:
    """Moves return True when the fingers have stopped, at the position or on an object (with wait=False: when the
    gripper has accepted the command), and False when the gripper is not active.

    >>> gripper.activate()
    True
    >>> gripper.close()
    True
    >>> gripper.hasDetectedObject()
    True
    """

    class Status:
        """The gripper's own registers gOBJ, gSTA, gTO and gACT."""

        def __init__(self, gOBJ: int, gSTA: int, gTO: int, gACT: int) -> None:
            self.gOBJ, self.gSTA, self.gTO, self.gACT = gOBJ, gSTA, gTO, gACT

        def __repr__(self) -> str:
            return (
                f"Status(gOBJ={self.gOBJ}: {_OBJECT.get(self.gOBJ, 'unknown')}, "
                f"gSTA={self.gSTA}: {_STATE.get(self.gSTA, 'unknown')}, gTO={self.gTO}, gACT={self.gACT})"
            )

    class Fault:
        """gFLT of the gripper and kFLT of its controller; 0 is none."""

        def __init__(self, kflt: int, gflt: int) -> None:
            self.kFLT, self.gFLT = kflt, gflt

        def __repr__(self) -> str:
            return f"Fault(gFLT={self.gFLT}: {_FAULT.get(self.gFLT, 'unknown')}, kFLT={self.kFLT})"

    def __init__(self, device: Any) -> None:
        """Made by ISCoin."""
        self._device = device
        self._moved_at = float("-inf")

    def activate(self) -> bool:
        """Needed once before it moves, and moves the fingers itself. Returns when it is active."""
        self._device.gripper_activate()
        return True

    def deactivate(self) -> bool:
        """It lets go, and takes no moves until it is activated again."""
        self._device.gripper_deactivate()
        return True

    def isActivated(self) -> bool:
        """Whether it takes moves."""
        return self._device.gripper_status().status == 3

    def waitUntilActive(self) -> None:
        """Returns when it is active; RobotError when it is not after ten seconds."""
        self._device.gripper_wait_until_active()

    def move(self, pos: int, speed: int = 255, force: int = 50, wait: bool = True) -> bool:
        """To a position from 0 (open) to 255 (closed); speed and force from 0 to 255.

        wait: return when the fingers have stopped, as ISCoinSim does; RobotError when they have not after ten seconds.
        """
        taken = self._device.gripper_move(_whole(pos, "pos"), _whole(speed, "speed"), _whole(force, "force"))
        self._moved_at = time.monotonic()
        if taken and wait:
            self.waitUntilStopped()
        return taken

    def open(self, speed: int = 255, force: int = 50, wait: bool = True) -> bool:
        """move(0)"""
        return self.move(0, speed, force, wait)

    def close(self, speed: int = 255, force: int = 50, wait: bool = True) -> bool:
        """move(255)"""
        return self.move(255, speed, force, wait)

    def isMoving(self) -> bool:
        """Whether it is on its way to the requested position."""
        return self._device.gripper_status().object == 0

    def waitUntilStopped(self) -> None:
        """Returns when it has arrived or met an object; RobotError when it has not after ten seconds."""
        time.sleep(max(0.0, self._moved_at + _UNTIL_IT_MOVES - time.monotonic()))
        self._device.gripper_wait_until_stopped()

    def hasDetectedObject(self) -> bool:
        """Whether an object stopped the fingers."""
        return self._device.gripper_status().object in (1, 2)

    def closeAndCheckSize(
        self,
        expected_size_mm: float,
        plus_margin_mm: float,
        minus_margin_mm: float,
        speed: int = 255,
        force: int = 50,
    ) -> bool:
        """Closes, and tells whether the fingers stopped at the expected opening."""
        return self._device.gripper_close_and_check_size(
            expected_size_mm, abs(plus_margin_mm), abs(minus_margin_mm), speed, force
        )

    def openAndCheckSize(
        self,
        expected_size_mm: float,
        plus_margin_mm: float,
        minus_margin_mm: float,
        speed: int = 255,
        force: int = 50,
    ) -> bool:
        """Opens, and tells whether the fingers stopped at the expected opening."""
        return self._device.gripper_open_and_check_size(
            expected_size_mm, abs(plus_margin_mm), abs(minus_margin_mm), speed, force
        )

    def getPosition(self) -> int:
        """0 (open) to 255 (closed)."""
        return self._device.gripper_status().position

    def getEstimatedPositionMm(self) -> float:
        """The opening between the fingers, from 0 to the opened size given to ISCoin."""
        return self._device.gripper_estimated_position_mm()

    def getCurrent(self) -> int:
        """Of the motor, in 10 mA."""
        return self._device.gripper_status().current

    def getEstimatedCurrentMA(self) -> float:
        """Of the motor, in mA."""
        return self.getCurrent() * 10.0

    def getStatus(self) -> Gripper.Status:
        """All of getOBJ, getSTA, getGTO and getACT."""
        now = self._device.gripper_status()
        return Gripper.Status(now.object, now.status, int(now.status == 3), int(now.status != 0))

    def getOBJ(self) -> int:
        """0 moving, 1 object while opening, 2 object while closing, 3 arrived."""
        return self._device.gripper_status().object

    def getSTA(self) -> int:
        """0 reset, 1 activating, 3 active."""
        return self._device.gripper_status().status

    def getGTO(self) -> int:
        """1 when it goes to requested positions: whenever it is active."""
        return self.getStatus().gTO

    def getACT(self) -> int:
        """1 when it has been activated."""
        return self.getStatus().gACT

    def getFault(self) -> Gripper.Fault:
        """What the gripper complains of."""
        fault = self._device.gripper_status().fault
        return Gripper.Fault(fault >> 4 & 15, fault & 15)


def _whole(value: float, name: str) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"gripper: {name}: expected 0 to 255, got {value!r}") from None
