// SPDX-License-Identifier: Apache-2.0
#include "tests/urscript/script_rig.hpp"

#include <fmt/format.h>

namespace tandem::urscript {

ScriptRig::ScriptRig() {
  add_language_library(builtins, {.textmsg = [this](std::string_view text) { said.emplace_back(text); }});
}

bool ScriptRig::load(std::string_view text, Limits limits) {
  program_.reset();
  refused.clear();
  auto parsed = Program::parse(text);
  if (!parsed) return refused = parsed.error().text, false;
  auto linked = parsed->link(builtins);
  if (!linked) return refused = linked.error().text, false;
  program_ = std::make_unique<Interpreter>(*linked, limits);
  return true;
}

void ScriptRig::step(std::uint64_t cycles) {
  for (std::uint64_t i = 0; i < cycles; ++i) {
    ++cycle.number;
    program_->step(cycle);
  }
}

bool ScriptRig::finish(std::uint64_t most) {
  for (std::uint64_t i = 0; i < most && program_->running(); ++i) step();
  return !program_->running();
}

std::string ScriptRig::run(std::string_view text, std::string_view name) {
  if (!load(text)) return "error: " + refused;
  if (!finish()) return "error: still running";
  if (program_->error()) return fmt::format("error: line {}: {}", program_->error()->line, program_->error()->text);
  return global(name);
}

std::string ScriptRig::global(std::string_view name) const {
  const Value* value = program_->global(name);
  return value == nullptr ? "no such global" : to_text(*value);
}

std::string ScriptRig::all_said() const {
  std::string out;
  for (const std::string& each : said) out += (out.empty() ? "" : "|") + each;
  return out;
}

}  // namespace tandem::urscript
