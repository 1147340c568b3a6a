// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/learn/plc_program.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"

namespace tandem::generic {
namespace {

using Kind = PlcTypeText::Kind;

constexpr int deepest_structure = 12;        // structures within structures
constexpr std::size_t longest_path = 200;    // characters
constexpr std::uint64_t most_elements = 64;  // of an array whose elements have to be named one by one

bool is_output_area(std::uint32_t group) { return group == ads::group::output || group == ads::group::output_bits; }
bool is_input_area(std::uint32_t group) { return group == ads::group::input || group == ads::group::input_bits; }

// "fSet", "bStartCmd", "SollDrehzahl", but not "bReset".
bool sounds_like_command(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('.') + 1);
  for (const std::string_view word : {"Cmd", "CMD", "Set", "SET", "Soll", "SOLL"}) {
    const std::size_t at = name.find(word);
    if (at == name.npos) continue;
    const char before = at > 0 ? name[at - 1] : '_';
    const bool begins = word[1] >= 'a' || before == '_' || (before >= 'a' && before <= 'z');
    if (begins) return true;
  }
  return false;
}

std::uint64_t elements_of(const std::vector<ads::ArrayBounds>& bounds) {
  std::uint64_t count = 1;
  for (const auto& each : bounds) count = std::min<std::uint64_t>(count * each.count, 1u << 30);
  return count;
}

// "[2]", "[1,0]" of the element with that number, the last index fastest.
std::string index_of(const std::vector<ads::ArrayBounds>& bounds, std::uint64_t number) {
  std::vector<std::string> indices(bounds.size());
  for (std::size_t i = bounds.size(); i-- > 0;) {
    indices[i] = std::to_string(bounds[i].start + static_cast<std::int64_t>(number % bounds[i].count));
    number /= bounds[i].count;
  }
  std::string out = "[";
  for (std::size_t i = 0; i < indices.size(); ++i) out += (i > 0 ? "," : "") + indices[i];
  return out + "]";
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// Names with dots between them; indices are of our own making. TwinCAT 2 begins global variables with a dot.
bool is_path(std::string_view path) {
  if (path.size() > longest_path) return false;
  if (path.starts_with('.')) path.remove_prefix(1);
  while (true) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    std::string_view part = path.substr(0, dot);
    part = part.substr(0, part.find('['));
    if (!is_name(part)) return false;
    if (dot == path.size()) return true;
    path.remove_prefix(dot + 1);
  }
}

Names names_of(const ads::TypeInfo& type) {
  Names names;
  for (const auto& [text, value] : type.enumeration) {
    const bool twice = std::ranges::any_of(names, [&, v = value](const auto& each) { return each.first == v; });
    if (!twice && !text.empty()) names.emplace_back(value, one_line(text, 56));
  }
  return names;
}

class PlcProposal {
 public:
  PlcProposal(const PlcProgram& program, const PlcSelection& selection)
      : program_(program), selection_(selection), types_(program.types) {}

  Result<ProposedDevice> run() {
    device_.machine = selection_.machine;
    device_.device = selection_.device;
    for (const ads::SymbolInfo& symbol : program_.symbols) take({symbol.name, symbol.type, symbol.comment, &symbol}, 0);
    if (paths_.empty()) return nothing();
    if (paths_.size() > most_learned_signals) return too_many(fmt::format("{} signals would be taken", paths_.size()));
    DeclaredTypes declared = declare_types(used_, types_);
    device_.types = std::move(declared.types);
    undeclared_ = std::move(declared.undeclared);
    remark();
    if (auto good = check(device_); !good) return too_many(good.error().text);
    return std::move(device_);
  }

 private:
  struct Variable {
    std::string path, type, comment;
    const ads::SymbolInfo* symbol = nullptr;  // that it is in
  };

  bool chosen(std::string_view path) const {
    return selection_.match.empty() ||
           std::ranges::any_of(selection_.match, [&](const auto& each) { return matches_glob(each, path); });
  }
  // Whether something inside the variable may be chosen.
  bool chosen_inside(std::string_view path) const {
    return std::ranges::any_of(selection_.match, [&](const std::string& each) {
      const std::string literal = each.substr(0, each.find_first_of("*?"));
      return literal.size() > path.size() && ads::same_name(literal.substr(0, path.size()), path) &&
             (literal[path.size()] == '.' || literal[path.size()] == '[');
    });
  }

