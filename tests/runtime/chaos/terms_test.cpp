// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/terms.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace tandem::runtime::chaos {
namespace {

std::string wrong_terms(std::string_view text) {
  const auto read = parse_terms(text);
  return read ? "fine" : read.error().text;
}

bool has_text(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a whole line of faults is read with its units") {
  const auto terms = parse_terms(
      "delay=50ms jitter=1.5ms loss=1% duplicate=0.5% reorder=2% corrupt=1e-5 slice=7 rate=10kB/s blackhole hold reset "
      "half-open to=client for=2min seed=18446744073709551615");
  REQUIRE(terms);
  CHECK(terms->delay == 50ms);
  CHECK(terms->jitter == 1500us);
  CHECK(terms->loss == 1);
  CHECK(terms->duplicate == 0.5);
  CHECK(terms->reorder == 2);
  CHECK(terms->corrupt == 1e-5);
  CHECK(terms->slice == 7);
  CHECK(terms->rate == 10000);
  CHECK(terms->black_hole);
  CHECK(terms->hold);
  CHECK(terms->reset);
  CHECK(terms->half_open);
  CHECK(terms->towards == Towards::client);
  CHECK(terms->length == Duration(120s));
  CHECK(terms->seed == 18446744073709551615u);
}

TEST_CASE("faults alone have the values that the help states") {
  const auto terms = parse_terms("  duplicate reorder   corrupt slice ");
  REQUIRE(terms);
  CHECK(terms->duplicate == 1);
  CHECK(terms->reorder == 1);
  CHECK(terms->corrupt == 1e-5);
  CHECK(terms->slice == 7);
  CHECK_FALSE(terms->length);
  CHECK_FALSE(terms->seed);
  CHECK(length_of(*terms) == 10s);
  CHECK(length_of(*parse_terms("reset")) == 0s);
  CHECK(length_of(*parse_terms("half-open to=device for=3s")) == 3s);
}

TEST_CASE("errors name the term, what was expected and what was got") {
  struct Row {
    std::string_view text, says;
  };
  const std::vector<Row> rows = {
      {"", "expected at least one fault, such as delay=50ms, loss=1% or blackhole, got none"},
      {"for=10s to=client seed=7", "expected at least one fault"},
      {"delay",
       "delay: expected 1us to 10s in whole microseconds, with its unit (us, ms, s, min), such as delay=50ms, "
       "got nothing"},
      {"delay=50", "got '50'"},
      {"delay=50msec", "got '50msec' (known: us, ms, s, min)"},
      {"delay=0ms", "delay: expected 1us to 10s"},
      {"delay=-1ms", "got '-1ms'"},
      {"delay=11s", "got '11s'"},
      {"delay=0.5us", "in whole microseconds"},
      {"delay=nanms", "got 'nanms'"},
      {"delay=1e400ms", "got '1e400ms'"},
      {"jitter=", "jitter: expected"},
      {"loss", "loss: expected more than 0 and at most 100 %, with its unit, such as loss=1%, got nothing"},
      {"loss=0.01", "got '0.01'"},
      {"loss=0%", "got '0%'"},
      {"loss=101%", "got '101%'"},
      {"corrupt=2",
       "corrupt: expected a probability per byte, more than 0 and at most 1, such as corrupt=1e-5, got '2'"},
      {"corrupt=1%", "got '1%'"},
      {"slice=0", "slice: expected whole bytes from 1 to 65535, such as slice=7, got '0'"},
      {"slice=7B", "got '7B'"},
      {"rate=10", "rate: expected 1 B/s to 1000 MB/s, with its unit (B/s, kB/s, MB/s), such as rate=10kB/s, got '10'"},
      {"rate=10kb/s", "got '10kb/s'; did you mean 'kB/s'?"},
      {"rate=0.5B/s", "rate: expected 1 B/s"},
      {"blackhole=yes", "blackhole: expected no value, got 'yes'"},
      {"hold hold", "hold: expected once, got it twice"},
      {"delay=1ms delay=2ms", "delay: expected once, got it twice"},
      {"dealy=50ms", "unknown term 'dealy'; did you mean 'delay'?"},
      {"loss=1% to=machine", "to: expected device, client or both, got 'machine'"},
      {"loss=1% for=11min", "for: expected 10ms to 10min in whole microseconds"},
      {"loss=1% seed=-1", "seed: expected a whole number from 0 to 18446744073709551615, got '-1'"},
      {"loss=1% seed=1.5", "got '1.5'"},
      {"half-open to=both", "half-open: expected to=client or to=device, got to=both"},
      {"loss=1%\x1b[31m", "got '1%?[31m'"},
  };
  for (const auto& [text, says] : rows) {
    CAPTURE(text);
    const std::string told = wrong_terms(text);
    CHECK_MESSAGE(has_text(told, says), told);
  }
  CHECK(has_text(wrong_terms(std::string(600, 'x')), "terms: expected at most 512 characters, got 600"));
}

TEST_CASE("what is printed is read back as it was") {
  std::mt19937_64 random(21);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  const auto share = [&] { return below(2) == 0 ? 0.0 : static_cast<double>(1 + below(100'000)) / 1000; };
  for (int i = 0; i < 2000; ++i) {
    Terms terms;
    terms.delay = std::chrono::microseconds(below(2) * below(10'000'000));
    terms.jitter = std::chrono::microseconds(below(2) * below(10'000'000));
    terms.loss = share(), terms.duplicate = share(), terms.reorder = share();
    terms.corrupt = below(2) == 0 ? 0 : static_cast<double>(1 + below(1000)) / 7e6;
    terms.slice = below(2) * below(65536);
    terms.rate = below(2) == 0 ? 0 : 1 + static_cast<double>(below(1'000'000)) / 3;
    terms.black_hole = below(2) == 0, terms.hold = below(2) == 0, terms.reset = below(2) == 0;
    terms.half_open = below(4) == 0;
    terms.towards = static_cast<Towards>(below(3));
    if (below(2) == 0) terms.length = std::chrono::microseconds(10'000 + below(599'000'000));
    if (below(2) == 0) terms.seed = random();
    if (!lasts(terms) && !terms.reset && !terms.half_open) terms.hold = true;
    const std::string text = text_of(terms);
    CAPTURE(text);
    const auto again = parse_terms(text);
    REQUIRE(again);
    CHECK(*again == terms);
  }
}

TEST_CASE("what is done is said in words") {
  CHECK(words_of(*parse_terms("delay=50ms loss=1% for=10s seed=7")) ==
        "delay 50ms, loss 1%, both directions, for 10s, seed 7");
  CHECK(words_of(*parse_terms("blackhole to=client")) == "blackhole, to the client, for 10s");
  CHECK(words_of(*parse_terms("half-open")) == "half-open, to the client, once");
  CHECK(words_of(*parse_terms("reset to=device")) == "reset, to the device, once");
}

TEST_CASE("faults are those of the direction that was named") {
  const net::Faults device = faults_of(*parse_terms("delay=5ms loss=10% to=device"));
  CHECK(device.to_device.delay == 5ms);
  CHECK(device.to_device.drop == doctest::Approx(0.1));
  CHECK(device.to_client.delay == 0ms);
  CHECK(device.to_client.drop == 0);
  const net::Faults both = faults_of(*parse_terms("blackhole rate=1kB/s"));
  CHECK(both.to_device.black_hole);
  CHECK(both.to_client.black_hole);
  CHECK(both.to_client.bytes_per_second == 1000);
}

}  // namespace tandem::runtime::chaos
