// SPDX-License-Identifier: Apache-2.0
// A virtual PLC with the EM1500 project's variables and those of Beckhoff's test program, for tests.
#pragma once

#include <atomic>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <thread>

#include "tandem/protocols/ads/server/server.hpp"

namespace tandem::ads::test {

inline void declare_variables(SymbolTable& table) {
  table.types().structure("ST_Pose", {{"surge", "LREAL", "m"},
                                      {"sway", "LREAL", "m"},
                                      {"heave", "LREAL", "m"},
                                      {"roll", "LREAL", "rad"},
                                      {"pitch", "LREAL", "rad"},
                                      {"yaw", "LREAL", "rad"}});
  table.types().structure(
      "ST_Platform",
      {{"eta", "ARRAY [0..5] OF LREAL"}, {"eta_t", "ARRAY [0..5] OF LREAL"}, {"eta_tt", "ARRAY [0..5] OF LREAL"}});
  table.types().structure("ST_Feedback", {{"em8000", "ST_Platform"}, {"em1500", "ST_Platform"}});
  table.types().structure("ST_Mixed", {{"flag", "BOOL"}, {"value", "LREAL"}, {"count", "INT"}, {"text", "STRING(10)"}});
  table.add_at("MAIN.byByte", "ARRAY [0..1027] OF BYTE", Area::memory, 0);
  table.add("MAIN.moreBytes", "ARRAY [0..8192] OF BYTE");
  table.add("MAIN.stEM1500Pose", "ST_Pose", "pose as the platform measures it");
  table.add("MAIN.rxEtherCatBridge", "ST_Feedback");
  table.add("MAIN.nRxCounter", "DINT");
  table.add("MAIN.bTimout", "BOOL");
  table.add("MAIN.bEnable", "BOOL");
  table.add("MAIN.fTime", "LREAL");
  table.add("MAIN.sName", "STRING(80)");
  table.add("MAIN.stMixed", "ST_Mixed");
  table.add("MAIN.aGrid", "ARRAY [1..2, 0..2] OF INT");
  table.raise_version();
}

// Serves on a thread of its own: the owner's calls go through run(), between two polls.
class TestPlc {
 public:
  explicit TestPlc(ServerOptions options = {}, std::function<void(SymbolTable&, std::uint64_t)> step = {})
      : step_(std::move(step)) {
    declare_variables(table);
    options.tcp_port = options.udp_port = 0;
    cycle_ = options.cycle;
    auto made = Server::listen(table, options);
    if (!made) throw std::runtime_error(made.error().text);
    server = std::move(*made);
    tcp_port = server->tcp_port();
    udp_port = server->udp_port();
    thread_ = std::jthread([this](std::stop_token stop) { serve(stop); });
  }

  // Runs something in the server's thread and waits for it.
  void run(const std::function<void(Server&, SymbolTable&)>& job) {
    job_.store(&job);
    while (job_.load() != nullptr) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }

  SymbolTable table;
  std::unique_ptr<Server> server;
  std::uint16_t tcp_port = 0;
  std::uint16_t udp_port = 0;
  std::atomic<bool> cycling{true};

 private:
  void serve(std::stop_token stop) {
    Instant next = system_clock().now();
    for (std::uint64_t i = 0; !stop.stop_requested(); ++i) {
      next = std::max(next + cycle_, system_clock().now());
      server->poll(next);
      if (const auto* job = job_.load()) {
        (*job)(*server, table);
        job_.store(nullptr);
      }
      if (step_) step_(table, i);
      if (cycling) server->task_cycle(system_clock().utc());
    }
  }

  Duration cycle_{};
  std::function<void(SymbolTable&, std::uint64_t)> step_;
  std::atomic<const std::function<void(Server&, SymbolTable&)>*> job_{nullptr};
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace tandem::ads::test
