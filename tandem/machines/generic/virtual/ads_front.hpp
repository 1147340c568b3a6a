// SPDX-License-Identifier: Apache-2.0
// A virtual TwinCAT PLC with exactly the variables of a file, and types that any ADS browser can read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tandem/machines/generic/ads_signals.hpp"
#include "tandem/machines/generic/virtual/front.hpp"
#include "tandem/protocols/ads/server/faults.hpp"
#include "tandem/protocols/ads/server/server.hpp"

namespace tandem::generic {

class AdsFront final : public Front, private ads::ServerFaults {
 public:
  // Listens when it returns. Throws std::invalid_argument for variables that contradict each other, and
  // std::runtime_error when the port cannot be had.
  AdsFront(std::shared_ptr<const Description> description, const machines::VirtualSetup& setup);

  std::string url() const override;
  std::string listening() const override;
  const std::vector<Signal>& signals() const override { return signals_.signals; }
  void serve(Instant until) override;
  std::optional<double> take_written(std::size_t signal, std::size_t element) override;
  void put(std::size_t signal, std::size_t element, double value) override;
  void put_text(std::size_t signal, std::string_view text) override;
  double value(std::size_t signal, std::size_t element) const override;
  void fault(std::size_t signal, const FrontFaults& faults) override;

  // For tests: an online change is made here, between two calls of serve(). Signals keep the bytes that they had.
  ads::SymbolTable& table() { return table_; }
  ads::Server& server() { return *server_; }
  // Asked about connections, answers and notifications before they leave; may be null.
  void wire(ads::ServerFaults* faults) { wire_ = faults; }

 private:
  void declare();
  void declare(std::size_t declaration);
  std::string type_of(std::size_t declaration) const;
  void listen(const machines::VirtualSetup& setup);
  void note_written(const ads::Place& place);
  std::uint32_t access(const ads::Place& place);
  ads::Place place_of(std::size_t signal) const;
  std::uint8_t* bytes_of_element(std::size_t signal, std::size_t element);
  const std::uint8_t* bytes_of_element(std::size_t signal, std::size_t element) const;

  Welcome accepted() override;
  void request(const ads::AmsHeader& header, Bytes payload) override;
  Verdict answer(const ads::AmsHeader& request, std::vector<std::uint8_t>& packet) override;
  Verdict notification(std::vector<std::uint8_t>& packet) override;

  const std::shared_ptr<const Description> description_;
  ads::SymbolTable table_;
  PlcTypeTable types_;
  AdsSignals signals_;
  std::vector<ads::Place> items_;      // of each item of signals_
  std::vector<std::uint8_t> written_;  // of each number
  std::vector<FrontFaults> faults_;    // of each signal
  bool silent_ = false;                // one of them answers nothing
  bool touched_ = false;               // by the request that is being answered: such a signal
  ads::ServerFaults* wire_ = nullptr;
  std::string host_;
  Duration cycle_{};
  Instant next_cycle_{};
  std::unique_ptr<ads::Server> server_;
};

}  // namespace tandem::generic
