// SPDX-License-Identifier: Apache-2.0
// Sum commands: many requests in one packet. Rows are in front of the data, in the request and in the answer.
#include "tandem/protocols/ads/codec/errors.hpp"
#include "tandem/protocols/ads/server/session.hpp"

namespace tandem::ads {
namespace {

using Out = std::vector<std::uint8_t>;

// Whether `count` rows are really there and `answer` bytes may be sent back.
bool plausible(const ReadWriteRequest& request, std::uint64_t row, std::uint64_t answer) {
  const std::uint64_t bytes = std::uint64_t{request.offset} * row;
  return bytes <= request.data.size() && answer <= request.read_length && answer <= Device::longest_data;
}

}  // namespace

std::uint32_t Session::sum(const ReadWriteRequest& request, const AmsHeader& header, Out& out) {
  switch (request.group) {
    case group::sum_read:
    case group::sum_read_ex:
    case group::sum_read_ex_2:
      return sum_read(request, header.target.port, out);
    case group::sum_write:
      return sum_write(request, header.target.port, out);
    case group::sum_read_write:
      return sum_read_write(request, header.target.port, out);
    case group::sum_add_notification:
      return sum_add(request, header, out);
    case group::sum_delete_notification:
      return sum_delete(request, out);
    default:
      return code::not_supported;
  }
}

// 0xF080 answers results, then data; 0xF083 and 0xF084 results with lengths, then data. Data takes the room that was
// asked for, failed or not, so that clients can step through it; only 0xF084 closes the gaps. Without a count, 0xF080
// answers the data alone and one result for all.
std::uint32_t Session::sum_read(const ReadWriteRequest& request, std::uint16_t ams_port, Out& out) {
  const bool bare = request.group == group::sum_read && request.offset == 0;
  const std::size_t count = bare ? request.data.size() / 12 : request.offset;
  const std::size_t head = bare ? 0 : request.group == group::sum_read ? 4 : 8;
  const bool padded = request.group != group::sum_read_ex_2;
  const std::size_t begin = out.size();
  if (!plausible(request, 12, std::uint64_t{head} * count)) return code::invalid_size;

  ByteWriter writer(out);
  writer.zeros(head * count);
  ByteReader rows(request.data);
  for (std::size_t i = 0; i < count; ++i) {
    const ReadRequest row = take_read_row(rows);
    const std::size_t at = out.size();
    const std::uint64_t room = out.size() - begin + (padded ? std::uint64_t{row.length} : 0);
    if (room > request.read_length || room > Device::longest_data) return code::invalid_size;
    const std::uint32_t result = plc_.device.read(ams_port, row, out);
    if (bare && result != code::ok) return result;
    if (head >= 4) writer.little_at(begin + i * head, result);
    if (head == 8) writer.little_at(begin + i * head + 4, static_cast<std::uint32_t>(out.size() - at));
    if (padded) out.resize(at + row.length);
  }
  return out.size() - begin > request.read_length ? code::invalid_size : code::ok;
}

std::uint32_t Session::sum_write(const ReadWriteRequest& request, std::uint16_t ams_port, Out& out) {
  const std::size_t count = request.offset;
  if (!plausible(request, 12, std::uint64_t{4} * count)) return code::invalid_size;
  ByteReader rows(request.data.first(12 * count));
  ByteReader data(request.data.subspan(12 * count));
  ByteWriter writer(out);
  for (std::size_t i = 0; i < count; ++i) {
    const ReadRequest row = take_read_row(rows);
    const Bytes value = data.bytes(row.length);
    writer.little(data.ok() ? plc_.device.write(ams_port, {row.group, row.offset, value}) : code::invalid_size);
  }
  return code::ok;
}

std::uint32_t Session::sum_read_write(const ReadWriteRequest& request, std::uint16_t ams_port, Out& out) {
  const std::size_t count = request.offset;
  const std::size_t begin = out.size();
  if (!plausible(request, 16, std::uint64_t{8} * count)) return code::invalid_size;
  ByteReader rows(request.data.first(16 * count));
  ByteReader data(request.data.subspan(16 * count));
  ByteWriter writer(out);
  writer.zeros(8 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const SumReadWriteRow row = take_read_write_row(rows);
    const Bytes value = data.bytes(row.write_length);
    const std::size_t at = out.size();
    std::uint32_t result = code::invalid_size;
    if (at - begin > Device::longest_data)
      result = code::no_memory;
    else if (data.ok())
      result = plc_.device.read_write(ams_port, {row.group, row.offset, row.read_length, value}, id_, out);
    writer.little_at(begin + 8 * i, result);
    writer.little_at(begin + 8 * i + 4, static_cast<std::uint32_t>(out.size() - at));
  }
  return out.size() - begin > request.read_length ? code::invalid_size : code::ok;
}

std::uint32_t Session::sum_add(const ReadWriteRequest& request, const AmsHeader& header, Out& out) {
  if (!plausible(request, 40, std::uint64_t{8} * request.offset)) return code::invalid_size;
  ByteReader rows(request.data);
  ByteWriter writer(out);
  for (std::uint32_t i = 0; i < request.offset; ++i)
    encode(writer, add_notification(take_notification_row(rows), header));
  return code::ok;
}

std::uint32_t Session::sum_delete(const ReadWriteRequest& request, Out& out) {
  if (!plausible(request, 4, std::uint64_t{4} * request.offset)) return code::invalid_size;
  ByteReader rows(request.data);
  ByteWriter writer(out);
  for (std::uint32_t i = 0; i < request.offset; ++i) writer.little(delete_notification(rows.little<std::uint32_t>()));
  return code::ok;
}

}  // namespace tandem::ads
