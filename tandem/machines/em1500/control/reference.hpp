// SPDX-License-Identifier: Apache-2.0
// The leg lengths that count as zero displacement (L_ref in the original project).
#pragma once

#include <optional>
#include <string>

#include "tandem/kinematics/stewart/stewart.hpp"

namespace tandem::em1500 {

enum class ReferenceMode {
  first_sample,  // as the seed does: wherever the platform stood when the bridge first saw it
  neutral,       // all legs at the neutral pose
  persisted,     // the first sample ever seen, kept in a file across restarts
};

// Taken once and never again, however often the link comes and goes.
class Reference {
 public:
  // Throws std::invalid_argument when a persisted file is there and does not hold six lengths.
  Reference(ReferenceMode mode, const stewart::Lengths& neutral, std::string file);

  // The displacement of these lengths; the first call settles the reference where none is known yet.
  stewart::Lengths displacements(const stewart::Lengths& lengths);

  bool settled() const { return lengths_.has_value(); }
  // Not empty when the file could not be written: the reference then lives only as long as the process.
  const std::string& trouble() const { return trouble_; }

 private:
  ReferenceMode mode_;
  std::string file_;
  std::optional<stewart::Lengths> lengths_;
  std::string trouble_;
};

}  // namespace tandem::em1500
