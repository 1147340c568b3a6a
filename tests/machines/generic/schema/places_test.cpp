// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/schema/places.hpp"

#include <doctest/doctest.h>

using namespace tandem::generic;

namespace {

std::string shown(std::string_view text, int base, Protocol protocol = Protocol::modbus) {
  const auto place = place_from(text, protocol, base);
  return place ? place_text(*place, 1, 0) : place.error().text;
}

}  // namespace

TEST_CASE("an address counts from 0, from 1, or has its table as first digit") {
  CHECK(shown("holding 16", 0) == "holding 16");
  CHECK(shown("holding 16", 1) == "holding 15");
  CHECK(shown("holding 16", 40001) == "holding 15");
  CHECK(shown("input 0x10", 0) == "input 16");
  CHECK(shown(" coil   0 ", 0) == "coil 0");
  CHECK(shown("discrete 65535", 0) == "discrete 65535");
  CHECK(shown("discrete 65536", 1) == "discrete 65535");
  CHECK(shown("holding 5.3", 0) == "holding 5.3");
  CHECK(shown("40001", 40001) == "holding 0");
  CHECK(shown("40011", 40001) == "holding 10");
  CHECK(shown("40021.10", 40001) == "holding 20.10");
  CHECK(shown("30001", 40001) == "input 0");
  CHECK(shown("10001", 40001) == "discrete 0");
  CHECK(shown("00001", 40001) == "coil 0");
  CHECK(shown("49999", 40001) == "holding 9998");
  CHECK(shown("400001", 40001) == "holding 0");
  CHECK(shown("465536", 40001) == "holding 65535");
  CHECK(shown("holding 40011", 40001) == "holding 10");
}

TEST_CASE("a wrong Modbus place says what was expected") {
  CHECK(shown("40000", 40001) == "counts from 1: did you mean 40001?");
  CHECK(shown("300000", 40001) == "counts from 1: did you mean 300001?");
  CHECK(shown("holding 0", 1) == "counts from 1: did you mean holding 1?");
  CHECK(shown("holding 0", 40001) == "counts from 1: did you mean holding 1?");
  CHECK(shown("465537", 40001) == "expected an address up to 65536, got 65537");
  CHECK(shown("holding 65536", 0) == "expected an address up to 65535, got 65536");
  CHECK(shown("11", 40001) ==
        "expected 5 or 6 digits, the first of them the table (0 coil, 1 discrete, 3 input, 4 holding), got 11");
  CHECK(shown("20001", 40001) ==
        "expected 5 or 6 digits, the first of them the table (0 coil, 1 discrete, 3 input, 4 holding), got 20001");
  CHECK(shown("40011", 0) ==
        "expected a table and an address such as 'holding 16', got 40011; with `base: 40001` the first digit is the "
        "table");
  CHECK(shown("holdin 5", 0) ==
        "expected a table and an address such as 'holding 16', got 'holdin 5'; did you mean 'holding'?");
  CHECK(shown("holding", 0) == "expected an address behind 'holding', got ''");
  CHECK(shown("holding -1", 0) == "expected an address behind 'holding', got '-1'");
  CHECK(shown("holding 5.16", 0) == "expected a bit from 0 to 15 behind '.', got '16'");
  CHECK(shown("coil 5.1", 0) == "expected a whole coil 5, got a bit of it");
  CHECK(shown("input 40011", 40001) == "expected an address of the table input, got 40011");
}

TEST_CASE("a symbol is names, members and indices") {
  for (const char* symbol : {"MAIN.fX", "GVL.aBelt[2].fSpeed", ".bGlobal", "A[1,2]", "A[-3, 4][5].x", "_x9"})
    CHECK(shown(symbol, 0, Protocol::ads) == symbol);
  CHECK(shown("", 0, Protocol::ads) == "character 1: expected the name of a symbol, got the end");
  CHECK(shown("MAIN.", 0, Protocol::ads) == "character 6: expected the name of a symbol, got the end");
  CHECK(shown("MAIN.a[x]", 0, Protocol::ads) == "character 8: expected an index, got 'x'");
  CHECK(shown("MAIN.a[1", 0, Protocol::ads) == "character 9: expected ']', got the end");
  CHECK(shown("MAIN a", 0, Protocol::ads) == "character 5: expected '.', '[' or the end, got ' '");
  CHECK(shown(std::string(300, 'a'), 0, Protocol::ads) == "expected a symbol of at most 255 characters, got 300");
  CHECK(looks_like_modbus("holding 16"));
  CHECK(looks_like_modbus("40011"));
  CHECK_FALSE(looks_like_modbus("MAIN.fX"));
  CHECK_FALSE(looks_like_modbus("GVL.holding16"));
}
