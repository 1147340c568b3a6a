// SPDX-License-Identifier: Apache-2.0
// Any bytes as a configuration file: a Config or a ConfigError, nothing else.
#include <cstddef>
#include <cstdint>

#include "tandem/runtime/config/config.hpp"

namespace {

constexpr std::array<std::string_view, 2> words = {"one", "two"};
constexpr std::array<tandem::machines::Option, 5> options = {{
    {"rate", tandem::machines::OptionKind::number, "100", "", 1, 1000},
    {"loud", tandem::machines::OptionKind::flag, "false", ""},
    {"label", tandem::machines::OptionKind::text, "", ""},
    {"mode", tandem::machines::OptionKind::choice, "one", "", -1e300, 1e300, 0, words},
    {"signs", tandem::machines::OptionKind::numbers, "[1, 1, 1]", "", -1, 1, 3},
}};
constexpr tandem::machines::MachineType type{
    .name = "m", .summary = "a machine", .scheme = "ads", .options = options, .queries = {}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tandem::runtime::Registry registry({&type});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The first NUL, if any, parts two files.
  const auto zero = text.find('\0');
  std::vector<tandem::runtime::ConfigText> files = {{"a.yaml", std::string(text.substr(0, zero))}};
  if (zero != std::string_view::npos) files.push_back({"b.yaml", std::string(text.substr(zero + 1))});
  try {
    (void)tandem::runtime::parse_config(files, registry);
  } catch (const tandem::runtime::ConfigError&) {
  }
  return 0;
}
