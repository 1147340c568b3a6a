// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/security.hpp"

#include <string_view>

#include "tandem/base/certificate.hpp"

namespace tandem::ros2 {
namespace {

constexpr const char* counts_more = "a security message counts more than it holds";
constexpr std::size_t smallest_property = 8;      // two sizes
constexpr std::size_t smallest_data_holder = 12;  // a size and two counts

// As Fast DDS reads it: all but the last byte, whatever that is.
std::string_view text_of(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.empty() ? 0 : text.size() - 1);
}

const char* token_fault(RtpsFields& in) {
  if (!skip_counted(in) || !skip_many_counted(in, 2)) return counts_more;
  const std::optional<std::size_t> count = take_count(in, smallest_property);
  if (!count) return counts_more;
  for (std::size_t i = 0; i < *count; ++i) {
    const std::optional<Bytes> name = take_counted(in);
    const std::optional<Bytes> value = name ? take_counted(in) : std::nullopt;
    if (!value) return counts_more;
    if (text_of(*name) == "c.id" && !has_certificate_subject(*value)) return "a certificate has no subject";
  }
  return nullptr;
}

// The count comes in the byte order of the submessage or always in big-endian, as the vendor understands it.
bool fits(Bytes body, std::size_t at, std::size_t size_of_each) {
  if (body.size() < at + 4) return false;
  for (const bool little : {false, true}) {
    RtpsFields in(body, little);
    in.skip(at);
    if (take_count(in, size_of_each)) return true;
  }
  return false;
}

}  // namespace

bool skip_data_holder(RtpsFields& in) {
  return skip_counted(in) && skip_many_counted(in, 2) && skip_many_counted(in, 2);
}

const char* generic_message_fault(Bytes payload) {
  constexpr std::uint8_t big = 0, little = 1;
  if (payload.size() < 4 || (payload[1] != big && payload[1] != little)) return "a security message has no known form";
  RtpsFields in(payload, payload[1] == little);
  in.skip(generic_message_start);
  if (!skip_counted(in)) return counts_more;
  const std::optional<std::size_t> count = take_count(in, smallest_data_holder);
  if (!count) return counts_more;
  for (std::size_t i = 0; i < *count; ++i) {
    if (const char* fault = token_fault(in)) return fault;
  }
  return nullptr;
}

const char* protection_fault(const Submessage& submessage) {
  using enum SubmessageKind;
  constexpr std::size_t header = 20, code = 16, code_of_receiver = 20;
  switch (submessage.kind) {
    case sec_body:
      return fits(submessage.body, 0, 1) ? nullptr : "encrypted contents are longer than their submessage";
    case sec_prefix:
    case srtps_prefix:
      return submessage.body.size() >= header ? nullptr : "a header of protection is too short";
    case sec_postfix:
    case srtps_postfix:
      return fits(submessage.body, code, code_of_receiver) ? nullptr : "authentication codes are missing";
    default:
      return nullptr;
  }
}

}  // namespace tandem::ros2
