// SPDX-License-Identifier: Apache-2.0
// What happens after the link to a moving arm is lost: how far it moves, by the truth of its physics (the table in
// docs/ur3e.md), and how soon the link is back.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

#include "tandem/machines/ur3e/api/robot.hpp"
#include "tandem/protocols/ur/rtde/client.hpp"
#include "tests/machines/ur3e/control/machine_rig.hpp"
#include "tests/machines/ur3e/device/rtde_capture.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using ros2::eventually;

namespace {

constexpr double speed = 1;               // rad/s, of the base joint
constexpr double patient_watchdog = 0.1;  // s; five times the default, for hosts that are busy
constexpr double reaction = 0.02;         // s: a sample, a command and two cycles of the controller
constexpr double deceleration = 4;        // rad/s^2, of stopj in the control program
constexpr double reach = 0.5;             // m, the farthest that the tool is from the axis here
constexpr double restless = 0.01;         // rad: what the servo lags behind, and settles by
constexpr Duration afterwards = 500ms;    // after the link is back

// rad, when the control program stops the arm after this time without a sign of life (s): the servo watchdog for a
// stream of targets, 0.2 s for a move that the program makes by itself.
constexpr double farthest_turn(double watchdog) {
  return speed * (watchdog + reaction) + speed * speed / (2 * deceleration) + restless;
}

void pass(Duration time) { std::this_thread::sleep_for(time); }

net::Faults to_client(const net::PathFaults& faults) { return {{}, faults}; }
net::Faults to_device(const net::PathFaults& faults) { return {faults, {}}; }
void apply(MachineRig& rig, const net::Faults& faults) {
  rig.both([&](net::FaultProxy& proxy) { proxy.apply(faults); });
}
void clear(MachineRig& rig) { apply(rig, {}); }
const net::Faults black_hole = net::Faults::both({.black_hole = true});

// The base turns at full speed from one second on.
std::shared_ptr<TrajectoryRequest> swing_from(const Six& from) {
  auto wanted = std::make_shared<TrajectoryRequest>();
  const double side = from[0] > 0 ? -1 : 1;
  Joints q = Joint6D::from_radians(from).vector(), qd = Joints::Zero();
  q[0] += side * speed * 0.5;
  qd[0] = side * speed;
  wanted->points.push_back({1, q, qd, {}});
  q[0] += side * speed * 4;
  wanted->points.push_back({5, q, qd, {}});
  return wanted;
}

bool is_fast(const ArmTruth& truth) { return truth.since_mark().fastest > 0.95 * speed; }
bool at_rest(const ArmTruth& truth) {
  return eventually([&] { return truth.since_mark().fastest < 2e-3; });
}

// False: the host was so slow that the watchdog stopped the arm on the way.
bool gets_fast(MachineRig& rig) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (!rig.ready()) continue;
    rig.machine->commands().trajectory.post(swing_from(rig.q()));
    eventually([&] { return is_fast(rig.truth) || !rig.armed(); });
    if (rig.armed() && is_fast(rig.truth)) return true;
    at_rest(rig.truth);
  }
  return false;
}

void check_bound(const ArmTruth& truth, double most) {
  const ArmTruth::Motion moved = truth.since_mark();
  MESSAGE("turned by " << moved.turned << " rad, tool " << moved.path << " m; allowed " << most << " rad");
  CHECK(moved.turned <= most);
  CHECK(moved.path <= reach * most);
}

// From the moment of the fault until half a second after the link is live again. False: it never got fast.
using Strike = std::function<void(MachineRig&, const Capture&)>;
using Lift = std::function<void(MachineRig&)>;
bool played(double watchdog, const Strike& strike, const Lift& lift) {
  Capture capture;
  MachineRig rig(MachineRig::Line{.faulty = true, .servo_watchdog = watchdog, .tap = &capture});
  if (!gets_fast(rig)) return false;
  rig.truth.mark();
  strike(rig, capture);
  CHECK(eventually([&] { return !rig.armed(); }));
  CHECK(at_rest(rig.truth));
  if (lift) lift(rig);
  CHECK_MESSAGE(eventually([&] { return rig.live(); }), rig.complaints());
  pass(afterwards);
  CHECK_FALSE(rig.armed());
  check_bound(rig.truth, farthest_turn(watchdog));
  return true;
}

std::unique_ptr<Robot> fast_robot(MachineRig& rig, Capture& capture) {
  RobotOptions options;
  options.device = rig.url;
  options.gripper = false;
  options.link.tap = &capture;
  for (int attempt = 0; attempt < 5; ++attempt) {
    auto robot = Robot::open(options);
    if (!robot) continue;
    const auto from = (*robot)->actual_joint_positions();
    if (!from || !(*robot)->movej(*from + Joint6D{from->j1 > 0 ? -4.0 : 4.0}, 2, speed, 0, 0, false)) continue;
    eventually([&] { return is_fast(rig.truth) || !(*robot)->status().armed; });
    if ((*robot)->status().armed && is_fast(rig.truth)) return std::move(*robot);
  }
  return nullptr;
}

