// SPDX-License-Identifier: Apache-2.0
// Any bytes as XML: a tree within its limits, or an error that names the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tandem/base/utf8.hpp"
#include "tandem/xml/tree.hpp"

namespace {

void check(bool good) {
  if (!good) std::abort();
}

std::size_t checked_size(const tandem::xml::Element& element, int depth) {
  check(depth <= 90 && !element.name.empty() && element.line > 0 && tandem::is_utf8(element.text));
  std::size_t size = 1;
  for (const auto& attribute : element.attributes) check(attribute.value.size() <= 4096);
  for (const auto& child : element.children) size += checked_size(child, depth + 1);
  return size;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tandem::xml::Limits limits{64 * 1024, 500, 4096};
  const auto root = tandem::xml::parse({reinterpret_cast<const char*>(data), size}, "a.xml", limits);
  if (root) {
    check(checked_size(*root, 1) <= limits.elements);
  } else {
    check(root.error().text.starts_with("a.xml:"));
  }
  return 0;
}
