// SPDX-License-Identifier: Apache-2.0
// The paths of a dive as a figure: from above, and the depth over time.
#pragma once

#include "tandem/machines/orca/companion/path_log.hpp"
#include "tandem/plot/figure.hpp"

namespace tandem::orca {

// The SLAM's paths are laid upon the true one, or upon the estimate where there is no truth.
plot::Figure path_picture(const PathLog& log);

// By the end of the name: .png, .svg or .csv; Fault::unsupported for others, Fault::not_found without its folder.
Result<void> check_path_file(const std::string& file);
Result<void> write_paths(const PathLog& log, const std::string& file);

}  // namespace tandem::orca
