// SPDX-License-Identifier: Apache-2.0
// Any bytes from a controller to a dashboard client, as its greeting and as what it answers: a value or an error in
// words, and each question leaves as one clean line that the client meant.
//
// An input is a list of pieces, each behind its size: the greeting, and one for each line that comes.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <thread>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/ur/dashboard/client.hpp"

namespace {

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::dashboard;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_line(std::string_view line) {
  require(!line.empty() && line.size() <= longest_line);
  require(std::ranges::none_of(line, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }));
  require(parse(line).verb != Verb::unknown);
}

// The controller's side: says a piece for each line, and closes when it has none left, or one that ends no line, for
// which the client would wait until its deadline.
void answer(net::TcpListener& listener, ByteReader pieces) {
  auto client = listener.accept(now() + 4s);
  if (!client) return;
  std::array<std::uint8_t, 8192> some{};
  std::string heard;
  while (pieces.remaining() > 0) {
    const std::string_view piece = pieces.text(std::min<std::size_t>(pieces.byte(), pieces.remaining()));
    if (!client->write_all(as_bytes(piece), now() + 4s) || !piece.ends_with('\n')) break;
    const auto count = client->read_some(some, now() + 4s);
    if (!count) return;
    heard.append(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(*count));
    for (auto end = heard.find('\n'); end != std::string::npos; end = heard.find('\n')) {
      check_line(std::string_view(heard).substr(0, end));
      heard.erase(0, end + 1);
    }
  }
  client->reset();
}

template <typename T>
void check(const Result<T>& result) {
  require(result.ok() || !result.error().text.empty());
}

void ask(Client& client, const std::string& name) {
  const Instant deadline = now() + 4s;
  const auto mode = client.robot_mode(deadline);
  check(mode);
  if (mode) require(std::string_view(ur::name(*mode)).size() > 1);
  check(client.safety_status(deadline));
  check(client.running(deadline));
  const auto loaded = client.load(name, deadline);
  check(loaded);
  require(!loaded || is_program_name(name));
  check(client.perform(Verb::power_on, deadline));
  check(client.is_in_remote_control(deadline));
  check(client.polyscope_version(deadline));
  check(client.perform(Verb::unlock_protective_stop, deadline));
  check(client.perform(Verb::clear_operational_mode, deadline));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto listener = net::TcpListener::listen("127.0.0.1", 0);
  require(listener.ok());
  ByteReader pieces(Bytes(data, size));
  const std::string name(pieces.text(std::min<std::size_t>(pieces.byte(), pieces.remaining())));
  const std::jthread controller([&] { answer(*listener, pieces); });
  auto client = Client::connect("127.0.0.1", listener->local().port, now() + 4s);
  check(client);
  if (client) ask(*client, name);
  return 0;
}
