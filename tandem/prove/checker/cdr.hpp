// SPDX-License-Identifier: Apache-2.0
// The checker's own reader of CDR (little-endian, the plain encoding): the few fields that it needs of a message.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tandem::prove::checker {

class Cdr {
 public:
  // With the header of four bytes.
  explicit Cdr(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    ok_ = bytes.size() >= 4 && bytes[1] == 1;
    at_ = 4;
  }

  template <typename T>
  T number() {
    while (ok_ && (at_ - 4) % sizeof(T) != 0) ++at_;
    T value{};
    if (!ok_ || at_ + sizeof(T) > bytes_.size()) return fail(), value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    if (!ok_ || size > bytes_.size() - at_) return fail(), "";
    std::string value(reinterpret_cast<const char*>(bytes_.data() + at_), size > 0 ? size - 1 : 0);
    at_ += size;
    return value;
  }
  std::vector<double> doubles() {
    const auto count = number<std::uint32_t>();
    std::vector<double> values;
    if (!ok_ || count > bytes_.size() / sizeof(double)) return fail(), values;
    for (std::uint32_t i = 0; i < count; ++i) values.push_back(number<double>());
    return values;
  }
  std::vector<std::string> texts() {
    const auto count = number<std::uint32_t>();
    std::vector<std::string> values;
    if (!ok_ || count > bytes_.size()) return fail(), values;
    for (std::uint32_t i = 0; i < count && ok_; ++i) values.push_back(text());
    return values;
  }
  std::span<const std::uint8_t> bytes() {
    const auto size = number<std::uint32_t>();
    if (!ok_ || size > bytes_.size() - at_) return fail(), std::span<const std::uint8_t>{};
    const auto taken = bytes_.subspan(at_, size);
    at_ += size;
    return taken;
  }
  void header() {  // std_msgs/Header
    number<std::int32_t>();
    number<std::uint32_t>();
    text();
  }
  bool ok() const { return ok_; }

 private:
  void fail() { ok_ = false; }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace tandem::prove::checker
