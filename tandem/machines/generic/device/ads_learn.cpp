// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/device/ads_learn.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/device/ads_lookup.hpp"
#include "tandem/machines/generic/units.hpp"

namespace tandem::generic {
namespace {

// What a symbol takes of the PLC's memory, in bits. Groups of single bits count those of the group of bytes before
// them: 0x4021 (%MX) of 0x4020 (%MB), also 0xF021 and 0xF031.
struct MemorySpan {
  std::uint32_t group = 0;
  std::uint64_t begin = 0, end = 0;
};

MemorySpan span_of(const ads::SymbolInfo& info) {
  const bool bits = info.group == 0x4021 || info.group == 0xF021 || info.group == 0xF031;
  if (bits) return {info.group - 1, info.offset, info.offset + std::uint64_t{1}};
  return {info.group, std::uint64_t{8} * info.offset, std::uint64_t{8} * info.offset + std::uint64_t{8} * info.size};
}

bool overlap(const MemorySpan& a, const MemorySpan& b) {
  return a.group == b.group && a.begin < b.end && b.begin < a.end;
}

constexpr std::size_t most_suggested = 20;  // missing names for which the nearest are looked for

class Learning {
 public:
  Learning(ads::Client& client, const Description& description, const PlcTypeTable& declared, const AdsSignals* before,
           Duration round_trip)
      : description_(description), declared_(declared), before_(before), look_up_(client, round_trip) {}

  Result<AdsLearned> all() {
    std::vector<std::string> names;
    names.reserve(description_.signals.size() + 1);
    for (const Declaration& each : description_.signals) names.push_back(symbol_of(each.at));
    if (description_.heartbeat) names.push_back(symbol_of(*description_.heartbeat));
    auto symbols = look_up_.symbols(names);
    if (!symbols) return std::move(symbols).error();
    std::vector<std::string> types;
    for (const AdsLookUp::Symbol& symbol : *symbols)
      if (symbol.info) types.push_back(symbol.info->type);
    if (auto fetched = look_up_.fetch_types(types); !fetched) return std::move(fetched).error();

    for (std::size_t i = 0; i < description_.signals.size(); ++i)
      if (auto added = add(i, (*symbols)[i]); !added) return std::move(added).error();
    if (description_.heartbeat)
      if (auto added = add_heartbeat(names.back(), symbols->back()); !added) return std::move(added).error();
    expect_one_writer(*symbols);
    if (before_ == nullptr && !learned_.problems.empty()) return std::move(learned_);
    if (auto given = give_handles(); !given) return std::move(given).error();
    learned_.sums = look_up_.sums();
    warn_of_rounding();
    return std::move(learned_);
  }

 private:
  static const std::string& symbol_of(const At& at) { return std::get<AdsPlace>(at).symbol; }

  Result<void> add(std::size_t declaration, const AdsLookUp::Symbol& symbol) {
    const Declaration& from = description_.signals[declaration];
    if (symbol.missing && from.optional) {
      add_missing(description_, declaration, learned_.signals);
      learned_.items.push_back({0, fmt::format("the PLC has no symbol {}", symbol_of(from.at))});
      learned_.notes.push_back({fmt::format("{}: the PLC has no symbol {} (optional)", from.name, symbol_of(from.at))});
      return {};
    }
    auto layout = symbol.missing ? Result<PlcLayout>(Error{}) : layout_for(from, symbol);
    std::string problem;
    if (symbol.missing) {
      auto text = missing(symbol_of(from.at));
      if (!text) return std::move(text).error();
      problem = std::move(*text);
    } else if (!layout) {
      problem = layout.error().text;
    } else if (auto differs = misfit(from, *layout, declared_)) {
      problem = std::move(*differs);
    }
    if (problem.empty()) {
      for (const std::string& left_out : layout->left_out)
        learned_.notes.push_back({fmt::format("{}: left out: {}", from.name, left_out), true});
      learned_.items.push_back({});
      return add_signals(description_, declaration, std::move(*layout), learned_.signals);
    }
    learned_.problems.push_back(fmt::format("{}: {}", from.name, problem));
    learned_.items.push_back({0, std::move(problem)});
    return keep_as_before(declaration);
  }

  Result<void> keep_as_before(std::size_t declaration) {
    if (before_ != nullptr && declaration < before_->items.size() && !before_->items[declaration].layout.values.empty())
      return add_signals(description_, declaration, before_->items[declaration].layout, learned_.signals);
    add_missing(description_, declaration, learned_.signals);
    return {};
  }

  // As the PLC describes it; of one that describes nothing, as the file does.
  Result<PlcLayout> layout_for(const Declaration& from, const AdsLookUp::Symbol& symbol) {
    if (symbol.info) return layout_of(symbol.info->type, look_up_.types(), symbol.info->size);
    const Declaration& typed = typed_for(from);
    const std::string type = typed.plc_type.empty() ? plc_name(typed.type, typed.text_length) : typed.plc_type;
    if (type.empty())
      return Error{Fault::invalid, fmt::format("the PLC does not describe {} ({}): expected `type` in the file",
                                               symbol_of(from.at), symbol.refusal)};
    return layout_of(type, declared_);
  }

  // Where an output is read back, the output.
  const Declaration& typed_for(const Declaration& from) const {
    if (!from.hidden) return from;
    for (const Declaration& each : description_.signals)
      if (each.write && confirm_name(each.name) == from.name) return each;
    return from;
  }

