// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/vda5050/time.hpp"

#include <fmt/format.h>

namespace tandem::vda5050 {
namespace {

// Takes `count` digits off the text.
std::optional<int> take_number(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    number = 10 * number + (text[i] - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, std::string_view separators) {
  if (text.empty() || separators.find(text[0]) == separators.npos) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string timestamp_of(UtcTime time) {
  namespace chrono = std::chrono;
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(chrono::floor<chrono::milliseconds>(time - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::optional<UtcTime> utc_from(std::string_view text) {
  namespace chrono = std::chrono;
  const auto year = take_number(text, 4);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day || !take(text, "Tt")) return std::nullopt;
  const auto hour = take_number(text, 2);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || !take(text, ":")) return std::nullopt;
  const auto second = take_number(text, 2);
  if (!second) return std::nullopt;
  chrono::microseconds fraction{0};
  if (take(text, ".")) {
    chrono::microseconds unit{100'000};
    if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
    while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
      fraction += unit * (text[0] - '0');
      unit /= 10;
      text.remove_prefix(1);
    }
  }
  if (!take(text, "Zz") || !text.empty()) return std::nullopt;
  const chrono::year_month_day date{chrono::year(*year), chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day))};
  // Nanoseconds since 1970 end in 2262.
  if (!date.ok() || *year < 1970 || *year > 2200 || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return chrono::sys_days(date) + chrono::hours(*hour) + chrono::minutes(*minute) + chrono::seconds(*second) + fraction;
}

}  // namespace tandem::vda5050
