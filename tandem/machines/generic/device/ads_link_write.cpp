// SPDX-License-Identifier: Apache-2.0
// AdsLink: writes outputs and the heartbeat. What was sent and not answered is never sent again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/generic/device/ads_link.hpp"
#include "tandem/machines/generic/outputs.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_writes = 500;  // in one request
constexpr std::size_t longest_number = 8;

Result<void> outcome_of(std::uint32_t code, const std::string& symbol) {
  if (code == ads::code::ok) return {};
  return ads::device_error("write " + symbol, code);
}

}  // namespace

Result<std::size_t> AdsLink::encode(const Write& write, std::uint8_t* into) const {
  const auto invalid = [&](std::string_view why) { return Error{Fault::invalid, std::string(why)}; };
  if (write.declaration >= items_.size()) return invalid("no such signal");
  const AdsItem& item = learned_.signals.items[write.declaration];
  const Declaration& declaration = description_->signals[write.declaration];
  const std::string& problem = learned_.items[write.declaration].problem;
  if (!problem.empty()) return within(declaration.name, invalid(problem));
  const Signal& signal = signals()[item.first_signal];
  if (item.signals != 1 || signal.count != 1 || signal.kind == Kind::text)
    return invalid(fmt::format("{}: expected one number or BOOL, got {}", declaration.name, item.layout.plc_type));
  const Type type = learned_.signals.fields[item.first_signal].type;
  const double raw = (write.value - signal.offset) / signal.scale;
  if (!put_raw(type, raw, into))
    return invalid(
        fmt::format("{}: expected a value that fits {}, got {}", declaration.name, item.layout.plc_type, raw));
  // The control side has judged the value; this is about what rounding made of it.
  const double rounded = raw_number(type, into).value;
  if (declaration.write && !is_within_limits(declaration, type, rounded))
    return invalid(fmt::format("{}: expected {} to {}, got {} as {}", declaration.name,
                               declaration.write->limits.lowest, declaration.write->limits.highest,
                               rounded * signal.scale + signal.offset, item.layout.plc_type));
  return bytes_of(type);
}

Result<void> AdsLink::write(std::span<const Write> writes, std::vector<Written>& outcomes, Instant deadline) {
  outcomes.clear();
  for (const Write& each : writes) outcomes.push_back({each.declaration, Result<void>()});
  if (!open()) {
    for (Written& each : outcomes) each.outcome = Error{Fault::closed, "not connected to the PLC"};
    return Error{Fault::closed, "not connected to the PLC"};
  }
  for (std::size_t first = 0; first < writes.size(); first += most_writes) {
    const std::size_t count = std::min(most_writes, writes.size() - first);
    auto sent = write_part(writes.subspan(first, count), std::span(outcomes).subspan(first, count), deadline);
    if (sent) continue;
    for (Written& each : std::span(outcomes).subspan(first + count)) each.outcome = sent.error();
    return sent;
  }
  return {};
}

Result<void> AdsLink::write_part(std::span<const Write> writes, std::span<Written> outcomes, Instant deadline) {
  out_.assign(longest_number * writes.size(), 0);
  rows_.clear();
  row_of_.clear();
  for (std::size_t i = 0; i < writes.size(); ++i) {
    std::uint8_t* const at = out_.data() + longest_number * i;
    const auto size = encode(writes[i], at);
    if (!size) {
      outcomes[i].outcome = size.error();
      count(outcomes[i].outcome);
      continue;
    }
    rows_.push_back({ads::group::value_by_handle, learned_.items[writes[i].declaration].handle, Bytes(at, *size)});
    row_of_.push_back(i);
  }
  const auto give = [&](std::size_t row, Result<void> outcome) {
    Written& written = outcomes[row_of_[row]];
    written.outcome = std::move(outcome);
    count(written.outcome);
  };
  if (rows_.size() > 1 && sum_writes_) {
    ++counters_.requests;
    const auto sent = client_->sum_write(rows_, deadline);
    const bool unsupported =
        !sent && (sent.error().fault == Fault::unsupported || sent.error().code == ads::code::invalid_group);
    if (!unsupported) {
      for (std::size_t i = 0; i < rows_.size(); ++i)
        give(i, sent ? outcome_of(rows_[i].result, symbol_of(writes[row_of_[i]].declaration)) : sent);
      return sent || open() ? Result<void>() : sent;
    }
    // The PLC has done nothing: it does not know the command.
    sum_writes_ = false;
    notes_.push_back(
        {fmt::format("the PLC refuses sum writes ({}): writing one by one", ads::text_of(sent.error().code)), true});
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    ++counters_.requests;
    auto sent = client_->write(rows_[i].group, rows_[i].offset, rows_[i].data, deadline);
    if (!sent) sent = within(symbol_of(writes[row_of_[i]].declaration), sent.error());
    give(i, sent);
    if (open()) continue;
    for (std::size_t j = i + 1; j < rows_.size(); ++j)
      give(j, Error{Fault::closed, "not sent: the connection is lost"});
    return sent;
  }
  return {};
}

void AdsLink::count(const Result<void>& outcome) {
  if (outcome)
    ++counters_.writes_done;
  else if (ads::outcome_unknown(outcome.error()))
    ++counters_.writes_unknown;
  else
    ++counters_.writes_refused;
}

Result<void> AdsLink::beat(std::uint32_t count, Instant deadline) {
  if (!description_->heartbeat) return {};
  if (!open()) return Error{Fault::closed, "not connected to the PLC"};
  if (!learned_.heartbeat.problem.empty()) return Error{Fault::invalid, "heartbeat: " + learned_.heartbeat.problem};
  const std::size_t size = bytes_of(learned_.heartbeat_type);
  std::uint8_t data[4];
  put_little(data, count);  // of a 16-bit counter the lower half
  ++counters_.requests;
  auto sent = client_->write_handle(learned_.heartbeat.handle, {data, size}, deadline);
  if (sent) return {};
  if (ads::is_refusal(sent.error())) {
    count_refusal();
    outdated_ = true;  // the variable may be elsewhere
  }
  return within("heartbeat", std::move(sent).error());
}

}  // namespace tandem::generic
