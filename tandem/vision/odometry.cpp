// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/odometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "tandem/vision/image_tracker.hpp"

namespace tandem::vision {
namespace {

constexpr std::size_t fewest_spots = 60;      // to begin a map with
constexpr double seconds_believed = 1;        // between images, at most
constexpr std::uint64_t dice_seed = 0x7a4d;   // of OpenCV's random choices, again for every image
constexpr std::size_t most_kept = 512 << 20;  // bytes of keyframes' images

// Of large images fewer are kept.
MapperSettings within_memory(const OdometrySettings& settings) {
  MapperSettings mapping = settings.mapping;
  const std::size_t pixels =
      static_cast<std::size_t>(settings.camera.width) * static_cast<std::size_t>(settings.camera.height);
  mapping.most_keyframes = std::min(mapping.most_keyframes, most_kept / pixels);
  return mapping;
}

}  // namespace

struct Odometry::Impl {
  explicit Impl(const OdometrySettings& settings)
      : camera(settings.camera), mapper(settings.camera, within_memory(settings)), tracker(settings.camera) {}

  struct Attempt {
    std::vector<Track> tracks;
    PoseFit fit;
  };

  Result<void> check_image(const GrayView& image) const;
  std::vector<Track> fresh_tracks();
  void keep_view();
  void find_first_motion();
  void begin();
  void go_on(double seconds);
  bool recover(double seconds);
  std::optional<Attempt> attempt(const Keyframe& keyframe);
  double overlap_with(const Keyframe& keyframe) const;
  bool use_place_seen_before();
  std::vector<int> places_to_try();

