// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include "tandem/base/nearest.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::runtime::chaos {
namespace {

constexpr double usual_percent = 1, usual_corrupt = 1e-5;
constexpr std::size_t usual_slice = 7, largest_slice = 65535;
constexpr Duration longest_delay = 10s;
constexpr double fastest = 1e9;  // bytes/s

constexpr std::array<std::string_view, 14> known_terms = {"delay",   "jitter",    "loss", "duplicate", "reorder",
                                                          "corrupt", "slice",     "rate", "blackhole", "hold",
                                                          "reset",   "half-open", "to",   "for"};
constexpr std::array<std::string_view, 3> directions = {"both", "device", "client"};

struct Unit {
  std::string_view name;
  double size;
};
constexpr std::array<Unit, 4> of_time = {{{"us", 1}, {"ms", 1e3}, {"s", 1e6}, {"min", 60e6}}};
constexpr std::array<Unit, 3> of_rate = {{{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}}};
constexpr std::array<Unit, 1> of_share = {{{"%", 1}}};

Error expected(std::string_view term, std::string_view what, std::string_view got) {
  return {Fault::invalid, fmt::format("{}: expected {}, got {}", printable(term), what,
                                      got.empty() ? "nothing" : fmt::format("'{}'", printable(got)))};
}

// A number and its unit, in the smallest one.
Result<double> measure(std::string_view name, std::string_view text, std::span<const Unit> units,
                       const std::string& what) {
  const std::size_t last = text.find_last_of("0123456789.");
  const std::string_view number = text.substr(0, last == text.npos ? 0 : last + 1);
  const std::string_view unit = text.substr(number.size());
  const auto value = yaml::number_from(number);
  if (!value || *value < 0) return expected(name, what, text);
  for (const Unit& each : units)
    if (each.name == unit) return *value * each.size;
  std::vector<std::string_view> names;
  for (const Unit& each : units) names.push_back(each.name);
  Error error = expected(name, what, text);
  if (!unit.empty()) error.text += suggestion(unit, names);
  return error;
}

std::string in_unit(double value, std::span<const Unit> units) {
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    const double in = value / unit->size;
    if (in >= 1 && in == std::floor(in) && in * unit->size == value) return fmt::format("{}{}", in, unit->name);
  }
  return fmt::format("{}{}", value / units.front().size, units.front().name);
}

class TermsReader {
 public:
  Result<Terms> read(std::string_view text) {
    if (text.size() > longest_line)
      return Error{Fault::invalid,
                   fmt::format("terms: expected at most {} characters, got {}", longest_line, text.size())};
    while (true) {
      const std::size_t begin = text.find_first_not_of(' ');
      if (begin == text.npos) break;
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      if (auto read = term(text.substr(begin, end - begin)); !read) return std::move(read).error();
      text.remove_prefix(end);
    }
    return checked();
  }

 private:
  Result<Terms> checked() {
    Terms quiet;
    quiet.towards = terms_.towards, quiet.length = terms_.length, quiet.seed = terms_.seed;
    if (terms_ == quiet)
      return Error{Fault::invalid,
                   "expected at least one fault, such as delay=50ms, loss=1% or blackhole, got none; `tandem help "
                   "chaos` lists them"};
    if (terms_.half_open && to_both_)
      return Error{Fault::invalid, "half-open: expected to=client or to=device, got to=both; `reset` ends both"};
    return terms_;
  }

