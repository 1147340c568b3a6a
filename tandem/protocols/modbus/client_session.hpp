// SPDX-License-Identifier: Apache-2.0
// A Modbus client without its socket: requests become bytes, bytes become answers. One request is on its way at a time,
// or several with pipelining.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/protocols/modbus/codec.hpp"
#include "tandem/protocols/modbus/framer.hpp"

namespace tandem::modbus {

// True when a write was sent and not answered as it should be, so that no one knows whether the device did it.
bool outcome_unknown(const Error& error);

// A request on its way.
struct RequestId {
  std::uint16_t transaction = 0;
};

// Answers are matched by transaction id and unit and checked whole against their request. What belongs to no request
// that is waiting (late, twice, of another unit) is dropped and counted, and disturbs nothing. Errors name unit,
// function, addresses, what was expected and what was seen; an exception is Fault::device with the exception's code.
class ClientSession {
 public:
  static constexpr std::size_t most_requests = 16;

  // Without pipelining a request leaves only when the one before it is answered, given up or past its deadline: many
  // servers lose the second of two requests that arrive together.
  explicit ClientSession(std::uint8_t unit, bool pipelining = false) : unit_(unit), pipelining_(pipelining) {}

  // Appends the request to the output, or to the queue behind the one that is on its way. Fault::invalid when it breaks
  // the limits of its function, Fault::busy when too many are waiting. Its time begins again with the answer to the
  // one before it: a device that answers slowly has time for each, and a silent one is waited for once.
  Result<RequestId> begin(const Request& request, Instant deadline, Instant now);
  // Appends the next of the queue to the output, if its turn has come; one past its deadline is never sent.
  void advance(Instant now);

  // What has still to be sent; then say how much was.
  Bytes output() const { return Bytes(output_).subspan(sent_); }
  void sent(std::size_t count);

  // Room to receive into; then say how many bytes came. The answers among them are sorted to their requests; an error
  // when the stream makes no sense, and then the connection has to go.
  std::span<std::uint8_t> room() { return framer_.room(); }
  Result<void> received(std::size_t count, Instant now);

  // Of a request that is waiting; the beginning of time when there is none.
  Instant deadline(RequestId id) const;
  // The latest time until which to wait for bytes on behalf of a request: its deadline, or that of the one before it.
  Instant patience(RequestId id) const;
  // True when collect() has something to say.
  bool finished(RequestId id, Instant now) const;
  // The answer, an error, or nothing as long as it may still come. What was collected is forgotten, and so is what was
  // not answered before its deadline: its late answer will be dropped. The answer is valid until the next begin().
  Result<const Answer*> collect(RequestId id, Instant now);
  // Ends the waiting for another reason: the connection is gone.
  Error give_up(RequestId id, const Error& why);

  // Part of an answer is held.
  bool partial() const { return framer_.partial(); }
  std::size_t waiting() const;
  std::uint8_t unit() const { return unit_; }
  bool pipelining() const { return pipelining_; }

  struct Counters {
    std::uint64_t answers = 0;   // of requests that were waiting, exceptions among them
    std::uint64_t dropped = 0;   // of no request that is waiting
    std::uint64_t rejected = 0;  // of a request that is waiting, but they cannot be its answer
    std::uint64_t timeouts = 0;

    // Those of several connections, one after the other.
    friend Counters operator+(const Counters& a, const Counters& b) {
      return {a.answers + b.answers, a.dropped + b.dropped, a.rejected + b.rejected, a.timeouts + b.timeouts};
    }
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Slot {
    Request request;
    Answer answer;
    std::optional<Error> rejected;
    Instant deadline;
    Duration time{};  // from begin to the first deadline
    std::uint16_t transaction = 0;
    bool waiting = false;
    bool queued = false;  // its turn has not come
    bool answered = false;
    std::optional<std::uint8_t> other_unit;  // from which an answer came
  };
  void write(Slot& slot);
  void leave(Slot& slot);
  void extend_queue(Instant now);
  const Slot* in_flight() const;  // without pipelining: what the queue waits for; null: nothing
  void sort(const Frame& frame, Instant now);
  const Slot* find(std::uint16_t transaction) const;
  Slot* find(std::uint16_t transaction) {
    return const_cast<Slot*>(static_cast<const ClientSession*>(this)->find(transaction));
  }
  std::string silence(const Slot& slot) const;
  Error failed(const Slot& slot, Error why) const;

  std::uint8_t unit_;
  bool pipelining_;
  Framer framer_;
  std::vector<std::uint8_t> output_;
  std::size_t sent_ = 0;
  std::array<Slot, most_requests> slots_;
  std::uint16_t last_transaction_ = 0;
  std::size_t last_written_ = 0;  // slot of the request that went to the output last
  std::size_t queued_ = 0;        // requests whose turn has not come
  Counters counters_;
};

}  // namespace tandem::modbus