  Camera camera;
  Mapper mapper;
  ImageTracker tracker;
  std::map<int, View> views;  // of keyframes, by id
  int next_track = 0;
  Eigen::Matrix3d image_from_first = Eigen::Matrix3d::Identity();  // while there is no map
  std::optional<double> stamp_before;
  std::size_t turn = 0;  // of the keyframes that are tried while lost
};

Result<void> Odometry::Impl::check_image(const GrayView& image) const {
  if (image.width != camera.width || image.height != camera.height) {
    return Error{Fault::invalid, fmt::format("image: expected {} x {} pixels as the camera has, got {} x {}",
                                             camera.width, camera.height, image.width, image.height)};
  }
  if (image.pixels == nullptr || image.stride < static_cast<std::size_t>(image.width)) {
    return Error{Fault::invalid, fmt::format("image: expected rows of at least {} bytes, got {}", image.width,
                                             image.pixels == nullptr ? 0 : image.stride)};
  }
  return {};
}

// New spots of the present image beside those that are tracked.
std::vector<Track> Odometry::Impl::fresh_tracks() {
  std::vector<Track> tracks;
  for (const Eigen::Vector2d& spot : tracker.spots_beside(mapper.present())) tracks.push_back({next_track++, spot});
  return tracks;
}

// The present image belongs to the newest keyframe.
void Odometry::Impl::keep_view() {
  views.insert_or_assign(mapper.reference(), tracker.present());
  std::erase_if(views, [&](const auto& view) { return mapper.map().keyframe(view.first) == nullptr; });
}

void Odometry::Impl::begin() {
  views.clear();
  image_from_first.setIdentity();
  mapper.wait();
  const std::vector<Track> tracks = fresh_tracks();
  if (tracks.size() < fewest_spots) return;
  mapper.begin(tracks);
  keep_view();
}

void Odometry::Impl::find_first_motion() {
  if (!mapper.begun()) return begin();
  const Keyframe& first = mapper.map().keyframes.front();
  const std::vector<Track> tracks = tracker.follow(views.at(first.id), first.tracks, image_from_first);
  if (2 * tracks.size() < first.tracks.size() || tracks.size() < fewest_spots) return begin();
  std::vector<Eigen::Vector2d> from, to;
  for (const Track& track : tracks) {
    from.push_back(*first.pixel_of(track.id));
    to.push_back(track.pixel);
  }
  if (const auto moved = homography_between(from, to, mapper.tolerance())) image_from_first = *moved;
  if (!mapper.initialise(tracks)) return;
  mapper.add_tracks(fresh_tracks());
  keep_view();
}

// The present image seen as this keyframe's surroundings, by its corners.
std::optional<Odometry::Impl::Attempt> Odometry::Impl::attempt(const Keyframe& keyframe) {
  const View& view = views.at(keyframe.id);
  const auto moved = tracker.recognise(view);
  if (!moved) return std::nullopt;
  Attempt result;
  result.tracks = tracker.follow(view, keyframe.tracks, *moved);
  auto fit = mapper.locate(result.tracks, std::nullopt);
  if (!fit) return std::nullopt;
  result.fit = std::move(*fit);
  return result;
}

// The reference, the nearest keyframes, and by turns the others.
std::vector<int> Odometry::Impl::places_to_try() {
  constexpr std::size_t near = 4, others = 2;
  const Eigen::Vector3d here = mapper.tracking().X_world_camera.translation();
  std::vector<std::pair<double, int>> nearest;
  for (const Keyframe& keyframe : mapper.map().keyframes) {
    const double distance = (keyframe.X_camera_world.inverse().translation() - here).norm();
    nearest.emplace_back(keyframe.id == mapper.reference() ? -1 : distance, keyframe.id);
  }
  std::sort(nearest.begin(), nearest.end());
  std::vector<int> places;
  for (std::size_t i = 0; i < std::min(near, nearest.size()); ++i) places.push_back(nearest[i].second);
  for (std::size_t i = 0; i < others && nearest.size() > near; ++i) {
    places.push_back(nearest[near + turn++ % (nearest.size() - near)].second);
  }
  return places;
}

bool Odometry::Impl::recover(double seconds) {
  if (tracker.present().corners.size() < fewest_spots) return false;
  for (const int place : places_to_try()) {
    const auto found = attempt(*mapper.map().keyframe(place));
    if (!found) continue;
    mapper.place(found->tracks, found->fit, seconds);
    mapper.reference(place);
    return true;
  }
  return false;
}

// Which part of a keyframe's points the present image should show.
double Odometry::Impl::overlap_with(const Keyframe& keyframe) const {
  constexpr double margin = 20;
  constexpr int fewest = 50;
  const Pose X_camera_world = mapper.X_camera_world();
  int all = 0, shown = 0;
  for (const Track& track : keyframe.tracks) {
    const Eigen::Vector3d* point = mapper.map().point(track.id);
    if (point == nullptr) continue;
    ++all;
    const Eigen::Vector3d p = X_camera_world * *point;
    if (p.z() > 1e-3 && camera.shows(camera.pixel_of(p), margin)) ++shown;
  }
  return all >= fewest ? static_cast<double>(shown) / all : 0;
}

bool Odometry::Impl::use_place_seen_before() {
  constexpr double enough = 0.8;
  double best = enough;
  const Keyframe* place = nullptr;
  for (const Keyframe& keyframe : mapper.map().keyframes) {
    const double overlap = keyframe.id != mapper.reference() ? overlap_with(keyframe) : 0;
    if (overlap <= best) continue;
    best = overlap;
    place = &keyframe;
  }
  if (place == nullptr) return false;
  const auto found = attempt(*place);
  if (!found || found->fit.count < 0.75 * mapper.map().points_of(*place)) return false;
  mapper.correct(found->tracks, found->fit);
  mapper.reference(place->id);
  return true;
}

void Odometry::Impl::go_on(double seconds) {
  bool placed = false;
  if (mapper.tracking().state == TrackingState::ok) {
    const Keyframe& from = *mapper.map().keyframe(mapper.reference());
    const Pose guess = mapper.predicted();
    if (const auto moved = view_from_keyframe(mapper.map(), from, camera, guess)) {
      const std::vector<Track> tracks = tracker.follow(views.at(from.id), from.tracks, *moved);
      if (const auto fit = mapper.locate(tracks, guess)) {
        mapper.place(tracks, *fit, seconds);
        placed = true;
      }
    }
  }
  if (!placed && !recover(seconds)) {
    mapper.miss(seconds);
    if (!mapper.has_map()) views.clear();
    return;
  }
  if (!mapper.needs_keyframe() || use_place_seen_before()) return;
  mapper.add_keyframe(fresh_tracks());
  keep_view();
}

Odometry::Odometry(const OdometrySettings& settings) {
  if (const auto fits = check(settings.camera); !fits) throw std::invalid_argument(fits.error().text);
  impl_ = std::make_unique<Impl>(settings);
}
Odometry::Odometry(Odometry&&) noexcept = default;
Odometry& Odometry::operator=(Odometry&&) noexcept = default;
Odometry::~Odometry() = default;

Result<void> Odometry::add(const GrayView& image, double stamp) {
  if (auto fits = impl_->check_image(image); !fits) return fits;
  double seconds = impl_->stamp_before ? stamp - *impl_->stamp_before : 0;
  if (!(seconds > 0)) seconds = 0;
  if (std::isfinite(stamp)) impl_->stamp_before = stamp;
  seconds = std::min(seconds, seconds_believed);
  cv::theRNG().state = dice_seed;
  try {
    impl_->tracker.look(image);
    if (impl_->mapper.has_map()) {
      impl_->go_on(seconds);
    } else {
      impl_->find_first_motion();
    }
  } catch (const cv::Exception& exception) {
    reset();
    return Error{Fault::invalid, fmt::format("image: a new map is started, as OpenCV failed: {}", exception.what())};
  }
  return {};
}

const Tracking& Odometry::tracking() const { return impl_->mapper.tracking(); }

const Map& Odometry::map() const { return impl_->mapper.map(); }

void Odometry::reset() {
  impl_->mapper.reset();
  impl_->views.clear();
  impl_->image_from_first.setIdentity();
}

}  // namespace tandem::vision
