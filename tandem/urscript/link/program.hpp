// SPDX-License-Identifier: Apache-2.0
// A parsed script, and the same linked with the functions it calls.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tandem/urscript/link/code.hpp"

namespace tandem::urscript {

// The largest script that is read at all, bytes.
inline constexpr std::size_t largest_script = 4u << 20;

// A `def` or `sec` with its name, or bare lines, named "script". Errors say "line 3, column 5: ..." and carry the
// line as their code.
class Program {
 public:
  static Result<Program> parse(std::string_view text);

  const std::string& name() const { return tree_->name; }
  bool secondary() const { return tree_->secondary; }
  bool bare() const { return tree_->bare; }

  Result<std::shared_ptr<const Code>> link(const Builtins& builtins) const;

 private:
  explicit Program(SyntaxTree tree) : tree_(std::make_shared<const SyntaxTree>(std::move(tree))) {}
  std::shared_ptr<const SyntaxTree> tree_;
};

}  // namespace tandem::urscript
