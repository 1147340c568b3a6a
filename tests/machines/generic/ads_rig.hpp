// SPDX-License-Identifier: Apache-2.0
// A virtual PLC made from a description, in a thread of its own, and a wire that refuses what a test asks it to.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/generic/device/link.hpp"
#include "tandem/machines/generic/virtual/ads_front.hpp"
#include "tandem/protocols/ads/client/exchange.hpp"
#include "tandem/protocols/ads/codec/errors.hpp"
#include "tests/deadline.hpp"

namespace tandem::generic::test {

// The scripted faults of the server, and answers that refuse one kind of request.
class AdsWire final : public ads::ServerFaults {
 public:
  ads::FaultScript script;
  std::atomic<std::uint32_t> refused_group{0};     // of ReadWrite requests: answered with `code`
  std::atomic<std::uint32_t> largest_sum{0xFFFF};  // rows of a sum read; more are refused as too large
  std::atomic<bool> refuses_notifications{false};
  std::atomic<bool> refuses_sum_look_ups{false};
  std::atomic<bool> hides_versions{false};  // the symbol version and the state are refused
  std::atomic<std::uint32_t> refusal{ads::code::not_supported};
  std::atomic<std::uint32_t> unanswered_group{0};  // of Write and ReadWrite requests: executed, never answered
  std::atomic<int> writes{0}, sum_reads{0}, reads{0}, requests{0};

  Welcome accepted() override { return script.accepted(); }
  void request(const ads::AmsHeader& header, Bytes payload) override {
    ++requests;
    ByteReader reader(payload);
    group_ = reader.little<std::uint32_t>();
    rows_ = reader.little<std::uint32_t>();
    const bool sum_write = header.command == ads::Command::read_write && group_ == ads::group::sum_write;
    const bool write = header.command == ads::Command::write && group_ == ads::group::value_by_handle;
    writes += sum_write || write;
    sum_reads += header.command == ads::Command::read_write && group_ == ads::group::sum_read;
    reads += header.command == ads::Command::read && group_ == ads::group::value_by_handle;
  }
  Verdict answer(const ads::AmsHeader& request, std::vector<std::uint8_t>& packet) override {
    using ads::Command;
    const bool changes = request.command == Command::write || request.command == Command::read_write;
    if (changes && group_ == unanswered_group) return {Fate::drop, {}};
    if (request.command == Command::read_write && group_ == refused_group) refuse(packet, refusal);
    if (request.command == Command::read_write && group_ == ads::group::sum_read_write && refuses_sum_look_ups)
      refuse(packet, refusal);
    if (request.command == Command::read_write && group_ == ads::group::sum_read && rows_ > largest_sum)
      refuse(packet, ads::code::invalid_size);
    if (request.command == Command::add_notification && refuses_notifications) refuse(packet, refusal);
    const bool version = request.command == Command::read && group_ == ads::group::symbol_version;
    if (hides_versions && (version || request.command == Command::read_state)) refuse(packet, refusal);
    return script.answer(request, packet);
  }
  Verdict notification(std::vector<std::uint8_t>& packet) override { return script.notification(packet); }

 private:
  static void refuse(std::vector<std::uint8_t>& packet, std::uint32_t code) {
    constexpr std::size_t payload_at = ads::tcp_header_size + ads::AmsHeader::size;
    packet.resize(payload_at + 8);
    ads::finish_frame(packet, 0);
    ByteWriter(packet).little_at(payload_at, code);
    ByteWriter(packet).little_at(payload_at + 4, std::uint32_t{0});
  }

  std::uint32_t group_ = 0, rows_ = 0;  // of the request that is being answered
};

class AdsPlc {
 public:
  explicit AdsPlc(const Description& description) : description_(std::make_shared<Description>(description)) {
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    front_ = std::make_unique<AdsFront>(description_, setup);
    front_->wire(&wire);
    url = front_->url();
    thread_ = std::jthread([this](std::stop_token stop) {
      while (!stop.stop_requested()) {
        front_->serve(now() + 5ms);
        if (const auto* job = job_.load()) {
          (*job)(*front_);
          job_.store(nullptr);
        }
      }
    });
  }

