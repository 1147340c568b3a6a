// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/rtde/recipe.hpp"

#include <cstddef>
#include <cstring>

namespace tandem::ur {
namespace {

template <typename Word>
void copy_reversed(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    if constexpr (std::endian::native == std::endian::little) word = tandem::detail::reversed(word);
    std::memcpy(to + i * sizeof word, &word, sizeof word);
  }
}

void copy_swapped(const std::byte* from, std::byte* to, std::size_t count, std::size_t width) {
  switch (width) {
    case 8:
      return copy_reversed<std::uint64_t>(from, to, count);
    case 4:
      return copy_reversed<std::uint32_t>(from, to, count);
    default:
      std::memcpy(to, from, count * width);
  }
}

}  // namespace

std::vector<std::string_view> split_names(std::string_view names) {
  std::vector<std::string_view> list;
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    if (!name.empty()) list.push_back(name);
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
  return list;
}

void Recipe::add(std::size_t field) {
  const Field& added = ur::fields()[field];
  const auto width = static_cast<std::uint8_t>(element_size(added.type));
  const auto count = static_cast<std::uint16_t>(size_of(added.type) / width);
  const bool boolean = added.type == Type::boolean;
  // Neighbours in memory become one step.
  const bool joins = !steps_.empty() && steps_.back().width == width && steps_.back().boolean == boolean &&
                     steps_.back().count < 4096 &&
                     steps_.back().offset + std::size_t{steps_.back().count} * width == added.offset;
  if (joins)
    steps_.back().count = static_cast<std::uint16_t>(steps_.back().count + count);
  else
    steps_.push_back({added.offset, count, width, boolean});
  fields_.push_back(field);
  size_ += size_of(added.type);
  concerns_ = static_cast<Concerns>(concerns_ | static_cast<Concerns>(added.concern));
}

void Recipe::encode(const Variables& from, std::vector<std::uint8_t>& out) const {
  const std::size_t begin = out.size();
  out.resize(begin + size_);
  const auto* source = reinterpret_cast<const std::byte*>(&from);
  auto* target = reinterpret_cast<std::byte*>(out.data() + begin);
  for (const Step& step : steps_) {
    copy_swapped(source + step.offset, target, step.count, step.width);
    target += std::size_t{step.count} * step.width;
  }
}

bool Recipe::decode(Bytes values, Variables& into) const {
  if (values.size() != size_) return false;
  const auto* source = reinterpret_cast<const std::byte*>(values.data());
  auto* target = reinterpret_cast<std::byte*>(&into);
  for (const Step& step : steps_) {
    copy_swapped(source, target + step.offset, step.count, step.width);
    // Any value but zero is true on the wire; in memory it is one.
    for (std::size_t i = 0; step.boolean && i < step.count; ++i)
      if (target[step.offset + i] != std::byte{0}) target[step.offset + i] = std::byte{1};
    source += std::size_t{step.count} * step.width;
  }
  return true;
}

}  // namespace tandem::ur
