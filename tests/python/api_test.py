# SPDX-License-Identifier: Apache-2.0
"""Names, defaults, hints and docstrings: what the users of the original count on, told here a second time."""
import inspect
import logging
import typing
import unittest

import tandem
from tandem import Gripper, ISCoin, ISCoinSim, Joint6D, Joint6DDescriptor, RobotControl, TCP6D, TCP6DDescriptor

needed = inspect.Parameter.empty
MOVE = {"a": 1.2, "v": 0.25, "t": 0, "r": 0, "wait": True}
SIGNATURES = {
    ISCoin: {
        "__init__": {"host": needed, "opened_gripper_size_mm": 40.0, "logging_level": logging.DEBUG},
        "close": {},
    },
    ISCoinSim: {"__init__": {"container_name": "iscoin_simulator", "opened_gripper_size_mm": 50.0}},
    Joint6DDescriptor: {
        "__init__": {"joints": needed, "a": 1.4, "v": 2.05, "t": 0, "r": 0},
        "createFromJointsList": {"joints": needed, "a": 1.4, "v": 2.05, "t": 0, "r": 0},
        "getAsDict": {},
    },
    TCP6DDescriptor: {
        "__init__": {"tcp": needed, "a": 1.2, "v": 0.25, "t": 0, "r": 0},
        "createFromTCPList": {"tcp_list": needed, "a": 1.2, "v": 0.25, "t": 0, "r": 0},
        "getAsDict": {},
    },
    Joint6D: {
        name: {f"j{i}": needed for i in range(1, 7)} for name in ("createFromRadians", "createFromDegrees")
    },
    TCP6D: {
        name: {axis: needed for axis in ("x", "y", "z", "rx", "ry", "rz")}
        for name in ("createFromMetersRadians", "createFromMillietersRadians")
    },
    RobotControl: {
        "movej": {"joints": needed, "a": 1.4, "v": 1.05, "t": 0, "r": 0, "wait": True},
        "movel": {"pose": needed, **MOVE},
        "movep": {"pose": needed, "a": 1.2, "v": 0.25, "r": 0, "wait": True},
        "movec": {"pose_via": needed, "pose_to": needed, "a": 1.2, "v": 0.25, "r": 0, "wait": True},
        "movej_waypoints": {"waypoints": needed, "wait": True},
        "movel_waypoints": {"waypoints": needed, "wait": True},
        "moveLinearDirectionUntil": {
            "from_pose": needed,
            "feature": needed,
            "axis": needed,
            "dist_mm": needed,
            "accel": 1.2,
            "velocity": 0.25,
        },
        "stopj": {"a": 2.0, "wait": True},
        "servoj": {"q": needed, "t": 0.008, "lookahead_time": 0.1, "gain": 100},
        "get_actual_joint_positions": {"wait": True},
        "get_actual_tcp_pose": {"wait": True},
        "get_actual_tcp_speed": {"wait": True},
        "get_tcp_force": {"wait": True},
        "force": {"wait": True},
        "get_inverse_kin": {"x": None, "qnear": None, "maxPositionError": 1e-4, "maxOrientationError": 1e-4},
        "is_steady": {},
        "set_tcp": {"pose": needed, "wait": True},
        "freedrive_mode": {"wait": False},
        "end_freedrive_mode": {"wait": True},
        "idle": {},
        "sleep": {"t": needed},
        "sync": {},
        "reset_error": {},
        "arm": {},
        "get_standard_digital_in": {"n": needed},
        "get_standard_digital_out": {"n": needed},
        "get_configurable_digital_in": {"n": needed},
        "get_configurable_digital_out": {"n": needed},
        "get_standard_analog_in": {"n": needed},
        "get_standard_analog_out": {"n": needed},
    },
    Gripper: {
        "activate": {},
        "deactivate": {},
        "isActivated": {},
        "waitUntilActive": {},
        "isMoving": {},
        "waitUntilStopped": {},
        "move": {"pos": needed, "speed": 255, "force": 50},
        "open": {"speed": 255, "force": 50},
        "close": {"speed": 255, "force": 50},
        "hasDetectedObject": {},
        "closeAndCheckSize": {
            "expected_size_mm": needed,
            "plus_margin_mm": needed,
            "minus_margin_mm": needed,
            "speed": 255,
            "force": 50,
        },
        "openAndCheckSize": {
            "expected_size_mm": needed,
            "plus_margin_mm": needed,
            "minus_margin_mm": needed,
            "speed": 255,
            "force": 50,
        },
        "getPosition": {},
        "getEstimatedPositionMm": {},
        "getCurrent": {},
        "getEstimatedCurrentMA": {},
        "getStatus": {},
        "getFault": {},
        "getOBJ": {},
        "getSTA": {},
        "getGTO": {},
        "getACT": {},
    },
}
MORE = [
    "speedj speedl stopl force_mode end_force_mode teach_mode end_teach_mode set_payload set_payload_mass",
    "set_payload_cog set_standard_digital_out set_configurable_digital_out print_pose print_actual_tcp_pose",
    "print_actual_joint_positions get_actual_joint_speeds DirectionFeature DirectionAxis",
]


class SignaturesTest(unittest.TestCase):
    def test_parameters_stand_in_their_order_with_their_defaults(self):
        for owner, functions in SIGNATURES.items():
            for name, expected in functions.items():
                with self.subTest(f"{owner.__name__}.{name}"):
                    parameters = inspect.signature(getattr(owner, name)).parameters
                    seen = {key: value.default for key, value in parameters.items() if key != "self"}
                    # What Tandem adds comes after, and has a default.
                    self.assertEqual(list(seen.items())[: len(expected)], list(expected.items()))
                    for added in list(parameters.values())[len(expected) + (1 if "self" in parameters else 0) :]:
                        self.assertTrue(added.default is not needed or added.kind is added.VAR_KEYWORD, added)

    def test_the_rest_of_the_names_is_there(self):
        for name in " ".join(MORE).split():
            self.assertTrue(hasattr(RobotControl, name), name)
        for name in ("isInitOk", "robot_control", "gripper", "camera", "displayCameraOCV", "displayCameraStreamOCV",
                     "displayCameraStreamOCVParallel"):
            self.assertTrue(hasattr(ISCoin, name), name)

    def test_everything_public_has_a_docstring_and_hints(self):
        for owner in (*SIGNATURES, tandem.RobotiqWristCamera):
            self.assertTrue(owner.__doc__, owner)
            for name, function in inspect.getmembers(owner, inspect.isfunction):
                if name.startswith("_"):
                    continue
                with self.subTest(f"{owner.__name__}.{name}"):
                    self.assertTrue(function.__doc__)
                    self.assertIn("return", typing.get_type_hints(function))

    def test_the_package_tells_that_it_is_typed(self):
        import importlib.resources

        self.assertTrue(importlib.resources.files(tandem).joinpath("py.typed").is_file())

    def test_errors_are_of_the_kinds_that_scripts_catch(self):
        self.assertTrue(issubclass(tandem.RobotError, RuntimeError))
        self.assertTrue(issubclass(tandem.RobotConnectionError, ConnectionError))
        self.assertTrue(issubclass(tandem.UnreachableError, ValueError))


if __name__ == "__main__":
    unittest.main()
