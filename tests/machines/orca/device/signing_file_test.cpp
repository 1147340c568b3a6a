// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/device/signing_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace tandem;
using namespace tandem::orca;

namespace {

constexpr const char* good_digits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1B1C1D1E1F";

struct KeyFolder {
  KeyFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tandem-key-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
  }
  ~KeyFolder() { std::filesystem::remove_all(folder); }
  KeyFolder(const KeyFolder&) = delete;
  KeyFolder& operator=(const KeyFolder&) = delete;

  std::string put(const std::string& name, const std::string& text, mode_t mode = 0600) const {
    const std::string file = folder / name;
    std::ofstream(file) << text;
    REQUIRE(chmod(file.c_str(), mode) == 0);
    return file;
  }

  std::filesystem::path folder;
};

std::string refusal(const std::string& file) {
  const auto signing = signing_from_file(file);
  return signing ? "" : signing.error().text;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("A key is read from its digits in either case") {
  const KeyFolder keys;
  const auto signing = signing_from_file(keys.put("key", fmt::format("{}\n", good_digits)));
  REQUIRE(signing.ok());
  for (std::size_t i = 0; i < 32; ++i) CHECK(signing->key[i] == i);
  CHECK(signing->remembered == 0);
  CHECK_FALSE(signing->allow_unsigned);
}

TEST_CASE("A key that others may read or write is refused with its mode") {
  const KeyFolder keys;
  for (const mode_t mode : {0640U, 0604U, 0620U, 0602U, 0610U, 0601U, 0644U, 0777U}) {
    const std::string why = refusal(keys.put("key", good_digits, mode));
    CHECK(holds(why, fmt::format("got {:o}", mode)));
    CHECK(holds(why, "expected mode 600"));
    CHECK_FALSE(holds(why, "0001020304"));
  }
  CHECK(refusal(keys.put("key", good_digits, 0400)).empty());
}

TEST_CASE("Keys of another length or with other signs or with something behind them are refused and not shown") {
  const KeyFolder keys;
  const std::string good(good_digits);
  for (const std::string& text :
       {std::string(), std::string("\n"), good.substr(1), good + "0", good.substr(0, 63) + "g", "0x" + good.substr(2),
        "-1" + good.substr(2), good + " " + good, good + "\nmore"}) {
    CAPTURE(text);
    const std::string why = refusal(keys.put("key", text));
    CHECK(holds(why, "expected 64 hexadecimal digits"));
    CHECK_FALSE(holds(why, "0405060708"));
  }
}

TEST_CASE("A key that is missing or no file or cannot be read is refused by name") {
  const KeyFolder keys;
  CHECK(holds(refusal(keys.folder / "none"), "none: no such file"));
  const std::string folder = keys.folder / "folder";
  REQUIRE(mkdir(folder.c_str(), 0700) == 0);
  CHECK(holds(refusal(folder), "expected a file"));
  const std::string locked = keys.put("locked", good_digits, 0200);
  if (geteuid() != 0) CHECK(holds(refusal(locked), "cannot be read"));  // nothing is locked for root
}

TEST_CASE("S6 the time that signing has reached is kept and one that cannot be read is no zero") {
  const KeyFolder keys;
  const std::string file = keys.put("key", good_digits);
  auto signing = signing_from_file(file);
  REQUIRE(signing.ok());
  signing->remember(1234567890123);
  signing->remember(1234567890999);
  CHECK(signing_from_file(file)->remembered == 1234567890999);
  CHECK_FALSE(std::filesystem::exists(file + ".time.new"));
  for (const char* const bad : {"", "soon", "12x", "-5", "1 2", "99999999999999999999999"}) {
    CAPTURE(bad);
    keys.put("key.time", bad);
    CHECK(holds(refusal(file), "key.time: expected one number"));
  }
  std::filesystem::remove(file + ".time");
  CHECK(refusal(file).empty());
}

TEST_CASE("S6 a time that cannot be kept is told at the start") {
  const KeyFolder keys;
  const std::string file = keys.put("key", good_digits);
  REQUIRE(mkdir((file + ".time.new").c_str(), 0700) == 0);  // in the way, for root too
  CHECK(holds(refusal(file), "key.time: cannot be written"));
}
