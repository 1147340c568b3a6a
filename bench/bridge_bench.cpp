// SPDX-License-Identifier: Apache-2.0
// From a field frame that is readable to a DDS sample that is handed over: time, CPU and allocations per sample, beside
// bare Fast DDS and bare Cyclone DDS that publish one sample of the same size in the same cycle. Every listener is
// another process: this program again. Each setting is measured in several rounds, and the median of them counts.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "bench/rig.hpp"
#include "bench/ros2_peers.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tests/allocations.hpp"

namespace {

using namespace tandem;
using ros2::std_msgs::Float64MultiArray;

constexpr int warm_up = 500;
constexpr double rate = 1000;     // Hz
constexpr double plc_rate = 100;  // Hz, of a TwinCAT task as it comes
constexpr std::size_t leg_count = 6;
constexpr const char* legs = "/stewart/legs_em1500";
constexpr const char* bare_topic = "bare_legs";
constexpr const char* bare_type = "std_msgs::msg::dds_::Float64MultiArray_";
constexpr int fast_domain = bench::domain - 2;  // Cyclone is in the one above that of bench::loopback()

// Of one round; in the end the median of all.
struct Cost {
  double solve = 0, p50 = 0, p99 = 0, p999 = 0;  // us
  double cpu = 0;                                // us of a cycle
  double allocations = 0;                        // of a cycle
};

using Publish = std::function<void()>;

[[noreturn]] void give_up(const std::string& why) {
  fmt::print("{}\n", why);
  std::exit(1);
}

// With `publish`, that is what hands the sample over, right after the cycle.
Cost measure(ros2::Context* ros, double hertz, const Publish& publish = {}) {
  const int samples = bench::quick() ? 500 : hertz < rate ? 1000 : 5000;
  bench::RunningPlc plc(duration_of(1 / hertz));
  em1500::Machine bridge(bench::bridge_setup(plc.url(), ros, hertz));
  if (auto connected = bridge.connect(system_clock().now() + 2s); !connected) give_up(connected.error().text);
  std::vector<double> total, solve;
  total.reserve(static_cast<std::size_t>(samples));
  solve.reserve(static_cast<std::size_t>(samples));
  std::size_t made = 0;
  double cpu = 0;
  for (int i = 0; i < warm_up + samples;) {
    const std::size_t before = allocations;
    const double start = bench::thread_time();
    auto cycle = bridge.cycle({});
    if (!cycle) give_up(cycle.error().text);
    if (publish && cycle->quality == Quality::live) publish();
    const Instant over = publish ? system_clock().now() : cycle->published;
    const double spent = bench::thread_time() - start;
    if (cycle->quality != Quality::live) continue;
    if (++i <= warm_up) continue;
    made += allocations - before;
    cpu += spent;
    solve.push_back(1e6 * seconds(cycle->solved - cycle->readable));
    total.push_back(1e6 * seconds(over - cycle->readable));
  }
  return {bench::quantile(solve, 0.5),   bench::quantile(total, 0.5), bench::quantile(total, 0.99),
          bench::quantile(total, 0.999), 1e6 * cpu / samples,         static_cast<double>(made) / samples};
}

double median(const std::vector<Cost>& rounds, double Cost::*of) {
  std::vector<double> values;
  for (const Cost& round : rounds) values.push_back(round.*of);
  return bench::quantile(values, 0.5);
}

// A setting with what its rounds have cost.
struct Setting {
  std::string what;
  double p50 = 0, p99 = 0;  // us, at most; 0: only reported
  std::vector<Cost> rounds{};

  Cost cost() const {
    return {median(rounds, &Cost::solve), median(rounds, &Cost::p50), median(rounds, &Cost::p99),
            median(rounds, &Cost::p999),  median(rounds, &Cost::cpu), median(rounds, &Cost::allocations)};
  }
  bool met() const { return (p50 == 0 || cost().p50 <= p50) && (p99 == 0 || cost().p99 <= p99); }
  void print() const {
    const Cost c = cost();
    fmt::print(
        "{:<52} solve p50 {:>5.1f}  total p50 {:>6.1f}  p99 {:>7.1f}  p99.9 {:>7.1f} us  CPU {:>6.1f} us"
        "  allocations {:.2f} a cycle{}\n",
        what, c.solve, c.p50, c.p99, c.p999, c.cpu, c.allocations, met() ? "" : "  MISSED");
  }
  void report() const {
    const Cost c = cost();
    bench::report_at_most(what + ", p50", c.p50, "us", p50);
    bench::report_at_most(what + ", p99", c.p99, "us", p99);
    bench::report_at_most(what + ", CPU", c.cpu, "us");
    bench::report_at_most(what + ", allocations", c.allocations, "a cycle");
  }
  // Beside bare DDS in the same cycle.
  void report_beside(const std::string& peer, const Cost& theirs, bool judged) const {
    const Cost c = cost();
    const auto row = [&](const char* kind, double ours, double other, const char* unit, double limit) {
      bench::report({.name = what + ", " + kind,
                     .peer = peer,
                     .ours = ours,
                     .theirs = other,
                     .unit = unit,
                     .ratio = other / ours,
                     .wanted = judged && limit > 0 ? fmt::format("at most {:g} {}", limit, unit) : "",
                     .met = !judged || limit == 0 || ours <= limit});
    };
    row("p50", c.p50, theirs.p50, "us", p50);
    row("p99", c.p99, theirs.p99, "us", p99);
    row("CPU", c.cpu, theirs.cpu, "us", 0);
    row("allocations", c.allocations, theirs.allocations, "a cycle", 0);
  }
};

// How many processes elsewhere hear the legs.
std::size_t heard(const ros2::Context& context) {
  std::size_t readers = 0;
  for (const auto& endpoint : context.graph().endpoints) {
    readers += !endpoint.local && !endpoint.writes && endpoint.topic == legs ? 1 : 0;
  }
  return readers;
}

bool becomes(const ros2::Context& context, std::size_t wanted) {
  for (int i = 0; i < 2500 && heard(context) != wanted; ++i) std::this_thread::sleep_for(10ms);
  return heard(context) == wanted;
}

// Bare Fast DDS and one listener of it.
class FastPeer {
 public:
  FastPeer() {
    fast_.advertise(true);
    Float64MultiArray message;
    message.data.resize(leg_count);
    ros2::encode(message, bytes_);
    if (!bench::wait_until([this] { return fast_.matched(); })) give_up("bare Fast DDS: no listener was found");
  }
  void publish() { fast_.write(bytes_); }

