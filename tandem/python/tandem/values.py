# SPDX-License-Identifier: Apache-2.0
"""The values of the ISCoin API: joint positions, tool poses, and way-points with their limits.

Plain Python, so that they cost nothing to make and can be used without a robot.
"""
from __future__ import annotations

from enum import Enum
from math import radians
from typing import Iterable, Iterator

from tandem._html import table
from tandem.checks import expect, expect_list

__all__ = [
    "DirectionAxis",
    "DirectionFeature",
    "Joint6D",
    "Joint6DDescriptor",
    "TCP6D",
    "TCP6DDescriptor",
]


class _Six:
    """Six numbers that are added, scaled and compared number by number."""

    __slots__ = ("_values",)
    _values: list[float]
    _columns: tuple[str, ...]  # of its table
    __hash__ = None  # type: ignore[assignment]  # its numbers can be changed

    def __init__(self, *_: object) -> None:
        raise RuntimeError(f"{type(self).__name__} is made by one of its create... functions, not by its name")

    @classmethod
    def _of(cls, values: Iterable[float]):
        made = object.__new__(cls)
        try:
            made._values = [float(value) for value in values]
        except (TypeError, ValueError) as wrong:
            raise ValueError(f"{cls.__name__}: expected six numbers: {wrong}") from None
        if len(made._values) != 6:
            raise ValueError(f"{cls.__name__}: expected six numbers, got {len(made._values)}")
        return made

    def toList(self) -> list[float]:
        """The six numbers, in a list of their own."""
        return list(self._values)

    def __getitem__(self, index):
        return self._values[index]

    def __setitem__(self, index: int, value: float) -> None:
        if not isinstance(index, int):
            raise ValueError(f"{type(self).__name__}: expected an index from 0 to 5, got {index!r}")
        self._values[index] = float(value)

    def __len__(self) -> int:
        return 6

    def __iter__(self) -> Iterator[float]:
        return iter(self._values)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values == other._values

    def __add__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self._of(a + b for a, b in zip(self._values, other._values))

    def __sub__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self._of(a - b for a, b in zip(self._values, other._values))

    def __mul__(self, factor: float):
        if not isinstance(factor, (int, float)):
            return NotImplemented
        return self._of(value * factor for value in self._values)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float):
        if not isinstance(divisor, (int, float)):
            return NotImplemented
        return self._of(value / divisor for value in self._values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._values})"

    def _repr_html_(self) -> str:
        return table(type(self).__name__, self._columns, [self._values])

    def __copy__(self):
        return self._of(self._values)

    def __deepcopy__(self, _):
        return self._of(self._values)

    def __reduce__(self):
        return type(self)._of, (self._values,)


class Joint6D(_Six):
    """Six joint angles in radians, base to wrist 3. Made by createFromRadians or createFromDegrees."""

    __slots__ = ()
    _columns = tuple(f"j{i} (rad)" for i in range(1, 7))

    @staticmethod
    def createFromRadians(j1: float, j2: float, j3: float, j4: float, j5: float, j6: float) -> Joint6D:
        """From six angles in radians."""
        return Joint6D._of((j1, j2, j3, j4, j5, j6))

    @staticmethod
    def createFromDegrees(j1: float, j2: float, j3: float, j4: float, j5: float, j6: float) -> Joint6D:
        """From six angles in degrees."""
        return Joint6D.createFromDegList([j1, j2, j3, j4, j5, j6])

    @staticmethod
    def createFromRadList(jList: list[float]) -> Joint6D:
        """From a list of six angles in radians."""
        return Joint6D._of(jList)

    @staticmethod
    def createFromDegList(jList: list[float]) -> Joint6D:
        """From a list of six angles in degrees."""
        return Joint6D._of(radians(value) for value in Joint6D._of(jList)._values)

    @property
    def j1(self) -> float:
        """Base, rad."""
        return self._values[0]

    @property
    def j2(self) -> float:
        """Shoulder, rad."""
        return self._values[1]

    @property
    def j3(self) -> float:
        """Elbow, rad."""
        return self._values[2]

    @property
    def j4(self) -> float:
        """Wrist 1, rad."""
        return self._values[3]

    @property
    def j5(self) -> float:
        """Wrist 2, rad."""
        return self._values[4]

    @property
    def j6(self) -> float:
        """Wrist 3, rad."""
        return self._values[5]


