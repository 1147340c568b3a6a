// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/control/read_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::generic {
namespace {

constexpr int most_differences = 3;  // in a row

}  // namespace

void ReadBack::forget() {
  count_ = 0;
  differences_ = 0;
  checked_ = {};
}

void ReadBack::sent(double value, Instant at) {
  if (count_ == 0) first_at_ = at;
  newest_ = value;
  newest_at_ = at;
  if (count_ > 0 && at - sent_[count_ - 1].at < late_ / 8) {
    Sent& last = sent_[count_ - 1];
    last.low = std::min(last.low, value);
    last.high = std::max(last.high, value);
    return;
  }
  if (count_ == sent_.size()) {
    std::rotate(sent_.begin(), sent_.begin() + 1, sent_.end());
    --count_;
  }
  sent_[count_++] = {at, value, value};
}

// Any value that was the newest one at some time of the last three cycles, or between two of those.
bool ReadBack::agrees(double value, Instant received) const {
  const Instant since = received - late_;
  double low = newest_, high = newest_;
  for (std::size_t i = count_; i > 0 && newest_at_ > since; --i) {
    low = std::min(low, sent_[i - 1].low);
    high = std::max(high, sent_[i - 1].high);
    if (sent_[i - 1].at <= since) break;
  }
  const double slack = allowed_ + 1e-6 * std::max(std::abs(low), std::abs(high));
  return value >= low - slack && value <= high + slack;
}

bool ReadBack::differs(const Reading& reading, double value, Instant now) {
  if (count_ == 0 || now - first_at_ <= late_) return false;  // the device has time to show the first
  const bool fresh = reading.received > checked_;
  if (!fresh && now - std::max(checked_, newest_at_) <= late_) return false;
  readable_ = fresh && std::isfinite(value);
  if (fresh) checked_ = reading.received;
  if (readable_ && reading.received <= first_at_ + late_) return false;
  read_ = value;
  why_ = fresh ? reading.why : ShortText<120>("no new value");
  const bool good = readable_ && agrees(value, reading.received);
  differences_ = good ? 0 : differences_ + 1;
  return differences_ >= most_differences;
}

std::string ReadBack::difference(const OutputInfo& output) const {
  const std::string wrote = value_text(output, newest_);
  if (!readable_) return fmt::format("{}: wrote {}, could not read it back: {}", output.name, wrote, why_.view());
  return fmt::format("{}: wrote {}, read back {} ({} times in a row)", output.name, wrote, value_text(output, read_),
                     differences_);
}

}  // namespace tandem::generic
