// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/ports/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tandem/protocols/ur/gripper/gripper.hpp"
#include "tandem/protocols/ur/primary/realtime.hpp"
#include "tandem/urscript/syntax/splitter.hpp"

namespace tandem::ur3e {
namespace {

enum Place : std::size_t {
  rtde,
  dashboard,
  primary,
  secondary,
  real_time,
  primary_read_only,
  secondary_read_only,
  real_time_read_only,
  interpreter,
  gripper,  // the last: there may be none
};
constexpr std::array<Place, 4> message_ports{primary, secondary, primary_read_only, secondary_read_only};
constexpr std::array<Place, 4> script_ports{primary, secondary, real_time, interpreter};
constexpr std::int8_t from_controller = -2;
constexpr std::int32_t ur3_type = 3;
constexpr Duration never_read = 24h;  // there are clients that write for hours and never read what they are sent

// One client's text, cut into programs that the controller runs.
class ScriptStream final : public ur::ScriptSink {
 public:
  ScriptStream(Controller& controller, std::uint32_t client) : controller_(controller), client_(client) {}

  bool receive(Bytes bytes) override {
    complete_.clear();
    const auto fed = splitter_.feed(bytes, complete_);
    for (const std::string& text : complete_) controller_.program(text, client_);
    programs_ += complete_.size();
    // The rest of a program too large would be read as lines of their own: its sender is not listened to any more.
    if (!fed) controller_.say(ur::primary::Text{fed.error().text});
    return fed.ok();
  }
  std::uint64_t programs() const override { return programs_; }

 private:
  Controller& controller_;
  std::uint32_t client_;
  urscript::ProgramSplitter splitter_;
  std::vector<std::string> complete_;
  std::uint64_t programs_ = 0;
};

// A client that only reads: of port 30011 to 30013, or one that came in local control, which is reported once.
class IgnoredScripts final : public ur::ScriptSink {
 public:
  IgnoredScripts(Controller& controller, bool reported) : controller_(controller), reported_(reported) {}

  bool receive(Bytes) override {
    if (!std::exchange(reported_, true)) controller_.ignore_script();
    return true;
  }
  std::uint64_t programs() const override { return 0; }

 private:
  Controller& controller_;
  bool reported_;
};

constexpr std::size_t longest_statement = 128 * 1024;  // bytes of a line
constexpr std::size_t most_sending = 64 * 1024;        // bytes of answers on their way to a client
constexpr std::size_t most_unsent = 8u << 20;          // bytes of answers behind them: the client does not read

// One client of the interpreter mode: statements in, a line of answer for each.
class StatementSession final : public net::Session {
 public:
  StatementSession(Controller& controller, std::uint32_t client) : controller_(controller), client_(client) {}

  bool receive(Bytes bytes, net::Outbox& out) override {
    lines_.feed(bytes);
    while (true) {
      const auto line = lines_.next();
      if (!line) return false;
      if (!*line) break;
      controller_.statement(**line, answers_, client_);
      ++completed_;
    }
    cycle(out);
    return answers_->size() <= most_unsent;
  }
  void cycle(net::Outbox& out) override {
    const std::size_t room = most_sending - std::min(most_sending, out.unsent());
    const std::size_t count = std::min(room, answers_->size());
    if (count == 0) return;
    out.send({reinterpret_cast<const std::uint8_t*>(answers_->data()), count});
    answers_->erase(0, count);
  }
  Progress progress() const override { return {completed_, lines_.partial()}; }