// The same for a move of the API, while the machine only reads.
bool played_move(const Strike& strike, const Lift& lift, double silence) {
  Capture capture;
  MachineRig rig(MachineRig::Line{.faulty = true});
  const std::unique_ptr<Robot> robot = fast_robot(rig, capture);
  if (robot == nullptr) return false;
  rig.truth.mark();
  strike(rig, capture);
  CHECK(eventually([&] { return !robot->status().armed; }));
  CHECK(at_rest(rig.truth));
  if (lift) lift(rig);
  CHECK_MESSAGE(eventually([&] { return robot->status().live; }), robot->status().why.view());
  pass(afterwards);
  CHECK_FALSE(robot->status().armed);
  check_bound(rig.truth, farthest_turn(silence));
  return true;
}

void play_trajectory(const Strike& strike, const Lift& lift = {}) {
  const bool told = played(0.02, strike, lift) || played(patient_watchdog, strike, lift);
  WARN_MESSAGE(told, "this host was held up every time");
}
void play_move(const Strike& strike, const Lift& lift = {}, double silence = 0.2) {
  const bool told = played_move(strike, lift, silence);
  WARN_MESSAGE(told, "this host was held up every time");
}
void play(const Strike& strike, const Lift& lift = {}) {
  play_trajectory(strike, lift);
  play_move(strike, lift);
}

// Moves the arm from a process of its own, forked before any thread of this test runs.
class Process {
 public:
  explicit Process(void (*live)(const std::string& url)) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      char url[512];
      const auto count = ::read(ends[0], url, sizeof url);
      if (count > 0) live(std::string(url, static_cast<std::size_t>(count)));
      _exit(0);
    }
    ::close(ends[0]);
    to_ = net::Descriptor(ends[1]);
  }
  ~Process() {
    signal(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  void connect(const std::string& url) const { REQUIRE(::write(to_.get(), url.data(), url.size()) > 0); }
  void signal(int number) const { kill(pid_, number); }

 private:
  pid_t pid_ = -1;
  net::Descriptor to_;
};

// The machine. Arms and swings until it was fast; what disarms it then disarms it for good.
void run_machine(const std::string& url) {
  machines::Setup setup;
  setup.name = "arm";
  setup.device = url;
  setup.options = rig_options("none", patient_watchdog);
  setup.clock = &system_clock();
  Machine bridge(setup);
  bool armed = true, moving = false, fast = false;
  while (true) {
    if (!bridge.connect(now() + 1s)) continue;
    while (const auto cycle = bridge.cycle(machines::Permit(armed, system_clock(), Instant::max()))) {
      const State state = bridge.state();
      fast = fast || std::abs(state.controller.actual_qd[0]) > 0.8 * speed;
      if (cycle->disarm || cycle->quality != Quality::live) armed = moving = false;
      armed = armed || !fast;
      if (moving || !state.armed) continue;
      moving = true;
      bridge.commands().trajectory.post(swing_from(state.controller.actual_q));
    }
    armed = !fast;
    moving = false;
    bridge.disconnect();
  }
}

// The API: a long movej, which needs no new targets.
void run_robot(const std::string& url) {
  RobotOptions options;
  options.device = url;
  options.gripper = false;
  while (true) {
    const auto robot = Robot::open(options);
    if (!robot) continue;
    const auto from = (*robot)->actual_joint_positions();
    if (from) static_cast<void>((*robot)->movej(*from + Joint6D{-4}, 2, speed));
    // Not again, unless the host was so slow that it never got fast.
    const auto there = (*robot)->actual_joint_positions();
    if (from && (!there || std::abs(there->j1 - from->j1) > 0.3)) pass(1h);
  }
}

struct TrueArm {
  TrueArm() {
    VirtualDeviceSetup setup;
    setup.cycle_begins = [this](Instant, Instant) { truth.look(device->controller().body); };
    device = std::make_unique<VirtualDevice>(setup);
    thread = std::jthread([this](const std::stop_token& stop) { device->run(stop); });
  }
  ArmTruth truth;
  std::unique_ptr<VirtualDevice> device;
  std::jthread thread;
};

}  // namespace

TEST_CASE("the arm stops after its connections are reset") {
  play([](MachineRig& rig, const Capture&) { rig.both([](net::FaultProxy& proxy) { proxy.cut(net::Cut::rst); }); });
}

TEST_CASE("the arm stops after everything vanishes in a black hole") {
  play([](MachineRig& rig, const Capture&) { apply(rig, black_hole); }, clear);
}

