// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tandem/machines/em1500/control/reference.hpp"

using namespace tandem;
using namespace tandem::em1500;

namespace {

constexpr stewart::Lengths neutral{1.4, 1.4, 1.4, 1.4, 1.4, 1.4};
constexpr stewart::Lengths first{1.5, 1.6, 1.7, 1.8, 1.9, 2.0};
constexpr stewart::Lengths second{1.51, 1.62, 1.73, 1.84, 1.95, 2.06};

void check_near(const stewart::Lengths& seen, const stewart::Lengths& expected) {
  for (std::size_t leg = 0; leg < 6; ++leg) CHECK(seen[leg] == doctest::Approx(expected[leg]).epsilon(1e-12));
}

// A folder of its own for one test, gone afterwards.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tandem-reference-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file() const { return (path / "sub" / "platform.reference").string(); }
};

}  // namespace

TEST_CASE("the first sample is the reference and stays it") {
  Reference reference(ReferenceMode::first_sample, neutral, "");
  CHECK_FALSE(reference.settled());
  check_near(reference.displacements(first), {});
  CHECK(reference.settled());
  check_near(reference.displacements(second), {0.01, 0.02, 0.03, 0.04, 0.05, 0.06});
}

TEST_CASE("the neutral reference needs no sample") {
  Reference reference(ReferenceMode::neutral, neutral, "");
  CHECK(reference.settled());
  check_near(reference.displacements(first), {0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
}

TEST_CASE("a persisted reference survives a restart") {
  const Folder folder;
  {
    Reference reference(ReferenceMode::persisted, neutral, folder.file());
    check_near(reference.displacements(first), {});
    CHECK(reference.trouble().empty());
  }
  Reference again(ReferenceMode::persisted, neutral, folder.file());
  CHECK(again.settled());
  check_near(again.displacements(second), {0.01, 0.02, 0.03, 0.04, 0.05, 0.06});
}

TEST_CASE("a reference file that holds no lengths is refused by name") {
  const Folder folder;
  std::filesystem::create_directories(folder.path / "sub");
  for (const char* content : {"", "1 2 3", "1 2 3 4 5 nan", "1 2 3 4 5 -6", "a b c d e f"}) {
    std::ofstream(folder.file()) << content;
    CHECK_THROWS_WITH_AS(Reference(ReferenceMode::persisted, neutral, folder.file()),
                         doctest::Contains("platform.reference"), std::invalid_argument);
  }
}

TEST_CASE("a reference that cannot be written is told and works all the same") {
  Reference reference(ReferenceMode::persisted, neutral, "/proc/no/such/place");
  check_near(reference.displacements(first), {});
  CHECK(reference.trouble().find("/proc/no/such/place") != std::string::npos);
}