  Result<void> term(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const bool bare = equals == text.npos;
    const std::string_view value = bare ? std::string_view{} : text.substr(equals + 1);
    if (!seen_.insert(std::string(name)).second)
      return Error{Fault::invalid, fmt::format("{}: expected once, got it twice", printable(name))};
    if (name == "blackhole") return flag(name, bare, value, terms_.black_hole);
    if (name == "hold") return flag(name, bare, value, terms_.hold);
    if (name == "reset") return flag(name, bare, value, terms_.reset);
    if (name == "half-open") return flag(name, bare, value, terms_.half_open);
    if (name == "delay") return time(name, value, terms_.delay);
    if (name == "jitter") return time(name, value, terms_.jitter);
    if (name == "loss") return share(name, bare ? "-" : value, terms_.loss);
    if (name == "duplicate") return share(name, bare ? "1%" : value, terms_.duplicate);
    if (name == "reorder") return share(name, bare ? "1%" : value, terms_.reorder);
    if (name == "corrupt") return corrupt(bare, value);
    if (name == "slice") return slice(bare, value);
    if (name == "rate") return rate(value);
    if (name == "to") return towards(value);
    if (name == "for") return length(value);
    if (name == "seed") return seed(value);
    std::vector<std::string_view> known(known_terms.begin(), known_terms.end());
    known.push_back("seed");
    return Error{Fault::invalid, fmt::format("unknown term '{}'{}", printable(name), suggestion(name, known))};
  }

  static Result<void> flag(std::string_view name, bool bare, std::string_view value, bool& into) {
    if (!bare) return expected(name, "no value", value);
    into = true;
    return {};
  }

  static Result<void> time(std::string_view name, std::string_view value, Duration& into) {
    const auto read = parse_duration(name, value, 1us, longest_delay);
    if (!read) return read.error();
    into = *read;
    return {};
  }

  static Result<void> share(std::string_view name, std::string_view value, double& into) {
    const std::string what = fmt::format("more than 0 and at most 100 %, with its unit, such as {}=1%", name);
    const auto read = measure(name, value == "-" ? "" : value, of_share, what);
    if (!read) return read.error();
    if (!(*read > 0 && *read <= 100)) return expected(name, what, value);
    into = *read;
    return {};
  }

  Result<void> corrupt(bool bare, std::string_view value) {
    terms_.corrupt = usual_corrupt;
    if (bare) return {};
    const auto read = yaml::number_from(value);
    if (!read || !(*read > 0 && *read <= 1))
      return expected("corrupt", "a probability per byte, more than 0 and at most 1, such as corrupt=1e-5", value);
    terms_.corrupt = *read;
    return {};
  }

  Result<void> slice(bool bare, std::string_view value) {
    terms_.slice = usual_slice;
    if (bare) return {};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), terms_.slice);
    if (error == std::errc() && end == value.data() + value.size() && terms_.slice >= 1 &&
        terms_.slice <= largest_slice)
      return {};
    return expected("slice", fmt::format("whole bytes from 1 to {}, such as slice=7", largest_slice), value);
  }

  Result<void> rate(std::string_view value) {
    const std::string what = "1 B/s to 1000 MB/s, with its unit (B/s, kB/s, MB/s), such as rate=10kB/s";
    const auto read = measure("rate", value, of_rate, what);
    if (!read) return read.error();
    if (!(*read >= 1 && *read <= fastest)) return expected("rate", what, value);
    terms_.rate = *read;
    return {};
  }

  Result<void> towards(std::string_view value) {
    const auto found = std::find(directions.begin(), directions.end(), value);
    if (found == directions.end()) {
      Error error = expected("to", "device, client or both", value);
      error.text += suggestion(value, directions);
      return error;
    }
    terms_.towards = static_cast<Towards>(found - directions.begin());
    to_both_ = terms_.towards == Towards::both;
    return {};
  }

  Result<void> length(std::string_view value) {
    const auto read = parse_duration("for", value, 10ms, longest);
    if (!read) return read.error();
    terms_.length = *read;
    return {};
  }

  Result<void> seed(std::string_view value) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value.empty() || error != std::errc() || end != value.data() + value.size())
      return expected("seed", "a whole number from 0 to 18446744073709551615", value);
    terms_.seed = number;
    return {};
  }

  Terms terms_;
  bool to_both_ = false;  // was written
  std::set<std::string> seen_;
};

double microseconds(Duration duration) {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
}

}  // namespace

