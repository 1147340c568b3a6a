// SPDX-License-Identifier: Apache-2.0
// Makes one recording of those of several hosts, on the clock of the first: its messages in the order of their
// corrected times. Streams: memory is bounded by the open chunks of the inputs, not by their sizes.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tandem/record/mcap_reader.hpp"

namespace tandem::record {

struct MergeInput {
  std::string file;
  std::string name;   // of the host, for what has to be renamed: letters, digits and _, a letter first
  double offset = 0;  // its clock minus that of the first, s; subtracted from all its times
  // How the offset is known, for the metadata of the new file.
  double uncertainty = 0;  // s; negative: not known
  std::string source{};    // "given", "wall clock", ...
};

struct MergeOptions {
  std::set<std::string> join{};  // topics that stay one although several files have them
  std::function<void(double)> progress = {};
};

struct Merged {
  std::uint64_t messages = 0, attachments = 0, metadata = 0;
  std::vector<std::pair<std::string, std::string>> renamed;  // "b.mcap: /odom" to "/b/odom"
};

// `to` must not exist. Refused: fewer than two files, a file that is not whole, the same file or the same content
// twice. A topic that an earlier file has already becomes /NAME/topic, unless it is joined, which takes the same type.
// On an error there is no new file.
Result<Merged> merge(const std::vector<MergeInput>& inputs, const std::string& to, const MergeOptions& options = {});

// Whether they can be merged at all, as above; the readers of all of them.
Result<std::vector<McapReader>> open_for_merge(const std::vector<std::string>& files);

// Different names for files, of their own: "cell1" for "runs/cell1.mcap".
std::vector<std::string> merge_names(const std::vector<std::string>& files);

}  // namespace tandem::record
