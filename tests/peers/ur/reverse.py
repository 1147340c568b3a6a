# SPDX-License-Identifier: Apache-2.0
"""A driver in the manner of the vendor's own: power by the dashboard, kinematics from the primary port, then a program
that calls back to three sockets of ours and is told every cycle what to do."""

import math
import socket
import struct
import time

from controller import PATIENCE, Lines, Messages, Rtde, connect, controller, farthest, until

SCALE = 1_000_000
STOP, IDLE, SERVO, SPEED, POINTS = -2, 0, 1, 2, 3

PROGRAM = """stop program
def driven():
	global mode = 0
	global goal = get_actual_joint_positions()
	global speed = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
	global points = 0
	mover = 0
	thread follow():
		while mode == 1:
			enter_critical
			q = goal
			exit_critical
			servoj(q, t=get_steptime(), lookahead_time=0.03, gain=2000)
		end
		stopj(8.0)
	end
	thread run_on():
		while mode == 2:
			speedj(speed, 40.0, get_steptime())
		end
		stopj(8.0)
	end
	thread walk():
		while points > 0:
			local raw = socket_read_binary_integer(7, "points", 1.0)
			if raw[0] == 7:
				local q = [raw[1], raw[2], raw[3], raw[4], raw[5], raw[6]] / 1000000
				movej(q, a=3, v=1.5, t=raw[7] / 1000000)
			end
			points = points - 1
		end
		socket_send_int(77, "points")
	end
	thread single_commands():
		while True:
			local raw = socket_read_binary_integer(2, "single", 0)
			if raw[0] == 2:
				set_payload(raw[2] / 1000000, [0, 0, 0.05])
			end
		end
	end
	if not (socket_open("127.0.0.1", {points}, "points") and socket_open("127.0.0.1", {single}, "single")):
		halt
	end
	socket_open("127.0.0.1", {orders}, "orders")
	singles = run single_commands()
	while mode > -2:
		enter_critical
		order = socket_read_binary_integer(8, "orders", 0.5)
		if order[0] <= 0:
			textmsg("no orders any more")
			kill mover
			kill singles
			stopj(8.0)
			halt
		end
		values = [order[2], order[3], order[4], order[5], order[6], order[7]] / 1000000
		if order[8] != mode:
			mode = order[8]
			join mover
			if mode == 1:
				goal = get_actual_joint_positions()
				mover = run follow()
			elif mode == 2:
				mover = run run_on()
			elif mode == 3:
				points = order[2]
				mover = run walk()
			end
		end
		if mode == 1:
			goal = values
		elif mode == 2:
			speed = values
		end
		exit_critical
	end
	join mover
	kill singles
	textmsg("told to end")
end
"""


class Driver:
    def __init__(self, ports):
        self.doors = {name: socket.create_server(("127.0.0.1", 0)) for name in ("orders", "points", "single")}
        self.client = Rtde(ports["rtde"])
        self.client.outputs(["actual_q", "actual_qd", "runtime_state", "payload", "robot_mode", "safety_mode"])
        self.client.start()
        self.scripts = connect(ports["secondary"])

    def up(self):
        text = PROGRAM
        for name, door in self.doors.items():
            text = text.replace("{" + name + "}", str(door.getsockname()[1]))
        self.scripts.sendall(text.encode())
        self.links = {}
        for name in ("points", "single", "orders"):
            self.doors[name].settimeout(PATIENCE)
            self.links[name] = self.doors[name].accept()[0]

    def order(self, mode, values=(0, 0, 0, 0, 0, 0)):
        whole = [round(value * SCALE) for value in values]
        self.links["orders"].sendall(struct.pack(">8i", 20, *whole, mode))

    def orders(self, seconds, mode, values):
        start = time.monotonic()
        while (now := time.monotonic() - start) < seconds:
            self.order(mode, values(now))
            time.sleep(0.002)

    @property
    def state(self):
        return self.client.state


