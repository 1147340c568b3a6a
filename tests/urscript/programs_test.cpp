// SPDX-License-Identifier: Apache-2.0
// Whole programs in the manner of the three clients that send the most: a wrapped move, a control script that polls
// registers with a thread for every kind of motion, and one that a driver steers over sockets.
#include <doctest/doctest.h>

#include "tests/urscript/fake_robot.hpp"

namespace tandem::urscript {

namespace {

// The exact text on the wire (facts: ur_controller.md, section 6).
constexpr const char* wrapped_move =
    "def move_j():\n  write_output_boolean_register(0, True)\n  movej( [0.5, -1.2, 1.2, -1.5, -1.5, 0.1], a=1, v=1,  "
    "r=0)\n\n\n  write_output_boolean_register(1, True)\nend\n";

constexpr const char* register_script = R"(def polling():
  global int_offset = # where our registers begin
24    global float_offset = # and the floats
24    global goal = [0, 0, 0, 0, 0, 0]
  global pace = 1.0
  global move_handle = 0
  global servo_handle = 0
  global speed_handle = 0
  global force_handle = 0
  global frame = p[0, 0, 0, 0, 0, 0]

  def int_in(i): return read_input_integer_register(i + int_offset) end
  def float_in(i): return read_input_float_register(i + float_offset) end
  def joints_in(i):
    q = [0, 0, 0, 0, 0, 0]
    k = 0
    while k < 6:
      q[k] = float_in(i + k)
      k = k + 1
    end
    return q
  end
  def frame_in(i):
    pose = p[0, 0, 0, 0, 0, 0]
    pose[0] = float_in(i + 0)
    pose[5] = float_in(i + 5)
    return pose
  end
  def scaled(p, factor):
    p[0] = p[0] * factor
    p[5] = p[5] * factor
    return p
  end
  def say(state): write_output_integer_register(int_offset + 0, state) end

  thread moving():
    enter_critical
    q = goal
    exit_critical
    movej(q, a=pace, v=pace)
    enter_critical
    move_handle = 0
    exit_critical
    write_output_integer_register(30, 77)
  end
  thread servoing():
    while (True):
      enter_critical
      q = goal
      exit_critical
      servoj(q, t=0.002, lookahead_time=0.1, gain=300)
    end
  end
  thread speeding():
    while (True):
      speedj(goal, a=pace, t=0.002)
    end
  end
  thread forcing():
    while (True):
      force_mode(frame, [0,0,1,0,0,0], [0,0,5,0,0,0], 2, [1,1,1,1,1,1])
      sync()
    end
  end
  thread heartbeat():
    n = 0
    while True: n = n + 1 write_output_integer_register(31, n) sync() end
  end
  thread watching():
    while True:
      if float_in(20) > 5.0:
        textmsg("limit: ", float_in(20))
        sleep(0.1)
      end
      sync()
    end
  end

  def stop_moving():
    enter_critical
    if move_handle != 0:
      kill move_handle
      move_handle = 0
    end
    exit_critical
  end

  def obey():
    cmd = int_in(0)
    if cmd == 1:
      stop_moving()
      goal = joints_in(0)
      pace = float_in(6)
      if int_in(1) == 1:
        move_handle = run moving()
      else:
        movej(goal, a=pace, v=pace)
      end
    elif cmd == 2:
      goal = joints_in(0)
      if servo_handle == 0:
        global servo_handle = run servoing()
      end
    elif cmd == 3:
      kill servo_handle
      servo_handle = 0
      stopj(4.0)
    elif cmd == 4:
      frame = scaled(frame_in(0), 2)
      if force_handle == 0:
        global force_handle = run forcing()
      end
    elif cmd == 5:
      stop_moving()
      stopl(10)
    elif cmd == 6:
      goal = joints_in(0)
      speed_handle = run speeding()
    elif cmd == 255:
      textmsg("stop")
    end
    if cmd != 255:
      say(2)
    end
    return cmd != 255
  end

