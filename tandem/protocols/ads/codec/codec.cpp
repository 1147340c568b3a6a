// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/codec/codec.hpp"

#include <algorithm>

namespace tandem::ads {
namespace {

// A length field and exactly this many bytes after it; fails the reader otherwise.
Bytes take_sized_rest(ByteReader& reader) {
  const auto length = reader.little<std::uint32_t>();
  if (length != reader.remaining()) reader.fail();
  return reader.rest();
}

template <typename T>
std::optional<T> when(bool good, const T& value) {
  return good ? std::optional<T>(value) : std::nullopt;
}

}  // namespace

void DeviceInfoResponse::name(std::string_view text) {
  name_field.fill('\0');
  std::copy_n(text.begin(), std::min(text.size(), name_field.size()), name_field.begin());
}

std::string_view DeviceInfoResponse::name() const {
  const auto end = std::ranges::find(name_field, '\0');
  return {name_field.data(), static_cast<std::size_t>(end - name_field.begin())};
}

void encode(ByteWriter& writer, const ReadRequest& request) {
  writer.little(request.group, request.offset, request.length);
}

void encode(ByteWriter& writer, const WriteRequest& request) {
  writer.little(request.group, request.offset, length_of(request.data));
  writer.bytes(request.data);
}

void encode(ByteWriter& writer, const WriteControlRequest& request) {
  writer.little(request.ads_state, request.device_state, length_of(request.data));
  writer.bytes(request.data);
}

void encode(ByteWriter& writer, const AddNotificationRequest& request) {
  writer.little(request.group, request.offset, request.length, request.mode, request.max_delay, request.cycle_time);
  writer.zeros(16);
}

void encode(ByteWriter& writer, const DeleteNotificationRequest& request) { writer.little(request.handle); }

void encode(ByteWriter& writer, const ReadWriteRequest& request) {
  writer.little(request.group, request.offset, request.read_length, length_of(request.data));
  writer.bytes(request.data);
}

void encode(ByteWriter& writer, const ResultResponse& response) { writer.little(response.result); }

void encode(ByteWriter& writer, const DeviceInfoResponse& response) {
  writer.little(response.result);
  writer.byte(response.major);
  writer.byte(response.minor);
  writer.little(response.build);
  writer.text({response.name_field.data(), response.name_field.size()});
}

void encode(ByteWriter& writer, const ReadResponse& response) {
  writer.little(response.result, length_of(response.data));
  writer.bytes(response.data);
}

void encode(ByteWriter& writer, const StateResponse& response) {
  writer.little(response.result, response.ads_state, response.device_state);
}

void encode(ByteWriter& writer, const AddNotificationResponse& response) {
  writer.little(response.result, response.handle);
}

void encode(ByteWriter& writer, const SumReadWriteRow& row) {
  writer.little(row.group, row.offset, row.read_length, row.write_length);
}

ReadRequest take_read_row(ByteReader& reader) {
  ReadRequest row;
  row.group = reader.little<std::uint32_t>();
  row.offset = reader.little<std::uint32_t>();
  row.length = reader.little<std::uint32_t>();
  return row;
}

SumReadWriteRow take_read_write_row(ByteReader& reader) {
  SumReadWriteRow row;
  row.group = reader.little<std::uint32_t>();
  row.offset = reader.little<std::uint32_t>();
  row.read_length = reader.little<std::uint32_t>();
  row.write_length = reader.little<std::uint32_t>();
  return row;
}

AddNotificationRequest take_notification_row(ByteReader& reader) {
  AddNotificationRequest row;
  row.group = reader.little<std::uint32_t>();
  row.offset = reader.little<std::uint32_t>();
  row.length = reader.little<std::uint32_t>();
  row.mode = reader.little<TransMode>();
  row.max_delay = reader.little<std::uint32_t>();
  row.cycle_time = reader.little<std::uint32_t>();
  reader.skip(16);
  return row;
}

template <>
std::optional<ReadRequest> decode<ReadRequest>(Bytes payload) {
  ByteReader reader(payload);
  const ReadRequest request = take_read_row(reader);
  return when(reader.done(), request);
}

template <>
std::optional<WriteRequest> decode<WriteRequest>(Bytes payload) {
  ByteReader reader(payload);
  WriteRequest request;
  request.group = reader.little<std::uint32_t>();
  request.offset = reader.little<std::uint32_t>();
  request.data = take_sized_rest(reader);
  return when(reader.done(), request);
}

template <>
std::optional<WriteControlRequest> decode<WriteControlRequest>(Bytes payload) {
  ByteReader reader(payload);
  WriteControlRequest request;
  request.ads_state = reader.little<AdsState>();
  request.device_state = reader.little<std::uint16_t>();
  request.data = take_sized_rest(reader);
  return when(reader.done(), request);
}

template <>
std::optional<AddNotificationRequest> decode<AddNotificationRequest>(Bytes payload) {
  ByteReader reader(payload);
  const AddNotificationRequest request = take_notification_row(reader);
  return when(reader.done(), request);
}

template <>
std::optional<DeleteNotificationRequest> decode<DeleteNotificationRequest>(Bytes payload) {
  ByteReader reader(payload);
  const DeleteNotificationRequest request{reader.little<std::uint32_t>()};
  return when(reader.done(), request);
}

template <>
std::optional<ReadWriteRequest> decode<ReadWriteRequest>(Bytes payload) {
  ByteReader reader(payload);
  ReadWriteRequest request;
  request.group = reader.little<std::uint32_t>();
  request.offset = reader.little<std::uint32_t>();
  request.read_length = reader.little<std::uint32_t>();
  request.data = take_sized_rest(reader);
  return when(reader.done(), request);
}

template <>
std::optional<ResultResponse> decode<ResultResponse>(Bytes payload) {
  ByteReader reader(payload);
  const ResultResponse response{reader.little<std::uint32_t>()};
  return when(reader.done() || (reader.ok() && response.result != 0), response);
}

template <>
std::optional<DeviceInfoResponse> decode<DeviceInfoResponse>(Bytes payload) {
  ByteReader reader(payload);
  DeviceInfoResponse response;
  response.result = reader.little<std::uint32_t>();
  if (reader.ok() && response.result != 0) return response;
  response.major = reader.byte();
  response.minor = reader.byte();
  response.build = reader.little<std::uint16_t>();
  // Some servers cut the name field short.
  const std::string_view text = reader.text(reader.remaining());
  if (!reader.ok() || text.size() > response.name_field.size()) return std::nullopt;
  response.name(text);
  return response;
}

template <>
std::optional<ReadResponse> decode<ReadResponse>(Bytes payload) {
  ByteReader reader(payload);
  ReadResponse response;
  response.result = reader.little<std::uint32_t>();
  if (reader.ok() && response.result != 0) return response;
  response.data = take_sized_rest(reader);
  return when(reader.done(), response);
}

template <>
std::optional<StateResponse> decode<StateResponse>(Bytes payload) {
  ByteReader reader(payload);
  StateResponse response;
  response.result = reader.little<std::uint32_t>();
  if (reader.ok() && response.result != 0) return response;
  response.ads_state = reader.little<AdsState>();
  response.device_state = reader.little<std::uint16_t>();
  return when(reader.done(), response);
}

template <>
std::optional<AddNotificationResponse> decode<AddNotificationResponse>(Bytes payload) {
  ByteReader reader(payload);
  AddNotificationResponse response;
  response.result = reader.little<std::uint32_t>();
  if (reader.ok() && response.result != 0) return response;
  response.handle = reader.little<std::uint32_t>();
  return when(reader.done(), response);
}

}  // namespace tandem::ads