  void leave_out(const Variable& variable, const std::string& why) {
    if (chosen(variable.path)) ++left_out_[why];
  }

  void take(const Variable& variable, int depth) {
    const bool mine = chosen(variable.path);
    if (!mine && !chosen_inside(variable.path)) return;
    if (!is_path(variable.path) || depth > deepest_structure)
      return leave_out(variable, "names that a file cannot hold");
    if (variable.path.substr(variable.path.rfind('.') + 1).starts_with('_'))
      return leave_out(variable, "names that begin with _");
    if (variable.symbol != nullptr && depth == 0 && (variable.symbol->flags & ads::symbol_flag::reference) != 0) {
      return leave_out(variable, "references");
    }
    const PlcTypeText type = types_.read(variable.type);
    if (type.kind == Kind::unreadable) return leave_out(variable, type.why);
    if (type.kind != Kind::structure) return mine ? add(variable, type) : void();
    if (is_function_block(*type.info)) return take_outputs(variable, type, depth);
    if (mine && is_whole(*type.info, 0)) return add(variable, type);
    take_members(variable, type, depth);
  }

  // The members of each element.
  template <typename Visit>
  void for_each_member(const Variable& variable, const PlcTypeText& type, const Visit& visit) {
    const std::uint64_t count = type.bounds.empty() ? 1 : elements_of(type.bounds);
    if (count > most_elements) return leave_out(variable, "long arrays of function blocks");
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string element = variable.path + (type.bounds.empty() ? "" : index_of(type.bounds, i));
      for (const ads::TypeInfo& member : type.info->members) {
        if (paths_.size() > 10 * most_learned_signals) return;
        visit(Variable{element + "." + member.name, member.type, member.comment, variable.symbol}, member);
      }
    }
  }
  void take_members(const Variable& variable, const PlcTypeText& type, int depth) {
    for_each_member(variable, type, [&](const Variable& member, const ads::TypeInfo&) { take(member, depth + 1); });
  }
  // Of a function block only what it says of itself; VAR_OUTPUT is known by an attribute of newer versions.
  void take_outputs(const Variable& variable, const PlcTypeText& type, int depth) {
    std::size_t outputs = 0;
    for_each_member(variable, type, [&](const Variable& member, const ads::TypeInfo& info) {
      const bool output = std::ranges::any_of(info.attributes, [](const auto& each) {
        return ads::same_name(each.first, "ItemType") && ads::same_name(each.second, "Output");
      });
      if (!output && !names_exactly(member.path)) return;
      ++outputs;
      take(member, depth + 1);
    });
    if (outputs == 0) leave_out(variable, "function blocks");
  }
  bool names_exactly(std::string_view path) const {
    return std::ranges::any_of(selection_.match, [&](const auto& each) { return ads::same_name(each, path); });
  }

  // No function block and no hidden name anywhere inside.
  bool is_whole(const ads::TypeInfo& type, int depth) {
    if (depth > deepest_structure) return false;
    return std::ranges::all_of(type.members, [&](const ads::TypeInfo& member) {
      if (member.name.starts_with('_') || !is_name(member.name)) return false;
      const PlcTypeText inner = types_.read(member.type);
      if (inner.kind != Kind::structure) return true;
      return !is_function_block(*inner.info) && is_whole(*inner.info, depth + 1);
    });
  }

  void add(const Variable& variable, const PlcTypeText& type) {
    paths_.push_back(variable.path);
    if (paths_.size() > most_learned_signals) return;  // only counted
    ProposedSignal signal;
    signal.name = signal_name_from_path(variable.path, device_.signals);
    signal.at = variable.path;
    signal.type = plain_type(type);
    describe(variable, type, signal);
    if (type.kind == Kind::structure) {
      describe_members(*type.info, signal);
      used_.push_back(type.info);
    } else {
      signal.unit = unit_in(variable.comment);
      if (type.info != nullptr) signal.names = names_of(*type.info);
    }
    propose_output(variable, type, signal);
    device_.signals.push_back(std::move(signal));
  }

