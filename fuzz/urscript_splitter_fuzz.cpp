// SPDX-License-Identifier: Apache-2.0
// Any bytes as the stream of a script port: every segmentation gives the same programs, and all of them come from it.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tandem/urscript/syntax/splitter.hpp"

namespace {

using tandem::Bytes;
using tandem::urscript::ProgramSplitter;

constexpr std::size_t largest = 1u << 12;  // low, so that it is met

struct Cut {
  std::vector<std::string> programs;
  bool refused = false;  // something was too large
};

Cut cut(Bytes bytes, std::size_t step) {
  ProgramSplitter splitter(largest);
  Cut made;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const auto fed = splitter.feed(bytes.subspan(at, std::min(step, bytes.size() - at)), made.programs);
    made.refused = made.refused || !fed.ok();
  }
  return made;
}

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes(data, size);
  const Cut whole = cut(bytes, size + 1);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, size / 2 + 1}) {
    const Cut pieces = cut(bytes, step);
    require(pieces.programs == whole.programs);
    require(pieces.refused == whole.refused);
  }
  std::size_t total = 0;
  for (const std::string& program : whole.programs) {
    require(!program.empty() && program.size() <= largest + 1);
    total += program.size();
  }
  require(total <= size);
  return 0;
}
