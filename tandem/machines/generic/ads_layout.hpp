// SPDX-License-Identifier: Apache-2.0
// Where the values of a PLC variable lie among its bytes: a whole structure or array is one transfer, and each number
// in it has an offset. For the link, with the types that the PLC has uploaded, and for the virtual device, with those
// of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/machines/generic/ads_types.hpp"
#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

inline constexpr std::size_t most_plc_values = 2000;     // numbers, texts and arrays of numbers in one symbol
inline constexpr std::size_t most_plc_elements = 65536;  // of one array of numbers

// One number or text, or an array of them.
struct PlcValue {
  std::string path;                                 // behind the symbol: "[1].fSpeed"; empty: the symbol itself
  std::string member;                               // the path without indices: "fSpeed"
  std::string plc_type;                             // of the whole: "ARRAY [0..5] OF LREAL"
  Type type = Type::unknown;                        // of one element
  std::size_t text_length = 0;                      // bytes without the NUL
  std::uint32_t offset = 0;                         // in the symbol, bytes
  std::uint32_t stride = 0;                         // bytes of one element
  std::size_t count = 1;                            // of elements
  std::vector<std::pair<int, std::size_t>> bounds;  // of an array: first index and count of each dimension
};

struct PlcLayout {
  std::string plc_type;
  std::uint32_t size = 0;             // bytes
  std::vector<PlcValue> values;       // by offset
  std::vector<std::string> left_out;  // members that cannot be read: "sTitle: WSTRING(20) is not supported"
};

// Total: any text, any table. Members that overlap, pass the end of their structure, or are of another size than
// their type are errors; so is `size`, what the PLC says of the symbol, when it is another than the type's.
Result<PlcLayout> layout_of(std::string_view plc_type, const PlcTypeTable& types,
                            std::optional<std::uint32_t> size = std::nullopt);

// The first place where the two lay out their bytes in different ways, in words; nothing when there is none.
std::optional<std::string> difference(const PlcLayout& expected, const PlcLayout& got);

// "[2]", "[1,0]": the index of an element, in the array's own bounds.
std::string index_text(const std::vector<std::pair<int, std::size_t>>& bounds, std::size_t element);

}  // namespace tandem::generic