Result<Duration> parse_duration(std::string_view name, std::string_view text, Duration shortest, Duration longest) {
  const std::string what = fmt::format("{} to {} in whole microseconds, with its unit (us, ms, s, min), such as {}={}",
                                       text_of(shortest), text_of(longest), name, name == "for" ? "10s" : "50ms");
  const auto read = measure(name, text, of_time, what);
  if (!read) return read.error();
  // Decimal fractions are not exact: 1.001 ms is a thousandth and one of a millisecond all the same.
  const double whole = std::round(*read);
  if (std::abs(whole - *read) > 1e-6 * std::max(1.0, whole) || whole < microseconds(shortest) ||
      whole > microseconds(longest))
    return expected(name, what, text);
  return Duration(std::chrono::microseconds(static_cast<std::int64_t>(whole)));
}

Result<Terms> parse_terms(std::string_view text) { return TermsReader().read(text); }

std::string text_of(Duration duration) {
  return duration == Duration::zero() ? "0s" : in_unit(microseconds(duration), of_time);
}

std::string text_of(const Terms& terms) {
  std::string text;
  const auto put = [&](std::string_view term, const std::string& value = "") {
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", term, value);
  };
  if (terms.delay > Duration::zero()) put("delay=", text_of(terms.delay));
  if (terms.jitter > Duration::zero()) put("jitter=", text_of(terms.jitter));
  if (terms.loss > 0) put("loss=", fmt::format("{}%", terms.loss));
  if (terms.duplicate > 0) put("duplicate=", fmt::format("{}%", terms.duplicate));
  if (terms.reorder > 0) put("reorder=", fmt::format("{}%", terms.reorder));
  if (terms.corrupt > 0) put("corrupt=", fmt::format("{}", terms.corrupt));
  if (terms.slice > 0) put("slice=", fmt::format("{}", terms.slice));
  if (terms.rate > 0) put("rate=", in_unit(terms.rate, of_rate));
  if (terms.black_hole) put("blackhole");
  if (terms.hold) put("hold");
  if (terms.reset) put("reset");
  if (terms.half_open) put("half-open");
  if (terms.towards != Towards::both) put("to=", std::string(directions[static_cast<std::size_t>(terms.towards)]));
  if (terms.length) put("for=", text_of(*terms.length));
  if (terms.seed) put("seed=", fmt::format("{}", *terms.seed));
  return text;
}

std::string words_of(const Terms& terms) {
  Terms plain = terms;
  plain.towards = Towards::both, plain.length.reset(), plain.seed.reset();
  std::string words;
  for (const char c : text_of(plain)) words += c == ' ' ? std::string(", ") : std::string(1, c == '=' ? ' ' : c);
  const bool half = terms.half_open && terms.towards == Towards::both;
  words += terms.towards == Towards::device           ? ", to the device"
           : half || terms.towards == Towards::client ? ", to the client"
                                                      : ", both directions";
  const Duration length = length_of(terms);
  words += length == Duration::zero() ? ", once" : fmt::format(", for {}", text_of(length));
  if (terms.seed) words += fmt::format(", seed {}", *terms.seed);
  return words;
}

bool lasts(const Terms& terms) {
  Terms once;
  once.reset = terms.reset, once.half_open = terms.half_open;
  once.towards = terms.towards, once.length = terms.length, once.seed = terms.seed;
  return terms != once;
}

Duration length_of(const Terms& terms) { return terms.length.value_or(lasts(terms) ? usual_length : Duration::zero()); }

bool breaks_link(const Terms& terms) {
  return terms.black_hole || terms.hold || terms.reset || terms.half_open || terms.loss >= 100;
}

net::Faults faults_of(const Terms& terms) {
  net::PathFaults path;
  path.delay = terms.delay;
  path.jitter = terms.jitter;
  path.drop = terms.loss / 100;
  path.duplicate = terms.duplicate / 100;
  path.reorder = terms.reorder / 100;
  path.corrupt = terms.corrupt;
  path.slice = terms.slice;
  path.bytes_per_second = terms.rate;
  path.hold = terms.hold;
  path.black_hole = terms.black_hole;
  net::Faults faults;
  if (terms.towards != Towards::client) faults.to_device = path;
  if (terms.towards != Towards::device) faults.to_client = path;
  return faults;
}

}  // namespace tandem::runtime::chaos
