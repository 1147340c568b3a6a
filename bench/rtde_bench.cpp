// SPDX-License-Identifier: Apache-2.0
// The virtual UR controller at 500 Hz with four RTDE clients that read everything: cycles done, packets lost, how late
// its cycles begin beside a bare loop of clock_nanosleep in the same run, and what it costs. And a packet of 28 fields
// read by our framer and recipe beside a textbook parser, which reads field by field into variants.
//   bench_rtde [SECONDS]      60 unless told
#include <fmt/format.h>
#include <time.h>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <type_traits>
#include <variant>

#include "bench/side_by_side.hpp"
#include "tandem/machines/ur3e/virtual/device.hpp"
#include "tandem/protocols/ur/primary/packet_client.hpp"
#include "tandem/protocols/ur/rtde/client.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace {

using namespace tandem;

constexpr double rate = 500;  // Hz
constexpr double step = 1 / rate;
constexpr int client_count = 4;
constexpr Duration warm_up = 1s;
constexpr double wanted_cycles = 0.999;
constexpr double most_cores = 0.25;

// The arm goes to and fro all the time, with everything that moves behind it.
const std::string program =
    "def swing():\n  while True:\n    movej([2.5,-1.57,1.57,-1.57,-1.57,0])\n"
    "    movej([1.5,-1.57,1.57,-1.57,-1.57,0])\n  end\nend\n";

Instant in(Duration duration) { return system_clock().now() + duration; }

[[noreturn]] void give_up(const std::string& why) {
  fmt::print("{}\n", why);
  std::exit(1);
}

// From when to when is measured, by the machine's clock.
struct Window {
  Instant begin, end;
  bool holds(Instant instant) const { return instant >= begin && instant < end; }
  double length() const { return seconds(end - begin); }
};

struct Loop {
  std::vector<double> late;  // us, of each cycle
  double cpu = 0;            // s of the thread, from the first cycle in the window to the last

  void record(const Window& window, Instant due, Instant begun) {
    if (!window.holds(due)) return;
    const double spent = bench::thread_time();
    if (late.empty()) first_ = spent;
    cpu = spent - first_;
    late.push_back(1e6 * seconds(begun - due));
  }

 private:
  double first_ = 0;
};

void bare_loop(const Window& window, Loop& loop) {
  Instant due = window.begin;
  while (due < window.end) {
    const auto since = due.time_since_epoch().count();
    const timespec wake{static_cast<time_t>(since / 1'000'000'000), static_cast<long>(since % 1'000'000'000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr) != 0) {
    }
    loop.record(window, due, system_clock().now());
    due += duration_of(step);
  }
}

struct Client {
  std::uint64_t packets = 0;
  std::uint64_t expected = 0;  // by the controller's time from the first packet to the last
  std::uint64_t torn = 0;      // times that packets and time did not agree
  std::size_t bytes = 0;       // of the recipe

  void read(std::uint16_t port, const Window& window) {
    std::vector<std::string> names{"timestamp"};
    for (const ur::Field& field : ur::fields()) {
      if (!field.output || field.name == "timestamp") continue;
      names.push_back(field.name);
      bytes += ur::size_of(field.type);
    }
    auto link = ur::RtdeClient::connect("127.0.0.1", port, in(5s));
    if (!link) give_up(link.error().text);
    if (auto agreed = link->setup_outputs(names, rate, in(5s)); !agreed) give_up(agreed.error().text);
    if (auto started = link->start(in(5s)); !started) give_up(started.error().text);
    ur::Variables values;
    double last = 0;
    while (system_clock().now() < window.end) {
      const auto got = link->receive_newest(values, in(5s));
      if (!got) give_up(got.error().text);
      const double stamp = values.state.timestamp;
      if (system_clock().now() >= window.begin && last > 0) {
        const auto steps = static_cast<std::uint64_t>(std::llround((stamp - last) / step));
        packets += got->packets;
        expected += steps;
        torn += steps != got->packets ? 1 : 0;
      }
      last = stamp;
    }
  }
};

