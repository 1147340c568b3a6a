// SPDX-License-Identifier: Apache-2.0
// The connection to a device, whatever its protocol: finds the signals, reads those that are due, writes outputs.
// For one thread; every call ends by its deadline.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/machines/generic/signal.hpp"

namespace tandem::net {
class Tap;
}  // namespace tandem::net

namespace tandem::generic {

// One value to write. The control side has judged limits, rate and latch; the link only encodes.
struct Write {
  std::size_t declaration = 0;  // of Description::signals
  double value = 0;             // in the unit of the file; of bits 0 or 1
};

// What became of one write.
struct Written {
  std::size_t declaration = 0;
  Result<void> outcome;  // refused by the device with its code, or unknown: never sent twice
};

struct Scan {
  Instant readable{};  // the first answer was there
  std::uint32_t requests = 0;
  std::uint32_t answered = 0;    // signals that got a reading, whatever its quality
  bool signals_changed = false;  // an online change: signals() are others now, readings were resized
};

struct LinkCounters {
  // Requests that read, by what came of them.
  struct Reads {
    std::uint64_t done = 0, timeouts = 0, refused = 0;
  };
  Reads tables[4];  // by ModbusTable; empty on ADS
  std::uint64_t requests = 0, timeouts = 0;
  std::uint64_t exceptions[12] = {};  // by Modbus code; ADS errors under 0
  std::uint64_t writes_done = 0, writes_refused = 0, writes_unknown = 0;
};

// What a person should know once, for the log: "device has no holding 10..11", "count halved".
struct Note {
  std::string text;
  bool warning = false;
};

class Link {
 public:
  virtual ~Link() = default;

  // Everything from nothing. Signals that are missing are all named in the error, unless they are optional.
  virtual Result<void> connect(Instant deadline) = 0;
  virtual void disconnect() noexcept = 0;
  virtual bool open() const = 0;

  // Valid after the first connect(); of Modbus always.
  virtual const std::vector<Signal>& signals() const = 0;
  // Reads what is due at `now` into the readings. One signal's failure is its quality; an error is a lost link.
  // Allocates nothing when nothing changed.
  virtual Result<Scan> scan(Instant now, Readings& readings, Instant deadline) = 0;
  // In this order; neighbours may leave in one request. An error is a lost link; outcomes are one for each write.
  virtual Result<void> write(std::span<const Write> writes, std::vector<Written>& outcomes, Instant deadline) = 0;
  virtual Result<void> beat(std::uint32_t count, Instant deadline) = 0;  // the heartbeat's place

  virtual std::vector<Note> take_notes() = 0;
  virtual LinkCounters counters() const = 0;
  virtual std::string delays() const = 0;  // round trips and timeouts, in words
};

struct LinkSetup {
  std::shared_ptr<const Description> description;
  std::string device;  // the URL
  net::Tap* tap = nullptr;
};
// Throws std::invalid_argument for an invalid URL.
std::unique_ptr<Link> make_modbus_link(const LinkSetup& setup);
std::unique_ptr<Link> make_ads_link(const LinkSetup& setup);

// The bytes of one value on the wire to Readings and back live in the links; what both do with a decoded raw value is
// here: scale, invalid, expect, names, bits. `raw_integer` for integers, `raw` for all numbers.
void judge_number(const Signal& signal, const Declaration& declaration, std::size_t element, double raw,
                  std::int64_t raw_integer, Readings& readings, std::size_t index);

}  // namespace tandem::generic
