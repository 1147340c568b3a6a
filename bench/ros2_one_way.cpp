// SPDX-License-Identifier: Apache-2.0
// One way between two processes: ours, with UDP and with shared memory, bare Fast DDS, with UDP and with data sharing,
// and bare Cyclone DDS, in turns.
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <map>
#include <string_view>

#include "bench/ros2_peers.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"

namespace bench {
namespace {

using ros2::std_msgs::Float64MultiArray;

constexpr std::size_t most = 20'000;
constexpr std::size_t values = 12;
constexpr const char* dds_topic = "rt/one_way";
constexpr const char* dds_type = "std_msgs::msg::dds_::Float64MultiArray_";

// In memory that both processes have.
struct Times {
  std::atomic<std::uint32_t> count;
  std::array<double, most> us;
  void add(double sent) {
    const std::uint32_t at = count;
    if (at < most) us[at] = now_us() - sent;
    count = at + 1;
  }
};

class SharedTimes {
 public:
  SharedTimes() : file_(memfd_create("times", 0)) {
    if (ftruncate(file_, sizeof(Times)) != 0) std::exit(1);
    open();
  }
  explicit SharedTimes(const std::string& file) : file_(std::stoi(file)) { open(); }
  ~SharedTimes() {
    munmap(times_, sizeof(Times));
    close(file_);
  }
  SharedTimes(const SharedTimes&) = delete;
  SharedTimes& operator=(const SharedTimes&) = delete;
  std::string file() const { return std::to_string(file_); }
  Times* operator->() const { return times_; }

 private:
  void open() {
    void* memory = mmap(nullptr, sizeof(Times), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory == MAP_FAILED) std::exit(1);
    times_ = static_cast<Times*>(memory);
  }
  int file_;
  Times* times_ = nullptr;
};

ros2::ContextOptions options_of(const std::string& who) {
  ros2::ContextOptions options = loopback();
  options.shared_memory = who == "shared memory";
  options.domain = options.shared_memory ? domain - 1 : domain;
  return options;
}
constexpr int fast_domain = domain - 2;
constexpr int sharing_domain = domain - 3;

struct FastListener final : fast::DataReaderListener {
  explicit FastListener(Times& into) : times(into) {}
  void on_data_available(fast::DataReader* reader) override {
    fast::SampleInfo info;
    while (reader->take_next_sample(&bytes, &info) == eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK) {
      double sent = 0;
      std::memcpy(&sent, bytes.data() + bytes.size() - values * sizeof sent, sizeof sent);
      times.add(sent);
    }
  }
  Times& times;
  std::vector<std::uint8_t> bytes;
};

void hear_cyclone(Times* times) {
  const Cyclone cyclone;
  dds_listener_t* listener = dds_create_listener(times);
  dds_lset_data_available(listener, [](dds_entity_t reader, void* into) {
    void* sample = nullptr;
    dds_sample_info_t info;
    if (dds_take(reader, &sample, &info, 1, 1) != 1) return;
    const auto* message = static_cast<const std_msgs_msg_dds__Float64MultiArray_*>(sample);
    if (info.valid_data) static_cast<Times*>(into)->add(message->data._buffer[0]);
    dds_return_loan(reader, &sample, 1);
  });
  dds_create_reader(cyclone.participant, cyclone.topic("one_way"), cyclone.qos, listener);
  std::this_thread::sleep_for(300s);
}

// One way to publish, its listener in another process, and what was measured.
struct Subject {
  Subject(std::string name, std::string part) : what(std::move(name)), listener("hear", part, heard.file()) {}
  std::string what;
  SharedTimes heard;
  Other listener;
  std::function<void()> publish;  // with the time of now
  std::function<bool()> ready;
  std::vector<double> publish_us;
};

class Subjects {
 public:
  Subjects() {
    message_.data.resize(values);
    add_ours("ours");
    add_fast("bare Fast DDS", "fast", fast_);
    add_cyclone();
    add_ours("shared memory");
    add_fast("bare Fast DDS, data sharing", "fast sharing", sharing_);
  }
  std::vector<std::unique_ptr<Subject>>& all() { return all_; }

 private:
  Subject& add(const std::string& what, const std::string& part) {
    return *all_.emplace_back(std::make_unique<Subject>(what, part));
  }
  void add_ours(const std::string& who) {
    Subject& subject = add(who == "ours" ? "ours" : "ours with " + who, who);
    contexts_.push_back(std::make_unique<ros2::Context>(options_of(who)));
    ros2::Node node(*contexts_.back(), "talker");
    const auto publisher = node.advertise<Float64MultiArray>("one_way");
    subject.publish = [this, publisher] {
      message_.data[0] = now_us();
      publisher.publish(message_);
    };
    subject.ready = [publisher] { return publisher.matched() == 1; };
  }
  void add_fast(const std::string& what, const std::string& part, BareFast& fast) {
    Subject& subject = add(what, part);
    fast.advertise(true);
    ros2::encode(message_, bytes_);
    subject.publish = [this, &fast] {
      const double now = now_us();
      std::memcpy(bytes_.data() + bytes_.size() - values * sizeof now, &now, sizeof now);
      fast.write(bytes_);
    };
    subject.ready = [&fast] { return fast.matched(); };
  }
  void add_cyclone() {
    Subject& subject = add("bare Cyclone DDS", "cyclone");
    const dds_entity_t writer =
        dds_create_writer(cyclone_.participant, cyclone_.topic("one_way"), cyclone_.qos, nullptr);
    plain_.data._buffer = data_.data();
    plain_.data._length = plain_.data._maximum = values;
    subject.publish = [this, writer] {
      data_[0] = now_us();
      dds_write(writer, &plain_);
    };
    subject.ready = [writer] { return Cyclone::matched(writer); };
  }

