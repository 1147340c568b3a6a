// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/schema/checks.hpp"

namespace tandem::generic {
namespace {

// "stAxis.fSpeed" of "[1].stAxis[2].fSpeed".
std::string member_path(std::string_view rest) {
  std::string path;
  bool inside = false;
  for (const char c : rest) {
    if (c == '[') inside = true;
    if (!inside && (c != '.' || !path.empty())) path += c;
    if (c == ']') inside = false;
  }
  return path;
}

bool is_element(const Declaration& declaration, std::string_view rest) {
  if (rest.size() < 3 || rest.front() != '[' || rest.back() != ']') return false;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size() - 1, index);
  return error == std::errc() && end == rest.data() + rest.size() - 1 && index < declaration.count;
}

NamedValue value_within(const Declaration& declaration, std::string_view rest) {
  NamedValue value{&declaration, declaration.unit, true, declaration.type == Type::text};
  if (rest.empty()) {
    value.known = declaration.type != Type::unknown;
    return value;
  }
  for (const auto& [bit, called] : declaration.bits) {
    if (rest.front() == '.' && rest.substr(1) == called) return {&declaration, {}, true, false};
  }
  if (is_element(declaration, rest) && declaration.count > 1) return value;
  const bool structure = std::holds_alternative<AdsPlace>(declaration.at) && declaration.type == Type::unknown;
  if (!structure) return {};
  value.known = false;
  const std::string path = member_path(rest);
  auto member = declaration.members.find(path);
  if (member == declaration.members.end()) member = declaration.members.find(path.substr(path.rfind('.') + 1));
  if (member != declaration.members.end()) value.unit = member->second.unit;
  return value;
}

class NameChecker {
 public:
  NameChecker(const Description& description, Problems& problems) : description_(description), problems_(problems) {}

  void output(const Declaration& declaration) {
    const Output& output = *declaration.write;
    if (output.idle != Output::Idle::follow) return;
    const std::string what = declaration.name + ".write.idle";
    const NamedValue value = number(declaration.place, what, output.follow);
    if (value.declaration != nullptr && value.unit != declaration.unit)
      problems_.add(declaration.place, fmt::format("{}: expected a signal in {}, got {} in {}", what,
                                                   shown(declaration.unit), output.follow, shown(value.unit)));
  }
  void sim(const yaml::Place& place, const std::string& what, const Sim& sim) {
    if (sim.kind == Sim::Kind::joint) return;
    if (!sim.signal.empty()) number(place, what, sim.signal);
    if (sim.kind == Sim::Kind::expression) expression(place, what, sim.text);
  }
  void expression(const yaml::Place& place, const std::string& what, const std::string& text) {
    const auto parsed = Expression::parse(text);
    if (!parsed) return;  // known by now
    for (const std::string& name : parsed->names()) number(place, what, name);
  }
  NamedValue number(const yaml::Place& place, const std::string& what, const std::string& name) {
    NamedValue value = named_value(description_, name);
    if (value.declaration == nullptr) problems_.add(place, what + no_signal(description_, name));
    if (value.is_text)
      problems_.add(place, fmt::format("{}: expected a number, got the string {}", what, printable(name)));
    return value;
  }

 private:
  static std::string shown(const std::string& unit) { return unit.empty() ? "no unit" : unit; }

  const Description& description_;
  Problems& problems_;
};

void check_on_stop(const Description& description, const yaml::Place& arm, Problems& problems) {
  for (const auto& [name, value] : description.on_stop) {
    const std::string what = "arm.on_stop." + printable(name);
    const Declaration* output = description.find(name);
    if (output == nullptr) {
      problems.add(arm, what + no_signal(description, name));
    } else if (!output->write) {
      problems.add(arm, fmt::format("{}: expected an output, got a signal without `write`", what));
    } else if (output->write->level != Output::Level::number && value != 0 && value != 1) {
      problems.add(arm, fmt::format("{}: expected 0 or 1, got {}", what, number_text(value)));
    } else if (const Range& limits = output->write->limits;
               output->write->level == Output::Level::number && (value < limits.lowest || value > limits.highest)) {
      problems.add(arm, fmt::format("{}: expected {} to {}, got {}", what, number_text(limits.lowest),
                                    number_text(limits.highest), number_text(value)));
    }
  }
}

}  // namespace

NamedValue named_value(const Description& description, const std::string& name) {
  for (const Declaration& each : description.signals) {
    if (!std::string_view(name).starts_with(each.name)) continue;
    const std::string_view rest = std::string_view(name).substr(each.name.size());
    if (!rest.empty() && rest.front() != '.' && rest.front() != '[') continue;
    NamedValue value = value_within(each, rest);
    if (value.declaration != nullptr) return value;
  }
  return {};
}

std::string no_signal(const Description& description, const std::string& name) {
  std::vector<std::string_view> known;
  std::vector<std::string> bits;
  bits.reserve(description.signals.size());
  for (const Declaration& each : description.signals) {
    if (!each.hidden) known.push_back(each.name);
  }
  for (const Declaration& each : description.signals) {
    for (const auto& [bit, called] : each.bits) bits.push_back(fmt::format("{}.{}", each.name, called));
  }
  known.insert(known.end(), bits.begin(), bits.end());
  const std::string_view close = nearest(name, known);
  return fmt::format(": no signal '{}'{}", printable(name),
                     close.empty() ? "" : fmt::format("; did you mean '{}'?", close));
}

void check_names(const Description& description, const yaml::Place& arm, Problems& problems) {
  NameChecker checker(description, problems);
  for (const Declaration& each : description.signals) {
    if (problems.full()) return;
    if (each.write) checker.output(each);
    if (each.sim) checker.sim(each.place, each.name + ".sim", *each.sim);
    for (const auto& [name, member] : each.members) {
      if (member.sim) checker.sim(each.place, fmt::format("{}.sim.{}", each.name, name), *member.sim);
    }
  }
  checker.expression(arm, "arm.enable", description.enable);
  check_on_stop(description, arm, problems);
}

}  // namespace tandem::generic
