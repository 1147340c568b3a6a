// SPDX-License-Identifier: Apache-2.0
// What must hold when things go wrong between the API and the robot: R4 to R18 as far as they concern the client.
#include <cmath>
#include <thread>

#include "tandem/machines/ur3e/device/gate.hpp"
#include "tests/machines/ur3e/api/robot_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

Joint6D turned(const Joint6D& from, double by) { return from + Joint6D{by, 0, 0, 0, 0, 0}; }

double fastest(const Cell& cell) {
  double most = 0;  // rad/s
  for (const double speed : good(cell.robot->actual_joint_speeds())) most = std::max(most, std::abs(speed));
  return most;
}

std::string why(const Cell& cell) { return std::string(cell.robot->status().why.view()); }

// A long move, an accident in the middle of it: the move fails and says so, and so does every later one until reset
// and arm. Gives what the move said.
template <typename Accident>
std::string interrupted_by(Cell& cell, Accident accident) {
  const Joint6D from = cell.here();
  std::string said;
  std::thread mover([&] { said = error_text(cell.robot->movej(turned(from, 1.5), 1, 0.4)); });
  CHECK(Cell::eventually([&] {
    const auto here = cell.robot->actual_joint_positions();
    return here && farthest(*here, from) > 0.05;
  }));
  accident();
  mover.join();
  CHECK(!cell.robot->status().armed);
  CHECK(cell.robot->status().faulted);
  CHECK(says(error_text(cell.robot->movej(from)), "not armed"));
  CHECK(!cell.robot->arm(2s));
  return said;
}

void resumes(Cell& cell) {
  good(cell.robot->reset_error(30s));
  CHECK(!cell.robot->status().armed);
  CHECK(says(error_text(cell.robot->movej(Joint6D{})), "not armed"));
  good(cell.robot->arm(20s));
  CHECK(good(cell.robot->movej(turned(cell.here(), 0.1), 3, 2)));
}

}  // namespace

TEST_CASE("R10 a protective stop disarms until reset and arm") {
  Cell cell;
  CHECK(says(interrupted_by(cell, [&] { cell.rig.script.protective_stop = true; }), "PROTECTIVE_STOP"));
  CHECK(Cell::eventually([&] { return why(cell).find("message from the controller: ") != std::string::npos; }, 5s));
  resumes(cell);
}

TEST_CASE("R10 neither unlocking a protective stop nor play moves an arm whose program it paused") {
  Cell cell;
  interrupted_by(cell, [&] { cell.rig.script.protective_stop = true; });
  auto rtde = cell.rig.rtde({"runtime_state", "actual_q", "safety_mode"});
  ur::Variables values;
  // The program is not left paused, or play would go on with it.
  CHECK(wait_for(rtde, values, 10s, [](const auto& s) { return s.runtime_state == ur::RuntimeState::stopped; }));
  auto dashboard = ur::dashboard::Client::connect("127.0.0.1", cell.rig.ports.dashboard, in(5s));
  REQUIRE(dashboard.ok());
  CHECK(Cell::eventually(
      [&] { return dashboard->ask("unlock protective stop", in(5s)).value() == "Protective stop releasing"; }, 30s));
  CHECK(wait_for(rtde, values, 10s, [](const auto& s) { return s.safety_mode == ur::SafetyMode::normal; }));
  const double held = values.state.actual_q[0];
  CHECK(dashboard->ask("play", in(5s)).value() == "Failed to execute: play");
  CHECK(!wait_for(rtde, values, 500ms, [&](const auto& s) { return std::abs(s.actual_q[0] - held) > 1e-3; }));
}

TEST_CASE("R10 an emergency stop is not released from here") {
  Cell cell;
  const std::string said = interrupted_by(cell, [&] { cell.rig.script.emergency_stop = true; });
  CHECK(says(said, "EMERGENCY_STOP"));
  CHECK(says(error_text(cell.robot->reset_error(2s)), "must be cleared at the robot"));
  cell.rig.script.emergency_stop = false;
  CHECK(Cell::eventually([&] { return cell.robot->reset_error(10s).ok(); }));
  resumes(cell);
}

