// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/sha256.hpp"

#include <openssl/sha.h>

namespace tandem {

std::array<std::uint8_t, 32> sha256(Bytes bytes) {
  std::array<std::uint8_t, 32> digest{};
  SHA256(bytes.data(), bytes.size(), digest.data());
  return digest;
}

std::string hex(Bytes bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace tandem
