// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/replay/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "tandem/runtime/replay/ports.hpp"

namespace tandem::runtime {
namespace {

constexpr Duration replay_turn = 50ms;        // at most between two looks at the request to stop
constexpr std::size_t replay_buffer = 65536;  // bytes; the largest datagram
constexpr std::size_t most_unsent = 1 << 20;  // bytes; then the device says and receives no more until they are taken

constexpr double nearly_all = 0.9;  // of a conversation that the other side ends, as it need not do so to the ms

// How long the device was away before a conversation, at least: the machine knocked again and again, and the last
// time but one it was refused. Supervisor's pauses are at most these.
Duration time_away(Duration gap) {
  constexpr Duration longest = 24h * 365;  // a file may say anything
  return std::clamp(gap - (gap > 5min ? Duration(1s) : Duration(150ms)), Duration{}, longest);
}

// How long nothing was said before each conversation, on any port; none before the first.
std::vector<Duration> gaps_before(const std::vector<Conversation>& conversations) {
  std::vector<Duration> gaps;
  UtcTime end = UtcTime::max();
  for (const Conversation& each : conversations) {
    gaps.push_back(each.opened > end ? each.opened - end : Duration{});
    end = gaps.size() == 1 ? each.opened + each.length : std::max(end, each.opened + each.length);
  }
  return gaps;
}

}  // namespace

std::span<const machines::FieldPort> field_ports(const FieldRecording& recording, const Registry& registry) {
  const std::string_view scheme = std::string_view(recording.device).substr(0, recording.device.find("://"));
  // A described machine has the protocol of its file.
  const auto* type = registry.find(recording.type);
  if (type != nullptr && (type->read == nullptr || type->scheme == scheme)) return type->ports;
  for (const auto* each : registry.types())
    if (each->scheme == scheme && !each->ports.empty()) return each->ports;
  return {};
}

std::string ReplaySummary::text() const {
  std::string text = fmt::format("{} of {} connections replayed to their end, {} bytes sent, {} received", finished,
                                 conversations, said, heard);
  if (as_recorded()) return text + ": the client sent what was recorded";
  if (begun < conversations) text += fmt::format("; no client for {}", conversations - begun);
  for (const std::string& difference : differences) text += "\n  " + difference;
  return text;
}

struct ReplayDevice::Impl {
  // A conversation on its way.
  struct Talk {
    ReplayPort& port;
    std::size_t number;  // of the conversation
    ConversationPlayer player;
    net::TcpSocket socket{};
    net::Endpoint peer{};  // of datagrams
    std::vector<std::uint8_t> outbox{};
    std::optional<Instant> full{};    // since when the outbox is
    bool ends = false;                // as soon as all is sent
    std::optional<Instant> closes{};  // it is over; how long the other side may still hang on
    bool over = false;
  };

  FieldRecording recording;
  std::vector<Duration> gaps;  // before each conversation
  ReplayOptions options;
  std::vector<ReplayPort> ports;
  std::list<Talk> talks;
  std::vector<std::uint8_t> buffer = std::vector<std::uint8_t>(replay_buffer);
  Instant busy{};  // when the last talk was there
  std::string address;
  mutable std::mutex mutex;
  ReplaySummary summary;  // guarded

  void say(const std::string& words) const {
    if (options.say) options.say(words);
  }
  const Conversation& conversation(const Talk& talk) const { return recording.conversations[talk.number]; }

  Talk& begin(ReplayPort& port, Instant now) {
    const std::size_t number = port.waiting.front();
    port.waiting.pop_front();
    if (port.waiting.empty() && !options.loop) port.listener.close();  // the next caller is refused
    const Conversation& conversation = recording.conversations[number];
    talks.push_back({port, number, ConversationPlayer(conversation, *port.protocol, options.player, now)});
    const std::lock_guard lock(mutex);
    ++summary.begun;
    return talks.back();
  }

  // A port whose next conversation came after an outage refuses for as long, from the end of all that was before.
  void leave(ReplayPort& port) {
    if (port.waiting.empty() || options.player.fast) return;
    const std::size_t next = port.waiting.front();
    if (std::ranges::any_of(talks, [&](const Talk& talk) { return !talk.ends && talk.number < next; })) return;
    const Duration away = duration_of(seconds(time_away(gaps[next])) / std::max(options.player.speed, 0.01));
    if (away <= Duration{}) return;
    port.listener.close();
    const bool told = now() < port.away_until;
    port.away_until = now() + away;
    if (!told) say(fmt::format("unreachable for {:.1f} s, as recorded ({})", seconds(away), port.protocol->name));
  }

  void leave_ports(Talk& talk) {
    talk.ends = true;
    for (ReplayPort& port : ports) leave(port);
  }

