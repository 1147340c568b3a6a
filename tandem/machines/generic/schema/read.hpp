// SPDX-License-Identifier: Apache-2.0
// Reads the description of a generic device from YAML, strictly: every problem with its place, all at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tandem/machines/generic/description.hpp"
#include "tandem/machines/own_config.hpp"

namespace tandem::generic {

// What a configuration holds of a machine of this type.
struct OwnDescription : machines::OwnConfig {
  std::shared_ptr<const Description> description;
  std::string report() const override;  // everything that can ever be written, with limits: for `tandem check`
  machines::RosNames ros_names() const override;
};

// The keys of one machine, without type, device and twin. Where there are problems, the description is null.
struct DescriptionRead {
  std::shared_ptr<const Description> description;
  std::vector<yaml::FileError::Problem> problems;
};
DescriptionRead read_description(const yaml::Node& map, const std::string& file, const std::string& machine);

// A file of its own: those keys at its top, or one machine of type generic under `machines:`. Throws yaml::FileError.
std::shared_ptr<const Description> load_description(const std::string& file);

// What can ever be written, as `tandem check` prints it.
std::string writes_table(const Description& description);

}  // namespace tandem::generic
