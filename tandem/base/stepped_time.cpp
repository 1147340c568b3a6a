// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/stepped_time.hpp"

#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace tandem {
namespace {

constexpr Duration outside_look = 5ms;  // real: how often others' changes are looked for while all wait
constexpr Duration outsider_nap = 1ms;  // real: of a thread that takes no part and waits for a simulated moment

timespec timespec_of(Duration left) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(left);
  return {.tv_sec = whole.count(), .tv_nsec = static_cast<long>((left - whole).count())};
}

int poll_within(std::span<pollfd> watched, Duration left) {
  const timespec limit = timespec_of(std::max(left, Duration{0}));
  return ::ppoll(watched.data(), watched.size(), &limit, nullptr);
}

}  // namespace

namespace stepped {

// The loopback device delivers in the sender's own system call, unless the kernel is busy and leaves it to a thread.
// Queues are per core and in order: when a datagram to ourselves from this core has arrived at once, so has all that
// was sent from it before, and what came of that in the kernel.
class Fence {
 public:
  Fence() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (socket_ < 0 || ::bind(socket_, any, sizeof address) != 0 || ::getsockname(socket_, any, &size) != 0 ||
        ::connect(socket_, any, sizeof address) != 0) {
      const int error = errno;
      if (socket_ >= 0) ::close(socket_);
      throw std::system_error(error, std::generic_category(), "stepped time: a socket on loopback");
    }
  }
  ~Fence() { ::close(socket_); }
  Fence(const Fence&) = delete;

  void pass() const {
    for (int tries = 0; tries < 1000; ++tries) {
      char byte = 0;
      if (::send(socket_, &byte, 1, 0) != 1) return;
      if (::recv(socket_, &byte, 1, 0) == 1) return;
      pollfd watched{.fd = socket_, .events = POLLIN, .revents = 0};
      (void)poll_within({&watched, 1}, 100ms);
      while (::recv(socket_, &byte, 1, 0) == 1) {
      }
    }
  }

 private:
  int socket_;
};

// All participants on one core: what one sends is there when it gives its turn up, and the next runs at once.
class OneCore {
 public:
  OneCore() {
    known_ = ::sched_getaffinity(0, sizeof before_, &before_) == 0;
    const int core = ::sched_getcpu();
    if (!known_ || core < 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    (void)::sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCore() {
    if (known_) (void)::sched_setaffinity(0, sizeof before_, &before_);
  }
  OneCore(const OneCore&) = delete;

 private:
  cpu_set_t before_{};
  bool known_ = false;
};

}  // namespace stepped

// One participant. What it waits for belongs to the table from when it gives its turn up until it has it again.
struct SteppedTime::Seat {
  std::shared_ptr<Table> table;
  std::string name;
  std::binary_semaphore turn{0};
  std::span<pollfd> watched{};
  Instant deadline{};
  const Ready* ready = nullptr;
  int found = 0;      // descriptors that are ready
  bool waits = true;  // guarded, as is `left`
  bool left = false;
};

struct SteppedTime::Table {
  explicit Table(const Options& wanted) : options(wanted), real_begin(real_now()) {}

  Instant time() const { return Instant(Duration(detail::stepped_nanoseconds.load(std::memory_order_relaxed))); }
  static void set(Instant instant) {
    detail::stepped_nanoseconds.store(instant.time_since_epoch().count(), std::memory_order_relaxed);
  }

  // Gives the turn to the next one; with the lock, which may be open in between.
  void pass_on(std::unique_lock<std::mutex>& lock);
  Seat* choose();
  void look();  // at all descriptors
  bool is_ready(Seat& seat, std::size_t& polled_at) const;
  Instant earliest() const;
  // Real time is awaited, as far as it is limited or nothing else is to come. False: it was, look again.
  bool jump_to(Instant instant, std::unique_lock<std::mutex>& lock);

  const Options options;
  const Instant real_begin;
  const stepped::Fence fence{};
  std::mutex mutex;
  std::vector<std::shared_ptr<Seat>> seats;  // guarded, as all below
  std::size_t last = 0;                      // who had the turn
  std::vector<pollfd> polled;                // of all seats, in their order
  std::shared_ptr<Seat> owner;
};

namespace {

std::mutex table_mutex;
std::shared_ptr<SteppedTime::Table> the_table;  // guarded
thread_local SteppedTime::Seat* own_seat = nullptr;

}  // namespace

void SteppedTime::Table::look() {
  fence.pass();
  polled.clear();
  for (const auto& seat : seats)
    if (seat->waits) polled.insert(polled.end(), seat->watched.begin(), seat->watched.end());
  if (!polled.empty()) (void)poll_within(polled, Duration{0});
}

// What was found is the seat's from here on.
bool SteppedTime::Table::is_ready(Seat& seat, std::size_t& polled_at) const {
  seat.found = 0;
  for (pollfd& watched : seat.watched) {
    watched.revents = polled[polled_at++].revents;
    seat.found += watched.revents != 0 ? 1 : 0;
  }
  return seat.found > 0 || seat.deadline <= time() || (seat.ready != nullptr && (*seat.ready)());
}

SteppedTime::Seat* SteppedTime::Table::choose() {
  // The next after the one that had it last: seats before that come later.
  Seat* first = nullptr;
  std::size_t polled_at = 0;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    Seat& seat = *seats[i];
    if (!seat.waits) continue;
    const bool ready = is_ready(seat, polled_at);
    if (!ready) continue;
    if (i > last) return last = i, &seat;
    if (first == nullptr) first = &seat;
  }
  if (first == nullptr) return nullptr;
  for (std::size_t i = 0; i < seats.size(); ++i)
    if (seats[i].get() == first) last = i;
  return first;
}