TEST_CASE("the arm stops after answers or commands come late") {
  const net::PathFaults late{.delay = 130ms};
  for (const net::Faults& faults : {to_client(late), to_device(late), net::Faults::both(late)})
    play_trajectory([&](MachineRig& rig, const Capture&) { apply(rig, faults); }, clear);
  play_move([&](MachineRig& rig, const Capture&) { apply(rig, to_client(late)); }, clear);
  // The last sign of life arrives as late as everything else.
  play_move([&](MachineRig& rig, const Capture&) { apply(rig, net::Faults::both(late)); }, clear, 0.2 + 0.13);
  // Commands alone that are less late than the watchdog's 0.2 s are no loss.
  play_move([&](MachineRig& rig, const Capture&) { apply(rig, to_device({.delay = 250ms})); }, clear);
}

TEST_CASE("the arm stops after its controller restarted") {
  play([](MachineRig& rig, const Capture&) { rig.pendant.power_cycle = true; });
}

TEST_CASE("the arm stops after its controller restarted behind a link that is half open") {
  play(
      [](MachineRig& rig, const Capture&) {
        apply(rig, black_hole);
        rig.pendant.power_cycle = true;
        CHECK(eventually([&] { return !rig.pendant.power_cycle; }));
      },
      clear);
}

TEST_CASE("the arm stops after old answers are played again") {
  play(
      [](MachineRig& rig, const Capture& capture) {
        const auto captured = capture.packets();
        REQUIRE(captured.size() >= 3);
        rig.rtde->apply(to_client({.drop = 1}));
        for (int round = 0; round < 2; ++round)
          for (const auto& packet : captured) {
            rig.rtde->inject_to_client(packet);
            pass(8ms);
          }
      },
      clear);
}

TEST_CASE("the arm stops after the process that moves it is killed or stopped") {
  int number = SIGKILL;
  void (*live)(const std::string&) = run_machine;
  double most = farthest_turn(patient_watchdog);
  SUBCASE("machine killed") {}
  SUBCASE("machine stopped, and going on later") { number = SIGSTOP; }
  SUBCASE("API killed") { live = run_robot; }
  SUBCASE("API stopped, and going on later") {
    live = run_robot;
    number = SIGSTOP;
  }
  if (live == run_robot) most = farthest_turn(0.2);
  Process process(live);
  TrueArm arm;
  process.connect(arm.device->url());
  REQUIRE(eventually([&] { return is_fast(arm.truth); }, 60s));
  arm.truth.mark();
  process.signal(number);
  CHECK(at_rest(arm.truth));
  if (number == SIGSTOP) {
    pass(500ms);
    process.signal(SIGCONT);
    pass(1s);
  }
  check_bound(arm.truth, most);
}

TEST_CASE("after a black hole the link is back when it is over and the inputs are free again") {
  MachineRig rig(MachineRig::Line{.faulty = true});
  REQUIRE_MESSAGE(rig.ready(), rig.cause());
  for (const Duration away : {Duration(300ms), Duration(2500ms)}) {
    apply(rig, black_hole);
    CHECK(eventually([&] { return !rig.live(); }));
    pass(away);
    const int connects = rig.connects();
    const Instant over = now();
    clear(rig);
    CHECK_MESSAGE(eventually([&] { return rig.connects() > connects && rig.live(); }), rig.complaints());
    MESSAGE("live " << 1e3 * seconds(now() - over) << " ms after the black hole");
    // An attempt that began in the hole ends after 0.5 s; the next one is good.
    CHECK(now() - over < 2s);
    CHECK(rig.complaints().find("claimed") == std::string::npos);
    CHECK_MESSAGE(rig.ready(), rig.cause());
    CHECK(rig.armed());
  }
}

TEST_CASE("R4 an input of another client does not hinder reading and is named when the arm shall move") {
  MachineRig rig;
  auto other = ur::RtdeClient::connect("127.0.0.1", rig.device->ports().rtde, now() + 5s);
  REQUIRE(other.ok());
  const std::vector<std::string> claimed = {"input_double_register_30"};
  REQUIRE(other->setup_inputs(claimed, now() + 5s).ok());
  const std::uint64_t samples = rig.state().samples;
  CHECK(eventually([&] { return rig.live() && rig.state().samples > samples + 10; }));
  rig.arm();
  CHECK(eventually([&] { return !rig.armed(); }));
  CHECK_MESSAGE(rig.cause().find("input_double_register_30: another client") != std::string::npos, rig.cause());
  CHECK(rig.connects() == 1);
  CHECK(rig.live());
  other = Error{Fault::closed, "gone"};
  CHECK_MESSAGE(rig.ready(), rig.cause());
}
