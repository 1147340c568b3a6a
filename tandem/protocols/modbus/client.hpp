// SPDX-License-Identifier: Apache-2.0
// Modbus TCP client: one connection to one unit, blocking, a deadline on every call. For one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/base/recent_durations.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/modbus/client_session.hpp"

namespace tandem::modbus {

struct Peer {
  std::string host;
  std::uint16_t port = tcp_port;
  std::uint8_t unit = 1;
  bool pipelining = false;  // several requests on their way, in one segment; only for devices known to take it
};

// Once the connection is lost or its bytes make no sense, every call gives that error; make a new client then. One
// answer that is late, wrong or missing costs its own request and no other. Warm reads and writes allocate nothing.
// When a write was sent and not answered as it should be, outcome_unknown() holds for the error; it is never sent
// twice.
class Client {
 public:
  static Result<Client> connect(const Peer& peer, Instant deadline, net::Tap* tap = nullptr);
  // Over a connection that is there already.
  Client(net::TcpSocket connected, std::uint8_t unit, bool pipelining = false);

  // Each fills `into` to the last value, or leaves it alone.
  Result<void> read_coils(std::uint16_t address, std::span<bool> into, Instant deadline);
  Result<void> read_discrete_inputs(std::uint16_t address, std::span<bool> into, Instant deadline);
  Result<void> read_registers(std::uint16_t address, std::span<std::uint16_t> into, Instant deadline);
  Result<void> read_input_registers(std::uint16_t address, std::span<std::uint16_t> into, Instant deadline);

  Result<void> write_coil(std::uint16_t address, bool value, Instant deadline);
  Result<void> write_coils(std::uint16_t address, std::span<const bool> values, Instant deadline);
  Result<void> write_register(std::uint16_t address, std::uint16_t value, Instant deadline);
  Result<void> write_registers(std::uint16_t address, std::span<const std::uint16_t> values, Instant deadline);
  Result<void> mask_write(std::uint16_t address, std::uint16_t and_mask, std::uint16_t or_mask, Instant deadline);

  // A write and a read that follow each other (functions 16 and 3), in one segment with pipelining; each has its own
  // outcome.
  struct Pair {
    Result<void> written;
    Result<void> read;
    bool ok() const { return written.ok() && read.ok(); }
  };
  Pair write_and_read(std::uint16_t write_address, std::span<const std::uint16_t> values, std::uint16_t read_address,
                      std::span<std::uint16_t> into, Instant deadline);
  // The same as one request (function 23), which not every device knows.
  Result<void> exchange(std::uint16_t write_address, std::span<const std::uint16_t> values, std::uint16_t read_address,
                        std::span<std::uint16_t> into, Instant deadline);

  Result<std::uint8_t> exception_status(Instant deadline);
  Result<ServerId> server_id(Instant deadline);
  // All objects of a level, however many requests it takes.
  Result<std::vector<Identification::Object>> identification(IdentificationCode level, Instant deadline);

  // Several requests: begin each, then await each, in any order. With pipelining begin also sends it, unless it has to
  // wait for the next one; without, a request is sent when the one before it is answered, and has its time from then
  // on. The answer is valid until the next begin.
  enum class Send { now, with_next };
  Result<RequestId> begin(const Request& request, Instant deadline, Send send = Send::now);
  Result<const Answer*> await(RequestId id);
  // For who waits for many clients at once: takes what has arrived on fd() and sends what may follow, without waiting
  // for answers; then whether await() has something to say, and the latest time at which to ask again. An error means
  // that the connection is lost, and await() says so.
  Result<void> progress(Instant deadline);
  bool finished(RequestId id) const { return lost_ || session_.finished(id, now()); }
  Instant patience(RequestId id) const { return session_.patience(id); }

  bool open() const { return socket_.open(); }
  // Why every call fails, once it does.
  const std::optional<Error>& lost() const { return lost_; }
  int fd() const { return socket_.fd(); }
  void close();
  const ClientSession::Counters& counters() const { return session_.counters(); }
  // From sending a request to its answer, or to its deadline when none came.
  const RecentDurations& round_trips() const { return round_trips_; }
  // The same in words, with a count of timeouts: of this connection, or of those before it too.
  std::string delays(std::uint64_t timeouts) const;

 private:
  // The time is read once for both halves of a request.
  Result<RequestId> begin(const Request& request, Instant deadline, Send send, Instant now);
  Result<const Answer*> await(RequestId id, Instant now);
  Result<const Answer*> ask(const Request& request, Instant deadline);
  Result<void> read_bits(BitKind kind, std::uint16_t address, std::span<bool> into, Instant deadline);
  Result<void> read_words(WordKind kind, std::uint16_t address, std::span<std::uint16_t> into, Instant deadline);
  Result<void> flush(Instant deadline, Instant now);
  Result<Instant> receive(Instant deadline);
  Result<Instant> take(std::size_t count);  // sorts the bytes that came into the session's room
  Error lose(Error why);

  net::TcpSocket socket_;
  std::string where_;
  ClientSession session_;
  std::optional<Error> lost_;
  Instant sent_{};  // when the newest request left
  RecentDurations round_trips_;
  std::optional<Instant> partial_since_;  // when the answer that is now arriving was first seen incomplete
};

}  // namespace tandem::modbus
