// SPDX-License-Identifier: Apache-2.0
// A PLC on a real socket whose pose tells when it was made, and a wire that does what a test asks of it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/em1500/description.hpp"
#include "tandem/protocols/ads/server/server.hpp"

namespace tandem::em1500::faults {

// Slow and steady, so that every pose that comes out at the other end names its own time, and its six numbers vouch
// for each other. Within the laboratory's limits for the first 25 s.
constexpr double ramp_start = -0.25;  // m
constexpr double ramp_speed = 0.02;   // m/s
constexpr std::array<double, 6> ramp_shares = {0.5, -0.25, 1, 0.1, -0.05, 0.2};

inline PlcPose ramp_pose(Duration since_epoch) {
  const double heave = ramp_start + ramp_speed * seconds(since_epoch);
  std::array<double, 6> pose{};
  for (std::size_t i = 0; i < 6; ++i) pose[i] = ramp_shares[i] * heave;
  return plc_pose(pose);
}

// The scripted faults of the virtual PLC, and those that need a look at the packet.
class Wire final : public ads::ServerFaults {
 public:
  ads::FaultScript script;
  std::atomic<bool> refuses_subscriptions{false};  // so that the bridge has to poll
  std::atomic<bool> refuses_sums{false};           // sum reads, with 0x701
  std::atomic<std::uint32_t> refuses_reads{0};     // plain reads of variables, with that code
  std::atomic<bool> keeps_state{false};            // read state and device info are not answered
  std::atomic<int> late_states{0};                 // answers to read state that come a second late, the next ones
  std::atomic<bool> refuses_descriptions{false};   // of symbols, types and the symbol version, with 0x700
  std::atomic<bool> counts_itself{false};          // the length inside of notifications, as ads-server has it
  std::atomic<bool> fails_counter{false};          // the second variable of every sum read
  std::atomic<bool> swaps{false};                  // every second notification comes before the one it follows
  std::atomic<bool> doubles{false};                // every notification comes twice
  std::atomic<bool> captures{false};               // notifications, for a replay
  std::atomic<int> writes{0};                      // requests that would change something in the PLC
  std::atomic<int> requests{0};
  static constexpr int all = 1 << 30;
  std::atomic<int> answers_left{all};            // then silence
  std::atomic<int> handles{0}, most_handles{0};  // given and not released
  std::atomic<int> subscribed{0};                // notifications granted and not deleted
  std::atomic<int> sum_reads{0};
  std::atomic<Duration::rep> closest{Duration::max().count()};  // two sum reads, one after the other

  std::vector<std::uint8_t> captured() const {
    const std::lock_guard lock(mutex_);
    return captured_;
  }

  Welcome accepted() override { return script.accepted(); }

  void request(const ads::AmsHeader& header, Bytes payload) override {
    ++requests;
    ByteReader reader(payload);
    group_ = reader.little<std::uint32_t>();
    const bool releases = header.command == ads::Command::write && group_ == ads::group::release_handle;
    if (releases) --handles;
    if (header.command == ads::Command::write_control || (header.command == ads::Command::write && !releases)) ++writes;
    if (header.command == ads::Command::delete_notification) --subscribed;
  }

  Verdict answer(const ads::AmsHeader& request, std::vector<std::uint8_t>& packet) override {
    using ads::Command;
    if (answers_left < all && answers_left-- <= 0) return {Fate::drop};
    if (keeps_state && (request.command == Command::read_state || request.command == Command::read_device_info))
      return {Fate::drop};
    if (request.command == Command::read_state && late_states > 0) {
      --late_states;
      return {Fate::send, 1s};
    }
    if (request.command == Command::add_notification && refuses_subscriptions) put_result(packet, 0x701);
    if (request.command == Command::read_write && group_ == ads::group::sum_read && refuses_sums)
      put_result(packet, 0x701);
    if (request.command == Command::read && group_ == ads::group::value_by_handle && refuses_reads != 0)
      put_result(packet, refuses_reads);
    const bool describes = group_ == ads::group::info_by_name_ex || group_ == ads::group::type_by_name_ex ||
                           (group_ == ads::group::symbol_version && request.command == Command::read);
    if (describes && refuses_descriptions) put_result(packet, 0x700);
    count(request, packet);
    if (request.command == Command::read_write && packet.size() == sum_answer) {
      note_sum_read();
      if (fails_counter) ByteWriter(packet).little_at(payload_at + 8 + 4, std::uint32_t{0x710});
    }
    return script.answer(request, packet);
  }

  Verdict notification(std::vector<std::uint8_t>& packet) override {
    if (captures) {
      const std::lock_guard lock(mutex_);
      captured_.insert(captured_.end(), packet.begin(), packet.end());
    }
    if (counts_itself) ByteWriter(packet).little_at(payload_at, static_cast<std::uint32_t>(packet.size() - payload_at));
    if (doubles) {
      const std::vector<std::uint8_t> once = packet;
      packet.insert(packet.end(), once.begin(), once.end());
    }
    if (!swaps) return script.notification(packet);
    if (kept_.empty()) {
      kept_ = packet;
      return {Fate::drop};
    }
    packet.insert(packet.end(), kept_.begin(), kept_.end());
    kept_.clear();
    return {};
  }

 private:
  static constexpr std::size_t payload_at = ads::tcp_header_size + ads::AmsHeader::size;
  static constexpr std::size_t sum_answer = payload_at + 8 + 3 * 4 + 48 + 4 + 1;  // pose, counter and time-out

