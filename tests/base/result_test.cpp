// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/result.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <string>

#include "tandem/base/quality.hpp"

namespace tandem {

static_assert(!std::is_convertible_v<Result<int>, bool>, "a Result<bool> must not be mistaken for its value");

TEST_CASE("a result holds its value or its error") {
  Result<int> good = 7;
  CHECK(good.ok());
  CHECK(static_cast<bool>(good));
  CHECK(*good == 7);
  *good = 8;
  CHECK(good.value() == 8);

  const Result<int> bad = Error{Fault::device, "drive 3 answered 0x1A", 0x1A};
  CHECK_FALSE(bad.ok());
  CHECK(bad.error().fault == Fault::device);
  CHECK(bad.error().code == 0x1A);
}

TEST_CASE("a result hands on values that only move") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = *std::move(result);
  CHECK(*taken == 5);
  Result<std::string> text = std::string("abc");
  CHECK(text->size() == 3);
}

TEST_CASE("a result of nothing is good until it holds an error") {
  const Result<void> good;
  CHECK(good.ok());
  const Result<void> bad = Error{Fault::timeout, "read: nothing came"};
  CHECK_FALSE(bad);
  CHECK(bad.error().text == "read: nothing came");
}

TEST_CASE("context stands in front of the error and changes nothing else") {
  const Error error = within("platform", within("read MAIN.stEM1500Pose", {Fault::timeout, "timed out", 3}));
  CHECK(error.text == "platform: read MAIN.stEM1500Pose: timed out");
  CHECK(error.fault == Fault::timeout);
  CHECK(error.code == 3);
}

TEST_CASE("every fault and quality has a name of its own") {
  std::set<std::string> names;
  for (const Fault fault : {Fault::timeout, Fault::closed, Fault::refused, Fault::unreachable, Fault::invalid,
                            Fault::not_found, Fault::device, Fault::busy, Fault::unsupported}) {
    names.insert(name(fault));
  }
  CHECK(names.size() == 9);
  CHECK(names.count("unknown") == 0);
  CHECK(std::string(name(Quality::live)) == "live");
  CHECK(std::string(name(Quality::stale)) == "stale");
  CHECK(std::string(name(Quality::invalid)) == "invalid");
}

}  // namespace tandem
