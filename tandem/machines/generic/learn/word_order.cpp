// SPDX-License-Identifier: Apache-2.0
// Which order two registers have: each is tried, and the one whose values make sense over time wins if it leads
// clearly.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tandem/machines/generic/learn/observations.hpp"

namespace tandem::generic {
namespace {

using modbus::WordOrder;

constexpr std::array orders = {WordOrder::abcd, WordOrder::cdab, WordOrder::badc, WordOrder::dcba};
constexpr double smallest = 1e-3, largest = 1e6;  // of a plausible float that is not 0
constexpr double largest_step = 0.1;              // of a value, between two passes
constexpr double largest_integer = 1e8, largest_integer_step = 32767;
constexpr double steps_of_integer = 0.9;  // share of small ones
constexpr double clear_lead = 2, least_score = 0.3;
constexpr double steps_weigh = 0.9;  // the rest of the score is for being in range at all

Word swapped(Word word) { return static_cast<Word>(word << 8 | word >> 8); }

struct Scored {
  WordOrder order = WordOrder::abcd;
  double score = 0;
  std::vector<double> values;
};

double median_size(std::vector<double> values) {
  for (double& value : values) value = std::isfinite(value) ? std::abs(value) : 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Share of the steps between different samples that `is_small` calls small; nothing without such steps.
template <typename Small>
std::optional<double> share_of_steps(std::span<const WordPair> samples, const Small& is_small) {
  std::size_t steps = 0, small = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i] == samples[i - 1]) continue;
    ++steps;
    if (is_small(i)) ++small;
  }
  if (steps == 0) return std::nullopt;
  return static_cast<double>(small) / static_cast<double>(steps);
}

double score_of(std::size_t plausible, std::size_t count, std::optional<double> steps) {
  const double share = static_cast<double>(plausible) / static_cast<double>(count);
  return steps ? share * (1 - steps_weigh + steps_weigh * *steps * *steps) : 0;
}

Scored score_float(std::span<const WordPair> samples, WordOrder order) {
  Scored out{order, 0, {}};
  std::size_t plausible = 0, zeros = 0;
  for (const WordPair& words : samples) {
    const double value = std::bit_cast<float>(bits_of(words, order));
    out.values.push_back(value);
    const double size = std::abs(value);
    if (value == 0) ++zeros;
    if (value == 0 || (std::isfinite(value) && size >= smallest && size <= largest)) ++plausible;
  }
  if (zeros * 2 > samples.size()) return out;  // 0 says nothing about the order
  const double usual = median_size(out.values);
  const auto steps = share_of_steps(samples, [&](std::size_t i) {
    const double a = out.values[i - 1], b = out.values[i];
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
    return std::abs(b - a) <= largest_step * std::max({std::abs(a), std::abs(b), usual});
  });
  out.score = score_of(plausible, samples.size(), steps);
  return out;
}

// Only what carries from one register into the other is proof of a 32-bit integer.
Scored score_integer(std::span<const WordPair> samples, WordOrder order) {
  Scored out{order, 0, {}};
  std::size_t plausible = 0, carries = 0;
  for (const WordPair& words : samples) {
    const double value = static_cast<std::int32_t>(bits_of(words, order));
    out.values.push_back(value);
    if (std::abs(value) <= largest_integer) ++plausible;
  }
  const auto steps = share_of_steps(samples, [&](std::size_t i) {
    const bool small = std::abs(out.values[i] - out.values[i - 1]) <= largest_integer_step;
    const std::uint32_t before = bits_of(samples[i - 1], order), after = bits_of(samples[i], order);
    if (small && before >> 16 != after >> 16) ++carries;
    return small;
  });
  if (carries > 0 && steps && *steps >= steps_of_integer) out.score = score_of(plausible, samples.size(), steps);
  return out;
}

