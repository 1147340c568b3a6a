// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/kit/modbus_link.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/net/url.hpp"

namespace tandem::machines {

bool is_silence(const Error& error) {
  return error.fault == Fault::timeout ||
         (error.fault == Fault::device && error.code == static_cast<unsigned>(modbus::ExceptionCode::busy));
}

void Exchange::judge(Quality judged, std::string_view reason) {
  quality = judged;
  why = reason;
}

void Exchange::doubt(std::string_view reason) {
  if (distrust) return;
  distrust = true;
  cause = reason;
}

void Exchange::write_failed(const Error& error) {
  if (is_silence(error)) return;
  doubt(modbus::outcome_unknown(error) ? fmt::format("outcome of a write unknown: {}", error.text) : error.text);
}

void Exchange::read_failed(const Error& error) {
  judge(is_silence(error) ? Quality::stale : Quality::invalid, error.text);
}

modbus::Peer modbus_peer_from(const std::string& device, std::uint16_t standard_port) {
  const net::Url url = must_be(net::parse_url(device));
  if (url.scheme != "modbus") {
    throw std::invalid_argument(fmt::format("{}: expected an address like modbus://192.168.2.1:{}?unit=1, got {}://",
                                            device, standard_port, url.scheme));
  }
  if (auto known = url.only_keys({"unit"}); !known) throw std::invalid_argument(known.error().text);
  return {url.host, url.port.value_or(standard_port),
          static_cast<std::uint8_t>(must_be(url.number("unit", 1, 0, 255)))};
}

// One answer that does not come may not make the feedback too old: there must be time for another one.
ModbusLink::ModbusLink(double response, double feedback)
    : answer_time_(duration_of(std::min(response, feedback / 2))), stale_after_(duration_of(feedback)) {}

Result<void> ModbusLink::open_client(const modbus::Peer& peer, Instant deadline, net::Tap* tap) {
  close();
  beat_.reset();
  auto client = modbus::Client::connect(peer, deadline, tap);
  if (!client) return std::move(client).error();
  client_.emplace(std::move(*client));
  return {};
}

void ModbusLink::close() {
  if (open()) end_pulse();
  past_ = counters();
  client_.reset();
}

Result<void> ModbusLink::write_coil(const Coil& coil, bool value, Instant deadline) {
  auto written = client_->write_coil(coil.address, value, deadline);
  if (written && !value && pulsing_ && pulsing_->address == coil.address) pulsing_.reset();
  if (written) return written;
  return within(fmt::format("{} to {}", coil.name, value ? "on" : "off"), std::move(written).error());
}

// Sockets and pulses are of real time, whatever clock the machine has.
Result<void> ModbusLink::pulse(const Coil& coil, double length, Instant deadline) {
  pulsing_ = coil;
  auto high = write_coil(coil, true, deadline);
  if (high) system_clock().sleep_until(now() + duration_of(length));
  if (!open()) return lost();
  auto low = write_coil(coil, false, std::max(deadline, answer_deadline()));
  return high ? std::move(low) : std::move(high);
}

void ModbusLink::end_pulse() {
  if (pulsing_) (void)write_coil(Coil(*pulsing_), false, answer_deadline());
}

void ModbusLink::watch_beat(std::uint16_t beat, std::string_view name, Exchange& exchange) {
  if (!beat_ || *beat_ != beat) beat_changed_ = exchange.received;
  beat_ = beat;
  const Duration still = exchange.received - beat_changed_;
  if (still <= stale_after_) return;
  exchange.judge(Quality::stale, fmt::format("{} has not changed for {:.0f} ms", name, 1e3 * seconds(still)));
}

bool ModbusLink::is_answered(modbus::RequestId last) {
  (void)client_->progress(answer_deadline());  // that the connection is lost, await() says
  return client_->finished(last);
}

Error ModbusLink::lost() const {
  if (!client_) return {Fault::closed, "not connected"};
  return client_->lost().value_or(Error{Fault::closed, "closed"});
}

modbus::ClientSession::Counters ModbusLink::counters() const { return client_ ? past_ + client_->counters() : past_; }

}  // namespace tandem::machines
