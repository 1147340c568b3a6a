# SPDX-License-Identifier: Apache-2.0
"""Ackermann trucks: two driven wheels on one axle, two steered wheels on the other. The functions are for the RaptorLift.

A twist is v (m/s, forward) and w (rad/s, to the left) of the middle of the traction axle, shape (2,) or (N, 2). Wheels
are front right, front left (rad/s, driven), rear right, rear left (rad, steered; positive turns the truck to the left
when it drives forward), shape (4,) or (N, 4).
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tandem import _tandem
from tandem._arrays import Floats, Rows, columns
from tandem._html import table

__all__ = ["Truck", "Twists", "Wheels", "raptorlift", "twist_from_wheels", "wheels_from_twist"]


class Wheels(NamedTuple):
    """The wheels for twists."""

    wheels: Floats  # (..., 4)
    limited: Any  # (...), bool: a tighter turn was asked for than the steering allows


class Twists(NamedTuple):
    """The twists that fit measured wheels best."""

    twist: Floats  # (..., 2)
    slip: Any  # (...), m/s: what the worst wheel does against it


class Truck:
    """Lengths in m, the steering limit of the inner wheel in rad."""

    def __init__(
        self,
        wheel_radius: float,
        wheelbase: float,
        traction_track: float,
        steering_track: float,
        steering_limit: float,
    ) -> None:
        self._truck = _tandem.Truck(wheel_radius, wheelbase, traction_track, steering_track, steering_limit)
        self.wheel_radius, self.wheelbase = wheel_radius, wheelbase
        self.traction_track, self.steering_track = traction_track, steering_track
        self.steering_limit = steering_limit

    @property
    def most_curvature(self) -> float:
        """1/m, of the tightest turn."""
        return self._truck.most_curvature

    def wheels_from_twist(self, twist: ArrayLike) -> Wheels:
        """No truck turns on the spot: then, and beyond the steering limit, `limited` is true."""
        given = Rows(twist, 2, "twist")
        found = columns(4, given.count)
        limited = np.zeros(given.count, dtype=np.uint8)
        self._truck.wheels(given.columns, found, limited)
        return Wheels(given.back(found), given.one_each(limited.astype(bool)))

    def twist_from_wheels(self, wheels: ArrayLike) -> Twists:
        """Least squares of the slips; exact when the four wheels agree."""
        given = Rows(wheels, 4, "wheels")
        found, slip = columns(2, given.count), columns(1, given.count)
        self._truck.twists(given.columns, found, slip)
        return Twists(given.back(found), given.one_each(slip[0]))

    def __repr__(self) -> str:
        return f"Truck(wheelbase={self.wheelbase} m, track={self.traction_track} m, limit={self.steering_limit} rad)"

    def _repr_html_(self) -> str:
        rows = [
            ("wheel radius (m)", self.wheel_radius),
            ("wheelbase (m)", self.wheelbase),
            ("traction track (m)", self.traction_track),
            ("steering track (m)", self.steering_track),
            ("steering limit (rad)", self.steering_limit),
            ("smallest turning radius (m)", 1 / self.most_curvature),
        ]
        return table("Truck", ("", "value"), rows)


raptorlift = Truck(*_tandem.raptorlift_geometry())
wheels_from_twist = raptorlift.wheels_from_twist
twist_from_wheels = raptorlift.twist_from_wheels
