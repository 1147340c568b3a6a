// SPDX-License-Identifier: Apache-2.0
// Hosts for tests of fleets: one that does as a tandem's page does with a clock of its own, and one that does anything
// else.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tandem/net/socket.hpp"
#include "tandem/runtime/fleet/hosts.hpp"
#include "tandem/runtime/page/live_channels.hpp"
#include "tandem/runtime/supervision/status.hpp"
#include "tandem/web/hub/hub.hpp"
#include "tests/deadline.hpp"

namespace tandem::runtime {

inline constexpr const char* test_token = "0123456789abcdef0123456789abcdef";

inline FleetHost host_at(const std::string& name, std::uint16_t port, const std::string& token = test_token) {
  FleetHost host;
  host.name = name;
  host.place = {"127.0.0.1", port, false, ""};
  host.token = token;
  return host;
}

inline SystemStatus status_of_lift(const std::string& arm = "armed") {
  SystemStatus status;
  status.version = "0.2.0";
  status.ros = "disabled";
  MachineStatus machine;
  machine.name = "lift";
  machine.type = "counter";
  machine.state = machine.quality = "live";
  machine.moves = true;
  machine.arm = arm;
  machine.rate = 100;
  status.machines.push_back(machine);
  return status;
}

struct PageBehaviour {
  Duration clock_shift{};         // of its wall clock
  Duration answer_after{};        // how long its clock service thinks between both stamps: not part of the way
  bool has_clock = true;          // older ones have none
  bool keeps_old_status = false;  // for newcomers, as pages do
  bool answers_stop = true;
  std::string listen = "127.0.0.1:0";
  std::string certificate{}, key{};  // PEM files: https
};

// A page in this process, made of the same server and hub as the real one.
class PageHost {
 public:
  explicit PageHost(PageBehaviour behaviour = {}) : behaviour_(std::move(behaviour)) {
    web::World world;
    world.metadata = {{"tandem", "0.2.0"}, {"mode", "live"}};
    world.call = [this](web::ClientId, std::uint32_t service, std::string_view, Bytes request,
                        const web::ServiceAnswer& answer) {
      if (service == clock_id_) return answer(clock_answer());
      commands.emplace_back(request.begin(), request.end());
      ++stops;
      if (behaviour_.answers_stop) answer(bytes_of(R"({"ok":true,"text":"stopped: lift"})"));
    };
    world.tick = [this] { tick(); };
    hub_ = std::make_unique<web::Hub>(std::move(world));
    channel_ = hub_->add_channel({"/tandem/status", "json", "tandem/status", "{}", "jsonschema", 1});
    hub_->add_service({std::string(command_service), "tandem/Command", {"json", "", "", ""}, {"json", "", "", ""}});
    if (behaviour_.has_clock)
      clock_id_ = hub_->add_service(
          {std::string(clock_service), "tandem/Clock", {"json", "", "", ""}, {"json", "", "", ""}, true});
    web::ServerOptions options;
    options.listen = behaviour_.listen;
    options.access.control_token = test_token;
    options.access.certificate = behaviour_.certificate;
    options.access.key = behaviour_.key;
    server_ = std::make_unique<web::Server>(options, *hub_);
    hub_->attach(*server_);
    if (behaviour_.keeps_old_status) publish("stopped", utc() - std::chrono::hours(1));
    thread_ = std::jthread([this](const std::stop_token& stop) { server_->run(stop); });
  }

  std::uint16_t port() const { return server_->local().port; }
  std::atomic<int> stops{0};
  std::vector<std::string> commands;  // after the host has ended

 private:
  static std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
  Duration utc() const { return system_clock().utc().time_since_epoch() + behaviour_.clock_shift; }
  std::vector<std::uint8_t> clock_answer() const {
    const Duration received = utc();
    std::this_thread::sleep_for(behaviour_.answer_after);
    return bytes_of(fmt::format(R"({{"received":{},"sent":{}}})", received.count(), utc().count()));
  }
  void publish(const std::string& arm, Duration stamp) {
    const std::string text = json_from_status(status_of_lift(arm));
    hub_->publish(channel_, static_cast<std::uint64_t>(stamp.count()), as_bytes(text));
  }
  void tick() {
    if (now() < next_ || !hub_->wanted(channel_)) return;
    next_ = now() + 100ms;
    publish("armed", utc());
  }

  PageBehaviour behaviour_;
  std::unique_ptr<web::Hub> hub_;
  std::unique_ptr<web::Server> server_;
  web::ChannelId channel_ = 0;
  std::uint32_t clock_id_ = 0;
  Instant next_{};
  std::jthread thread_;
};

// Listens, and gives each connection to a function; the connection ends with it.
class RawHost {
 public:
  using Serve = std::function<void(net::TcpSocket&, const std::stop_token&)>;
  explicit RawHost(Serve serve) : serve_(std::move(serve)) {
    auto listener = net::TcpListener::listen("127.0.0.1", 0);
    REQUIRE(listener);
    listener_ = std::move(*listener);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        auto socket = listener_.accept(now() + 20ms);
        if (!socket) continue;
        ++connections;
        serve_(*socket, stop);
      }
    });
  }
  std::uint16_t port() const { return listener_.local().port; }
  std::atomic<int> connections{0};

 private:
  Serve serve_;
  net::TcpListener listener_;
  std::jthread thread_;
};

inline void hang(net::TcpSocket&, const std::stop_token& stop) {
  while (!stop.stop_requested()) std::this_thread::sleep_for(5ms);
}
// Reads the request first, so that the text is not lost in a reset.
inline RawHost::Serve says(const std::string& text, bool stays = false) {
  return [text, stays](net::TcpSocket& socket, const std::stop_token& stop) {
    std::array<std::uint8_t, 4096> request;
    (void)socket.read_some(request, in(2s));
    (void)socket.write_all(as_bytes(text), in(2s));
    if (stays) hang(socket, stop);
  };
}

}  // namespace tandem::runtime
