// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/fleet/clock_offset.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tandem/base/nearest.hpp"

namespace tandem::runtime {

bool OffsetMeter::add(const ClockExchange& exchange) {
  const auto possible = [](std::int64_t stamp) { return stamp >= 0; };
  if (!possible(exchange.asked) || !possible(exchange.received) || !possible(exchange.sent) ||
      !possible(exchange.answered) || exchange.sent < exchange.received || exchange.answered < exchange.asked)
    return false;
  const std::int64_t round_trip = (exchange.answered - exchange.asked) - (exchange.sent - exchange.received);
  if (round_trip < 0) return false;  // it says that it thought for longer than it took
  const double there = static_cast<double>(exchange.received - exchange.asked) * 1e-9;
  const double back = static_cast<double>(exchange.sent - exchange.answered) * 1e-9;
  const double trip = static_cast<double>(round_trip) * 1e-9;
  newest_.push_back({(there + back) / 2, trip / 2, trip, 1});
  if (newest_.size() > kept) newest_.pop_front();
  return true;
}

std::optional<ClockOffset> OffsetMeter::offset() const {
  if (newest_.empty()) return std::nullopt;
  ClockOffset best = *std::ranges::min_element(newest_, {}, &ClockOffset::round_trip);
  best.exchanges = static_cast<int>(newest_.size());
  return best;
}

Result<ClockExchange> exchange_from_json(std::string_view text) {
  constexpr std::size_t longest = 1024;  // bytes
  const nlohmann::json said = nlohmann::json::parse(text.substr(0, longest), nullptr, false);
  const auto stamp = [&](const char* key) -> std::int64_t {
    const auto found = said.is_object() ? said.find(key) : said.end();
    if (!said.is_object() || found == said.end() || !found->is_number_unsigned()) return -1;
    const auto value = found->get<std::uint64_t>();
    return value > std::uint64_t{INT64_MAX} ? -1 : static_cast<std::int64_t>(value);
  };
  const ClockExchange exchange{0, stamp("received"), stamp("sent"), 0};
  if (exchange.received >= 0 && exchange.sent >= 0) return exchange;
  return Error{Fault::invalid, "clock: expected stamps 'received' and 'sent' in ns, got '" + printable(text) + "'"};
}

}  // namespace tandem::runtime
