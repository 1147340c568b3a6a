// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <random>

#include "tandem/base/nearest.hpp"
#include "tandem/yaml/tree.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::runtime::chaos {
namespace {

constexpr Duration longest_schedule = 24h;
constexpr std::array<std::string_view, 2> known_sections = {"seed", "faults"};
constexpr std::array<std::string_view, 4> known_keys = {"at", "for", "machine", "faults"};

// As a configuration accepts it.
bool is_machine_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

class ScheduleReader {
 public:
  ScheduleReader(const std::string& file, std::string_view only) : file_(file), only_(only) {}

  Schedule read(const yaml::Node& root) {
    const yaml::Node* list = nullptr;
    if (root.kind != yaml::Node::Kind::map) {
      problem(root, fmt::format("a schedule: expected the keys seed and faults, got {}", seen(root)));
    } else {
      for (std::size_t i = 0; i < root.keys.size(); ++i) {
        const std::string& key = root.keys[i].scalar;
        if (key == "seed") {
          seed(root.items[i]);
        } else if (key == "faults") {
          list = &root.items[i];
        } else {
          problem(root.keys[i], fmt::format("unknown key '{}'{}", printable(key), suggestion(key, known_sections)));
        }
      }
      if (list == nullptr || list->kind != yaml::Node::Kind::sequence || list->items.empty())
        problem(list == nullptr ? root : *list, "faults: expected a list with at least one entry");
      else
        for (const yaml::Node& item : list->items) entry(item);
    }
    check_overlaps();
    if (!problems_.empty()) throw yaml::FileError(std::move(problems_));
    std::ranges::stable_sort(schedule_.entries, {}, &Entry::at);
    for (std::size_t i = 0; i < schedule_.entries.size(); ++i) {
      Terms& terms = schedule_.entries[i].terms;
      if (!terms.seed) terms.seed = schedule_.seed + i;
    }
    return std::move(schedule_);
  }

 private:
  void problem(const yaml::Node& node, std::string text) {
    problems_.push_back({{file_, node.line, node.column}, std::move(text)});
  }

  void seed(const yaml::Node& node) {
    const char* const end = node.scalar.data() + node.scalar.size();
    const auto [stop, error] = std::from_chars(node.scalar.data(), end, schedule_.seed);
    if (node.kind != yaml::Node::Kind::scalar || node.quoted || error != std::errc() || stop != end)
      problem(node, fmt::format("seed: expected a whole number, got {}", seen(node)));
  }

  void entry(const yaml::Node& item) {
    if (item.kind != yaml::Node::Kind::map)
      return problem(item, fmt::format("an entry: expected the keys at, for, machine, faults, got {}", seen(item)));
    std::map<std::string_view, const yaml::Node*> values;
    for (std::size_t i = 0; i < item.keys.size(); ++i) {
      const std::string& key = item.keys[i].scalar;
      if (std::ranges::find(known_keys, key) == known_keys.end())
        problem(item.keys[i], fmt::format("unknown key '{}'{}", printable(key), suggestion(key, known_keys)));
      else if (!values.emplace(key, &item.items[i]).second)
        problem(item.keys[i], fmt::format("'{}' twice", key));
    }
    Entry made;
    const std::size_t before = problems_.size();
    if (const yaml::Node* at = wanted(item, values, "at")) made.at = duration("at", *at, 0s, longest_schedule);
    faults(item, values, made);
    machine(item, values, made);
    if (problems_.size() > before) return;
    lines_.push_back({item.line, item.column});
    schedule_.entries.push_back(std::move(made));
  }

  const yaml::Node* wanted(const yaml::Node& item, const std::map<std::string_view, const yaml::Node*>& values,
                           std::string_view key) {
    const auto found = values.find(key);
    if (found != values.end() && found->second->kind == yaml::Node::Kind::scalar) return found->second;
    problem(found != values.end() ? *found->second : item,
            fmt::format("{}: expected a text, got {}", key, found != values.end() ? seen(*found->second) : "nothing"));
    return nullptr;
  }

  Duration duration(std::string_view name, const yaml::Node& node, Duration low, Duration high) {
    const auto read = parse_duration(name, node.scalar, low, high);
    if (!read) problem(node, read.error().text);
    return read ? *read : Duration::zero();
  }

  void faults(const yaml::Node& item, const std::map<std::string_view, const yaml::Node*>& values, Entry& into) {
    const yaml::Node* text = wanted(item, values, "faults");
    if (text == nullptr) return;
    auto terms = parse_terms(text->scalar);
    if (!terms) return problem(*text, terms.error().text);
    if (terms->length) return problem(*text, "faults: expected `for` as a key of the entry, got it among the terms");
    into.terms = *terms;
    if (const auto length = values.find("for"); length != values.end())
      into.terms.length = duration("for", *length->second, 10ms, longest);
    else
      into.terms.length = chaos::length_of(into.terms);
    if (into.terms.length == Duration::zero()) into.terms.length.reset();
  }

