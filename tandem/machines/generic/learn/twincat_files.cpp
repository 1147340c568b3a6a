// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/twincat_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tandem/base/text.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"
#include "tandem/xml/tree.hpp"

namespace tandem::generic {
namespace {

using xml::Element;

constexpr std::string_view extends_key = "(extends)";
constexpr int deepest_inheritance = 6;
constexpr std::size_t most_members = 5000;  // of one structure

template <typename Number>
Number number_of(std::string_view text, Number otherwise) {
  text = trimmed(text);
  Number value{};
  const bool hex = text.starts_with("#x") || text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

// Files count bits.
std::uint32_t bytes_of_bits(const Element& element, std::string_view key) {
  return (number_of<std::uint32_t>(element.text_of(key), 0) + 7) / 8;
}

bool flag_of(const Element& element, std::string_view name) {
  const auto* attribute = element.attribute(name);
  return attribute != nullptr && attribute->value != "false" && attribute->value != "0";
}

// <Type>, or <BaseType> of .tmc: its text behind what it points at, with the bounds of <ArrayInfo> in front.
std::string type_of(const Element& element, std::string_view key) {
  const Element* type = element.child(key);
  if (type == nullptr) return "";
  std::string text = one_line(type->text, 500);
  if (flag_of(*type, "PointerTo") || flag_of(*type, "Pointer")) text = "POINTER TO " + text;
  if (flag_of(*type, "ReferenceTo") || flag_of(*type, "Reference")) text = "REFERENCE TO " + text;
  std::string bounds;
  for (const Element& child : element.children) {
    if (child.name != "ArrayInfo") continue;
    const auto low = number_of<std::int64_t>(child.text_of("LBound"), 0);
    const auto count = number_of<std::int64_t>(child.text_of("Elements"), 0);
    if (count < 1 || count > 1'000'000 || low < -1'000'000 || low > 1'000'000) return "";
    bounds += fmt::format("{}{}..{}", bounds.empty() ? "" : ",", low, low + count - 1);
  }
  return bounds.empty() ? text : fmt::format("ARRAY [{}] OF {}", bounds, text);
}

void take_properties(const Element& element, std::vector<std::pair<std::string, std::string>>& into) {
  const Element* properties = element.child("Properties");
  if (properties == nullptr) return;
  for (const Element& property : properties->children) {
    if (property.name == "Property") into.emplace_back(property.text_of("Name"), property.text_of("Value"));
  }
}

bool is_hidden(const Element& element) {
  std::vector<std::pair<std::string, std::string>> properties;
  take_properties(element, properties);
  return std::ranges::any_of(properties, [](const auto& each) { return ads::same_name(each.first, "hide"); });
}

ads::TypeInfo member_of(const Element& item) {
  ads::TypeInfo member;
  member.flags = ads::type_flag::data_item;
  member.name = one_line(item.text_of("Name"));
  member.type = type_of(item, item.child("BaseType") != nullptr ? "BaseType" : "Type");
  member.comment = one_line(item.text_of("Comment"), 400);
  member.size = bytes_of_bits(item, "BitSize");
  member.offset = number_of<std::uint32_t>(item.text_of("BitOffs"), 0) / 8;
  take_properties(item, member.attributes);
  return member;
}

ads::TypeInfo type_entry(const Element& element) {
  ads::TypeInfo type;
  type.name = one_line(element.text_of("Name"));
  type.size = bytes_of_bits(element, "BitSize");
  type.comment = one_line(element.text_of("Comment"), 400);
  type.type = type_of(element, element.child("BaseType") != nullptr ? "BaseType" : "Type");
  take_properties(element, type.attributes);
  if (const Element* extends = element.child("ExtendsType")) type.attributes.emplace_back(extends_key, extends->text);
  for (const Element& child : element.children) {
    if (child.name == "SubItem" && !is_hidden(child)) type.members.push_back(member_of(child));
    if (child.name == "Method") type.flags |= ads::type_flag::methods;
    if (child.name != "EnumInfo") continue;
    const auto value = number_of<std::int64_t>(child.text_of("Enum"), INT64_MIN);
    if (value != INT64_MIN) type.enumeration.emplace_back(one_line(child.text_of("Text")), value);
  }
  if (!type.enumeration.empty() && type.type.empty()) type.type = "INT";
  return type;
}

// What it inherits comes first and is listed with the type that it comes from. A few levels are enough.
void add_inherited(std::vector<ads::TypeInfo>& types) {
  const std::vector<ads::TypeInfo> own = types;
  const auto extended_by = [&own](const ads::TypeInfo& type) -> const ads::TypeInfo* {
    const auto extends = std::ranges::find(type.attributes, extends_key, &std::pair<std::string, std::string>::first);
    if (extends == type.attributes.end()) return nullptr;
    const auto found = std::ranges::find(own, extends->second, &ads::TypeInfo::name);
    return found == own.end() ? nullptr : &*found;
  };
  for (ads::TypeInfo& type : types) {
    const ads::TypeInfo* base = extended_by(type);
    for (int depth = 0; base != nullptr && depth < deepest_inheritance && type.members.size() < most_members; ++depth) {
      type.members.insert(type.members.begin(), base->members.begin(), base->members.end());
      base = extended_by(*base);
    }
  }
}

void take_types(const Element& root, PlcProgram& program) {
  const Element* types = root.child("DataTypes");
  if (types == nullptr) return;
  for (const Element& child : types->children) {
    if (child.name == "DataType" && !child.text_of("Name").empty()) program.types.push_back(type_entry(child));
  }
  add_inherited(program.types);
}

std::uint16_t flags_of(const Element& symbol) {
  std::vector<std::pair<std::string, std::string>> properties;
  take_properties(symbol, properties);
  std::uint16_t flags = 0;
  for (const auto& [name, value] : properties) {
    if (ads::same_name(name, "TcPersistent") || ads::same_name(name, "Persistent"))
      flags |= ads::symbol_flag::persistent;
    if (ads::same_name(name, "TcReadOnly") || ads::same_name(name, "ReadOnly")) flags |= ads::symbol_flag::read_only;
  }
  return flags;
}

void take_symbol(const Element& element, std::uint32_t group, std::string_view type_key, PlcProgram& program) {
  if (is_hidden(element)) return;
  ads::SymbolInfo symbol;
  symbol.name = one_line(element.text_of("Name"));
  symbol.type = type_of(element, type_key);
  symbol.comment = one_line(element.text_of("Comment"), 400);
  symbol.size = bytes_of_bits(element, "BitSize");
  symbol.group = number_of<std::uint32_t>(element.text_of("IGroup"), group);
  symbol.offset = number_of<std::uint32_t>(element.text_of("IOffset"), 0);
  symbol.flags = flags_of(element);
  // .tpy has some of them twice, once without a type.
  if (!symbol.name.empty() && !symbol.type.empty()) program.symbols.push_back(std::move(symbol));
}

// Modules/Module/DataAreas/DataArea/Symbol; the area says whether it is %I or %Q.
void read_tmc(const Element& root, PlcProgram& program) {
  take_types(root, program);
  const Element* modules = root.child("Modules");
  if (modules == nullptr) return;
  for (const Element& module : modules->children) {
    const Element* areas = module.child("DataAreas");
    if (areas == nullptr) continue;
    for (const Element& area : areas->children) {
      const Element* number = area.child("AreaNo");
      const auto* kind = number == nullptr ? nullptr : number->attribute("AreaType");
      std::uint32_t group = ads::group::data;
      if (kind != nullptr && kind->value.starts_with("Input")) group = ads::group::input;
      if (kind != nullptr && kind->value.starts_with("Output")) group = ads::group::output;
      for (const Element& child : area.children) {
        if (child.name == "Symbol") take_symbol(child, group, "BaseType", program);
      }
    }
  }
}

void read_tpy(const Element& root, PlcProgram& program) {
  take_types(root, program);
  if (const Element* symbols = root.child("Symbols")) {
    for (const Element& child : symbols->children) {
      if (child.name == "Symbol") take_symbol(child, ads::group::data, "Type", program);
    }
  }
  const Element* routing = root.child("RoutingInfo");
  const Element* ads = routing == nullptr ? nullptr : routing->child("AdsInfo");
  if (ads == nullptr) return;
  const std::string net_id(trimmed(ads->text_of("NetId")));
  if (ads::NetId::parse(net_id)) program.net_id = net_id;
  program.ams_port = number_of<int>(ads->text_of("Port"), 0);
}

}  // namespace

Result<PlcProgram> read_twincat_file(std::string_view text, const std::string& file) {
  xml::Limits limits;
  limits.bytes = largest_twincat_file;
  limits.elements = 2'000'000;
  const auto root = xml::parse(text, file, limits);
  if (!root) return root.error();
  PlcProgram program;
  program.origin = file;
  if (root->name == "TcModuleClass") {
    read_tmc(*root, program);
  } else if (root->name == "PlcProjectInfo") {
    read_tpy(*root, program);
  } else {
    return Error{Fault::invalid, fmt::format("{}:{}: expected TcModuleClass (.tmc) or PlcProjectInfo (.tpy), got {}",
                                             file, root->line, one_line(root->name, 60))};
  }
  if (program.ams_port < 1 || program.ams_port > 65535) program.ams_port = 0;
  return program;
}

}  // namespace tandem::generic
