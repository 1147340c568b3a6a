// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/device/ads_lookup.hpp"

#include <algorithm>
#include <set>

#include "tandem/base/nearest.hpp"
#include "tandem/protocols/ads/server/symbol_table_types.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_in_sum = 50;      // each has room for a description
constexpr std::uint32_t usual_entry = 4096;  // bytes
constexpr std::uint32_t longest_entry = 0xFFFF;
constexpr std::size_t most_types = 4000;
constexpr std::size_t most_compared = 20'000;  // names that one missing name is compared with
constexpr std::size_t suggestions = 3;

bool is_missing(std::uint32_t code) { return code == ads::code::symbol_not_found || code == ads::code::not_found; }

}  // namespace

Result<std::vector<ads::SumLookUpItem>> AdsLookUp::look_up(std::uint32_t group, const std::vector<std::string>& names,
                                                           std::uint32_t read_length) {
  std::vector<ads::SumLookUpItem> items;
  items.reserve(names.size());
  for (const std::string& name : names) items.push_back({.name = name, .read_length = read_length});
  for (std::size_t first = 0; first < items.size(); first += most_in_sum) {
    const auto part = std::span(items).subspan(first, std::min(most_in_sum, items.size() - first));
    if (sums_ && part.size() > 1) {
      const auto done = client_.sum_look_up(group, part, deadline());
      if (done) continue;
      if (!ads::is_refusal(done.error())) return done.error();
      sums_ = false;
    }
    if (auto done = one_by_one(group, part); !done) return std::move(done).error();
  }
  // Descriptions that are longer than usual.
  for (ads::SumLookUpItem& item : items) {
    if (item.result != ads::code::invalid_size || item.read_length == longest_entry || read_length < usual_entry)
      continue;
    item.read_length = longest_entry;
    if (auto done = one_by_one(group, {&item, 1}); !done) return std::move(done).error();
  }
  return items;
}

Result<void> AdsLookUp::one_by_one(std::uint32_t group, std::span<ads::SumLookUpItem> items) {
  std::vector<std::uint8_t> name;
  for (ads::SumLookUpItem& item : items) {
    name.assign(item.name.begin(), item.name.end());
    name.push_back(0);
    const auto answer = client_.read_write(group, 0, item.read_length, name, deadline());
    item.answer.clear();
    item.result = ads::code::ok;
    if (answer) {
      item.answer.assign(answer->begin(), answer->end());
    } else if (ads::is_refusal(answer.error()) && answer.error().code != 0) {
      item.result = answer.error().code;
    } else {
      return answer.error();
    }
  }
  return {};
}

Result<std::vector<AdsLookUp::Symbol>> AdsLookUp::symbols(const std::vector<std::string>& names) {
  auto items = look_up(ads::group::info_by_name_ex, names, usual_entry);
  if (!items) return std::move(items).error();
  std::vector<Symbol> symbols(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ads::SumLookUpItem& item = (*items)[i];
    if (item.result != ads::code::ok) {
      symbols[i].missing = is_missing(item.result);
      symbols[i].refusal = ads::text_of(item.result);
      continue;
    }
    ByteReader reader(item.answer);
    symbols[i].info = ads::take_symbol(reader);
    if (symbols[i].info) continue;
    symbols[i].refusal = "the PLC's description is malformed";
  }
  return symbols;
}

Result<std::vector<AdsLookUp::Handle>> AdsLookUp::handles(const std::vector<std::string>& names) {
  auto items = look_up(ads::group::handle_by_name, names, 4);
  if (!items) return std::move(items).error();
  std::vector<Handle> handles(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ads::SumLookUpItem& item = (*items)[i];
    ByteReader reader(item.answer);
    if (item.result != ads::code::ok)
      handles[i].refusal = ads::text_of(item.result);
    else
      handles[i].handle = reader.little<std::uint32_t>();
    if (handles[i].refusal.empty() && !reader.done()) handles[i].refusal = "expected a handle of 4 bytes";
  }
  return handles;
}

