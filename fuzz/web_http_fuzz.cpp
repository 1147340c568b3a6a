// SPDX-License-Identifier: Apache-2.0
// Any bytes on a connection to the page, in two pieces: an HTTP answer or a closed connection, the server goes on, and
// nothing may control, since the token of the run is random.
#include <array>

#include "fuzz/web_served.hpp"

using namespace tandem;
using web::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static web::fuzz::Served served;
  net::TcpSocket socket = web::fuzz::connected(served);
  const std::size_t half = size / 2;
  if (!socket.write_all({data, half}, now() + 4s)) return 0;
  if (!socket.write_all({data + half, size - half}, now() + 4s)) return 0;
  socket.shutdown_write();
  std::string answer;
  std::array<std::uint8_t, 65536> some;
  for (auto count = socket.read_some(some, now() + 4s); count && *count > 0;
       count = socket.read_some(some, now() + 4s)) {
    answer.append(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(*count));
  }
  require(answer.empty() || answer.starts_with("HTTP/1.1 "));
  require(answer.find("Set-Cookie") == std::string::npos);
  return 0;
}
