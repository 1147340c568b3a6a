// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/tf/buffer.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "tandem/ros2/types/conversions.hpp"
#include "tests/allocations.hpp"

namespace tandem::ros2 {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Eigen::Vector3d random_axis(Random& random) {
  std::normal_distribution<double> normal;
  return Eigen::Vector3d(normal(random), normal(random), normal(random)).normalized();
}

Pose random_pose(Random& random) {
  const Eigen::Vector3d position(uniform(random, -2, 2), uniform(random, -2, 2), uniform(random, -2, 2));
  return Eigen::Translation3d(position) * Eigen::AngleAxisd(uniform(random, -3, 3), random_axis(random));
}

Pose at_x(double x) { return Pose(Eigen::Translation3d(x, 0.0, 0.0)); }

double distance(const Result<Pose>& X, const Pose& expected) {
  REQUIRE_MESSAGE(X.ok(), (X.ok() ? "" : X.error().text));
  return (X->matrix() - expected.matrix()).cwiseAbs().maxCoeff();
}

TfRefusal put(TfBuffer& buffer, Duration stamp, std::string_view parent, std::string_view child, const Pose& X,
              bool is_static = false) {
  return buffer.insert(transform_stamped(UtcTime(stamp), parent, child, X), is_static);
}

Error error_of(const TfBuffer& buffer, std::string_view target, std::string_view source,
               std::optional<UtcTime> time = std::nullopt) {
  const auto found = buffer.lookup(target, source, time);
  REQUIRE_FALSE(found.ok());
  return found.error();
}

void has(const std::string& text, std::string_view part) {
  CAPTURE(text);
  CAPTURE(part);
  CHECK(text.find(part) != std::string::npos);
}

unsigned int code(TfErrorCode code) { return static_cast<unsigned int>(code); }

}  // namespace

