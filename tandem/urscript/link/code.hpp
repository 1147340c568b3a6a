// SPDX-License-Identifier: Apache-2.0
// A linked program: a flat list of instructions for a stack machine that can stop between any two of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/urscript/library/builtins.hpp"
#include "tandem/urscript/syntax/syntax.hpp"

namespace tandem::urscript {

enum class Op : std::uint8_t {
  constant,     // push constants[a]
  load_local,   // push the local variable a
  load_global,  // push the global variable a
  refuse,       // runtime error: names[a] says what
  store_local,  // pop into a
  store_global,
  store_in_local,  // a: variable, b: place; pops the value, then the indices of the place
  store_in_global,
  method_local,  // a: variable, b: method call
  method_global,
  drop,       // pop
  make_list,  // pop a values, push their list
  make_pose,
  make_struct,  // pop as many values as structs[a] has names
  index,        // pop a indices and a value, push the element
  member,       // names[a]
  negate,
  invert,
  binary,                 // a: Operator
  as_truth,               // pop a value, push whether it holds
  jump,                   // to a
  jump_if_false,          // pop
  jump_if_false_or_drop,  // and, or: keep the truth as the answer, or drop it and go on
  jump_if_true_or_drop,
  jump_if_given,  // to a when the local variable b has a value: the default of a parameter is not needed
  next_item,      // for: local a is the list, a + 1 the position; push the item or jump to b
  call,           // calls[a] of functions[b]
  call_builtin,   // calls[a] of builtins[b]
  start,          // calls[a] of the thread functions[b]; push its handle
  give_back,      // pop the answer and leave the function
  stop,           // halt
  enter_critical,
  exit_critical,
  join,  // pop a handle
  kill,
};

struct Instruction {
  Op op = Op::stop;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// Which argument of a call, in the order they were written, goes to which parameter.
struct Binding {
  static constexpr std::uint32_t left_out = 0xFFFFFFFF;
  std::uint32_t count = 0;
  std::vector<std::uint32_t> argument;  // one entry for every parameter
};

// `[i].x[j, k]` behind a variable: steps of indices or a member.
struct Step {
  std::uint32_t indices = 0;  // none: a member
  std::string member;
};
struct Place {
  std::vector<Step> steps;
  std::uint32_t indices = 0;  // of all steps
};
struct MethodCall {
  Place place;
  std::string name;
  std::uint32_t arguments = 0;
};

struct Function {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<bool> has_default;
  std::vector<std::string> locals;  // the parameters first
  std::uint32_t entry = 0;
  bool is_thread = false;
};

struct Code {
  std::string name;
  bool secondary = false;
  std::vector<Instruction> instructions;
  std::vector<Function> functions;  // the main function first
  std::vector<std::string> globals;
  std::vector<Value> constants;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> structs;
  std::vector<Place> places;
  std::vector<MethodCall> methods;
  std::vector<Binding> calls;
  std::vector<const Builtin*> builtins;
  // Calls that fail when the program comes to them: of functions that do not exist, or with arguments that a built-in
  // does not take. "line 3, column 5: ..."
  std::vector<Error> warnings;
};

// How much code there is; what was appended later can be cut off again.
struct CodeSize {
  std::size_t instructions = 0, functions = 0, globals = 0, constants = 0, names = 0, structs = 0, places = 0,
              methods = 0, calls = 0, warnings = 0;
};
CodeSize size_of(const Code& code);
void cut(Code& code, const CodeSize& size);

// Resolves every name and call. What is wrong within the program (a function of its own called with wrong arguments, a
// secondary program that would take time) is an error here, before anything runs; an unknown function or a wrong call
// of a built-in is a warning, and an error when the program comes to it.
Result<Code> link(const SyntaxTree& tree, const Builtins& builtins);

// Appends statements to a program that may be running: they see its globals and functions, and what they assign is
// global. The new function takes no parameters. Any warning is an error here, which leaves the code as it was.
Result<std::uint32_t> link_statements(const SyntaxTree& tree, const Builtins& builtins, Code& code);

// What a controller says of a function that it does not have.
std::string name_not_found(std::string_view name);

}  // namespace tandem::urscript