  run heartbeat()
  run watching()
  going = True
  busy = False
  say(1)
  while going:
    cmd = int_in(0)
    if cmd == 2:
      going = obey()
      say(1)
    else:
      if cmd == 0:
        busy = False
        say(1)
      else:
        if not busy:
          going = obey()
        end
        busy = True
      end
    end
    sync()
  end
  textmsg("polling has ended")
end
)";

constexpr const char* driver_script = R"(def driver():
  scale = 1000000
  MODE_STOPPED = -2
  MODE_IDLE = 0
  MODE_SERVO = 1
  MODE_SPEED = 2
  global mode = -1
  global wanted = get_joint_positions()
  global rate = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
  global fresh = False
  global extrapolated = 0
  handle = 0
  commands = 0

  def near(a, b, limit):
    local i = 0
    while i < get_list_length(a):
      if norm(b[i] - a[i]) / get_steptime() > limit:
        local text = str_cat(
          str_cat("joint ", i), str_cat(
            " is too fast: ", norm(b[i] - a[i])))
        popup(text, title="driver", blocking=False, warning=True)
        return False
      end
      i = i + 1
    end
    return True
  end

  def ahead():
    wanted = wanted + (get_target_joint_speeds() * get_steptime())
    return wanted
  end

  thread servoing():
    textmsg("servo on")
    while mode == MODE_SERVO:
      enter_critical
      q = wanted
      state = fresh
      fresh = False
      if not state:
        extrapolated = extrapolated + 1
        q = ahead()
        servoj(q, t=get_steptime(), lookahead_time=0.03, gain=2000)
      elif state:
        servoj(q, t=get_steptime(), lookahead_time=0.03, gain=2000)
      else:
        sync()
      end
      exit_critical
    end
    textmsg("servo off")
    stopj(4.0)
  end

  thread speeding():
    while mode == MODE_SPEED:
      speedj(rate, 40.0, get_steptime())
    end
    stopj(4.0)
  end

  thread listening():
    while mode > MODE_STOPPED:
      raw = socket_read_binary_integer(2, "command_socket", 0)
      if raw[0] > 0:
        textmsg("command ", raw[1])
        socket_send_int(raw[2] * 2, "command_socket")
      end
    end
  end

  def connect(host, port, name, attempts=5, pause=0.2):
    local n = 0
    while n < attempts:
      if socket_open(host, port, name):
        return True
      end
      sleep(pause)
      n = n + 1
    end
    return False
  end

  if not (connect("10.0.0.2", 50001, "reverse_socket") and connect("10.0.0.2", 50004, "command_socket")):
    halt
  end
  global patience = 0.0
  commands = run listening()
  while mode > MODE_STOPPED:
    enter_critical
    got = socket_read_binary_integer(8, "reverse_socket", patience)
    if got[0] > 0:
      patience = got[1] / 1000.0
      if mode != got[8]:
        mode = got[8]
        join handle
        if mode == MODE_SERVO:
          wanted = get_joint_positions()
          handle = run servoing()
        elif mode == MODE_SPEED:
          handle = run speeding()
        end
      end
      values = [got[2], got[3], got[4], got[5], got[6], got[7]] / scale
      if mode == MODE_SERVO:
        if near(wanted, values, 1000):
          wanted = values
          fresh = True
        end
      elif mode == MODE_SPEED:
        rate = values
      end
    else:
      textmsg("the driver is silent")
      mode = MODE_STOPPED
      kill handle
      kill commands
      stopj(4.0)
      halt
    end
    exit_critical
  end
  join handle
  kill commands
  socket_close("reverse_socket")
end
)";

void big(std::string& out, std::initializer_list<std::int32_t> numbers) {
  for (const std::int32_t number : numbers) {
    for (int shift = 24; shift >= 0; shift -= 8)
      out += static_cast<char>(static_cast<std::uint32_t>(number) >> shift & 0xFF);
  }
}

}  // namespace

TEST_CASE("a wrapped move sets its marks before and after") {
  FakeRobot robot;
  REQUIRE(robot.load(wrapped_move));
  robot.step(1);
  CHECK(robot.out_bool[0]);
  CHECK_FALSE(robot.out_bool[1]);
  CHECK(robot.program().line() == 3);
  robot.step(9);
  CHECK_FALSE(robot.out_bool[1]);
  robot.step(1);
  CHECK(robot.out_bool[1]);
  CHECK(robot.program().state() == Interpreter::State::finished);
  CHECK(robot.log == std::vector<std::string>{"movej [0.5, -1.2, 1.2, -1.5, -1.5, 0.1] 1 1 0 0"});
}