std::string values_text(const std::vector<double>& values, std::size_t most) {
  std::vector<std::string> texts;
  const std::size_t step = std::max<std::size_t>(1, values.size() / most);
  for (std::size_t i = 0; i < values.size() && texts.size() < most; i += step)
    texts.push_back(fmt::format("{:.5g}", values[i]));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// The best of four that leads the second clearly.
std::optional<PairVerdict> leader(std::vector<Scored> scored, Type type) {
  std::ranges::stable_sort(scored, [](const Scored& a, const Scored& b) { return a.score > b.score; });
  const Scored &best = scored[0], &second = scored[1];
  if (best.score < least_score || best.score < clear_lead * second.score) return std::nullopt;
  PairVerdict verdict;
  verdict.type = type;
  verdict.order = best.order;
  verdict.score = best.score;
  verdict.lead = second.score > 0 ? best.score / second.score : 100;
  // The order that people try first is the one to compare with.
  const WordOrder other = best.order == WordOrder::abcd ? WordOrder::cdab : WordOrder::abcd;
  const auto compared = std::ranges::find(scored, other, &Scored::order);
  verdict.reason =
      fmt::format("as {} {}: {} ({}: {})", type == Type::float32 ? "float32" : "int32", modbus::name(best.order),
                  values_text(best.values, 3), modbus::name(other), values_text(compared->values, 1));
  return verdict;
}

}  // namespace

std::uint32_t bits_of(const WordPair& words, WordOrder order) {
  const auto joined = [](Word high, Word low) { return std::uint32_t{high} << 16 | low; };
  switch (order) {
    case WordOrder::abcd:
      return joined(words[0], words[1]);
    case WordOrder::cdab:
      return joined(words[1], words[0]);
    case WordOrder::badc:
      return joined(swapped(words[0]), swapped(words[1]));
    case WordOrder::dcba:
      return joined(swapped(words[1]), swapped(words[0]));
  }
  return 0;
}

std::optional<PairVerdict> judge_pair(std::span<const WordPair> samples) {
  if (samples.size() < 2) return std::nullopt;
  std::vector<Scored> floats, integers;
  for (const WordOrder order : orders) {
    floats.push_back(score_float(samples, order));
    integers.push_back(score_integer(samples, order));
  }
  const auto best = [](const std::vector<Scored>& list) { return std::ranges::max(list, {}, &Scored::score).score; };
  const double best_float = best(floats), best_integer = best(integers);
  // Neither a float nor an integer when both are likely.
  if (best_float >= clear_lead * best_integer) return leader(std::move(floats), Type::float32);
  if (best_integer >= clear_lead * best_float) return leader(std::move(integers), Type::int32);
  return std::nullopt;
}

Behaviour behaviour_of(std::span<const Word> samples) {
  Behaviour out;
  std::set<Word> distinct(samples.begin(), samples.end());
  const bool near_top = !distinct.empty() && *distinct.rbegin() >= 0xF000;
  out.is_signed =
      near_top && (*distinct.begin() < 0x1000 || *distinct.begin() >= 0xF000) && *distinct.rbegin() != 0xFFFF;
  const auto shown = [&] {
    std::vector<std::string> texts;
    const std::size_t step = std::max<std::size_t>(1, samples.size() / 3);
    for (std::size_t i = 0; i < samples.size() && texts.size() < 3; i += step)
      texts.push_back(out.is_signed ? fmt::format("{}", static_cast<std::int16_t>(samples[i]))
                                    : fmt::format("{}", samples[i]));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  if (distinct.size() <= 1) {
    out.motion = Motion::constant;
    out.text = fmt::format("constant {}", samples.empty() ? 0 : samples[0]);
    if (out.is_signed) out.text += fmt::format(" or {}", static_cast<std::int16_t>(samples[0]));
    return out;
  }
  bool rises = true;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const auto step = static_cast<Word>(samples[i] - samples[i - 1]);
    rises = rises && step > 0 && step < 1000;
  }
  const bool few = distinct.size() <= 4 && distinct.size() * 2 <= samples.size();
  if (distinct.size() == 2 && *distinct.begin() == 0 && std::has_single_bit(*distinct.rbegin())) {
    out.motion = Motion::bit_like;
    out.text = fmt::format("bit-like: {}", shown());
  } else if (rises) {
    out.motion = Motion::counter;
    out.text = fmt::format("counter: {}", shown());
  } else if (few) {
    out.motion = Motion::bit_like;
    out.text = fmt::format("few values, perhaps states or bits: {}", fmt::join(distinct, ", "));
  } else {
    out.motion = Motion::changing;
    out.text = fmt::format("changing: {}", shown());
  }
  return out;
}

}  // namespace tandem::generic