  static void describe(const Variable& variable, const PlcTypeText& type, ProposedSignal& signal) {
    std::string text = one_line(variable.comment);
    const auto append = [&text](std::string_view more) { text += (text.empty() ? "" : "; ") + std::string(more); };
    if (type.info != nullptr && type.kind != Kind::structure) append(type.info->name);
    if (variable.symbol != nullptr) {
      const ads::SymbolInfo& symbol = *variable.symbol;
      if (is_output_area(symbol.group)) append("%Q");
      if (is_input_area(symbol.group)) append("%I");
      if ((symbol.flags & ads::symbol_flag::read_only) != 0) append("read only");
      if ((symbol.flags & ads::symbol_flag::persistent) != 0) append("persistent");
    }
    if (!text.empty()) signal.reasons.push_back(text);
  }

  // Units and enumerations of members, one level down: the file gives them by the member's own name.
  void describe_members(const ads::TypeInfo& type, ProposedSignal& signal) const {
    for (const ads::TypeInfo& member : type.members) {
      const PlcTypeText inner = types_.read(member.type);
      if (inner.kind != Kind::elementary) continue;
      if (const auto unit = unit_in(member.comment); !unit.empty()) signal.member_units.emplace_back(member.name, unit);
      if (inner.info == nullptr) continue;
      if (auto names = names_of(*inner.info); !names.empty()) signal.member_names.emplace_back(member.name, names);
    }
  }

  void propose_output(const Variable& variable, const PlcTypeText& type, ProposedSignal& signal) const {
    const ads::SymbolInfo* symbol = variable.symbol;
    const bool in_outputs = symbol != nullptr && is_output_area(symbol->group);
    const bool read_only = symbol != nullptr && (symbol->flags & ads::symbol_flag::read_only) != 0;
    if (read_only || type.kind != Kind::elementary || !type.bounds.empty()) return;
    if (!in_outputs && !sounds_like_command(variable.path)) return;
    const bool bit = type.element == "BOOL" || type.element == "BIT";
    signal.write = bit ? "level" : "{limits: [0, 1], rate: none}";
    if (!bit) signal.reasons.emplace_back("May be an output: put in its own limits and rate.");
  }

  void remark() {
    device_.remarks.push_back(fmt::format("Made by `tandem learn` from {}: {} of {} variables.", program_.origin,
                                          device_.signals.size(), program_.symbols.size()));
    if (!selection_.match.empty()) {
      std::string globs;
      for (const auto& each : selection_.match) globs += " " + each;
      device_.remarks.push_back("Chosen by --match" + globs);
    }
    device_.remarks.emplace_back(
        "Everything is read only. Outputs are proposed as comments: put in limits and a rate before use.");
    for (const auto& [why, count] : left_out_) device_.remarks.push_back(fmt::format("Left out: {} {}.", count, why));
    for (const std::string& name : undeclared_) {
      device_.remarks.push_back(fmt::format("{} is read from the PLC: a virtual device cannot declare it.", name));
    }
  }

  Error nothing() const {
    if (program_.symbols.empty()) {
      return {Fault::not_found, fmt::format("{}: expected variables, got none; is a project downloaded and its symbol "
                                            "creation enabled?",
                                            program_.origin)};
    }
    std::vector<std::string> paths;
    paths.reserve(program_.symbols.size());
    for (const auto& symbol : program_.symbols) paths.push_back(symbol.name);
    std::string why;
    for (const auto& [reason, count] : left_out_) why += fmt::format("; left out: {} {}", count, reason);
    if (why.empty()) why = "; no name fits --match";
    return {Fault::not_found, fmt::format("{}: expected variables that can be read, got none{}\n{}", program_.origin,
                                          why, name_tree(paths))};
  }
  Error too_many(const std::string& what) const {
    return {Fault::unsupported, fmt::format("{}; expected at most {} in one file; choose some with --match:\n{}", what,
                                            most_learned_signals, name_tree(paths_))};
  }

  const PlcProgram& program_;
  const PlcSelection& selection_;
  PlcTypeNames types_;
  ProposedDevice device_;
  std::vector<std::string> paths_;
  std::map<std::string, std::size_t> left_out_;  // by reason
  std::vector<const ads::TypeInfo*> used_;
  std::vector<std::string> undeclared_;
};

}  // namespace

Result<ProposedDevice> propose(const PlcProgram& program, const PlcSelection& selection) {
  return PlcProposal(program, selection).run();
}

}  // namespace tandem::generic
