// SPDX-License-Identifier: Apache-2.0
// Recursive descent over the grammar of docs/generic.md; every level counts, so that no text exhausts the stack.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/characters.hpp"
#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/expression_nodes.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t longest_expression = 4096;
constexpr std::size_t most_arguments = 8;

struct FunctionRow {
  std::string_view name;
  Operation operation;
  std::size_t fewest, most;
};
constexpr auto functions = std::to_array<FunctionRow>({
    {"abs", Operation::abs, 1, 1},
    {"min", Operation::min, 2, most_arguments},
    {"max", Operation::max, 2, most_arguments},
    {"clamp", Operation::clamp, 3, 3},
    {"sqrt", Operation::sqrt, 1, 1},
    {"exp", Operation::exp, 1, 1},
    {"log", Operation::log, 1, 1},
    {"sin", Operation::sin, 1, 1},
    {"cos", Operation::cos, 1, 1},
    {"tan", Operation::tan, 1, 1},
    {"atan2", Operation::atan2, 2, 2},
    {"floor", Operation::floor, 1, 1},
    {"round", Operation::round, 1, 1},
    {"sign", Operation::sign, 1, 1},
    {"step", Operation::step, 1, 1},
    {"lerp", Operation::lerp, 3, 3},
    {"noise", Operation::noise, 0, 0},
    {"prev", Operation::before, 1, 1},
    {"rise", Operation::rise, 1, 1},
});

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  bool parse() {
    if (text_.size() > longest_expression) return fail(fmt::format("at most {} characters", longest_expression));
    return expression() && (at_end() || fail("an operator or the end"));
  }

  std::string error_;
  std::vector<std::string> names_;
  std::vector<Expression::Node> nodes_;

 private:
  // Counts a level while it lives.
  struct Level {
    explicit Level(int& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth_;
  };

  bool fail(std::string_view expected) {
    if (!error_.empty()) return false;
    skip();
    std::size_t end = at_;
    if (end < text_.size()) {
      ++end;
      if (in_name(text_[at_])) {
        while (end < text_.size() && in_name(text_[end])) ++end;
      }
    }
    const std::string got =
        at_ < text_.size() ? fmt::format("'{}'", printable(text_.substr(at_, end - at_))) : "the end";
    error_ = fmt::format("character {}: expected {}, got {}", at_ + 1, expected, got);
    return false;
  }
  bool too_large() {
    if (error_.empty()) error_ = fmt::format("expected at most {} operations and values", most_expression_nodes);
    return false;
  }

  bool shallow() {
    if (depth_ <= deepest_expression) return true;
    if (error_.empty()) error_ = fmt::format("expected at most {} levels of nesting", deepest_expression);
    return false;
  }

  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  bool take(std::string_view symbol) {
    skip();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }
  std::string_view word() {
    skip();
    std::size_t end = at_;
    if (end < text_.size() && begins_name(text_[end])) {
      while (end < text_.size() && in_name(text_[end])) ++end;
    }
    return text_.substr(at_, end - at_);
  }
  bool take_word(std::string_view wanted) {
    if (word() != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  bool add(Operation operation, std::size_t arguments, double number = 0, std::size_t name = 0) {
    if (nodes_.size() >= most_expression_nodes) return too_large();
    nodes_.push_back({static_cast<std::uint8_t>(operation), static_cast<std::uint8_t>(arguments),
                      static_cast<std::uint16_t>(name), number});
    return true;
  }

  bool expression() {
    const Level level(depth_);
    if (!shallow() || !disjunction()) return false;
    if (!take("?")) return true;
    return expression() && (take(":") || fail("':'")) && expression() && add(Operation::choose, 3);
  }
  bool disjunction() {
    if (!conjunction()) return false;
    while (take_word("or")) {
      if (!conjunction() || !add(Operation::either, 2)) return false;
    }
    return true;
  }
  bool conjunction() {
    if (!negation()) return false;
    while (take_word("and")) {
      if (!negation() || !add(Operation::both, 2)) return false;
    }
    return true;
  }
  bool negation() {
    if (take_word("not")) return comparison() && add(Operation::inverse, 1);
    return comparison();
  }
  bool comparison() {
    if (!sum()) return false;
    constexpr std::array<std::pair<std::string_view, Operation>, 6> signs = {{{"<=", Operation::less_equal},
                                                                              {">=", Operation::greater_equal},
                                                                              {"==", Operation::equal},
                                                                              {"!=", Operation::unequal},
                                                                              {"<", Operation::less},
                                                                              {">", Operation::greater}}};
    for (const auto& [sign, operation] : signs) {
      if (take(sign)) return sum() && add(operation, 2);
    }
    return true;
  }
  bool sum() {
    if (!term()) return false;
    while (true) {
      const Operation operation = take("+") ? Operation::add : take("-") ? Operation::subtract : Operation::number;
      if (operation == Operation::number) return true;
      if (!term() || !add(operation, 2)) return false;
    }
  }
  bool term() {
    if (!unary()) return false;
    while (true) {
      const Operation operation = take("*")   ? Operation::multiply
                                  : take("/") ? Operation::divide
                                  : take("%") ? Operation::modulo
                                              : Operation::number;
      if (operation == Operation::number) return true;
      if (!unary() || !add(operation, 2)) return false;
    }
  }
  bool unary() {
    if (take("-")) return power() && add(Operation::negate, 1);
    return power();
  }
  bool power() {
    if (!atom()) return false;
    if (!take("^")) return true;
    const Level level(depth_);  // 2^2^2^...
    return shallow() && unary() && add(Operation::power, 2);
  }

  bool atom() {
    skip();
    if (take("(")) return expression() && (take(")") || fail("')'"));
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    const std::string_view name = word();
    if (name.empty() || name == "and" || name == "or" || name == "not")
      return fail("a number, a signal, a function or '('");
    const std::size_t begin = at_;
    at_ += name.size();
    if (take("(")) return function(name, begin);
    if (name == "t") return add(Operation::t, 0);
    if (name == "dt") return add(Operation::dt, 0);
    if (name == "pi") return add(Operation::number, 0, std::numbers::pi);
    if (name == "true") return add(Operation::number, 0, 1);
    if (name == "false") return add(Operation::number, 0, 0);
    at_ = begin;
    const auto index = signal();
    return index && add(Operation::value, 0, 0, *index);
  }

  bool number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return fail("a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return add(Operation::number, 0, value);
  }

  bool function(std::string_view name, std::size_t begin) {
    const auto* row = std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.name == name; });
    if (row == functions.end()) {
      std::array<std::string_view, functions.size()> known;
      std::transform(functions.begin(), functions.end(), known.begin(), [](const auto& f) { return f.name; });
      error_ =
          fmt::format("character {}: unknown function '{}'{}", begin + 1, printable(name), suggestion(name, known));
      return false;
    }
    if (row->operation == Operation::before || row->operation == Operation::rise) {
      const auto index = signal();
      return index && (take(")") || fail("')'")) && add(row->operation, 0, 0, *index);
    }
    std::size_t count = 0;
    if (!take(")")) {
      do {
        if (!expression()) return false;
        ++count;
      } while (take(","));
      if (!take(")")) return fail("',' or ')'");
    }
    if (count < row->fewest || count > row->most) {
      const std::string wanted =
          row->fewest == row->most ? fmt::format("{}", row->most) : fmt::format("{} to {}", row->fewest, row->most);
      error_ = fmt::format("character {}: {}: expected {} values, got {}", begin + 1, name, wanted, count);
      return false;
    }
    return add(row->operation, count);
  }

  // name {"." name | "[" int {"," int} "]"}, without its blanks.
  std::optional<std::size_t> signal() {
    std::string name(word());
    if (name.empty()) return fail("the name of a signal"), std::nullopt;
    at_ += name.size();
    while (at_ < text_.size()) {
      if (text_[at_] == '.') {
        ++at_;
        const std::string_view member = is_blank(at_ < text_.size() ? text_[at_] : ' ') ? std::string_view() : word();
        if (member.empty()) return fail("a name after '.'"), std::nullopt;
        name += '.';
        name += member;
        at_ += member.size();
      } else if (text_[at_] == '[') {
        if (!index(name)) return std::nullopt;
      } else {
        break;
      }
    }
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known != names_.end()) return static_cast<std::size_t>(known - names_.begin());
    names_.push_back(std::move(name));
    return names_.size() - 1;
  }
  bool index(std::string& name) {
    char begin = '[';
    do {
      ++at_;
      skip();
      int value = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error != std::errc()) return fail("a whole number");
      at_ = static_cast<std::size_t>(end - text_.data());
      name += begin + std::to_string(value);
      begin = ',';
      skip();
    } while (at_ < text_.size() && text_[at_] == ',');
    if (!take("]")) return fail("']'");
    name += ']';
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Expression> Expression::parse(std::string_view text) {
  ExpressionParser parser(text);
  if (!parser.parse()) return Error{Fault::invalid, std::move(parser.error_)};
  Expression made;
  made.text_ = std::string(text);
  made.names_ = std::move(parser.names_);
  made.nodes_ = std::move(parser.nodes_);
  return made;
}

}  // namespace tandem::generic
