# SPDX-License-Identifier: Apache-2.0
"""Poses as the Orca's code has them: a position and a unit quaternion, composed by mult() and inverted by inverse().

`t_target_source` transforms a vector from the source frame to the target frame, and is the pose of the source in the
target: t_map_camera = t_map_base.mult(t_base_camera). Frames: map, base (base_link), link (camera_link), camera
(camera_sensor), ping (ping_link), slam, world. All are ENU unless the name says NED.

>>> from tandem.pose import Pose
>>> t_previous_current = t_map_previous.inverse().mult(t_map_current)
"""
from __future__ import annotations

from math import asin, atan2, copysign, cos, hypot, isfinite, pi, sin, sqrt
from typing import Any, Sequence

__all__ = ["Pose"]

_Vector = tuple[float, float, float]
_Quaternion = tuple[float, float, float, float]
_SWAP: _Quaternion = (0.0, sqrt(0.5), sqrt(0.5), 0.0)  # NED from ENU, and back
_FLIP: _Quaternion = (0.0, 1.0, 0.0, 0.0)  # forward-right-down from forward-left-up, and back


class Pose:
    """p: x, y, z (m); q: unit quaternion w, x, y, z. Poses do not change; every method gives a new one."""

    __slots__ = ("p", "q")
    p: _Vector
    q: _Quaternion

    def __init__(self, p: Sequence[float] = (0.0, 0.0, 0.0), q: Sequence[float] = (1.0, 0.0, 0.0, 0.0)) -> None:
        position, turn = _numbers(p, 3, "p", "x, y, z"), _numbers(q, 4, "q", "w, x, y, z")
        length = hypot(*turn)
        if abs(length - 1) > 1e-3:
            raise ValueError(f"q: expected a unit quaternion w, x, y, z, got {tuple(q)} of length {length:.6g}")
        object.__setattr__(self, "p", tuple(position))
        object.__setattr__(self, "q", tuple(value / length for value in turn))

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"Pose: {name} cannot be assigned; make a new Pose(p, q)")

    @staticmethod
    def from_euler(p: Sequence[float], roll: float, pitch: float, yaw: float) -> Pose:
        """Roll, pitch and yaw (rad) about the fixed axes x, y and z, in this order."""
        (cr, sr), (cp, sp), (cy, sy) = ((cos(angle / 2), sin(angle / 2)) for angle in (roll, pitch, yaw))
        q = (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        )
        return Pose(p, q)

    @staticmethod
    def from_pose_msg(message: Any) -> Pose:
        """From a geometry_msgs/Pose: a ros.Message, or what rclpy has."""
        p, q = message.position, message.orientation
        return Pose((p.x, p.y, p.z), (q.w, q.x, q.y, q.z))

    @staticmethod
    def from_transform_msg(message: Any) -> Pose:
        """From a geometry_msgs/Transform."""
        p, q = message.translation, message.rotation
        return Pose((p.x, p.y, p.z), (q.w, q.x, q.y, q.z))

    def to_pose_msg(self) -> dict[str, dict[str, float]]:
        """A geometry_msgs/Pose for tandem.ros."""
        return {"position": dict(zip("xyz", self.p)), "orientation": dict(zip("wxyz", self.q))}

    def to_transform_msg(self) -> dict[str, dict[str, float]]:
        """A geometry_msgs/Transform for tandem.ros."""
        return {"translation": dict(zip("xyz", self.p)), "rotation": dict(zip("wxyz", self.q))}

    def mult(self, other: Pose) -> Pose:
        """t_a_c = t_a_b.mult(t_b_c)"""
        if not isinstance(other, Pose):
            raise ValueError(f"other: expected a Pose, got {type(other).__name__} {other!r}")
        turned = _rotated(self.q, other.p)
        p = tuple(a + b for a, b in zip(self.p, turned))
        return Pose(p, _product(self.q, other.q))

    __mul__ = mult
    __matmul__ = mult

    def inverse(self) -> Pose:
        """t_b_a from t_a_b"""
        w, x, y, z = self.q
        back = (w, -x, -y, -z)
        turned = _rotated(back, self.p)
        return Pose((-turned[0], -turned[1], -turned[2]), back)

    @staticmethod
    def delta_pose(first: Pose, second: Pose) -> Pose:
        """The second as seen from the first: first.inverse().mult(second)."""
        return first.inverse().mult(second)

    def apply(self, point: Sequence[float]) -> _Vector:
        """A point of the source frame, in the target frame."""
        turned = _rotated(self.q, _numbers(point, 3, "point", "x, y, z"))
        return (self.p[0] + turned[0], self.p[1] + turned[1], self.p[2] + turned[2])

    def scaled(self, scale: float) -> Pose:
        """With its position times `scale`: what turns a pose of a monocular SLAM into metres."""
        return Pose(tuple(value * scale for value in self.p), self.q)

    def get_position(self) -> _Vector:
        """x, y, z (m)"""
        return self.p

    def get_quaternion(self) -> _Quaternion:
        """w, x, y, z"""
        return self.q

    def get_euler(self) -> _Vector:
        """Roll, pitch, yaw (rad), as from_euler has them."""
        w, x, y, z = self.q
        sine = 2 * (w * y - z * x)
        if abs(sine) >= 1 - 1e-12:  # looking straight up or down: roll and yaw turn about one axis
            return (0.0, copysign(pi / 2, sine), -2 * copysign(1.0, sine) * atan2(x, w))
        roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        return (roll, asin(sine), atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))

    def ned_to_enu_standard(self) -> Pose:
        """A body (forward-right-down) in NED as a body (forward-left-up) in ENU."""
        x, y, z = self.p
        return Pose((y, x, -z), _product(_product(_SWAP, self.q), _FLIP))

    enu_to_ned_standard = ned_to_enu_standard  # its own inverse

    def ned_to_enu_frame(self) -> Pose:
        """A frame in NED whose own axes are swapped in the same way."""
        x, y, z = self.p
        return Pose((y, x, -z), _product(_product(_SWAP, self.q), _SWAP))

    enu_to_ned_frame = ned_to_enu_frame  # its own inverse

    def to_matrix(self) -> Any:
        """4x4 homogeneous, a numpy array."""
        import numpy

        matrix = numpy.eye(4)
        for i, axis in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
            matrix[:3, i] = _rotated(self.q, axis)
        matrix[:3, 3] = self.p
        return matrix

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return self.p == other.p and self.q == other.q

    def __hash__(self) -> int:
        return hash((self.p, self.q))

    def __reduce__(self) -> tuple[type, tuple[_Vector, _Quaternion]]:
        return Pose, (self.p, self.q)

    def __repr__(self) -> str:
        return f"Pose(p={self.p}, q={self.q})"

    def __str__(self) -> str:
        p, e = self.p, self.get_euler()
        return f"p=[{p[0]:.3f}, {p[1]:.3f}, {p[2]:.3f}] m, e=[{e[0]:.3f}, {e[1]:.3f}, {e[2]:.3f}] rad"

    def _repr_html_(self) -> str:
        e = self.get_euler()
        names = ("x (m)", "y (m)", "z (m)", "roll (rad)", "pitch (rad)", "yaw (rad)")
        head = "".join(f"<th>{name}</th>" for name in names)
        cells = "".join(f"<td>{value:.4f}</td>" for value in (*self.p, *e))
        return f"<table><tr>{head}</tr><tr>{cells}</tr></table>"


def _numbers(values: Sequence[float], count: int, name: str, which: str) -> list[float]:
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected {which}, got {values!r}") from None
    if len(numbers) != count or not all(map(isfinite, numbers)):
        raise ValueError(f"{name}: expected {count} finite numbers {which}, got {values!r}")
    return numbers


def _product(a: _Quaternion, b: _Quaternion) -> _Quaternion:
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    w = aw * bw - ax * bx - ay * by - az * bz
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by - ax * bz + ay * bw + az * bx
    z = aw * bz + ax * by - ay * bx + az * bw
    return (w, x, y, z) if w >= 0 else (-w, -x, -y, -z)


def _rotated(q: _Quaternion, v: Sequence[float]) -> _Vector:
    w, x, y, z = q
    # v + 2 w (u x v) + 2 u x (u x v), with u the vector part.
    cx, cy, cz = y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]
    return (
        v[0] + 2 * (w * cx + y * cz - z * cy),
        v[1] + 2 * (w * cy + z * cx - x * cz),
        v[2] + 2 * (w * cz + x * cy - y * cx),
    )
