// SPDX-License-Identifier: Apache-2.0
// XML as PolyScope writes it into its .urp files: elements, attributes and text, nothing else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::ur3e {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  // of all its text parts
  std::vector<XmlElement> children;

  // "" if there is none.
  std::string_view attribute(std::string_view attribute_name) const;
  // The first child of that name, or null.
  const XmlElement* child(std::string_view child_name) const;
};

// The root. Total: any text gives an element or an error; depth and count are limited.
Result<XmlElement> parse_xml(std::string_view text);

}  // namespace tandem::ur3e