TEST_CASE("R10 a safeguard stop disarms too") {
  Cell cell;
  CHECK(says(interrupted_by(cell, [&] { cell.rig.script.safeguard = true; }), "SAFEGUARD_STOP"));
  cell.rig.script.safeguard = false;
  CHECK(Cell::eventually([&] {
    const auto state = cell.robot->state();
    return state && state->safety_mode == ur::SafetyMode::normal;
  }));
  CHECK(!cell.robot->status().armed);
  resumes(cell);
}

TEST_CASE("R11 a power cycle disarms and the link comes back by itself") {
  Cell cell;
  interrupted_by(cell, [&] { cell.rig.script.power_cycle = true; });
  CHECK(Cell::eventually([&] { return cell.robot->status().live; }));
  CHECK(cell.robot->status().faulted);
  resumes(cell);
}

TEST_CASE("R12 a program stopped at the pendant disarms") {
  Cell cell;
  CHECK(says(interrupted_by(cell, [&] { cell.rig.script.program_stop = true; }), "stopped on the controller"));
  resumes(cell);
}

TEST_CASE("R12 another client's program ends ours") {
  Cell cell;
  interrupted_by(cell, [&] { cell.rig.send(cell.rig.ports.secondary, "def other():\n  sleep(0.01)\nend\n"); });
  resumes(cell);
}

TEST_CASE("R13 a slider at zero holds the move and it goes on") {
  Cell cell;
  const Joint6D from = cell.here(), to = turned(from, 0.5);
  std::optional<bool> reached;
  std::thread mover([&] {
    const auto there = cell.robot->movej(to, 1.4, 0.5);
    if (there) reached = *there;
  });
  CHECK(Cell::eventually([&] { return farthest(cell.here(), from) > 0.05; }));
  cell.rig.script.slider = 0;
  CHECK(Cell::eventually([&] { return fastest(cell) < 0.01; }, 5s));
  const Joint6D held = cell.here();
  system_clock().sleep_until(in(300ms));
  CHECK(farthest(cell.here(), held) < 0.01);
  CHECK_FALSE(good(cell.robot->is_steady()));  // the move goes on by itself with the slider
  CHECK(!reached);
  cell.rig.script.slider = 1;
  mover.join();
  CHECK(reached.value_or(false));
}

TEST_CASE("R14 a controller that hears nothing from us stops the arm and we say so") {
  // Only the robot's side: a session whose owner forgets its heartbeat.
  Rig rig{quick_unlock()};
  const auto address = good(controller_address(rig.device->url()));
  auto session = good(Link::connect(address, 125, nullptr, in(10s)));
  good(session.receive(in(5s)).ok() ? Result<void>{} : Result<void>(Error{Fault::timeout, "no sample"}));
  const auto start = session.variables().state.actual_q;
  CHECK(!good(session.claim(in(5s))));
  good(session.write({}, 1, in(1s)));
  good(session.upload(script::text(5, {200ms, 600ms}), in(1s)));
  const auto& registers = session.variables().state.output_int_register;
  const auto beats_until = [&](auto holds) {
    for (const Instant end = in(20s); system_clock().now() < end && !holds();) {
      (void)session.beat(in(1s));
      (void)session.receive(in(100ms));
    }
    return holds();
  };
  REQUIRE(beats_until([&] { return registers[script::outputs::identity] == 5; }));
  command::MoveJoints far;
  far.q = start;
  far.q[0] += 2;
  far.v = 0.3;
  good(session.write(script::writes_for(far).front(), 2, in(1s)));
  REQUIRE(beats_until([&] { return std::abs(session.variables().state.actual_q[0] - start[0]) > 0.05; }));
  // Silence.
  const bool ended = Cell::eventually([&] {
    (void)session.receive(in(100ms));
    return registers[script::outputs::ending] == static_cast<int>(script::Ending::watchdog) &&
           session.variables().state.runtime_state == ur::RuntimeState::stopped;
  });
  CHECK(ended);
  CHECK(says(program_end(session.variables().state).value_or(""), "heartbeat"));
  CHECK(std::abs(session.variables().state.actual_q[0] - start[0]) < 1.5);
  CHECK(std::abs(session.variables().state.actual_qd[0]) < 0.01);
}