Instant SteppedTime::Table::earliest() const {
  Instant earliest = Instant::max();
  for (const auto& seat : seats)
    if (seat->waits) earliest = std::min(earliest, seat->deadline);
  return earliest;
}

bool SteppedTime::Table::jump_to(Instant instant, std::unique_lock<std::mutex>& lock) {
  const bool never = instant == Instant::max();
  Instant real = real_now() + outside_look;
  if (!never && options.speed <= 0) return set(instant), true;
  // A deadline may be further away than a Duration can be stretched.
  if (!never) real = std::min(real, real_begin + duration_of(std::min(seconds(instant - origin) / options.speed, 1e8)));
  std::vector<pollfd> watched = polled;
  lock.unlock();
  (void)poll_within(watched, real - real_now());
  lock.lock();
  if (never) return false;
  const Instant reached = origin + duration_of(seconds(real_now() - real_begin) * options.speed);
  set(std::max(time(), std::min(instant, reached)));
  return false;
}

void SteppedTime::Table::pass_on(std::unique_lock<std::mutex>& lock) {
  look();
  Seat* next = choose();
  while (next == nullptr) {
    if (!jump_to(earliest(), lock)) look();
    next = choose();
  }
  next->waits = false;
  set(time() + options.work);
  next->turn.release();
}

SteppedTime::SteppedTime(const Options& options)
    : table_(std::make_shared<Table>(options)), core_(std::make_unique<stepped::OneCore>()) {
  const std::scoped_lock lock(table_mutex);
  if (the_table) throw std::logic_error("stepped time: expected one at a time, got a second");
  the_table = table_;
  table_->owner = std::make_shared<Seat>();
  table_->owner->table = table_;
  table_->owner->name = "owner";
  table_->owner->waits = false;
  table_->seats.push_back(table_->owner);
  own_seat = table_->owner.get();
  Table::set(origin);
}

SteppedTime::~SteppedTime() {
  while (true) {
    wait({}, Instant::max(), [this] { return table_->seats.size() == 1; });
    // Both, so that no seat is reserved in between by a thread that takes no part.
    const std::scoped_lock lock(table_mutex, table_->mutex);
    if (table_->seats.size() > 1) continue;
    the_table.reset();
    own_seat = nullptr;
    detail::stepped_nanoseconds.store(-1, std::memory_order_relaxed);
    table_->owner->table.reset();
    table_->seats.clear();
    table_->owner.reset();
    return;
  }
}

bool SteppedTime::takes_part() { return own_seat != nullptr; }

int SteppedTime::wait(std::span<pollfd> watched, Instant deadline, const Ready& ready) {
  Seat* const seat = own_seat;
  if (seat == nullptr) {
    while (true) {
      if (!active() || (ready && ready())) return poll_within(watched, Duration{0});
      const bool over = now() >= deadline;
      const int count = poll_within(watched, over ? Duration{0} : outsider_nap);
      if (count != 0 || over) return count;
    }
  }
  {
    std::unique_lock lock(seat->table->mutex);
    seat->watched = watched;
    seat->deadline = deadline;
    seat->ready = ready ? &ready : nullptr;
    seat->waits = true;
    seat->table->pass_on(lock);
  }
  seat->turn.acquire();
  return seat->found;
}

std::shared_ptr<SteppedTime::Seat> SteppedTime::reserve(std::string name) {
  const std::scoped_lock lock(table_mutex);
  if (!the_table) return nullptr;
  auto seat = std::make_shared<Seat>();
  seat->table = the_table;
  seat->name = std::move(name);
  const std::scoped_lock table_lock(the_table->mutex);
  the_table->seats.push_back(seat);
  return seat;
}

void SteppedTime::sit_down(const std::shared_ptr<Seat>& seat) {
  if (!seat) return;
  own_seat = seat.get();
  seat->turn.acquire();
}

void SteppedTime::leave(const std::shared_ptr<Seat>& seat) {
  if (!seat) return;
  own_seat = nullptr;
  const auto table = std::move(seat->table);
  std::unique_lock lock(table->mutex);
  const auto place = std::ranges::find(table->seats, seat);
  const auto index = static_cast<std::size_t>(place - table->seats.begin());
  table->seats.erase(place);
  seat->left = true;
  // The next in order is the one that has moved to its place.
  table->last = index > 0 ? index - 1 : table->seats.size();
  table->pass_on(lock);
}

void SteppedTime::give_back(const std::shared_ptr<Seat>& seat) {
  if (!seat) return;
  const auto table = std::move(seat->table);
  const std::scoped_lock lock(table->mutex);
  table->seats.erase(std::ranges::find(table->seats, seat));
  if (table->last >= table->seats.size()) table->last = table->seats.size() - 1;
}

void SteppedTime::wait_until_left(const std::shared_ptr<Seat>& seat) {
  if (!seat || own_seat == nullptr || own_seat == seat.get()) return;
  wait({}, Instant::max(), [&] { return seat->left; });
}

}  // namespace tandem