TEST_CASE("a control script obeys its registers with a thread for every motion") {
  FakeRobot robot;
  REQUIRE(robot.load(register_script));
  robot.step(5);
  CHECK(robot.out_int[24] == 1);
  CHECK(robot.out_int[31] == 5);
  CHECK(robot.program().thread_count() == 3);

  // A move that waits, with the heartbeat going on.
  robot.in_float[24] = 0.5;
  robot.in_float[30] = 1.5;
  robot.in_int[24] = 1;
  robot.step(5);
  CHECK(robot.log.back() == "movej [0.5, 0, 0, 0, 0, 0] 1.5 1.5 0 0");
  CHECK(robot.out_int[24] == 1);
  CHECK(robot.out_int[31] == 10);
  robot.step(10);
  CHECK(robot.out_int[24] == 2);
  CHECK(robot.logged("movej") == 1);
  robot.in_int[24] = 0;
  robot.step(2);
  CHECK(robot.out_int[24] == 1);

  // One that does not, stopped on the way: its thread never comes to its end.
  robot.in_int[25] = 1;
  robot.in_int[24] = 1;
  robot.step(2);
  CHECK(robot.program().thread_count() == 4);
  robot.in_int[24] = 0;
  robot.step(2);
  robot.in_int[24] = 5;
  robot.step(20);
  CHECK(robot.logged("stopl") == 1);
  CHECK(robot.out_int[30] == 0);
  CHECK(robot.program().thread_count() == 3);

  // Servo: one target a cycle from its own thread.
  robot.in_int[24] = 2;
  robot.step(20);
  CHECK(robot.logged("servoj") >= 18);
  CHECK(robot.logged("servoj") <= 21);
  robot.in_int[24] = 0;
  robot.step(2);
  robot.in_int[24] = 3;
  robot.step(10);
  const std::size_t servos = robot.logged("servoj");
  robot.step(10);
  CHECK(robot.logged("servoj") == servos);

  // Force with a pose that a function scaled, and the end.
  robot.in_int[24] = 0;
  robot.step(2);
  robot.in_int[24] = 4;
  robot.step(3);
  CHECK(robot.log.back().starts_with("force_mode p[1, 0, 0, 0, 0, 0] [0, 0, 1"));
  robot.in_int[24] = 0;
  robot.step(2);
  robot.in_int[24] = 255;
  REQUIRE(robot.finish(10));
  CHECK(robot.program().state() == Interpreter::State::finished);
  CHECK(robot.said.back() == "polling has ended");
}

TEST_CASE("a driver steers over sockets and its silence stops the robot") {
  FakeRobot robot;
  REQUIRE(robot.load(driver_script));
  robot.step(10);
  CHECK(robot.program().thread_count() == 2);
  auto& reverse = robot.sockets.peers["reverse_socket"];
  auto& command = robot.sockets.peers["command_socket"];

  robot.step(2000);  // the first read waits for ever
  CHECK(robot.program().running());

  for (int i = 1; i <= 50; ++i) {
    big(reverse.incoming, {20, i * 1000, 0, 0, 0, 0, 0, 1});
    robot.step(1);
  }
  CHECK(robot.said.front() == "servo on");
  CHECK(robot.logged("servoj") >= 45);
  CHECK(robot.log.back().starts_with("servoj [0.0"));

  big(command.incoming, {7, 21});
  big(reverse.incoming, {20, 0, 0, 0, 0, 0, 0, 2});
  robot.step(2);
  CHECK(robot.all_said().find("command 7") != std::string::npos);
  CHECK(command.sent == std::string("\0\0\0\52", 4));
  for (int i = 0; i < 5; ++i) {
    big(reverse.incoming, {20, 500'000, 0, 0, 0, 0, 0, 2});
    robot.step(1);
  }
  CHECK(robot.logged("stopj") == 1);
  CHECK(robot.logged("speedj [0.5, 0, 0, 0, 0, 0] 40 0.002") >= 1);

  REQUIRE(robot.finish(30));
  CHECK(robot.program().state() == Interpreter::State::halted);
  CHECK(robot.said.back() == "the driver is silent");
  CHECK(robot.logged("stopj") == 2);
}

}  // namespace tandem::urscript
