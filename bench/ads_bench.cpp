// SPDX-License-Identifier: Apache-2.0
// Reads of a PLC over ADS beside a textbook loop on a bare socket that does the same: CPU of the calling thread,
// same server.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <thread>

#include "bench/bare_socket.hpp"
#include "tandem/protocols/ads/client/client.hpp"
#include "tandem/protocols/ads/server/server.hpp"

namespace {

using namespace tandem;

constexpr std::size_t items = 500, size = 48;  // of a sum read; bytes of each
constexpr std::size_t rounds = 20;             // of one window
constexpr int windows = 300;
constexpr std::size_t head = 38;  // bytes of AMS/TCP and AMS in front of a payload

using bench::give_up;

class Plc {
 public:
  Plc() {
    table_.add_at("MAIN.values", fmt::format("ARRAY [0..{}] OF BYTE", items * size - 1), ads::Area::memory, 0);
    const auto bytes = table_.bytes({ads::Area::memory, 0, items * size});
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i % 251);
    auto server = ads::Server::listen(table_, {.tcp_port = 0, .udp = false, .net_id = {}, .user = {}, .password = {}});
    if (!server) give_up(server.error().text);
    server_ = std::move(*server);
    thread_ = bench::polling(*server_);
  }
  std::uint16_t port() const { return server_->tcp_port(); }

 private:
  ads::SymbolTable table_;
  std::unique_ptr<ads::Server> server_;
  std::jthread thread_;
};

// What an engineer writes who has the document of the protocol and no library: fixed buffers, blocking calls with
// one time-out, the answer checked for its length, its invoke id and its error codes.
class Textbook {
 public:
  explicit Textbook(std::uint16_t port) : socket_(port) {}

  void read(std::span<std::uint8_t> into) {
    begin(2, 12);
    put(head, 0x4020), put(head + 4, 0), put(head + 8, static_cast<std::uint32_t>(into.size()));
    std::memcpy(into.data(), exchange(12, into.size()), into.size());
  }

  struct Item {
    std::uint32_t group, offset, size;
    std::uint8_t* into;
    std::uint32_t result;
  };
  void sum_read(std::vector<Item>& asked) {
    const auto count = static_cast<std::uint32_t>(asked.size());
    std::uint32_t expected = 4 * count;
    for (const Item& item : asked) expected += item.size;
    begin(9, 16 + 12 * count);
    put(head, 0xF080), put(head + 4, count), put(head + 8, expected), put(head + 12, 12 * count);
    std::size_t at = head + 16;
    for (const Item& item : asked) {
      put(at, item.group), put(at + 4, item.offset), put(at + 8, item.size);
      at += 12;
    }
    const std::uint8_t* const results = exchange(at - head, expected);
    const std::uint8_t* value = results + 4 * asked.size();
    for (std::size_t i = 0; i < asked.size(); ++i) {
      std::memcpy(&asked[i].result, results + 4 * i, 4);
      if (asked[i].result == 0) std::memcpy(asked[i].into, value, asked[i].size);
      value += asked[i].size;
    }
  }

 private:
  void put(std::size_t at, std::uint32_t value) { std::memcpy(out_.data() + at, &value, 4); }
  std::uint32_t got(std::size_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, in_.data() + at, 4);
    return value;
  }

  void begin(std::uint16_t command, std::uint32_t length) {
    constexpr std::array<std::uint8_t, 16> addresses{127, 0, 0, 1, 1, 1, 0x53, 3, 127, 0, 0, 1, 1, 2, 0x31, 0x75};
    std::memset(out_.data(), 0, 2);
    put(2, 32 + length);
    std::memcpy(out_.data() + 6, addresses.data(), addresses.size());
    std::memcpy(out_.data() + 22, &command, 2);
    const std::uint16_t request = 4;
    std::memcpy(out_.data() + 24, &request, 2);
    put(26, length), put(30, 0), put(34, ++invoke_id_);
  }

  // Sends what was begun and gives the data of the answer.
  const std::uint8_t* exchange(std::size_t length, std::size_t expected) {
    if (::send(socket_.fd(), out_.data(), head + length, MSG_NOSIGNAL) != static_cast<ssize_t>(head + length))
      give_up("send");
    const std::size_t whole = head + 8 + expected;
    for (std::size_t done = 0; done < whole;) {
      const ssize_t count = ::recv(socket_.fd(), in_.data() + done, in_.size() - done, 0);
      if (count <= 0) give_up("recv");
      done += static_cast<std::size_t>(count);
    }
    if (got(2) != whole - 6 || got(30) != 0 || got(34) != invoke_id_ || got(head) != 0 || got(head + 4) != expected)
      give_up("unexpected answer");
    return in_.data() + head + 8;
  }

  bench::BareSocket socket_;
  std::uint32_t invoke_id_ = 0;
  std::array<std::uint8_t, 64 * 1024> out_{}, in_{};
};

}  // namespace

int main() {
  const Plc plc;
  Textbook peer(plc.port());
  ads::Peer device;
  device.host = "127.0.0.1";
  device.port = plc.port();
  device.target = {ads::NetId{{127, 0, 0, 1, 1, 1}}, ads::port::plc};
  auto client = ads::Client::connect(device, system_clock().now() + 2s);
  if (!client) give_up(client.error().text);

  std::vector<std::uint8_t> theirs(items * size), own(items * size);
  std::vector<Textbook::Item> peer_asked;
  std::vector<ads::SumReadItem> asked;
  for (std::uint32_t i = 0; i < items; ++i) {
    peer_asked.push_back({ads::group::memory, i * std::uint32_t{size}, size, &theirs[i * size], 0});
    asked.push_back({ads::group::memory, i * std::uint32_t{size}, std::span(own).subspan(i * size, size)});
  }

  const auto peer_sum = [&] {
    for (std::size_t i = 0; i < rounds; ++i) peer.sum_read(peer_asked);
  };
  const auto our_sum = [&] {
    for (std::size_t i = 0; i < rounds; ++i)
      if (auto done = client->sum_read(asked, system_clock().now() + 500ms); !done) give_up(done.error().text);
  };
  const auto peer_read = [&] {
    for (std::size_t i = 0; i < rounds; ++i) peer.read(std::span(theirs).first(size));
  };
  const auto our_read = [&] {
    for (std::size_t i = 0; i < rounds; ++i)
      if (auto done = client->read(ads::group::memory, 0, std::span(own).first(size), system_clock().now() + 500ms);
          !done)
        give_up(done.error().text);
  };
  const std::string textbook = "textbook loop on a bare socket";
  const bool good = bench::print(
      {{"sum read of 500 x 48 bytes", bench::side_by_side(rounds, peer_sum, our_sum, windows), 1, textbook},
       {"read of 48 bytes", bench::side_by_side(rounds, peer_read, our_read, windows), 0.85, textbook}});
  if (theirs != own) give_up("expected the same values from both, got different ones");
  return good ? 0 : 1;
}