TEST_CASE("every pair of frames of random trees agrees with products of isometries") {
  Random random(20240611);
  for (int round = 0; round < 40; ++round) {
    const int count = std::uniform_int_distribution(2, 30)(random);
    TfBuffer buffer;
    std::vector<Pose> X_root_frame = {Pose::Identity()};
    const auto name = [](int i) { return "frame_" + std::to_string(i); };
    for (int i = 1; i < count; ++i) {
      const int parent = std::uniform_int_distribution(0, i - 1)(random);
      const Pose X = random_pose(random);
      REQUIRE(put(buffer, 100s, name(parent), name(i), X, random() % 3 == 0) == TfRefusal::none);
      X_root_frame.push_back(X_root_frame[static_cast<std::size_t>(parent)] * X);
    }
    double worst = 0.0;
    for (int target = 0; target < count; ++target) {
      for (int source = 0; source < count; ++source) {
        const Pose expected =
            X_root_frame[static_cast<std::size_t>(target)].inverse() * X_root_frame[static_cast<std::size_t>(source)];
        worst = std::max(worst, distance(buffer.pose(name(target), name(source), UtcTime(100s)), expected));
        worst = std::max(worst, distance(buffer.pose(name(target), name(source)), expected));
      }
    }
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("between samples frames move straight and turn at a constant rate") {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    TfBuffer buffer;
    const Eigen::Vector3d axis = random_axis(random);
    const double start = uniform(random, -3, 3);
    const double turn = uniform(random, -3.1, 3.1);  // below half a turn, so that the shortest way is this one
    const Eigen::Vector3d from(uniform(random, -5, 5), uniform(random, -5, 5), uniform(random, -5, 5));
    const Eigen::Vector3d step(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1));
    const auto at = [&](double ratio) -> Pose {
      return Eigen::Translation3d(from + ratio * step) * Eigen::AngleAxisd(start + ratio * turn, axis);
    };
    put(buffer, 1'700'000'000s, "map", "base", at(0.0));
    auto second = transform_stamped(UtcTime(1'700'000'000s + 40ms), "map", "base", at(1.0));
    // The same rotation with the other sign must not go the long way round.
    if (round % 2 == 0) {
      auto& q = second.transform.rotation;
      q = {-q.x, -q.y, -q.z, -q.w};
    }
    buffer.insert(second, false);
    for (const auto offset : {0ms, 1ms, 13ms, 20ms, 39ms, 40ms}) {
      const double ratio = static_cast<double>(offset.count()) / 40.0;
      CHECK(distance(buffer.pose("map", "base", UtcTime(1'700'000'000s + offset)), at(ratio)) < 1e-12);
    }
  }
}

TEST_CASE("a chain of moving frames is interpolated frame by frame") {
  TfBuffer buffer;
  const auto odom = [](double t) -> Pose {
    return Eigen::Translation3d(t, 0, 0) * Eigen::AngleAxisd(0.2 * t, Eigen::Vector3d::UnitZ());
  };
  const auto arm = [](double t) -> Pose {
    return Eigen::Translation3d(0, 0.1 * t, 1) * Eigen::AngleAxisd(-0.3 * t, Eigen::Vector3d::UnitX());
  };
  const Pose mount = Eigen::Translation3d(0.1, 0.2, 0.3) * Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitY());
  for (int i = 0; i <= 10; ++i) put(buffer, 100ms * i, "odom", "base", odom(0.1 * i));
  for (int i = 0; i <= 7; ++i) put(buffer, 130ms * i + 20ms, "base", "arm", arm(0.13 * i + 0.02));
  put(buffer, 5h, "odom", "camera", mount, true);
  for (const auto t : {20ms, 55ms, 500ms, 901ms, 930ms}) {
    const double now = seconds(t);
    const Pose expected = mount.inverse() * odom(now) * arm(now);
    CHECK(distance(buffer.pose("camera", "arm", UtcTime(t)), expected) < 1e-12);
    CHECK(distance(buffer.pose("arm", "camera", UtcTime(t)), expected.inverse()) < 1e-12);
  }
}

TEST_CASE("samples come back as they were sent with names and stamp") {
  TfBuffer buffer;
  Random random(3);
  const auto sent = transform_stamped(UtcTime(12s + 345ns), "map", "base", random_pose(random));
  buffer.insert(sent, false);
  put(buffer, 13s, "map", "base", random_pose(random));
  const auto found = buffer.lookup("map", "base", UtcTime(12s + 345ns));
  REQUIRE(found.ok());
  CHECK(found->header == sent.header);
  CHECK(found->child_frame_id == "base");
  CHECK(found->transform.translation == sent.transform.translation);
  CHECK(std::abs(found->transform.rotation.w - sent.transform.rotation.w) < 1e-15);
}

TEST_CASE("without a time the answer is of the newest time that the whole chain knows") {
  TfBuffer buffer;
  for (int i = 0; i <= 50; ++i) put(buffer, 100ms * i, "map", "odom", at_x(0.1 * i));
  for (int i = 0; i <= 30; ++i) put(buffer, 100ms * i, "odom", "base", at_x(0.1 * i));
  put(buffer, 0s, "base", "camera", at_x(0.5), true);
  put(buffer, 0s, "camera", "lens", at_x(0.25), true);
  const auto chain = buffer.lookup("map", "lens");
  REQUIRE(chain.ok());
  CHECK(utc_from(chain->header.stamp) == UtcTime(3s));
  CHECK(std::abs(chain->transform.translation.x - 6.75) < 1e-12);
  CHECK(utc_from(buffer.lookup("map", "odom")->header.stamp) == UtcTime(5s));
  CHECK(utc_from(buffer.lookup("base", "lens")->header.stamp) == UtcTime(0s));
  CHECK(utc_from(buffer.lookup("odom", "odom")->header.stamp) == UtcTime(5s));
  CHECK(distance(buffer.pose("lens", "lens"), Pose::Identity()) == 0.0);
}

TEST_CASE("nothing is extrapolated and the error says how far away and what is held") {
  TfBuffer buffer;
  put(buffer, 10s, "odom", "base", at_x(0));
  put(buffer, 12s, "odom", "base", at_x(2));
  CHECK(buffer.can("odom", "base", UtcTime(10s)));
  CHECK(buffer.can("odom", "base", UtcTime(12s)));
  CHECK_FALSE(buffer.can("odom", "base", UtcTime(10s - 1ns)));
  CHECK_FALSE(buffer.can("odom", "base", UtcTime(12s + 1ns)));
  const Error later = error_of(buffer, "odom", "base", UtcTime(12s + 250ms));
  CHECK(later.code == code(TfErrorCode::extrapolation));
  has(later.text, "base in odom at 12.250000000 is 0.250000 s later than the buffer");
  has(later.text, "2 samples from 10.000000000 to 12.000000000");
  has(error_of(buffer, "base", "odom", UtcTime(9s)).text, "is 1.000000 s before the buffer");
  CHECK_FALSE(buffer.can("odom", "base", UtcTime::max()));
  CHECK_FALSE(buffer.can("odom", "base", UtcTime::min()));
  CHECK(buffer.lookup("odom", "odom", UtcTime::min()).ok());
}

TEST_CASE("a gap above the common ancestor does not matter") {
  TfBuffer buffer;
  put(buffer, 1s, "map", "odom", at_x(100));
  put(buffer, 50s, "odom", "base", at_x(1));
  put(buffer, 50s, "odom", "tool", at_x(3));
  CHECK(distance(buffer.pose("base", "tool", UtcTime(50s)), at_x(2)) < 1e-12);
  CHECK(error_of(buffer, "map", "tool", UtcTime(50s)).code == code(TfErrorCode::extrapolation));
}

TEST_CASE("unknown frames are named with the nearest known ones") {
  TfBuffer buffer;
  has(error_of(buffer, "map", "base").text, "unknown frame \"map\" (0 frames; no frame is known)");
  for (const auto* child : {"base_link", "camera_link", "base_footprint", "odom"})
    put(buffer, 0s, "map", child, at_x(0));
  const Error error = error_of(buffer, "map", "base_lnk");
  CHECK(error.fault == Fault::not_found);
  CHECK(error.code == code(TfErrorCode::lookup));
  has(error.text, "unknown frame \"base_lnk\" (5 frames; nearest: base_link,");
  has(error_of(buffer, "a\x1b[2J", "map").text, "\"a?[2J\"");
}

TEST_CASE("frames of different trees are refused with both roots") {
  TfBuffer buffer;
  put(buffer, 0s, "map", "base", at_x(0));
  put(buffer, 0s, "world", "table", at_x(0));
  put(buffer, 0s, "table", "cup", at_x(0));
  for (const std::optional<UtcTime> time :
       {std::optional<UtcTime>(), std::optional(UtcTime(0s)), std::optional(UtcTime(9s))}) {
    const Error error = error_of(buffer, "base", "cup", time);
    CHECK(error.code == code(TfErrorCode::connectivity));
    has(error.text, "base has root map, cup has root world");
  }
}

TEST_CASE("frames in a circle are an error that names them") {
  TfBuffer buffer;
  put(buffer, 0s, "a", "b", at_x(1));
  put(buffer, 0s, "b", "c", at_x(1));
  put(buffer, 0s, "c", "a", at_x(1));
  put(buffer, 0s, "c", "leaf", at_x(1));
  put(buffer, 0s, "map", "base", at_x(0));
  const Error error = error_of(buffer, "map", "leaf");
  CHECK(error.code == code(TfErrorCode::cycle));
  const bool named = error.text.find("a -> c -> b -> a") != std::string::npos ||
                     error.text.find("c -> b -> a -> c") != std::string::npos ||
                     error.text.find("b -> a -> c -> b") != std::string::npos;
  CHECK_MESSAGE(named, error.text);
  CHECK(error_of(buffer, "leaf", "map", UtcTime(0s)).code == code(TfErrorCode::cycle));
}

TEST_CASE("a leading slash is ignored") {
  TfBuffer buffer;
  put(buffer, 0s, "/map", "/base", at_x(4));
  const auto found = buffer.lookup("/map", "base");
  REQUIRE(found.ok());
  CHECK(found->header.frame_id == "map");
  CHECK(found->transform.translation.x == 4.0);
  CHECK(buffer.snapshot().frames.size() == 2);
}

TEST_CASE("history is kept for ten seconds behind the newest and old data is dropped") {
  TfBuffer buffer;
  for (int i = 0; i <= 300; ++i) put(buffer, 100ms * i, "map", "base", at_x(i));
  CHECK(buffer.can("map", "base", UtcTime(20s)));
  CHECK_FALSE(buffer.can("map", "base", UtcTime(20s - 1ns)));
  CHECK(put(buffer, 20s - 1ns, "map", "base", at_x(0)) == TfRefusal::old);
  CHECK(put(buffer, 20s + 50ms, "map", "base", at_x(-1)) == TfRefusal::none);
  CHECK(distance(buffer.pose("map", "base", UtcTime(20s + 50ms)), at_x(-1)) < 1e-12);
  CHECK(put(buffer, 20s + 50ms, "map", "base", at_x(-2)) == TfRefusal::none);
  CHECK(distance(buffer.pose("map", "base", UtcTime(20s + 50ms)), at_x(-2)) < 1e-12);
  CHECK(buffer.snapshot().frames[0].samples == 102);
}

TEST_CASE("samples and frames and senders are bounded whatever is sent") {
  TfBuffer buffer({.samples_per_frame = 50, .samples = 120, .frames = 8, .senders = 4});
  for (int i = 0; i < 1000; ++i) {
    for (const auto* child : {"a", "b", "c", "d"}) put(buffer, 1ms * i, "map", child, at_x(i));
  }
  std::size_t samples = 0;
  for (const TfFrame& frame : buffer.snapshot().frames) {
    CHECK(frame.samples <= 50);
    samples += frame.samples;
  }
  CHECK(samples <= 124);
  CHECK(distance(buffer.pose("map", "d"), at_x(999)) < 1e-12);
  for (int i = 0; i < 1000; ++i) {
    TfReception reception;
    reception.sender[0] = static_cast<std::uint8_t>(i);
    reception.received = Instant(1ms * i);
    const auto flood = transform_stamped(UtcTime(1s), "flood" + std::to_string(i), "flood", at_x(0));
    const TfRefusal refusal = buffer.insert(flood, false, reception);
    CHECK(refusal == (i < 2 ? TfRefusal::none : TfRefusal::full));
  }
  CHECK(buffer.snapshot().frames.size() == 8);
  CHECK(buffer.snapshot().senders.size() == 4);
  CHECK(buffer.can("a", "d"));
}

TEST_CASE("bad transforms are refused for a reason and counted for their sender") {
  TfBuffer buffer;
  TfReception reception;
  reception.sender[3] = 9;
  const auto good = transform_stamped(UtcTime(1s), "map", "base", at_x(1));
  const auto attempt = [&](auto change) {
    auto bad = good;
    change(bad);
    return buffer.insert(bad, false, reception);
  };
  using T = geometry_msgs::TransformStamped;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(attempt([](T& t) { t.child_frame_id = ""; }) == TfRefusal::name);
  CHECK(attempt([](T& t) { t.child_frame_id = "/"; }) == TfRefusal::name);
  CHECK(attempt([](T& t) { t.header.frame_id = ""; }) == TfRefusal::name);
  CHECK(attempt([](T& t) { t.header.frame_id = std::string(256, 'x'); }) == TfRefusal::name);
  CHECK(attempt([](T& t) { t.child_frame_id = "a\nb"; }) == TfRefusal::name);
  CHECK(attempt([](T& t) { t.child_frame_id = "/map"; }) == TfRefusal::self);
  CHECK(attempt([&](T& t) { t.transform.translation.y = nan; }) == TfRefusal::not_finite);
  CHECK(attempt([&](T& t) { t.transform.translation.z = -infinity; }) == TfRefusal::not_finite);
  CHECK(attempt([&](T& t) { t.transform.rotation.x = nan; }) == TfRefusal::not_finite);
  CHECK(attempt([&](T& t) { t.transform.rotation.w = infinity; }) == TfRefusal::not_finite);
  CHECK(attempt([](T& t) { t.transform.rotation = {0, 0, 0, 0}; }) == TfRefusal::not_unit);
  CHECK(attempt([](T& t) { t.transform.rotation = {0, 0, 0, 1e200}; }) == TfRefusal::not_unit);
  CHECK(attempt([](T& t) { t.transform.rotation.w = std::sqrt(1.0101); }) == TfRefusal::not_unit);
  CHECK(buffer.snapshot().frames.empty());
  CHECK(attempt([](T& t) { t.transform.rotation.w = std::sqrt(1.0099); }) == TfRefusal::none);
  CHECK(distance(buffer.pose("map", "base"), at_x(1)) < 1e-12);
  const auto senders = buffer.snapshot().senders;
  REQUIRE(senders.size() == 1);
  CHECK(senders[0].gid == reception.sender);
  CHECK(senders[0].taken == 1);
  CHECK(senders[0].refused == std::array<std::uint64_t, tf_refusals>{0, 5, 1, 4, 3, 0, 0});
  CHECK(senders[0].last_refused == "base in map");
}

TEST_CASE("a frame that changes its parent is found and is never between the two") {
  TfBuffer buffer;
  put(buffer, 0s, "map", "table", at_x(10), true);
  put(buffer, 0s, "map", "hand", at_x(20), true);
  put(buffer, 1s, "table", "cup", at_x(1));
  put(buffer, 2s, "hand", "cup", at_x(2));
  CHECK(distance(buffer.pose("map", "cup", UtcTime(1s)), at_x(11)) < 1e-12);
  CHECK(distance(buffer.pose("map", "cup", UtcTime(1500ms)), at_x(11)) < 1e-12);
  CHECK(distance(buffer.pose("map", "cup", UtcTime(2s)), at_x(22)) < 1e-12);
  const TfFrame cup = buffer.snapshot().frames[0];
  CHECK(cup.name == "cup");
  CHECK(cup.parent == "hand");
  CHECK(cup.previous_parent == "table");
  CHECK(cup.parent_changes == 1);
}

TEST_CASE("clearing forgets moving frames and keeps static ones") {
  TfBuffer buffer;
  put(buffer, 100s, "map", "base", at_x(1));
  put(buffer, 100s, "base", "camera", at_x(2), true);
  buffer.clear();
  CHECK(buffer.can("base", "camera"));
  CHECK_FALSE(buffer.can("map", "base"));
  CHECK(put(buffer, 1s, "map", "base", at_x(3)) == TfRefusal::none);
  CHECK(distance(buffer.pose("map", "camera"), at_x(5)) < 1e-12);
}

TEST_CASE("waiting ends with the transform or with the reason why not") {
  TfBuffer buffer;
  const auto never = buffer.wait("map", "base", std::nullopt, 10ms);
  REQUIRE_FALSE(never.ok());
  CHECK(never.error().fault == Fault::timeout);
  has(never.error().text, "unknown frame \"map\"");
  std::jthread later([&] {
    for (int i = 0; i < 5; ++i) {
      std::this_thread::sleep_for(5ms);
      put(buffer, 1s * i, "map", "base", at_x(i));
    }
  });
  const auto found = buffer.wait("map", "base", UtcTime(3500ms), 20s);
  REQUIRE(found.ok());
  CHECK(found->transform.translation.x == doctest::Approx(3.5).epsilon(1e-12));
}

TEST_CASE("a warm lookup of a pose does not allocate") {
  TfBuffer buffer;
  std::string parent = "the_root_of_all_frames_with_a_long_name";
  for (int link = 0; link < 8; ++link) {
    const std::string child = "a_link_with_a_name_too_long_for_small_strings_" + std::to_string(link);
    for (int i = 0; i <= 500; ++i) put(buffer, 20ms * i, parent, child, at_x(0.001 * i));
    parent = child;
  }
  const auto ask = [&] { return buffer.pose("the_root_of_all_frames_with_a_long_name", parent, UtcTime(5s + 7ms)); };
  CHECK(distance(ask(), at_x(8 * 0.25035)) < 1e-12);
  const std::size_t before = allocations;
  for (int i = 0; i < 1000; ++i) {
    if (!ask().ok()) break;
  }
  CHECK(allocations - before == 0);
}

TEST_CASE("threads that write and ask at once see only whole transforms") {
  TfBuffer buffer;
  const auto where = [](double t) -> Pose {
    return Eigen::Translation3d(t, -t, 0) * Eigen::AngleAxisd(0.4 * t, Eigen::Vector3d::UnitZ());
  };
  put(buffer, 0s, "map", "odom", where(0));
  put(buffer, 0s, "odom", "base", where(0));
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> asked = 0;
  {
    std::vector<std::jthread> readers;
    for (int reader = 0; reader < 3; ++reader) {
      readers.emplace_back([&, reader] {
        while (!stop) {
          const auto found = buffer.lookup(reader == 0 ? "map" : "odom", "base");
          ++asked;
          if (!found.ok()) {
            ++wrong;
            continue;
          }
          const Pose one = where(seconds(utc_from(found->header.stamp).time_since_epoch()));
          const Pose expected = reader == 0 ? one * one : one;
          if ((pose_from(found->transform).matrix() - expected.matrix()).norm() > 1e-11) ++wrong;
          if (reader == 2 && buffer.snapshot().frames.size() != 3) ++wrong;
        }
      });
    }
    std::jthread odom([&] {
      for (int i = 1; i <= 3000; ++i) put(buffer, 1ms * i, "map", "odom", where(0.001 * i));
    });
    for (int i = 1; i <= 3000; ++i) put(buffer, 1ms * i, "odom", "base", where(0.001 * i));
    odom.join();
    while (asked < 100) std::this_thread::yield();
    stop = true;
  }
  CHECK(wrong == 0);
  CHECK(distance(buffer.pose("map", "base", UtcTime(3s)), where(3) * where(3)) < 1e-11);
}

}  // namespace tandem::ros2
