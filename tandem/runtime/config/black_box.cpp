// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/black_box.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>

namespace tandem::runtime {

namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<Option, 6> black_box_table = {{
    {"enabled", OptionKind::flag, "true", "keep the last minute in memory and write it when something happens"},
    {"folder", OptionKind::text, "", "folder of the incidents; default: `incidents` in the state folder"},
    {"seconds", OptionKind::number, "60", "duration that is kept in memory (s)", 1, 3600},
    {"after", OptionKind::number, "10", "duration after an incident that its file also contains (s)", 0, 60},
    {"megabytes", OptionKind::number, "64", "maximum memory; the oldest messages are dropped first (MB)", 1, 65536},
    {"keep_megabytes", OptionKind::number, "500",
     "maximum size of all incidents in the folder; the oldest files are deleted first (MB)", 1, 1e6},
}};

}  // namespace

std::span<const Option> black_box_options() { return black_box_table; }

std::vector<std::string> black_box_problems(const BlackBoxConfig& config) {
  namespace fs = std::filesystem;
  if (!config.enabled || config.folder.empty()) return {};
  std::error_code ignored;
  fs::path existing = fs::absolute(config.folder);  // what is missing is made in it
  while (!fs::exists(existing, ignored) && existing.has_relative_path()) existing = existing.parent_path();
  if (!fs::is_directory(existing, ignored))
    return {fmt::format("black_box.folder: {}: expected a folder, got a file; choose another with --black-box FOLDER",
                        existing.string())};
  if (::access(existing.c_str(), W_OK | X_OK) != 0)
    return {fmt::format("black_box.folder: {} is not writable by this user; choose another with --black-box FOLDER",
                        existing.string())};
  return {};
}

void apply_black_box(BlackBoxConfig& config, const std::string& path, const machines::Options& options) {
  if (path == "black_box.enabled") config.enabled = options.flag("enabled");
  if (path == "black_box.folder") config.folder = options.text("folder");
  if (path == "black_box.seconds") config.seconds = options.number("seconds");
  if (path == "black_box.after") config.after = options.number("after");
  if (path == "black_box.megabytes") config.megabytes = options.number("megabytes");
  if (path == "black_box.keep_megabytes") config.keep_megabytes = options.number("keep_megabytes");
}

void choose_black_box(BlackBoxConfig& config, std::string_view text) {
  config.enabled = text != "off";
  if (config.enabled) config.folder = text;
}

std::string incident_folder(const BlackBoxConfig& config, const std::string& state_folder) {
  if (!config.enabled) return "";
  if (!config.folder.empty()) return config.folder;
  return state_folder.empty() ? "" : state_folder + "/incidents";
}

}  // namespace tandem::runtime
