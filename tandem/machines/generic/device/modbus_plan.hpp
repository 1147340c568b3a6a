// SPDX-License-Identifier: Apache-2.0
// Which requests read a device, and when: as the file says, and as the device's exceptions have taught. Without a
// socket.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/machines/generic/device/link.hpp"
#include "tandem/machines/generic/modbus_layout.hpp"

namespace tandem::generic {

class ModbusPlan {
 public:
  struct Request {
    ReadBlock block;
    Instant due{};
    int probe = -1;    // which question its outcome answers; -1: none
    int silences = 0;  // in a row
  };

  ModbusPlan(const Description& description, const ModbusLayout& layout);

  const std::vector<ReadPiece>& pieces() const { return pieces_; }
  std::span<const ReadPiece> pieces_of(const ReadBlock& block) const {
    return std::span(pieces_).subspan(block.first, block.count);
  }
  std::vector<Request>& requests() { return requests_; }

  // All is due, and what was absent is asked for once more.
  void begin_connection();
  // A place that was absent is asked for again now and then, one at a time; once there is one, all of them.
  void revisit(Instant now);

  // What follows from an answer or an exception. The requests change only in settle().
  void answered(std::size_t request);
  enum class Verdict {
    failed,    // its signals have no value
    absent,    // and are asked for again seldom
    searching  // smaller requests will say which of its signals it is
  };
  Verdict refused(std::size_t request, unsigned code);
  // Puts smaller or larger requests in the place of those that were judged since; false: nothing to do. Once no request
  // is on its way.
  bool settle(Instant now);

  // What was learned, once each.
  std::vector<Note> take_notes() { return std::exchange(notes_, {}); }
  const ReadRules& rules() const { return rules_; }

 private:
  // Two halves of a request that was refused as a whole.
  struct Probe {
    unsigned code = 0;
    std::size_t boundary = 0;  // first piece of the second half
    int open = 2;
    bool failed = false;  // one of the halves was refused, too
  };
  struct Split {
    std::size_t request = 0, boundary = 0;
    unsigned code = 0;
  };

  // Where a block can be cut without cutting a value: at the hole nearest to its middle, else at the middle itself.
  // The block's first piece: nowhere.
  std::size_t boundary_of(const ReadBlock& block) const;
  void expect_absent();
  void close(int probe, bool failed);
  void learn_hole(const Probe& probe);
  void regroup();
  std::string signal_at(std::size_t piece) const;
  void note(std::string about, std::string text, bool warning);  // once

  const ModbusLayout& layout_;
  std::vector<ReadPiece> pieces_;
  ReadRules rules_;
  std::vector<Request> requests_;
  std::vector<Probe> probes_;
  std::size_t open_probes_ = 0;
  std::vector<Split> splits_;  // to be done by settle()
  bool regroup_ = false;
  int refused_holes_ = 0;
  std::size_t absent_ = 0;     // pieces
  std::size_t revisited_ = 0;  // the absent piece that was asked for last
  Instant revisit_at_{};
  std::array<std::uint16_t, 4> too_many_{};  // words that were refused and have not been noted, by table
  std::vector<Note> notes_;
  std::vector<std::string> noted_;  // what notes were about
};

}  // namespace tandem::generic
