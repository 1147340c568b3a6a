// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/frame_rules.hpp"

#include "tandem/protocols/ur/rtde/rtde.hpp"

namespace tandem::ur {
namespace {

// Data packages and texts come unasked.
std::size_t replayed_package_size(Bytes start) {
  return start.size() < 2 ? 0 : net::frame_or_byte(ByteReader(start).big<std::uint16_t>(), rtde::header_size);
}
bool package_unasked(Bytes frame) {
  if (frame.size() < rtde::header_size) return false;
  const auto kind = static_cast<rtde::Kind>(frame[2]);
  return kind == rtde::Kind::data || kind == rtde::Kind::text_message;
}

// Dashboard and gripper: a line asks, a line answers, "ack" without an end confirms. The dashboard greets unasked.
constexpr std::size_t longest_recorded_line = 4096;  // bytes; more than either accepts

bool line_starts(Bytes frame, std::string_view words) {
  return frame.size() >= words.size() && std::equal(words.begin(), words.end(), frame.begin());
}

std::size_t replayed_line_size(Bytes start) {
  constexpr std::string_view confirms = "ack";
  if (line_starts(start, confirms)) return start.size() > 3 && start[3] == '\n' ? 4 : 3;
  const Bytes part = start.first(std::min(start.size(), longest_recorded_line));
  const auto end = std::ranges::find(part, std::uint8_t{'\n'});
  if (end != part.end()) return static_cast<std::size_t>(end - part.begin()) + 1;
  return part.size() == longest_recorded_line ? longest_recorded_line : 0;
}

bool line_unasked(Bytes frame) { return line_starts(frame, "Connected:"); }

// The line; of what is set in the gripper only which variables, not their values.
std::string line_asks(Bytes frame) {
  std::string line = net::frame_part(frame, 0, frame.size());
  if (line_starts(frame, "SET ")) std::erase_if(line, [](char c) { return c >= '0' && c <= '9'; });
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  return line;
}

// Nothing numbers them: the first question has the first answer.
std::uint64_t line_pairing(Bytes frame) { return line_unasked(frame) ? 1 : 0; }

void fit_line(Bytes question, std::vector<std::uint8_t>& answer) {
  if (answer.empty() && line_starts(question, "SET ")) answer = {'a', 'c', 'k'};
}

constexpr net::FrameRules rtde_rules{.name = "RTDE", .frame_size = replayed_package_size, .unasked = package_unasked};
constexpr net::FrameRules packet_rules{.name = "primary"};
constexpr net::FrameRules line_rules{.name = "lines",
                                     .frame_size = replayed_line_size,
                                     .unasked = line_unasked,
                                     .asks = line_asks,
                                     .pairing = line_pairing,
                                     .fit = fit_line};

}  // namespace

const net::FrameRules& rtde_frame_rules() { return rtde_rules; }
const net::FrameRules& line_frame_rules() { return line_rules; }
const net::FrameRules& packet_frame_rules() { return packet_rules; }

}  // namespace tandem::ur
