# SPDX-License-Identifier: Apache-2.0
"""Publishes, subscribes and calls a service on ROS 2, without ROS. Two nodes, here in one script."""
from tandem import ros

with ros.Node("talker") as talker, ros.Node("listener") as listener:
    heard = listener.subscribe("/cmd_vel", type="geometry_msgs/msg/Twist")
    publisher = talker.publisher("/cmd_vel", "geometry_msgs/msg/Twist")
    publisher.wait_for_subscribers(1, timeout=20)
    for i in range(3):
        publisher.publish({"linear": {"x": 0.1 * i}, "angular": {"z": 0.05}})
    for _ in range(3):
        twist = heard.take(timeout=20)
        print(f"heard v = {twist.linear.x:.1f} m/s, w = {twist.angular.z:.2f} rad/s")

    answer = listener.call(
        "/talker/get_parameters", "rcl_interfaces/srv/GetParameters", {"names": ["use_sim_time"]}, timeout=20
    )
    print("use_sim_time of /talker:", answer.values[0].bool_value)
