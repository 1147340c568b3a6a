// SPDX-License-Identifier: Apache-2.0
// Machines that a file describes, from the command line: check, demo, virtual, options.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/app/process.hpp"

namespace tandem::app {
namespace {

// A folder of its own for files and sockets.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("described_{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::ofstream(file) << text;
    return file.string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string machine(const std::string& device, const std::string& signals) {
  return fmt::format("machines:\n  press:\n    type: generic\n    device: {}\n    signals:\n{}", device, signals);
}

const std::string pressure = "      pressure: {at: input 3, type: uint16, unit: bar, sim: 7}\n";

std::string example(const char* file) { return std::string(TANDEM_SOURCE "/examples/") + file; }

}  // namespace

TEST_CASE("every example of a described machine is checked and runs as a demo") {
  const Folder folder;
  for (const char* file : {"11_press/press.yaml", "12_conveyor/conveyor.yaml", "13_gantry/gantry.yaml"}) {
    CAPTURE(file);
    Process check(TANDEM_PROGRAM, {"check", example(file)});
    REQUIRE(check.finish(60s) == 0);
    CHECK(check.output().find("fine") != std::string::npos);
    CHECK(check.output().find("can be written while armed") != std::string::npos);  // the table of what can be written
    Process demo(TANDEM_PROGRAM, {"demo", "--config", example(file), "--for", "4", "--web", "off", "--control",
                                  folder.path("control.sock")});
    REQUIRE_MESSAGE(demo.finish(90s) == 0, demo.output());
    CHECK_MESSAGE(demo.output().find(" live") != std::string::npos, demo.output());
    CHECK_MESSAGE(demo.output().find("armed") != std::string::npos, demo.output());
  }
}

TEST_CASE("a demo refuses real devices and more than one way to say what runs") {
  const Folder folder;
  const std::string real = folder.write("real.yaml", machine("\"modbus://192.0.2.1\"", pressure));
  Process demo(TANDEM_PROGRAM, {"demo", "--config", real});
  CHECK(demo.finish(60s) == 1);
  CHECK(demo.output().find("real.yaml:2:3: press: expected `device: virtual` for a demo, got modbus://192.0.2.1") !=
        std::string::npos);
  Process both(TANDEM_PROGRAM, {"demo", "raptorlift", "--config", real});
  CHECK(both.finish(60s) == 2);
  Process fileless(TANDEM_PROGRAM, {"demo", "generic"});
  CHECK(fileless.finish(60s) == 2);
  CHECK(fileless.output().find("tandem demo --config FILE") != std::string::npos);
}

TEST_CASE("what is wrong with a description is reported beside what is wrong elsewhere") {
  const Folder folder;
  const std::string file = folder.write(
      "wrong.yaml", machine("virtual", "      pressure: {at: input 3, typ: uint16}\n") + "web: {lisen: off}\n");
  Process check(TANDEM_PROGRAM, {"check", file});
  CHECK(check.finish(60s) == 1);
  CHECK_MESSAGE(check.output().find("wrong.yaml:6:") != std::string::npos, check.output());
  CHECK(check.output().find("wrong.yaml:7:") != std::string::npos);
}

TEST_CASE("a device of another scheme than the places is refused") {
  const Folder folder;
  const std::string file = folder.write("scheme.yaml", machine("\"mavlink://192.0.2.1\"", pressure));
  Process check(TANDEM_PROGRAM, {"check", file});
  CHECK(check.finish(60s) == 1);
  CHECK_MESSAGE(check.output().find("expected 'virtual' or 'modbus://HOST[:PORT]'") != std::string::npos,
                check.output());
}

TEST_CASE("a virtual device needs the file that describes it, and says where it listens") {
  const Folder folder;
  Process fileless(TANDEM_PROGRAM, {"virtual", "generic"});
  CHECK(fileless.finish(60s) == 2);
  CHECK(fileless.output().find("tandem virtual generic FILE") != std::string::npos);
  Process unasked(TANDEM_PROGRAM, {"virtual", "raptorlift", "press.yaml"});
  CHECK(unasked.finish(60s) == 2);
  Process wrong(TANDEM_PROGRAM, {"virtual", "generic", folder.write("wrong.yaml", "signals: {a: {at: holding}}\n")});
  CHECK(wrong.finish(60s) == 1);
  CHECK_MESSAGE(wrong.output().find("wrong.yaml:1:") != std::string::npos, wrong.output());
  Process device(TANDEM_PROGRAM,
                 {"virtual", "generic", folder.write("press.yaml", machine("virtual", pressure)), "--port", "15983"});
  CHECK_MESSAGE(device.says("generic listens on", 60s), device.output());
  device.signal(SIGINT);
  CHECK(device.finish(60s) == 0);
}

TEST_CASE("a check warns of two machines on one device however its address is written") {
  const Folder folder;
  const std::string file = folder.write(
      "two.yaml", machine("\"modbus://localhost\"", pressure) +
                      "  other:\n    type: generic\n    device: \"modbus://127.0.0.1:502\"\n    signals:\n" + pressure);
  Process check(TANDEM_PROGRAM, {"check", file});
  CHECK(check.finish(60s) == 0);
  CHECK_MESSAGE(check.output().find("warning: other: device modbus://127.0.0.1:502: expected a device of its own, got "
                                    "that of press") != std::string::npos,
                check.output());
}

TEST_CASE("the file of a real PLC is served only with the types of its structures") {
  const Folder folder;
  const std::string file =
      folder.write("belts.yaml", machine("\"ads://192.0.2.1\"", "      belts: {at: GVL.aBelt, unit: {fSpeed: m/s}}\n"));
  Process check(TANDEM_PROGRAM, {"check", file});
  CHECK(check.finish(60s) == 0);
  Process device(TANDEM_PROGRAM, {"virtual", "generic", file, "--port", "15984"});
  CHECK(device.finish(60s) == 1);
  CHECK_MESSAGE(device.output().find("belts: a virtual PLC cannot ask for the type of GVL.aBelt: expected `type: "
                                     "ST_belts` and `types: {ST_belts: {fSpeed: LREAL}}`") != std::string::npos,
                device.output());
}

TEST_CASE("the options of a described machine are its document and an example") {
  Process options(TANDEM_PROGRAM, {"options", "generic"});
  CHECK(options.finish(60s) == 0);
  CHECK(options.output().find("docs/generic.md") != std::string::npos);
  CHECK(options.output().find("signals:") != std::string::npos);
}

}  // namespace tandem::app
