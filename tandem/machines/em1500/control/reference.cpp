// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/control/reference.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tandem::em1500 {
namespace {

std::optional<stewart::Lengths> load(const std::string& file) {
  std::ifstream in(file);
  if (!in) return std::nullopt;
  stewart::Lengths lengths{};
  for (double& length : lengths) {
    if (!(in >> length) || !std::isfinite(length) || length <= 0) {
      throw std::invalid_argument(
          fmt::format("{}: expected six leg lengths in metres; delete the file to take a new reference", file));
    }
  }
  return lengths;
}

// Written beside and renamed, so that a crash leaves the old file or the new one.
bool save(const std::string& file, const stewart::Lengths& lengths) {
  std::error_code failed;
  const std::filesystem::path path(file);
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failed);
  const std::string beside = file + ".new";
  {
    std::ofstream out(beside);
    for (const double length : lengths) out << fmt::format("{:.17g}\n", length);
    if (!out.flush()) return false;
  }
  std::filesystem::rename(beside, path, failed);
  return !failed;
}

}  // namespace

Reference::Reference(ReferenceMode mode, const stewart::Lengths& neutral, std::string file)
    : mode_(mode), file_(std::move(file)) {
  if (mode_ == ReferenceMode::neutral) lengths_ = neutral;
  if (mode_ == ReferenceMode::persisted) lengths_ = load(file_);
}

stewart::Lengths Reference::displacements(const stewart::Lengths& lengths) {
  if (!lengths_) {
    lengths_ = lengths;
    if (mode_ == ReferenceMode::persisted && !save(file_, lengths)) {
      trouble_ = fmt::format("{}: the reference could not be written; it will be lost at the next start", file_);
    }
  }
  stewart::Lengths result{};
  for (std::size_t leg = 0; leg < result.size(); ++leg) result[leg] = lengths[leg] - (*lengths_)[leg];
  return result;
}

}  // namespace tandem::em1500
