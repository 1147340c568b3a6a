// SPDX-License-Identifier: Apache-2.0
// The payload of every ADS command, request and response: plain structs, and the bytes they stand for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"

namespace tandem::ads {

inline std::uint32_t length_of(Bytes data) { return static_cast<std::uint32_t>(data.size()); }

// Data in these structs is a view into the packet that was decoded, and lives as long as its bytes.
// Requests; read device info and read state have none.

struct ReadRequest {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;  // at most this many bytes; clients send up to 0xFFFFFFFF: never allocate by it
};

struct WriteRequest {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  Bytes data;
};

struct WriteControlRequest {
  AdsState ads_state = AdsState::invalid;
  std::uint16_t device_state = 0;
  Bytes data;
};

struct AddNotificationRequest {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  TransMode mode = TransMode::none;
  std::uint32_t max_delay = 0;   // 100 ns
  std::uint32_t cycle_time = 0;  // 100 ns; 0 is every PLC cycle
};

struct DeleteNotificationRequest {
  std::uint32_t handle = 0;
};

struct ReadWriteRequest {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  std::uint32_t read_length = 0;  // as ReadRequest::length
  Bytes data;
};

// Responses. A result other than zero is the device's error code, and the other fields then mean nothing.

// Of write, write control and delete notification.
struct ResultResponse {
  std::uint32_t result = 0;
};

struct DeviceInfoResponse {
  std::uint32_t result = 0;
  std::uint8_t major = 0;
  std::uint8_t minor = 0;
  std::uint16_t build = 0;
  std::array<char, 16> name_field{};  // padded with zeros

  void name(std::string_view text);  // cut at 16 characters
  std::string_view name() const;
};

// Of read and of read write.
struct ReadResponse {
  std::uint32_t result = 0;
  Bytes data;
};

struct StateResponse {
  std::uint32_t result = 0;
  AdsState ads_state = AdsState::invalid;
  std::uint16_t device_state = 0;
};

struct AddNotificationResponse {
  std::uint32_t result = 0;
  std::uint32_t handle = 0;
};

// One row of a sum command that reads and writes; its data is behind all rows. The rows of the other sum commands
// are ReadRequest (read, write) and AddNotificationRequest.
struct SumReadWriteRow {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  std::uint32_t read_length = 0;
  std::uint32_t write_length = 0;
};

void encode(ByteWriter& writer, const ReadRequest& request);
void encode(ByteWriter& writer, const WriteRequest& request);
void encode(ByteWriter& writer, const WriteControlRequest& request);
void encode(ByteWriter& writer, const AddNotificationRequest& request);
void encode(ByteWriter& writer, const DeleteNotificationRequest& request);
void encode(ByteWriter& writer, const ReadWriteRequest& request);
void encode(ByteWriter& writer, const ResultResponse& response);
void encode(ByteWriter& writer, const DeviceInfoResponse& response);
void encode(ByteWriter& writer, const ReadResponse& response);
void encode(ByteWriter& writer, const StateResponse& response);
void encode(ByteWriter& writer, const AddNotificationResponse& response);
void encode(ByteWriter& writer, const SumReadWriteRow& row);

// The whole payload as a T, or nothing when it is too short, too long, or its own length field lies.
// A response whose result is an error may consist of the result alone; some devices send no more.
template <typename T>
std::optional<T> decode(Bytes payload);

template <>
std::optional<ReadRequest> decode<ReadRequest>(Bytes payload);
template <>
std::optional<WriteRequest> decode<WriteRequest>(Bytes payload);
template <>
std::optional<WriteControlRequest> decode<WriteControlRequest>(Bytes payload);
template <>
std::optional<AddNotificationRequest> decode<AddNotificationRequest>(Bytes payload);
template <>
std::optional<DeleteNotificationRequest> decode<DeleteNotificationRequest>(Bytes payload);
template <>
std::optional<ReadWriteRequest> decode<ReadWriteRequest>(Bytes payload);
template <>
std::optional<ResultResponse> decode<ResultResponse>(Bytes payload);
template <>
std::optional<DeviceInfoResponse> decode<DeviceInfoResponse>(Bytes payload);
template <>
std::optional<ReadResponse> decode<ReadResponse>(Bytes payload);
template <>
std::optional<StateResponse> decode<StateResponse>(Bytes payload);
template <>
std::optional<AddNotificationResponse> decode<AddNotificationResponse>(Bytes payload);

// One row from the front of what is left, for sum commands. Zeros and a failed reader when it is not there.
ReadRequest take_read_row(ByteReader& reader);
SumReadWriteRow take_read_write_row(ByteReader& reader);
AddNotificationRequest take_notification_row(ByteReader& reader);

// A whole packet at the end of `out`.
template <typename Payload>
void append_frame(std::vector<std::uint8_t>& out, const AmsHeader& header, const Payload& payload) {
  const std::size_t begun_at = begin_frame(out, header);
  ByteWriter writer(out);
  encode(writer, payload);
  finish_frame(out, begun_at);
}
// One without payload: a request for state or device info, or an answer with nothing but an AMS error.
inline void append_frame(std::vector<std::uint8_t>& out, const AmsHeader& header) {
  finish_frame(out, begin_frame(out, header));
}

}  // namespace tandem::ads
