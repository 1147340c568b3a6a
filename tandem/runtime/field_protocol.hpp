// What a replay must know of a field protocol: where its frames end, what a client may say differently each time,
// and what of it the device gives back.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"

namespace tandem::runtime {

// What this client says where the recorded one said something else.
struct Carried {
  std::map<std::uint64_t, std::uint64_t> numbers;  // recorded -> seen: invoke ids, transaction ids, asked times
  std::array<std::uint8_t, 16> addresses{};        // ADS: target and source of the client's packets
  bool addressed = false;
};

struct FieldProtocol {
  std::string_view name;
  // Bytes of the frame that begins here; 0: not yet to be told. What is no frame is one byte. Null: not framed, every
  // byte counts by itself.
  std::size_t (*frame_size)(Bytes start) = nullptr;
  // Whether a device says this unasked. Null: it says everything so.
  bool (*unasked)(Bytes frame) = nullptr;
  // Makes equal what may differ in a client's frame. Null: nothing may.
  void (*blank)(std::span<std::uint8_t> frame) = nullptr;
  void (*learn)(Bytes recorded, Bytes seen, Carried& carried) = nullptr;
  // Into the device's recorded frame; it may be cut short.
  void (*carry)(std::span<std::uint8_t> frame, Carried& carried) = nullptr;
  // What a client's frame asks, without the values that it writes. Null: its questions are answered in their order
  // alone, and the two below are not needed.
  std::string (*asks)(Bytes frame) = nullptr;
  // The number that a question and its answer have in common.
  std::uint64_t (*pairing)(Bytes frame) = nullptr;
  // Makes a recorded answer to such a question, empty if there was none, the one to this very question.
  void (*fit)(Bytes question, std::vector<std::uint8_t>& answer) = nullptr;
};

// A port of a device: the key that names it in the device's URL, and its number where the URL does not give one.
struct FieldPort {
  std::string_view scheme;
  std::string_view key;  // empty: the URL's own port
  std::uint16_t standard = 0;
  FieldProtocol protocol;
};
std::span<const FieldPort> field_ports();

}  // namespace tandem::runtime
