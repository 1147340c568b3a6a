// SPDX-License-Identifier: Apache-2.0
// The link against a controller that only speaks: what it says is the test's own.
#include <doctest/doctest.h>

#include <atomic>
#include <limits>
#include <mutex>
#include <thread>

#include "tandem/machines/ur3e/api/arm_rtde.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/net/port_server.hpp"
#include "tandem/protocols/ur/rtde/session.hpp"
#include "tests/deadline.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

// The primary port: one packet with the kinematics, then nothing; programs are kept.
class Primary final : public net::Session {
 public:
  Primary(double stretch, std::string& program) : stretch_(stretch), program_(program) {}

  void begin(net::Outbox& out) override {
    ur::primary::RobotState state;
    auto& info = state.kinematics.emplace();
    for (std::size_t i = 0; i < 6; ++i) {
      info.a[i] = arm_model.a[i];
      info.d[i] = arm_model.d[i];
      info.alpha[i] = arm_model.alpha[i];
    }
    info.d[0] += stretch_;
    std::vector<std::uint8_t> packet;
    ur::primary::encode(state, packet);
    out.send(packet);
  }
  bool receive(Bytes bytes, net::Outbox&) override {
    program_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
  }

 private:
  double stretch_;
  std::string& program_;
};

class Speaker {
 public:
  explicit Speaker(double stretch = 0) {
    auto& state = variables.state;
    state.timestamp = 100;
    state.robot_mode = ur::RobotMode::running;
    state.safety_mode = ur::SafetyMode::normal;
    state.runtime_state = ur::RuntimeState::playing;
    state.actual_q = {0, -1.5, 1.5, -1.5, -1.5, 0};
    auto rtde = net::PortServer::listen(
        {}, [this](const net::Endpoint&) { return std::make_unique<ur::RtdeSession>(controller_); });
    auto primary = net::PortServer::listen(
        {}, [this, stretch](const net::Endpoint&) { return std::make_unique<Primary>(stretch, program); });
    REQUIRE(rtde.ok());
    REQUIRE(primary.ok());
    rtde_ = std::move(*rtde);
    primary_ = std::move(*primary);
    address.rtde = rtde_->port();
    address.primary = primary_->port();
    thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
  }

  // In the thread that speaks, between two cycles.
  template <typename Change>
  void change(Change change) {
    const std::lock_guard lock(mutex_);
    change(variables.state);
  }
  void drop() { drop_ = true; }

  ControllerAddress address;
  ur::Variables variables;
  std::string program;
  std::atomic<bool> speaks{true};

 private:
  void run(std::stop_token stop) {
    const std::array<net::PortServer*, 2> ports = {rtde_.get(), primary_.get()};
    std::vector<net::Watch> watches;
    while (!stop.stop_requested()) {
      net::poll(ports, watches, in(4ms));
      const std::lock_guard lock(mutex_);
      auto& state = variables.state;
      state.timestamp += 0.008;
      // As much of the control program as the link must see: it has started, and takes what comes.
      const std::size_t at = program.rfind("write_output_integer_register(28, ");
      if (at != std::string::npos && program.ends_with("end\n")) {
        state.output_int_register[script::outputs::identity] = std::atoi(program.c_str() + at + 34);
        state.output_int_register[script::outputs::taken] =
            variables.inputs.input_int_register[script::inputs::sequence];
      }
      if (drop_.exchange(false)) rtde_->close_connections();
      if (speaks) rtde_->cycle(in(0s));
    }
  }

  std::mutex mutex_;
  std::atomic<bool> drop_{false};
  ur::RtdeController controller_{variables};
  std::unique_ptr<net::PortServer> rtde_, primary_;
  std::jthread thread_;
};

RtdeArmOptions options_for(const Speaker& speaker) {
  RtdeArmOptions options;
  options.address = speaker.address;
  options.frequency = 125;
  options.watchdog = {2s, 4s};
  options.stale_after = 1s;
  options.lost_after = 2s;
  return options;
}

std::unique_ptr<RtdeArm> opened(const Speaker& speaker) {
  auto link = RtdeArm::open(options_for(speaker), in(20s));
  REQUIRE_MESSAGE(link.ok(), (link ? "" : link.error().text));
  return std::move(*link);
}

template <typename Holds>
bool eventually(Holds holds) {
  for (const Instant end = in(20s); system_clock().now() < end; system_clock().sleep_until(in(5ms)))
    if (holds()) return true;
  return holds();
}

}  // namespace

TEST_CASE("R18 a calibration that is not the model's is told and the model's own is not") {
  const Speaker nominal, calibrated(0.0007);
  const auto a = opened(nominal), b = opened(calibrated);
  CHECK(eventually([&] { return b->status().nominal; }));
  CHECK(!a->status().nominal);
}

TEST_CASE("A command is refused until the link is armed and taken afterwards") {
  Speaker speaker;
  const auto link = opened(speaker);
  const auto refused = link->submit(command::Nothing{}, in(1s));
  REQUIRE(!refused);
  CHECK(refused.error().text.find("arm() has not been called") != std::string::npos);
  REQUIRE(link->arm(in(20s)).ok());
  const auto ticket = link->submit(command::Nothing{}, in(1s));
  REQUIRE(ticket);
  CHECK(eventually([&] { return link->outcome(*ticket) == Outcome::done; }));
  CHECK(link->outcome(*ticket + 1) == Outcome::failed);
}

