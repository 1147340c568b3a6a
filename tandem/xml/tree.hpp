// SPDX-License-Identifier: Apache-2.0
// An XML document as a small bounded tree that remembers its lines: URDF, TwinCAT's .tmc and .tpy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::xml {

struct Attribute {
  std::string name, value;
  int line = 0;  // from 1
};

struct Element {
  std::string name;  // with its prefix: "xacro:macro"
  int line = 0;
  std::string text;  // its own, all pieces and CDATA joined, without blanks at both ends
  std::vector<Attribute> attributes;
  std::vector<Element> children;  // in the order of the file

  const Attribute* attribute(std::string_view called) const;  // null: none
  const Element* child(std::string_view called) const;        // the first of this name; null: none
  std::string_view text_of(std::string_view called) const;    // of that child; empty: none
};

struct Limits {
  std::size_t bytes = 1 << 20;
  std::size_t elements = 50'000;  // and as many attributes, comments and pieces of text again
  std::size_t attribute_bytes = 64 * 1024;
};

// Any bytes in, the root element or an error "FILE:LINE: ..." out. UTF-8, or ISO-8859-1 and windows-1252 where the
// declaration says so; texts come out as UTF-8. Only the five entities of XML and character references are known,
// nothing is ever loaded or expanded. Refused, so that hostile input costs little: DOCTYPE, more than the limits,
// nesting deeper than 90, NUL.
Result<Element> parse(std::string_view text, const std::string& file, const Limits& limits = {});

}  // namespace tandem::xml
