#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Orca on ROS 2: connects ArduSub (MAVLink) with a monocular SLAM. Takes the original node's parameters too:
frame_rate, max_delta_pos, max_delta_rot, mav_device (udpin:0.0.0.0:14551) and use_vpe."""
import sys

from tandem_node import start
from tandem_node.arguments import Refused

LINKS = {"udpin": "udpin", "udp": "udpin", "udpout": "udpout", "tcp": "tcp", "tcpin": "tcpin"}


def device_from(mav_device):
    """pymavlink's address as a URL of Tandem."""
    if mav_device.startswith("/dev/"):
        path, _, baud = mav_device.partition(",")
        return f"mavlink://localhost?link=serial&device={path}&baud={baud or 115200}"
    kind, _, place = mav_device.partition(":")
    host, _, port = place.partition(":")
    if kind not in LINKS or not host or not port.isdigit():
        raise Refused(f"parameter mav_device: expected udpin:HOST:PORT or /dev/NAME[,BAUD], got {mav_device}")
    return f"mavlink://{host}:{port}?link={LINKS[kind]}"


def original(parameters):
    options = dict(parameters)
    if "mav_device" in options:
        options["device"] = device_from(options.pop("mav_device"))
    if "use_vpe" in options:
        absolute = options.pop("use_vpe").lower() in ("true", "1", "yes", "on")
        options["vision_message"] = "estimate" if absolute else "delta"
    return options


if __name__ == "__main__":
    sys.exit(start("orca", original))
