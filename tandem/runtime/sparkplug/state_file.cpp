// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/sparkplug/state_file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>

namespace tandem::runtime {

namespace {

// Ids may have any character; a file's name not. Different ids give different names.
std::string file_part(std::string_view id) {
  std::string part;
  for (const char c : id) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      part += c;
    } else {
      part += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return part.size() <= 100 ? part : fmt::format("{}-{:x}", part.substr(0, 80), std::hash<std::string>{}(part));
}

}  // namespace

std::string state_folder(const std::function<const char*(const char*)>& environment) {
  const auto value = [&](const char* name) {
    const char* found = environment(name);
    const std::string text = found == nullptr ? "" : found;
    return text.starts_with('/') ? text : std::string();
  };
  // Of a service with several, the first.
  if (const std::string own = value("STATE_DIRECTORY"); !own.empty()) return own.substr(0, own.find(':'));
  if (const std::string home = value("XDG_STATE_HOME"); !home.empty()) return home + "/tandem";
  if (const std::string home = value("HOME"); !home.empty()) return home + "/.local/state/tandem";
  return "";
}

StateFile::StateFile(const std::string& folder, const sparkplug::NodeName& node) {
  if (folder.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  path_ = fmt::format("{}/sparkplug-{}-{}", folder, file_part(node.group), file_part(node.node));
}

std::uint8_t StateFile::read() const {
  std::ifstream stream(path_);
  int number = 0;
  return !path_.empty() && stream >> number && number >= 0 && number <= 255 ? static_cast<std::uint8_t>(number) : 0;
}

bool StateFile::write(std::uint8_t next) const {
  if (path_.empty()) return false;
  const std::string beside = path_ + ".new";
  {
    std::ofstream stream(beside, std::ios::trunc);
    stream << static_cast<int>(next) << '\n';
    stream.close();
    if (!stream) return false;
  }
  std::error_code failed;
  std::filesystem::rename(beside, path_, failed);
  return !failed;
}

}  // namespace tandem::runtime
