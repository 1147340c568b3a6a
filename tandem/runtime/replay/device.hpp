// SPDX-License-Identifier: Apache-2.0
// A recording that answers on the field protocol's sockets as the device did.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/machine.hpp"
#include "tandem/runtime/registry.hpp"
#include "tandem/runtime/replay/conversation_player.hpp"
#include "tandem/runtime/replay/field_recording.hpp"

namespace tandem::runtime {

struct ReplayOptions {
  std::span<const machines::FieldPort> ports;  // of the device, with their rules: field_ports() below
  std::string listen = "127.0.0.1";
  // Of the device URL's own port; none: the ports that were recorded; 0: free ones for all.
  std::optional<int> port;
  PlayerOptions player;
  bool loop = false;     // from the first conversation again when all are over
  bool hold = false;     // what the other side closed in the recording stays open until it closes
  Duration linger = 1s;  // otherwise it is closed this long after its recorded end
  Duration wait = 60s;   // for the next conversation, or a client that does not take what is said, before it is over
  std::function<void(const std::string&)> say;  // what happens, in words; in the thread of run()
};

// The ports of the device of a recording, as its machine's type lists them; a type that is not registered is taken for
// one whose device URLs have the same scheme. Empty: no such type.
std::span<const machines::FieldPort> field_ports(const FieldRecording& recording, const Registry& registry);

// What came of it.
struct ReplaySummary {
  std::size_t conversations = 0;  // recorded, of each round
  std::size_t begun = 0, finished = 0;
  std::uint64_t said = 0, heard = 0;     // bytes
  std::vector<std::string> differences;  // where clients said something else, in words
  bool as_recorded() const { return finished == conversations && differences.empty(); }
  std::string text() const;
};

// One thread does all of it; url() and summary() are for any.
class ReplayDevice final : public machines::VirtualDevice {
 public:
  // Listens. An error names what the recording lacks, or the port that is taken.
  static Result<std::unique_ptr<ReplayDevice>> make(FieldRecording recording, ReplayOptions options);
  ~ReplayDevice() override;

  // As a machine's `device:` would name it: the recorded one with other addresses.
  std::string url() const override;
  // Until told to stop, or until the last conversation is over.
  void run(std::stop_token stop) override;
  ReplaySummary summary() const;

 private:
  struct Impl;
  explicit ReplayDevice(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::runtime