TEST_CASE("Commands that are posted in one go are all taken in their order") {
  Speaker speaker;
  const auto link = opened(speaker);
  REQUIRE(link->arm(in(20s)).ok());
  std::vector<Ticket> tickets;
  for (int i = 0; i < 40; ++i) {
    const auto ticket = link->submit(command::DigitalOut{command::Bank::standard, i % 8, true}, in(20s));
    REQUIRE(ticket);
    tickets.push_back(*ticket);
  }
  CHECK(eventually([&] { return link->outcome(tickets.back()) == Outcome::done; }));
  for (const Ticket ticket : tickets) CHECK(link->outcome(ticket) == Outcome::done);
}

TEST_CASE("Of motions that wait only the newest goes out") {
  Speaker speaker;
  const auto link = opened(speaker);
  REQUIRE(link->arm(in(20s)).ok());
  std::vector<Ticket> tickets;
  for (int i = 0; i < 6; ++i) {
    const auto ticket = link->submit(command::MoveJoints{}, in(1s));
    REQUIRE(ticket);
    tickets.push_back(*ticket);
  }
  CHECK(eventually([&] { return link->outcome(tickets.back()) == Outcome::running; }));
  for (std::size_t i = 0; i + 1 < tickets.size(); ++i) CHECK(link->outcome(tickets[i]) == Outcome::interrupted);
  // Its end is told by the program.
  speaker.change([](ur::ControllerState& state) {
    state.output_int_register[script::outputs::finished] = state.output_int_register[script::outputs::taken];
  });
  CHECK(eventually([&] { return link->outcome(tickets.back()) == Outcome::done; }));
}

TEST_CASE("G18 samples with NaN are not shown and become a fault when they go on") {
  Speaker speaker;
  const auto link = opened(speaker);
  REQUIRE(link->arm(in(20s)).ok());
  speaker.change([](ur::ControllerState& state) { state.actual_q[2] = std::numeric_limits<double>::quiet_NaN(); });
  CHECK(eventually([&] { return link->status().faulted; }));
  CHECK(link->state()->q[2] == 1.5);
  speaker.change([](ur::ControllerState& state) { state.actual_q[2] = 1.5; });
  CHECK(eventually([&] { return link->status().live; }));
  CHECK(!link->status().armed);
}

TEST_CASE("R8 time that goes back is a restart and disarms") {
  Speaker speaker;
  const auto link = opened(speaker);
  REQUIRE(link->arm(in(20s)).ok());
  speaker.change([](ur::ControllerState& state) { state.timestamp = 1; });
  CHECK(eventually([&] { return link->status().faulted; }));
  CHECK(link->status().why.view().find("restarted") != std::string_view::npos);
  CHECK(eventually([&] { return link->status().live; }));
  CHECK(!link->arm(in(1s)));
  CHECK(link->reset(in(1s)).ok());
  CHECK(link->arm(in(20s)).ok());
}

TEST_CASE("G2 a connection that is closed comes back without motion") {
  Speaker speaker;
  const auto link = opened(speaker);
  REQUIRE(link->arm(in(20s)).ok());
  const auto ticket = link->submit(command::MoveJoints{}, in(1s));
  REQUIRE(ticket);
  CHECK(eventually([&] { return link->outcome(*ticket) == Outcome::running; }));
  speaker.drop();
  CHECK(eventually([&] { return link->outcome(*ticket) == Outcome::failed; }));
  CHECK(eventually([&] { return link->status().live; }));
  CHECK(!link->status().armed);
  CHECK(link->status().faults == 1);
  const auto refused = link->submit(command::MoveJoints{}, in(1s));
  CHECK(!refused);
}

TEST_CASE("A program that does not start is told and a silent one is a fault") {
  Speaker speaker;
  auto options = options_for(speaker);
  options.start_within = 300ms;
  speaker.change([](ur::ControllerState& state) { state.runtime_state = ur::RuntimeState::stopped; });
  auto link = RtdeArm::open(options, in(20s));
  REQUIRE(link);
  const auto refused = (*link)->arm(in(20s));
  REQUIRE(!refused);
  CHECK(refused.error().text.find("remote control") != std::string::npos);
  CHECK(!(*link)->status().armed);
}

TEST_CASE("R3 to R5 a stream that makes no sense costs the connection and not the link") {
  // A listener that answers with garbage, then nothing: open gives up in time and says so.
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  std::jthread server([&](std::stop_token stop) {
    while (!stop.stop_requested()) {
      auto socket = listener->accept(in(50ms));
      if (!socket) continue;
      const std::array<std::uint8_t, 5> lies = {0, 1, 'V', 0xff, 0xff};
      (void)socket->write_all(lies, in(100ms));
    }
  });
  RtdeArmOptions options;
  options.address.rtde = listener->local().port;
  options.connect_within = 300ms;
  const auto link = RtdeArm::open(options, in(1s));
  REQUIRE(!link);
  CHECK(link.error().text.find("RTDE") != std::string::npos);
}
