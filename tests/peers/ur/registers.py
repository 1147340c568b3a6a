# SPDX-License-Identifier: Apache-2.0
"""A client of protocol version 2 that drives a program by registers, with a watchdog, and one of version 1 that hands in
moves and polls bits: the two ways in which Python users drive a UR arm."""

from controller import Lines, Rtde, connect, controller, farthest, until

# Waits for commands in input_int_register_0; 1 moves, 2 watches the client, 255 ends.
LOOP = """
def commanded():
  global target = [0, 0, 0, 0, 0, 0]
  def take_target():
    i = 0
    while i < 6:
      target[i] = read_input_float_register(i)
      i = i + 1
    end
  end
  write_output_integer_register(0, 1)
  busy = False
  going = True
  while going:
    command = read_input_integer_register(0)
    if command == 0:
      busy = False
      write_output_integer_register(0, 1)
    elif not busy:
      busy = True
      if command == 1:
        take_target()
        movej(target, a=3, v=1.5)
      elif command == 2:
        rtde_set_watchdog("input_int_register_0", 10, "stop")
      elif command == 255:
        going = False
      end
      write_output_integer_register(0, 2)
    end
    sync()
  end
end
"""
READY = [0, -1.5708, 1.5708, -1.5708, -1.5708, 0]
ASIDE = [0.3, -1.45, 1.5, -1.6, -1.5, 0.2]


def by_registers(ports):
    client = Rtde(ports["rtde"])
    client.outputs(["robot_status_bits", "output_int_register_0", "actual_q", "safety_mode", "timestamp"])
    move = client.inputs(["input_int_register_0"] + [f"input_double_register_{i}" for i in range(6)])
    word = client.inputs(["input_int_register_0"])
    assert Rtde(ports["rtde"]).inputs(["input_int_register_0"]) == ["IN_USE"]
    client.start()
    client.write(word, 0)
    uploads = connect(ports["secondary"])  # never read, as some clients do
    uploads.sendall(LOOP.encode() + b"run program\n")
    running = lambda: client.state["robot_status_bits"] & 2
    until(running, "the program runs")

    def command(recipe, *values):
        until(lambda: client.state["output_int_register_0"] == 1, "ready for a command")
        client.write(recipe, *values)
        until(lambda: client.state["output_int_register_0"] == 2, f"command {values[0]} done")
        client.write(word, 0)

    for target in (ASIDE, READY):
        command(move, 1, *target)
        assert farthest(client.state["actual_q"], target) < 1e-3, client.state["actual_q"]
    command(word, 2)
    until(lambda: not running(), "the watchdog stops the program of a silent client")
    uploads.sendall(LOOP.encode())
    until(running, "the program runs again")
    uploads.sendall(b"stop program\n")
    until(lambda: not running(), "a program is stopped by a word")
    assert client.state["timestamp"] > 40 and client.state["safety_mode"] == 1


def by_polled_bits(ports):
    client = Rtde(ports["rtde"], version=1)
    client.outputs(["timestamp", "actual_q", "robot_status_bits", "output_bit_registers0_to_31"])
    client.start()
    scripts = connect(ports["realtime"])
    bits = lambda: client.state["output_bit_registers0_to_31"] & 3
    for target in (ASIDE, READY):
        scripts.sendall(b"def resetRegister():\n  write_output_boolean_register(0, False)\n"
                        b"  write_output_boolean_register(1, False)\nend\n")  # fmt: skip
        until(lambda: bits() == 0, "bits cleared")
        scripts.sendall(f"def move_j():\n  write_output_boolean_register(0, True)\n  movej( {target}, a=3, v=1.5,  r=0)\n"
                        f"\n\n  write_output_boolean_register(1, True)\nend\n".encode())  # fmt: skip
        until(lambda: bits() == 3, "the move is done")
        assert farthest(client.state["actual_q"], target) < 1e-3, client.state["actual_q"]
    hand = Lines(ports["gripper"])
    hand.link.sendall(b"SET ACT 1\nSET GTO 1\n")
    acknowledged = b""
    while acknowledged.count(b"ack") < 2:
        acknowledged += hand.link.recv(64)


with controller() as where:
    by_registers(where)
    by_polled_bits(where)
