// SPDX-License-Identifier: Apache-2.0
// A device on Modbus TCP: reads signals in as few requests as it allows, writes outputs. One bad signal is its own
// quality; only a lost connection or a device that answers nothing at all ends the link.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/generic/device/link.hpp"
#include "tandem/machines/generic/device/modbus_hints.hpp"
#include "tandem/machines/generic/device/modbus_outputs.hpp"
#include "tandem/machines/generic/device/modbus_plan.hpp"
#include "tandem/protocols/modbus/client.hpp"

namespace tandem::generic {

class ModbusLink final : public Link {
 public:
  explicit ModbusLink(const LinkSetup& setup);

  Result<void> connect(Instant deadline) override;
  void disconnect() noexcept override;
  bool open() const override { return client_ && client_->open(); }
  const std::vector<Signal>& signals() const override { return layout_.signals; }
  Result<Scan> scan(Instant now, Readings& readings, Instant deadline) override;
  Result<void> write(std::span<const Write> writes, std::vector<Written>& outcomes, Instant deadline) override;
  Result<void> beat(std::uint32_t count, Instant deadline) override;
  std::vector<Note> take_notes() override;
  LinkCounters counters() const override;
  std::string delays() const override;

 private:
  // How to decode a piece, in the order of the plan's.
  struct Decoder {
    std::uint32_t signal = 0;
    std::uint32_t element = 0;
    std::uint32_t number = 0;  // of Readings::numbers
    ModbusSpan span;
    Type type = Type::int16;
    Kind kind = Kind::number;
    bool watched = false;  // for hints
    bool plain = false;    // only scaled and held against a range
    double scale = 1, offset = 0;
    double lowest = 0, highest = 0;  // with what rounding may add
  };
  // One scan as it goes.
  struct Round {
    Instant now{};      // of the machine's clock
    Instant started{};  // of this computer's
    Instant deadline{};
    Readings* readings = nullptr;
    Scan scan;
    int silences = 0;
    Instant at(Instant real) const { return now + (real - started); }
  };
  struct Sent {
    modbus::RequestId id;
    std::size_t request = 0;
  };

  Decoder decoder_of(const ReadPiece& piece) const;
  bool is_due(const ModbusPlan::Request& request, Instant now) const;
  Result<void> read_due(Round& round);
  Result<bool> send_next(Round& round, std::size_t& tried);
  Result<void> take_answer(const Sent& sent, Round& round);
  void decode(const ReadBlock& block, const modbus::Answer& answer, Round& round);
  void decode_words(const ReadBlock& block, std::span<const std::uint16_t> words, Round& round, Instant received);
  void decode_text(const Decoder& decoder, std::span<const std::uint16_t> words, Readings& readings);
  void failed(const Sent& sent, const Error& error, Round& round);
  void refused(std::size_t request, unsigned code, Round& round);
  void fail_block(const ReadBlock& block, std::string_view why, Round& round);
  void age_block(const ReadBlock& block, std::string_view why, Round& round);
  void mark_absent(const ReadBlock& block, Round& round);
  void postpone(ModbusPlan::Request& request, Instant now, Duration least) const;
  Error lost(Round& round, Error why);
  LinkCounters::Reads& reads_of(std::size_t request) {
    return counters_.tables[static_cast<std::size_t>(plan_.requests()[request].block.table)];
  }
  Instant wait_turn(Instant deadline);
  void note_once(const std::string& text);
  ModbusOutputs::Turn turn_until(Instant deadline) {
    return [this, deadline] { return wait_turn(deadline); };
  }

  std::shared_ptr<const Description> description_;
  modbus::Peer peer_;
  net::Tap* tap_;
  ModbusLayout layout_;
  ModbusPlan plan_;
  ModbusHints hints_;
  ModbusOutputs outputs_;
  std::vector<Decoder> decoders_;  // of each piece
  std::size_t most_in_flight_;
  Duration pause_, tolerance_;

  std::optional<modbus::Client> client_;
  std::vector<Sent> in_flight_;
  std::size_t cursor_ = 0;  // the request that is looked at first
  Instant last_end_{};      // of a request, for `pause`
  Instant answered_{};      // when the device last answered anything
  int silences_ = 0;        // in a row
  LinkCounters counters_;
  std::vector<Note> notes_;
  std::vector<std::string> noted_;
  std::vector<std::uint16_t> bit_words_;  // a table of bits as words
};

}  // namespace tandem::generic
