// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/url.hpp"

#include <doctest/doctest.h>

#include <random>

namespace tandem::net {

TEST_CASE("a whole device url is taken apart") {
  const auto url = parse_url("modbus://192.168.2.1:502?unit=1&word_order=abcd");
  REQUIRE(url);
  CHECK(url->scheme == "modbus");
  CHECK(url->host == "192.168.2.1");
  CHECK(url->port == 502);
  CHECK(url->query.size() == 2);
  CHECK(url->value("unit") == "1");
  CHECK(url->value("word_order") == "abcd");
  CHECK_FALSE(url->value("nothing"));
  CHECK(url->text() == "modbus://192.168.2.1:502?unit=1&word_order=abcd");
}

TEST_CASE("port and query may be missing") {
  CHECK_FALSE(parse_url("rtde://192.168.1.10").value().port);
  CHECK(parse_url("rtde://arm-1.lab.example").value().host == "arm-1.lab.example");
  CHECK(parse_url("ads://plc?net_id=5.1.2.3.1.1").value().value("net_id") == "5.1.2.3.1.1");
  CHECK(parse_url("x://h:65535").value().port == 65535);
}

TEST_CASE("percent signs in values are decoded and written back") {
  const auto url = parse_url("file://h?path=%2Ftmp%2fa%20b%26");
  REQUIRE(url);
  CHECK(url->value("path") == "/tmp/a b&");
  CHECK(parse_url(url->text()).value().query == url->query);
}

TEST_CASE("a malformed url is told where and what was expected") {
  struct Case {
    std::string text;
    std::string place;
    std::string expected;
  };
  const Case cases[] = {
      {"", "character 1:", "a protocol in lower case"},
      {"virtual", "character 8:", "\"://\" after the protocol, got the end"},
      {"192.168.2.1", "character 1:", "a protocol"},
      {"Modbus://a", "character 1:", "lower case, as in modbus://192.168.2.1:502, got \"M\""},
      {" modbus://a", "character 1:", "a protocol"},
      {"modbus:/a", "character 7:", "\"://\""},
      {"modbus//a", "character 7:", "\"://\""},
      {"modbus://", "character 10:", "a host, got the end"},
      {"modbus://:502", "character 10:", "a host, got \":\""},
      {"modbus://a b", "character 11:", "or the end, got \" \""},
      {"modbus://user@a", "character 14:", "got \"@\""},
      {"modbus://[::1]:502", "character 10:", "IPv6 is not supported"},
      {"modbus://192.168.2", "character 10:", "an IPv4 address like 192.168.2.1, got \"192.168.2\""},
      {"modbus://192.168.2.256", "character 10:", "an IPv4 address"},
      {"modbus://192.168.02.1", "character 10:", "an IPv4 address"},
      {"modbus://192.168.2.1.5", "character 10:", "an IPv4 address"},
      {"modbus://1.2.3.", "character 10:", "an IPv4 address"},
      {"modbus://99999999999999999999.1.1.1", "character 10:", "an IPv4 address"},
      {"modbus://a..b", "character 10:", "a host name"},
      {"modbus://.a", "character 10:", "a host name"},
      {"modbus://-a", "character 10:", "a host name"},
      {"modbus://a:", "character 12:", "a port from 1 to 65535, got the end"},
      {"modbus://a:x", "character 12:", "a port from 1 to 65535, got \"x\""},
      {"modbus://a:0", "character 12:", "a port from 1 to 65535, got \"0\""},
      {"modbus://a:0502", "character 12:", "got \"0502\""},
      {"modbus://a:65536", "character 12:", "got \"65536\""},
      {"modbus://a:99999999999999999999999", "character 12:", "a port"},
      {"modbus://a:-1", "character 12:", "got \"-\""},
      {"modbus://a:502x", "character 15:", "\"?\" or the end, got \"x\""},
      {"modbus://a/", "character 11:", "\":\", \"?\" or the end, got \"/\""},
      {"modbus://a#b", "character 11:", "got \"#\""},
      {"modbus://a?", "character 12:", "a key in lower case, got the end"},
      {"modbus://a?Unit=1", "character 12:", "a key in lower case, got \"U\""},
      {"modbus://a?unit", "character 16:", "\"=\" and the value of \"unit\""},
      {"modbus://a?unit=", "character 17:", "a value for \"unit\", got the end"},
      {"modbus://a?unit=1&", "character 19:", "a key"},
      {"modbus://a?unit=1&&b=2", "character 19:", "a key"},
      {"modbus://a?unit=1&unit=2", "character 19:", "every key once, got \"unit\" again"},
      {"modbus://a?unit=1 ", "character 18:", "\"&\" or the end"},
      {"modbus://a?unit=1=2", "character 18:", "\"&\" or the end"},
      {"modbus://a?unit=%2", "character 17:", "two hexadecimal digits"},
      {"modbus://a?unit=%zz", "character 17:", "two hexadecimal digits"},
      {"modbus://a\n", "character 11:", "got \"\\x0a\""},
      {std::string("modbus://a\0b", 12), "character 11:", "got \"\\x00\""},
      {"modbus://\xC3\xA4", "character 10:", "a host, got \"\\xc3\""},
      {"modbus://" + std::string(254, 'a'), "character 10:", "at most 253"},
      {"modbus://a?k=" + std::string(3000, 'a'), "character 1:", "at most 2048 characters, got 3013"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const auto url = parse_url(one.text);
    REQUIRE_FALSE(url);
    CAPTURE(url.error().text);
    CHECK(url.error().fault == Fault::invalid);
    CHECK(url.error().text.find(one.place) != std::string::npos);
    CHECK(url.error().text.find(one.expected) != std::string::npos);
  }
}

TEST_CASE("numbers in the query are bounded") {
  const Url url = parse_url("modbus://a?unit=247&big=300&word=ten&sign=-3&plus=1.5").value();
  CHECK(url.number("unit", 1, 0, 247).value() == 247);
  CHECK(url.number("missing", 1, 0, 247).value() == 1);
  CHECK(url.number("sign", 1, -5, 5).value() == -3);
  for (const char* key : {"big", "word", "plus"}) {
    const auto number = url.number(key, 1, 0, 247);
    REQUIRE_FALSE(number);
    CHECK(number.error().text.find(std::string("expected ") + key + " to be a whole number from 0 to 247") !=
          std::string::npos);
  }
}

TEST_CASE("a key that nobody knows is named beside those that are known") {
  const Url url = parse_url("modbus://a?unti=1").value();
  CHECK(url.only_keys({"unit", "unti"}));
  const auto checked = url.only_keys({"unit", "words"});
  REQUIRE_FALSE(checked);
  CHECK(checked.error().text == "device \"modbus://a?unti=1\": unknown key \"unti\"; keys of modbus: unit, words");
}

TEST_CASE("any text is parsed without harm and what is accepted reads the same again") {
  std::mt19937_64 random(9);
  const std::string letters = "am0:/?&=%.-_2 5\xff\n";
  int accepted = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text = random() % 2 == 0 ? "m://a" : "m://1.2.3.4:5?a=";
    for (std::uint64_t left = random() % 12; left > 0; --left) text += letters[random() % letters.size()];
    const auto url = parse_url(text);
    if (!url) continue;
    ++accepted;
    const auto again = parse_url(url->text());
    REQUIRE(again);
    CHECK(again->host == url->host);
    CHECK(again->port == url->port);
    CHECK(again->query == url->query);
  }
  CHECK(accepted > 100);
}

}  // namespace tandem::net