class TCP6D(_Six):
    """A pose of the tool centre point in the base frame: metres, and a rotation vector in radians.

    Sums and multiples are taken number by number.
    """

    __slots__ = ()
    _columns = ("x (m)", "y (m)", "z (m)", "rx (rad)", "ry (rad)", "rz (rad)")

    @staticmethod
    def createFromMetersRadians(x: float, y: float, z: float, rx: float, ry: float, rz: float) -> TCP6D:
        """From metres and radians."""
        return TCP6D._of((x, y, z, rx, ry, rz))

    @staticmethod
    def createFromMillietersRadians(x: float, y: float, z: float, rx: float, ry: float, rz: float) -> TCP6D:
        """From millimetres and radians. The name is spelled as the users of the original know it."""
        made = TCP6D._of((x, y, z, rx, ry, rz))
        made._values[:3] = [value / 1000.0 for value in made._values[:3]]
        return made

    createFromMillimetersRadians = createFromMillietersRadians

    @property
    def x(self) -> float:
        """m"""
        return self._values[0]

    @property
    def y(self) -> float:
        """m"""
        return self._values[1]

    @property
    def z(self) -> float:
        """m"""
        return self._values[2]

    @property
    def rx(self) -> float:
        """rad"""
        return self._values[3]

    @property
    def ry(self) -> float:
        """rad"""
        return self._values[4]

    @property
    def rz(self) -> float:
        """rad"""
        return self._values[5]


class Joint6DDescriptor:
    """A way-point of movej_waypoints, with its limits."""

    def __init__(self, joints: Joint6D, a: float = 1.4, v: float = 2.05, t: float = 0, r: float = 0) -> None:
        """joints: target; a: rad/s^2; v: rad/s; t: s, 0 means as a and v have it; r: blend radius, m."""
        expect(joints, Joint6D, "joints")
        self.joints = joints
        self.a, self.v, self.t, self.r = a, v, t, r

    def getAsDict(self) -> dict:
        """{"q": [six], "a", "v", "t", "r"}"""
        return {"q": self.joints.toList(), "a": self.a, "v": self.v, "t": self.t, "r": self.r}

    @staticmethod
    def createFromJointsList(
        joints: list[Joint6D], a: float = 1.4, v: float = 2.05, t: float = 0, r: float = 0
    ) -> list[Joint6DDescriptor]:
        """One descriptor for each, all with the same limits."""
        expect_list(joints, Joint6D, "joints")
        return [Joint6DDescriptor(each, a, v, t, r) for each in joints]

    def __repr__(self) -> str:
        return f"Joint6DDescriptor({self.joints}, a={self.a}, v={self.v}, t={self.t}, r={self.r})"


class TCP6DDescriptor:
    """A way-point of movel_waypoints, with its limits."""

    def __init__(self, tcp: TCP6D, a: float = 1.2, v: float = 0.25, t: float = 0, r: float = 0) -> None:
        """tcp: target; a: m/s^2; v: m/s; t: s, 0 means as a and v have it; r: blend radius, m."""
        expect(tcp, TCP6D, "tcp")
        self.tcp = tcp
        self.a, self.v, self.t, self.r = a, v, t, r

    def getAsDict(self) -> dict:
        """{"pose": [six], "a", "v", "t", "r"}"""
        return {"pose": self.tcp.toList(), "a": self.a, "v": self.v, "t": self.t, "r": self.r}

    @staticmethod
    def createFromTCPList(
        tcp_list: list[TCP6D], a: float = 1.2, v: float = 0.25, t: float = 0, r: float = 0
    ) -> list[TCP6DDescriptor]:
        """One descriptor for each, all with the same limits."""
        expect_list(tcp_list, TCP6D, "tcp_list")
        return [TCP6DDescriptor(each, a, v, t, r) for each in tcp_list]

    def __repr__(self) -> str:
        return f"TCP6DDescriptor({self.tcp}, a={self.a}, v={self.v}, t={self.t}, r={self.r})"


class DirectionFeature(Enum):
    """Whose axes moveLinearDirectionUntil goes along."""

    Base = 0
    Tool = 1


class DirectionAxis(Enum):
    """Which axis, and which way along it."""

    Xp = 0
    Xn = 1
    Yp = 2
    Yn = 3
    Zp = 4
    Zn = 5