  Result<std::string> missing(const std::string& symbol) {
    std::string text = fmt::format("the PLC has no symbol {}", symbol);
    if (++missing_ > most_suggested) return text;
    const auto nearest = look_up_.nearest_names(symbol);
    if (!nearest) return nearest.error();
    if (!nearest->empty()) text += fmt::format(" (nearest: {})", fmt::join(*nearest, ", "));
    return text;
  }

  Result<void> add_heartbeat(const std::string& name, const AdsLookUp::Symbol& symbol) {
    std::string problem;
    if (symbol.missing) {
      auto text = missing(name);
      if (!text) return std::move(text).error();
      problem = std::move(*text);
    } else if (!symbol.info) {
      learned_.heartbeat_type = Type::uint32;  // the PLC refuses what does not fit
    } else {
      const auto layout = layout_of(symbol.info->type, look_up_.types(), symbol.info->size);
      const bool one = layout && layout->values.size() == 1 && layout->values[0].bounds.empty();
      const Type type = one ? layout->values[0].type : Type::unknown;
      const std::size_t size = bytes_of(type);
      if (one && type >= Type::int16 && type <= Type::uint64 && (size == 2 || size == 4))
        learned_.heartbeat_type = type;
      else
        problem = fmt::format("expected an integer of 16 or 32 bits, got {} ({} bytes)", printable(symbol.info->type),
                              symbol.info->size);
    }
    if (!problem.empty()) learned_.problems.push_back(fmt::format("heartbeat: {}", problem));
    learned_.heartbeat.problem = std::move(problem);
    return {};
  }

  // One writer for each byte, whatever the names say: variables can lie at the same address.
  void expect_one_writer(const std::vector<AdsLookUp::Symbol>& symbols) {
    struct Writer {
      std::string name;
      const ads::SymbolInfo* info;
      AdsLearned::Access* access;
      MemorySpan span;
    };
    std::vector<Writer> writers;
    const auto add_writer = [&](std::string name, const AdsLookUp::Symbol& symbol, AdsLearned::Access& access) {
      if (symbol.info && access.problem.empty())
        writers.push_back({std::move(name), &*symbol.info, &access, span_of(*symbol.info)});
    };
    for (std::size_t i = 0; i < learned_.items.size(); ++i)
      if (description_.signals[i].write) add_writer(description_.signals[i].name, symbols[i], learned_.items[i]);
    if (description_.heartbeat) add_writer("the heartbeat", symbols.back(), learned_.heartbeat);
    std::ranges::stable_sort(writers, {},
                             [](const Writer& each) { return std::pair(each.span.group, each.span.begin); });
    for (std::size_t i = 0; i < writers.size(); ++i) {
      for (std::size_t j = i + 1; j < writers.size() && overlap(writers[i].span, writers[j].span); ++j) {
        const Writer &a = writers[i], &b = writers[j];
        std::string problem = fmt::format(
            "{} ({}) and {} ({}) both write byte {} of group 0x{:X}: expected one writer for each place", a.name,
            printable(a.info->name), b.name, printable(b.info->name), b.span.begin / 8, b.span.group);
        a.access->problem = b.access->problem = problem;
        learned_.problems.push_back(std::move(problem));
      }
    }
  }

  Result<void> give_handles() {
    std::vector<std::string> names;
    std::vector<AdsLearned::Access*> of;
    for (std::size_t i = 0; i < learned_.items.size(); ++i) {
      if (!learned_.items[i].problem.empty()) continue;
      names.push_back(learned_.signals.items[i].symbol);
      of.push_back(&learned_.items[i]);
    }
    if (description_.heartbeat && learned_.heartbeat.problem.empty()) {
      names.push_back(symbol_of(*description_.heartbeat));
      of.push_back(&learned_.heartbeat);
    }
    auto handles = look_up_.handles(names);
    if (!handles) return std::move(handles).error();
    for (std::size_t i = 0; i < of.size(); ++i) {
      const AdsLookUp::Handle& got = (*handles)[i];
      of[i]->handle = got.handle;
      if (got.refusal.empty()) continue;
      of[i]->problem = fmt::format("the PLC gives no handle of {}: {}", names[i], got.refusal);
      learned_.problems.push_back(of[i]->problem);
    }
    return {};
  }

  // Seven digits: 0.1 mm at a kilometre.
  void warn_of_rounding() {
    std::vector<std::string> names;
    for (const Signal& signal : learned_.signals.signals)
      if (signal.type == Type::float32 && (signal.unit == "mm" || signal.unit == "um")) names.push_back(signal.name);
    if (names.empty()) return;
    const std::size_t others = names.size() - 1;
    learned_.notes.push_back({fmt::format("{}{}: REAL keeps 7 digits of a length in small units; LREAL keeps 15",
                                          names[0], others == 0 ? "" : fmt::format(" and {} others", others))});
  }

  const Description& description_;
  const PlcTypeTable& declared_;
  const AdsSignals* before_;
  AdsLookUp look_up_;
  AdsLearned learned_;
  std::size_t missing_ = 0;
};

}  // namespace

Result<AdsLearned> learn_signals(ads::Client& client, const Description& description, const PlcTypeTable& declared,
                                 const AdsSignals* before, Duration round_trip) {
  return Learning(client, description, declared, before, round_trip).all();
}

bool same_signals(const std::vector<Signal>& a, const std::vector<Signal>& b) {
  return std::ranges::equal(a, b, [](const Signal& one, const Signal& other) {
    return one.name == other.name && one.kind == other.kind && one.type == other.type && one.first == other.first &&
           one.count == other.count && one.text == other.text && one.bounds == other.bounds;
  });
}

}  // namespace tandem::generic
