// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/short_text.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tandem/base/latest.hpp"

namespace tandem {

static_assert(std::is_trivially_copyable_v<ShortText<32>>, "fits in a Latest cell");

TEST_CASE("short text keeps what fits and cuts the rest") {
  CHECK(ShortText<8>().empty());
  CHECK(ShortText<8>("").view().empty());
  CHECK(ShortText<8>("running").view() == "running");
  CHECK(ShortText<8>("exactly8").view() == "exactly8");
  CHECK(ShortText<8>("nine char").view() == "nine cha");
  const std::string_view with_zero("a\0b", 3);
  CHECK(ShortText<8>(with_zero).view() == with_zero);
  CHECK(std::string(std::string_view(ShortText<4>("abcdef"))) == "abcd");
}

TEST_CASE("short text travels through a cell") {
  Latest<ShortText<24>> cell;
  cell.put("protective stop");
  CHECK(cell.get()->view() == "protective stop");
}

}  // namespace tandem
