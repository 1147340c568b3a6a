# SPDX-License-Identifier: Apache-2.0
"""The inputs and outputs of the controller and of the tool."""
from __future__ import annotations

from typing import Any

from tandem.checks import real

_STANDARD, _CONFIGURABLE, _TOOL = 0, 1, 2  # banks of digital signals


class Signals:
    """What RobotControl does with digital and analogue signals."""

    _device: Any

    def get_standard_digital_in(self, n: int, wait: bool = True) -> bool:
        """n: 0 to 7."""
        return self._device.digital_in(_STANDARD, n)

    def get_configurable_digital_in(self, n: int, wait: bool = True) -> bool:
        """n: 0 to 7."""
        return self._device.digital_in(_CONFIGURABLE, n)

    def get_tool_digital_in(self, n: int) -> bool:
        """n: 0 or 1."""
        return self._device.digital_in(_TOOL, n)

    def get_standard_digital_out(self, n: int, wait: bool = True) -> bool:
        """n: 0 to 7."""
        return self._device.digital_out(_STANDARD, n)

    def get_configurable_digital_out(self, n: int, wait: bool = True) -> bool:
        """n: 0 to 7."""
        return self._device.digital_out(_CONFIGURABLE, n)

    def get_tool_digital_out(self, n: int) -> bool:
        """n: 0 or 1."""
        return self._device.digital_out(_TOOL, n)

    def get_standard_analog_in(self, n: int, wait: bool = True) -> float:
        """n: 0 or 1; V or A as the controller is set up."""
        return self._device.analog_in(n)

    def get_standard_analog_out(self, n: int, wait: bool = True) -> float:
        """n: 0 or 1; V or A as the controller is set up."""
        return self._device.analog_out(n)

    def set_standard_digital_out(self, n: int, b: bool) -> None:
        """n: 0 to 7."""
        self._device.write_digital_out(_STANDARD, n, bool(b))

    def set_configurable_digital_out(self, n: int, b: bool) -> None:
        """n: 0 to 7."""
        self._device.write_digital_out(_CONFIGURABLE, n, bool(b))

    def set_tool_digital_out(self, n: int, b: bool) -> None:
        """n: 0 or 1."""
        self._device.write_digital_out(_TOOL, n, bool(b))

    def set_standard_analog_out(self, n: int, f: float) -> None:
        """n: 0 or 1; f: 0 to 1 of the range."""
        self._device.write_analog_out(n, real(f, "f"))
