// SPDX-License-Identifier: Apache-2.0
// Any row and any words or value: what decodes encodes to the same meaning, and nothing that is no number gets through.
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/modbus/registers.hpp"

namespace {

using namespace tandem;
using namespace tandem::modbus;

void require(bool holds) {
  if (!holds) std::abort();
}

Register take_row(ByteReader& reader) {
  Register row;
  row.name = "r";
  row.address = reader.big<std::uint16_t>();
  const auto shape = reader.byte();
  row.width = 16 << (shape % 3);
  row.order = static_cast<WordOrder>((shape / 3) % 4);
  row.encoding = static_cast<Encoding>((shape / 12) % 3);
  row.direction = shape >= 128 ? -1 : 1;
  row.scale = reader.big<double>();
  if (reader.byte() % 2 == 1) row.range = Range{reader.big<double>(), reader.big<double>()};
  return row;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader reader({data, size});
  const Register row = take_row(reader);
  const auto value = reader.big<double>();
  std::array<std::uint16_t, 4> words{};
  for (auto& word : words) word = reader.big<std::uint16_t>();
  try {
    const RegisterTable table({row});
    const std::span own(words.data(), row.words());
    if (const auto seen = table.decode(0, {row.address, own})) require(std::isfinite(*seen));
    const RegisterBlock<std::uint16_t> block{row.address, own};
    const auto before = words;
    const bool exact = table.encode(0, value, block).ok();
    require(exact || words == before);
    const auto nearest = table.encode_saturated(0, value, block);
    require(nearest.ok() == !std::isnan(value));
    // What was not beyond a limit is the same either way.
    if (exact) require(!*nearest);
    if (nearest.ok() && !*nearest) require(exact || std::isinf(value));
    const double scale = std::fabs(row.scale);
    const bool tame = scale > 1e-100 && scale < 1e100;
    if (exact && tame && row.encoding != Encoding::floating) {
      const auto back = table.decode(0, {row.address, own});
      require(back.ok());
      require(std::fabs(*back - value) <= 0.51 / scale + 1e-12 * std::fabs(value));
    }
  } catch (const std::invalid_argument&) {
    // A row that cannot be.
  }
  return 0;
}