void print(const char* what, const Loop& loop) {
  fmt::print("{:<26} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f} {:>10}\n", what, bench::quantile(loop.late, 0.5),
             bench::quantile(loop.late, 0.99), bench::quantile(loop.late, 0.999), bench::quantile(loop.late, 1),
             std::count_if(loop.late.begin(), loop.late.end(), [](double late) { return late > 1e6 * step / 2; }));
}

// As the format is usually read: a value of each field's type, byte by byte from the big end.
class TextbookParser {
 public:
  using Value =
      std::variant<bool, std::uint8_t, std::uint32_t, std::uint64_t, std::int32_t, double, std::array<double, 3>,
                   std::array<double, 6>, std::array<std::int32_t, 6>, std::array<std::uint32_t, 6>>;

  explicit TextbookParser(std::vector<ur::Type> types) : types_(std::move(types)), values_(types_.size()) {}

  bool parse(Bytes packet) {
    at_ = packet.data();
    end_ = at_ + packet.size();
    if (packet.size() < 4 || take<std::uint16_t>() != packet.size() || take<std::uint8_t>() != 'U') return false;
    recipe_ = take<std::uint8_t>();
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (static_cast<std::size_t>(end_ - at_) < ur::size_of(types_[i])) return false;
      values_[i] = value(types_[i]);
    }
    return at_ == end_;
  }
  const std::vector<Value>& values() const { return values_; }

 private:
  template <typename Number>
  Number take() {
    if constexpr (std::is_same_v<Number, double>) {
      return std::bit_cast<double>(take<std::uint64_t>());
    } else {
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < sizeof(Number); ++i) bits = bits << 8 | *at_++;
      return static_cast<Number>(bits);
    }
  }
  template <typename Number, std::size_t Count>
  std::array<Number, Count> take_all() {
    std::array<Number, Count> all{};
    for (Number& each : all) each = take<Number>();
    return all;
  }
  Value value(ur::Type type) {
    switch (type) {
      case ur::Type::boolean:
        return take<std::uint8_t>() != 0;
      case ur::Type::uint8:
        return take<std::uint8_t>();
      case ur::Type::uint32:
        return take<std::uint32_t>();
      case ur::Type::uint64:
        return take<std::uint64_t>();
      case ur::Type::int32:
        return take<std::int32_t>();
      case ur::Type::real:
        return take<double>();
      case ur::Type::vector3:
        return take_all<double, 3>();
      case ur::Type::vector6:
        return take_all<double, 6>();
      case ur::Type::integers6:
        return take_all<std::int32_t, 6>();
      case ur::Type::unsigned6:
        return take_all<std::uint32_t, 6>();
    }
    return false;
  }

  std::vector<ur::Type> types_;
  std::vector<Value> values_;
  const std::uint8_t *at_ = nullptr, *end_ = nullptr;
  std::uint8_t recipe_ = 0;
};

// A packet of the first 28 outputs, from the bytes of the stream to the values.
bool cost_of_a_packet() {
  constexpr std::size_t field_count = 28, packets = 100;
  ur::Recipe recipe;
  std::vector<ur::Type> types;
  for (std::size_t i = 0; i < ur::fields().size() && types.size() < field_count; ++i) {
    if (!ur::fields()[i].output) continue;
    recipe.add(i);
    types.push_back(ur::fields()[i].type);
  }
  ur::Variables from, into;
  from.state.timestamp = 12.5;
  std::vector<std::uint8_t> values, packet;
  recipe.encode(from, values);
  ur::rtde::encode(ur::rtde::Answer(ur::rtde::OutputData{1, values}), 2, packet);
  TextbookParser textbook(types);
  ur::Framer framer(ur::Length::two_bytes, ur::rtde::header_size, ur::rtde::longest_packet);
  const auto peer = [&] {
    for (std::size_t i = 0; i < packets; ++i)
      if (!textbook.parse(packet)) give_up("the textbook parser refuses the packet");
  };
  const auto ours = [&] {
    for (std::size_t i = 0; i < packets; ++i) {
      framer.feed(packet);
      const auto next = framer.next();
      if (!next || !*next) give_up("no packet");
      const auto answer = ur::rtde::decode_answer(**next, 2);
      const auto* data = answer ? std::get_if<ur::rtde::OutputData>(&*answer) : nullptr;
      if (data == nullptr || !recipe.decode(data->values, into)) give_up("no data");
    }
  };
  const bench::Pair pair = bench::side_by_side(packets, peer, ours, 400);
  if (into.state.timestamp != from.state.timestamp) give_up("the packet is read wrong");
  fmt::print("\na packet of {} bytes\n", packet.size());
  return bench::print({{"read a data packet of 28 fields", pair, 1, "textbook parser"}});
}

