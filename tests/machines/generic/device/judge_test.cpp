// SPDX-License-Identifier: Apache-2.0
// What becomes of decoded values: scale, what means no value, range, names, and how often a signal has changed.
#include "tandem/machines/generic/device/judge.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tandem/machines/generic/device/link.hpp"

namespace tandem::generic {
namespace {

struct Judged {
  Signal signal;
  Declaration declaration;
  Readings readings;

  void begin() { readings.resize({signal}); }
  void number(double raw, std::size_t element = 0) {
    judge_number(signal, declaration, element, raw, static_cast<std::int64_t>(raw), readings, 0);
  }
  void real(double raw) { judge_number(signal, declaration, 0, raw, 0, readings, 0); }
  const Reading& reading() const { return readings.of[0]; }
  std::string why() const { return std::string(reading().why.view()); }
};

TEST_CASE("a value is raw * scale + offset, and good") {
  Judged judged;
  judged.signal.scale = 0.1;
  judged.signal.offset = -40;
  judged.begin();
  judged.number(653);
  CHECK(judged.readings.numbers[0] == doctest::Approx(25.3));
  CHECK(judged.readings.integers[0] == 653);
  CHECK(judged.reading().quality == SignalQuality::good);
  CHECK(judged.why().empty());
}

TEST_CASE("values that mean none are bad, by number or by bits") {
  Judged judged;
  judged.signal.type = Type::int16;
  judged.declaration.invalid = {0x8000, 12345};
  judged.begin();
  judged.number(-32768);
  CHECK(judged.reading().quality == SignalQuality::bad);
  CHECK(judged.why() == "no value: the device reports -32768 (invalid)");
  CHECK(std::isnan(judged.readings.numbers[0]));
  judged.number(12345);
  CHECK(judged.reading().quality == SignalQuality::bad);
  judged.number(12344);
  CHECK(judged.reading().quality == SignalQuality::good);
  judged.signal.type = Type::float32;
  judged.real(12345);
  CHECK(judged.reading().quality == SignalQuality::bad);
}

TEST_CASE("what is outside the expected range is bad, at its rounded ends it is not") {
  Judged judged;
  judged.signal.scale = 0.1;
  judged.signal.unit = "bar";
  judged.signal.expect = Range{0, 0.3};
  judged.begin();
  judged.number(3);  // 0.30000000000000004
  CHECK(judged.reading().quality == SignalQuality::good);
  judged.number(4);
  CHECK(judged.reading().quality == SignalQuality::bad);
  CHECK(judged.why() == "expected 0 to 0.3 bar, got 0.4");
  CHECK(judged.readings.integers[0] == 4);
}

TEST_CASE("what is no number is bad") {
  Judged judged;
  judged.signal.type = Type::float32;
  judged.begin();
  for (const double raw : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    judged.real(1);
    CHECK(judged.reading().quality == SignalQuality::good);
    judged.real(raw);
    CHECK(judged.reading().quality == SignalQuality::bad);
    CHECK(judged.why().starts_with("expected a number, got "));
  }
}

TEST_CASE("a state without a name is uncertain and keeps its number") {
  Judged judged;
  judged.signal.kind = Kind::enumeration;
  judged.signal.names = {{0, "off"}, {1, "running"}};
  judged.begin();
  judged.number(7);
  CHECK(judged.reading().quality == SignalQuality::uncertain);
  CHECK(judged.why() == "7 has no name");
  CHECK(judged.readings.numbers[0] == 7);
  judged.number(1);
  CHECK(judged.reading().quality == SignalQuality::good);
}

TEST_CASE("changes are counted of values and of quality, and not otherwise") {
  Judged judged;
  judged.signal.expect = Range{0, 10};
  judged.begin();
  judged.number(5);
  const auto first = judged.reading().changes;
  for (int i = 0; i < 3; ++i) judged.number(5);
  CHECK(judged.reading().changes == first);
  judged.number(6);
  CHECK(judged.reading().changes > first);
  judged.number(11);
  const auto bad = judged.reading().changes;
  for (int i = 0; i < 3; ++i) judged.number(11);
  CHECK(judged.reading().changes == bad);
  judged.number(6);
  CHECK(judged.reading().changes > bad);
}

TEST_CASE("one bad element makes an array bad, without flickering") {
  Judged judged;
  judged.signal.count = 3;
  judged.signal.expect = Range{0, 10};
  judged.begin();
  const auto scan = [&](double a, double b, double c) {
    judged.number(a, 0);
    judged.number(b, 1);
    judged.number(c, 2);
  };
  scan(1, 2, 3);
  CHECK(judged.reading().quality == SignalQuality::good);
  scan(1, 20, 3);
  CHECK(judged.reading().quality == SignalQuality::bad);
  const auto changes = judged.reading().changes;
  scan(1, 20, 3);
  CHECK(judged.reading().changes == changes);
  CHECK(judged.readings.numbers[2] == 3);
  scan(1, 2, 3);
  CHECK(judged.reading().quality == SignalQuality::good);
}

TEST_CASE("a text that is no UTF-8 is taken as Latin-1 and marked") {
  Judged judged;
  judged.signal.kind = Kind::text;
  judged.signal.type = Type::text;
  judged.begin();
  judge_text(judged.signal, "30 \xc2\xb0", judged.readings, 0);
  CHECK(judged.readings.texts[0] == "30 \xc2\xb0");
  CHECK(judged.reading().quality == SignalQuality::good);
  judge_text(judged.signal, "30 \xb0", judged.readings, 0);
  CHECK(judged.readings.texts[0] == "30 \xc2\xb0");
  CHECK(judged.reading().quality == SignalQuality::uncertain);
  CHECK(judged.why() == "not UTF-8: shown as Latin-1");
}

TEST_CASE("a signal is stale three periods after its last answer, and not within 100 ms") {
  Judged judged;
  judged.signal.period = 0.01;
  judged.begin();
  judged.number(1);
  const Instant then{1h};
  judged.readings.of[0].received = then;
  judge_age(judged.signal, then + 100ms, "no answer", judged.readings, 0);
  CHECK(judged.reading().quality == SignalQuality::good);
  judge_age(judged.signal, then + 101ms, "no answer", judged.readings, 0);
  CHECK(judged.reading().quality == SignalQuality::stale);
  CHECK(judged.why() == "no answer");
  judged.signal.period = 1;
  judged.number(1);
  judge_age(judged.signal, then + 2999ms, "no answer", judged.readings, 0);
  CHECK(judged.reading().quality == SignalQuality::good);
}

}  // namespace
}  // namespace tandem::generic