  void finish(Talk& talk, bool to_the_end, const std::string& how) {
    if (std::exchange(talk.over, true)) return;
    leave_ports(talk);  // first, so that no one slips in
    talk.socket.close();
    std::string words =
        fmt::format("conversation {} of {} ({} {}): {}", talk.number + 1, recording.conversations.size(),
                    talk.port.protocol->name, conversation(talk).peer, how);
    const auto& difference = talk.player.difference();
    if (difference) words += "; the client first differs " + difference->text();
    if (!talk.player.in_order()) words += "; from there on requests are answered by content";
    {
      const std::lock_guard lock(mutex);
      summary.said += talk.player.said();
      summary.heard += talk.player.heard();
      if (to_the_end) ++summary.finished;
      if (difference || !to_the_end) summary.differences.push_back(words);
    }
    say(words);
  }

  bool comes_back(ReplayPort& port, Instant now) {
    auto there = is_there(port, options, now);
    if (there) return *there;
    say(fmt::format("not available yet: {}", there.error().text));
    port.away_until = now + 1s;  // and tries again
    return false;
  }

  void accept(ReplayPort& port, Instant now) {
    auto caller = port.listener.accept(Instant{});
    if (!caller) return;
    Talk& talk = begin(port, now);
    talk.socket = std::move(*caller);
  }

  // A machine that listens is called until it is there; one that receives datagrams is just spoken to.
  void call(ReplayPort& port, Instant now) {
    const auto theirs = [&](const Talk& talk) { return &talk.port == &port; };
    if (port.waiting.empty() || std::ranges::any_of(talks, theirs)) return;
    if (port.role == ReplayRole::sends) {
      begin(port, now).peer = port.machine;
    } else if (port.role == ReplayRole::calls) {
      auto socket = net::TcpSocket::connect(port.machine.host(), port.machine.port, now + replay_turn);
      if (socket) begin(port, now).socket = std::move(*socket);
    }
  }

  // One who speaks from another place is another: the next conversation, if there is one.
  void receive(ReplayPort& port, bool there, Instant now) {
    for (int i = 0; i < 64; ++i) {
      net::Watch watch{.fd = port.udp.fd()};
      const auto ready = net::wait({&watch, 1}, Instant{});
      if (!ready || *ready == 0) return;
      auto datagram = port.udp.receive(buffer, Instant{});
      if (!datagram || !there) continue;
      Talk* last = nullptr;
      for (Talk& talk : talks)
        if (&talk.port == &port && !talk.over) last = &talk;
      const bool stranger = last == nullptr || (port.role == ReplayRole::receives && last->peer != datagram->from);
      if (stranger && !port.waiting.empty() && port.role == ReplayRole::receives) {
        if (last != nullptr) finish(*last, last->player.done(), "the client sent from another port");
        last = &begin(port, now);
      }
      if (last == nullptr) continue;
      last->peer = datagram->from;
      last->player.hear(Bytes(buffer).first(datagram->size));
    }
  }

  void read(Talk& talk) {
    if (talk.full) return;
    for (int i = 0; i < 16 && !talk.over; ++i) {
      auto count = talk.socket.read_now(buffer);
      if (!count) return other_side_ended(talk);
      if (*count == 0) return;
      if (!talk.closes) talk.player.hear(Bytes(buffer).first(*count));
    }
  }

  void other_side_ended(Talk& talk) {
    const RecordedEnd end = conversation(talk).end;
    const bool by_them = end == RecordedEnd::ours || end == RecordedEnd::none;
    const bool expected = talk.closes || (by_them && talk.player.progress() >= nearly_all);
    finish(talk, expected, expected ? "ended as recorded" : "the client closed it before its end");
  }

  void act(Talk& talk, Instant now) {
    while (!talk.over && !talk.ends && talk.outbox.size() < most_unsent) {
      const ConversationPlayer::Act act = talk.player.next(now);
      talk.ends = act.ends;
      if (!act.says) break;
      if (talk.port.udp.open()) {
        (void)talk.port.udp.send(act.bytes, talk.peer);  // no one need be there
      } else {
        talk.outbox.insert(talk.outbox.end(), act.bytes.begin(), act.bytes.end());
      }
    }
    flush(talk);
    if (talk.ends && !talk.closes && talk.outbox.empty()) end(talk, now);
    const bool fits = talk.outbox.size() < most_unsent && !(talk.ends && !talk.outbox.empty());
    if (fits) {
      talk.full.reset();
    } else if (!talk.full) {
      talk.full = now;
    }
    if (talk.full && now - *talk.full > options.wait) finish(talk, false, "the client no longer receives");
    if (talk.closes && now >= *talk.closes) finish(talk, true, "ended as recorded");
  }

