// SPDX-License-Identifier: Apache-2.0
#include "bench/bare_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "bench/side_by_side.hpp"

namespace bench {
namespace {

using namespace tandem;

constexpr std::size_t head = 8;  // bytes of a frame up to its function
constexpr std::array<std::uint8_t, 12> reading = {0, 0, 0, 0, 0, 6, 1, 3, 0, 16, 0, 8};  // D16 to D23
constexpr std::size_t answer_size = 25;

std::vector<std::uint8_t> answer_to(std::span<const std::uint8_t> request) {
  const std::uint8_t function = request[7];
  if (function > 4) return {request.begin(), request.begin() + 12};
  const std::size_t count = (std::size_t{request[10]} << 8) | request[11];
  const std::size_t bytes = function <= 2 ? (count + 7) / 8 : 2 * count;
  std::vector<std::uint8_t> answer(9 + bytes);
  std::copy_n(request.begin(), head, answer.begin());
  answer[4] = static_cast<std::uint8_t>((3 + bytes) >> 8);
  answer[5] = static_cast<std::uint8_t>(3 + bytes);
  answer[8] = static_cast<std::uint8_t>(bytes);
  return answer;
}

struct Asker {
  net::TcpSocket socket;
  Instant turn;
  std::size_t missing = 0;  // bytes of the answer
};

}  // namespace

BareResponder::BareResponder() {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  if (!listener) throw std::runtime_error(listener.error().text);
  listener_ = std::move(*listener);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void BareResponder::run(const std::stop_token& stop) {
  net::Poller poller;
  std::vector<std::unique_ptr<Client>> clients;
  (void)poller.add(listener_.fd(), nullptr);
  while (!stop.stop_requested()) {
    for (void* key : poller.wait(now() + 50ms)) {
      if (key != nullptr) {
        auto& client = *static_cast<Client*>(key);
        if (serve(client)) continue;
        poller.remove(client.socket.fd());
        client.socket.close();
      } else if (auto caller = listener_.accept(Instant{})) {
        clients.push_back(std::make_unique<Client>(Client{std::move(*caller), {}}));
        (void)poller.add(clients.back()->socket.fd(), clients.back().get());
      }
    }
  }
}

bool BareResponder::serve(Client& client) {
  std::array<std::uint8_t, 2048> room;
  const auto count = client.socket.read_now(room);
  if (!count) return false;
  client.bytes.insert(client.bytes.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*count));
  while (client.bytes.size() >= 12) {
    const std::size_t size = 6 + ((std::size_t{client.bytes[4]} << 8) | client.bytes[5]);
    if (client.bytes.size() < size) return true;
    if (!client.socket.write_now(answer_to(std::span(client.bytes).first(size)))) return false;
    client.bytes.erase(client.bytes.begin(), client.bytes.begin() + static_cast<std::ptrdiff_t>(size));
  }
  return true;
}

BareRun run_bare(std::size_t count, double rate, Duration length) {
  const BareResponder responder;
  net::Poller poller;
  std::vector<std::unique_ptr<Asker>> askers;
  const Duration period = duration_of(1 / rate);
  for (std::size_t i = 0; i < count; ++i) {
    auto socket = net::TcpSocket::connect("127.0.0.1", responder.port(), now() + 5s);
    if (!socket) throw std::runtime_error(socket.error().text);
    askers.push_back(std::make_unique<Asker>(Asker{std::move(*socket), {}}));
    (void)poller.add(askers.back()->socket.fd(), askers.back().get());
  }
  const Instant begin = now() + 10ms;
  for (std::size_t i = 0; i < count; ++i) askers[i]->turn = begin + (i % 10) * (period / 10);
  const double cpu = process_time();
  std::size_t cycles = 0, late = 0, answers = 0;
  while (now() < begin + length) {
    const Instant at = now();
    Instant next = at + period;
    for (auto& asker : askers) {
      if (asker->missing == 0 && asker->turn <= at) {
        late += now() - asker->turn > period;
        ++cycles;
        asker->turn += period;
        asker->missing = answer_size;
        (void)asker->socket.write_now(reading);
      }
      if (asker->missing == 0) next = std::min(next, asker->turn);
    }
    for (void* key : poller.wait(next)) {
      auto& asker = *static_cast<Asker*>(key);
      std::array<std::uint8_t, 64> room;
      const auto got = asker.socket.read_now(room);
      if (!got) throw std::runtime_error(got.error().text);
      asker.missing -= std::min(asker.missing, *got);
      answers += asker.missing == 0;
    }
  }
  return {static_cast<double>(answers) / static_cast<double>(count) / seconds(length),
          static_cast<double>(late) / static_cast<double>(std::max<std::size_t>(cycles, 1)),
          (process_time() - cpu) / seconds(length)};
}

}  // namespace bench
