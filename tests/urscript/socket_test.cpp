// SPDX-License-Identifier: Apache-2.0
// The socket functions against a peer made of strings.
#include "tandem/urscript/run/sockets.hpp"

#include <doctest/doctest.h>

#include <map>

#include "tests/urscript/script_rig.hpp"
#include "tests/urscript/string_sockets.hpp"

namespace tandem::urscript {

namespace {

struct SocketRig : ScriptRig {
  SocketRig() { add_socket_library(builtins, sockets); }
  StringSockets sockets;
};

}  // namespace

TEST_CASE("opening waits for the peer and gives up after two seconds") {
  SocketRig rig;
  REQUIRE(rig.load("x = 0 x = socket_open(\"10.0.0.1\", 50001, \"a\")"));
  rig.step(5);
  CHECK(rig.global("x") == "0");
  CHECK(rig.sockets.opened == "a 10.0.0.1 50001");
  rig.sockets.peers["a"].status = Sockets::Status::open;
  rig.step(1);
  CHECK(rig.global("x") == "True");

  REQUIRE(rig.load("x = 0 x = socket_open(\"10.0.0.1\", 50001)"));
  rig.step(1000);
  CHECK(rig.global("x") == "0");
  rig.step(2);
  CHECK(rig.global("x") == "False");
  CHECK(rig.run("x = socket_open(\"a\", 70000)").find("expected a port of 1 to 65535") != std::string::npos);
}

TEST_CASE("integers are sent and read big endian with their count first") {
  SocketRig rig;
  rig.sockets.connect("r");
  REQUIRE(rig.load("x = 0 s = socket_send_int(-2, \"r\") x = socket_read_binary_integer(2, \"r\", 0)"));
  rig.step(3);
  CHECK(rig.sockets.peers["r"].sent == std::string("\xff\xff\xff\xfe", 4));
  rig.sockets.peers["r"].incoming = std::string("\0\0\1\0\xff\xff\xff", 7);
  rig.step(3000);
  CHECK(rig.global("x") == "0");  // zero waits for ever
  rig.sockets.peers["r"].incoming += std::string("\xff\0\0", 3);
  rig.step(1);
  CHECK(rig.global("x") == "[2, 256, -1]");
}

TEST_CASE("a read that times out fills up its list") {
  SocketRig rig;
  rig.sockets.connect("r");
  REQUIRE(rig.load("x = 0 x = socket_read_binary_integer(3, \"r\", 0.02)"));
  rig.sockets.peers["r"].incoming = std::string("\0\0\0\5\0\0", 6);
  rig.step(10);
  CHECK(rig.global("x") == "0");
  rig.step(1);
  CHECK(rig.global("x") == "[1, 5, -1, -1]");
  CHECK(rig.run("x = socket_read_ascii_float(2, \"r\", 0.01)") == "[0, nan, nan]");
  CHECK(rig.run("x = socket_read_byte_list(0, \"r\")").find("count of 1 to 512") != std::string::npos);
  CHECK(rig.run("x = socket_read_binary_integer(31, \"r\")").find("count of 1 to 30") != std::string::npos);
}

TEST_CASE("a dead connection fails in the next cycle so that a loop around it takes time") {
  SocketRig rig;
  REQUIRE(rig.load("x = 0 while x < 10: r = socket_read_binary_integer(1, \"nobody\", 0) x = x + 1 end"));
  rig.step(5);
  CHECK(rig.global("r") == "[0, -1]");
  CHECK(rig.global("x") == "4");
  CHECK(rig.run("x = socket_send_int(1, \"nobody\")") == "False");
}

TEST_CASE("a flood from the peer is read over several cycles") {
  SocketRig rig;
  rig.sockets.connect("r");
  rig.sockets.peers["r"].incoming = std::string(4'000, 'a');
  REQUIRE(rig.load("x = 0 while x < 1000: r = socket_read_binary_integer(1, \"r\", 0) x = x + 1 end"));
  rig.step(1);
  CHECK(rig.global("x") == "64");
  REQUIRE(rig.finish(100));
  CHECK(rig.program().state() == Interpreter::State::finished);
}

TEST_CASE("text is sent and read in lines and between marks") {
  SocketRig rig;
  rig.sockets.connect("socket_0");
  auto& peer = rig.sockets.peers["socket_0"];
  CHECK(rig.run("x = socket_send_string(\"a\") socket_send_line([1, 2]) socket_send_byte(10)") == "True");
  CHECK(peer.sent == "a[1, 2]\n\n");
  peer.incoming = "one\r\ntwo\nrest";
  CHECK(rig.run("x = socket_read_line()") == "one");
  CHECK(rig.run("x = socket_read_line()") == "two");
  CHECK(rig.run("x = socket_read_string()") == "rest");
  CHECK(rig.run("x = socket_read_line(timeout=0.01)") == "");
  peer.incoming = "noise<b>(1.5, -2e1)</b>\n";
  CHECK(rig.run("x = socket_read_string(prefix=\"<b>\", suffix=\"</b>\\n\", interpret_escape=True)") == "(1.5, -2e1)");
  peer.incoming = "(1.5, -2e1 , 3)tail";
  CHECK(rig.run("x = socket_read_ascii_float(3)") == "[3, 1.5, -20, 3]");
  CHECK(rig.run("x = socket_read_byte_list(4)") == "[4, 116, 97, 105, 108]");
}

TEST_CASE("variables of a gripper are asked for by name") {
  SocketRig rig;
  rig.sockets.connect("g");
  auto& peer = rig.sockets.peers["g"];
  REQUIRE(rig.load("x = -1 socket_set_var(\"POS\", 100, \"g\") x = socket_get_var(\"POS\", \"g\")"));
  rig.step(3);
  CHECK(peer.sent == "SET POS 100\nGET POS\n");
  peer.incoming = "POS 77\n";
  rig.step(1);
  CHECK(rig.global("x") == "77");
  CHECK(rig.run("x = socket_get_var(\"POS\", \"g\")") == "0");
}

}  // namespace tandem::urscript
