# SPDX-License-Identifier: Apache-2.0
"""The arm: moves, readings, inputs and outputs."""
from __future__ import annotations

import logging
import time
from typing import Any, Sequence, TypeAlias

from tandem.checks import expect, expect_list, real, six
from tandem.errors import RobotError, UnreachableError
from tandem.signals import Signals
from tandem.values import TCP6D, DirectionAxis, DirectionFeature, Joint6D, Joint6DDescriptor, TCP6DDescriptor

__all__ = ["RobotControl"]

# Within the class these names are its own attributes.
_Feature: TypeAlias = DirectionFeature
_Axis: TypeAlias = DirectionAxis


class RobotControl(Signals):
    """Moves return True when the target is reached (with wait=False: when the move is taken), and False when another
    command, a stopj for one, came in between. A wrong type or number is a ValueError and nothing moves.

    After a stop by safety, a lost link or a stopped program every move raises RobotError until reset_error() and then
    arm() have been called. Readings are the newest sample, at most a few milliseconds old; `wait` is taken for the
    sake of scripts that pass it.
    """

    DirectionAxis = DirectionAxis
    DirectionFeature = DirectionFeature

    def __init__(self, device: Any, logger: logging.Logger) -> None:
        """Made by ISCoin."""
        self._device = device
        self._logger = logger
        self._payload = (0.0, [0.0, 0.0, 0.0])  # kg, m

    # Moves

    def movej(
        self, joints: Joint6D, a: float = 1.4, v: float = 1.05, t: float = 0, r: float = 0, wait: bool = True
    ) -> bool:
        """Straight in joint space. a: rad/s^2, v: rad/s of the leading joint, t: s (0: as a and v have it),
        r: blend radius, m."""
        expect(joints, Joint6D, "joints")
        return self._device.movej(joints._values, real(a, "a"), real(v, "v"), real(t, "t"), real(r, "r"), wait)

    def movel(
        self, pose: TCP6D, a: float = 1.2, v: float = 0.25, t: float = 0, r: float = 0, wait: bool = True
    ) -> bool:
        """The tool along a straight line. a: m/s^2, v: m/s, t: s (0: as a and v have it), r: blend radius, m."""
        expect(pose, TCP6D, "pose")
        return self._device.movel(pose._values, real(a, "a"), real(v, "v"), real(t, "t"), real(r, "r"), wait)

    def movep(self, pose: TCP6D, a: float = 1.2, v: float = 0.25, r: float = 0, wait: bool = True) -> bool:
        """The tool along a straight line at a constant speed. a: m/s^2, v: m/s, r: blend radius, m."""
        expect(pose, TCP6D, "pose")
        return self._device.movep(pose._values, real(a, "a"), real(v, "v"), real(r, "r"), wait)

    def movec(
        self, pose_via: TCP6D, pose_to: TCP6D, a: float = 1.2, v: float = 0.25, r: float = 0, wait: bool = True
    ) -> bool:
        """The tool along a circle through pose_via (its position only) to pose_to. a: m/s^2, v: m/s, r: m."""
        expect(pose_via, TCP6D, "pose_via")
        expect(pose_to, TCP6D, "pose_to")
        return self._device.movec(
            pose_via._values, pose_to._values, real(a, "a"), real(v, "v"), real(r, "r"), wait
        )

    def movej_waypoints(self, waypoints: list[Joint6DDescriptor], wait: bool = True) -> bool:
        """movej to each in turn, rounding those with a blend radius."""
        expect_list(waypoints, Joint6DDescriptor, "waypoints")
        return self._device.movej_waypoints([_limits(point, point.joints) for point in waypoints], wait)

    def movel_waypoints(self, waypoints: list[TCP6DDescriptor], wait: bool = True) -> bool:
        """movel to each in turn, rounding those with a blend radius."""
        expect_list(waypoints, TCP6DDescriptor, "waypoints")
        return self._device.movel_waypoints([_limits(point, point.tcp) for point in waypoints], wait)

    def moveLinearDirectionUntil(
        self,
        from_pose: TCP6D,
        feature: _Feature,
        axis: _Axis,
        dist_mm: float,
        accel: float = 1.2,
        velocity: float = 0.25,
    ) -> bool:
        """movel to from_pose displaced by so many millimetres along an axis of the base or of the tool."""
        expect(from_pose, TCP6D, "from_pose")
        expect(feature, DirectionFeature, "feature")
        expect(axis, DirectionAxis, "axis")
        return self._device.move_linear_direction_until(
            from_pose._values,
            feature.value,
            axis.value,
            real(dist_mm, "dist_mm"),
            real(accel, "accel"),
            real(velocity, "velocity"),
        )

    def stopj(self, a: float = 2.0, wait: bool = True) -> bool:
        """Stops what moves; may be called from another thread. a: rad/s^2."""
        return self._device.stopj(real(a, "a"), wait)

    def stopl(self, a: float = 0.5, wait: bool = True) -> bool:
        """Stops what moves, the tool on its line. a: m/s^2."""
        return self._device.stopl(real(a, "a"), wait)

    def servoj(
        self, q: Joint6D, t: float = 0.008, lookahead_time: float = 0.1, gain: float = 100, wait: bool = False
    ) -> bool:
        """One target of a stream; the next must follow within 20 ms or the arm stops.

        t: s until the next; lookahead_time: 0.03 to 0.2 s; gain: 100 to 2000; wait: return after t.
        """
        expect(q, Joint6D, "q")
        taken = self._device.servoj(q._values, real(t, "t"), real(lookahead_time, "lookahead_time"), real(gain, "gain"))
        if wait:
            time.sleep(t)
        return taken

    def speedj(self, qd: Sequence[float], a: float = 1.4, t: float = 0, wait: bool = True) -> bool:
        """Joint speeds in rad/s for t seconds; t = 0: until the next command, and returns at once."""
        return self._device.speedj(six(qd, "qd"), real(a, "a"), real(t, "t"), wait and t > 0)

    def speedl(self, xd: Sequence[float], a: float = 1.4, t: float = 0, wait: bool = True) -> bool:
        """Tool speed in m/s and rad/s for t seconds; t = 0: until the next command, and returns at once."""
        return self._device.speedl(six(xd, "xd"), real(a, "a"), real(t, "t"), wait and t > 0)

    def idle(self) -> bool:
        """Ends freedrive, force mode and whatever moves: the arm holds still."""
        return self._device.stopj(2.0, True)

    # Readings

    def get_actual_joint_positions(self, wait: bool = True) -> Joint6D:
        """rad, base to wrist 3."""
        return Joint6D._of(self._device.actual_joint_positions())

    def get_actual_joint_speeds(self, wait: bool = True) -> list[float]:
        """rad/s, base to wrist 3."""
        return self._device.actual_joint_speeds()

    def get_actual_tcp_pose(self, wait: bool = True) -> TCP6D:
        """Of the tool centre point in the base frame, m and rad."""
        return TCP6D._of(self._device.actual_tcp_pose())

    def get_actual_tcp_speed(self, wait: bool = True) -> list[float]:
        """Base frame, m/s and rad/s."""
        return self._device.actual_tcp_speed()

    def get_tcp_force(self, wait: bool = True) -> list[float]:
        """Base frame, N and Nm."""
        return self._device.tcp_force()

    def force(self, wait: bool = True) -> float:
        """N, the length of the three forces."""
        return self._device.force()

    def is_steady(self) -> bool:
        """Whether no move is under way and every joint is slower than 0.01 rad/s."""
        return self._device.is_steady()

    def get_inverse_kin(
        self,
        x: TCP6D | None = None,
        qnear: Joint6D | None = None,
        maxPositionError: float = 1e-4,
        maxOrientationError: float = 1e-4,
        *,
        pose: TCP6D | None = None,
    ) -> Joint6D | None:
        """Joint angles that put the tool at x, nearest to qnear or to where the arm is; None when there are none.

        ISCoin calls the pose x, ISCoinSim pose: both names are accepted. The errors are the tolerance of the solution,
        m and rad.
        """
        if x is not None and pose is not None:
            raise ValueError("get_inverse_kin: expected x or pose, got both")
        x = pose if x is None else x
        expect(x, TCP6D, "pose" if pose is not None else "x")
        if qnear is not None:
            expect(qnear, Joint6D, "qnear")
        near = None if qnear is None else qnear._values
        try:
            return Joint6D._of(
                self._device.inverse_kin(
                    x._values,
                    near,
                    real(maxPositionError, "maxPositionError"),
                    real(maxOrientationError, "maxOrientationError"),
                )
            )
        except UnreachableError as why:
            self._logger.info("get_inverse_kin: %s", why)
            return None

    def get_forward_kin(self, q: Joint6D) -> TCP6D:
        """Where the tool is with these joint angles, with the tool centre point of now."""
        expect(q, Joint6D, "q")
        return TCP6D._of(self._device.forward_kin(q._values))

    get_fk = get_forward_kin

    def is_within_safety_limits(self, pose: TCP6D) -> bool:
        """Whether the arm can put its tool there."""
        return self.get_inverse_kin(pose) is not None

    # Tool and modes

    def set_tcp(self, pose: TCP6D, wait: bool = True) -> None:
        """The tool centre point in the frame of the flange."""
        expect(pose, TCP6D, "pose")
        self._device.set_tcp(pose._values)

    def set_payload(self, m: float, CoG: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Mass in kg and its centre in the frame of the flange, m."""
        centre = [real(value, "CoG") for value in CoG]
        if len(centre) != 3:
            raise ValueError(f"CoG: expected three numbers, got {len(centre)}")
        self._device.set_payload(real(m, "m"), centre)
        self._payload = (float(m), centre)

    def set_payload_mass(self, m: float, wait: bool = True) -> None:
        """Mass in kg; its centre stays."""
        self.set_payload(m, self._payload[1])

    def set_payload_cog(self, CoG: Sequence[float], wait: bool = True) -> None:
        """Centre of mass in the frame of the flange, m; the mass stays."""
        self.set_payload(self._payload[0], CoG)

    def freedrive_mode(self, wait: bool = False) -> None:
        """The arm can be moved by hand until end_freedrive_mode()."""
        self._device.freedrive_mode()

    def end_freedrive_mode(self, wait: bool = True) -> None:
        """The arm holds its position again."""
        self._device.end_freedrive_mode()

    teach_mode = freedrive_mode
    end_teach_mode = end_freedrive_mode

    def force_mode(
        self,
        task_frame: Sequence[float] = (0, 0, 0, 0, 0, 0),
        selection_vector: Sequence[int] = (0, 0, 1, 0, 0, 0),
        wrench: Sequence[float] = (0, 0, 0, 0, 0, 0),
        f_type: int = 2,
        limits: Sequence[float] = (2, 2, 1.5, 1, 1, 1),
        wait: bool = False,
    ) -> None:
        """Gives way along the selected axes of task_frame so that the wrench (N, Nm) is kept.

        f_type: 1 turns the frame's y towards the tool, 2 takes it as given, 3 turns its x along the motion.
        limits: along selected axes the most speed (m/s, rad/s), along others the most deviation (m, rad).
        """
        self._device.force_mode(
            six(task_frame, "task_frame"),
            [bool(value) for value in six(selection_vector, "selection_vector")],
            six(wrench, "wrench"),
            int(f_type),
            six(limits, "limits"),
        )

    def end_force_mode(self, wait: bool = False) -> None:
        """Back to holding positions."""
        self._device.end_force_mode()

    def zero_ftsensor(self) -> None:
        """What the force sensor reads now counts as nothing."""
        self._device.zero_ftsensor()

    # Errors and time

    def reset_error(self) -> bool:
        """Powers on, releases brakes and a protective stop where that is needed and allowed, and clears what has
        latched. False when it could not; the log says why. Nothing moves before arm()."""
        try:
            self._device.reset_error()
        except RobotError as why:
            self._logger.error("reset_error: %s", why)
            return False
        return True

    def arm(self) -> None:
        """The operator's word that the arm may move again."""
        self._device.arm()

    def disarm(self) -> None:
        """Stops, and takes no more moves until arm()."""
        self._device.disarm()

    @property
    def is_armed(self) -> bool:
        """Whether moves are taken."""
        return self._device.status()["armed"]

    @property
    def status(self) -> dict:
        """live, armed, faulted, nominal, and why it is not armed."""
        return self._device.status()

    def sleep(self, t: float) -> None:
        """Seconds."""
        time.sleep(t)

    def sync(self) -> None:
        """Returns when the controller has taken all commands before."""
        self._device.sync()

    def print_actual_tcp_pose(self) -> None:
        """Prints it."""
        self.print_pose(self.get_actual_tcp_pose())

    def print_actual_joint_positions(self) -> None:
        """Prints them."""
        self.print_pose(q=self.get_actual_joint_positions())

    def print_pose(self, pose: TCP6D | None = None, q: Joint6D | None = None) -> None:
        """Prints a pose, or joint positions."""
        name, values = ("Robot Pose", pose) if q is None else ("Robot joint positions", q)
        print(f"{name}: [" + ", ".join(f"{value: 06.4f}" for value in values) + "]")

    def close(self) -> None:
        """Stops, and ends the connection."""
        self._device.close()


def _limits(point: Any, target: Any) -> tuple:
    return target._values, real(point.a, "a"), real(point.v, "v"), real(point.t, "t"), real(point.r, "r")
