// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/scan_device.hpp"

#include <fmt/format.h>

#include "tandem/machines/kit/modbus_link.hpp"
#include "tandem/protocols/modbus/client.hpp"

namespace tandem::generic {
namespace {

constexpr std::uint16_t standard_port = 502;

// One connection at a time, which is made anew when it is lost.
class Connection {
 public:
  Connection(const modbus::Peer& peer, const ScanHooks& hooks) : peer_(peer), hooks_(hooks) {}

  Result<void> connect() {
    auto client = modbus::Client::connect(peer_, now() + hooks_.answer_time);
    if (!client) return std::move(client).error();
    client_.emplace(std::move(*client));
    return {};
  }

  // Holds the pace: at most one request each `scan_pace`, begun when the one before it is over.
  void wait_turn(Duration more) {
    Clock& clock = *hooks_.clock;
    const Instant turn = std::max(last_ + scan_pace, clock.now() + more);
    if (last_ != Instant{} || more > Duration{0}) clock.sleep_until(turn);
    last_ = clock.now();
  }

  ScanAnswer ask(const ScanRequest& request) {
    ScanAnswer out;
    if ((!client_ || !client_->open()) && !connect()) return out;
    const auto begun = client_->begin(request_of(request), now() + hooks_.answer_time);
    if (!begun) return failed(begun.error());
    const auto answer = client_->await(*begun);
    if (!answer) return failed(answer.error());
    out.kind = ScanAnswer::Kind::nonsense;
    if (const auto* words = std::get_if<modbus::RegistersRead>(*answer)) {
      out.kind = ScanAnswer::Kind::words;
      out.words.assign(words->values.span().begin(), words->values.span().end());
    } else if (const auto* bits = std::get_if<modbus::BitsRead>(*answer)) {
      out.kind = ScanAnswer::Kind::words;
      for (std::size_t i = 0; i < request.count; ++i)
        out.words.push_back(i < bits->values.size() && bits->values[i] ? 1 : 0);
    }
    return out;
  }

  // What the device says of itself: functions 43/14 and 17. Most devices know neither.
  std::string own_words() {
    std::string words;
    wait_turn({});
    if (client_ && client_->open()) {
      if (auto objects = client_->identification(modbus::IdentificationCode::basic, now() + hooks_.answer_time)) {
        for (const auto& object : *objects) words += (words.empty() ? "" : ", ") + one_line(object.text, 60);
      }
    }
    wait_turn({});
    if (words.empty() && client_ && client_->open()) {
      if (auto id = client_->server_id(now() + hooks_.answer_time)) words = one_line(id->text(), 80);
    }
    return words;
  }

 private:
  static ScanAnswer failed(const Error& error) {
    ScanAnswer out;
    if (error.fault == Fault::device) {
      out.kind = ScanAnswer::Kind::exception;
      out.code = static_cast<modbus::ExceptionCode>(error.code);
    } else if (error.fault == Fault::invalid) {
      out.kind = ScanAnswer::Kind::nonsense;
    }
    return out;
  }

  modbus::Peer peer_;
  const ScanHooks& hooks_;
  std::optional<modbus::Client> client_;
  Instant last_{};
};

}  // namespace

const char* const scan_warning =
    "Scanning reads every register in the range, 10 requests a second, with functions 1 to 4 only; it writes nothing.\n"
    "Some devices have registers that clear or latch when they are read, and some take any contact for that of their\n"
    "master and stop watching for the real one. Read the manual, or have the machine at rest, and repeat with --yes.";

Result<ScanRun> scan_modbus(const std::string& device, const ScanOptions& options, const ScanHooks& hooks) {
  modbus::Peer peer;
  try {
    peer = machines::modbus_peer_from(device, standard_port);
  } catch (const std::invalid_argument& error) {
    return Error{Fault::invalid, error.what()};
  }
  Connection connection(peer, hooks);
  if (auto connected = connection.connect(); !connected) return std::move(connected).error();
  const std::string words = connection.own_words();
  ModbusScan scan(options);
  while (const auto request = scan.next()) {
    if (hooks.interrupted && hooks.interrupted()) return Error{Fault::closed, "interrupted; nothing was written"};
    connection.wait_turn(request->wait);
    scan.take(connection.ask(*request));
    if (hooks.progress) hooks.progress(scan.progress());
  }
  if (scan.observations().empty()) {
    const std::string why = scan.given_up().empty() ? "the device has no register in this range; choose another with "
                                                      "--from and --to, or --tables coil,discrete"
                                                    : scan.given_up();
    return Error{Fault::not_found, fmt::format("{}: {}", device, why)};
  }
  ScanRun run;
  run.given_up = scan.given_up();
  run.findings.device = device;
  run.findings.observations = scan.observations();
  run.findings.remarks.push_back(fmt::format("Made by `tandem learn` from {}, read {} times.", device, options.passes));
  if (!words.empty()) run.findings.remarks.push_back("The device says of itself: " + words);
  for (std::string& remark : scan.remarks()) run.findings.remarks.push_back(std::move(remark));
  return run;
}

}  // namespace tandem::generic
