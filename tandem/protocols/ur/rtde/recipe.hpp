// SPDX-License-Identifier: Apache-2.0
// A list of RTDE variables compiled to places and types, so that a packet costs one short loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/ur/rtde/fields.hpp"

namespace tandem::ur {

// The names of a list joined with commas; empty ones, as some clients send after the last comma, are left out.
std::vector<std::string_view> split_names(std::string_view names);

class Recipe {
 public:
  // Adds a variable by its place in fields().
  void add(std::size_t field);

  std::size_t size() const { return size_; }  // bytes of all values on the wire
  const std::vector<std::size_t>& fields() const { return fields_; }
  Concerns concerns() const { return concerns_; }
  bool empty() const { return fields_.empty(); }

  // Appends the values in wire order.
  void encode(const Variables& from, std::vector<std::uint8_t>& out) const;
  // False, and nothing is changed, when the bytes are not exactly the values.
  bool decode(Bytes values, Variables& into) const;

 private:
  struct Step {
    std::uint32_t offset = 0;  // in Variables, bytes
    std::uint16_t count = 0;   // numbers that follow each other, in memory as on the wire
    std::uint8_t width = 0;    // bytes of each
    bool boolean = false;
  };

  std::vector<Step> steps_;
  std::vector<std::size_t> fields_;
  std::size_t size_ = 0;
  Concerns concerns_ = 0;
};

}  // namespace tandem::ur
