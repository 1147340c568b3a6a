// SPDX-License-Identifier: Apache-2.0
// A YAML document as a small bounded tree that remembers where everything stood.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::yaml {

// A place in a file; line and column count from 1, 0 means the file as a whole.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text() const;  // "lab.yaml:3:5"
};

// Everything that is wrong with a file; what() has one line for each problem.
class FileError : public std::runtime_error {
 public:
  struct Problem {
    Place place;
    std::string text;
  };
  explicit FileError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

struct Node {
  enum class Kind { nothing, scalar, sequence, map };
  Kind kind = Kind::nothing;
  int line = 0;
  int column = 0;
  bool quoted = false;  // a scalar in quotes is text, whatever it looks like
  std::string scalar;
  std::vector<Node> keys;   // of a map, scalars, as they was in the file
  std::vector<Node> items;  // of a list; of a map the values, one for each key
};

const char* name(Node::Kind kind);

// Any bytes in, a tree or a FileError out. Refused, so that hostile input costs little: more than 256 KiB or
// 60,000 nodes, nesting deeper than 32, NUL, broken UTF-8, anchors, aliases, tags, several documents.
Node parse(std::string_view text, const std::string& file);

}  // namespace tandem::yaml
