// SPDX-License-Identifier: Apache-2.0
// 2,000 signals of a described PLC on one connection: CPU of reading, decoding and judging them, beside bare sum reads
// of the same handles that only copy the bytes; as variables of their own, and as one array of structures. All values
// change. Then at 100 Hz, as a share of a core.
#include <fmt/format.h>

#include <thread>

#include "bench/cycles.hpp"
#include "bench/side_by_side.hpp"
#include "tandem/machines/generic/device/link.hpp"
#include "tandem/protocols/ads/client/client.hpp"
#include "tandem/protocols/ads/server/server.hpp"

namespace {

using namespace tandem;
using bench::give_up;

constexpr std::size_t signal_count = 2000, rows_of_request = 500, structures = 400;
constexpr double rate = 100;         // Hz
constexpr double wanted_share = 10;  // % of a core

struct Plc {
  explicit Plc(bool whole) {
    table.types().structure(
        "ST_Axis", {{"fPos", "LREAL"}, {"fVel", "REAL"}, {"fSet", "REAL"}, {"nState", "INT"}, {"nCode", "INT"}});
    if (whole) table.add("GVL.aAxis", fmt::format("ARRAY [1..{}] OF ST_Axis", structures));
    for (std::size_t i = 0; !whole && i < signal_count; ++i) table.add(fmt::format("GVL.f{}", i), "REAL");
    table.raise_version();
    ads::ServerOptions options;
    options.tcp_port = 0;
    options.udp = false;
    auto listening = ads::Server::listen(table, options);
    if (!listening) give_up(listening.error().text);
    server = std::move(*listening);
    server->device().on_access = [this](const ads::Place& place) {
      // One after the other goes through small numbers.
      for (std::uint8_t& byte : table.bytes(place)) byte = static_cast<std::uint8_t>((byte + 1) & 0x3F);
      return 0u;
    };
  }
  std::string url() const { return fmt::format("ads://127.0.0.1:{}", server->tcp_port()); }

  ads::SymbolTable table;
  std::unique_ptr<ads::Server> server;
};

std::shared_ptr<generic::Description> described(bool whole) {
  auto description = std::make_shared<generic::Description>();
  description->protocol = generic::Protocol::ads;
  description->cycle = 1 / rate;
  for (std::size_t i = 0; i < (whole ? 1 : signal_count); ++i) {
    generic::Declaration signal;
    signal.name = fmt::format("signal_{}", i);
    signal.at = generic::AdsPlace{whole ? "GVL.aAxis" : fmt::format("GVL.f{}", i)};
    signal.scale = 0.1;
    signal.unit = "bar";
    description->signals.push_back(signal);
  }
  return description;
}

class Ours {
 public:
  Ours(const std::shared_ptr<generic::Description>& description, const Plc& plc)
      : cycle_(duration_of(description->cycle)), link_(generic::make_ads_link({description, plc.url(), nullptr})) {
    const Instant begun = system_clock().now();
    if (auto connected = link_->connect(bench::in(10s)); !connected) give_up(connected.error().text);
    connected = seconds(system_clock().now() - begun);
    if (link_->signals().size() != signal_count) give_up("expected 2,000 signals");
    readings_.resize(link_->signals());
  }
  void scan() {
    now_ += cycle_;
    const auto scanned = link_->scan(now_, readings_, bench::in(2s));
    if (!scanned || scanned->answered != signal_count) give_up("a scan without all signals");
  }
  void check() const {
    for (const auto& reading : readings_.of)
      if (reading.quality != generic::SignalQuality::good || reading.changes < 10) give_up("a signal is not read");
  }

  double connected = 0;  // s

 private:
  Duration cycle_;
  std::unique_ptr<generic::Link> link_;
  generic::Readings readings_;
  Instant now_ = system_clock().now();
};

class Bare {
 public:
  Bare(const Plc& plc, const std::vector<std::string>& names, std::size_t size) : bytes_(names.size() * size) {
    auto peer = ads::peer_from_url(plc.url());
    if (!peer) give_up(peer.error().text);
    peer->target.net_id = ads::NetId::from_ipv4(0x7F000001);
    auto client = ads::Client::connect(*peer, bench::in(2s));
    if (!client) give_up(client.error().text);
    client_.emplace(std::move(*client));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto handle = client_->handle_by_name(names[i], bench::in(2s));
      if (!handle) give_up(handle.error().text);
      rows_.push_back({ads::group::value_by_handle, *handle, std::span(bytes_).subspan(i * size, size)});
    }
  }
  void read() {
    std::vector<ads::RequestId> ids;
    for (std::size_t at = 0; at < rows_.size(); at += rows_of_request) {
      const auto begun = client_->begin_sum_read(part(at), bench::in(2s));
      if (!begun) give_up(begun.error().text);
      ids.push_back(*begun);
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (auto done = client_->await_sum_read(ids[i], part(i * rows_of_request), bench::in(2s)); !done)
        give_up(done.error().text);
  }

 private:
  std::span<ads::SumReadItem> part(std::size_t at) {
    return std::span(rows_).subspan(at, std::min(rows_of_request, rows_.size() - at));
  }
  std::vector<std::uint8_t> bytes_;
  std::vector<ads::SumReadItem> rows_;
  std::optional<ads::Client> client_;
};

bench::Row beside_sum_reads(bool whole) {
  Plc plc(whole);
  const std::jthread serving = bench::polling(*plc.server);
  Ours ours(described(whole), plc);
  std::vector<std::string> names;
  for (std::size_t i = 0; !whole && i < signal_count; ++i) names.push_back(fmt::format("GVL.f{}", i));
  if (whole) names.push_back("GVL.aAxis");
  Bare bare(plc, names, whole ? 24 * structures : 4);
  const auto pair = bench::side_by_side(
      signal_count, [&] { bare.read(); }, [&] { ours.scan(); }, 1000);
  ours.check();
  fmt::print("{}: looked up in {:.0f} ms\n", whole ? "an array of structures" : "2,000 variables",
             1e3 * ours.connected);
  return {whole ? "2,000 PLC signals in an array, each" : "2,000 PLC variables, each", pair, 0,
          "bare sum reads, not decoded"};
}

bool paced() {
  Plc plc(false);
  const std::jthread serving = bench::polling(*plc.server);
  Ours ours(described(false), plc);
  ours.scan();
  const double share = bench::share_of_core(rate, [&] { ours.scan(); });
  bench::report_at_most("2,000 PLC variables at 100 Hz, share of a core", share, "%", wanted_share);
  fmt::print("2,000 PLC variables at 100 Hz: {:.2f} % of a core, wanted at most {:g} %\n", share, wanted_share);
  return share <= wanted_share;
}

}  // namespace

int main() {
  const bool near = bench::print({beside_sum_reads(false), beside_sum_reads(true)});
  return paced() && near ? 0 : 1;
}