 private:
  const bench::Other listener_{"fast"};
  bench::BareFast fast_{fast_domain, 20, bare_topic, bare_type};
  std::vector<std::uint8_t> bytes_;
};

// Bare Cyclone DDS and one listener of it.
class CyclonePeer {
 public:
  CyclonePeer() : writer_(dds_create_writer(cyclone_.participant, cyclone_.topic(bare_topic), cyclone_.qos, nullptr)) {
    message_.data._buffer = data_.data();
    message_.data._length = message_.data._maximum = leg_count;
    if (!bench::wait_until([this] { return bench::Cyclone::matched(writer_); }))
      give_up("bare Cyclone DDS: no listener was found");
  }
  ~CyclonePeer() { dds_delete(cyclone_.participant); }
  CyclonePeer(const CyclonePeer&) = delete;
  CyclonePeer& operator=(const CyclonePeer&) = delete;
  void publish() { dds_write(writer_, &message_); }

 private:
  const bench::Other listener_{"cyclone"};
  bench::Cyclone cyclone_;
  dds_entity_t writer_;
  std::array<double, leg_count> data_{};
  std_msgs_msg_dds__Float64MultiArray_ message_{};
};

struct Hearer final : bench::fast::DataReaderListener {
  void on_data_available(bench::fast::DataReader* reader) override {
    bench::fast::SampleInfo info;
    while (reader->take_next_sample(&bytes, &info) == eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK) {
    }
  }
  std::vector<std::uint8_t> bytes;
};

// The other process, until it is killed.
void listen(const std::string& who) {
  if (who == "fast") {
    Hearer hearer;
    bench::BareFast peer(fast_domain, 21, bare_topic, bare_type);
    peer.subscribe(hearer);
    std::this_thread::sleep_for(300s);
  } else if (who == "cyclone") {
    const bench::Cyclone cyclone;
    dds_listener_t* listener = dds_create_listener(nullptr);
    dds_lset_data_available(listener, [](dds_entity_t reader, void*) {
      void* sample = nullptr;
      dds_sample_info_t info;
      if (dds_take(reader, &sample, &info, 1, 1) == 1) dds_return_loan(reader, &sample, 1);
    });
    dds_create_reader(cyclone.participant, cyclone.topic(bare_topic), cyclone.qos, listener);
    std::this_thread::sleep_for(300s);
  } else {
    ros2::Context context(bench::loopback());
    ros2::Node node(context, "listener");
    const auto subscription =
        node.subscribe<Float64MultiArray>(legs, ros2::Qos::standard(), [](const auto&, const auto&) {});
    std::this_thread::sleep_for(300s);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) return listen(arguments[1]), 0;
  Setting alone{"bridge without ROS (all code is ours), 1000 Hz", 15, 60};
  Setting unheard{"bridge, 4 topics, no subscribers, 1000 Hz", 15, 60};
  Setting one{"bridge, 4 topics, one listener of the legs, 1000 Hz", 25, 80};
  Setting slow{"the same at the PLC's own rate, 100 Hz"};
  Setting fast{"the legs by bare Fast DDS, one listener, 1000 Hz"};
  Setting cyclone{"the legs by bare Cyclone DDS, one listener, 1000 Hz"};
  ros2::Context context(bench::loopback());
  for (int round = 0; round < (bench::quick() ? 1 : 3); ++round) {
    alone.rounds.push_back(measure(nullptr, rate));
    // The listener of the round before was killed: its lease has to run out.
    if (!becomes(context, 0)) give_up("the listener is still there");
    unheard.rounds.push_back(measure(&context, rate));
    {
      FastPeer peer;
      fast.rounds.push_back(measure(nullptr, rate, [&] { peer.publish(); }));
    }
    {
      CyclonePeer peer;
      cyclone.rounds.push_back(measure(nullptr, rate, [&] { peer.publish(); }));
    }
    const bench::Other listener("ours");
    if (!becomes(context, 1)) give_up("no listener was found");
    one.rounds.push_back(measure(&context, rate));
    slow.rounds.push_back(measure(&context, plc_rate));
  }
  fmt::print("readable -> handed to DDS, median of {} rounds\n", one.rounds.size());
  for (const Setting* each : {&alone, &unheard, &one, &fast, &cyclone, &slow}) each->print();
  alone.report();
  unheard.report();
  one.report_beside("bare Fast DDS in the same cycle", fast.cost(), true);
  one.report_beside("bare Cyclone DDS in the same cycle", cyclone.cost(), false);
  slow.report();
  return alone.met() && unheard.met() && one.met() ? 0 : 1;
}