  static void put_result(std::vector<std::uint8_t>& packet, std::uint32_t code) {
    if (packet.size() >= payload_at + 4) ByteWriter(packet).little_at(payload_at, code);
  }
  void count(const ads::AmsHeader& request, const std::vector<std::uint8_t>& packet) {
    if (packet.size() < payload_at + 4 || ByteReader(Bytes(packet).subspan(payload_at)).little<std::uint32_t>() != 0)
      return;
    if (request.command == ads::Command::read_write && group_ == ads::group::handle_by_name)
      most_handles = std::max(most_handles.load(), ++handles);
    if (request.command == ads::Command::add_notification) ++subscribed;
  }
  void note_sum_read() {
    ++sum_reads;
    const Instant now = system_clock().now();
    if (last_sum_read_ != Instant{}) closest = std::min(closest.load(), (now - last_sum_read_).count());
    last_sum_read_ = now;
  }

  std::uint32_t group_ = 0;  // of the request that is being answered
  std::vector<std::uint8_t> kept_;
  Instant last_sum_read_{};
  mutable std::mutex mutex_;
  std::vector<std::uint8_t> captured_;
};

inline void declare_usual(ads::SymbolTable& table) {
  std::vector<ads::PlcTypes::Field> fields;
  for (const std::string_view axis : axis_names) fields.push_back({std::string(axis), "LREAL"});
  table.types().structure("ST_Pose", fields);
  table.add(std::string(symbol_pose), "ST_Pose");
  table.add(std::string(symbol_rx_counter), "DINT");
  table.add(std::string(symbol_timeout), "BOOL");
}

class BenchPlc {
 public:
  using Declare = std::function<void(ads::SymbolTable&)>;
  using Job = std::function<void(ads::Server&, ads::SymbolTable&)>;

  BenchPlc(Instant epoch, ads::ServerFaults& faults, const Declare& declare = declare_usual) : epoch_(epoch) {
    declare(table_);
    table_.raise_version();
    put_values();
    ads::ServerOptions options;
    options.tcp_port = 0;
    options.udp = false;
    options.faults = &faults;
    auto server = ads::Server::listen(table_, options);
    if (!server) throw std::runtime_error(server.error().text);
    server_ = std::move(*server);
    thread_ = std::jthread([this](std::stop_token stop) { serve(stop); });
  }

  net::Endpoint endpoint() const { return {0x7F000001, server_->tcp_port()}; }

  // Runs something in its thread, between two cycles, and waits for it.
  void run(const Job& job) {
    job_ = &job;
    while (job_ != nullptr) std::this_thread::sleep_for(200us);
  }
  void idle(bool idle) {
    run([&](ads::Server& server, ads::SymbolTable&) {
      server.device().plc_state(idle ? ads::AdsState::stop : ads::AdsState::run);
    });
    halted = idle;
  }
  // What its program makes of every pose from here on; none: the truth.
  void twist(std::function<PlcPose(PlcPose)> twist) {
    run([&](ads::Server&, ads::SymbolTable&) { twist_ = std::move(twist); });
  }

  std::atomic<bool> halted{false};      // no cycles, but requests are answered
  std::atomic<bool> feed_dead{false};   // cycles, but nothing new from the platform
  std::atomic<bool> repeats{false};     // the last sample again and again, its stamp included
  std::atomic<Duration::rep> ahead{0};  // of its UTC

 private:
  void serve(std::stop_token stop) {
    Instant next = system_clock().now();
    while (!stop.stop_requested()) {
      next = std::max(next + 10ms, system_clock().now());
      server_->poll(next);
      if (const Job* job = job_) {
        (*job)(*server_, table_);
        job_ = nullptr;
      }
      if (!halted) cycle();
    }
  }

  void cycle() {
    if (!repeats) {
      stamp_ = system_clock().utc() + Duration(ahead.load());
      put_values();
    }
    server_->task_cycle(stamp_);
  }

  void put_values() {
    if (feed_dead) {
      if (++unfed_ == 50) put(symbol_timeout, std::uint8_t{1});
      return;
    }
    unfed_ = 0;
    put(symbol_timeout, std::uint8_t{0});
    put(symbol_rx_counter, ++counter_);
    const PlcPose pose = ramp_pose(system_clock().now() - epoch_);
    if (!put(symbol_pose, twist_ ? twist_(pose) : pose)) lay_trap();
  }

  template <typename T>
  bool put(std::string_view name, const T& value) {
    const auto variable = table_.find(name);
    if (!variable) return false;
    const auto to = table_.bytes(variable->place);
    if (to.size() != sizeof(T)) return false;
    std::memcpy(to.data(), &value, sizeof(T));
    return true;
  }

  // A pose of another type is full of numbers that look like a pose and are none.
  void lay_trap() {
    const auto variable = table_.find(symbol_pose);
    if (!variable) return;
    const auto to = table_.bytes(variable->place);
    const double half = 0.5;
    for (std::size_t i = 0; i + 8 <= to.size(); i += 8) std::memcpy(to.data() + i, &half, 8);
  }

  const Instant epoch_;
  ads::SymbolTable table_;
  std::unique_ptr<ads::Server> server_;
  std::function<PlcPose(PlcPose)> twist_;
  std::int32_t counter_ = 0;
  int unfed_ = 0;
  UtcTime stamp_{};
  std::atomic<const Job*> job_{nullptr};
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace tandem::em1500::faults