  void machine(const yaml::Node& item, const std::map<std::string_view, const yaml::Node*>& values, Entry& into) {
    if (values.contains("machine")) {
      const yaml::Node* name = wanted(item, values, "machine");
      if (name == nullptr) return;
      into.machine = name->scalar;
      if (!is_machine_name(into.machine))
        return problem(*name,
                       fmt::format("machine: expected letters, digits and _, a letter first, got {}", seen(*name)));
      if (!only_.empty() && into.machine != only_)
        problem(*name, fmt::format("machine: expected {}, for which the schedule was started, got '{}'", only_,
                                   printable(name->scalar)));
    } else if (!only_.empty()) {
      into.machine = only_;
    } else {
      problem(item, "machine: expected a name, got nothing; or name it on the command line");
    }
  }

  void check_overlaps() {
    for (std::size_t i = 0; i < schedule_.entries.size(); ++i) {
      const Entry& one = schedule_.entries[i];
      for (std::size_t j = 0; j < i; ++j) {
        const Entry& other = schedule_.entries[j];
        if (one.machine != other.machine) continue;
        const Duration one_end = one.at + chaos::length_of(one.terms),
                       other_end = other.at + chaos::length_of(other.terms);
        if (one.at != other.at && (one.at >= other_end || other.at >= one_end)) continue;
        problems_.push_back({{file_, lines_[i].line, lines_[i].column},
                             fmt::format("{}: expected to begin after the entry of line {}, got an overlap",
                                         one.machine, lines_[j].line)});
        break;
      }
    }
  }

  struct Line {
    int line, column;
  };
  const std::string& file_;
  const std::string_view only_;
  Schedule schedule_;
  std::vector<Line> lines_;  // of the entries
  std::vector<yaml::FileError::Problem> problems_;
};

// From a generator alone: the distributions of the standard library differ between its makers.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  Duration between(Duration low, Duration high) {
    return low + 10ms * static_cast<int>(below(static_cast<std::uint64_t>((high - low) / 10ms) + 1));
  }

 private:
  std::mt19937_64 random_;
};

Terms random_terms(Dice& dice, const Target& target) {
  constexpr std::array<std::string_view, 9> of_all = {"delay=60ms jitter=20ms",
                                                      "delay=300ms jitter=50ms to=client",
                                                      "loss=5%",
                                                      "duplicate=5%",
                                                      "corrupt=1e-4",
                                                      "rate=20kB/s",
                                                      "blackhole",
                                                      "blackhole to=client",
                                                      "hold"};
  constexpr std::array<std::string_view, 3> of_streams = {"slice", "reset", "half-open"};
  constexpr std::array<std::string_view, 1> of_datagrams = {"reorder=20%"};
  std::vector<std::string_view> all(of_all.begin(), of_all.end());
  if (target.streams) all.insert(all.end(), of_streams.begin(), of_streams.end());
  if (target.datagrams) all.insert(all.end(), of_datagrams.begin(), of_datagrams.end());
  return parse_terms(all[dice.below(all.size())]).value();
}

}  // namespace

Schedule parse_schedule(std::string_view text, const std::string& file, std::string_view only) {
  return ScheduleReader(file, only).read(yaml::parse(text, file));
}

std::string text_of(const Schedule& schedule) {
  std::string text = fmt::format("seed: {}\nfaults:\n", schedule.seed);
  for (const Entry& entry : schedule.entries) {
    Terms terms = entry.terms;
    terms.length.reset();
    const std::string length = entry.terms.length ? fmt::format(" for: {},", text_of(*entry.terms.length)) : "";
    text += fmt::format("  - {{ at: {},{} machine: {}, faults: \"{}\" }}\n", text_of(entry.at), length, entry.machine,
                        text_of(terms));
  }
  return text;
}

Duration length_of(const Schedule& schedule) {
  Duration end{};
  for (const Entry& entry : schedule.entries) end = std::max(end, entry.at + length_of(entry.terms));
  return end;
}

Schedule random_schedule(std::uint64_t seed, Duration length, std::span<const Target> targets) {
  Schedule schedule{seed, {}};
  Dice dice(seed);
  for (const Target& target : targets) {
    for (Duration at = dice.between(0s, 1s); at < length;) {
      Entry entry{at, target.machine, random_terms(dice, target)};
      const Duration lasts_for = std::min(dice.between(200ms, 3s), length - at);
      if (lasts(entry.terms)) entry.terms.length = std::max<Duration>(lasts_for, 10ms);
      at += length_of(entry.terms) + dice.between(1s, 4s);
      schedule.entries.push_back(std::move(entry));
    }
  }
  std::ranges::stable_sort(schedule.entries, {}, &Entry::at);
  for (std::size_t i = 0; i < schedule.entries.size(); ++i) schedule.entries[i].terms.seed = seed + i;
  return schedule;
}

}  // namespace tandem::runtime::chaos