def power(ports):
    dashboard = Lines(ports["dashboard"], greeting=True)
    assert dashboard.greeting == "Connected: Universal Robots Dashboard Server"
    assert dashboard.ask("is in remote control") == "true"
    assert dashboard.ask("power off") == "Powering off"
    until(lambda: dashboard.ask("robotmode") == "Robotmode: POWER_OFF", "power off")
    assert dashboard.ask("power on") == "Powering on"
    until(lambda: dashboard.ask("robotmode") == "Robotmode: IDLE", "idle")
    assert dashboard.ask("brake release") == "Brake releasing"
    until(lambda: dashboard.ask("robotmode") == "Robotmode: RUNNING", "running")
    return dashboard


def drive(ports, messages):
    driver = Driver(ports)
    driver.up()
    still = [0.0] * 6
    start = list(driver.state["actual_q"])
    driver.orders(0.2, IDLE, lambda _: still)
    driver.orders(1.0, SERVO, lambda t: [start[0] + 0.05 * math.sin(math.pi * min(t, 1.0))] + start[1:])
    assert farthest(driver.state["actual_q"], start) < 0.03, driver.state["actual_q"]
    driver.orders(0.5, SPEED, lambda _: [0.1, 0, 0, 0, 0, 0])
    assert abs(driver.state["actual_qd"][0] - 0.1) < 0.02, driver.state["actual_qd"]
    driver.orders(0.3, IDLE, lambda _: still)
    targets = [[0.2, -1.5, 1.5, -1.5, -1.5, 0], [0, -1.5708, 1.5708, -1.5708, -1.5708, 0]]
    for target in targets:
        driver.links["points"].sendall(struct.pack(">7i", *[round(q * SCALE) for q in target], SCALE))
    finished = driver.links["points"]
    finished.settimeout(0.01)
    answer = b""
    end = time.monotonic() + PATIENCE
    while not answer and time.monotonic() < end:
        driver.order(POINTS, [2 / SCALE, 0, 0, 0, 0, 0])
        try:
            answer = finished.recv(4)
        except TimeoutError:
            pass
    assert answer == struct.pack(">i", 77), answer
    assert farthest(driver.state["actual_q"], targets[-1]) < 1e-3, driver.state["actual_q"]
    driver.links["single"].sendall(struct.pack(">2i", 1, round(0.8 * SCALE)))
    driver.orders(0.2, IDLE, lambda _: still)
    assert abs(driver.state["payload"] - 0.8) < 1e-6, driver.state["payload"]
    driver.order(STOP)
    until(lambda: driver.state["runtime_state"] == 1, "the program ends when it is told to")
    until(lambda: messages.said(0, "told to end"), "what it says at its end")
    driver.up()
    driver.orders(0.2, SPEED, lambda _: [0.1, 0, 0, 0, 0, 0])
    until(lambda: driver.state["runtime_state"] == 1, "the program ends without orders")
    until(lambda: max(map(abs, driver.state["actual_qd"])) < 1e-3, "the arm stands")
    assert not messages.said(10), [body for kind, body in messages.messages if kind == 10]
    return driver


def stop_and_unlock(dashboard, driver, messages):
    driver.scripts.sendall(b"def halted():\n\tprotective_stop()\n\twhile True:\n\t\tsync()\n\tend\nend\n")
    until(lambda: driver.state["safety_mode"] == 3, "protective stop")
    until(lambda: dashboard.ask("unlock protective stop") == "Protective stop releasing", "unlocked after a while")
    until(lambda: driver.state["safety_mode"] == 1, "normal again")
    assert dashboard.ask("safetystatus") == "Safetystatus: NORMAL"
    driver.scripts.sendall(b"def wrong():\n\tmoveq([0])\nend\n")
    until(lambda: messages.said(10, "moveq"), "an unknown function is named on the primary port")


with controller() as where:
    robot = power(where)
    primary = Messages(where["primary"])
    until(lambda: {0, 1, 4, 5} <= primary.parts.keys(), "mode, joints, pose and kinematics")
    assert primary.messages[0][0] == 3 and b"URControl" in primary.messages[0][1]
    assert len(primary.parts[0]) == 42 and len(primary.parts[5]) == 220, [len(part) for part in primary.parts.values()]
    stop_and_unlock(robot, drive(where, primary), primary)
