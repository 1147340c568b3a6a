// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "tandem/protocols/mavlink/link/stream_port.hpp"
#include "tandem/protocols/mavlink/link/transport.hpp"

namespace tandem::mavlink {
namespace {

struct BaudRate {
  std::uint32_t baud;
  speed_t speed;
};
constexpr std::array baud_rates = {
    BaudRate{1200, B1200},       BaudRate{2400, B2400},       BaudRate{4800, B4800},       BaudRate{9600, B9600},
    BaudRate{19200, B19200},     BaudRate{38400, B38400},     BaudRate{57600, B57600},     BaudRate{115200, B115200},
    BaudRate{230400, B230400},   BaudRate{460800, B460800},   BaudRate{500000, B500000},   BaudRate{576000, B576000},
    BaudRate{921600, B921600},   BaudRate{1000000, B1000000}, BaudRate{1152000, B1152000}, BaudRate{1500000, B1500000},
    BaudRate{2000000, B2000000}, BaudRate{3000000, B3000000},
};

std::optional<speed_t> speed_of(std::uint32_t baud) {
  for (const BaudRate& rate : baud_rates)
    if (rate.baud == baud) return rate.speed;
  return std::nullopt;
}

Error serial_error(const std::string& device, const char* doing, int error) {
  const Fault fault = error == ENOENT || error == ENXIO || error == ENODEV ? Fault::not_found : Fault::closed;
  return {fault, fmt::format("{} {}: {}", doing, device, std::generic_category().message(error)),
          static_cast<unsigned int>(error)};
}

// A serial line in raw mode: eight bits, no parity, no flow control, nothing interpreted.
class SerialPort {
 public:
  // `device` outlives the port: its tap knows the line by that name.
  static Result<SerialPort> open(const std::string& device, speed_t speed, net::Tap* tap) {
    SerialPort port;
    port.descriptor_ = net::Descriptor(::open(device.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (!port.descriptor_) return serial_error(device, "open", errno);
    termios settings{};
    if (tcgetattr(port.fd(), &settings) != 0) return serial_error(device, "read the settings of", errno);
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag &= ~(CSTOPB | CRTSCTS);
    settings.c_cc[VMIN] = 0;
    settings.c_cc[VTIME] = 0;
    if (cfsetspeed(&settings, speed) != 0 || tcsetattr(port.fd(), TCSANOW, &settings) != 0)
      return serial_error(device, "set up", errno);
    tcflush(port.fd(), TCIOFLUSH);
    port.device_ = device;
    port.tap_.open(tap, {.device = device});
    return port;
  }

  Result<std::size_t> read_now(std::span<std::uint8_t> into) {
    const ssize_t count = ::read(fd(), into.data(), into.size());
    if (count > 0) pass(net::Direction::in, into.first(static_cast<std::size_t>(count)));
    return counted(count, "read");
  }
  Result<std::size_t> write_now(Bytes bytes) {
    const ssize_t count = ::write(fd(), bytes.data(), bytes.size());
    if (count > 0) pass(net::Direction::out, bytes.first(static_cast<std::size_t>(count)));
    return counted(count, "write");
  }
  int fd() const { return descriptor_.get(); }

 private:
  Result<std::size_t> counted(ssize_t count, const char* doing) {
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return std::size_t{0};
    return serial_error(device_, doing, errno);
  }
  void pass(net::Direction direction, Bytes bytes) { tap_.pass(direction, bytes); }

  net::Descriptor descriptor_;
  std::string device_;
  net::TapPoint tap_;
};

class SerialTransport final : public Transport {
 public:
  SerialTransport(std::string device, speed_t speed, net::Tap* tap)
      : device_(std::move(device)), speed_(speed), tap_(tap) {}

  void tend(Instant now) override {
    if (!port_) {
      if (!retry_.due(now)) return;
      auto port = SerialPort::open(device_, speed_, tap_);
      if (!port) return lose(port.error().text, now);
      port_.emplace(std::move(*port));
      opened_ = now;
      fresh_ = true;
      ++connections_;
    }
    if (now - opened_ > 1s) retry_.worked();
    if (auto flushed = port_->flush(); !flushed) lose(flushed.error().text, now);
  }

  // Zero bytes mean that there are none now, or that the line hung up; a hang-up shows as readable indefinitely.
  std::optional<Piece> read(std::span<std::uint8_t> into, Instant now) override {
    if (!port_) return std::nullopt;
    net::Watch watch{.fd = port_->socket().fd()};
    const auto ready = net::wait({&watch, 1}, Instant{});
    if (!ready || *ready == 0) return std::nullopt;
    auto count = port_->socket().read_now(into);
    if (!count || *count == 0) {
      lose(count ? device_ + " hung up" : count.error().text, now);
      return std::nullopt;
    }
    return Piece{*count, 0, false, std::exchange(fresh_, false)};
  }

  bool write(Bytes frame, Instant now) override {
    if (!port_) return false;
    auto put = port_->put(frame);
    if (put) return *put;
    lose(put.error().text, now);
    return false;
  }

  Instant watch(std::vector<net::Watch>& watches) const override {
    if (!port_) return retry_.next();
    watches.push_back({.fd = port_->socket().fd(), .want_write = port_->waits()});
    return Instant::max();
  }
  LinkState state() const override { return port_ ? LinkState::open : LinkState::down; }
  std::uint64_t connections() const override { return connections_; }

 private:
  void lose(const std::string& why, Instant now) {
    trouble_ = why;
    port_.reset();
    retry_.failed(now);
  }

  std::string device_;
  speed_t speed_;
  net::Tap* tap_;
  std::optional<StreamPort<SerialPort>> port_;
  Instant opened_{};
  bool fresh_ = false;
  Retry retry_;
  std::uint64_t connections_ = 0;
};

}  // namespace

Result<std::unique_ptr<Transport>> open_serial(const LinkAddress& address, net::Tap* tap) {
  const auto speed = speed_of(address.baud);
  if (!speed)
    return Error{Fault::unsupported, fmt::format("{}: unsupported rate of {} baud (9600, 57600, 115200, 921600, ...)",
                                                 address.text(), address.baud)};
  return std::unique_ptr<Transport>(std::make_unique<SerialTransport>(address.device, *speed, tap));
}

}  // namespace tandem::mavlink
