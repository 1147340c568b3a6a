// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/client/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tandem::ads {
namespace {

constexpr std::size_t most_reads_at_once = 64;  // of a backlog, so that a flood ends
constexpr std::uint32_t sum_row_size = 12;      // bytes: group, offset, length

std::uint32_t ticks_of(Duration duration) {
  const auto ticks = std::max<Duration::rep>(duration.count() / 100, 0);
  return static_cast<std::uint32_t>(std::min<Duration::rep>(ticks, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

Result<Client> Client::connect(const Peer& peer, Instant deadline, net::Tap* tap) {
  auto exchange = Exchange::connect(peer, deadline, tap);
  if (!exchange) return std::move(exchange).error();
  return Client(std::move(*exchange));
}

// The answer to a request, whole and without error.
template <typename Response>
Result<Response> Client::answer(const Result<RequestId>& begun, Instant deadline) {
  if (!begun) return begun.error();
  auto payload = exchange_.await(*begun, deadline);
  if (!payload) return std::move(payload).error();
  const auto response = decode<Response>(*payload);
  if (!response) return exchange_.rejected(*begun, fmt::format("{} bytes with inconsistent lengths", payload->size()));
  if (response->result != code::ok) return device_error(exchange_.describe(*begun), response->result);
  return *response;
}

Result<DeviceInfo> Client::device_info(Instant deadline) {
  auto response = answer<DeviceInfoResponse>(exchange_.begin({Command::read_device_info}, deadline), deadline);
  if (!response) return std::move(response).error();
  return DeviceInfo{std::string(response->name()), response->major, response->minor, response->build};
}

Result<DeviceState> Client::read_state(Instant deadline) {
  auto begun = begin_read_state(deadline);
  if (!begun) return std::move(begun).error();
  return await_state(*begun, deadline);
}

Result<RequestId> Client::begin_read_state(Instant deadline) {
  return exchange_.begin({Command::read_state}, deadline);
}

Result<DeviceState> Client::await_state(RequestId id, Instant deadline) {
  auto response = answer<StateResponse>(id, deadline);
  if (!response) return std::move(response).error();
  return DeviceState{response->ads_state, response->device_state};
}

Result<void> Client::write_control(AdsState ads, std::uint16_t device, Instant deadline) {
  const Purpose purpose{.command = Command::write_control, .changes = true};
  auto response =
      answer<ResultResponse>(exchange_.begin(purpose, WriteControlRequest{ads, device, {}}, deadline), deadline);
  if (!response) return std::move(response).error();
  return {};
}

Result<void> Client::read(std::uint32_t group, std::uint32_t offset, std::span<std::uint8_t> into, Instant deadline) {
  const auto begun = begin_read(group, offset, length_of(into), deadline);
  auto response = answer<ReadResponse>(begun, deadline);
  if (!response) return std::move(response).error();
  if (response->data.size() != into.size())
    return exchange_.rejected(*begun, fmt::format("expected {} bytes, got {}", into.size(), response->data.size()));
  copy_bytes(response->data, into);
  return {};
}

Result<void> Client::write(std::uint32_t group, std::uint32_t offset, Bytes data, Instant deadline) {
  auto response = answer<ResultResponse>(begin_write(group, offset, data, deadline), deadline);
  if (!response) return std::move(response).error();
  return {};
}

Result<Bytes> Client::read_write(std::uint32_t group, std::uint32_t offset, std::uint32_t read_length, Bytes data,
                                 Instant deadline) {
  return at_most(read_length, begin_read_write(group, offset, read_length, data, deadline), deadline);
}

Result<Bytes> Client::at_most(std::size_t length, const Result<RequestId>& begun, Instant deadline) {
  auto response = answer<ReadResponse>(begun, deadline);
  if (!response) return std::move(response).error();
  if (response->data.size() > length)
    return exchange_.rejected(*begun, fmt::format("expected at most {} bytes, got {}", length, response->data.size()));
  return response->data;
}

Result<void> Client::read_handle(std::uint32_t handle, std::span<std::uint8_t> into, Instant deadline) {
  return read(group::value_by_handle, handle, into, deadline);
}

Result<void> Client::write_handle(std::uint32_t handle, Bytes data, Instant deadline) {
  return write(group::value_by_handle, handle, data, deadline);
}

namespace {

// The payload of a sum read, written row by row into the packet itself; the same pass counts the answer's bytes.
struct SumReadRequest {
  std::span<const SumReadItem> items;
  std::size_t& expected;  // bytes of the answer
};

std::size_t sum_answer_size(std::span<const SumReadItem> items) {
  std::size_t size = 4 * items.size();
  for (const SumReadItem& item : items) size += item.into.size();
  return size;
}

void encode(ByteWriter& writer, const SumReadRequest& request) {
  const auto count = static_cast<std::uint32_t>(request.items.size());
  const std::size_t expected_at = writer.size() + 8;
  writer.little(group::sum_read, count, std::uint32_t{0}, sum_row_size * count);
  std::uint8_t* row = writer.room(std::size_t{sum_row_size} * count).data();
  std::size_t expected = 4 * request.items.size();
  for (const SumReadItem& item : request.items) {
    expected += item.into.size();
    row = put_little(row, item.group);
    row = put_little(row, item.offset);
    row = put_little(row, length_of(item.into));
  }
  writer.little_at(expected_at, static_cast<std::uint32_t>(expected));
  request.expected = expected;
}

// Results, then values, to the items they belong to. Values that are neighbours here and there are copied together.
void hand_out(Bytes answer, std::span<SumReadItem> items) {
  const std::uint8_t* result = answer.data();
  const std::uint8_t* value = result + 4 * items.size();
  const std::uint8_t* from = value;
  std::uint8_t* to = nullptr;
  std::size_t size = 0;
  for (SumReadItem& item : items) {
    item.result = little_at<std::uint32_t>(result);
    if (item.result == code::ok) {
      if (item.into.data() != to + size || value != from + size) {
        copy_bytes({from, size}, {to, size});
        from = value, to = item.into.data(), size = 0;
      }
      size += item.into.size();
    }
    result += 4;
    value += item.into.size();
  }
  copy_bytes({from, size}, {to, size});
}

}  // namespace

Result<void> Client::sum_read(std::span<SumReadItem> items, Instant deadline) {
  if (items.empty()) return {};
  std::size_t expected = 0;
  auto begun = begin_sum(items, expected, deadline);
  if (!begun) return std::move(begun).error();
  return await_sum(*begun, items, expected, deadline);
}

Result<RequestId> Client::begin_sum_read(std::span<const SumReadItem> items, Instant deadline) {
  std::size_t expected = 0;
  return begin_sum(items, expected, deadline);
}

Result<void> Client::await_sum_read(RequestId id, std::span<SumReadItem> items, Instant deadline) {
  return await_sum(id, items, sum_answer_size(items), deadline);
}

Result<RequestId> Client::begin_sum(std::span<const SumReadItem> items, std::size_t& expected, Instant deadline) {
  const Purpose purpose{
      .command = Command::read_write, .group = group::sum_read, .offset = static_cast<std::uint32_t>(items.size())};
  return exchange_.begin(purpose, SumReadRequest{items, expected}, deadline);
}

Result<void> Client::await_sum(RequestId id, std::span<SumReadItem> items, std::size_t expected, Instant deadline) {
  auto response = answer<ReadResponse>(id, deadline);
  if (!response) return std::move(response).error();
  if (response->data.size() != expected)
    return exchange_.rejected(id, fmt::format("expected {} bytes, got {}", expected, response->data.size()));
  hand_out(response->data, items);
  return {};
}

Result<RequestId> Client::begin_read(std::uint32_t group, std::uint32_t offset, std::uint32_t length,
                                     Instant deadline) {
  return exchange_.begin({Command::read, group, offset}, ReadRequest{group, offset, length}, deadline);
}

Result<RequestId> Client::begin_write(std::uint32_t group, std::uint32_t offset, Bytes data, Instant deadline) {
  return exchange_.begin({Command::write, group, offset, true}, WriteRequest{group, offset, data}, deadline);
}

Result<RequestId> Client::begin_read_write(std::uint32_t group, std::uint32_t offset, std::uint32_t read_length,
                                           Bytes data, Instant deadline) {
  return exchange_.begin({Command::read_write, group, offset, true}, ReadWriteRequest{group, offset, read_length, data},
                         deadline);
}

Result<Bytes> Client::await(RequestId id, Instant deadline) {
  if (exchange_.purpose(id).command == Command::write) {
    auto response = answer<ResultResponse>(id, deadline);
    if (!response) return std::move(response).error();
    return Bytes{};
  }
  auto response = answer<ReadResponse>(id, deadline);
  if (!response) return std::move(response).error();
  return response->data;
}

Result<std::uint32_t> Client::add_notification(std::uint32_t group, std::uint32_t offset, std::uint32_t length,
                                               TransMode mode, Duration cycle, Instant deadline) {
  const AddNotificationRequest request{group, offset, length, mode, 0, ticks_of(cycle)};
  Subscriptions& subscriptions = exchange_.subscriptions();
  subscriptions.begin_add();
  auto response = answer<AddNotificationResponse>(
      exchange_.begin({Command::add_notification, group, offset}, request, deadline), deadline);
  subscriptions.end_add();
  if (!response) return std::move(response).error();
  subscriptions.add(response->handle, length);
  return response->handle;
}

Result<void> Client::delete_notification(std::uint32_t handle, Instant deadline) {
  exchange_.subscriptions().remove(handle);
  auto response = answer<ResultResponse>(
      exchange_.begin({Command::delete_notification, 0, handle}, DeleteNotificationRequest{handle}, deadline),
      deadline);
  if (!response) return std::move(response).error();
  return {};
}

Result<std::optional<Notification>> Client::next_notification(Instant deadline) {
  while (true) {
    if (auto oldest = exchange_.subscriptions().take()) return oldest;
    auto arrived = exchange_.receive(deadline);
    if (!arrived) return std::move(arrived).error();
    if (*arrived) continue;
    return std::optional<Notification>{};
  }
}

Result<std::optional<Notification>> Client::newest_notification(std::uint32_t handle, Instant deadline) {
  bool more = true;
  for (std::size_t i = 0; more && i < most_reads_at_once; ++i) {
    auto arrived = exchange_.receive(Instant{});
    if (!arrived) return std::move(arrived).error();
    more = *arrived;
  }
  while (true) {
    if (auto newest = exchange_.subscriptions().take_newest(handle)) return newest;
    auto arrived = exchange_.receive(deadline);
    if (!arrived) return std::move(arrived).error();
    if (!*arrived || now() > deadline) return exchange_.subscriptions().take_newest(handle);
  }
}

}  // namespace tandem::ads