  // Runs something in the PLC's thread, between two calls of serve(), and waits for it.
  void run(const std::function<void(AdsFront&)>& job) {
    job_.store(&job);
    while (job_.load() != nullptr) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  void put(std::string_view name, double value) {
    run([&](AdsFront& front) {
      const auto found = find_signal(front.signals(), name);
      if (found) front.put(found->signal, found->element, value);
    });
  }
  double value(std::string_view name) {
    double value = 0;
    run([&](AdsFront& front) {
      const auto found = find_signal(front.signals(), name);
      if (found) value = front.value(found->signal, found->element);
    });
    return value;
  }
  std::size_t handles() {
    std::size_t count = 0;
    run([&](AdsFront& front) { count = front.server().device().handle_count(); });
    return count;
  }

  AdsWire wire;
  std::string url;

 private:
  std::shared_ptr<const Description> description_;
  std::unique_ptr<AdsFront> front_;
  std::atomic<const std::function<void(AdsFront&)>*> job_{nullptr};
  std::jthread thread_;  // last: it uses all of the above
};

inline Declaration declared(std::string name, std::string symbol, std::string plc_type = {}) {
  Declaration made;
  made.name = std::move(name);
  made.at = AdsPlace{std::move(symbol)};
  made.plc_type = std::move(plc_type);
  return made;
}

inline Declaration output(std::string name, std::string symbol, std::string plc_type) {
  Declaration made = declared(std::move(name), std::move(symbol), std::move(plc_type));
  made.write.emplace();
  made.write->limits = {-100, 100};
  return made;
}

// Four belts, a count, a text, a set point: the conveyor of the examples.
inline Description conveyor() {
  Description description;
  description.name = "conveyor";
  description.protocol = Protocol::ads;
  description.cycle = 0.01;
  description.types = {{"ST_Belt",
                        {{"fSpeed", "REAL"},
                         {"fCurrent", "LREAL"},
                         {"eState", "INT"},
                         {"bJam", "BOOL"},
                         {"aTemp", "ARRAY [0..2] OF INT"}}}};
  Declaration belts = declared("belts", "GVL.aBelt", "ARRAY [1..4] OF ST_Belt");
  belts.members["fSpeed"].unit = "m/s";
  belts.members["eState"].names = {{0, "stopped"}, {1, "running"}, {2, "jam"}};
  Declaration message = declared("message", "MAIN.sText");
  message.type = Type::text;
  message.text_length = 20;
  Declaration level = declared("level", "MAIN.nLevel", "UINT");
  level.scale = 0.1;
  level.offset = -10;
  level.unit = "mm";
  Declaration count = declared("count", "MAIN.nParts", "DINT");
  description.signals = {
      belts, count, message, level, output("speed_1", "GVL.fSet1", "REAL"), output("lamp", "GVL.bLamp", "BOOL")};
  description.signals[5].write->level = Output::Level::level;
  description.heartbeat = AdsPlace{"MAIN.nPcAlive"};
  return description;
}

// One link and its readings.
struct AdsClient {
  explicit AdsClient(const Description& description, const std::string& url)
      : link(make_ads_link({std::make_shared<Description>(description), url, nullptr})) {}

  Result<void> connect() { return link->connect(soon()); }
  Result<Scan> scan(Duration patience = 200ms) { return link->scan(now(), readings, now() + patience); }
  // Scans until it holds, or the test has failed.
  bool until(const std::function<bool()>& holds, Duration patience = 20s) {
    const Instant end = now() + patience;
    while (now() < end) {
      if (auto scanned = scan(); !scanned) return false;
      if (holds()) return true;
      std::this_thread::sleep_for(2ms);
    }
    return false;
  }
  std::size_t index(std::string_view name) const {
    const auto found = find_signal(link->signals(), name);
    return found ? found->signal : link->signals().size();
  }
  double value(std::string_view name) const {
    const auto found = find_signal(link->signals(), name);
    return found && !readings.of.empty() ? value_of(*found, readings) : 0;
  }
  const Reading& reading(std::string_view name) const { return readings.of.at(index(name)); }
  std::string text(std::string_view name) const { return readings.texts.at(link->signals().at(index(name)).text); }
  std::string notes() {
    for (const Note& note : link->take_notes()) noted += note.text + '\n';
    return noted;
  }

  std::unique_ptr<Link> link;
  Readings readings;
  std::string noted;
};

}  // namespace tandem::generic::test
