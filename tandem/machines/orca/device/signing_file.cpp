// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/device/signing_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <optional>

namespace tandem::orca {
namespace {

constexpr std::size_t key_digits = 64;

std::optional<mavlink::SigningKey> key_from_digits(std::string_view digits) {
  mavlink::SigningKey key{};
  if (digits.size() != key_digits) return std::nullopt;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char* at = digits.data() + 2 * i;
    const auto [end, error] = std::from_chars(at, at + 2, key[i], 16);
    if (error != std::errc() || end != at + 2) return std::nullopt;
  }
  return key;
}

// The one word that a file holds; empty when it holds none, or several.
std::string only_word_of(std::ifstream& in) {
  std::string word;
  in >> word;
  std::string more;
  return in >> more ? "" : word;
}

// In one piece: a process that is killed meanwhile leaves the time from before, and not none.
bool write_time(const std::string& file, mavlink::SigningTime time) {
  const std::string fresh = file + ".new";
  {
    std::ofstream out(fresh, std::ios::trunc);
    out << time << '\n';
    if (!out.flush()) return false;
  }
  return std::rename(fresh.c_str(), file.c_str()) == 0;
}

Result<mavlink::SigningTime> read_time(const std::string& file) {
  mavlink::SigningTime time = 0;
  std::ifstream in(file);
  if (!in) {
    struct stat about {};
    if (stat(file.c_str(), &about) != 0) return time;  // never signed before
    return Error{Fault::invalid, fmt::format("signing_key: {}: cannot be read", file)};
  }
  const std::string word = only_word_of(in);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), time);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) {
    return Error{Fault::invalid,
                 fmt::format("signing_key: {}: expected one number, the signing timestamp; it prevents replay of "
                             "recorded frames. Remove the file only if no frames can have been recorded",
                             file)};
  }
  return time;
}

}  // namespace

Result<mavlink::SigningOptions> signing_from_file(const std::string& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0)
    return Error{Fault::not_found, fmt::format("signing_key: {}: no such file", file)};
  if (!S_ISREG(about.st_mode)) return Error{Fault::invalid, fmt::format("signing_key: {}: expected a file", file)};
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Error{Fault::invalid, fmt::format("signing_key: {}: expected mode 600, got {:o}: other users can read it",
                                             file, static_cast<unsigned int>(about.st_mode & 0777U))};
  }
  std::ifstream in(file);
  if (!in) return Error{Fault::invalid, fmt::format("signing_key: {}: cannot be read", file)};
  const auto key = key_from_digits(only_word_of(in));
  if (!key) return Error{Fault::invalid, fmt::format("signing_key: {}: expected 64 hexadecimal digits", file)};
  const std::string time_file = file + ".time";
  const auto reached = read_time(time_file);
  if (!reached) return reached.error();
  if (!write_time(time_file, *reached))
    return Error{Fault::invalid, fmt::format("signing_key: {}: cannot be written", time_file)};
  mavlink::SigningOptions signing;
  signing.key = *key;
  signing.remembered = *reached;
  signing.remember = [time_file](mavlink::SigningTime time) { write_time(time_file, time); };
  return signing;
}

}  // namespace tandem::orca