  std::vector<std::unique_ptr<ros2::Context>> contexts_;
  BareFast fast_{fast_domain, 20, dds_topic, dds_type};
  BareFast sharing_{sharing_domain, 22, dds_topic, dds_type, true};
  Cyclone cyclone_;
  Float64MultiArray message_;
  std::vector<std::uint8_t> bytes_;
  std::array<double, values> data_{};
  std_msgs_msg_dds__Float64MultiArray_ plain_{};
  std::vector<std::unique_ptr<Subject>> all_;
};

void publish_some(Subject& subject, int count, Duration period) {
  auto next = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    next += period;
    std::this_thread::sleep_until(next);
    const double start = now_us();
    subject.publish();
    subject.publish_us.push_back(now_us() - start);
  }
}

std::vector<double> take(Subject& subject) {
  const std::size_t count = std::min<std::size_t>(subject.heard->count, most);
  std::vector<double> times(subject.heard->us.begin(), subject.heard->us.begin() + static_cast<std::ptrdiff_t>(count));
  subject.heard->count = 0;
  return times;
}

// p50 of ours by that of Cyclone DDS.
double measure(Subjects& subjects, int hertz, int rounds, int count) {
  for (auto& each : subjects.all()) each->publish_us.clear();
  for (int round = 0; round < rounds; ++round) {
    for (auto& each : subjects.all()) publish_some(*each, count, duration_of(1.0 / hertz));
  }
  std::this_thread::sleep_for(300ms);
  fmt::print("\npublish() -> callback in another process, reliable, Float64MultiArray of {}, {} Hz, {} each in turns\n",
             values, hertz, rounds * count);
  std::map<std::string, std::vector<double>> all;
  for (auto& each : subjects.all()) {
    const auto& times = all[each->what] = take(*each);
    print_times(fmt::format("{} ({} heard)", each->what, times.size()).c_str(), times);
    print_times("    of which publish()", each->publish_us);
  }
  const auto row = [&](const char* who, const char* peer, double q, bool judged) {
    const double mine = quantile(all[who], q), theirs = quantile(all[peer], q);
    const std::string how = std::string_view(who) == "ours" ? "" : ", shared memory";
    report({.name = fmt::format("one way between processes, reliable{}, {} Hz, p{:g}", how, hertz, 100 * q),
            .peer = std::string_view(peer) == "ours" ? "ours by UDP" : peer,
            .ours = mine,
            .theirs = theirs,
            .unit = "us",
            .ratio = theirs / mine,
            .wanted = judged ? "at least 1x" : "",
            .met = !judged || mine <= theirs});
    return mine / theirs;
  };
  for (const double q : {0.5, 0.99}) {
    row("ours", "bare Fast DDS", q, false);
    for (const char* peer : {"ours", "bare Fast DDS, data sharing"}) row("ours with shared memory", peer, q, false);
  }
  row("ours", "bare Cyclone DDS", 0.99, false);
  return row("ours", "bare Cyclone DDS", 0.5, true);
}

}  // namespace

void hear_one_way(const std::string& who, const std::string& file) {
  const SharedTimes times(file);
  Times* const heard = times.operator->();
  if (who == "cyclone") return hear_cyclone(heard);
  if (who.starts_with("fast")) {
    const bool sharing = who == "fast sharing";
    FastListener listener(*heard);
    BareFast peer(sharing ? sharing_domain : fast_domain, 21, dds_topic, dds_type, sharing);
    peer.subscribe(listener);
    std::this_thread::sleep_for(300s);
    return;
  }
  ros2::Context context(options_of(who));
  ros2::Node node(context, "listener");
  const auto subscription = node.subscribe<Float64MultiArray>(
      "one_way", ros2::Qos::standard(),
      [heard](const Float64MultiArray& message, const auto&) { heard->add(message.data[0]); });
  std::this_thread::sleep_for(300s);
}

bool one_way() {
  Subjects subjects;
  for (auto& each : subjects.all()) {
    if (wait_until(each->ready)) continue;
    fmt::print("one way: {}: no listener was found\n", each->what);
    return false;
  }
  std::this_thread::sleep_for(1500ms);
  for (auto& each : subjects.all()) {
    publish_some(*each, 200, 1ms);
    std::this_thread::sleep_for(50ms);
    take(*each);
  }
  bool met = true;
  for (const auto& [hertz, rounds, count] : {std::array{1000, 20, 200}, std::array{100, 10, 30}}) {
    const double ratio = measure(subjects, hertz, rounds, count);
    fmt::print("ratio of p50: {:.2f} times Cyclone's, wanted at most 1.00{}\n", ratio, ratio <= 1 ? "" : "  MISSED");
    met = met && ratio <= 1;
  }
  return met;
}

}  // namespace bench
