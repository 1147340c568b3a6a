// SPDX-License-Identifier: Apache-2.0
// From the syntax tree to instructions; internal to link().
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tandem/urscript/link/code.hpp"

namespace tandem::urscript {

// A name without `local` or `global` is global when the program knows a global of that name, else local to its
// function. What the main function assigns is global however it is written.
class Linker {
 public:
  // Appends to the code: a whole program to an empty one, or statements.
  Linker(const SyntaxTree& tree, const Builtins& builtins, Code& code)
      : tree_(tree), builtins_(builtins), code_(code) {}
  Result<void> run();
  // Of what was appended; kept when the code holds too many to keep it.
  const std::optional<Error>& first_warning() const { return first_warning_; }

 private:
  struct Loop {
    std::uint32_t start = 0;
    std::vector<std::uint32_t> exits;
  };
  struct Slot {
    bool global = false;
    std::uint32_t index = 0;
  };

  // Names
  bool declare_functions();
  void collect_globals(NodeId id, bool in_main);
  void collect_locals(NodeId id);
  void add_global(const std::string& name);
  std::uint32_t add_local(const std::string& name);
  std::optional<Slot> slot_of(const std::string& name) const;

  // Statements
  bool function_body(std::size_t function, NodeId node);
  bool block(NodeId id);
  bool statement(NodeId id);
  bool assign(const Node& node);
  bool declare(const Node& node);
  bool branch(const Node& node);
  bool loop(const Node& node);
  bool for_each(const Node& node);
  bool choose(const Node& node);
  bool give_back(const Node& node);
  bool leave_or_again(const Node& node);
  bool finish_loop();

  // Expressions
  bool expression(NodeId id);
  bool sequence(NodeId first, std::uint32_t* count);
  bool short_circuit(const Node& node);
  bool name(const Node& node);
  bool call(const Node& node, bool as_thread);
  bool make_struct(const Node& node);
  bool method(const Node& node);
  bool place(NodeId id, Place& place, NodeId& base);
  struct Mistake {
    const Node* at = nullptr;
    std::string text;
  };
  std::optional<Mistake> bind(const Node& call, std::span<const std::string> parameters,
                              const std::vector<bool>& optional, Binding& binding) const;
  bool arguments(const Node& call);
  bool unknown_function(const Node& node);
  bool unknown_variable(const Node& node);
  bool warn(const Node& at, std::string text, std::string when_reached);
  void call_builtin(const Node& node, const Builtin& builtin, Binding binding);

  std::uint32_t emit(Op op, const Node& at, std::uint32_t a = 0, std::uint32_t b = 0);
  // The last instruction of what has been linked: true.
  bool done(Op op, const Node& at, std::uint32_t a = 0, std::uint32_t b = 0) {
    emit(op, at, a, b);
    return true;
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }
  void land(std::uint32_t jump) { code_.instructions[jump].a = here(); }
  std::uint32_t constant(Value value);
  bool fail(const Node& at, std::string_view text);
  const Node& at(NodeId id) const { return tree_.at(id); }

  const SyntaxTree& tree_;
  const Builtins& builtins_;
  Code& code_;
  std::size_t main_ = 0;  // the function that the tree's statements become
  std::map<std::string, std::uint32_t, std::less<>> functions_;
  std::map<const Builtin*, std::uint32_t> used_builtins_;
  std::unordered_map<std::string, std::uint32_t> globals_;
  std::unordered_map<std::string, std::uint32_t> locals_;  // of the function at hand
  std::size_t function_ = 0;
  std::vector<Loop> loops_;
  std::optional<Error> error_, first_warning_;
};

}  // namespace tandem::urscript