// Says whether all that is wanted was reached.
bool report(const Window& window, const Loop& controller, const Loop& bare, const std::vector<Client>& clients) {
  const double wanted = window.length() * rate;
  const double done = static_cast<double>(controller.late.size()) / wanted;
  const double cores = controller.cpu / window.length();
  fmt::print("{:<26} {:>8} {:>8} {:>8} {:>8} {:>10}\n", "cycles begin late, us", "p50", "p99", "p99.9", "worst",
             "over 1 ms");
  print("virtual controller", controller);
  print("bare clock_nanosleep", bare);
  fmt::print("\n{:<26} {:>8} of {:.0f}, {:.3f} % (wanted: {:.1f} %)\n", "cycles done", controller.late.size(), wanted,
             100 * done, 100 * wanted_cycles);
  bool whole = true;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    const Client& client = clients[i];
    whole = whole && client.torn == 0 && client.packets > 0;
    fmt::print("{:<26} {:>8} of {}, {} lost, {} bytes each\n", fmt::format("packets, client {}", i + 1), client.packets,
               client.expected, static_cast<std::int64_t>(client.expected - client.packets), client.bytes);
  }
  fmt::print("{:<26} {:>8.3f} of a core (wanted: at most {})\n", "CPU of the controller", cores, most_cores);
  bench::report_at_least("cycles done with four RTDE clients", 100 * done, "%", 100 * wanted_cycles);
  bench::report_at_most("CPU of the virtual controller", cores, "of a core", most_cores);
  const bool met = done >= wanted_cycles && whole && cores <= most_cores;
  fmt::print("{}\n", met ? "all reached" : "MISSED");
  return met;
}

}  // namespace

int main(int count, char** arguments) {
  const double length = count > 1 ? std::atof(arguments[1]) : 60;
  if (!(length > 0 && length < 86'400)) give_up("expected the seconds to measure");
  const Instant begin = in(warm_up);
  const Window window{begin, begin + duration_of(length)};
  Loop controller, bare;
  for (Loop* loop : {&controller, &bare}) loop->late.reserve(static_cast<std::size_t>(length * rate) + 1000);

  ur3e::VirtualDeviceSetup setup;
  setup.cycle_begins = [&](Instant due, Instant begun) { controller.record(window, due, begun); };
  ur3e::VirtualDevice device(setup);
  std::vector<Client> clients(client_count);
  {
    std::jthread controller_thread([&](const std::stop_token& stop) { device.run(stop); });
    auto sender = ur::PacketClient::connect("127.0.0.1", device.ports().secondary, in(5s));
    if (!sender) give_up(sender.error().text);
    if (auto sent = sender->send_program(program, in(5s)); !sent) give_up(sent.error().text);
    std::vector<std::jthread> others;
    for (Client& client : clients) others.emplace_back([&] { client.read(device.ports().rtde, window); });
    others.emplace_back([&] { bare_loop(window, bare); });
  }
  const bool kept = report(window, controller, bare, clients);
  return cost_of_a_packet() && kept ? 0 : 1;
}
