// SPDX-License-Identifier: Apache-2.0
// ADS client: one connection to one device, blocking, a deadline on every call. For one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/protocols/ads/client/exchange.hpp"
#include "tandem/protocols/ads/codec/symbols.hpp"

namespace tandem::ads {

struct DeviceInfo {
  std::string name;
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
};

struct DeviceState {
  AdsState ads = AdsState::invalid;
  std::uint16_t device = 0;
};

// One variable of a sum read.
struct SumReadItem {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  std::span<std::uint8_t> into;  // filled when result is 0, untouched otherwise
  std::uint32_t result = 0;      // of this variable alone
};

// One variable of a sum write.
struct SumWriteItem {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  Bytes data;
  std::uint32_t result = 0;  // of this variable alone
};

// One of many names that are looked up together.
struct SumLookUpItem {
  std::string_view name;
  std::uint32_t read_length = 0;  // most bytes of the answer
  std::uint32_t result = 0;       // of this name alone
  std::vector<std::uint8_t> answer{};
};

// Answers are checked whole before a byte is handed out: right invoke id, right command, exact length, no error code.
// Once the connection is lost or its bytes make no sense, every call gives that error; make a new client then.
// A warm read, sum read or notification allocates nothing.
class Client {
 public:
  static Result<Client> connect(const Peer& peer, Instant deadline, net::Tap* tap = nullptr);
  explicit Client(Exchange exchange) : exchange_(std::move(exchange)) {}

  Result<DeviceInfo> device_info(Instant deadline);
  Result<DeviceState> read_state(Instant deadline);
  Result<void> write_control(AdsState ads, std::uint16_t device, Instant deadline);

  // Fills `into` to the last byte, or leaves it alone.
  Result<void> read(std::uint32_t group, std::uint32_t offset, std::span<std::uint8_t> into, Instant deadline);
  // When a write was sent and not answered, outcome_unknown() holds for the error. It is never sent twice.
  Result<void> write(std::uint32_t group, std::uint32_t offset, Bytes data, Instant deadline);
  // At most `read_length` bytes come back, valid until the next call. The outcome may be unknown as with write.
  Result<Bytes> read_write(std::uint32_t group, std::uint32_t offset, std::uint32_t read_length, Bytes data,
                           Instant deadline);

  Result<std::uint32_t> handle_by_name(std::string_view name, Instant deadline);
  Result<void> release(std::uint32_t handle, Instant deadline);
  Result<void> read_handle(std::uint32_t handle, std::span<std::uint8_t> into, Instant deadline);
  Result<void> write_handle(std::uint32_t handle, Bytes data, Instant deadline);
  // An error when the command failed as a whole; a variable that failed alone says so in its item.
  Result<void> sum_read(std::span<SumReadItem> items, Instant deadline);
  // The same in two steps.
  Result<RequestId> begin_sum_read(std::span<const SumReadItem> items, Instant deadline);
  Result<void> await_sum_read(RequestId id, std::span<SumReadItem> items, Instant deadline);

  // An error when the command failed as a whole. The outcome of all may be unknown as with write.
  Result<void> sum_write(std::span<SumWriteItem> items, Instant deadline);
  // Names of handles, symbols or types, as the group says (group::handle_by_name and others).
  Result<void> sum_look_up(std::uint32_t group, std::span<SumLookUpItem> items, Instant deadline);

  Result<SymbolInfo> symbol_info(std::string_view name, Instant deadline);
  Result<TypeInfo> type_info(std::string_view type_name, Instant deadline);
  Result<std::vector<SymbolInfo>> all_symbols(Instant deadline);
  Result<std::vector<TypeInfo>> all_types(Instant deadline);
  // Another number after every download or online change: handles, offsets and sizes are void then.
  Result<std::uint8_t> symbol_version(Instant deadline);

  // Several requests in flight: begin each, then await each, in any order. What is not awaited in time is forgotten
  // and its late answer ignored. The data of a read is valid until the next begin.
  Result<RequestId> begin_read(std::uint32_t group, std::uint32_t offset, std::uint32_t length, Instant deadline);
  Result<RequestId> begin_write(std::uint32_t group, std::uint32_t offset, Bytes data, Instant deadline);
  Result<RequestId> begin_read_write(std::uint32_t group, std::uint32_t offset, std::uint32_t read_length, Bytes data,
                                     Instant deadline);
  Result<RequestId> begin_read_state(Instant deadline);
  Result<Bytes> await(RequestId id, Instant deadline);
  Result<DeviceState> await_state(RequestId id, Instant deadline);
  // Waits for the answer without taking it: false when the deadline passes first, and the request stays on its way.
  Result<bool> answered(RequestId id, Instant deadline) { return exchange_.answered(id, deadline); }
  void forget(RequestId id) { exchange_.forget(id); }

  // Asks the device to send `length` bytes of that place by itself; the handle names the samples.
  // The cycle is how often the device looks, 0 for every PLC cycle.
  Result<std::uint32_t> add_notification(std::uint32_t group, std::uint32_t offset, std::uint32_t length,
                                         TransMode mode, Duration cycle, Instant deadline);
  Result<void> delete_notification(std::uint32_t handle, Instant deadline);
  // The oldest sample not yet taken; nothing when the deadline passes first.
  Result<std::optional<Notification>> next_notification(Instant deadline);
  // The newest sample of that handle after reading all that has arrived, the older ones discarded; waits when there is
  // none. For a consumer that was held up and must not work off a backlog.
  Result<std::optional<Notification>> newest_notification(std::uint32_t handle, Instant deadline);

  // A sample has arrived and was not taken yet.
  bool notified() { return !exchange_.subscriptions().empty(); }

  const AmsAddress& target() const { return exchange_.target(); }
  const AmsAddress& own() const { return exchange_.own(); }
  Counters counters() const { return exchange_.counters(); }
  Duration round_trip() const { return exchange_.round_trip(); }  // smoothed; 0 before the first answer
  bool open() const { return exchange_.socket().open(); }
  int fd() const { return exchange_.socket().fd(); }  // readable when something arrives
  void close() { exchange_.close(); }

 private:
  template <typename Response>
  Result<Response> answer(const Result<RequestId>& begun, Instant deadline);
  Result<Bytes> at_most(std::size_t length, const Result<RequestId>& begun, Instant deadline);
  Result<RequestId> begin_sum(std::span<const SumReadItem> items, std::size_t& expected, Instant deadline);
  Result<void> await_sum(RequestId id, std::span<SumReadItem> items, std::size_t expected, Instant deadline);
  Result<Bytes> look_up(std::uint32_t group, std::string_view name, std::uint32_t read_length, Instant deadline);

  Exchange exchange_;
  std::vector<std::uint8_t> scratch_;
};

}  // namespace tandem::ads
