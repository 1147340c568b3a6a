// SPDX-License-Identifier: Apache-2.0
// RTDE client: blocking, with a deadline on every call. The newest packet wins.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/round_trips.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/ur/framer.hpp"
#include "tandem/protocols/ur/rtde/recipe.hpp"
#include "tandem/protocols/ur/rtde/rtde.hpp"

namespace tandem::ur {

struct RtdeText {
  std::string text, source;
  rtde::Level level = rtde::Level::info;
};

class RtdeClient {
 public:
  // Connects, agrees on protocol 2 (or 1 where the controller knows no other) and asks for the controller's version.
  static Result<RtdeClient> connect(const std::string& host, std::uint16_t port, Instant deadline,
                                    net::Tap* tap = nullptr);

  // The one output recipe. `frequency` in Hz; protocol 1 has the controller's full rate only. A variable that the
  // controller does not know (Fault::not_found) or has with another type (Fault::invalid) is named.
  Result<void> setup_outputs(std::span<const std::string> names, double frequency, Instant deadline);
  // An input recipe; gives its id. A variable that another client has claimed (Fault::busy) is named.
  Result<std::uint8_t> setup_inputs(std::span<const std::string> names, Instant deadline);
  Result<void> start(Instant deadline);
  Result<void> pause(Instant deadline);

  struct Received {
    std::size_t packets = 0;  // how many had come; all but the newest were passed over
    bool restarted = false;   // the controller's time went back: it has been restarted
    bool repeated = false;    // the controller's time stands still
  };
  // Waits for a data packet, takes all that have come, and writes the newest one's values into `into`. Variables that
  // are not in the recipe stay as they are.
  Result<Received> receive_newest(Variables& into, Instant deadline);
  // Writes the values of an input recipe.
  Result<void> send(std::uint8_t recipe, const Variables& from, Instant deadline);

  // What the controller has to say, oldest first; at most 64 texts are kept.
  std::optional<RtdeText> take_text();

  // Gives the connection up without closing it.
  net::TcpSocket abandon() { return std::move(socket_); }

  int protocol() const { return protocol_; }
  const rtde::ControllerVersion& version() const { return version_; }
  int fd() const { return socket_.fd(); }
  std::uint64_t skipped() const { return skipped_; }  // packets of unknown kinds

 private:
  explicit RtdeClient(net::TcpSocket socket);

  Result<void> write(const rtde::Request& request, Instant deadline);
  // The answer of this type; texts are kept, data and unknown kinds are passed over.
  template <typename Wanted>
  Result<Wanted> await(Instant deadline);
  Result<void> negotiate(const net::RoundTrips& trips);
  Result<bool> accepts(std::uint16_t version, Instant deadline);
  Result<Recipe> agreed(std::span<const std::string> names, std::string_view types) const;
  Result<std::optional<rtde::Answer>> next();
  Result<void> read_more(Instant deadline);
  Result<bool> read_ready();
  void keep(const rtde::TextMessage& message);
  Error lost(Error error);
  Result<void> take_data(const rtde::OutputData& data, Received& received);

  net::TcpSocket socket_;
  Framer framer_;
  int protocol_ = 1;
  rtde::ControllerVersion version_;
  Recipe outputs_;
  std::uint8_t output_recipe_ = 0;
  std::vector<Recipe> inputs_;
  std::vector<std::uint8_t> input_ids_;  // of inputs_, as the controller numbered them
  std::vector<std::uint8_t> newest_;     // values of the newest data packet
  std::optional<double> stamp_;          // the controller's time in the packet before, where it is in the recipe
  bool stamped_ = false;
  std::vector<std::uint8_t> packet_;
  std::deque<RtdeText> texts_;
  std::uint64_t skipped_ = 0;
};

}  // namespace tandem::ur