 private:
  Controller& controller_;
  std::uint32_t client_;
  ur::LineFramer lines_{longest_statement};
  urscript::InterpreterMode::Answers answers_ = std::make_shared<std::string>();
  std::uint64_t completed_ = 0;
};

std::unique_ptr<ur::ScriptSink> scripts(Controller& controller, bool writable, std::uint32_t client) {
  if (!writable || !controller.remote_control) return std::make_unique<IgnoredScripts>(controller, !writable);
  return std::make_unique<ScriptStream>(controller, client);
}

ur::Vector6 six(const std::array<double, 6>& numbers) { return numbers; }

// Nominal kinematics: the checksums are those of no calibration.
ur::primary::RobotDescription description() {
  ur::primary::RobotDescription made;
  made.kinematics.checksum = {0x3e000001, 0x3e000002, 0x3e000003, 0x3e000004, 0x3e000005, 0x3e000006};
  made.kinematics.a = made.configuration.a = six(arm_model.a);
  made.kinematics.d = made.configuration.d = six(arm_model.d);
  made.kinematics.alpha = made.configuration.alpha = six(arm_model.alpha);
  for (std::size_t i = 0; i < 6; ++i) {
    made.configuration.joint_range[i] = {arm_model.lowest[i], arm_model.highest[i]};
    made.configuration.joint_maximum[i] = {arm_model.speed[i], arm_model.acceleration[i]};
  }
  made.configuration.robot_type = ur3_type;
  return made;
}

ur::primary::Version version() {
  ur::primary::Version made;
  made.major = static_cast<std::uint8_t>(software_version.major);
  made.minor = static_cast<std::uint8_t>(software_version.minor);
  made.bugfix = static_cast<std::int32_t>(software_version.bugfix);
  made.build = static_cast<std::int32_t>(software_version.build);
  made.date = software_date;
  return made;
}

}  // namespace

Ports::Ports(Controller& controller, const std::string& host, const PortNumbers& numbers, net::Plug* plug)
    : controller_(controller),
      plug_(plug),
      dashboard_(controller),
      rtde_(controller.variables),
      primary_source_{controller.variables, description(), version()} {
  rtde_.version = software_version;
  rtde_.inputs_written = [&controller](const ur::Recipe& recipe) { controller.inputs_written(recipe); };
  const auto primary_port = [this](bool full, bool writable) {
    return [this, full, writable](const net::Endpoint& client) -> Made {
      return std::make_unique<ur::PrimarySession>(primary_source_, full,
                                                  scripts(controller_, writable, client.address));
    };
  };
  const auto real_time_port = [this](bool writable) {
    return [this, writable](const net::Endpoint& client) -> Made {
      return std::make_unique<ur::RealtimeSession>(controller_.variables.state,
                                                   scripts(controller_, writable, client.address));
    };
  };
  open(host, numbers.rtde, [this](const net::Endpoint&) -> Made { return std::make_unique<ur::RtdeSession>(rtde_); });
  open(host, numbers.dashboard, [this](const net::Endpoint& client) -> Made {
    return std::make_unique<DashboardClient>(dashboard_, controller_.remote_control, client.address);
  });
  open(host, numbers.primary, primary_port(true, true));
  open(host, numbers.secondary, primary_port(false, true));
  open(host, numbers.real_time, real_time_port(true));
  open(host, numbers.primary_read_only, primary_port(true, false));
  open(host, numbers.secondary_read_only, primary_port(false, false));
  open(host, numbers.real_time_read_only, real_time_port(false));
  open(host, numbers.interpreter, [this](const net::Endpoint& client) -> Made {
    return std::make_unique<StatementSession>(controller_, client.address);
  });
  controller.sockets.behind(plug);
  if (!controller.has_gripper()) return;
  open(host, numbers.gripper, [this](const net::Endpoint&) -> Made {
    return std::make_unique<ur::gripper::GripperSession>(controller_.hand);
  });
  // Programs reach their gripper as on a real controller, where its driver serves on loopback.
  if (const auto listens = net::resolve(host == "0.0.0.0" ? "127.0.0.1" : host, servers_.back()->port()))
    controller.sockets.gripper = *listens;
}

std::size_t Ports::open(const std::string& host, std::uint16_t port, net::PortServer::Factory make) {
  net::PortOptions options;
  options.host = host;
  options.port = port;
  options.name = "UR controller";
  options.plug = plug_;
  options.stall_deadline = never_read;
  auto server = net::PortServer::listen(options, std::move(make));
  if (!server) throw std::runtime_error(fmt::format("virtual UR3e: {}", server.error().text));
  servers_.push_back(std::move(*server));
  polled_.push_back(servers_.back().get());
  return servers_.size() - 1;
}

void Ports::serve(Instant deadline) { net::poll(polled_, watches_, deadline); }

void Ports::cycle(Instant now) {
  // As on a real one: clients that could send script are disconnected, and reconnect to a port that only reads.
  if (remote_ && !controller_.remote_control)
    for (const Place place : script_ports) servers_[place]->close_connections();
  remote_ = controller_.remote_control;
  send_messages(now);
  for (net::PortServer* server : polled_) server->cycle(now);
}

void Ports::send_messages(Instant now) {
  for (auto& message : controller_.messages) {
    const auto stamp = static_cast<std::uint64_t>(controller_.now() * 1e6);
    packet_.clear();
    ur::primary::encode(ur::primary::RobotMessage{stamp, from_controller, std::move(message)}, packet_);
    for (const Place place : message_ports) servers_[place]->broadcast(packet_, now);
  }
  controller_.messages.clear();
}

void Ports::close_connections() {
  for (net::PortServer* server : polled_) server->close_connections();
}

PortNumbers Ports::numbers() const {
  const auto port = [this](Place place) -> std::uint16_t {
    return place < servers_.size() ? servers_[place]->port() : 0;  // the gripper's may be missing
  };
  return {port(rtde),
          port(dashboard),
          port(primary),
          port(secondary),
          port(real_time),
          port(primary_read_only),
          port(secondary_read_only),
          port(real_time_read_only),
          port(gripper),
          port(interpreter)};
}

std::string Ports::url(const std::string& host) const {
  const PortNumbers n = numbers();
  std::string text = fmt::format("rtde://{}:{}", host, n.rtde);
  char joint = '?';
  const auto add = [&](const char* name, std::uint16_t port, std::uint16_t standard) {
    if (port == standard) return;
    text += fmt::format("{}{}={}", joint, name, port);
    joint = '&';
  };
  add("dashboard", n.dashboard, ports::dashboard);
  add("primary", n.primary, ports::primary);
  add("secondary", n.secondary, ports::secondary);
  add("realtime", n.real_time, ports::real_time);
  if (n.gripper != 0) add("gripper", n.gripper, ports::gripper);
  return text;
}

}  // namespace tandem::ur3e
