// SPDX-License-Identifier: Apache-2.0
// The syntax tree of a script: nodes in one arena, named by their place in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::urscript {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xFFFFFFFF;

enum class NodeKind : std::uint8_t {
  // Expressions
  integer,
  floating,
  text,
  truth,
  none,
  name,
  list,      // children: items
  pose,      // children: six numbers
  call,      // text: function; children: arguments
  method,    // text: method; children: the place, then arguments
  argument,  // text: name or empty; child: value
  index,     // children: value, then one or two places
  member,    // text: member; child: value
  negate,
  invert,
  binary,  // op; children: two
  both,
  either,  // and, or; children: two
  start,   // run: child: call
  // Statements
  block,      // children: statements
  assign,     // children: the place, the value
  declare,    // text: variable; op 1 global, 0 local; child: value when there is one
  evaluate,   // child: expression
  branch,     // children: condition, block, condition, block ..., and a last block for else
  loop,       // children: condition, block
  for_each,   // text: variable; children: list, block
  choose,     // children: value, then case values and blocks in turn, and a last block for default
  give_back,  // child: value when there is one
  leave,
  again,
  stop,
  enter_critical,
  exit_critical,
  join,
  kill,       // child: handle
  function,   // text: name; op 0 def, 1 thread, 2 sec; children: parameters, block
  parameter,  // text: name; child: default value when there is one
};

struct Node {
  NodeKind kind = NodeKind::none;
  std::uint8_t op = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t depth = 0;  // of the tree below, bounded
  NodeId first = no_node;   // child
  NodeId last = no_node;
  NodeId next = no_node;  // sibling
  double number = 0.0;
  std::string text;
};

struct SyntaxTree {
  std::vector<Node> nodes;
  NodeId body = no_node;          // the block of the main function
  std::string name;               // of the program
  bool secondary = false;         // `sec`: runs beside the main program, takes no time
  bool bare = false;              // statements alone, no function among them or around them
  std::vector<NodeId> functions;  // every def and thread inside, nested ones too

  const Node& at(NodeId id) const { return nodes[id]; }
};

// A whole program: one `def name(): ... end`, one `sec name(): ... end`, or bare statements.
// Any text gives a tree or an error with line and column.
// `statements`: lines for a program that runs already; a function among them is defined, not run.
Result<SyntaxTree> parse(std::string_view script, bool statements = false);

}  // namespace tandem::urscript