  void flush(Talk& talk) {
    if (talk.over || talk.outbox.empty()) return;
    auto count = talk.socket.write_now(talk.outbox);
    if (!count) return other_side_ended(talk);
    if (*count > 0) talk.full.reset();
    talk.outbox.erase(talk.outbox.begin(), talk.outbox.begin() + static_cast<std::ptrdiff_t>(*count));
  }

  void end(Talk& talk, Instant now) {
    if (talk.over) return;
    const RecordedEnd how = conversation(talk).end;
    if (talk.port.udp.open()) return finish(talk, true, "ended as recorded");
    if (how != RecordedEnd::ours) leave_ports(talk);
    if (how == RecordedEnd::broken) {
      talk.socket.reset();
      return finish(talk, true, "reset as recorded");
    }
    // Only our half, so that the other side reads to the end whatever it says meanwhile.
    if (how == RecordedEnd::theirs) talk.socket.shutdown_write();
    const bool hangs_on = options.hold && how != RecordedEnd::theirs;
    talk.closes = hangs_on ? Instant::max() : now + options.linger;
  }

  void wait_for_something(Instant now) {
    std::vector<net::Watch> watches;
    Instant until = now + replay_turn;
    for (const ReplayPort& port : ports) {
      if (port.listener.open() && !port.waiting.empty()) watches.push_back({.fd = port.listener.fd()});
      if (port.udp.open()) watches.push_back({.fd = port.udp.fd()});
    }
    for (const Talk& talk : talks) {
      if (talk.socket.open())
        watches.push_back({.fd = talk.socket.fd(), .want_read = !talk.full, .want_write = !talk.outbox.empty()});
      if (!talk.full) until = std::min(until, talk.closes ? *talk.closes : std::max(talk.player.due(), now));
    }
    if (!net::wait(watches, until)) system_clock().sleep_until(now + 1ms);
  }

  bool nothing_left() const {
    return talks.empty() && std::ranges::all_of(ports, [](const ReplayPort& port) { return port.waiting.empty(); });
  }

  // False when all is over.
  bool turn() {
    wait_for_something(now());
    const Instant present = now();
    for (ReplayPort& port : ports) {
      const bool there = comes_back(port, present);
      if (there && port.listener.open() && !port.waiting.empty()) accept(port, present);
      if (port.udp.open()) receive(port, there, present);
      if (there) call(port, present);
      busy = std::max(busy, port.away_until);
    }
    for (Talk& talk : talks) {
      if (talk.socket.open()) read(talk);
      act(talk, present);
    }
    talks.remove_if([](const Talk& talk) { return talk.over; });
    if (!talks.empty()) busy = std::max(busy, present);
    if (options.loop && nothing_left()) {
      say("from the beginning");
      refill(ports, recording);
    }
    const bool begun = summary.begun > 0;
    return !nothing_left() && !(begun && talks.empty() && !options.loop && present - busy > options.wait);
  }
};

ReplayDevice::ReplayDevice(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ReplayDevice::~ReplayDevice() = default;

Result<std::unique_ptr<ReplayDevice>> ReplayDevice::make(FieldRecording recording, ReplayOptions options) {
  if (!(options.player.speed >= 0.001 && options.player.speed <= 1000))
    return Error{Fault::invalid, fmt::format("speed {}: expected 0.001 to 1000", options.player.speed)};
  if (options.port && (*options.port < 0 || *options.port > 65535))
    return Error{Fault::invalid, fmt::format("port {}: expected 0 to 65535", *options.port)};
  auto ports = replay_ports(recording, options);
  if (!ports) return std::move(ports).error();
  auto impl = std::make_unique<Impl>();
  impl->address = replay_url(recording, options, *ports);
  impl->recording = std::move(recording);
  impl->gaps = gaps_before(impl->recording.conversations);
  impl->options = std::move(options);
  impl->ports = std::move(*ports);
  for (const ReplayPort& port : impl->ports) impl->summary.conversations += port.waiting.size();
  return std::unique_ptr<ReplayDevice>(new ReplayDevice(std::move(impl)));
}

std::string ReplayDevice::url() const { return impl_->address; }

void ReplayDevice::run(std::stop_token stop) {
  while (!stop.stop_requested() && impl_->turn()) {
  }
  for (Impl::Talk& talk : impl_->talks) {
    const bool waits = talk.closes || talk.player.done();
    impl_->finish(talk, waits, waits ? "ended as recorded" : "ended here before its end");
  }
  impl_->talks.clear();
}

ReplaySummary ReplayDevice::summary() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->summary;
}

}  // namespace tandem::runtime
