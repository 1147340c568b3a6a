// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/ros/services.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/device/peripherals.hpp"
#include "tandem/machines/ur3e/ros/messages.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/messages/ur_dashboard_msgs_services.hpp"

namespace tandem::ur3e {
namespace {

using ros2::Reply;
using ros2::std_srvs::Trigger;
using ros2::ur_msgs::SetIO;
using ros2::ur_msgs::SetPayload;
using ros2::ur_msgs::SetSpeedSliderFraction;
using ur::dashboard::Verb;
namespace dashboard_srvs = ros2::ur_dashboard_msgs;

constexpr std::string_view io_services = "io_and_status_controller";

Error wrong(std::string text) { return {Fault::invalid, std::move(text)}; }

Trigger::Response trigger_response(const Result<std::string>& answer) {
  Trigger::Response response;
  response.success = answer.ok();
  response.message = answer ? *answer : answer.error().text;
  return response;
}

}  // namespace

Result<script::Write> write_from(const SetIO::Request& request) {
  const int pin = request.pin;
  const bool on = request.state != 0;
  if (!std::isfinite(request.state)) return wrong("set_io: state: expected a finite number, got NaN or infinity");
  switch (request.fun) {
    case SetIO::Request::FUN_SET_DIGITAL_OUT: {
      if (pin < 0 || pin > 17) return wrong(fmt::format("set_io: expected a digital output 0 to 17, got {}", pin));
      const script::Code code = pin < 8    ? script::Code::standard_out
                                : pin < 16 ? script::Code::configurable_out
                                           : script::Code::tool_out;
      return script::Write{.code = code, .one = pin % 8, .two = on ? 1 : 0};
    }
    case SetIO::Request::FUN_SET_ANALOG_OUT:
      if (pin < 0 || pin > 1) return wrong(fmt::format("set_io: expected an analog output 0 or 1, got {}", pin));
      if (request.state < 0 || request.state > 1)
        return wrong(
            fmt::format("set_io: expected an analog output of 0 to 1 (share of its range), got {}", request.state));
      return script::Write{.code = script::Code::analog_out, .one = pin, .first = {request.state}};
    default:
      return Error{
          Fault::unsupported,
          fmt::format("set_io: function: expected 1 (digital output) or 3 (analog output), got {}", request.fun)};
  }
}

Result<script::Write> write_from(const SetPayload::Request& request) {
  const double mass = request.mass;
  const auto& centre = request.center_of_gravity;
  if (!(mass >= 0 && mass <= payload_limit))
    return wrong(fmt::format("set_payload: expected a mass of 0 to {} kg, got {}", payload_limit, mass));
  if (!(std::isfinite(centre.x) && std::isfinite(centre.y) && std::isfinite(centre.z)))
    return wrong("set_payload: the centre of gravity contains NaN or infinity");
  return script::Write{.code = script::Code::payload, .first = {mass, centre.x, centre.y, centre.z}};
}

RosServices::RosServices(ros2::FullNode& node, const Latest<State>& state, Commands& commands,
                         machines::Refusals& refusals)
    : node_(node), state_(state), commands_(commands), refusals_(refusals) {
  serve_dashboard();
  serve_io();
}

template <typename S>
void RosServices::serve(std::string_view name,
                        std::function<void(const typename S::Request&, const Reply<S>&)> handler) {
  services_.push_back(std::make_unique<ros2::Service<S>>(node_, name, std::move(handler)));
}

bool RosServices::armed() const {
  const auto state = state_.get();
  return state && state->armed;
}

void RosServices::ask(ur::dashboard::Command command, std::function<void(Result<std::string>)> answer) {
  Peripherals* side = side_;
  if (side == nullptr) return answer(Error{Fault::unreachable, "the machine has not been started yet"});
  if (!side->dashboard(std::move(command), answer)) answer(Error{Fault::busy, "too many pending requests"});
}

void RosServices::trigger(const std::string& name, Verb verb) {
  serve<Trigger>("dashboard_client/" + name, [this, verb](const Trigger::Request&, const Reply<Trigger>& reply) {
    if (verb == Verb::play && !armed()) {
      reply.send(trigger_response(Error{Fault::refused, "not armed: a program would move the arm; arm first"}));
      return;
    }
    ask({verb, ""}, [reply](const Result<std::string>& answer) { reply.send(trigger_response(answer)); });
  });
}

template <typename S>
void RosServices::question(std::string_view name, Verb verb,
                           std::function<void(const std::string&, typename S::Response&)> read) {
  serve<S>(fmt::format("dashboard_client/{}", name),
           [this, verb, read = std::move(read)](const typename S::Request&, const Reply<S>& reply) {
             ask({verb, ""}, [reply, read](const Result<std::string>& answer) {
               typename S::Response response;
               response.success = answer.ok();
               response.answer = answer ? *answer : answer.error().text;
               if (answer) read(*answer, response);
               reply.send(response);
             });
           });
}

void RosServices::serve_dashboard() {
  const std::pair<const char*, Verb> triggers[] = {
      {"power_on", Verb::power_on},
      {"power_off", Verb::power_off},
      {"brake_release", Verb::brake_release},
      {"play", Verb::play},
      {"pause", Verb::pause},
      {"stop", Verb::stop},
      {"unlock_protective_stop", Verb::unlock_protective_stop},
      {"restart_safety", Verb::restart_safety},
      {"close_popup", Verb::close_popup},
      {"close_safety_popup", Verb::close_safety_popup},
      {"connect", Verb::polyscope_version},  // every question has a connection of its own: shows that there can be one
  };
  for (const auto& [name, verb] : triggers) trigger(name, verb);
  question<dashboard_srvs::GetRobotMode>("get_robot_mode", Verb::robot_mode,
                                         [this](const std::string&, dashboard_srvs::GetRobotMode::Response& response) {
                                           response.robot_mode = robot_mode_from(state_.get().value_or(State{}));
                                         });
  question<dashboard_srvs::GetSafetyMode>(
      "get_safety_mode", Verb::safety_mode,
      [this](const std::string&, dashboard_srvs::GetSafetyMode::Response& response) {
        response.safety_mode = safety_mode_from(state_.get().value_or(State{}));
      });
  question<dashboard_srvs::IsProgramRunning>(
      "program_running", Verb::running,
      [](const std::string& answer, dashboard_srvs::IsProgramRunning::Response& response) {
        response.program_running = answer.find("true") != std::string::npos;
      });
  question<dashboard_srvs::IsInRemoteControl>(
      "is_in_remote_control", Verb::is_in_remote_control,
      [](const std::string& answer, dashboard_srvs::IsInRemoteControl::Response& response) {
        response.remote_control = answer.find("true") != std::string::npos;
      });
  serve<dashboard_srvs::Load>("dashboard_client/load_program", [this](const auto& request, const auto& reply) {
    ask({Verb::load, request.filename}, [reply](const Result<std::string>& answer) {
      dashboard_srvs::Load::Response response;
      response.success = answer.ok();
      response.answer = answer ? *answer : answer.error().text;
      reply.send(response);
    });
  });
}

void RosServices::tell_program(const Result<script::Write>& write, std::function<void(Result<void>)> finished) {
  const auto done = [this, finished = std::move(finished)](Result<void> result) {
    if (!result) refusals_.add(io_services, result.error().text);
    finished(std::move(result));
  };
  if (!write) return done(write.error());
  if (!armed()) return done(Error{Fault::refused, "not armed: call ~/arm or `tandem arm` first"});
  const auto wanted = std::make_shared<ScriptRequest>();
  wanted->write = *write;
  wanted->finished = done;
  if (const auto before = commands_.command.post(wanted))
    before->finished(Error{Fault::busy, "superseded by a newer command"});
}

void RosServices::serve_io() {
  const std::string io = fmt::format("{}/", io_services);
  serve<SetIO>(io + "set_io", [this](const SetIO::Request& request, const Reply<SetIO>& reply) {
    tell_program(write_from(request), [reply](const Result<void>& done) { reply.send({.success = done.ok()}); });
  });
  serve<SetPayload>(io + "set_payload", [this](const SetPayload::Request& request, const Reply<SetPayload>& reply) {
    tell_program(write_from(request), [reply](const Result<void>& done) { reply.send({.success = done.ok()}); });
  });
  serve<Trigger>(io + "zero_ftsensor", [this](const Trigger::Request&, const Reply<Trigger>& reply) {
    tell_program(script::Write{.code = script::Code::zero_force}, [reply](const Result<void>& done) {
      reply.send(trigger_response(done ? Result<std::string>("zeroed") : Result<std::string>(done.error())));
    });
  });
  serve<SetSpeedSliderFraction>(io + "set_speed_slider", [this](const auto& request, const auto& reply) {
    const double fraction = request.speed_slider_fraction;
    const auto answer = [this, reply](const Result<std::string>& done) {
      if (!done) refusals_.add(io_services, "set_speed_slider: " + done.error().text);
      reply.send({.success = done.ok()});
    };
    Peripherals* side = side_;
    if (!(fraction >= 0.01 && fraction <= 1)) return answer(wrong("expected a fraction of 0.01 to 1"));
    if (side == nullptr || !side->speed_slider(fraction, answer)) answer(Error{Fault::busy, "not connected"});
  });
  serve<Trigger>(io + "resend_robot_program", [this](const Trigger::Request&, const Reply<Trigger>& reply) {
    const Result<std::string> running("the control program is running");
    reply.send(trigger_response(
        armed() ? running : Error{Fault::refused, "not armed: arming sends the program; call ~/arm or `tandem arm`"}));
  });
  serve<Trigger>(io + "hand_back_control", [this](const Trigger::Request&, const Reply<Trigger>& reply) {
    commands_.hand_back = true;
    reply.send(trigger_response(Result<std::string>("the control program ends; disarmed")));
  });
}

}  // namespace tandem::ur3e
