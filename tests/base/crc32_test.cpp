// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/crc32.hpp"

#include <doctest/doctest.h>

#include <random>

namespace tandem {
namespace {

// The definition, bit by bit.
std::uint32_t slow_crc32(Bytes bytes) {
  std::uint32_t remainder = 0xFFFFFFFF;
  for (const std::uint8_t byte : bytes) {
    remainder ^= byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xEDB88320u : 0u);
  }
  return ~remainder;
}

TEST_CASE("the check value of CRC-32 comes out") {
  CHECK(crc32(as_bytes("123456789")) == 0xCBF43926);  // the catalogue's check value
  CHECK(crc32({}) == 0);
  CHECK(crc32(as_bytes("a")) == 0xE8B7BE43);  // zlib.crc32(b"a")
}

TEST_CASE("the CRC of every length and start equals the definition and goes on in pieces") {
  std::mt19937_64 random(11);
  std::vector<std::uint8_t> bytes(300);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  for (std::size_t size = 0; size < 280; ++size) {
    const Bytes part = Bytes(bytes).subspan(size % 17, size);
    const std::uint32_t whole = slow_crc32(part);
    REQUIRE(crc32(part) == whole);
    const std::size_t cut = size == 0 ? 0 : random() % size;
    REQUIRE(crc32(part.subspan(cut), crc32(part.first(cut))) == whole);
  }
}

}  // namespace
}  // namespace tandem
