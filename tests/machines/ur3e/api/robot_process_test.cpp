// SPDX-License-Identifier: Apache-2.0
// A whole client process that dies or stands still while its robot moves.
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <cmath>

#include "tandem/machines/ur3e/device/control_script.hpp"
#include "tests/machines/ur3e/api/robot_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

// Forked before any thread of this test runs; it is told where the robot is, moves it, and tells when it is disarmed.
class Client {
 public:
  Client() {
    int in_ends[2], out_ends[2];
    REQUIRE(pipe(in_ends) == 0);
    REQUIRE(pipe(out_ends) == 0);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      live(in_ends[0], out_ends[1]);
      _exit(0);
    }
    ::close(in_ends[0]);
    ::close(out_ends[1]);
    to_ = net::Descriptor(in_ends[1]);
    from_ = net::Descriptor(out_ends[0]);
  }
  ~Client() {
    signal(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  void tell(const std::string& line) { REQUIRE(::write(to_.get(), line.data(), line.size()) > 0); }
  // What it says next; empty when it says nothing in time.
  std::string hear(Duration within) const {
    pollfd polled{from_.get(), POLLIN, 0};
    const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(within).count();
    if (::poll(&polled, 1, static_cast<int>(most)) <= 0) return {};
    char text[512];
    const auto count = ::read(from_.get(), text, sizeof text);
    return count > 0 ? std::string(text, static_cast<std::size_t>(count)) : std::string();
  }
  void signal(int number) const { kill(pid_, number); }

 private:
  static void live(int in_end, int out_end) {
    char url[512];
    const auto count = ::read(in_end, url, sizeof url);
    if (count <= 0) return;
    RobotOptions options = patient(std::string(url, static_cast<std::size_t>(count)));
    options.link.watchdog = {300ms, 800ms};
    const auto say = [&](const std::string& text) {
      [[maybe_unused]] const auto written = ::write(out_end, text.data(), text.size());
    };
    const auto robot = Robot::open(options);
    if (!robot) return say(robot.error().text);
    const auto from = (*robot)->actual_joint_positions();
    if (!from) return say(from.error().text);
    const auto moves = (*robot)->movej(*from + Joint6D{2.5}, 1, 0.2, 0, 0, false);
    say(moves ? "moving" : moves.error().text);
    while ((*robot)->status().armed) system_clock().sleep_until(in(5ms));
    say(std::string((*robot)->status().why.view()));
    system_clock().sleep_until(in(60s));
  }

  pid_t pid_ = -1;
  net::Descriptor to_, from_;
};

struct Watched {
  explicit Watched(Client& client) {
    client.tell(rig.device->url());
    const std::string said = client.hear(30s);
    REQUIRE_MESSAGE(said == "moving", said);
    REQUIRE(wait_for(rtde, values, 20s, [](const auto& now) { return std::abs(now.actual_qd[0]) > 0.1; }));
    start = state().actual_q[0];
  }

  const ur::ControllerState& state() const { return values.state; }
  bool stops_by_itself() {
    return wait_for(rtde, values, 20s, [](const auto& now) {
      return now.output_int_register[script::outputs::ending] == static_cast<int>(script::Ending::watchdog) &&
             now.runtime_state == ur::RuntimeState::stopped && std::abs(now.actual_qd[0]) < 0.01;
    });
  }

  Rig rig{quick_unlock()};
  ur::RtdeClient rtde = rig.rtde({"timestamp", "actual_q", "actual_qd", "runtime_state", "output_int_register_27"});
  ur::Variables values;
  double start = 0;
};

}  // namespace

TEST_CASE("G22 a client that is killed leaves an arm that stops by itself") {
  Client client;
  Watched arm(client);
  client.signal(SIGKILL);
  CHECK(arm.stops_by_itself());
  // 0.2 rad/s for the 0.8 s of patience, braking, and as long again for a slow machine: far from the 2.5 rad asked for.
  CHECK(arm.state().actual_q[0] - arm.start < 1);
}

TEST_CASE("G21 a client that stood still is disarmed when it wakes up") {
  Client client;
  Watched arm(client);
  client.signal(SIGSTOP);
  CHECK(arm.stops_by_itself());
  client.signal(SIGCONT);
  const std::string why = client.hear(20s);
  CHECK(says(why, "was paused"));
  CHECK(says(why, "by itself"));
}
