// SPDX-License-Identifier: Apache-2.0
// Sparkplug B payloads (protobuf, package org.eclipse.tahu.protobuf) as plain structs, and both ways between them and
// bytes. Numbers and text only: data sets, templates, files and arrays of others are read over and never written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::sparkplug {

enum class DataType : std::uint32_t {
  unknown = 0,
  int8 = 1,
  int16 = 2,
  int32 = 3,
  int64 = 4,
  uint8 = 5,
  uint16 = 6,
  uint32 = 7,
  uint64 = 8,
  float32 = 9,
  float64 = 10,
  boolean = 11,
  string = 12,
  date_time = 13,
  text = 14,
  uuid = 15,
};

// No value is a metric that is null. Unsigned 64-bit values above 2^63 keep their bits.
using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string>;

struct Property {
  std::string key;
  DataType type = DataType::unknown;
  Value value;
};

struct Metric {
  std::string name;  // empty: only its alias is told
  std::optional<std::uint64_t> alias;
  std::optional<std::uint64_t> timestamp;  // ms since 1970, UTC
  DataType type = DataType::unknown;
  bool historical = false;
  std::vector<Property> properties;
  Value value;
  bool foreign = false;  // read: a data set, template, bytes, or what is not known here
};

struct Payload {
  std::optional<std::uint64_t> timestamp;  // ms since 1970, UTC
  std::vector<Metric> metrics;
  std::optional<std::uint64_t> seq;
};

inline constexpr std::size_t largest_payload = 64U * 1024U;  // bytes, read
inline constexpr std::size_t most_metrics = 4096;            // read

// Fields in the order of their numbers; zeros are written, as proto2 has it.
std::string encode(const Payload& payload);

// Total: any bytes give a payload or an error. Fields that are not known are read over.
Result<Payload> decode(std::string_view bytes);

}  // namespace tandem::sparkplug
