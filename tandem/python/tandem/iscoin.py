# SPDX-License-Identifier: Apache-2.0
"""ISCoin: one name for the real robot, its twin and a ROS 2 controller."""
from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import weakref
from typing import Any, ClassVar
from urllib.parse import urlsplit

from tandem import _tandem
from tandem._html import table
from tandem.camera import RobotiqWristCamera
from tandem.errors import RobotError
from tandem.gripper import Gripper
from tandem.robot_control import RobotControl

__all__ = ["ISCoin", "ISCoinSim"]


class ISCoin:
    """A UR3e with its gripper.

    >>> robot = ISCoin("virtual")  # or "192.168.1.10", or "ros2:/joint_trajectory_controller"
    >>> robot.robot_control.movej(Joint6D.createFromDegrees(0, -90, 90, -90, -90, 0))
    True

    "192.168.1.10" is the real robot. "virtual" is a virtual controller: that of a running `tandem virtual ur3e`, else
    that of a running `tandem demo ur3e --set task=paused`, else a new one that lives as long as this object. Standard
    error says which, and the address of a page to watch it (TANDEM_PAGE=off: without a page of our own).
    "ros2:/joint_trajectory_controller" is any ROS 2 joint-trajectory controller.
    Constructing it arms the robot: the caller is the operator. It raises when anything cannot be reached, and never
    takes a virtual arm instead. A new instance closes the one before.
    """

    _instance: ClassVar[ISCoin | None] = None

    def __new__(cls, *_: object, **__: object) -> ISCoin:
        if cls._instance is not None:
            cls._instance.close()
        cls._instance = super().__new__(cls)
        return cls._instance

    def __init__(
        self, host: str, opened_gripper_size_mm: float = 40.0, logging_level: int | str = logging.DEBUG
    ) -> None:
        """host: see above; opened_gripper_size_mm: the opening that getEstimatedPositionMm tells when quite open."""
        if not isinstance(host, str) or not host:
            raise ValueError(f"host: expected an address, \"virtual\" or \"ros2:/CONTROLLER\", got {host!r}")
        self._open(host, opened_gripper_size_mm, logging_level)

    def _open(self, host: str, opened_gripper_size_mm: float, logging_level: int | str) -> None:
        self._host = host
        self._logger = logging.getLogger(f"{type(self).__name__} - {host}")
        self._logger.setLevel(logging_level)
        # TANDEM_JOIN_VIRTUAL=0 keeps tests away from a virtual arm that another program uses.
        join = os.environ.get("TANDEM_JOIN_VIRTUAL", "1") != "0"
        page = os.environ.get("TANDEM_PAGE", "127.0.0.1:8088")
        self._device: Any = _tandem.Robot(
            host, float(opened_gripper_size_mm), join, _patience(host), "" if page == "off" else page
        )
        if self._device.joined:
            watched = f"; watch it at {self._device.page}" if self._device.page else ""
            print(f"tandem: {self._device.joined}{watched}", file=sys.stderr, flush=True)
        self._robot_control = RobotControl(self._device, self._logger)
        self._gripper = Gripper(self._device)
        self._camera_host = _camera_host(host)
        self._camera: RobotiqWristCamera | None = None
        self._stream: threading.Thread | None = None
        self._stream_end = threading.Event()
        _open_ones.add(self)
        self._logger.info("connected to %s", host)

    def close(self) -> None:
        """Stops the arm and ends the connection. A twin that was started for it ends too."""
        self.__stop_stream()
        device = self.__dict__.pop("_device", None)
        if device is not None:
            device.close()

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> ISCoin:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        host = self.__dict__.get("_host", "")
        return f"{type(self).__name__}({host!r}{'' if self.isInitOk else ', closed'})"

    def _repr_html_(self) -> str:
        """State and readings; nothing is commanded. Without the page's token, as notebooks are passed on."""
        rows: list[tuple[str, object]] = []
        if self.isInitOk:
            try:
                status = self._robot_control.status
                rows += [("armed", status["armed"]), ("live", status["live"])]
                rows += [("joints (rad)", self._robot_control.get_actual_joint_positions().toList())]
                rows += [("tool (m, rad)", self._robot_control.get_actual_tcp_pose().toList())]
            except RobotError as error:
                rows.append(("error", error))
            if self.page:
                rows.append(("page", self.page.split("?")[0]))
        shown = [(name, [round(each, 4) for each in value] if isinstance(value, list) else value) for name, value in rows]
        return table(repr(self), ("", "value"), shown)

    @property
    def isInitOk(self) -> bool:
        """Whether it is open."""
        return "_device" in self.__dict__

    @property
    def page(self) -> str:
        """Address of the page that shows a virtual arm; empty where there is none."""
        return self._device.page if self.isInitOk else ""

    @property
    def robot_control(self) -> RobotControl:
        """The arm."""
        return self._robot_control

    @property
    def gripper(self) -> Gripper:
        """The gripper."""
        return self._gripper

    @property
    def camera(self) -> RobotiqWristCamera | None:
        """The wrist camera; None when there is none that answers."""
        if self._camera is None and self._camera_host is not None:
            found = RobotiqWristCamera(self._camera_host)
            if found.isReachable():
                self._camera = found
            else:
                self._logger.warning("no camera answers at %s", found)
        return self._camera

    def displayCameraOCV(
        self, image_type: RobotiqWristCamera.ImageType = RobotiqWristCamera.ImageType.COLOR
    ) -> None:
        """Shows one picture until a key is pressed; needs OpenCV."""
        import cv2

        cv2.imshow("Camera Frame", self.__camera().getImageAsOpenCvNpArray(image_type))
        cv2.waitKey(0)
        cv2.destroyAllWindows()

    def displayCameraStreamOCV(
        self,
        image_type: RobotiqWristCamera.ImageType = RobotiqWristCamera.ImageType.COLOR,
        streamKiller: threading.Event | None = None,
    ) -> None:
        """Shows pictures until q is pressed or streamKiller is set; needs OpenCV."""
        import cv2

        camera = self.__camera()
        end = streamKiller or threading.Event()
        while not end.wait(0.05):
            cv2.imshow("Camera Frame", camera.getImageAsOpenCvNpArray(image_type))
            if cv2.waitKey(1) & 0xFF == ord("q"):
                break
        cv2.destroyAllWindows()

    def displayCameraStreamOCVParallel(
        self, image_type: RobotiqWristCamera.ImageType = RobotiqWristCamera.ImageType.COLOR
    ) -> None:
        """displayCameraStreamOCV in a thread of its own."""
        self.__stop_stream()
        self._stream_end.clear()
        self._stream = threading.Thread(
            target=self.displayCameraStreamOCV, args=(image_type, self._stream_end), daemon=True
        )
        self._stream.start()

    def __camera(self) -> RobotiqWristCamera:
        camera = self.camera
        if camera is None:
            raise ConnectionError("camera: none answers")
        return camera

    def __stop_stream(self) -> None:
        stream = self.__dict__.get("_stream")
        if stream is not None:
            self._stream_end.set()
            stream.join()
            self._stream = None


class ISCoinSim(ISCoin):
    """The twin under the name that its users know: `from tandem import ISCoinSim as ISCoin`.

    Whatever address it is given, it is never opened.
    """

    _instance: ClassVar[ISCoin | None] = None

    def __init__(
        self,
        container_name: str = "iscoin_simulator",
        opened_gripper_size_mm: float = 50.0,
        logging_level: int | str = logging.DEBUG,
        **_: object,
    ) -> None:
        """container_name: anything, also as host=..."""
        self._open("virtual", opened_gripper_size_mm, logging_level)


_open_ones: weakref.WeakSet[ISCoin] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for one in list(_open_ones):
        one.close()


def _patience(host: str) -> float:
    """TANDEM_PATIENCE=20 gives a twin on a busy machine 20 times as long to answer; a real robot never."""
    here = host == "virtual" or host.startswith("rtde://127.0.0.1:")
    return max(1.0, float(os.environ.get("TANDEM_PATIENCE", "1"))) if here else 1.0


def _camera_host(host: str) -> str | None:
    if host == "virtual" or host.startswith("ros2:"):
        return None
    return urlsplit(host).hostname if "://" in host else host
