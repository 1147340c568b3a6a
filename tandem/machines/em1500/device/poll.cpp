// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/device/poll.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/protocols/ads/codec/errors.hpp"

namespace tandem::em1500 {
namespace {

constexpr Duration shortest_answer_limit = 250ms, longest_answer_limit = 500ms;
constexpr int unanswered_to_give_up = 2;

}  // namespace

Duration PlcPoll::answer_limit(const ads::Client& client) {
  return std::clamp<Duration>(4 * client.round_trip(), shortest_answer_limit, longest_answer_limit);
}

void PlcPoll::start(const PlcHandles& handles, Duration cycle) {
  count_ = 0;
  const auto add = [&](std::optional<std::uint32_t> handle, std::span<std::uint8_t> into) {
    if (handle) reads_[count_++] = {*handle, into, false};
  };
  add(handles.counter, counter_);
  add(handles.timeout, timeout_);
  add(handles.pose, pose_);
  has_counter_ = handles.counter.has_value();
  cycle_ = cycle;
  sum_ = true;
  sum_worked_ = false;
  sum_refusal_.clear();
  request_.reset();
  due_ = {};
  unanswered_ = 0;
}

void PlcPoll::stop(ads::Client& client) {
  if (request_) client.forget(*request_);
  request_.reset();
}

Result<std::optional<PlcSample>> PlcPoll::next(ads::Client& client, Instant deadline) {
  if (!request_) {
    system_clock().sleep_until(std::min(due_, deadline));
    if (now() < due_) return std::optional<PlcSample>();
    due_ = std::max(due_ + cycle_, now());
    at_ = 0;
    if (auto asked = ask(client); !asked) return std::move(asked).error();
  }
  while (true) {
    auto there = client.answered(*request_, deadline);
    if (!there) return std::move(there).error();
    if (!*there) {
      if (now() - asked_ < answer_limit(client)) return std::optional<PlcSample>();
      client.forget(*request_);
      request_.reset();
      if (sum_ && !sum_worked_) {
        sum_ = false;
        sum_refusal_ = "no answer to the sum read";
      }
      if (++unanswered_ < unanswered_to_give_up) return std::optional<PlcSample>();
      return Error{Fault::timeout, fmt::format("no answer to {} consecutive reads", unanswered_)};
    }
    unanswered_ = 0;
    auto whole = take(client);
    if (!whole) return std::move(whole).error();
    if (*whole && received_ - asked_ > longest_answer_limit) return std::optional<PlcSample>();
    if (*whole) return std::optional(sample());
    if (auto asked = ask(client); !asked) return std::move(asked).error();
  }
}

Result<void> PlcPoll::ask(ads::Client& client) {
  asked_ = now();
  const Instant deadline = asked_ + longest_answer_limit;
  Result<ads::RequestId> begun = Error{};
  if (sum_) {
    std::array<ads::SumReadItem, 3> items{};
    for (std::size_t i = 0; i < count_; ++i)
      items[i] = {ads::group::value_by_handle, reads_[i].handle, reads_[i].into, 0};
    begun = client.begin_sum_read(std::span(items).first(count_), deadline);
  } else {
    const Read& read = reads_[at_];
    begun = client.begin_read(ads::group::value_by_handle, read.handle, static_cast<std::uint32_t>(read.into.size()),
                              deadline);
  }
  if (!begun) return std::move(begun).error();
  request_ = *begun;
  return {};
}

// True when the sample is whole, false when there is more to ask.
Result<bool> PlcPoll::take(ads::Client& client) {
  received_ = now();
  auto taken = sum_ ? take_sum(client) : take_one(client);
  request_.reset();
  return taken;
}

Result<bool> PlcPoll::take_sum(ads::Client& client) {
  std::array<ads::SumReadItem, 3> items{};
  for (std::size_t i = 0; i < count_; ++i)
    items[i] = {ads::group::value_by_handle, reads_[i].handle, reads_[i].into, 0};
  const auto read = client.await_sum_read(*request_, std::span(items).first(count_), Instant{});
  if (!read && !client.open()) return read.error();
  const std::uint32_t result = items[count_ - 1].result;
  if (read && result == ads::code::ok) {
    sum_worked_ = true;
    for (std::size_t i = 0; i < count_; ++i) reads_[i].good = items[i].result == ads::code::ok;
    return true;
  }
  Error error = read ? ads::device_error("sum read of the pose", result) : read.error();
  if (sum_worked_) return error;
  sum_refusal_ = std::move(error.text);
  sum_ = false;
  at_ = 0;
  return false;
}

Result<bool> PlcPoll::take_one(ads::Client& client) {
  Read& read = reads_[at_];
  const bool last = at_ + 1 == count_;
  const auto data = client.await(*request_, Instant{});
  read.good = data && data->size() == read.into.size();
  if (read.good) copy_bytes(*data, read.into);
  if (!data && (last || !client.open())) return data.error();
  if (!read.good && last) {
    return Error{Fault::invalid,
                 fmt::format("read of the pose: expected {} bytes, got {}", read.into.size(), data->size())};
  }
  ++at_;
  return last;
}

PlcSample PlcPoll::sample() const {
  PlcSample sample{pose_from(pose_), UtcTime(received_.time_since_epoch()), received_, {}, {}};
  if (has_counter_ && reads_[0].good) sample.rx_counter = ByteReader(counter_).little<std::int32_t>();
  const std::size_t timeout_at = has_counter_ ? 1 : 0;
  if (timeout_at + 1 < count_ && reads_[timeout_at].good) sample.timed_out = timeout_[0] != 0;
  return sample;
}

}  // namespace tandem::em1500
