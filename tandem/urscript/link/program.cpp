// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/link/program.hpp"

#include <fmt/format.h>

namespace tandem::urscript {

Result<Program> Program::parse(std::string_view text) {
  if (text.size() > largest_script) {
    return Error{Fault::invalid,
                 fmt::format("program: expected at most {} bytes, got {}", largest_script, text.size())};
  }
  auto tree = urscript::parse(text);
  if (!tree) return std::move(tree).error();
  return Program(*std::move(tree));
}

Result<std::shared_ptr<const Code>> Program::link(const Builtins& builtins) const {
  auto code = urscript::link(*tree_, builtins);
  if (!code) return std::move(code).error();
  return std::make_shared<const Code>(*std::move(code));
}

}  // namespace tandem::urscript
