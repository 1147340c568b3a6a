#include "tandem/machines/orca/signing_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <fstream>

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

std::string first_word_of(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

}  // namespace

Result<mavlink::SigningOptions> signing_from_file(const std::string& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0)
    return Error{Fault::not_found, fmt::format("signing_key: {}: no such file", file)};
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Error{Fault::invalid, fmt::format("signing_key: {}: others may read it (mode {:o}); expected 600", file,
                                             static_cast<unsigned int>(about.st_mode & 0777U))};
  }
  const auto key = key_from_digits(first_word_of(file));
  if (!key) return Error{Fault::invalid, fmt::format("signing_key: {}: expected 64 hexadecimal digits", file)};
  mavlink::SigningOptions signing;
  signing.key = *key;
  const std::string time_file = file + ".time";
  const std::string reached = first_word_of(time_file);
  std::from_chars(reached.data(), reached.data() + reached.size(), signing.remembered);
  signing.remember = [time_file](mavlink::SigningTime time) {
    std::ofstream(time_file, std::ios::trunc) << time << '\n';
  };
  return signing;
}

}  // namespace tandem::orca