// Names that neither the texts themselves nor the table explain.
std::vector<std::string> AdsLookUp::unknown_types(const std::vector<std::string>& types) const {
  std::set<std::string> unknown;
  for (const std::string& type : types) {
    const std::string text = normal_plc_type(type.substr(0, longest_plc_type_text));
    if (types_.find(text) != nullptr) continue;
    const std::string inner(innermost_plc_type(text));
    if (inner.empty() || types_.find(inner) != nullptr) continue;
    const auto shape = types_.shape(inner);
    if (!shape && shape.error().fault == Fault::not_found) unknown.insert(inner);
    // An array whose bounds are no numbers is known by its whole name alone.
  }
  return {unknown.begin(), unknown.end()};
}

Result<void> AdsLookUp::fetch_types(const std::vector<std::string>& types) {
  std::vector<std::string> wanted = unknown_types(types);
  std::size_t fetched = 0;
  for (int level = 0; !wanted.empty() && level < deepest_plc_type && fetched < most_types; ++level) {
    auto items = look_up(ads::group::type_by_name_ex, wanted, usual_entry);
    if (!items) return std::move(items).error();
    std::vector<std::string> texts;
    bool refused = false;
    for (const ads::SumLookUpItem& item : *items) {
      ByteReader reader(item.answer);
      auto info = item.result == ads::code::ok ? ads::take_type(reader) : std::nullopt;
      refused |= !info;
      if (!info || !ads::same_name(info->name, item.name)) continue;
      ++fetched;
      texts.push_back(info->type);
      for (const ads::TypeInfo& member : info->members) texts.push_back(member.type);
      types_.add(std::move(*info));
    }
    if (refused && !uploaded_) {
      // Older PLCs give all types at once or none.
      const auto uploaded = upload_types();
      if (!uploaded) return uploaded.error();
    }
    std::vector<std::string> next = unknown_types(texts);
    // What was asked once is not asked again.
    std::erase_if(next, [&](const std::string& name) { return std::ranges::find(wanted, name) != wanted.end(); });
    wanted = std::move(next);
  }
  return {};
}

Result<bool> AdsLookUp::upload_types() {
  uploaded_ = true;
  auto all = client_.all_types(deadline());
  if (!all) {
    if (ads::is_refusal(all.error()) || (all.error().fault == Fault::invalid && client_.open())) return false;
    return std::move(all).error();
  }
  for (ads::TypeInfo& type : *all) types_.add(std::move(type));
  return true;
}

Result<std::vector<std::string>> AdsLookUp::nearest_names(std::string_view missing) {
  if (!all_) {
    auto all = client_.all_symbols(deadline());
    if (!all && !ads::is_refusal(all.error()) && !client_.open()) return std::move(all).error();
    all_ = all ? std::move(*all) : std::vector<ads::SymbolInfo>();
  }
  const std::string wanted = ads::folded(missing);
  std::vector<std::string> names;
  for (const ads::SymbolInfo& symbol : *all_) {
    if (names.size() < most_compared) names.push_back(symbol.name);
    const std::string key = ads::folded(symbol.name);
    if (!wanted.starts_with(key) || wanted.size() == key.size()) continue;
    if (wanted[key.size()] != '.' && wanted[key.size()] != '[') continue;
    if (auto fetched = fetch_types({symbol.type}); !fetched) return std::move(fetched).error();
    if (const auto layout = layout_of(symbol.type, types_))
      for (const PlcValue& value : layout->values) names.push_back(symbol.name + value.path);
  }
  std::vector<std::pair<std::size_t, std::string>> by_distance;
  by_distance.reserve(names.size());
  for (std::string& name : names) by_distance.emplace_back(edit_distance(wanted, ads::folded(name)), std::move(name));
  std::ranges::sort(by_distance);
  std::vector<std::string> nearest;
  for (auto& [distance, name] : by_distance) {
    if (nearest.size() == suggestions) break;
    if (std::ranges::find(nearest, name) == nearest.end()) nearest.push_back(std::move(name));
  }
  return nearest;
}

}  // namespace tandem::generic
