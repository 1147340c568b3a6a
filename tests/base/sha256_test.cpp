// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/sha256.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tandem {

// Digests: NIST FIPS 180-4 examples for "abc" and the 448-bit message, NIST's long-message example of a million 'a',
// and the empty message of the NIST CAVP SHA256ShortMsg vectors; 0xBD and C98C8E55 from NIST's additional examples.
TEST_CASE("digests agree with the published NIST vectors") {
  const auto digest = [](std::string_view text) { return hex(sha256(as_bytes(text))); };
  CHECK(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(digest(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(digest("\xBD") == "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
  CHECK(digest("\xC9\x8C\x8E\x55") == "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504");
}

TEST_CASE("hexadecimal is lower case with two digits a byte") {
  CHECK(hex(as_bytes(std::string_view("\x00\x0F\xF0\xAB", 4))) == "000ff0ab");
  CHECK(hex({}).empty());
}

}  // namespace tandem
