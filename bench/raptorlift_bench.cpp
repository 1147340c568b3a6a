// SPDX-License-Identifier: Apache-2.0
// The forklift's bridge: what a cycle costs beside libmodbus doing the same requests alone, what a late answer costs
// both, how well it keeps its rate, and how far its odometry is from where the truck really is.
//   bench_raptorlift [SECONDS [PARTS]]      60 s unless told; PARTS of "abcdef", all unless told
#include <modbus/modbus.h>

#include <array>
#include <cmath>
#include <numbers>

#include "bench/raptorlift_rig.hpp"
#include "tandem/machines/raptorlift/control/path_follower.hpp"
#include "tandem/machines/raptorlift/device/registers.hpp"
#include "tandem/machines/raptorlift/virtual/body.hpp"
#include "tandem/machines/raptorlift/virtual/plc.hpp"

namespace bench {
namespace {

using namespace tandem::raptorlift;
namespace ackermann = kinematics::ackermann;

constexpr std::size_t cycles = 20;  // of one window: short ones, so that a busy host disturbs both alike
constexpr int windows = 500;
constexpr double most_cost = 0.9;  // of libmodbus' requests, with pipelining; without, at most theirs
constexpr double period = 0.01;    // s
constexpr std::size_t many = 100;
constexpr int after_late = 50;  // transactions after the late answer

using Peer = std::unique_ptr<modbus_t, decltype([](modbus_t* peer) { modbus_free(peer); })>;

Peer connect_peer(std::uint16_t port) {
  Peer peer(modbus_new_tcp("127.0.0.1", port));
  modbus_set_slave(peer.get(), 1);
  if (modbus_connect(peer.get()) != 0) give_up(modbus_strerror(errno));
  return peer;
}

struct ConnectedLink : Link {
  explicit ConnectedLink(std::uint16_t port, bool pipelining = false)
      : Link({.peer = {"127.0.0.1", port, 1, pipelining}, .description = {}, .times = {}}) {
    if (auto connected = connect(in(5s)); !connected) give_up(connected.error().text);
  }
};

bool cost_of_a_cycle() {
  // One row waits for the others: longer than a PLC's watchdog.
  const VirtualDeviceSetup plc{.physics = false, .watchdog = 60s};
  const RunningLift peers_plc(plc), our_plc(plc), pipelined_plc(plc), whole_plc(plc), ros_plc(plc);
  const Peer peer = connect_peer(peers_plc.port());
  // The same PLC at the same work: motors enabled, and what is read back now and then is read back as often.
  std::array<std::uint8_t, coils::count> on{0, 1, 1, 1, 1};
  PlcRegisters::CommandWords out{};
  const auto push = Drive({}).step({1, 1, 0.1, 0.1}, {}, period);
  if (!push || !PlcRegisters({}).encode(*push, out)) give_up("no commands");
  std::array<std::uint16_t, registers::command_count> back{};
  std::array<std::uint16_t, registers::feedback_count> into{};
  const int first_coil = Description{}.plc.coil_base;
  if (modbus_write_bits(peer.get(), first_coil, coils::count, on.data()) != coils::count)
    give_up(modbus_strerror(errno));
  const Duration look_every = duration_of(Times{}.readback);
  Instant next_look = system_clock().now();
  const auto look_back = [&] {
    if (system_clock().now() < next_look) return true;
    next_look = system_clock().now() + look_every;
    return modbus_read_bits(peer.get(), first_coil, coils::count, on.data()) == coils::count &&
           modbus_read_registers(peer.get(), 0, 16, back.data()) == 16;
  };
  const auto same_requests = [&] {
    for (std::size_t i = 0; i < cycles; ++i)
      if (!look_back() || modbus_write_registers(peer.get(), 0, 16, out.data()) != 16 ||
          modbus_read_registers(peer.get(), 16, 8, into.data()) != 8)
        give_up(modbus_strerror(errno));
  };

  ConnectedLink single(our_plc.port()), pipelined(pipelined_plc.port(), true);
  for (Link* link : {&single, &pipelined})
    if (auto enabled = link->enable(); !enabled) give_up(enabled.error().text);
  Drive drive({});
  Wheels measured;
  const auto link_and_drive = [&](Link& link) {
    for (std::size_t i = 0; i < cycles; ++i) {
      const auto commands = drive.step({1, 1, 0.1, 0.1}, measured, period);
      if (!commands) give_up(commands.error().text);
      const auto outcome = link.exchange(&*commands);
      if (!outcome) give_up(outcome.error().text);
      if (outcome->measured) measured = *outcome->measured;
    }
  };

  HastyClock clock;
  ros2::ContextOptions options;
  options.domain = 98;
  ros2::Context ros(options);
  ArmedBridge whole(lift_setup(whole_plc.url(), {"task=figure_eight", "feedback_timeout=5", "pipelining=true"}, clock));
  ArmedBridge published(
      lift_setup(ros_plc.url(), {"task=figure_eight", "feedback_timeout=5", "pipelining=true"}, clock, &ros));
  const auto run = [](ArmedBridge& bridge) {
    for (std::size_t i = 0; i < cycles; ++i) bridge.cycle();
  };
  const std::string peer_name = "libmodbus, the same requests alone";
  fmt::print("\na cycle, peer: libmodbus writing 16 and reading 8 registers, and reading back ten times a second\n");
  return print({
      {"write, read and PID",
       side_by_side(
           cycles, same_requests, [&] { link_and_drive(single); }, windows),
       1, peer_name},
      {"the same with pipelining",
       side_by_side(
           cycles, same_requests, [&] { link_and_drive(pipelined); }, windows),
       1 / most_cost, peer_name},
      {"the whole bridge without ROS, pipelined",
       side_by_side(
           cycles, same_requests, [&] { run(whole); }, windows),
       0, peer_name},
      {"the same, published on DDS",
       side_by_side(
           cycles, same_requests, [&] { run(published); }, windows),
       0, peer_name},
  });
}

// One answer comes after 150 ms, to clients that wait for 100: it is late, and those after it are not.
bool cost_of_a_late_answer() {
  PlcFaults peers_faults, our_faults;
  for (PlcFaults* faults : {&peers_faults, &our_faults}) {
    faults->delay(150ms);
    faults->function(3);
  }
  const RunningLift peers_plc({.physics = false, .faults = &peers_faults});
  const RunningLift our_plc({.physics = false, .faults = &our_faults});

  const Peer peer = connect_peer(peers_plc.port());
  modbus_set_response_timeout(peer.get(), 0, 100'000);
  std::array<std::uint16_t, registers::feedback_count> into{};
  peers_faults.next(PlcFaults::late_answer);
  int peers_lost = 0;
  for (int i = 0; i <= after_late; ++i) {
    if (modbus_read_registers(peer.get(), 16, 8, into.data()) != 8) ++peers_lost;
    system_clock().sleep_until(in(10ms));
  }

  ConnectedLink link(our_plc.port());
  if (auto enabled = link.enable(); !enabled) give_up(enabled.error().text);
  our_faults.next(PlcFaults::late_answer);
  int ours_lost = 0;
  for (int i = 0; i <= after_late; ++i) {
    const AxisCommands commands;
    const auto outcome = link.exchange(&commands);
    if (!outcome) give_up(outcome.error().text);
    if (!outcome->measured) ++ours_lost;
    system_clock().sleep_until(in(10ms));
  }
  fmt::print("\none answer after 150 ms, for clients that wait 100 ms; {} transactions after it\n", after_late);
  fmt::print("{:<34} {:>8} lost\n", "libmodbus as it comes", peers_lost);
  fmt::print("{:<34} {:>8} lost (wanted: 1), {} dropped as late\n", "ours", ours_lost, link.late());
  report({.name = "transactions lost by one late answer, of 51",
          .peer = "libmodbus as it comes",
          .ours = static_cast<double>(ours_lost),
          .theirs = static_cast<double>(peers_lost),
          .unit = "lost",
          .ratio = static_cast<double>(peers_lost) / std::max(1, ours_lost),
          .wanted = "1 lost",
          .met = ours_lost == 1});
  return ours_lost == 1;
}

// Figure eight, controller, drive, registers and PLC with physics, all but the socket, as fast as it goes.
bool odometry_error() {
  ManualClock clock;
  const Description description;
  VirtualPlc plc(description, {},
                 std::make_unique<Body>(description, ModelOptions{.timestep = seconds(VirtualDeviceSetup{}.step)}),
                 clock);
  const PlcRegisters table(description);
  SteeringController controller({.geometry = description.geometry, .limits = description.limits, .base = base_point});
  Drive drive({});
  FigureEight task(0.5, 60);
  task.restart(controller.X_odom_axle());
  const ackermann::PlanarPose X_start_odom = ackermann::inverse(controller.X_odom_axle());
  modbus::Bits on(coils::count - 1);
  for (std::size_t i = 0; i < on.size(); ++i) on.assign(i, true);
  if (plc.write(coils::first_enable, on)) give_up("the PLC enables no motors");

  Wheels measured;
  double worst = 0, worst_yaw = 0;  // m, rad
  const double start = thread_time();
  while (task.rounds() < 1) {
    const auto targets = controller.step(task.step(controller.X_odom_axle(), period), measured, period);
    if (!targets) give_up(targets.error().text);
    const auto commands = drive.step(targets->wheels, measured, period);
    PlcRegisters::CommandWords words{};
    if (!commands || !table.encode(*commands, words) || plc.write(registers::command_start, words))
      give_up("a command was refused");
    clock.advance(duration_of(period));
    plc.advance();
    PlcRegisters::FeedbackWords feedback{};
    if (plc.read(modbus::WordKind::holding, registers::feedback_start, feedback)) give_up("no feedback");
    const auto decoded = table.decode(feedback);
    if (!decoded || !controller.observe(*decoded, period)) give_up("the feedback makes no sense");
    measured = *decoded;
    const auto& truth = plc.truth().axle;
    const ackermann::PlanarPose told = X_start_odom * controller.X_odom_axle();
    worst = std::max(worst, std::hypot(told.x - truth.x, told.y - truth.y));
    worst_yaw = std::max(worst_yaw, std::abs(std::remainder(told.yaw - truth.yaw, 2 * std::numbers::pi)));
  }
  const TruckState truth = plc.truth();
  const ackermann::PlanarPose told = X_start_odom * controller.X_odom_axle();
  const double away = std::hypot(told.x - truth.axle.x, told.y - truth.axle.y);
  const double turned = std::abs(std::remainder(told.yaw - truth.axle.yaw, 2 * std::numbers::pi));
  constexpr double degree = std::numbers::pi / 180;
  fmt::print("\na figure eight of 60 s, simulated in {:.1f} s of CPU\n", thread_time() - start);
  fmt::print("{:<34} {:>8.3f} m by the truck, {:.3f} m by odometry\n", "distance", truth.distance,
             controller.distance());
  fmt::print("{:<34} {:>8.3f} m, {:.3f} % of the distance (wanted: at most 1 %); on the way at most {:.3f} m\n",
             "position is off by", away, 100 * away / truth.distance, worst);
  fmt::print("{:<34} {:>8.3f} degrees (wanted: at most 1); on the way at most {:.3f}\n", "heading is off by",
             turned / degree, worst_yaw / degree);
  fmt::print("{:<34} {:>8.3f} m\n", "from its start the truck stands", std::hypot(truth.axle.x, truth.axle.y));
  report_at_most("figure eight of 60 s, odometry's position", 100 * away / truth.distance, "% of the distance", 1);
  report_at_most("figure eight of 60 s, odometry's heading", turned / degree, "degrees", 1);
  return away <= 0.01 * truth.distance && turned <= degree;
}

// Along a route of 200 legs, beside what else a cycle calculates.
bool cost_of_following() {
  constexpr std::size_t steps = 2000;
  std::vector<ackermann::Waypoint> waypoints{{.position = {}, .deviation = 1}};
  for (int i = 1; i <= 200; ++i) waypoints.push_back({.position = {5.0 * i, i % 2 == 0 ? 0.0 : 4.0}, .deviation = 1});
  const std::vector<ackermann::Leg> legs(200);
  auto planned = ackermann::plan_route({0, 0, std::atan2(4, 5)}, waypoints, legs, route_limits_from({}));
  if (!planned) give_up(planned.error().text);
  const auto route = std::make_shared<const ackermann::Route>(std::move(*planned));
  const double planning = thread_time();
  for (int i = 0; i < 10; ++i)
    if (!ackermann::plan_route({0, 0, std::atan2(4, 5)}, waypoints, legs, route_limits_from({}))) give_up("no route");
  fmt::print("\nplanning {:.0f} m with 199 corners: {:.2f} ms\n", route->length(), 100 * (thread_time() - planning));

  PathFollower follower;
  Instant now = Instant{} + 1h;
  double s = 0;
  std::uint64_t id = 0;
  const auto follow = [&] {
    for (std::size_t i = 0; i < steps; ++i) {
      now += 10ms;
      if (s == 0 || s > route->length() - 1) {
        s = 0;
        ++id;
      }
      s += 0.01;
      follower.take({route, route->length(), false, id, now});
      const PathFollower::Seen seen{.X_odom_axle = route->at(s).pose, .speed = 1, .curvature = 0, .standstill = false};
      if (!follower.step(seen, now, period)) give_up("the follower has no route");
    }
  };
  const Description description;
  SteeringController controller({.geometry = description.geometry, .limits = description.limits, .base = base_point});
  Drive drive({});
  const Wheels measured{3, 3, 0.1, 0.1};
  const auto control = [&] {
    for (std::size_t i = 0; i < steps; ++i) {
      if (!controller.observe(measured, period)) give_up("no odometry");
      const auto targets = controller.step(ackermann::Twist{0.5, 0.1}, measured, period);
      if (!targets || !drive.step(targets->wheels, measured, period)) give_up("no targets");
    }
  };
  return print(
      {{"one step along a route, with one more look at the route", side_by_side(steps, control, follow, windows), 0,
        "odometry, steering controller and PID of a cycle"}});
}

bool run(double length, std::string_view parts) {
  const auto wanted = [&](char part) { return parts.find(part) != parts.npos; };
  bool all = true;
  if (wanted('a')) all = cost_of_a_cycle() && all;
  if (wanted('b')) {
    for (const double rate : {100.0, 500.0}) all = one_truck(rate, length) && all;
  }
  if (wanted('c')) all = cost_of_a_late_answer() && all;
  if (wanted('d')) all = many_trucks(many, length) && all;
  if (wanted('e')) all = odometry_error() && all;
  if (wanted('f')) all = cost_of_following() && all;
  fmt::print("\n{}\n", all ? "all reached" : "MISSED");
  return all;
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
  const double length = count > 1 ? std::atof(arguments[1]) : 60;
  if (!(length > 0 && length < 86'400)) bench::give_up("expected the seconds to measure");
  return bench::run(length, count > 2 ? arguments[2] : "abcdef") ? 0 : 1;
}