TEST_CASE("R16 a robot in local control is named") {
  Rig rig{quick_unlock()};
  rig.script.local_control = true;
  system_clock().sleep_until(in(200ms));
  CHECK(says(error_text(Robot::open(patient(rig.device->url()))), "remote control"));
}

TEST_CASE("R4 a second client is told whose registers it wants") {
  Cell cell;
  auto options = patient(cell.rig.device->url());
  options.connect_within = 1s;
  const auto second = Robot::open(options);
  CHECK(says(error_text(second), "input_int_register_24"));
  CHECK(cell.robot->status().armed);
}

TEST_CASE("R8 time that stands still and R7 a controller without data are faults and not for ever") {
  Rig rig{quick_unlock()};
  auto options = patient(rig.device->url());
  options.link.stale_after = 500ms;
  options.link.lost_after = 1s;
  options.link.connect_within = 1s;
  const auto robot = Cell::open(options);
  rig.script.timestamp_frozen = true;
  CHECK(Cell::eventually([&] { return robot->status().faulted; }));
  CHECK(says(error_text(robot->actual_joint_positions()), "ms old"));
  rig.script.timestamp_frozen = false;
  CHECK(Cell::eventually([&] { return robot->status().live; }));
  CHECK(!robot->status().armed);
  good(robot->reset_error());
  good(robot->arm(20s));
  rig.script.halted = true;
  CHECK(Cell::eventually([&] { return robot->status().faulted; }));
  rig.script.halted = false;
  CHECK(Cell::eventually([&] { return robot->status().live; }));
  good(robot->reset_error());
  good(robot->arm(20s));
  CHECK(good(robot->movej(turned(good(robot->actual_joint_positions()), 0.1), 3, 2)));
}

TEST_CASE("G1 a robot that is not there is an error with its address") {
  auto options = patient("127.0.0.1:1");
  options.connect_within = 500ms;
  const auto opened = Robot::open(options);
  REQUIRE(!opened);
  CHECK(says(opened.error().text, "127.0.0.1"));
  options.device = "ads://127.0.0.1";
  CHECK(says(error_text(Robot::open(options)), "rtde"));
}

TEST_CASE("A robot that is switched off is opened and powered on by reset_error") {
  ControllerSetup setup = quick_unlock();
  setup.running = false;
  Cell cell(setup);
  CHECK(!cell.robot->status().armed);
  CHECK(says(error_text(cell.robot->movej(cell.here())), "POWER_OFF"));
  resumes(cell);
}

TEST_CASE("Closing stops the arm and frees it for the next") {
  Cell cell;
  const Joint6D from = cell.here();
  REQUIRE(good(cell.robot->movej(turned(from, 1.5), 1, 0.4, 0, 0, false)));
  CHECK(Cell::eventually([&] { return farthest(cell.here(), from) > 0.05; }));
  cell.robot->close();
  CHECK(says(error_text(cell.robot->actual_joint_positions()), "closed"));
  CHECK(says(error_text(cell.robot->movej(from)), "closed"));
  cell.robot = Cell::open(patient(cell.rig.device->url()));
  CHECK(Cell::eventually([&] { return good(cell.robot->is_steady()); }, 5s));
  CHECK(farthest(cell.here(), turned(from, 1.5)) > 0.3);
  CHECK(good(cell.robot->movej(from, 3, 2)));
}

TEST_CASE("A stop by the operator disarms") {
  Cell cell;
  good(cell.robot->disarm());
  CHECK(says(why(cell), "disarmed"));
  CHECK(says(error_text(cell.robot->movej(cell.here())), "disarmed"));
  good(cell.robot->arm(20s));
  CHECK(good(cell.robot->movej(turned(cell.here(), 0.05), 3, 2)));
}
