// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/link/linker.hpp"

#include <fmt/format.h>

#include "tandem/base/nearest.hpp"
#include "tandem/urscript/syntax/lexer.hpp"

namespace tandem::urscript {

namespace {
constexpr std::size_t most_variables = 10'000;  // globals, and locals of one function
constexpr std::size_t most_warnings = 100;      // that are kept
}  // namespace

bool Linker::fail(const Node& at, std::string_view text) {
  if (!error_) error_ = error_at(at.line, at.column, text);
  return false;
}

// The program may run until it comes here.
bool Linker::warn(const Node& at, std::string text, std::string when_reached) {
  const Error warning = error_at(at.line, at.column, text);
  if (!first_warning_) first_warning_ = warning;
  if (code_.warnings.size() < most_warnings) code_.warnings.push_back(warning);
  code_.names.push_back(std::move(when_reached));
  emit(Op::refuse, at, static_cast<std::uint32_t>(code_.names.size() - 1));
  return true;
}

std::uint32_t Linker::emit(Op op, const Node& at, std::uint32_t a, std::uint32_t b) {
  code_.instructions.push_back({op, a, b, at.line, at.column});
  return here() - 1;
}

std::uint32_t Linker::constant(Value value) {
  code_.constants.push_back(std::move(value));
  return static_cast<std::uint32_t>(code_.constants.size() - 1);
}

bool Linker::declare_functions() {
  Function main;
  if (main_ == 0) main.name = tree_.name;  // statements cannot be called
  code_.functions.push_back(std::move(main));
  for (const NodeId id : tree_.functions) {
    const Node& node = at(id);
    Function function;
    function.name = node.text;
    function.is_thread = node.op == 1;
    for (NodeId child = node.first; child != node.last; child = at(child).next) {
      function.parameters.push_back(at(child).text);
      function.has_default.push_back(at(child).first != no_node);
    }
    const auto index = static_cast<std::uint32_t>(code_.functions.size());
    const auto known = functions_.find(node.text);
    if (known != functions_.end() && known->second > main_) {
      return fail(node, fmt::format("'{}' is defined twice", printable(node.text)));
    }
    functions_.insert_or_assign(node.text, index);
    code_.functions.push_back(std::move(function));
  }
  return true;
}

void Linker::add_global(const std::string& name) {
  const auto index = static_cast<std::uint32_t>(code_.globals.size());
  if (globals_.emplace(name, index).second) code_.globals.push_back(name);
}

std::uint32_t Linker::add_local(const std::string& name) {
  Function& function = code_.functions[function_];
  const auto index = static_cast<std::uint32_t>(function.locals.size());
  const auto [place, added] = locals_.emplace(name, index);
  if (added) function.locals.push_back(name);
  return place->second;
}

void Linker::collect_globals(NodeId id, bool in_main) {
  const Node& node = at(id);
  const bool leaves_main = node.kind == NodeKind::function;
  if (node.kind == NodeKind::declare && (in_main || node.op == 1)) add_global(node.text);
  if (in_main && node.kind == NodeKind::for_each) add_global(node.text);
  if (in_main && node.kind == NodeKind::assign && at(node.first).kind == NodeKind::name)
    add_global(at(node.first).text);
  for (NodeId child = node.first; child != no_node; child = at(child).next) {
    collect_globals(child, in_main && !leaves_main);
  }
}

void Linker::collect_locals(NodeId id) {
  const Node& node = at(id);
  if (node.kind == NodeKind::function) return;
  const bool known = globals_.contains(node.kind == NodeKind::assign ? at(node.first).text : node.text);
  if (node.kind == NodeKind::declare && node.op == 0) add_local(node.text);
  if (node.kind == NodeKind::for_each && !known) add_local(node.text);
  if (node.kind == NodeKind::assign && at(node.first).kind == NodeKind::name && !known) add_local(at(node.first).text);
  for (NodeId child = node.first; child != no_node; child = at(child).next) collect_locals(child);
}

std::optional<Linker::Slot> Linker::slot_of(const std::string& name) const {
  if (const auto local = locals_.find(name); local != locals_.end()) return Slot{false, local->second};
  if (const auto global = globals_.find(name); global != globals_.end()) return Slot{true, global->second};
  return std::nullopt;
}

bool Linker::function_body(std::size_t function, NodeId node) {
  function_ = function;
  locals_.clear();
  code_.functions[function].entry = here();
  const NodeId body = function == main_ ? tree_.body : at(node).last;
  if (function != main_) {
    for (const std::string& parameter : code_.functions[function].parameters) {
      if (locals_.contains(parameter))
        return fail(at(node), fmt::format("two parameters are named '{}'", printable(parameter)));
      add_local(parameter);
    }
    collect_locals(body);
    for (NodeId child = at(node).first; child != at(node).last; child = at(child).next) {
      if (at(child).first == no_node) continue;
      const std::uint32_t slot = locals_.at(at(child).text);
      const std::uint32_t given = emit(Op::jump_if_given, at(child), 0, slot);
      if (!expression(at(child).first)) return false;
      emit(Op::store_local, at(child), slot);
      land(given);
    }
  }
  if (!block(body)) return false;
  emit(Op::constant, at(body), constant(None{}));
  emit(Op::give_back, at(body));
  if (code_.functions[function].locals.size() > most_variables) return fail(at(body), "too many variables");
  return true;
}

Result<void> Linker::run() {
  main_ = code_.functions.size();
  if (main_ == 0) {
    code_.name = tree_.name;
    code_.secondary = tree_.secondary;
  }
  for (std::size_t i = 1; i < main_; ++i)  // those without a name are statements, which cannot be called
    if (const std::string& name = code_.functions[i].name; !name.empty())
      functions_.insert_or_assign(name, static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < code_.globals.size(); ++i)
    globals_.emplace(code_.globals[i], static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < code_.builtins.size(); ++i)
    used_builtins_.emplace(code_.builtins[i], static_cast<std::uint32_t>(i));
  bool good = declare_functions();
  if (good) {
    collect_globals(tree_.body, true);
    if (code_.globals.size() > most_variables) good = fail(at(tree_.body), "too many variables");
  }
  good = good && function_body(main_, no_node);
  for (std::size_t i = 0; good && i < tree_.functions.size(); ++i)
    good = function_body(main_ + 1 + i, tree_.functions[i]);
  if (!good) return *std::move(error_);
  return {};
}

Result<Code> link(const SyntaxTree& tree, const Builtins& builtins) {
  Code code;
  if (auto linked = Linker(tree, builtins, code).run(); !linked) return std::move(linked).error();
  return code;
}

Result<std::uint32_t> link_statements(const SyntaxTree& tree, const Builtins& builtins, Code& code) {
  const CodeSize before = size_of(code);
  Linker linker(tree, builtins, code);
  auto linked = linker.run();
  if (linked && linker.first_warning()) linked = *linker.first_warning();
  if (linked) return static_cast<std::uint32_t>(before.functions);
  cut(code, before);
  return std::move(linked).error();
}

CodeSize size_of(const Code& code) {
  return {code.instructions.size(), code.functions.size(), code.globals.size(), code.constants.size(),
          code.names.size(),        code.structs.size(),   code.places.size(),  code.methods.size(),
          code.calls.size(),        code.warnings.size()};
}

void cut(Code& code, const CodeSize& size) {
  code.instructions.resize(size.instructions);
  code.functions.resize(size.functions);
  code.globals.resize(size.globals);
  code.constants.resize(size.constants);
  code.names.resize(size.names);
  code.structs.resize(size.structs);
  code.places.resize(size.places);
  code.methods.resize(size.methods);
  code.calls.resize(size.calls);
  code.warnings.erase(code.warnings.begin() + static_cast<std::ptrdiff_t>(size.warnings), code.warnings.end());
}

std::string name_not_found(std::string_view name) {
  return fmt::format("compile_error_name_not_found:{}:", printable(name));
}

}  // namespace tandem::urscript
