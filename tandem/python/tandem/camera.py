# SPDX-License-Identifier: Apache-2.0
"""The Robotiq wrist camera, read over HTTP from the robot's own server."""
from __future__ import annotations

import io
import json
import socket
import urllib.request
from enum import Enum
from typing import Any

__all__ = ["RobotiqWristCamera"]


class RobotiqWristCamera:
    """Pictures and settings of the wrist camera."""

    PORT = 4242

    class ImageType(Enum):
        """Which picture the camera's server is asked for."""

        COLOR = "color"
        EDGES = "edges"
        MAGNITUDE = "magnitude"

        def typeToUrl(self) -> str:
            """As the query of a URL."""
            return f"?type={self.value}"

    def __init__(self, host: str, port: int = PORT, timeout: float = 5.0) -> None:
        """Nothing is opened yet. timeout: s, for each request."""
        self._url = f"http://{host}:{port}"
        self._address = (host, port)
        self._timeout = timeout

    def isReachable(self, timeout: float = 0.5) -> bool:
        """Whether somebody listens there."""
        try:
            socket.create_connection(self._address, timeout).close()
        except OSError:
            return False
        return True

    def getImageAsBytes(self, type: RobotiqWristCamera.ImageType = ImageType.COLOR) -> bytes:
        """The picture as JPEG."""
        return self._request("/current.jpg" + type.typeToUrl())

    def getImageAsNpArray(self, type: RobotiqWristCamera.ImageType = ImageType.COLOR) -> Any:
        """The JPEG as an array of bytes; needs numpy."""
        import numpy

        return numpy.frombuffer(self.getImageAsBytes(type), dtype="uint8")

    def getImageAsOpenCvNpArray(self, type: RobotiqWristCamera.ImageType = ImageType.COLOR) -> Any:
        """The picture as OpenCV has it; needs numpy and OpenCV."""
        import cv2

        return cv2.imdecode(self.getImageAsNpArray(type), -1)

    def getImageAsImage(self, type: RobotiqWristCamera.ImageType = ImageType.COLOR) -> Any:
        """The picture as Pillow has it; needs Pillow."""
        from PIL import Image

        return Image.open(io.BytesIO(self.getImageAsBytes(type)))

    def getCurrentCameraSettings(self) -> dict:
        """The settings as the camera tells them."""
        return json.loads(self._request("/getcamerasettings"))["cameraSettings"]

    def resetCameraSettings(self) -> bool:
        """Back to the camera's own defaults."""
        self._request("/setdefaultcamerasettings")
        return True

    def setCameraSettings(self, settings: Any) -> bool:
        """A dictionary as getCurrentCameraSettings returns it, or an object with asPost()."""
        body = settings.asPost() if hasattr(settings, "asPost") else json.dumps({"cameraSettings": settings})
        self._request("/setcamerasettings?setManualValuesIfModeChanged=true", body.encode())
        return True

    def _request(self, path: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(self._url + path, data=body)
        if body is not None:
            request.add_header("Content-Type", "text/plain")
        with urllib.request.urlopen(request, timeout=self._timeout) as answer:
            return answer.read()

    def __repr__(self) -> str:
        return f"RobotiqWristCamera({self._url})"
